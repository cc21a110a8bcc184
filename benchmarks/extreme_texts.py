"""CPU seconds and peak memory of what a person can open, on extreme texts of up to the longest that is taken.

python benchmarks/extreme_texts.py

Ten times the text should take about ten times as long; a picture or a script of wholly different words may take more,
up to the guards in ``skilltune/limits.py``. Each text is measured in a process of its own, so that the memory is its
own. ``refused`` is the error that names the text and its limit.
"""

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from skilltune.errors import InputError
from skilltune.evolution.edits import Span, locate_changes
from skilltune.evolution.picture import draw_change
from skilltune.evolution.showing import preview_change, unified_diff
from skilltune.evolution.textdiff import measure_change
from skilltune.stores.ledger_rows import word_diff

SIZES = (10_000, 100_000, 199_000)
WORDS = [f"{first}{second}" for first in ("brew", "pour", "steep", "warm") for second in range(100)]
STEPS = ("locate", "locate half", "measure", "diff", "picture", "ledger row", "preview")
TEXTS = (
    "dashes",
    "one word",
    "one line, few edits",
    "lines, few edits",
    "different words",
    "distinct words",
    "shuffled",
    "empty lines",
    "signs",
    "CJK signs",
)


def make_pair(name: str, size: int) -> tuple[str, str]:
    """A text before and after."""
    chance = random.Random(3)

    def drawn(pieces: Sequence[str], blank: str = "") -> str:
        return blank.join(chance.choice(pieces) for _ in range(size))[:size]

    def counted(letter: str) -> str:
        return " ".join(f"{letter}{number}" for number in range(size // 3))[:size]

    body, half = drawn(WORDS, " "), size // 2
    few = body.replace("brew7 ", "gently ")
    pairs: dict[str, Callable[[], tuple[str, str]]] = {
        "dashes": lambda: ("-" * size, "-" * half + "x" + "-" * half),
        "one word": lambda: ("a" * size, "a" * (size - 1) + "b"),
        "one line, few edits": lambda: (body, few),
        "lines, few edits": lambda: (body.replace(" ", "\n"), few.replace(" ", "\n")),
        "different words": lambda: (body, drawn([word[::-1] for word in WORDS], " ")),
        "distinct words": lambda: (counted("a"), counted("b")),
        "shuffled": lambda: (body, " ".join(chance.sample(body.split(), len(body.split())))),
        "empty lines": lambda: ("\n" * size, "\n" * (size - 5) + "x\n"),
        "signs": lambda: (drawn("!?.,;:"), drawn("!?.,;:")),
        "CJK signs": lambda: (drawn("春夏秋冬東西南北"), drawn("春夏秋冬東西南北")),
    }
    return pairs[name]()


def run_steps(before: str, after: str) -> Iterator[str]:
    """The seconds of each step."""
    middle = len(before) // 2
    works: dict[str, Callable[[], object]] = {
        "locate": lambda: locate_changes(before, changes=[(before[:1], "="), ("\n\n", "\n"), ("brew7", "gently")]),
        "locate half": lambda: locate_changes(before, changes=[(before[:middle], after[:middle])]),
        "measure": lambda: measure_change(before, after),
        "diff": lambda: unified_diff(before, after, name="SKILL.md"),
        "picture": lambda: draw_change(before, after),
        "ledger row": lambda: word_diff(before, after),
        "preview": lambda: preview_change(before, spans=[Span(middle, middle + 1, "x")], lines=["- Wait."]),
    }
    for name in STEPS:
        started = time.process_time()
        try:
            works[name]()
        except InputError:
            yield "refused"
        else:
            yield f"{time.process_time() - started:.2f}"


def measure_text(name: str, size: int) -> None:
    """One line on one text."""
    seconds = list(run_steps(*make_pair(name, size)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{size:>8,} {name:20}", *(f"{each:>12}" for each in seconds), f"{peak:8.0f}", flush=True)


def main() -> None:
    print(f"{'size':>8} {'text':20}", *(f"{step:>12}" for step in STEPS), f"{'peak MB':>8}")
    for name in TEXTS:
        for size in SIZES:
            subprocess.run([sys.executable, __file__, "--text", name, str(size)], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--text"]:
        measure_text(sys.argv[2], int(sys.argv[3]))
    else:
        main()
