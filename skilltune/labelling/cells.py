"""Texts of sessions in the cells of a spreadsheet: nothing in them is computed, obeyed or hidden."""

import re
import unicodedata
from typing import Final

from skilltune.stores.jsonl import clean_text
from skilltune.stores.secrets import mask_secrets

__all__ = ["guarded", "shown", "unguarded"]

CELL_CHARS: Final = 30_000
"""Longest text of a cell; spreadsheets cut at 32,767."""
_FORMULA: Final = re.compile(r"'*(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])")
"""What a spreadsheet may take for the beginning of a formula, or has been given an apostrophe for that reason."""
_KEPT: Final = frozenset("\n\t\u200d")


def shown(text: str) -> str:
    r"""A session's text for a cell: secrets masked, control and bidirectional characters as ``\u202e``, cut.

    Examples
    --------
    >>> shown("password: hunter2!")
    'password: [secret]'
    """
    plain = mask_secrets(clean_text(text)).replace("\r\n", "\n").replace("\r", "\n")
    visible = "".join(_visible(character) for character in plain)
    return visible if len(visible) <= CELL_CHARS else visible[:CELL_CHARS] + " …"


def guarded(text: str) -> str:
    """`text` with an apostrophe before what a spreadsheet would compute.

    Examples
    --------
    >>> guarded("=1+1"), guarded("no, 1+1")
    ("'=1+1", 'no, 1+1')
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """What ``guarded`` was given.

    Examples
    --------
    >>> unguarded("'=1+1"), unguarded("'tis fine")
    ('=1+1', "'tis fine")
    """
    return text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text


def _visible(character: str) -> str:
    if character in _KEPT or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return character
    return f"\\u{ord(character):04x}"
