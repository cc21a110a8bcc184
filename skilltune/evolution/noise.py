"""Which detected corrections say nothing that a rule could come of, and why."""

import re
from typing import Final, Literal, get_args

from skilltune.limits import CANDIDATE_REWRITE_LINES

__all__ = ["NOISE", "Noise", "why_noise"]

Noise = Literal["generated", "rewritten", "short"]
"""``generated``: only numbers, dates, hashes or the counter of a copy differ; ``rewritten``: many lines on both sides,
fewer than half of them the same; ``short``: neither text has three letters.
"""
NOISE: Final[tuple[Noise, ...]] = get_args(Noise)

_GENERATED: Final = re.compile(
    r"(?<![ \t])[ \t]*\(\d{1,3}\)"  # the counter of a copy
    r"|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
    r"|\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b"
    r"|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?",
    re.IGNORECASE,
)
_LONG_NUMBER: Final = re.compile(r"\d{5,}")
"""Ids, ports, line and byte counts; a shorter number can be the very thing that was corrected."""


def why_noise(original: str | None, corrected: str | None) -> Noise | None:
    """Why a detected correction is not shown; None where it is, also where its texts are not kept.

    Examples
    --------
    >>> why_noise("orders.channel", "orders.channel (2)")
    'generated'
    >>> why_noise("ON DELETE CASCADE", "ON DELETE RESTRICT")
    """
    if original is None or corrected is None:
        return None
    if _letters(original) < 3 and _letters(corrected) < 3:
        return "short"
    if " ".join(original.split()) != " ".join(corrected.split()) and _bare(original) == _bare(corrected):
        return "generated"
    return "rewritten" if _is_rewritten(original, corrected) else None


def _letters(text: str) -> int:
    """Letters of `text`, a sign of CJK for three."""
    return sum(3 if char >= "\u3000" else 1 for char in text if char.isalpha())


def _bare(text: str) -> str:
    """Without what is generated."""
    return " ".join(_LONG_NUMBER.sub("#", _GENERATED.sub("#", text)).replace("#", " ").split())


def _is_rewritten(original: str, corrected: str) -> bool:
    old, new = ([line.strip() for line in text.splitlines() if line.strip()] for text in (original, corrected))
    least = min(len(old), len(new))
    return least >= CANDIDATE_REWRITE_LINES and 2 * len(set(old) & set(new)) < least
