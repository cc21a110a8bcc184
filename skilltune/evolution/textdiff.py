"""How much two texts differ, word by word: two texts in, an exact measure and a verdict out.

The number is that of ``rapidfuzz.distance.Indel.opcodes(original, suggested)`` on tokens. Shortest scripts are not
unique, so the library and the order of the arguments are part of the definition.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from skilltune.errors import InputError
from skilltune.evolution.refusals import TextsTooDifferentError, TextTooLongError
from skilltune.evolution.tokens import SPACE, tokenize
from skilltune.limits import DIFF_MAX_CELLS, DIFF_MAX_CHARS, MAX_CHANGE_PERCENT

__all__ = [
    "Change",
    "Measure",
    "Segment",
    "changed_within",
    "code_tokens",
    "common_ends",
    "measure_change",
    "round_half_up",
    "segments",
    "validate_change",
]

_SURROGATES: Final = range(0xD800, 0xE000)


class Segment(NamedTuple):
    """A stretch of both texts: the tokens before and after; `same` up to the kind of white space."""

    same: bool
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """Characters (code points) added and removed, and how long both texts are."""

    added: int
    removed: int
    original_chars: int
    suggested_chars: int

    @property
    def changed(self) -> int:
        """Characters added and removed."""
        return self.added + self.removed

    @property
    def percent(self) -> Fraction:
        """The exact change in percent of the original; 100 from an empty text, 0 without any change."""
        if self.original_chars == 0:
            return Fraction(100 if self.changed else 0)
        return Fraction(100 * self.changed, self.original_chars)

    @property
    def rounded_percent(self) -> int:
        """The change in percent, rounded half up to an integer."""
        return round_half_up(self.percent)

    @property
    def edit_ratio(self) -> Fraction:
        """The changed share of both texts together, 0 to 1."""
        return Fraction(self.changed, max(1, self.original_chars + self.suggested_chars))

    @property
    def retained(self) -> Fraction:
        """The share of the original that is still there, 0 to 1; 1 for an empty original."""
        return 1 - Fraction(self.removed, max(1, self.original_chars))


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The verdict on a change of a text."""

    valid: bool
    change_percent: int
    """Rounded half up; can exceed 100."""
    added: int
    removed: int
    limit_percent: float
    reason: str
    """'' where the change is valid."""


def validate_change(original: str, suggested: str, *, max_change_percent: float = MAX_CHANGE_PERCENT) -> Change:
    """Whether `suggested` stays within the change bound of `original`.

    Parameters
    ----------
    original, suggested : str
        The text before and after, at most 200,000 characters each.
    max_change_percent : float, default 20
        The bound, in percent of the original's length.

    Returns
    -------
    Change
        ``valid`` where the percent, rounded half up to an integer, is within the bound: 20.49 passes, 20.5 is 21.

    Raises
    ------
    TextTooLongError
        When a text is longer than 200,000 characters.

    Notes
    -----
    Characters added and removed ÷ length of the original, by the word diff of this module. A change of white space
    only is 0 %, any change of an empty text 100 %.

    Examples
    --------
    >>> validate_change("brew green tea", "brew black tea").change_percent
    71
    >>> validate_change("Use tabs in all the source files of this project.", "Use tab in all the source files of it.")
    ... # doctest: +ELLIPSIS
    Change(valid=False, change_percent=..., reason='the change is ... %, limit 20 %: change less at once')
    """
    if not max_change_percent >= 0:
        raise InputError(f"max_change_percent is {max_change_percent}; a bound is 0 or more")
    measure = measure_change(original, suggested)
    percent = measure.rounded_percent
    valid = percent <= max_change_percent
    return Change(
        valid=valid,
        change_percent=percent,
        added=measure.added,
        removed=measure.removed,
        limit_percent=max_change_percent,
        reason="" if valid else f"the change is {percent} %, limit {max_change_percent:g} %: change less at once",
    )


def measure_change(
    original: str, suggested: str, *, names: tuple[str, str] = ("the original", "the suggested text")
) -> Measure:
    """What a word diff of two texts adds and removes.

    Parameters
    ----------
    original, suggested
        The text before and after.
    names
        What to call them in an error.

    Raises
    ------
    TextTooLongError
        When a text is longer than 200,000 characters.
    TextsTooDifferentError
        When comparing them would take more than half a gigabyte: two long texts in a script without spaces.
    """
    added = removed = 0
    wordy = False
    for segment in segments(original, suggested, names=names):
        if segment.same:
            continue
        removed += sum(map(len, segment.before))
        added += sum(map(len, segment.after))
        wordy = wordy or any(not token.isspace() for token in segment.before + segment.after)
    if not wordy and original:
        added = removed = 0
    return Measure(added, removed, len(original), len(suggested))


def changed_within(original_chars: int, *, percent: float) -> int:
    """The most characters that a change of so long a text may add and remove for its rounded percent to be within it.

    Examples
    --------
    >>> changed_within(1000, percent=20)
    204
    """
    whole = int(percent // 1)
    if original_chars == 0:
        return 0
    return -(-(2 * whole + 1) * original_chars // 200) - 1


def segments(
    original: str, suggested: str, *, names: tuple[str, str] = ("the original", "the suggested text")
) -> Iterator[Segment]:
    """The exact script: stretches of tokens that are the same or differ, in order."""
    from rapidfuzz.distance import Indel

    for text, name in zip((original, suggested), names, strict=True):
        if len(text) > DIFF_MAX_CHARS:
            raise TextTooLongError(name, len(text))
    before, after = tokenize(original), tokenize(suggested)
    first, second = code_tokens(before, after)
    kept = sum(common_ends(first, second))
    if (len(first) - kept) * (len(second) - kept) > DIFF_MAX_CELLS:
        raise TextsTooDifferentError(names, (len(before), len(after)))
    if set(first).isdisjoint(second):  # the library takes its longest for what has nothing in common
        yield from _wholly_different(before, after)
        return
    for code in Indel.opcodes(first, second):
        yield Segment(
            code.tag == "equal",
            tuple(before[code.src_start : code.src_end]),
            tuple(after[code.dest_start : code.dest_end]),
        )


def _wholly_different(before: list[str], after: list[str]) -> Iterator[Segment]:
    """The library's script where no token is in both: all is added, then all removed."""
    if after:
        yield Segment(same=False, before=(), after=tuple(after))
    if before:
        yield Segment(same=False, before=tuple(before), after=())


def code_tokens(before: list[str], after: list[str], *, spaces_alike: bool = True) -> tuple[str, str]:
    """Both lists as strings with one sign per token, equal for equal tokens; no sign is a surrogate."""
    codes: dict[str, str] = {}
    if spaces_alike:
        before, after = ([SPACE if token.isspace() else token for token in side] for side in (before, after))
    return "".join(_code(token, codes) for token in before), "".join(_code(token, codes) for token in after)


def common_ends(first: str, second: str) -> tuple[int, int]:
    """How many signs both begin with, and end with; the diff leaves them out."""
    shorter = min(len(first), len(second))
    start = next((at for at in range(shorter) if first[at] != second[at]), shorter)
    rest = shorter - start
    return start, next((at for at in range(rest) if first[-1 - at] != second[-1 - at]), rest)


def round_half_up(value: Fraction) -> int:
    """`value` rounded to an integer, halves upwards."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def _code(token: str, codes: dict[str, str]) -> str:
    code = codes.get(token)
    if code is None:
        number = len(codes) + 1
        code = codes[token] = chr(number if number < _SURROGATES.start else number + len(_SURROGATES))
    return code
