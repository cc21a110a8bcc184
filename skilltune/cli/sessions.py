"""Commands over sessions: ``sources``, ``turns``, ``mine``."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skilltune.cli.left_out_text import left_out_words
from skilltune.cli.mined_text import collected_row, collected_text, explained_text, turn_text
from skilltune.cli.options import (
    AsJson,
    Cache,
    MinInvocations,
    Scheduler,
    SessionDirs,
    SessionPlaces,
    Workers,
    WorkspaceDir,
)
from skilltune.cli.output import print_json, print_lines, print_text, terminal, warn, warn_of_log
from skilltune.cli.read_text import named_files
from skilltune.cli.sources_text import sources_text
from skilltune.errors import ReadError
from skilltune.records import Turn
from skilltune.rendering.terminal import count_words
from skilltune.stores.secrets import mask_secrets

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager

    from skilltune.workflow import Mined

__all__ = ["COMMANDS"]

Scripted = Annotated[
    bool, typer.Option("--scripted", help="Take in scripted sessions (claude -p, codex exec, SDKs) too.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first damaged line, naming it.")]


def sources(*, session_dir: SessionDirs = None, workspace: WorkspaceDir = None, as_json: AsJson = False) -> None:
    """What lies where, and what is passed over.

    Files, sessions, human turns and skill uses of each place and agent, how fresh they are, which are copies of others,
    which files are passed over and why, and which transcripts will go soon.

    Example: skilltune sources --session-dir ~/.codex/sessions
    """
    from skilltune.stores.workspace import find_workspace
    from skilltune.survey import survey

    mining = find_workspace(explicit=workspace).config.mining
    found = survey(session_dir or mining.folders or None, scripted=mining.scripted, progress=not as_json)
    if session_dir and not any(place.exists for place in found.places):
        raise ReadError(f"{session_dir[0]} is not there; name a folder or file of sessions")
    if as_json:
        print_json(found.as_rows())
    else:
        print_text(sources_text(found, width=terminal()["width"]))


def turns(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Session files or folders.")],
    *,
    scripted: Scripted = False,
    strict: Strict = False,
    private: Annotated[bool, typer.Option("--private", help="Leave the texts out.")] = False,
    raw: Annotated[bool, typer.Option("--raw", help="Do not mask secrets in the texts.")] = False,
    as_json: AsJson = False,
) -> None:
    """Every human turn with the verdict on it.

    With --json one object a line. Keys, tokens and passwords are masked unless --raw is given.

    Example: skilltune turns ~/.claude/projects/my-project --json
    """
    from skilltune import workflow

    mined = workflow.mine(workflow.read_sessions(paths, strict=strict), scripted=scripted, turns="all")
    show = _no_text if private else _as_it_is if raw else mask_secrets
    rows = [_turn_row(turn, show=show) for turn in mined.records.turns]
    if as_json:
        print_lines(rows)
    else:
        for row in rows:
            print_text(turn_text(row))
        sessions = count_words(mined.scan.summary.sessions, "session")
        print_text(f"{count_words(len(rows), 'human turn')} in {sessions}.")
        for line in _left_out(mined):
            print_text(line)
    for path, message in mined.scan.summary.unreadable:
        warn(f"{path}: {message}")


def _left_out(mined: "Mined") -> list[str]:
    """What the turns are not from, with the reason."""
    dropped = ((reason, n) for reason, n in mined.records.dropped.items() if reason.startswith("session_"))
    sessions = [left_out_words(reason, n) for reason, n in dropped]
    files = [f"{count_words(n, 'file')} {why}" for why, n in named_files(mined.scan.summary.skipped).items()]
    return [f"Left out: {what}" for what in (*sessions, *files)]


_TURN_KEYS = {
    "path": "path",
    "line": "line",
    "session": "session_id",
    "uuid": "uuid",
    "agent": "agent",
    "channel": "channel",
    "text": "text",
    "previous_agent": "previous_agent",
    "skill_id": "skill_id",
    "attribution": "attribution",
    "outcome": "outcome",
    "correction_type": "correction_type",
    "p_negative": "p_negative",
    "p_acceptance": "p_acceptance",
    "rule": "rule",
    "agent_version": "agent_version",
    "model": "model",
    "project": "project",
}
"""Key of ``turns --json`` → field of ``Turn``."""


def _turn_row(turn: Turn, *, show: Callable[[str], str | None]) -> dict[str, Any]:
    row = {key: getattr(turn, name) for key, name in _TURN_KEYS.items()}
    return row | {key: show(row[key]) for key in ("text", "previous_agent")}


def _no_text(_: str) -> None:
    return None


def _as_it_is(text: str) -> str:
    return text


def mine(
    *,
    session_dir: SessionPlaces = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="The feedback log to write. Default: the workspace's."),
    ] = None,
    no_snippets: Annotated[bool, typer.Option("--no-snippets", help="Store none of the persons' words.")] = False,
    skill_filter: Annotated[
        str | None, typer.Option("--skill-filter", "--skill", metavar="NAME", help="Only this skill.")
    ] = None,
    min_invocations: MinInvocations = None,
    overwrite: Annotated[
        bool,
        typer.Option("--overwrite", help="Rebuild the log from the transcripts that are there; keep what is gone."),
    ] = False,
    workspace: WorkspaceDir = None,
    window_turns: Annotated[
        int | None, typer.Option(min=1, max=20, metavar="N", help="Turns that can judge a use [3].")
    ] = None,
    scripted: Scripted = False,
    strict: Strict = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    cache: Cache = True,
    explain: Annotated[bool, typer.Option("--explain", help="Say of each use why it gave no event.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add what is new to the feedback log.

    Example: skilltune mine --session-dir ~/.claude/projects --skill-filter deslop
    """
    from skilltune import workflow

    with _cluster(scheduler) as executor:
        collected = workflow.collect(
            session_dir,
            output=output,
            snippets=False if no_snippets else None,
            skill_id=skill_filter,
            overwrite=overwrite,
            workspace=workspace,
            window_turns=window_turns,
            scripted=scripted or None,
            strict=strict,
            progress=not as_json,
            workers=workers,
            executor=executor,
            cache=cache,
        )
    unreadable = (f"{path}: {message}" for path, message in collected.mined.scan.summary.unreadable)
    for warning in (*collected.warnings, *unreadable):
        warn(warning)
    contents = collected.log.read()
    warn_of_log(collected.log.path, contents.problem_counts)
    texts = sum(bool(event.user_message_snippet) for event in contents.events)
    if texts and not collected.snippets:
        print(
            f"skilltune: {texts:,} older texts are still stored; remove them: skilltune feedback scrub", file=sys.stderr
        )
    if as_json:
        print_json(collected_row(collected))
        return
    if explain:
        print_text(explained_text(collected))
    print_text(collected_text(collected, min_invocations=min_invocations))


def _cluster(address: str | None) -> "AbstractContextManager[Executor | None]":
    """The workers of a scheduler, where one is named."""
    if address is None:
        return nullcontext()
    from skilltune.scan.cluster import connected_cluster

    return connected_cluster(address)


COMMANDS = (sources, turns, mine)
