"""The verbs a person calls; the one place where pure code meets disk and clock.

read_sessions → mine → collect (into the feedback log) → read_events, read_invocations → skilltune.analysis
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from skilltune.errors import InputError, ReadError
from skilltune.frames import to_frame
from skilltune.limits import FIRST_YEAR, LAST_YEAR, WINDOW_TURNS
from skilltune.mining import MinedRecords, mine_sessions
from skilltune.mining.model import Model
from skilltune.records import FeedbackEvent, Invocation, SessionCost, Turn
from skilltune.scan import Scan
from skilltune.scan.sessions import Paths, default_roots, may_exist, read_sessions
from skilltune.stores.feedback import FeedbackLog, OverwriteCounts, Scope, UpdateCounts
from skilltune.stores.models import choose_model
from skilltune.stores.names import mask_name
from skilltune.stores.paths import expand_path
from skilltune.stores.privacy import check_collection
from skilltune.stores.secrets import snippet
from skilltune.stores.skills import find_installed_skills, find_skill_files
from skilltune.stores.tables import as_text, read_tables
from skilltune.stores.versions import Versions
from skilltune.stores.workspace import Workspace, find_workspace

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas as pd

__all__ = [
    "Collected",
    "Mined",
    "Paths",
    "as_time",
    "collect",
    "default_roots",
    "existing_log",
    "may_exist",
    "mine",
    "read_events",
    "read_invocations",
    "read_sessions",
]

KEPT_RECORDS: Final = frozenset({"agent", "command", "orphan_result", "tool_result", "turn", "use"})
"""Kinds of record that facts are made of; all others are left out, or only counted."""

_Record = TypeVar("_Record", FeedbackEvent, Invocation)


@dataclass(frozen=True)
class Mined:
    """What mining found; each table is made when it is first asked for."""

    records: MinedRecords
    scan: Scan
    """What was read."""

    def __repr__(self) -> str:
        counts = (
            (len(self.records.events), "events"),
            (sum(1 for use in self.records.invocations if not use.failed), "uses"),
            (len(self.records.turns), "turns"),
            (self.scan.summary.sessions, "sessions"),
        )
        return f"Mined({', '.join(f'{count:,} {noun}' for count, noun in counts)})"

    @cached_property
    def events(self) -> "pd.DataFrame":
        """One row per use that a person reacted to, in order of reading (columns of ``FeedbackEvent``)."""
        return to_frame(self.records.events, FeedbackEvent)

    @cached_property
    def invocations(self) -> "pd.DataFrame":
        """One row per use, judged or not, and per failed call (columns of ``Invocation``)."""
        return to_frame(self.records.invocations, Invocation)

    @cached_property
    def turns(self) -> "pd.DataFrame":
        """One row per human turn with the verdict on what it says (columns of ``Turn``)."""
        return to_frame(self.records.turns, Turn)

    @cached_property
    def sessions(self) -> "pd.DataFrame":
        """One row per session: what it cost, and what no use is charged with (columns of ``SessionCost``)."""
        return to_frame(self.records.sessions, SessionCost)

    @cached_property
    def dropped(self) -> "pd.DataFrame":
        """One row per kind of record, file or session: ``level``, ``reason``, ``count``, ``kept``.

        The rows of level ``record`` add up to the number of records read; ``kept`` marks those that facts were made of.
        """
        import pandas as pd

        summary = self.scan.summary
        levels = {"record": summary.records, "file": summary.skipped, "session": self.records.dropped}
        rows = [
            (level, reason, count, level == "record" and reason in KEPT_RECORDS)
            for level, counts in levels.items()
            for reason, count in counts.items()
        ]
        return pd.DataFrame(rows, columns=["level", "reason", "count", "kept"])


@dataclass(frozen=True)
class Collected:
    """What one run of ``collect`` read, and what became of it in the log."""

    mined: Mined
    log: FeedbackLog
    counts: UpdateCounts | OverwriteCounts
    archived: int
    """Events that were moved into the archive."""
    warnings: tuple[str, ...] = ()
    """What is allowed but unwise in the config, in words."""
    skill_id: str | None = None
    """The only skill that was stored, where one was named."""
    snippets: bool = True
    """Whether what people said was stored."""


def mine(
    sessions: Scan,
    *,
    window_turns: int = WINDOW_TURNS,
    scripted: bool = False,
    installed: dict[str, str] | None = None,
    turns: Literal["window", "all"] = "all",
    as_of: datetime | str | None = None,
    model: Model | Literal["default"] | None = "default",
) -> Mined:
    """Feedback events, uses and turns of sessions that were read.

    Parameters
    ----------
    sessions
        From ``read_sessions``.
    window_turns
        Human turns after a use that can judge it.
    scripted
        Take in scripted sessions (``claude -p``, SDK) too.
    installed
        Skill id → digest of the skills on this machine; None for not known.
    turns
        ``window``: only turns that can judge a use get a verdict; ``all``: every turn.
    as_of
        What is dated later is left out and counted; default now.
    model
        The classifier beside the rules; default the one that ships, None for the rules alone.
    """
    records = mine_sessions(
        sessions.files,
        window_turns=window_turns,
        scripted=scripted,
        installed=installed,
        turns=turns,
        as_of=as_time(as_of),
        snippet=snippet,
        name=mask_name,
        model=model,
    )
    return Mined(_with_parents(records, sessions), sessions)


def _with_parents(records: MinedRecords, sessions: Scan) -> MinedRecords:
    """`records` with the session that another was forked from, where only the records that both hold tell it."""
    parents = {
        mask_name(copy.session_id): mask_name(copy.owner_id)
        for copy in sessions.summary.copies
        if copy.owner_id != copy.session_id
    }
    told = [row.forked_from or parents.get(row.session_id, "") for row in records.sessions]
    rows = [replace(row, forked_from=parent) for row, parent in zip(records.sessions, told, strict=True)]
    return replace(records, sessions=rows)


def collect(
    paths: Paths | None = None,
    *,
    workspace: str | Path | None = None,
    output: str | Path | None = None,
    snippets: bool | None = None,
    skill_id: str | None = None,
    overwrite: bool = False,
    window_turns: int | None = None,
    scripted: bool | None = None,
    strict: bool = False,
    as_of: datetime | str | None = None,
    progress: bool = False,
    workers: int | None = 1,
    executor: "Executor | None" = None,
    cache: bool = True,
) -> Collected:
    """Read sessions and add what is new to the feedback log; run twice, it adds nothing.

    What a session adds later replaces the verdict on its last uses: until then their last turn is provisional.

    Parameters
    ----------
    paths, strict, progress, workers, executor, cache
        As in ``read_sessions``; without `paths`, ``[mining] folders`` of the config come first. Where no words are to
        be stored, none are remembered either.
    workspace
        Folder of the log and its config; default the nearest ``.skilltune`` upwards, else the user's.
    output
        The log to write instead of the workspace's.
    snippets
        Whether to store what people said, secrets masked; default as the config says (yes).
    skill_id
        Store only this skill; it does not change any verdict.
    overwrite
        Rebuild the log from the transcripts that are there; what is gone is kept.
    window_turns, scripted
        As in ``mine``; default as the config says.
    as_of
        Default now.

    Raises
    ------
    CollectionDisabled
        The person switched collection off.
    ReadError
        None of `paths` can be read.
    LogError
        The log cannot be locked or written.
    """
    check_collection()
    place = find_workspace(explicit=workspace)
    config = place.config
    log = _log_to_write(place, output)
    log.check_writable()
    chosen = paths if paths is not None else config.mining.folders or None
    keep = config.privacy.snippets if snippets is None else snippets
    mined = mine(
        read_sessions(
            chosen, strict=strict, progress=progress, workers=workers, executor=executor, cache=cache and keep
        ),
        window_turns=config.mining.window_turns if window_turns is None else window_turns,
        scripted=config.mining.scripted if scripted is None else scripted,
        installed=find_installed_skills(),
        turns="window",
        as_of=as_of,
        model=choose_model(place),
    )
    mined = replace(mined, records=_with_versions(mined.records))
    counts = _store(log, mined, skill_id=skill_id, overwrite=overwrite, snippets=keep)
    return Collected(mined, log, counts, log.archive(as_time(as_of)), config.warnings, skill_id, keep)


def read_events(
    log: str | Path | None = None, *, workspace: str | Path | None = None, use_labels: bool = True
) -> "pd.DataFrame":
    """The events of a feedback log, one row each, archive included (columns of ``FeedbackEvent``).

    Parameters
    ----------
    log
        Path of a ``feedback.jsonl``, ours or another tool's; default the workspace's.
    use_labels
        Whether a person's labels beat the rules: a use that is labelled whole has the outcome of its labels.

    Raises
    ------
    ReadError
        There is no log.
    """
    return as_text(read_tables(existing_log(log, workspace=workspace), use_labels=use_labels)).events


def read_invocations(
    log: str | Path | None = None, *, workspace: str | Path | None = None, use_labels: bool = True
) -> "pd.DataFrame":
    """All uses a feedback log knows of, judged or not (columns of ``Invocation``); see ``read_events``."""
    return as_text(read_tables(existing_log(log, workspace=workspace), use_labels=use_labels)).invocations


def existing_log(log: str | Path | None = None, *, workspace: str | Path | None = None) -> FeedbackLog:
    """The feedback log at the path `log`, else the workspace's.

    Raises
    ------
    ReadError
        There is none.
    """
    found = FeedbackLog(_log_path(expand_path(log)) if log else find_workspace(explicit=workspace).feedback_path)
    if not found.exists():
        raise ReadError(
            f"there is no feedback log at {found.path}; make one with: skilltune mine (where that finds no use of a "
            "skill, skilltune sources says what lies where and what is left out)"
        )
    return found


def as_time(moment: datetime | str | None) -> datetime:
    """A moment as an aware datetime: now for None; an ISO text or a naive datetime is UTC.

    Raises
    ------
    InputError
        The text is no ISO date or time, or none of the years that moments may have.
    """
    if moment is None:
        return datetime.now(UTC)
    try:
        parsed = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    except ValueError as error:
        raise InputError(
            f"{moment!r} is no date or time; write it as 2026-11-30 or 2026-11-30T18:00:00+01:00"
        ) from error
    if not FIRST_YEAR <= parsed.year <= LAST_YEAR:
        raise InputError(
            f"{str(moment)!r} is no date that can be meant; write one from {FIRST_YEAR}-01-01 to {LAST_YEAR}-12-31"
        )
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def _log_to_write(place: Workspace, output: str | Path | None) -> FeedbackLog:
    if output is not None:
        return FeedbackLog(_log_path(expand_path(output)))
    if not place.legacy:
        place.create()
    return FeedbackLog(place.feedback_path)


def _log_path(output: Path) -> Path:
    """A folder stands for the ``feedback.jsonl`` in it."""
    return output / "feedback.jsonl" if output.is_dir() else output


def _with_versions(records: MinedRecords) -> MinedRecords:
    """`records` with the version of uses that brought no text along told from the git history of the skill's file."""
    told = Versions(find_skill_files()).of_record
    return replace(records, events=[*map(told, records.events)], invocations=[*map(told, records.invocations)])


def _store(
    log: FeedbackLog, mined: Mined, *, skill_id: str | None, overwrite: bool, snippets: bool
) -> UpdateCounts | OverwriteCounts:
    events = _only(mined.records.events, skill_id)
    uses = _only(mined.records.invocations, skill_id)
    # a log of one skill's uses cannot tell what of a session no use is charged with
    sessions = mined.records.sessions if skill_id is None else []
    if not overwrite:
        return log.update(events, uses, sessions=sessions, snippets=snippets)
    scope = Scope(invocations=mined.records.read, skills=None if skill_id is None else frozenset({skill_id}))
    return log.overwrite(events, uses, scope=scope, sessions=sessions, snippets=snippets)


def _only(records: Iterable[_Record], skill_id: str | None) -> list[_Record]:
    return [record for record in records if skill_id is None or record.skill_id == skill_id]
