"""Commands over what people recorded about skills, and over the feedback log itself: ``feedback``."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from skilltune.cli.candidates import COMMANDS
from skilltune.cli.ids import find_id, matching_ids
from skilltune.cli.options import AsJson, NamedSkill, Skill, SkillArgument, WorkspaceDir
from skilltune.cli.output import print_json, print_result, print_text, safe, terminal, warn_of_log
from skilltune.cli.record import record
from skilltune.cli.scrub import scrub
from skilltune.cli.skill_name import one_skill
from skilltune.errors import InputError, SkillNotFoundError
from skilltune.rendering.terminal import count_words

if TYPE_CHECKING:
    from skilltune.stores.ledger import FeedbackLedger, LedgerContents

__all__ = ["feedback"]

_DAMAGED = 4


class _ListByDefault(TyperGroup):
    """``feedback SKILL`` is ``feedback list SKILL``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``list`` before what is no command of the group."""
        if args and args[0] not in self.commands and args[0] != "--help":
            args = ["list", *args]
        return super().parse_args(ctx, args)


feedback = typer.Typer(cls=_ListByDefault, rich_markup_mode=None)


@feedback.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    """What you recorded about skills, and the feedback log itself.

    feedback SKILL is feedback list SKILL.

    Example: skilltune feedback lint-on-save
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


