"""Which version of a skill's text a use had, told from the git history of the skill's file."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from skilltune.records import INSTALLED_OF, FeedbackEvent, Invocation
from skilltune.stores.history import SkillText, digest_at, read_history

__all__ = ["Versions"]

_Record = TypeVar("_Record", FeedbackEvent, Invocation)


class Versions:
    """The texts that installed skills had; each history is read when it is first asked for.

    Parameters
    ----------
    files
        Skill id → its file.
    """

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = files
        self._history = cache(read_history)

    def of_record(self, record: _Record) -> _Record:
        """`record` with the digest of the text at its time, where it has none and the file is that of its skill."""
        file = self._files.get(record.skill_id)
        if file is None or record.skill_digest or record.timestamp is None or not _is_of(record, file):
            return record
        history: list[SkillText] = self._history(file)
        return replace(record, skill_digest=digest_at(history, record.timestamp))


def _is_of(record: FeedbackEvent | Invocation, file: Path) -> bool:
    """Whether a use was of the skill in `file`: by the folder its transcript names, else by the file's agent."""
    if not record.base_directory:
        return record.agent in (INSTALLED_OF, "")
    named = Path(record.base_directory)
    return named == file.parent or named.resolve() == file.parent.resolve()
