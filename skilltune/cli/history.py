"""``skilltune history`` and ``skilltune rollback``: the versions of a skill, and going back to one."""

from typing import Annotated

import typer

from skilltune.cli.options import AsJson, NamedSkill, Note, Skill, SkillFolder, WorkspaceDir
from skilltune.cli.output import print_json, print_text, safe, terminal
from skilltune.cli.skill_name import named

__all__ = ["COMMANDS"]


def history(
    skill: NamedSkill = None,
    *,
    skill_option: Skill = None,
    skill_folder: SkillFolder = None,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Every version of a skill, and what was decided about it.

    By the audit log beside the skill, whatever workspace acted.

    Example: skilltune history lint-on-save
    """
    from skilltune.cli.history_text import history_row, history_text
    from skilltune.refining.telling import history_of

    found = history_of(named(skill, skill_option, command="history"), workspace=workspace, base_directory=skill_folder)
    if as_json:
        print_json(history_row(found))
    else:
        print_text(history_text(found, **terminal()))


def rollback(
    skill: NamedSkill = None,
    *,
    skill_option: Skill = None,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="VERSION|COMMIT", help="Default: the text before the last refinement."),
    ] = None,
    note: Note = "",
    over_outside_edits: Annotated[
        bool,
        typer.Option(
            "--over-outside-edits",
            help="Replace edits made outside of skilltune, too; they are kept as a version.",
        ),
    ] = False,
    commit: Annotated[
        bool | None, typer.Option("--commit/--no-commit", help="Commit the skill's file, and nothing else, to git.")
    ] = None,
    skill_folder: SkillFolder = None,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Put an earlier text of a skill back, byte for byte.

    It is a new version; the cooldown stays where the refinement put it. It needs a terminal, as every change of a
    skill does. Git is not needed, except for --to COMMIT.

    Example: skilltune rollback lint-on-save --to 3
    """
    from skilltune.cli.history_text import applied_text
    from skilltune.cli.person import check_person
    from skilltune.cli.refine_rows import applied_row
    from skilltune.refining.rolling import rollback as roll_back

    name = named(skill, skill_option, command="rollback")
    check_person("put an earlier text of a skill back", skill_id=name)
    applied = roll_back(
        name,
        to=to,
        workspace=workspace,
        base_directory=skill_folder,
        note=note,
        over_outside_edits=over_outside_edits,
        commit=commit,
    )
    if as_json:
        print_json(applied_row(applied))
        return
    entry = applied.entry
    where = f"version {entry['toVersion']}" if entry.get("toVersion") else f"commit {entry.get('toCommit', '')[:12]}"
    lead = f"{safe(name)} has the text of {safe(where)} again"
    print_text(applied_text(applied, lead=lead, back_to=applied.version - 1, **terminal()))


COMMANDS = (history, rollback)
