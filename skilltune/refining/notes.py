"""A person's note as the audit log keeps it, for everybody to read: secrets masked, nothing in it that acts."""

import unicodedata
from dataclasses import dataclass
from typing import Final

from skilltune.stores.jsonl import clean_text
from skilltune.stores.secrets import mask_secrets

__all__ = ["NOTE_MASKED", "KeptNote", "clean_note", "keep_note"]

NOTE_MASKED: Final = "a secret in the note was masked before it was kept"
_ACTING: Final = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Kinds of character that end lines, move a cursor, turn the direction of what follows, or are not seen."""
_JOINERS: Final = frozenset("\u200c\u200d")
"""Not seen, but part of how some scripts and emoji are written."""


@dataclass(frozen=True, slots=True)
class KeptNote:
    """What is kept of a note."""

    text: str
    masked: bool
    """Something in it looked like a secret."""


def keep_note(note: str) -> KeptNote:
    """What is kept of `note`."""
    masked = mask_secrets(clean_text(note))
    return KeptNote(clean_note(masked), masked != clean_text(note))


def clean_note(note: str) -> str:
    r"""`note` on one line, without characters that a terminal or page would obey.

    Examples
    --------
    >>> clean_note("as agreed\n\u202eno")
    'as agreed no'
    """
    shown = "".join(" " if char in "\r\n\t" else "" if _acts(char) else char for char in note)
    return " ".join(shown.split())


def _acts(char: str) -> bool:
    return unicodedata.category(char) in _ACTING and char not in _JOINERS
