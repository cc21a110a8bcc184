"""``skilltune audit verify``: whether the audit logs, and the skills they speak of, are as they were written."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from skilltune.cli.options import AsJson, NamedSkill
from skilltune.cli.output import print_json, print_text, safe
from skilltune.rendering.terminal import count_words

if TYPE_CHECKING:
    from skilltune.stores.audit import AuditChecked, AuditLog

__all__ = ["audit"]

audit = typer.Typer(rich_markup_mode=None)
_DAMAGED = 4


@dataclass(frozen=True)
class _Log:
    """One audit log, and the skills whose file is not what its last entry left."""

    checked: "AuditChecked"
    edited: tuple[str, ...]


@audit.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    """What was done to skills.

    Each entry of the log is chained to the one before by a hash.

    Example: skilltune audit verify
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


@audit.command()
def verify(skill: NamedSkill = None, *, as_json: AsJson = False) -> None:
    """Check every audit log of this machine's skills, or that of one skill.

    The first bad line is named: a line that was changed, moved or taken out. Where the last lines were taken off, the
    skill's file is not what the log says, which is told, too. Exit code 4: a log is damaged.

    Example: skilltune audit verify
    """
    logs = _logs(skill)
    if as_json:
        print_json([_row(log) for log in logs])
    elif not logs:
        print_text("There is no audit log yet: nothing was ever done to a skill.")
    else:
        print_text("\n".join(line for log in logs for line in _lines(log)))
    if not all(log.checked.whole for log in logs):
        raise typer.Exit(_DAMAGED)


def _logs(skill: str | None) -> list[_Log]:
    """The logs beside all skills, or beside one; no log twice."""
    from skilltune.stores.audit import AuditLog, audit_folder
    from skilltune.stores.homes import find_claude_home
    from skilltune.stores.skill_files import all_skill_files, locate_skill

    files = all_skill_files() if skill is None else [locate_skill(skill)]
    by_folder: dict[Path, list[tuple[str, Path]]] = {}
    if skill is None and (home := find_claude_home()) is not None:
        by_folder[home.resolve()] = []
    for file in files:
        by_folder.setdefault(audit_folder(file.path), []).append((file.skill_id, file.target))
    found = []
    for folder in sorted(by_folder):
        log = AuditLog(folder)
        if log.exists():
            checked = log.verify()
            found.append(_Log(checked, _edited(log, by_folder[folder]) if checked.whole else ()))
    return found


def _edited(log: "AuditLog", files: list[tuple[str, Path]]) -> tuple[str, ...]:
    from skilltune.errors import SkillFileError
    from skilltune.refining.records import SkillRecord
    from skilltune.stores.skill_writing import read_skill_bytes
    from skilltune.stores.snapshots import content_digest

    rows, folder = log.read(), log.path.parent
    edited = []
    for skill_id, target in files:
        last = SkillRecord.of(rows, file=target.relative_to(folder).as_posix()).last
        try:
            if last is not None and content_digest(read_skill_bytes(target)) != last.digest:
                edited.append(skill_id)
        except SkillFileError:
            edited.append(skill_id)
    return tuple(edited)


def _lines(log: _Log) -> list[str]:
    checked = log.checked
    where = safe(str(checked.path))
    if checked.problem is not None:
        before = f"  {count_words(checked.entries, 'entry', plural='entries')} before it as written"
        return [f"{where}:{checked.problem.line}: {safe(checked.problem.reason)}", before]
    others = f", {checked.foreign:,} of other tools" if checked.foreign else ""
    edited = "the file is not what the last entry left: it was edited, or entries were taken off"
    return [
        f"{where}: {count_words(checked.entries, 'entry', plural='entries')}, the chain holds{others}",
        *(f"  {safe(name)}: {edited}" for name in log.edited),
    ]


def _row(log: _Log) -> dict[str, object]:
    checked = log.checked
    problem = checked.problem
    return {
        "path": str(checked.path),
        "entries": checked.entries,
        "foreign": checked.foreign,
        "whole": checked.whole,
        "bad_line": None if problem is None else problem.line,
        "reason": None if problem is None else problem.reason,
        "edited": list(log.edited),
    }
