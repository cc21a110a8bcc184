"""Seconds that every pattern of the lexicons, and a whole verdict, take on hostile text of growing length.

python benchmarks/hostile_text.py

Patterns are tried at every 50th place of the text. Twice the text should take about twice the time, in each line.
"""

import time
from collections.abc import Callable

from skilltune.limits import TURN_TEXT_CHARS
from skilltune.mining import classify_outcome
from skilltune.mining.lexicon import find_lexicons

HOSTILE = {
    "one word": "a",
    "no no no": "no ",
    "half a phrase": "not what i ",
    "repeated openers": "you just also still ",
    "brackets": "(",
    "signs": "不",
    "pairs of signs": "太太",
    "prefixes": "다시 ",
    "long openers": "please just now then ",
    "conditions": "if the a b ",
}
LENGTHS = (25_000, 50_000, 100_000)


def main() -> None:
    """Print a table."""
    phrases = [
        phrase
        for lexicon in find_lexicons().values()
        for rule in (*lexicon.rules, *lexicon.dimensions)
        for phrase in rule.phrases
    ]
    print(f"{len(phrases)} patterns; seconds by length {LENGTHS}, and a verdict on {TURN_TEXT_CHARS} characters")
    for name, piece in HOSTILE.items():
        texts = [piece * (length // len(piece)) for length in LENGTHS]
        times = [_seconds(lambda text=text: _try_all(phrases, text)) for text in texts]
        verdict = _seconds(lambda piece=piece: classify_outcome(piece * (TURN_TEXT_CHARS // len(piece))))
        print(f"{name:18s}", *(f"{seconds:7.2f}" for seconds in times), f"{verdict:9.3f}")


def _try_all(phrases: list, text: str) -> None:
    for phrase in phrases:
        for at in range(0, len(text), 50):
            phrase.match(text, at)


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main()
