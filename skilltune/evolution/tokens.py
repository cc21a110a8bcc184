"""The tokens of a word diff: one CJK character, a run of white space, a run of word characters, one other character."""

import re
from typing import Final

__all__ = ["SPACE", "splits_token", "tokenize"]

_CJK: Final = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han and kana
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af\uff66-\uffdc\U00020000-\U0003ffff"  # Hangul, half widths, rare Han
)
_TOKEN: Final = re.compile(rf"\s+|[{_CJK}]|[^\W{_CJK}]+|.", re.DOTALL)
_IN_WORD: Final = re.compile(rf"[^\W{_CJK}]")
# a mark, joiner or variation selector belongs to the sign before it
_JOINS: Final = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u200d\ufe00-\ufe0f\ufe20-\ufe2f]")

SPACE: Final = " "
"""What every run of white space counts as."""


def tokenize(text: str) -> list[str]:
    r"""The tokens of `text`; joined they are the text again.

    Examples
    --------
    >>> tokenize("set max_retries to 3;\n茶を")
    ['set', ' ', 'max_retries', ' ', 'to', ' ', '3', ';', '\n', '茶', 'を']
    """
    return _TOKEN.findall(text)


def splits_token(text: str, at: int) -> bool:
    """Whether a cut before the character at `at` would split a word, a composed sign or a line end of `text`."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before == "\r" and after == "\n":
        return True
    if _JOINS.match(after) or before == "\u200d":
        return True
    return bool(_IN_WORD.match(before) and _IN_WORD.match(after))
