"""Which of many texts stand inside another one: an index of one short piece per text, looked up at every place."""

from collections.abc import Iterable, Iterator
from typing import Final

from skilltune.limits import PARTIAL_MIN_CHARS

__all__ = ["Contained"]

_TRIED: Final = 6
"""Pieces of a text among which the rarest becomes its key."""
_BUCKETS: Final = 1 << 18


class Contained:
    """An index of texts of at least 10 characters; `find` gives those inside another text.

    Each text is filed under one piece of 10 characters, with where the piece stands in it and how long it is, so that
    a look-up compares each candidate form once, however many texts share the piece.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self.numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        counts = [0] * _BUCKETS
        for text in self.numbers:
            for at in _tried(text):
                counts[_bucket(text, at)] += 1
        self._forms: dict[str, set[tuple[int, int]]] = {}
        for text in self.numbers:
            at = _rarest(text, counts)
            self._forms.setdefault(text[at : at + PARTIAL_MIN_CHARS], set()).add((at, len(text)))

    def find(self, text: str) -> set[int]:
        """The numbers (``numbers``) of the indexed texts inside `text`, itself among them."""
        return set(self._find(text))

    def _find(self, text: str) -> Iterator[int]:
        forms, numbers = self._forms, self.numbers
        for at in range(len(text) - PARTIAL_MIN_CHARS + 1):
            for before, length in forms.get(text[at : at + PARTIAL_MIN_CHARS], ()):
                if before <= at:
                    number = numbers.get(text[at - before : at - before + length])
                    if number is not None:
                        yield number


def _rarest(text: str, counts: list[int]) -> int:
    """Where the rarest of the pieces tried begins; which one it is changes the speed, never what is found."""
    return min(_tried(text), key=lambda at: counts[_bucket(text, at)])


def _bucket(text: str, at: int) -> int:
    return hash(text[at : at + PARTIAL_MIN_CHARS]) % _BUCKETS


def _tried(text: str) -> range:
    """Starts of evenly spread pieces of `text`."""
    last = len(text) - PARTIAL_MIN_CHARS
    return range(0, last + 1, max(1, last // (_TRIED - 1)))
