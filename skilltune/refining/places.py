"""Where a skill's file, its audit log and its snapshots are; and entries of that log as they are written."""

import getpass
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from skilltune.stores.audit import AuditLog, audit_folder
from skilltune.stores.jsonl import clean_text
from skilltune.stores.skill_files import SkillFile, locate_skill
from skilltune.stores.snapshots import Snapshots

__all__ = ["SkillPlace", "find_place", "user_name"]


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
        """The audit log."""
        return AuditLog(self.folder)

    @property
    def snapshots(self) -> Snapshots:
        """The snapshots beside it."""
        return Snapshots(self.folder)

    @property
    def pending(self) -> Path:
        """What a writer says that it is about to do."""
        return self.snapshots.folder / "pending.json"

    def entry(self, kind: str, *, at: datetime, by: str, note: str = "", **values: Any) -> dict[str, Any]:
        """An entry of that type for the log."""
        moment = at.astimezone(UTC)
        return {
            "type": kind,
            "timestamp": f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z",
            "filePath": str(self.target),
            "skillName": self.skill_id,
            "file": self.key,
            "id": str(uuid.uuid4()),
            "by": by,
            "note": note,
            "tool": f"skilltune {_package_version()}",
            **values,
        }


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
