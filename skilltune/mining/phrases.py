"""Phrase patterns of the lexicons: a small notation that always compiles to a linear-time expression.

Notation: letters stand for themselves (lower case), ``(a|b)`` is a choice, ``?`` makes the sign or group before it
optional, ``*`` lets the group before it stand up to 4 times or not at all, ``~3`` is a gap of at most 3 words (3 signs
in languages without spaces) that crosses no punctuation. Nothing repeats without bound, so no text can make a pattern
slow.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from skilltune.errors import InputError

__all__ = ["CJK", "Matching", "Phrase", "compile_phrase"]

Matching = Literal["words", "prefixes", "characters"]

CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Character ranges of the scripts that are written without spaces."""

_WORD_ENDS = {"latin": r"(?![a-z0-9_\xdf-\xff]|['-][a-z\xdf-\xff])", "other": r"(?!\w|['-]\w)"}
_IS_CJK = re.compile(f"[{CJK}]").match
_IN_WORD = re.compile(r"[\w']").match
_GAPS: dict[str, str] = {
    "words": r"(?:[^\s,.;:!?()]{1,40} ){0,%d}",
    "prefixes": r"(?:[^\s,.;:!?()]{1,40} ){0,%d}",
    "characters": r"[^\s,.;:!?()。、]{0,%d}",
}
_MAX_HEADS = 400
_TIMES = {"?": "?", "*": "{0,4}"}


class Phrase:
    """A pattern: ``match(text, at)`` tries it at a position, `heads` are the words (signs) it can begin with.

    The expression is compiled when it is first tried: of a language's many phrases a run needs few.
    """

    __slots__ = ("expression", "heads", "match", "source")

    def __init__(self, source: str, *, expression: str, heads: frozenset[str]) -> None:
        self.source, self.expression, self.heads = source, expression, heads
        self.match: Callable[[str, int], re.Match[str] | None] = self._compile_and_match

    def _compile_and_match(self, text: str, at: int) -> "re.Match[str] | None":
        self.match = re.compile(self.expression).match
        return self.match(text, at)


@dataclass(frozen=True, slots=True)
class _Gap:
    size: int


@dataclass(frozen=True, slots=True)
class _Choice:
    branches: tuple[tuple["_Part", ...], ...]
    times: str = ""

    @property
    def optional(self) -> bool:
        return bool(self.times)


_Part = str | _Gap | _Choice


def compile_phrase(source: str, *, matching: Matching, script: str = "latin") -> Phrase:
    """The compiled form of `source`; raises ``InputError`` that says what is wrong with it.

    Parameters
    ----------
    source
        A pattern in the notation of this module.
    matching
        ``words``: only whole words match. ``prefixes``: the last word may go on. ``characters``: no word ends.
    script
        The script of the words; Latin ones may stand right beside signs of a script without spaces.
    """
    if not source or source != source.strip() or source != source.lower():
        raise InputError(f"pattern {source!r} must be lower case, without outer blanks, and not empty")
    parts, at = _parse(source, 0)
    if at != len(source):
        raise InputError(f"pattern {source!r} has a ')' without '(' at {at}")
    heads = {head for head, _ in _heads(parts, matching)}
    if "" in heads or len(heads) > _MAX_HEADS:
        raise InputError(f"pattern {source!r} must begin with words, at most {_MAX_HEADS} different ones")
    end = _WORD_ENDS.get(script, _WORD_ENDS["other"]) if _ends_in_word(source, matching) else ""
    return Phrase(source, expression=_expression(parts, matching) + end, heads=frozenset(heads))


def _ends_in_word(source: str, matching: Matching) -> bool:
    return matching == "words" and bool(_IN_WORD(source.rstrip("?*)")[-1:]))


def _parse(source: str, at: int, *, depth: int = 0) -> tuple[tuple[_Part, ...], int]:
    """The parts from `at` up to the end, a ``|`` or the ``)`` of this level."""
    parts: list[_Part] = []
    while at < len(source) and source[at] not in "|)":
        part, at = _parse_part(source, at, depth)
        if at < len(source) and source[at] in _TIMES:
            part, at = _repeat(part, source[at], source), at + 1
        parts.append(part)
    if depth == 0 and at < len(source) and source[at] == "|":
        raise InputError(f"pattern {source!r} has a '|' outside of brackets")
    return tuple(parts), at


def _parse_part(source: str, at: int, depth: int) -> tuple[_Part, int]:
    sign = source[at]
    if sign == "~":
        if not source[at + 1 : at + 2].isdigit():
            raise InputError(f"pattern {source!r} needs a digit after '~'")
        after = at + 2
        return _Gap(int(source[at + 1])), after + (source[after : after + 1] == " ")
    if sign != "(":
        if sign in "?*[]{}\\^$":
            raise InputError(f"pattern {source!r} may not contain {sign!r} here")
        return sign, at + 1
    branches = []
    while True:
        branch, at = _parse(source, at + 1, depth=depth + 1)
        branches.append(branch)
        if at >= len(source):
            raise InputError(f"pattern {source!r} has a '(' without ')'")
        if source[at] == ")":
            return _Choice(tuple(branches)), at + 1


def _repeat(part: _Part, times: str, source: str) -> _Choice:
    if isinstance(part, _Gap) or (times == "*" and not _is_flat(part)):
        raise InputError(f"pattern {source!r} may have {times!r} only after a sign or a group without repetition")
    return _Choice(part.branches if isinstance(part, _Choice) else ((part,),), times=_TIMES[times])


def _is_flat(part: _Part) -> bool:
    """Whether `part` is a group in which nothing stands more than once."""
    return isinstance(part, _Choice) and all(
        isinstance(inner, str) or (isinstance(inner, _Choice) and inner.times in ("", "?") and _is_flat(inner))
        for branch in part.branches
        for inner in branch
    )


def _expression(parts: tuple[_Part, ...], matching: Matching) -> str:
    return "".join(_part_expression(part, matching) for part in parts)


def _part_expression(part: _Part, matching: Matching) -> str:
    if isinstance(part, str):
        return re.escape(part)
    if isinstance(part, _Gap):
        return _GAPS[matching] % part.size
    inner = "|".join(_expression(branch, matching) for branch in part.branches)
    return f"(?:{inner}){part.times}"


def _heads(parts: tuple[_Part, ...], matching: Matching) -> set[tuple[str, bool]]:
    """Every first word of `parts` with whether it is complete; one sign where words do not count."""
    found: set[tuple[str, bool]] = {("", False)}
    for part in parts:
        if all(done for _, done in found):
            break
        found = {new for head, done in found for new in ([(head, True)] if done else _grow(head, part, matching))}
    return found


def _grow(head: str, part: _Part, matching: Matching) -> set[tuple[str, bool]]:
    if isinstance(part, _Gap):
        return {(head, True)}
    if isinstance(part, str):
        return {_add(head, part, matching)}
    grown = set() if not part.optional else {(head, False)}
    for branch in part.branches:
        states: set[tuple[str, bool]] = {(head, False)}
        for inner in branch:
            states = {
                new for text, done in states for new in ([(text, True)] if done else _grow(text, inner, matching))
            }
        grown |= states
    return grown


def _add(head: str, sign: str, matching: Matching) -> tuple[str, bool]:
    one_sign = matching == "prefixes" or _IS_CJK(sign) or not _IN_WORD(sign)
    if head and (not _IN_WORD(sign) or _IS_CJK(sign)):
        return head, True
    return head + sign, bool(one_sign)
