"""The feedback ledger: what people recorded about skills, one JSON object a line, only ever added.

Corrections, overrides and ratings, and retractions that take one of these (or another retraction) back. Lines of other
tools are read too; a damaged line stays where it is, is counted, and can be set aside.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from skilltune.errors import InputError
from skilltune.stores.compact import dump_compact
from skilltune.stores.counts import ScrubCounts
from skilltune.stores.files import replace_file
from skilltune.stores.jsonl import AppendOnlyLog, Line, LogProblem
from skilltune.stores.ledger_rows import (
    KINDS,
    LedgerEvent,
    LedgerKind,
    event_row,
    new_event,
    parse_moment,
    read_event,
    without_texts,
)
from skilltune.stores.paths import is_folder, look_at
from skilltune.stores.workspace import FOLDER, Workspace, find_workspace

__all__ = ["FeedbackLedger", "LedgerContents", "LedgerEvent", "Repaired", "find_ledger"]

_SHARED: Final = Path(".planning") / "patterns"
"""The folder in which other tools keep the ledger of a project."""
_USABLE: Final = "replaced_characters"
"""What is wrong with a line that can be used all the same."""


@dataclass(frozen=True, slots=True)
class LedgerContents:
    """What a ledger says now."""

    events: list[LedgerEvent]
    """Every event in the order of the file, retracted ones and retractions among them."""
    retracted: frozenset[str]
    """Ids of events that a retraction which still counts takes back."""
    problems: list[LogProblem]

    @property
    def standing(self) -> list[LedgerEvent]:
        """The corrections, overrides and ratings that were not taken back."""
        return [event for event in self.events if event.type != "retract" and event.id not in self.retracted]

    def sessions(self, skill_id: str | None = None) -> dict[str, int]:
        """Session → how many corrections that count, the most first."""
        counts = Counter(event.session_id for event in self.chosen(skill_id=skill_id, kind="correction"))
        return dict(sorted(counts.items(), key=lambda item: -item[1]))

    def chosen(
        self,
        *,
        skill_id: str | None = None,
        session_id: str | None = None,
        since: datetime | str | None = None,
        kind: LedgerKind | None = None,
        retracted: bool = False,
    ) -> list[LedgerEvent]:
        """The events that count; parameters and errors as of ``FeedbackLedger.events``."""
        start = None if since is None else parse_moment(since)
        if since is not None and start is None:
            raise InputError(f"since is {since!r}; write it as 2026-11-30 or 2026-11-30T18:00:00+01:00")
        if kind is not None and kind not in KINDS:
            raise InputError(f"type is {kind!r}; it is one of {', '.join(KINDS)}")
        return [
            event
            for event in (self.events if retracted else self.standing)
            if (skill_id is None or event.skill_id == skill_id)
            and (session_id is None or event.session_id == session_id)
            and (kind is None or event.type == kind)
            and (start is None or event.timestamp >= start)
        ]


@dataclass(frozen=True, slots=True)
class Repaired:
    """What ``repair`` set aside, and where."""

    path: Path
    lines: tuple[LogProblem, ...]


class FeedbackLedger:
    """The ledger at `path`; it and its folder are made by the first event.

    Parameters
    ----------
    path
        The file; see ``find_ledger`` for where a workspace has it.
    workspace
        The workspace it lies in, which is made with it, so that git passes it over.
    """

    def __init__(self, path: str | Path, *, workspace: Workspace | None = None) -> None:
        self._log = AppendOnlyLog(path)
        self.path, self._workspace = self._log.path, workspace

    def exists(self) -> bool:
        """Whether anything was ever recorded here."""
        return look_at(self.path) is not None

    def record_correction(
        self,
        skill_id: str,
        *,
        original: str | None,
        corrected: str | None,
        session_id: str,
        skill_folder: str = "",
        at: datetime | None = None,
    ) -> LedgerEvent:
        """Record that a person changed `original` to `corrected`.

        Parameters
        ----------
        skill_id
            The skill.
        original, corrected
            The text before and after; '' for nothing there, None for a text that was not kept.
        session_id
            Where it happened; ``manual`` for what is typed in.
        skill_folder
            The skill's folder, for one of several of its name; by default the one that counts for the name is meant.
        at
            When; default now.

        Returns
        -------
        LedgerEvent
            As recorded: secrets and e-mail addresses are masked, ``masked`` says in which texts; a change of white
            space only is kept, and flagged ``formatting_only``.

        Raises
        ------
        InputError
            A field is empty or no text, both texts are identical or differ in a secret only, or both are empty; nothing
            is written.
        LogError
            The ledger cannot be locked or written; earlier events are as they were.
        """
        texts = {"original": original, "corrected": corrected, "skill_folder": skill_folder}
        return self._record("correction", skill_id=skill_id, session_id=session_id, at=at, **texts)

    def record_override(
        self, skill_id: str, *, rejected: str = "", reason: str = "", session_id: str, at: datetime | None = None
    ) -> LedgerEvent:
        """Record that a person did not take what the skill made; masking and errors as for ``record_correction``."""
        return self._record(
            "override", skill_id=skill_id, session_id=session_id, at=at, rejected=rejected, reason=reason
        )

    def record_rating(self, skill_id: str, *, score: float, session_id: str, at: datetime | None = None) -> LedgerEvent:
        """Record how good a person finds a use, from 1 to 5; errors as for ``record_correction``."""
        return self._record("rating", skill_id=skill_id, session_id=session_id, at=at, score=score)

    def retract(
        self, target: str, *, by: str, reason: str = "", session_id: str = "manual", at: datetime | None = None
    ) -> LedgerEvent:
        """Take an event back; of a retraction, so that what it took back counts again.

        Raises
        ------
        InputError
            No event has this id, or it is taken back already; nothing is written.
        LogError
            The ledger cannot be locked or written.
        """
        with self._log.locked():
            found = self.read()
            event = next((item for item in found.events if item.id == target), None)
            if event is None:
                raise InputError(f"target is {target!r}; no event of {self.path} has this id")
            if target in found.retracted:
                raise InputError(f"target is {target!r}; that event was taken back already")
            values = {"target": target, "by": by, "reason": reason}
            return self._record("retract", skill_id=event.skill_id, session_id=session_id, at=at, **values)

    def read(self) -> LedgerContents:
        """All events; lines that cannot be used are passed over and counted.

        Raises
        ------
        LogError
            The file cannot be read.
        """
        events, problems = self._taken(self._log.read().lines)
        return LedgerContents(events, _retracted(events), problems)

    def events(
        self,
        *,
        skill_id: str | None = None,
        session_id: str | None = None,
        since: datetime | str | None = None,
        kind: LedgerKind | None = None,
        retracted: bool = False,
    ) -> list[LedgerEvent]:
        """The events that count, in the order of the file.

        Parameters
        ----------
        skill_id, session_id, kind
            Only those of this skill, session, type; the events of one session in this order are its replay.
        since
            Only those at or after this time; a date is midnight UTC, no zone is UTC.
        retracted
            Take in what was taken back, and the retractions.

        Raises
        ------
        InputError
            `since` is no date or time, `kind` no type.
        """
        return self.read().chosen(skill_id=skill_id, session_id=session_id, since=since, kind=kind, retracted=retracted)

    def corrections(self, skill_id: str | None = None, *, since: datetime | str | None = None) -> list[LedgerEvent]:
        """The corrections that count; see ``events``."""
        return self.events(skill_id=skill_id, since=since, kind="correction")

    def count(
        self,
        *,
        skill_id: str | None = None,
        session_id: str | None = None,
        since: datetime | str | None = None,
        kind: LedgerKind | None = None,
        retracted: bool = False,
    ) -> int:
        """How many events there are; see ``events``."""
        found = self.events(skill_id=skill_id, session_id=session_id, since=since, kind=kind, retracted=retracted)
        return len(found)

    def sessions(self, skill_id: str | None = None) -> dict[str, int]:
        """Session → how many corrections, the most first: one with many is a problem of the skill, or a wrong task."""
        return self.read().sessions(skill_id)

    def verify(self) -> list[LogProblem]:
        """The lines that are not in order, each with its number and reason."""
        return self.read().problems

    def repair(self) -> Repaired:
        """Move lines that cannot be used into ``<name>.bad``, byte for byte; the rest stays in its order.

        Raises
        ------
        LogError
            A file cannot be written; nothing is lost.
        """
        aside = self.path.with_name(self.path.name + ".bad")
        with self._log.locked():
            lines = self._log.read().lines
            bad = [problem for problem in self._taken(lines)[1] if problem.reason != _USABLE]
            numbers = {problem.line for problem in bad}
            if bad:
                AppendOnlyLog(aside).append([line.raw for line in lines if line.number in numbers])
                kept = [line.raw + b"\n" for line in lines if line.number not in numbers]
                replace_file(self.path, b"".join(kept))
        return Repaired(aside, tuple(bad))

    def scrub(self) -> ScrubCounts:
        """Empty the texts of what was recorded, and remove lines that cannot be read, for they may hold some.

        Events stay, so that counts and retractions do.

        Raises
        ------
        LogError
            The file cannot be written; it is then as it was.
        """
        if not self.exists():
            return ScrubCounts(0, 0)
        with self._log.locked():
            lines = self._log.read().lines
            rows = [line.row for line in lines if line.row is not None]
            texts = sum(without_texts(row) != row for row in rows)
            replace_file(self.path, b"".join(dump_compact(without_texts(row)) + b"\n" for row in rows))
            self._log.torn_path.unlink(missing_ok=True)
            self.path.with_name(self.path.name + ".bad").unlink(missing_ok=True)
        return ScrubCounts(texts, len(lines) - len(rows))

    def _record(self, kind: str, *, skill_id: str, session_id: str, at: datetime | None, **values: Any) -> LedgerEvent:
        moment = datetime.now(UTC) if at is None else at
        event = new_event(kind, skill_id=skill_id, session_id=session_id, at=moment, **values)
        if self._workspace is not None:
            self._workspace.create()
        self._log.append([dump_compact(event_row(event))])
        return event

    def _taken(self, lines: Sequence[Line]) -> tuple[list[LedgerEvent], list[LogProblem]]:
        """The events in `lines`, and the lines that were not in order."""
        seen: Counter[bytes] = Counter()
        events: list[LedgerEvent] = []
        problems: list[LogProblem] = []
        for line in lines:
            problem = line.problem
            if line.row is not None:
                try:
                    nameless = "id" not in line.row
                    occurrence = seen[line.raw] if nameless else 0
                    events.append(read_event(line.row, raw=line.raw, occurrence=occurrence))
                    if nameless:
                        seen[line.raw] += 1
                except ValueError as error:
                    problem = str(error)
            if problem:
                problems.append(LogProblem(str(self.path), line.number, problem))
        return events, problems


def find_ledger(workspace: Workspace | str | Path | None = None) -> FeedbackLedger:
    """The ledger of a workspace: ``.planning/patterns/feedback.jsonl`` where that folder is, else ``ledger.jsonl``.

    Parameters
    ----------
    workspace
        A workspace, or what names one; default the nearest ``.skilltune`` upwards, else the user's. The folder
        ``.planning/patterns`` is looked for in the current folder, and beside the workspace.
    """
    place = workspace if isinstance(workspace, Workspace) else find_workspace(explicit=workspace)
    beside = [place.named.parent] if place.named is not None and place.named.name == FOLDER else []
    for folder in [place.cwd, *beside]:
        if is_folder(folder / _SHARED):
            return FeedbackLedger(folder / _SHARED / "feedback.jsonl")
    return FeedbackLedger(place.folder / "ledger.jsonl", workspace=place)


def _retracted(events: Iterable[LedgerEvent]) -> frozenset[str]:
    """Ids taken back by retractions that were not taken back themselves by a later one."""
    gone: set[str] = set()
    for event in reversed(list(events)):
        if event.type == "retract" and event.id not in gone:
            gone.add(event.target)
    return frozenset(gone)
