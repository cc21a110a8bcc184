"""``skilltune audit``: whether the logs of what was done to skills are whole; a damaged one begun anew."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skilltune.cli.options import AsJson, NamedSkill, Note, Skill, SkillFolder
from skilltune.cli.output import print_json, print_result, print_text, safe
from skilltune.cli.person import check_person
from skilltune.cli.skill_name import one_skill
from skilltune.errors import InputError
from skilltune.rendering.terminal import command, count_words, cut

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
def verify(
    skill: NamedSkill = None,
    *,
    skill_option: Skill = None,
    skill_folder: SkillFolder = None,
    as_json: AsJson = False,
) -> None:
    """Check every audit log of this machine's skills, or that of one skill.

    The first bad line is named: a line that was changed, moved or taken out. Where the last lines were taken off, the
    skill's file is not what the log says, which is told, too. Exit code 4: a log is damaged.

    Example: skilltune audit verify
    """
    logs = _logs(one_skill(skill, skill_option), folder=skill_folder)
    if as_json:
        print_json([_row(log) for log in logs])
    elif not logs:
        print_text("There is no audit log yet: nothing was ever done to a skill.")
    else:
        print_text("\n".join(line for log in logs for line in _lines(log)))
    if not all(log.checked.whole for log in logs):
        raise typer.Exit(_DAMAGED)


@audit.command()
def restart(
    where: Annotated[
        str | None,
        typer.Argument(
            metavar="FOLDER|SKILL", help="The folder that holds the log, such as ~/.claude, or a skill in it."
        ),
    ] = None,
    *,
    skill_option: Skill = None,
    note: Note = "",
    skill_folder: SkillFolder = None,
    as_json: AsJson = False,
) -> None:
    """Set a damaged or missing audit log aside and begin a new one.

    Baseline, last refinement, limit and rejections of every skill go on; the old file stays beside the new one, nothing
    is deleted. It needs a terminal and a --note. A log that is whole is not touched.

    Example: skilltune audit restart lint-on-save --note "the disk was full"
    """
    from skilltune.refining.restarting import restart_log

    given = one_skill(where, skill_option)
    if given is None:
        raise InputError('name the folder of the log or a skill: skilltune audit restart SKILL --note "why"')
    check_person("begin an audit log anew", skill_id=given)
    done = restart_log(_log_folder(given, skill_folder), note=note)
    told = [f"A new log was begun: {safe(str(done.path))}"]
    if done.aside is not None:
        told.append(f"The old one is kept: {safe(str(done.aside))}")
    names = ", ".join(cut(name, 80) for name in done.skills) or "none was known"
    told += [f"Bounds that go on: {names}.", "", f"Next: {command('audit', 'verify')}"]
    row = {
        "path": str(done.path),
        "aside": None if done.aside is None else str(done.aside),
        "skills": list(done.skills),
    }
    print_result(row, "\n".join(told), as_json=as_json)


def _log_folder(given: str, skill_folder: Path | None) -> Path:
    """The folder that a log lies in: `given` itself, or that of the skill of this name."""
    from skilltune.stores.audit import audit_folder
    from skilltune.stores.paths import is_folder
    from skilltune.stores.skill_files import locate_skill

    if skill_folder is None and is_folder(Path(given).expanduser()):
        return Path(given).expanduser()
    return audit_folder(locate_skill(given, base_directory=skill_folder).path)


def _logs(skill: str | None, *, folder: Path | None) -> list[_Log]:
    """The logs beside all skills, or beside one; no log twice."""
    from skilltune.stores.audit import AuditLog, audit_folder
    from skilltune.stores.homes import find_claude_home
    from skilltune.stores.skill_files import all_skill_files, locate_skill

    files = all_skill_files() if skill is None else [locate_skill(skill, base_directory=folder)]
    by_folder: dict[Path, list[tuple[str, Path]]] = {}
    if skill is None and (home := find_claude_home()) is not None:
        by_folder[home.resolve()] = []
    for file in files:
        by_folder.setdefault(audit_folder(file.path), []).append((file.skill_id, file.target))
    found = []
    for place in sorted(by_folder):
        log = AuditLog(place)
        if log.exists():
            checked = log.verify()
            found.append(_Log(checked, _edited(log, by_folder[place]) if checked.whole else ()))
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
        place = f"{checked.problem.path}:{checked.problem.line}".removesuffix(":0")
        return [f"{safe(place)}: {safe(checked.problem.reason)}", before, f"  Next: {safe(checked.restart_command)}"]
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
