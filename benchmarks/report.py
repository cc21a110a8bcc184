"""The weekly report of a large feedback log: seconds, and the most memory that one of its processes held.

``python benchmarks/report.py [--events 1000000] [--folder FOLDER]`` writes a log of invented events (40 skills, two
years) where there is none yet, runs ``skilltune report --no-mine`` on it, and prints a table. The bars for a million
events: 60 seconds, 2 GB.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.bars import show_bar
from skilltune.records import FeedbackEvent, Invocation
from skilltune.stores.jsonl import dump_row
from skilltune.stores.rows import event_row, use_row

SKILLS = 40
DAYS = 730
END = datetime(2026, 11, 29, 23, tzinfo=UTC)
SAYINGS = ("You forgot the error case.", "No, that is not what I asked for.", "The totals row is missing again.")
DIMENSIONS = ("accuracy", "coverage", "reliability", "efficiency", "security", "trigger_quality", "unknown")
BARS = {"seconds": 60, "MB": 2_000}


def invented(number: int) -> Iterator[tuple[FeedbackEvent | None, Invocation]]:
    """So many judged uses, and as many again without a verdict for every five of them."""
    draw = random.Random(11)
    for place in range(number * 6 // 5):
        skill = min(int(draw.expovariate(0.12)), SKILLS - 1)
        at = END - timedelta(seconds=draw.random() * DAYS * 86_400)
        common = {
            "event_id": f"{place:016x}",
            "timestamp": at,
            "session_id": f"s{at:%y%m%d}-{place % 29}",
            "skill_id": f"skill-{skill:02}",
            "invocation_uuid": f"u{place}",
            "agent": "claude-code",
            "model": "invented-1",
            "project": f"/srv/invented/{place % 12}",
            "skill_digest": f"{skill:04x}{(END - at).days // 200:08x}",
        }
        use = Invocation(**common, via="tool", reason="" if place % 6 else "no_turn", turns_seen=1)
        yield (_event(common, draw, rate=0.05 + skill % 10 / 25) if place % 6 else None), use


def _event(common: dict, draw: random.Random, *, rate: float) -> FeedbackEvent:
    wrong = draw.random() < rate
    return FeedbackEvent(
        **common,
        outcome="correction" if wrong else "acceptance",
        confidence=0.9,
        correction_type="rejection" if wrong else None,
        user_message_snippet=SAYINGS[draw.randrange(3)] if wrong else "Thanks, that works.",
        turns_to_feedback=draw.randrange(1, 4),
        ai_tools_used=("Edit", "Bash"),
        dimension_hint=DIMENSIONS[draw.randrange(7)] if wrong else None,
        language="en",
        rule="en.reject.not_what" if wrong else "implicit.accept",
        attribution="direct",
        channel="message",
    )


def write_log(folder: Path, number: int) -> Path:
    """A workspace whose log has `number` events."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "feedback.jsonl"
    if path.exists():
        return path
    with path.open("wb") as events, (folder / "uses.jsonl").open("wb") as uses:
        for event, use in invented(number):
            if event is None:
                uses.write(dump_row(use_row(use)) + b"\n")
            else:
                events.write(dump_row(event_row(event, text=event.user_message_snippet or "")) + b"\n")
    return path


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("options", nargs="*", help="more options of `skilltune report`, after --")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.folder or Path(temporary)
        log = write_log(folder / ".skilltune", chosen.events)
        command = [sys.executable, "-m", "skilltune", "report", "--no-mine", "--week", "2026-W48", *chosen.options]
        command += ["--workspace", str(log.parent), "--output", str(folder / "reports"), "--time-zone", "UTC"]
        before, cpu = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = time.perf_counter() - before
        busy = after.ru_utime + after.ru_stime - cpu.ru_utime - cpu.ru_stime
        size = log.stat().st_size / 1e6
    print(f"{'events':>10} {'log, MB':>8} {'seconds':>8} {'CPU':>6} {'most memory of one process, MB':>31}")
    print(f"{chosen.events:>10,} {size:>8.0f} {seconds:>8.1f} {busy:>6.1f} {after.ru_maxrss / 1e3:>31,.0f}")
    if chosen.events == 1_000_000:
        show_bar("weekly report of 1,000,000 events", busy, bar=BARS["seconds"], unit="s of CPU")
        show_bar("most memory of one of its processes", after.ru_maxrss / 1e3, bar=BARS["MB"], unit="MB")


if __name__ == "__main__":
    main()
