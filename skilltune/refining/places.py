"""Where a skill's file, its audit log and its snapshots are; and entries of that log as they are written."""

import getpass
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from skilltune.evolution.skilldoc import SkillDoc
from skilltune.refining.carrying import summarize_records
from skilltune.refining.notes import keep_note
from skilltune.stores.audit import AuditLog, audit_folder
from skilltune.stores.jsonl import clean_text
from skilltune.stores.skill_files import SkillFile, locate_skill
from skilltune.stores.snapshots import Snapshots, content_digest

__all__ = ["SkillPlace", "find_log", "find_place", "make_entry", "user_name"]

_KEY_CHARS: Final = 16
"""Hex digits of a digest that tell the skills of one folder apart."""


@dataclass(frozen=True)
class SkillPlace:
    """One skill's file and what is kept on it."""

    file: SkillFile
    folder: Path
    """Where its audit log lies."""

    @property
    def skill_id(self) -> str:
        """The skill."""
        return self.file.skill_id

    @property
    def target(self) -> Path:
        """The file itself, links followed."""
        return self.file.target

    @property
    def key(self) -> str:
        """The file's path from the audit log's folder: what its entries are found by, wherever that folder is moved."""
        return clean_text(self.target.relative_to(self.folder).as_posix())

    @property
    def log(self) -> AuditLog:
        """The audit log, with a head that knows what the bounds of its skills rest on."""
        return find_log(self.folder)

    @property
    def snapshots(self) -> Snapshots:
        """The snapshots beside it."""
        return Snapshots(self.folder)

    @property
    def pending(self) -> Path:
        """What a writer of this skill says that it is about to do; each skill has a note of its own."""
        return self.snapshots.folder / f"pending-{content_digest(self.key.encode())[:_KEY_CHARS]}.json"

    def kept_body(self, digest: str) -> str | None:
        """The body of a snapshot; None where it is missing or damaged."""
        content = self.snapshots.find(digest)
        return None if content is None else SkillDoc.of(content).body

    def entry(self, kind: str, *, at: datetime, by: str, note: str = "", **values: Any) -> dict[str, Any]:
        """An entry of that type for the log, on this skill."""
        named = {"filePath": str(self.target), "skillName": self.skill_id, "file": self.key}
        return make_entry(kind, at=at, by=by, note=note, **named, **values)


def make_entry(kind: str, *, at: datetime, by: str, note: str, **values: Any) -> dict[str, Any]:
    """An entry of that type; in its note and in who acted secrets are masked, what a terminal obeys is left out."""
    moment = at.astimezone(UTC)
    kept = keep_note(note)
    return {
        "type": kind,
        "timestamp": f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z",
        "id": str(uuid.uuid4()),
        "by": keep_note(by).text,
        "note": kept.text,
        "tool": f"skilltune {_package_version()}",
        **({"noteMasked": True} if kept.masked else {}),
        **values,
    }


def find_log(folder: Path) -> AuditLog:
    """The audit log in `folder`, with a head that knows what the bounds of its skills rest on."""
    return AuditLog(folder, summary=partial(summarize_records, folder=folder))


def find_place(skill_id: str, *, base_directory: str | Path | None = None) -> SkillPlace:
    """The place of a skill; see ``locate_skill`` for the errors."""
    file = locate_skill(skill_id, base_directory=base_directory)
    return SkillPlace(file, audit_folder(file.path))


@cache
def _package_version() -> str:
    """The version that acts; ``unknown`` where it is not installed as a package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("skilltune")
    except PackageNotFoundError:
        return "unknown"


def user_name() -> str:
    """The name of the person at the machine; ``unknown`` where the system knows none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
