"""Skills as they are on disk, only looked at: their files, their records in the audit logs, their texts' digests.

A report writes nothing beside a skill: it takes no baseline and completes no killed run, as refinement itself does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any, Final

import pandas as pd

from skilltune.errors import DamagedError, InputError, SkillFileError, SkillNotFoundError, SkilltuneError
from skilltune.evolution.settings import RefinementSettings
from skilltune.mining.digests import skill_digest
from skilltune.page.refinement_summary import SkillProblem
from skilltune.refining.places import SkillPlace
from skilltune.refining.records import SkillRecord, Version
from skilltune.refining.state import SkillState
from skilltune.stores.audit import AuditLog, audit_folder
from skilltune.stores.homes import find_claude_home, find_home
from skilltune.stores.paths import is_folder
from skilltune.stores.skill_files import SkillFile, all_skill_files, locate_skill
from skilltune.stores.skill_writing import read_skill_bytes
from skilltune.stores.skills import find_project
from skilltune.stores.snapshots import Snapshots
from skilltune.stores.workspace import FOLDER, Workspace

__all__ = ["AuditedSkill", "SkillFiles", "audited_skills", "known_texts", "look_at_skill", "problem_of"]

_PROJECTS: Final = 200
"""Projects whose skills are looked for: those used last."""


@dataclass(frozen=True)
class AuditedSkill:
    """One skill's file as its audit log knows it, there or not."""

    skill_id: str
    record: SkillRecord
    folder: Path
    """Where the audit log lies."""

    def digest_of(self, version: Version) -> str:
        """The digest of a version's instructions, by which uses know it; '' where its bytes are not there."""
        content = Snapshots(self.folder).find(version.digest)
        return "" if content is None else skill_digest(content.decode("utf-8", "replace"))


class SkillFiles:
    """The files of skills: the user's, the workspace's project's, and those that uses were seen of.

    Parameters
    ----------
    workspace
        Whose project comes first.
    projects
        Paths of projects, the most recently used first.
    used
        Skill → folders of skills that it was used from, which its name alone does not lead to, as another agent's.
    home
        Claude Code's folder; default ``~/.claude``, or where ``CLAUDE_CONFIG_DIR`` says.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        projects: Sequence[str] = (),
        used: Mapping[str, Sequence[str]] | None = None,
        home: Path | None = None,
    ) -> None:
        self.home = home or _home()
        beside = workspace.named.parent if workspace.named is not None and workspace.named.name == FOLDER else None
        folders = [beside, *(Path(name) for name in projects[:_PROJECTS])]
        known: dict[Path, Path] = {}
        for folder in folders:
            if folder is not None and folder.is_absolute() and is_folder(folder) and (found := find_project(folder)):
                known.setdefault(found, folder)
        self.projects = tuple(known)
        self._files: dict[str, list[SkillFile]] = {}
        for cwd in [*known.values(), *([] if known else [Path("/").resolve()])] if self.home else ():
            for file in all_skill_files(cwd, home=self.home):
                self._files.setdefault(file.skill_id, [file])
        self._used = {skill_id: tuple(folders) for skill_id, folders in (used or {}).items()}
        for skill_id in self._used:
            self._add_used(skill_id)

    def __iter__(self) -> Iterator[SkillFile]:
        return (file for files in self._files.values() for file in files)

    def find(self, skill_id: str) -> SkillFile | None:
        """The file that counts for the name, else that last used; None where it is not on this machine."""
        return next(iter(self.all_of(skill_id)), None)

    def all_of(self, skill_id: str) -> list[SkillFile]:
        """The file that counts for the name, then those in other folders that it was used from, the latest first."""
        return self._files.get(skill_id, [])

    def folder_of(self, file: SkillFile) -> str:
        """The folder to name for a file, as it is typed, with ``~``; '' where its name alone leads to it."""
        named, home = str(file.target.parent), f"{find_home()}/"
        if named not in self._used.get(file.skill_id, ()):
            return ""
        return f"~/{quote(named.removeprefix(home))}" if named.startswith(home) else quote(named)

    def _add_used(self, skill_id: str) -> None:
        files = self._files.setdefault(skill_id, [])
        for folder in self._used[skill_id]:
            with suppress(InputError):
                file = locate_skill(skill_id, base_directory=folder, home=self.home)
                if file.target not in {known.target for known in files}:
                    files.append(file)

    def audit_folders(self) -> list[Path]:
        """Every folder that may hold the audit log of a skill."""
        own = [self.home.resolve()] if self.home is not None else []
        return list(dict.fromkeys([*own, *(audit_folder(file.path) for file in self), *self.projects]))


def look_at_skill(file: SkillFile, *, workspace: Workspace, settings: RefinementSettings) -> SkillState:
    """The state of a skill as it is; where skilltune never saw it, without a baseline.

    Raises
    ------
    SkillFileError
        Its file cannot be read.
    DamagedError
        Its audit log is not as it was written.
    """
    place = SkillPlace(file, audit_folder(file.path))
    content = read_skill_bytes(place.target)
    record = SkillRecord.of(place.log.read(), file=place.key)
    if record.limit_percent is not None:
        settings = replace(settings, drift_limit=record.limit_percent)
    return SkillState(place, workspace, content, record, settings)


def audited_skills(folders: Iterable[Path], *, problems: list[SkillProblem]) -> list[AuditedSkill]:
    """The skills of all audit logs in `folders`; a log that cannot be read is added to `problems`."""
    found = []
    for folder in folders:
        log = AuditLog(folder)
        try:
            rows = log.read()
        except (SkilltuneError, OSError) as error:
            problems.append(problem_of("an audit log", error))
            continue
        files = dict.fromkeys(row["file"] for row in rows if isinstance(row.get("file"), str))
        records = ((file, SkillRecord.of(rows, file=file)) for file in files)
        found += [AuditedSkill(_name(record, file), record, folder) for file, record in records if record.entries]
    return found


def known_texts(skills: Iterable[AuditedSkill]) -> pd.DataFrame:
    """``skill_id``, ``skill_digest``, ``version``, ``kind``, ``at`` of every text in the audit logs, oldest first."""
    rows = [
        (skill.skill_id, skill.digest_of(version), version.number, version.type, version.at)
        for skill in skills
        for version in skill.record.versions
    ]
    table = pd.DataFrame(rows, columns=["skill_id", "skill_digest", "version", "kind", "at"])
    types = {"skill_id": "str", "skill_digest": "str", "version": "int64", "kind": "str"}
    return table.assign(at=pd.to_datetime(table["at"], utc=True)).astype(types).sort_values("at", kind="stable")


def problem_of(what: str, error: BaseException) -> SkillProblem:
    """What could not be looked at and why, in words that name no path."""
    match error:
        case DamagedError():
            why = "not as it was written; see `skilltune audit verify`"
        case SkillNotFoundError():
            why = "not found"
        case SkillFileError() | OSError():
            why = "cannot be read"
        case _:
            why = "cannot be compared; see `skilltune refine --check`"
    return SkillProblem(what=what, why=why)


def _home() -> Path | None:
    """Claude Code's folder; None where none is known or what names it is no path."""
    try:
        return find_claude_home()
    except InputError:
        return None


def _name(record: SkillRecord, file: str) -> str:
    last: Mapping[str, Any] = record.entries[-1]
    name = last.get("skillName")
    return name if isinstance(name, str) and name else Path(file).parent.name
