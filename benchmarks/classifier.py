"""CPU time of the classifier, a turn at a time, with nothing remembered of earlier turns.

python benchmarks/classifier.py [LABELS.jsonl ...]

Default: the invented turns that ship with the package (English). Prints microseconds a turn, the least of nine passes:
reading the message and the end of what the agent said, the rules on top, features and model on top of these; and the
ratio to `json.loads` of the same rows in the same run.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from skilltune.mining.asking import _read_end, read_agent
from skilltune.mining.classifier import judge_turn
from skilltune.mining.model import read_model
from skilltune.mining.outcomes import judge_by_rules
from skilltune.mining.signals import _read_short, read_signals
from skilltune.mining.situation import Situation

ROOT = Path(__file__).parents[1]
PASSES = 9


def main(paths: list[str]) -> None:
    """Measure and print."""
    files = [Path(path) for path in paths] or sorted((ROOT / "skilltune" / "training" / "turns").glob("*.jsonl"))
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows = [row for row in map(json.loads, lines) if row.get("language", "en") == "en"]
    model = read_model()
    steps: dict[str, Callable[[], object]] = {
        "json.loads": lambda: [json.loads(line) for line in lines],
        "read the message": lambda: [read_signals(row["text"]) for row in rows],
        "read the agent's end": lambda: [read_agent(row["previous_agent"]) for row in rows],
        "rules (both)": lambda: [judge_by_rules(_situation(row)) for row in rows],
        "rules and model": lambda: [judge_turn(_situation(row), model=model) for row in rows],
    }
    times = {name: _least(step) / len(rows) * 1e6 for name, step in steps.items()}
    print(f"{len(rows):,} turns")
    for name, micros in times.items():
        print(f"{name:22s} {micros:7.1f} µs a turn   {micros / times['json.loads']:6.1f} x json.loads")


def _situation(row: dict) -> Situation:
    return Situation.of(
        row["text"],
        previous_agent=row.get("previous_agent") or "",
        channel=row.get("channel") or "message",
        interrupted=row.get("interrupted") is True,
        previous_prompt=row.get("previous_person") or "",
    )


def _least(step: Callable[[], object]) -> float:
    """Seconds of CPU of the fastest of nine passes."""
    best = float("inf")
    for _ in range(PASSES):
        _read_short.cache_clear()
        _read_end.cache_clear()
        start = time.process_time()
        step()
        best = min(best, time.process_time() - start)
    return best


if __name__ == "__main__":
    main(sys.argv[1:])
