"""Where changes stand in a body: literal, whole words only, all at once; never inside what a change already made."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal, NamedTuple

from skilltune.evolution.learned import find_learned_lines, learned_line
from skilltune.evolution.lists import without_marker
from skilltune.evolution.tokens import splits_token

__all__ = ["Located", "Span", "locate_changes", "replace_spans"]

Status = Literal["hits", "already_applied", "not_in_body", "no_op", "overlaps"]
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


class Span(NamedTuple):
    """A stretch of the body and the text that replaces it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Located:
    """Where one change is made."""

    status: Status
    spans: tuple[Span, ...] = ()
    """In order; only with the status ``hits``."""

    @property
    def told(self) -> str:
        """The status as it is shown, such as ``2 hits``."""
        count = len(self.spans)
        return f"{count} hit{'' if count == 1 else 's'}" if self.status == "hits" else self.status


def locate_changes(body: str, *, changes: Sequence[tuple[str, str]]) -> list[Located]:
    """Where each change is made on `body`, one for each of `changes`.

    Parameters
    ----------
    body
        The current body.
    changes
        Pairs of the original and the suggested text, the most important first.

    Returns
    -------
    list of Located
        All whole-word occurrences, line ends matched either way. Where changes overlap, the longer wins, then the
        earlier place, then the earlier change. An occurrence inside the suggested text is none (the change was made
        already), nor is one in a line of learned corrections.

    Examples
    --------
    >>> [found.told for found in locate_changes("Boil the kettle. Boil the milk.", changes=[("Boil", "Heat")])]
    ['2 hits']
    """
    learned, plain = find_learned_lines(body), _Plain(body)
    found = [_occurrences(plain, original, suggested, learned=learned) for original, suggested in changes]
    ranked = sorted(
        ((start, end, number) for number, (_, places) in enumerate(found) for start, end in places),
        key=lambda place: (place[0] - place[1], place[0], place[2]),
    )
    usual = _LINE_END.search(body)
    used = bytearray(len(body))
    kept: list[list[Span]] = [[] for _ in changes]
    for start, end, number in ranked:
        if used.find(1, start, end) < 0:
            used[start:end] = b"\1" * (end - start)
            ends = _LINE_END.search(body, start, end) or usual
            text = (ends[0] if ends else "\n").join(_lines(changes[number][1]))
            kept[number].append(Span(start, end, text))
    return [_located(status, places=places, spans=spans) for (status, places), spans in zip(found, kept, strict=True)]


def replace_spans(body: str, *, spans: Sequence[Span]) -> str:
    """`body` with every span replaced; spans do not overlap."""
    parts, at = [], 0
    for span in sorted(spans):
        parts += [body[at : span.start], span.text]
        at = span.end
    return "".join([*parts, body[at:]])


def _located(status: Status, *, places: list[tuple[int, int]], spans: list[Span]) -> Located:
    if spans:
        return Located("hits", tuple(sorted(spans)))
    return Located("overlaps" if places else status)


def _occurrences(
    plain: "_Plain", original: str, suggested: str, *, learned: list[tuple[int, int]]
) -> tuple[Status, list[tuple[int, int]]]:
    """The places of the original, and the status where there are none."""
    if _lines(original) == _lines(suggested) or not original:
        return "no_op", []
    noted, made = _Cover(learned), _Cover(plain.find(suggested))
    places = [place for place in plain.find(original) if not noted.holds(place)]
    still = [place for place in places if not made.holds(place)]
    if still:
        return "hits", still
    own_line = without_marker(learned_line(original, suggested))
    told = any(without_marker(plain.body[start:end]).strip() == own_line for start, end in learned)
    return ("already_applied" if places or told else "not_in_body"), []


class _Plain:
    """A body in which texts are looked for, its line ends all alike."""

    def __init__(self, body: str) -> None:
        self.body = body
        self._text = "\n".join(_lines(body)) if "\r" in body else body
        pairs = (match.start() for match in re.finditer("\r\n", body))
        self._pairs = [at - number for number, at in enumerate(pairs)]
        """Where in the text a line end stands for two signs of the body."""

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Whole-word occurrences of `text` in the body, overlapping ones too."""
        if not text:
            return
        plain = "\n".join(_lines(text))
        for at in _find_all(self._text, plain):
            start, end = self._place(at), self._place(at + len(plain))
            if not splits_token(self.body, start) and not splits_token(self.body, end):
                yield start, end

    def _place(self, at: int) -> int:
        return at + bisect_left(self._pairs, at)


def _find_all(body: str, text: str) -> Iterator[int]:
    """Every start of `text` in `body`, in time that grows with the length of both.

    Two starts closer than half the text are its period apart, and so may be the next one: then only as much as a period
    is compared. Others are so far apart that each can be searched for anew.
    """
    size = len(text)
    at, last = body.find(text), -size
    while at >= 0:
        yield at
        period, last = at - last, at
        if 2 * period <= size:
            while body.startswith(text[size - period :], last + size):
                last += period
                yield last
        at = body.find(text, last + 1)


class _Cover:
    """Spans that are asked whether one of them holds a place whole."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self.starts = [start for start, _ in ordered]
        self.reach = list(accumulate((end for _, end in ordered), max))
        """How far the spans up to each one reach."""

    def holds(self, place: tuple[int, int]) -> bool:
        """Whether a span does; spans that begin before `place` and reach past it do."""
        before = bisect_right(self.starts, place[0])
        return before > 0 and self.reach[before - 1] >= place[1]


def _lines(text: str) -> list[str]:
    return _LINE_END.split(text)
