"""The feedback log: one line for each judged use in ``feedback.jsonl``, one for each other use in ``uses.jsonl``.

Lines are only ever added; ``overwrite``, ``archive`` and ``scrub`` put whole files in the place of whole files, in an
order in which readers find every use once whatever moment the run is killed at. One log a folder. Readers of the
12-field format who take the last line of an event id see its latest verdict; that a verdict was withdrawn later (a
line in ``uses.jsonl``) is seen by them after the next ``overwrite``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Literal

from skilltune.limits import ARCHIVE_DAYS
from skilltune.records import FeedbackEvent, Invocation
from skilltune.stores.files import WriteLock, make_folder, read_bytes, replace_file
from skilltune.stores.jsonl import AppendOnlyLog, LogProblem, dump_row
from skilltune.stores.rows import event_row, row_digest, same_state, use_row
from skilltune.stores.secrets import snippet
from skilltune.stores.states import LogLine, current_lines, log_lines

__all__ = ["FeedbackLog", "LogContents", "OverwriteCounts", "Scope", "ScrubCounts", "UpdateCounts"]

Kind = Literal["event", "use"]
Record = FeedbackEvent | Invocation


@dataclass(frozen=True, slots=True)
class LogContents:
    """What a log says now, archive included: each use once, as an event or as a use without one.

    Among the latter are failed calls (``failed`` says why): trigger problems, which are no uses.
    """

    events: list[FeedbackEvent]
    uses: list[Invocation]
    problems: list[LogProblem]

    @property
    def invocations(self) -> list[Invocation]:
        """All uses, those that gave an event too, for coverage; what the log does not keep of the latter is empty."""
        return [_invocation(event) for event in self.events] + self.uses

    @property
    def problem_counts(self) -> dict[str, int]:
        """Number of lines that were not in order, by reason."""
        return dict(Counter(problem.reason for problem in self.problems))


@dataclass(frozen=True, slots=True)
class UpdateCounts:
    """What an update did with the events it was given."""

    new: int = 0
    """Events of uses that had none in the log."""
    updated: int = 0
    """Events that say something else than the log's line did."""
    unchanged: int = 0
    withdrawn: int = 0
    """Uses whose event no longer holds."""
    uses: int = 0
    """Lines added for uses without an event, the withdrawn ones left out."""


@dataclass(frozen=True, slots=True)
class OverwriteCounts:
    """What a rebuild did."""

    new: int
    updated: int
    unchanged: int
    removed: int
    """Events in the run's reach that it no longer finds."""
    kept: int
    """Events out of the run's reach: their transcript is gone, or the filter leaves them out."""


@dataclass(frozen=True, slots=True)
class ScrubCounts:
    """What a scrub did."""

    texts: int
    """Lines whose text was emptied."""
    damaged: int
    """Lines that nobody can read, taken out because they may hold text."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a run could have found: events of the sessions it read, of the skills it was asked for.

    Parameters
    ----------
    sessions
        (session id, project) of every session that was read; project '' where unknown. Two files may claim one
        session id (a name such as ``session.jsonl``): where both sides know the project, it must agree.
    skills
        The skill ids of the filter, or None for all.
    """

    sessions: frozenset[tuple[str, str]]
    skills: frozenset[str] | None = None

    def covers(self, record: Record) -> bool:
        """Whether the run would have found this use, were it still there."""
        if self.skills is not None and record.skill_id not in self.skills:
            return False
        if not record.project:
            return any(session == record.session_id for session, _ in self.sessions)
        return bool(self.sessions & {(record.session_id, record.project), (record.session_id, "")})


