"""Which of many texts stand inside another one: an index of one short piece per text, looked up at every place."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from skilltune.limits import PARTIAL_MIN_CHARS

__all__ = ["Contained"]

_TRIED: Final = 6
"""Pieces of a text among which the rarest becomes its key."""
_BUCKETS: Final = 1 << 18
_LONG: Final = 30
"""Characters of the pieces of a text at least twice as long: few of such texts share one."""
_BLANK: Final = re.compile(" ")

_Pieces = tuple[int, bool]
"""How long pieces are, and whether they stand after a blank."""
_Forms = dict[str, set[tuple[int, int]]]
"""Piece → where it begins in texts, and how long they are."""


class Contained:
    """An index of texts of at least 10 characters; `find` gives those inside another text.

    Each text is filed under one piece of it, with where the piece stands in it and how long the text is, so that a
    look-up compares each candidate form once, however many texts share the piece. A piece stands after a blank where
    the text has one, so that only such places of another text are looked at for it.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self.numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        counts = [0] * _BUCKETS
        for text in self.numbers:
            for piece, _ in _tried(text, _pieces_of(text)):
                counts[hash(piece) % _BUCKETS] += 1
        self._filed: defaultdict[_Pieces, _Forms] = defaultdict(dict)
        for text in self.numbers:
            pieces = _pieces_of(text)
            # which one it is changes the speed, never what is found
            piece, at = min(_tried(text, pieces), key=lambda tried: counts[hash(tried[0]) % _BUCKETS])
            self._filed[pieces].setdefault(piece, set()).add((at, len(text)))

    def find(self, text: str) -> set[int]:
        """The numbers (``numbers``) of the indexed texts inside `text`, itself among them."""
        return {number for pieces, forms in self._filed.items() for number in self._find(text, pieces, forms)}

    def _find(self, text: str, pieces: _Pieces, forms: _Forms) -> Iterator[int]:
        numbers, size = self.numbers, pieces[0]
        for at in [at for at in _places(text, pieces) if text[at : at + size] in forms]:
            for before, length in forms[text[at : at + size]]:
                if before <= at:
                    number = numbers.get(text[at - before : at - before + length])
                    if number is not None:
                        yield number


def _pieces_of(text: str) -> _Pieces:
    size = _LONG if len(text) >= 2 * _LONG else PARTIAL_MIN_CHARS
    return size, text.find(" ", 0, len(text) - size) >= 0


def _tried(text: str, pieces: _Pieces) -> list[tuple[str, int]]:
    """Evenly spread pieces of `text`, and where each begins."""
    places = _places(text, pieces)
    return [(text[at : at + pieces[0]], at) for at in places[:: max(1, (len(places) - 1) // (_TRIED - 1))]]


def _places(text: str, pieces: _Pieces) -> Sequence[int]:
    """Where such pieces of `text` begin."""
    size, after_blank = pieces
    last = len(text) - size
    return [match.end() for match in _BLANK.finditer(text, 0, max(0, last))] if after_blank else range(last + 1)