@feedback.command(name="list")
def list_(
    skill: NamedSkill = None,
    *,
    skill_option: Skill = None,
    session: Annotated[str | None, typer.Option("--session", metavar="ID", help="Only of this session.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="Only from this ISO date or time (UTC) on.")
    ] = None,
    retracted: Annotated[bool, typer.Option("--retracted", help="Show what was taken back, too.")] = False,
    ids: Annotated[bool, typer.Option("--ids", help="Show the ids that feedback retract needs.")] = False,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Corrections, overrides and ratings of a skill; without a name, a line a skill.

    Example: skilltune feedback list lint-on-save --since 2026-11-01
    """
    from skilltune.cli.feedback_text import event_dict, history_text, overview_text

    name = one_skill(skill, skill_option)
    _, contents = _read(workspace)
    session = None if session is None else _session_id(session, contents)
    events = contents.chosen(skill_id=name, session_id=session, since=since, retracted=retracted)
    if name is not None and not any(event.skill_id == name for event in contents.events):
        _check_installed(name)
    shown = terminal()
    size = {"width": shown["width"], "unicode": shown["unicode"]}
    gone = contents.retracted
    if as_json:
        print_json([event_dict(event, retracted=event.id in gone) for event in events])
    elif name is None:
        print_text(overview_text([event for event in events if event.type != "retract"], **size))
    else:
        print_text(history_text(events, skill_id=name, retracted=gone, ids=ids, **size))


@feedback.command()
def replay(
    session: Annotated[str | None, typer.Argument(metavar="SESSION", show_default=False)] = None,
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """What was recorded in one session, in order.

    Without a session: the sessions with the most corrections first. Many in one: is the skill wrong, or was the task?

    Example: skilltune feedback replay 0b6f2d1e-5a1c-4a57-9d0e-2f6a3c1b8e44
    """
    from skilltune.cli.feedback_text import event_dict, replay_text, sessions_text

    _, contents = _read(workspace)
    name = one_skill(skill, skill_option)
    shown = terminal()
    size = {"width": shown["width"], "unicode": shown["unicode"]}
    if session is None:
        counts = contents.sessions(name)
        if as_json:
            print_json([{"session_id": id_, "corrections": count} for id_, count in counts.items()])
        else:
            print_text(sessions_text(counts, **size))
        return
    found = find_id(
        session, (event.session_id for event in contents.events), what="session", look="skilltune feedback replay"
    )
    events = contents.chosen(session_id=found, skill_id=name)
    if as_json:
        print_json([event_dict(event) for event in events])
    else:
        print_text(replay_text(events, session_id=found, **size))


@feedback.command()
def retract(
    event_id: Annotated[str, typer.Argument(metavar="ID", help="Of an event, as feedback list SKILL --ids tells it.")],
    *,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")] = "",
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Take an event back; it stays in the ledger and does not count.

    Taking a retraction back makes what it took back count again.

    Example: skilltune feedback retract 5c0e8f5e-8d5a-4d8e-9a55-3f0f4f1a2b3c --reason "wrong skill"
    """
    from skilltune.refining.places import user_name
    from skilltune.stores.privacy import check_collection

    check_collection()
    ledger, contents = _read(workspace)
    known = (event.id for event in contents.events)
    found = find_id(event_id, known, what="recorded event", look="skilltune feedback list SKILL --ids")
    event = ledger.retract(found, by=user_name(), reason=reason)
    row = {"id": event.id, "target": event.target, "skill_id": event.skill_id, "ledger": str(ledger.path)}
    print_result(row, f"Taken back; to undo that: skilltune feedback retract {safe(event.id)}", as_json=as_json)


@feedback.command()
def verify(*, workspace: WorkspaceDir = None, as_json: AsJson = False) -> None:
    """Which lines of the ledger are not in order, and why.

    Whether a line can be read is all that is checked. Other tools write the ledger, too, so it has no chain, and a line
    that was edited or taken out is not seen; what was done to skills has one: skilltune audit verify.

    Exit code 4: there are some. The other lines are read all the same.

    Example: skilltune feedback verify
    """
    from skilltune.cli.feedback_text import verified_text
    from skilltune.stores.ledger import find_ledger

    ledger = find_ledger(workspace)
    contents = ledger.read()
    problems = contents.problems
    row = {
        "ledger": str(ledger.path),
        "events": len(contents.events),
        "problems": [{"line": problem.line, "reason": problem.reason} for problem in problems],
        "chained": False,
    }
    print_result(row, verified_text(contents, path=str(ledger.path), width=terminal()["width"]), as_json=as_json)
    if problems:
        raise typer.Exit(_DAMAGED)


@feedback.command()
def repair(*, workspace: WorkspaceDir = None, as_json: AsJson = False) -> None:
    """Set lines of the ledger aside that cannot be used.

    They go into a file beside it, byte for byte; nothing is deleted.

    Example: skilltune feedback repair
    """
    from skilltune.stores.ledger import find_ledger

    done = find_ledger(workspace).repair()
    problems = [{"line": problem.line, "reason": problem.reason} for problem in done.lines]
    many = count_words(len(problems), "line")
    text = f"{many} set aside in {safe(str(done.path))}" if problems else "There is nothing to set aside."
    print_result({"aside": str(done.path) if problems else None, "lines": problems}, text, as_json=as_json)


feedback.command()(scrub)


def _read(workspace: Path | None) -> "tuple[FeedbackLedger, LedgerContents]":
    """The ledger and what it says; a warning of lines nobody can read."""
    from skilltune.stores.ledger import find_ledger

    ledger = find_ledger(workspace)
    contents = ledger.read()
    warn_of_log(ledger.path, Counter(problem.reason for problem in contents.problems))
    return ledger, contents


def _check_installed(name: str) -> None:
    """Return if a skill of this name is installed; one that is neither that nor recorded is a slip."""
    from skilltune.stores.skill_files import locate_skill

    try:
        locate_skill(name)
    except SkillNotFoundError as error:
        raise InputError(f"nothing is recorded about {name[:100]!r}, and {error}") from error


def _session_id(given: str, contents: "LedgerContents") -> str:
    """The whole id of a session that `given` begins; `given` itself where nothing is recorded in one like it."""
    found = matching_ids(given, (event.session_id for event in contents.events))
    return found[0] if len(found) == 1 else given


feedback.add_typer(record, name="record")
for command in COMMANDS:
    feedback.command()(command)
