"""A text as a search for secrets sees it: letters of one width, nothing invisible between them."""

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Final

__all__ = ["PlainText", "plain_text"]

_SENTENCE_MARKS: Final = frozenset("，；！？（）【】")
"""Left as they are: they end a value where no blank does, which ``,`` and ``;`` may be part of."""
_INVISIBLE: Final = frozenset(
    [0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
)
"""What nobody sees, besides the format characters (Cf)."""


@dataclass(frozen=True, slots=True)
class PlainText:
    """A text made plain, and for each of its characters the place in the text that it stands for."""

    text: str
    places: tuple[int, ...] | range

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` come from; not empty, invisible ones between them included."""
        return self.places[start], self.places[end - 1] + 1


def plain_text(text: str) -> PlainText:
    """`text` in NFKC, character by character, without format characters.

    Examples
    --------
    >>> plain_text("ｐａｓｓ\u200bword").text
    'password'
    """
    if text.isascii():
        return PlainText(text, range(len(text)))
    parts = [_plain(char) for char in text]
    places = [place for place, part in enumerate(parts) for _ in part]
    return PlainText("".join(parts), tuple(places))


@cache
def _plain(char: str) -> str:
    if char.isascii() or char in _SENTENCE_MARKS:
        return char
    if unicodedata.category(char) == "Cf" or ord(char) in _INVISIBLE:
        return ""
    return unicodedata.normalize("NFKC", char)
