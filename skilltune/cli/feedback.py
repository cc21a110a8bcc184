"""Commands over what people recorded about skills, and over the feedback log itself: ``feedback``."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from skilltune.cli.candidates import COMMANDS
from skilltune.cli.options import AsJson, NamedSkill, Skill, WorkspaceDir
from skilltune.cli.output import print_json, print_text, safe, terminal, warn_of_log
from skilltune.cli.record import record
from skilltune.errors import InputError, SkillNotFoundError

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


feedback = typer.Typer(cls=_ListByDefault, no_args_is_help=True, rich_markup_mode=None)


@feedback.callback()
def _root() -> None:
    """What you recorded about skills, and the feedback log itself.

    feedback SKILL is feedback list SKILL.

    Example: skilltune feedback lint-on-save
    """


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

    name = skill if skill is not None else skill_option
    ledger, contents = _read(workspace)
    events = ledger.events(skill_id=name, session_id=session, since=since, retracted=retracted)
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
    *,
    skill: Skill = None,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """What was recorded in one session, in order.

    Without a session: the sessions with the most corrections first. Many in one: is the skill wrong, or was the task?

    Example: skilltune feedback replay 0b6f2d1e-5a1c-4a57-9d0e-2f6a3c1b8e44
    """
    from skilltune.cli.feedback_text import event_dict, replay_text, sessions_text

    ledger, _ = _read(workspace)
    shown = terminal()
    size = {"width": shown["width"], "unicode": shown["unicode"]}
    if session is None:
        counts = ledger.sessions(skill)
        if as_json:
            print_json([{"session_id": name, "corrections": count} for name, count in counts.items()])
        else:
            print_text(sessions_text(counts, **size))
        return
    events = ledger.events(session_id=session, skill_id=skill)
    if not events:
        raise InputError(f"nothing is recorded in a session {session[:100]!r}; skilltune feedback replay lists them")
    if as_json:
        print_json([event_dict(event) for event in events])
    else:
        print_text(replay_text(events, session_id=session, **size))


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
    ledger, _ = _read(workspace)
    event = ledger.retract(event_id, by=user_name(), reason=reason)
    row = {"id": event.id, "target": event.target, "skill_id": event.skill_id, "ledger": str(ledger.path)}
    _print(row, f"Taken back; to undo that: skilltune feedback retract {safe(event.id)}", as_json=as_json)


@feedback.command()
def verify(*, workspace: WorkspaceDir = None, as_json: AsJson = False) -> None:
    """Which lines of the ledger are not in order, and why.

    Exit code 4: there are some. The other lines are read all the same.

    Example: skilltune feedback verify
    """
    from skilltune.stores.ledger import find_ledger

    ledger = find_ledger(workspace)
    contents = ledger.read()
    problems = contents.problems
    row = {
        "ledger": str(ledger.path),
        "events": len(contents.events),
        "problems": [{"line": problem.line, "reason": problem.reason} for problem in problems],
    }
    lines = [f"{safe(str(ledger.path))}:{problem.line}: {_reason(problem.reason)}" for problem in problems]
    lines += ["", "Next: skilltune feedback repair"] if problems else ["Every line is in order."]
    _print(row, "\n".join([f"{len(contents.events):,} events in {safe(str(ledger.path))}", *lines]), as_json=as_json)
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
    many = f"{len(problems):,} line{'' if len(problems) == 1 else 's'}"
    text = f"{many} set aside in {safe(str(done.path))}" if problems else "There is nothing to set aside."
    _print({"aside": str(done.path) if problems else None, "lines": problems}, text, as_json=as_json)


@feedback.command()
def scrub(
    *,
    workspace: WorkspaceDir = None,
    log: Annotated[
        Path | None, typer.Option("--log", metavar="FILE", help="A feedback log instead of the workspace's.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove what people said from the log.

    The verdicts and counts stay; the texts, in the archive and in the queue of candidates too, are gone for good. Lines
    nobody can read go as well, for they may hold text.

    Example: skilltune feedback scrub --yes
    """
    from skilltune.stores.candidates import find_candidate_log
    from skilltune.workflow import existing_log

    found = existing_log(log, workspace=workspace)
    if not yes:
        typer.confirm(f"Remove all texts from {found.path}? This cannot be undone.", abort=True)
    counts = found.scrub()
    texts = counts.texts + (find_candidate_log(workspace).scrub() if log is None else 0)
    if as_json:
        print_json({"log": str(found.path), "texts": texts, "damaged": counts.damaged})
    else:
        print_text(f"{texts:,} texts and {counts.damaged:,} unreadable lines removed from {found.path}")


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


def _reason(word: str) -> str:
    return safe(word.replace("_", " "))


def _print(row: dict[str, Any], text: str, *, as_json: bool) -> None:
    if as_json:
        print_json(row)
    else:
        print_text(text)


feedback.add_typer(record, name="record")
for command in COMMANDS:
    feedback.command()(command)
