"""The feedback log: one line for each judged use in ``feedback.jsonl``, one for each other use in ``uses.jsonl``.

What whole sessions cost is in ``sessions.jsonl`` (`skilltune.stores.session_log`).
Lines are only ever added; ``overwrite``, ``archive`` and ``scrub`` put whole files in the place of whole files, in an
order in which readers find every use once whatever moment the run is killed at. Readers of the
12-field format who take the last line of an event id see its latest verdict; that a verdict was withdrawn later (a
line in ``uses.jsonl``) is seen by them after the next ``overwrite``.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from skilltune.limits import ARCHIVE_DAYS
from skilltune.records import FeedbackEvent, Invocation, SessionCost
from skilltune.stores.changes import (
    Kind,
    Record,
    change,
    found_records,
    judges,
    kind_of,
    new_row,
    rebuilt,
    saw_less,
    says,
    without_text,
)
from skilltune.stores.counts import LogContents, OverwriteCounts, Scope, ScrubCounts, UpdateCounts
from skilltune.stores.files import WriteLock, make_folder, read_bytes, replace_file
from skilltune.stores.jsonl import AppendOnlyLog, dump_row
from skilltune.stores.paths import look_at
from skilltune.stores.places import LogPlaces
from skilltune.stores.session_log import KeptSessions, SessionLog
from skilltune.stores.states import LogLine, current_lines, log_lines
from skilltune.stores.typed_rows import RowReader

__all__ = ["FeedbackLog", "LogContents", "OverwriteCounts", "Scope", "ScrubCounts", "UpdateCounts"]


class FeedbackLog:
    """The feedback log at `path`, with ``uses.jsonl``, ``sessions.jsonl`` and ``archive/`` beside it.

    Parameters
    ----------
    path
        ``feedback.jsonl``; it, its folder and its neighbours (`skilltune.stores.places.LogPlaces`) are made when
        there is something to write.
    """

    def __init__(self, path: str | Path) -> None:
        self._places = LogPlaces(path)
        self.path = self._places.log
        self.archive_folder = self._places.archive_folder
        self._lock = WriteLock(self._places.lock)
        self._live = AppendOnlyLog(self.path, lock=self._lock)
        self._uses = AppendOnlyLog(self.uses_path, lock=self._lock)
        self._sessions = SessionLog(self._places.sessions, lock=self._lock)

    @property
    def uses_path(self) -> Path:
        """Where the uses that gave no event are."""
        return self._places.uses

    @property
    def sessions_path(self) -> Path:
        """Where it is kept what whole sessions cost."""
        return self._sessions.path

    def archives(self) -> list[Path]:
        """The files of the archive, by day."""
        return self._places.archives()

    def exists(self) -> bool:
        """Whether there is a log here, be it only an archive."""
        return any(look_at(path) for path in (self.path, self.uses_path)) or bool(self._places.archives())

    def check_writable(self) -> None:
        """Return if this is a place for a log; see `skilltune.stores.places.LogPlaces.check_writable`.

        Whoever writes does so first; it may be asked before long work, too.

        Raises
        ------
        InputError
            When the name is one of a log's neighbours, or something is there that is no feedback log.
        """
        self._places.check_writable()

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

    def read_sessions(self) -> KeptSessions | None:
        """What each session cost; None for a log of an older skilltune, which did not keep that."""
        return self._sessions.read() if look_at(self.sessions_path) else None

    def update(
        self,
        events: Iterable[FeedbackEvent],
        uses: Iterable[Invocation],
        *,
        sessions: Iterable[SessionCost] = (),
        snippets: bool = True,
    ) -> UpdateCounts:
        """Add what the log does not say yet; a second run with the same adds nothing.

        An event that says something else than its line in the log is added with ``supersedes``, the digest of that
        line (`skilltune.stores.rows.row_digest`); so is a use whose event no longer holds, in ``uses.jsonl``. Text
        alone is no change, and a line that rests on more turns than the run saw stays. One that only lacks the cost or
        the skill's folder is written again once: the verdict counts as unchanged. `uses` may hold uses with an
        event too: they are passed over.

        Parameters
        ----------
        sessions
            What the sessions cost in which these uses were looked for, where all their uses are among them. They alone
            make no log: where no use was ever found, none is kept.
        snippets
            False writes no text; else what the person said is kept as `skilltune.stores.secrets.snippet` has it.
        """
        self.check_writable()
        found = found_records(events, uses)
        if not found and not self.exists():
            return UpdateCounts()
        with self._lock.held():
            counts = self._update(found, snippets=snippets) if found else UpdateCounts()
            self._sessions.update(sessions)
            return counts

    def overwrite(
        self,
        events: Iterable[FeedbackEvent],
        uses: Iterable[Invocation],
        *,
        scope: Scope,
        sessions: Iterable[SessionCost] = (),
        snippets: bool = True,
    ) -> OverwriteCounts:
        """Make the log say what this run found, one line a use, and keep all that the run could not have found.

        Parameters
        ----------
        scope
            What the run could have found; events outside of it stay as they are, with their history.
        sessions
            As for ``update``; sessions that are not among them stay.
        snippets
            False empties the texts that stay, too, and takes out damaged lines: they may hold text.
        """
        self.check_writable()
        found = found_records(events, uses)
        with self._lock.held():
            before = current_lines(self._lines())
            counts = self._update(found, snippets=snippets)
            current = current_lines(self._lines())
            taken = {i: record for i, record in found.items() if not saw_less(record, before.get(i))}
            lost = {i for i, line in current.items() if i not in found and line.record and scope.covers(line.record)}
            self._rewrite_all(partial(rebuilt, found=taken, current=current, lost=lost, snippets=snippets))
            self._sessions.rebuild(sessions if self.exists() else (), keep_damaged=snippets)
        left = [i for i, line in current.items() if i not in found and line.kind == "event"]
        removed = len(lost.intersection(left))
        return OverwriteCounts(
            new=counts.new,
            updated=counts.updated,
            unchanged=counts.unchanged,
            removed=removed + counts.withdrawn,
            kept=len(left) - removed,
            kept_longer=counts.kept_longer,
        )

    def archive(self, as_of: datetime) -> int:
        """Move events older than 90 days into ``archive/feedback-YYYYMMDD.jsonl``, by their day; how many were moved.

        First the archive gets its copy, whole, then the log lets go of its own: readers see one of each throughout.
        """
        if not self.exists():
            return 0
        self.check_writable()
        before = (as_of if as_of.tzinfo else as_of.replace(tzinfo=UTC)) - timedelta(days=ARCHIVE_DAYS)
        with self._lock.held():
            old: dict[str, list[LogLine]] = {}
            limit = before.astimezone(UTC).replace(tzinfo=None)
            reader = RowReader(self.path, "event")
            for line in reader.lines_where(lambda row: row.timestamp is not None and row.timestamp < limit):
                if line.record and line.record.timestamp:
                    old.setdefault(f"{line.record.timestamp:%Y%m%d}", []).append(line)
            if not old:
                return 0
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
        self.check_writable()
        with self._lock.held():
            lines = self._lines()
            self._rewrite_all(without_text)
            damaged = self._sessions.drop_damaged()
            for path in self._places.leftovers():
                path.unlink(missing_ok=True)
        return ScrubCounts(
            sum(1 for line in lines if line.row.get("user_message_snippet")),
            damaged + sum(1 for line in lines if line.line.row is None),
        )

    def _update(self, found: Mapping[str, Record], *, snippets: bool) -> UpdateCounts:
        current = current_lines(self._lines_about(found))
        added: dict[Kind, list[bytes]] = {"event": [], "use": []}
        counts: Counter[str] = Counter()
        for event_id, record in found.items():
            now = current.get(event_id)
            counts[change(record, now)] += 1
            if not says(record, now) and not saw_less(record, now):
                counts["completed"] += judges(record, now)
                added[kind_of(record)].append(dump_row(new_row(record, now, snippets=snippets)))
        self._live.append(added["event"])
        self._uses.append(added["use"])
        return UpdateCounts(**{field.name: counts[field.name] for field in fields(UpdateCounts)})

    def _files(self) -> list[tuple[Path, Kind]]:
        """All files of the log, and what their lines are about."""
        return [(self.path, "event"), *((path, "event") for path in self._places.archives()), (self.uses_path, "use")]

    def _lines(self, *, strict: bool = False) -> list[LogLine]:
        """All lines, oldest first, events before uses.

        The live file is read first: a line that an archiving run moves meanwhile is seen twice, never not at all.
        """
        live = log_lines(self._live.read(strict=strict), kind="event")
        archived = [
            line
            for path in self._places.archives()
            for line in log_lines(AppendOnlyLog(path, lock=self._lock).read(strict=strict), kind="event")
        ]
        return archived + live + log_lines(self._uses.read(strict=strict), kind="use")

    def _lines_about(self, ids: Container[str]) -> list[LogLine]:
        """The lines about some uses, in the order of ``_lines``; no others are held in memory."""
        live = RowReader(self.path, "event").lines_where(lambda row: row.event_id in ids)
        archived = [
            line
            for path in self._places.archives()
            for line in RowReader(path, "event").lines_where(lambda row: row.event_id in ids)
        ]
        return archived + live + RowReader(self.uses_path, "use").lines_where(lambda row: row.event_id in ids)

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
        path = self._places.archive(day)
        there = [raw for raw in read_bytes(path).split(b"\n") if raw.strip()]
        fresh = [raw for raw in raws if raw not in set(there)]
        if fresh:
            replace_file(path, b"".join(raw + b"\n" for raw in there + fresh))