class FeedbackLog:
    """The feedback log at `path`, with ``uses.jsonl`` and ``archive/`` beside it.

    Parameters
    ----------
    path
        ``feedback.jsonl``; it, its folder and its neighbours are made when there is something to write.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser().resolve()
        self.archive_folder = self.path.parent / "archive"
        self._lock = WriteLock(self.path.with_name("feedback.lock"))
        self._live = AppendOnlyLog(self.path, lock=self._lock)
        self._uses = AppendOnlyLog(self.uses_path, lock=self._lock)

    @property
    def uses_path(self) -> Path:
        """Where the uses that gave no event are."""
        return self.path.with_name("uses.jsonl")

    def exists(self) -> bool:
        """Whether there is a log here, be it only an archive."""
        return self.path.exists() or self.uses_path.exists() or bool(self._archives())

    def read(self, *, strict: bool = False) -> LogContents:
        """Every use once, as the log knows it now.

        Raises
        ------
        RecordError
            With `strict`, at the first line that is no JSON object.
        """
        lines = self._lines(strict=strict)
        records = [line.record for line in current_lines(lines).values()]
        return LogContents(
            [record for record in records if isinstance(record, FeedbackEvent)],
            [record for record in records if isinstance(record, Invocation)],
            [problem for line in lines for problem in line.problems],
        )

    def update(
        self, events: Iterable[FeedbackEvent], uses: Iterable[Invocation], *, snippets: bool = True
    ) -> UpdateCounts:
        """Add what the log does not say yet; a second run with the same adds nothing.

        An event that says something else than its line in the log is added with ``supersedes``, the digest of that
        line (`skilltune.stores.rows.row_digest`); so is a use whose event no longer holds, in ``uses.jsonl``. Text
        alone is no change. `uses` may hold uses with an event too: they are passed over.

        Parameters
        ----------
        snippets
            False writes no text; else what the person said is kept as `skilltune.stores.secrets.snippet` has it.
        """
        found = _found(events, uses)
        if not found:
            return UpdateCounts()
        with self._lock.held():
            return self._update(found, snippets=snippets)

    def overwrite(
        self, events: Iterable[FeedbackEvent], uses: Iterable[Invocation], *, scope: Scope, snippets: bool = True
    ) -> OverwriteCounts:
        """Make the log say what this run found, one line a use, and keep all that the run could not have found.

        Parameters
        ----------
        scope
            What the run could have found; events outside of it stay as they are, with their history.
        snippets
            False empties the texts that stay, too, and takes out damaged lines: they may hold text.
        """
        found = _found(events, uses)
        with self._lock.held():
            counts = self._update(found, snippets=snippets)
            current = current_lines(self._lines())
            lost = {i for i, line in current.items() if i not in found and line.record and scope.covers(line.record)}
            self._rewrite_all(partial(_rebuilt, found=found, current=current, lost=lost, snippets=snippets))
        left = [line for i, line in current.items() if i not in found and line.kind == "event"]
        removed = sum(1 for line in left if line.record and line.record.event_id in lost)
        return OverwriteCounts(
            counts.new, counts.updated, counts.unchanged, removed + counts.withdrawn, len(left) - removed
        )

    def archive(self, as_of: datetime) -> int:
        """Move events older than 90 days into ``archive/feedback-YYYYMMDD.jsonl``, by their day; how many were moved.

        First the archive gets its copy, whole, then the log lets go of its own: readers see one of each throughout.
        """
        if not self.exists():
            return 0
        before = (as_of if as_of.tzinfo else as_of.replace(tzinfo=UTC)) - timedelta(days=ARCHIVE_DAYS)
        with self._lock.held():
            old: dict[str, list[LogLine]] = {}
            for line in log_lines(self._live.read(), kind="event"):
                if line.record and line.record.timestamp and line.record.timestamp < before:
                    old.setdefault(f"{line.record.timestamp:%Y%m%d}", []).append(line)
            for day, lines in old.items():
                self._add_to_archive(day, [line.line.raw.rstrip(b"\r") for line in lines])
            moved = [line for lines in old.values() for line in lines]
            numbers = {line.line.number for line in moved}
            self._rewrite(self.path, "event", lambda line: None if line.line.number in numbers else line.line.raw)
        return len({line.record.event_id for line in moved if line.record})

    def scrub(self) -> ScrubCounts:
        """Remove every text from the log, its archive and what killed runs left; the verdicts stay.

        Fields of other tools that skilltune does not know are not looked at.
        """
        if not self.exists():
            return ScrubCounts(0, 0)
        with self._lock.held():
            lines = self._lines()
            self._rewrite_all(_without_text)
            self._remove_leftovers()
        return ScrubCounts(
            sum(1 for line in lines if line.row.get("user_message_snippet")),
            sum(1 for line in lines if line.line.row is None),
        )

    def _update(self, found: Mapping[str, Record], *, snippets: bool) -> UpdateCounts:
        current = current_lines(self._lines())
        added: dict[Kind, list[bytes]] = {"event": [], "use": []}
        counts: Counter[str] = Counter()
        for event_id, record in found.items():
            now = current.get(event_id)
            counts[_change(record, now)] += 1
            if not _says(record, now):
                added[_kind(record)].append(dump_row(_row(record, now, snippets=snippets)))
        self._live.append(added["event"])
        self._uses.append(added["use"])
        return UpdateCounts(**{name: counts[name] for name in ("new", "updated", "unchanged", "withdrawn", "uses")})

    def _archives(self) -> list[Path]:
        return sorted(self.archive_folder.glob("feedback-*.jsonl"))

    def _files(self) -> list[tuple[Path, Kind]]:
        """All files of the log, and what their lines are about."""
        return [(self.path, "event"), *((path, "event") for path in self._archives()), (self.uses_path, "use")]

    def _lines(self, *, strict: bool = False) -> list[LogLine]:
        """All lines, oldest first, events before uses.

        The live file is read first: a line that an archiving run moves meanwhile is seen twice, never not at all.
        """
        live = log_lines(self._live.read(strict=strict), kind="event")
        archived = [
            line
            for path in self._archives()
            for line in log_lines(AppendOnlyLog(path, lock=self._lock).read(strict=strict), kind="event")
        ]
        return archived + live + log_lines(self._uses.read(strict=strict), kind="use")

    def _rewrite_all(self, keep: Callable[[LogLine], bytes | None]) -> None:
        for path, kind in self._files():
            self._rewrite(path, kind, keep)

    def _rewrite(self, path: Path, kind: Kind, keep: Callable[[LogLine], bytes | None]) -> None:
        """Replace a file by what `keep` makes of its lines (None drops one), unless that is the same."""
        lines = log_lines(AppendOnlyLog(path, lock=self._lock).read(), kind=kind)
        kept = [raw for line in lines if (raw := keep(line)) is not None]
        if kept != [line.line.raw for line in lines]:
            replace_file(path, b"".join(raw + b"\n" for raw in kept))

    def _add_to_archive(self, day: str, raws: list[bytes]) -> None:
        make_folder(self.archive_folder)
        path = self.archive_folder / f"feedback-{day}.jsonl"
        there = [raw for raw in read_bytes(path).split(b"\n") if raw.strip()]
        fresh = [raw for raw in raws if raw not in set(there)]
        if fresh:
            replace_file(path, b"".join(raw + b"\n" for raw in there + fresh))

    def _remove_leftovers(self) -> None:
        for path, _ in self._files():
            for ending in (".torn", ".tmp"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
        for path in self.archive_folder.glob("feedback-*.jsonl.tmp"):
            path.unlink(missing_ok=True)


def _found(events: Iterable[FeedbackEvent], uses: Iterable[Invocation]) -> dict[str, Record]:
    """Event id → what a run found of that use."""
    judged: dict[str, Record] = {event.event_id: event for event in events}
    return {use.event_id: use for use in uses if use.event_id not in judged} | judged


def _kind(record: Record) -> Kind:
    return "event" if isinstance(record, FeedbackEvent) else "use"


def _row(record: Record, now: LogLine | None, *, snippets: bool) -> dict[str, Any]:
    """The row to write for `record`, which replaces `now`; fields of other tools come along."""
    supersedes = row_digest(now.row) if now else ""
    if isinstance(record, Invocation):
        return use_row(record, supersedes=supersedes)
    text = snippet(record.user_message_snippet) if snippets else ""
    row = event_row(record, text=text, supersedes=supersedes)
    strange = now.row.keys() - row.keys() if now and now.kind == "event" else set()
    return row | {name: now.row[name] for name in now.row if name in strange} if now else row


def _says(record: Record, now: LogLine | None) -> bool:
    """Whether the log's line `now` already says what `record` says."""
    if now is None or now.kind != _kind(record):
        return False
    return same_state(event_row(record) if isinstance(record, FeedbackEvent) else use_row(record), now.row)


def _change(record: Record, now: LogLine | None) -> str:
    """Under which of the ``UpdateCounts`` a record falls ('' for a use that is known)."""
    if isinstance(record, Invocation):
        if now and now.kind == "event":
            return "withdrawn"
        return "" if _says(record, now) else "uses"
    if now is None or now.kind == "use":
        return "new"
    return "unchanged" if _says(record, now) else "updated"


def _rebuilt(
    line: LogLine, *, found: Mapping[str, Record], current: Mapping[str, LogLine], lost: set[str], snippets: bool
) -> bytes | None:
    """What an overwrite makes of a line: one line a use that was found, none of a lost one, the rest as it is."""
    record = line.record
    if record and record.event_id in lost:
        return None
    if record is None or record.event_id not in found:
        return line.line.raw if snippets else _without_text(line)
    now = current[record.event_id]
    if (now.path, now.line.number) != (line.path, line.line.number):
        return None
    fresh = found[record.event_id]
    written = _row(fresh, None, snippets=snippets) | {"supersedes": line.supersedes}
    return dump_row(written | {name: value for name, value in line.row.items() if name not in written})


def _without_text(line: LogLine) -> bytes | None:
    """The line with its text emptied; None for one that nobody can read."""
    if line.line.row is None:
        return None
    if not line.row.get("user_message_snippet"):
        return line.line.raw
    return dump_row(line.row | {"user_message_snippet": ""})


def _invocation(event: FeedbackEvent) -> Invocation:
    return Invocation(
        event_id=event.event_id,
        timestamp=event.timestamp,
        session_id=event.session_id,
        skill_id=event.skill_id,
        invocation_uuid=event.invocation_uuid,
        via=None,
        reason="",
        turns_seen=event.turns_to_feedback,
        skill_digest=event.skill_digest,
        agent=event.agent,
        model=event.model,
        project=event.project,
    )
