"""A damaged or missing audit log set aside, and a new one begun that keeps the bounds of all its skills."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from skilltune.errors import DamagedError, InputError
from skilltune.refining.carrying import summarize_records
from skilltune.refining.clock import act_time
from skilltune.refining.places import find_log, make_entry, user_name
from skilltune.refining.presence import check_presence, find_how
from skilltune.refining.records import SkillRecord
from skilltune.stores.audit import AuditLog
from skilltune.stores.heads import read_head_file, read_head_skills
from skilltune.stores.paths import look_at

__all__ = ["Restarted", "restart_log"]


@dataclass(frozen=True, kw_only=True)
class Restarted:
    """A log that was begun anew."""

    path: Path
    """The new log."""
    aside: Path | None
    """Where the old one is now; None where it was gone."""
    skills: tuple[str, ...]
    """Whose bounds go on."""


def restart_log(
    folder: str | Path,
    *,
    note: str,
    reviewer: str | None = None,
    as_of: datetime | str | None = None,
) -> Restarted:
    """Set a damaged or missing audit log aside and begin a new one.

    Baseline, last refinement, limit, and what was used up, rejected and released of every skill go on. They are taken
    from the log's head; where that is damaged, too, from all lines of the log that can be read. Nothing is deleted.

    Parameters
    ----------
    folder
        Where the log lies: the ``.claude`` folder that holds the skills, or that of another agent.
    note
        Why; it stands in the new log.
    reviewer
        Who does it; default the name of the user.
    as_of
        Default now.

    Raises
    ------
    InputError
        There is no audit log, it is whole, or the note is empty.
    ApprovalError
        This runs in a notebook without a front end.
    LogError
        The log cannot be set aside or written.
    """
    check_presence()
    if not note.strip():
        raise InputError("the note is empty; say why the log is begun anew, it stands in the new one")
    at, home = act_time(as_of), Path(folder).resolve()
    log = find_log(home)
    if not log.exists():
        raise InputError(f"{home} holds no audit log; name the one that holds it, such as ~/.claude or ~/.codex")
    with log.locked():
        if log.verify().whole:
            raise InputError(f"{log.path} is as it was written; there is nothing to begin anew")
        carried = _carried(log)
        told = {"how": find_how() or "", "restarted": True}
        entries = [
            make_entry("first_seen", at=at, by=reviewer or user_name(), note=note, **_named(home, file, row), **told)
            for file, row in carried.items()
        ]
        aside = _free_name(log.path, at=at)
        had = look_at(log.path) is not None
        log.restart(entries, aside=aside)
    skills = dict.fromkeys(str(entry["skillName"]) for entry in entries)
    return Restarted(path=log.path, aside=aside if had else None, skills=tuple(skills))


def _carried(log: AuditLog) -> Mapping[str, Mapping[str, Any]]:
    """What the bounds of each file rest on."""
    try:
        head = read_head_file(log.head_path)
    except DamagedError:
        head = None
    if head is None:
        return summarize_records(log.read_readable(), folder=log.path.parent)
    skills, missing = read_head_skills(log.head_path, head)
    for file in missing:
        known = SkillRecord.of(log.read_readable(), file=file).consumed
        skills[file]["correctionIds"] = sorted(known.union(skills[file].get("correctionIds") or ()))
    return skills


def _named(home: Path, file: str, row: Mapping[str, Any]) -> dict[str, Any]:
    return {"filePath": str(home / file), **row, "file": file}


def _free_name(path: Path, *, at: datetime) -> Path:
    """Where the old log goes; no file is there yet."""
    stem = f"{path.stem}-{at:%Y%m%dT%H%M%SZ}"
    names = (f"{stem}{f'-{number}' if number else ''}{path.suffix}" for number in range(1_000))
    return next(free for name in names if look_at(free := path.with_name(name)) is None)
