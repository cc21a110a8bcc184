"""Contradictions and change percent: milliseconds and peak memory, beside the bars of the project.

python benchmarks/contradictions.py [CORRECTIONS ...]

Each shape of ledger runs in a process of its own, so that the peak memory is its own.
"""

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.bars import show_bar
from skilltune.evolution.contradictions import find_contradictions
from skilltune.evolution.corrections import Correction, find_patterns, usable_corrections
from skilltune.evolution.textdiff import measure_change

START = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = [f"{first}{second}" for first in ("brew", "pour", "steep", "warm", "rinse", "stir") for second in range(80)]
SHAPES = ("mixed", "one original", "one target", "one word added and removed", "alike", "chains", "long")
BARS = {5_000: 400, 100_000: 10_000}


def make_pairs(shape: str, count: int) -> Iterator[tuple[str, str]]:
    """Original and corrected texts of invented corrections."""
    chance = random.Random(1)

    def phrase(size: int) -> str:
        return " ".join(chance.choice(WORDS) for _ in range(size))

    for number in range(count):
        text = phrase(chance.randint(3, 9))
        match shape:
            case "mixed":
                kept = phrase(4) if number % 5 else "npm run build"
                pair = (kept, f"{kept} {phrase(3)}")
                yield pair if number % 2 else pair[::-1]
            case "one original":
                yield "pour the water", f"{text} {number}"
            case "one target":
                yield f"{text} {number}", "pour the water"
            case "one word added and removed":
                yield (
                    (f"{text} {number}", f"{text} {number} gently")
                    if number % 2
                    else (
                        f"{text} {number} gently",
                        f"{text} {number}",
                    )
                )
            case "alike":
                name = f"brew the green tea number {number // 2:07d} and pour it into the small cup"
                yield (name, f"{name} slowly") if number % 2 else (f"{name} slowly please", name)
            case "chains":
                yield f"step {number}", f"step {(number + 1) % count}"
            case "long":
                yield phrase(30), phrase(30)


def make_corrections(shape: str, count: int) -> list[Correction]:
    """Corrections of one skill, one a minute."""
    return [
        Correction(
            id=str(number),
            skill_id="brew",
            session_id=f"s{number % 97}",
            timestamp=START + timedelta(minutes=number),
            original=original,
            corrected=corrected,
        )
        for number, (original, corrected) in enumerate(make_pairs(shape, count))
    ]


def measure_shape(shape: str, count: int) -> None:
    """One line on one ledger."""
    corrections = make_corrections(shape, count)
    start = time.process_time()
    found = find_contradictions(corrections)
    middle = time.process_time()
    patterns = find_patterns(usable_corrections(corrections))
    end = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{count:>8,} {shape:28}{1000 * (middle - start):10.0f}{BARS.get(count, ''):>8}{1000 * (end - middle):10.0f}"
        f"{peak:8.0f}{len(found.findings):10,}{len(patterns):10,}",
        flush=True,
    )
    if bar := BARS.get(count):
        show_bar(f"contradictions of {count:,}, {shape}", 1000 * (middle - start), bar=bar, unit="ms")


def measure_diffs() -> None:
    """Change percent of bodies of 10 and 100 KB, few edits and all different."""
    print()
    for size, bar in ((10_000, 8), (100_000, 250)):
        chance = random.Random(2)
        body = " ".join(chance.choice(WORDS) for _ in range(size))[:size]
        other = " ".join(chance.choice(WORDS)[::-1] for _ in range(size))[:size]
        few = body.replace(WORDS[7], "gently").replace(WORDS[80], "")
        cases = {
            "few edits": few,
            "other words": other,
            "words shuffled": " ".join(chance.sample(body.split(), len(body.split()))),
            "reversed": " ".join(reversed(body.split())),
            "one sign": "a" * size,
            "all signs": "".join(chance.choice("!?.,;:") for _ in range(size)),
            "CJK signs": "".join(chance.choice("春夏秋冬東西南北") for _ in range(size // 3)),
        }
        for name, text in cases.items():
            before = "".join(chance.choice("春夏秋冬東西南北") for _ in range(size // 3)) if "CJK" in name else body
            taken = median(lambda b=before, t=text: measure_change(b, t))
            show_bar(f"change percent, {size // 1000} KB, {name}", taken, bar=bar, unit="ms")


def median(run: Callable[[], object]) -> float:
    """Milliseconds of CPU of one run, median of seven."""
    times = []
    for _ in range(7):
        start = time.process_time()
        run()
        times.append(1000 * (time.process_time() - start))
    return sorted(times)[3]


def main(counts: list[int]) -> None:
    heads = f"{'find, ms':>10}{'bar':>8}{'group, ms':>10}{'peak MB':>8}{'findings':>10}{'patterns':>10}"
    print(f"{'count':>8} {'shape':28}{heads}")
    for count in counts:
        for shape in SHAPES:
            subprocess.run([sys.executable, __file__, "--shape", shape, str(count)], check=True)
    measure_diffs()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--shape"]:
        measure_shape(sys.argv[2], int(sys.argv[3]))
    else:
        main([int(count) for count in sys.argv[1:]] or [5_000, 100_000])
