"""Which skills the program listed as available: that says nothing of their use."""

import re
from typing import Any, Final

import msgspec

from skilltune.sources.claude_code.records import Attachment, decode_raw
from skilltune.sources.claude_code.session import Session

__all__ = ["SKILL_LISTS", "note_listed"]

SKILL_LISTS: Final = frozenset({"skill_listing", "dynamic_skill"})
"""Attachments that name skills which may be called."""
_LINE: Final = re.compile(r"^- ([\w.:-]+?)(?::\s|\s*$)", re.MULTILINE)
_MOST: Final = 10**6


def note_listed(session: Session, attached: Attachment) -> None:
    """Take a list of available skills: its names, else those its text begins lines with, and the number it gives."""
    names = {*_names(attached.names), *_names(attached.skill_names)}
    text = None if names else decode_raw(attached.content, msgspec.json.decode)
    if isinstance(text, str):
        names = set(_LINE.findall(text))
    session.listed = (session.listed or set()) | names
    count = decode_raw(attached.skill_count, msgspec.json.decode)
    if type(count) is int and 0 <= count <= _MOST:
        session.listed_count = max(session.listed_count, count)


def _names(raw: msgspec.Raw) -> list[str]:
    value: Any = decode_raw(raw, msgspec.json.decode)
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []
