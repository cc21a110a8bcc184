"""``skilltune feedback scrub``: what people said, out of the feedback log, the queue and the ledger."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skilltune.cli.options import AsJson, WorkspaceDir
from skilltune.cli.output import print_result, safe
from skilltune.errors import ReadError
from skilltune.rendering.terminal import count_words

if TYPE_CHECKING:
    from skilltune.stores.feedback import FeedbackLog

__all__ = ["scrub"]


@dataclass(frozen=True)
class _Scrubbed:
    """One file that may hold texts, and what was removed from it."""

    path: Path
    texts: int
    damaged: int = 0


def scrub(
    *,
    workspace: WorkspaceDir = None,
    log: Annotated[Path | None, typer.Option("--log", metavar="FILE", help="A feedback log, and nothing else.")] = None,
    recorded: Annotated[
        bool,
        typer.Option("--recorded", help="Also what you recorded: corrections stay in number and lose their texts."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove what people said from the log.

    The verdicts and counts stay; the texts, in the archive and in the queue of candidates too, are gone for good. So
    are lines nobody can read, for they may hold text, and what is remembered of sessions to read them faster. What you
    recorded yourself stays, with its number told, unless you say --recorded: without texts, corrections suggest
    nothing.

    Example: skilltune feedback scrub --yes
    """
    from skilltune.stores.ledger import find_ledger
    from skilltune.stores.scan_cache import delete_cache

    found = _feedback_log(log, workspace)
    if not yes:
        _ask(found, recorded=recorded and log is None)
    done = [_log_scrubbed(found)] if found is not None else []
    kept, forgotten = 0, False
    if log is None:
        forgotten = delete_cache()
        done.append(_queue_scrubbed(workspace))
        ledger = find_ledger(workspace)
        if recorded:
            counts = ledger.scrub()
            done.append(_Scrubbed(ledger.path, counts.texts, counts.damaged))
        else:
            kept = sum(event.type in ("correction", "override") for event in ledger.read().events)
    row = _row(found, done, kept=kept) | {"cache_removed": forgotten}
    print_result(row, _text(done, kept=kept, forgotten=forgotten), as_json=as_json)


def _feedback_log(log: Path | None, workspace: Path | None) -> "FeedbackLog | None":
    """The feedback log; None where a workspace has none, an error where one is named that is not there."""
    from skilltune.workflow import existing_log

    try:
        return existing_log(log, workspace=workspace)
    except ReadError:
        if log is not None:
            raise
        return None


def _ask(found: "FeedbackLog | None", *, recorded: bool) -> None:
    where = "the queue of candidates" if found is None else str(found.path)
    more = " and from what you recorded" if recorded else ""
    typer.confirm(f"Remove all texts from {safe(where)}{more}? This cannot be undone.", abort=True)


def _log_scrubbed(found: "FeedbackLog") -> _Scrubbed:
    counts = found.scrub()
    return _Scrubbed(found.path, counts.texts, counts.damaged)


def _queue_scrubbed(workspace: Path | None) -> _Scrubbed:
    from skilltune.stores.candidates import find_candidate_log

    queue = find_candidate_log(workspace)
    return _Scrubbed(queue.path, queue.scrub())


def _row(found: "FeedbackLog | None", done: list[_Scrubbed], *, kept: int) -> dict[str, Any]:
    return {
        "log": None if found is None else str(found.path),
        "texts": sum(item.texts for item in done),
        "damaged": sum(item.damaged for item in done),
        "files": [{"path": str(item.path), "texts": item.texts, "damaged": item.damaged} for item in done],
        "recorded_kept": kept,
    }


def _text(done: list[_Scrubbed], *, kept: int, forgotten: bool) -> str:
    lines = [
        f"{count_words(item.texts, 'text')} and {count_words(item.damaged, 'unreadable line')} removed from "
        f"{safe(str(item.path))}"
        for item in done
    ]
    if forgotten:
        lines.append("what was remembered of sessions, to read them faster, removed")
    if kept:
        told = count_words(kept, "recorded correction or override", plural="recorded corrections or overrides")
        lines.append(f"{told} kept; to empty them, too: skilltune feedback scrub --recorded")
    return "\n".join(lines)
