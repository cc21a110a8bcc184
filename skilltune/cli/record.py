"""``skilltune feedback record``: a correction, an override, a rating, typed in by a person."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skilltune.cli.options import AsJson, NamedSkill, Skill, SkillFolder, WorkspaceDir
from skilltune.cli.output import print_json, print_text, safe, warn
from skilltune.cli.skill_name import named

if TYPE_CHECKING:
    from skilltune.stores.ledger import FeedbackLedger, LedgerEvent

__all__ = ["record"]

record = typer.Typer(rich_markup_mode=None)

Session = Annotated[str, typer.Option("--session", metavar="ID", help="The session where it happened.")]


@record.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    """Record what you changed, did not take, or think of a skill.

    Example: skilltune feedback record correction lint-on-save --original "npm test" --corrected "npm test -- --ci"
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


@record.command()
def correction(
    skill: NamedSkill = None,
    *,
    skill_option: Skill = None,
    original: Annotated[str, typer.Option("--original", metavar="TEXT", help="Before; '' where nothing was.")],
    corrected: Annotated[str, typer.Option("--corrected", metavar="TEXT", help="After; '' where nothing is left.")],
    session: Session = "manual",
    skill_folder: SkillFolder = None,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Record that you changed a text to another one.

    Three corrections of a skill, two of them the same, make a suggestion. With one side empty it counts for
    contradictions only.

    Example: skilltune feedback record correction lint-on-save --original "npm test" --corrected "npm test -- --ci"
    """
    name, ledger = _opened(named(skill, skill_option, command="feedback record correction"), workspace=workspace)
    folder = "" if skill_folder is None else str(skill_folder.expanduser().resolve())
    event = ledger.record_correction(
        name, original=original, corrected=corrected, session_id=session, skill_folder=folder
    )
    note = " It changes white space only, so no suggestion comes of it." if event.formatting_only else ""
    _told(event, ledger, note=note, as_json=as_json)


@record.command()
def override(
    skill: NamedSkill = None,
    *,
    skill_option: Skill = None,
    rejected: Annotated[str, typer.Option("--rejected", metavar="TEXT", help="What you did not take.")] = "",
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")] = "",
    session: Session = "manual",
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Record that you did not take what a skill made.

    Example: skilltune feedback record override lint-on-save --reason "I wanted a report, no fixes"
    """
    name, ledger = _opened(named(skill, skill_option, command="feedback record override"), workspace=workspace)
    event = ledger.record_override(name, rejected=rejected, reason=reason, session_id=session)
    _told(event, ledger, as_json=as_json)


@record.command()
def rating(
    skill: NamedSkill = None,
    *,
    skill_option: Skill = None,
    score: Annotated[float, typer.Option("--score", metavar="1-5", help="From 1 to 5.")],
    session: Session = "manual",
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Record how good you find a use of a skill, from 1 to 5.

    Example: skilltune feedback record rating lint-on-save --score 4
    """
    name, ledger = _opened(named(skill, skill_option, command="feedback record rating"), workspace=workspace)
    event = ledger.record_rating(name, score=score, session_id=session)
    _told(event, ledger, as_json=as_json)


def _opened(name: str, *, workspace: Path | None) -> "tuple[str, FeedbackLedger]":
    """The name and the ledger, with a word on a skill that is not installed."""
    from skilltune.errors import SkillNotFoundError
    from skilltune.stores.ledger import find_ledger
    from skilltune.stores.privacy import check_collection
    from skilltune.stores.skill_files import locate_skill

    check_collection()
    try:
        locate_skill(name)
    except SkillNotFoundError as error:
        warn(f"{error}; it is recorded all the same")
    return name, find_ledger(workspace)


def _told(event: "LedgerEvent", ledger: "FeedbackLedger", *, note: str = "", as_json: bool) -> None:
    if event.masked:
        warn(f"what looks like a secret or an e-mail address was masked in: {', '.join(event.masked)}")
    if as_json:
        from skilltune.cli.feedback_text import event_dict

        print_json(event_dict(event) | {"ledger": str(ledger.path)})
        return
    undo = f"Undo: skilltune feedback retract {event.id}"
    print_text(f"Recorded in {safe(str(ledger.path))}.{note}\n{undo}")
