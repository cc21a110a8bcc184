"""The queue of candidates: ``candidates.jsonl``, what sessions showed and what a person decided on it, only added to.

Three kinds of line: ``candidate`` (one sighting; the texts, secrets masked and cut, are null where none are kept),
``decision`` and ``reopen``, which hold no text. What was decided stays decided, whichever session repeats it, until a
person opens it again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, get_args

from skilltune.evolution.candidates import Candidate, Sighting, merge_candidates
from skilltune.mining.detected import DetectedKind, Sign
from skilltune.records import Attribution
from skilltune.stores.files import replace_file
from skilltune.stores.jsonl import AppendOnlyLog, LogProblem, dump_row
from skilltune.stores.ledger_rows import parse_moment
from skilltune.stores.paths import look_at
from skilltune.stores.workspace import Workspace, find_workspace

__all__ = ["CandidateContents", "CandidateLog", "Decision", "Reopening", "find_candidate_log"]

_TEXTS: Final = ("original", "corrected", "quote")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a person decided on a candidate, or on a group of complaints."""

    candidate: str
    """The id of either."""
    decision: Literal["accept", "dismiss"]
    by: str
    at: datetime
    skill_id: str = ""
    """The skill that the person named."""
    edited: bool = False
    """They wrote a text anew."""
    ledger_ids: tuple[str, ...] = ()
    """Ids of the corrections that were recorded."""
    complaints: tuple[str, ...] = ()
    """Ids of the complaints of a group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reopening:
    """A decision that a person took back."""

    candidate: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CandidateContents:
    """What the queue says now."""

    candidates: Mapping[str, Candidate]
    """By id, decided ones among them."""
    decisions: Mapping[str, Decision]
    """By the candidate's id; the first since it was last opened again counts."""
    problems: Sequence[LogProblem]

    @property
    def dismissed_complaints(self) -> frozenset[str]:
        """Ids of complaints whose group was dismissed."""
        return frozenset(id_ for decision in self.decisions.values() for id_ in decision.complaints)


class CandidateLog:
    """The queue at `path`; it and its folder are made by the first candidate.

    Parameters
    ----------
    path
        ``candidates.jsonl`` of a workspace.
    workspace
        The workspace it lies in, which is made with it, so that git passes it over.
    """

    def __init__(self, path: str | Path, *, workspace: Workspace | None = None) -> None:
        self._log = AppendOnlyLog(path)
        self.path, self._workspace = self._log.path, workspace

    def exists(self) -> bool:
        """Whether anything was ever found here."""
        return look_at(self.path) is not None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other writers out for a block."""
        if self._workspace is not None:
            self._workspace.create()
        with self._log.locked():
            yield

    def read(self) -> CandidateContents:
        """All candidates and decisions; lines that cannot be understood are passed over and counted.

        Raises
        ------
        LogError
            The file cannot be read.
        """
        found: list[Candidate] = []
        decisions: dict[str, Decision] = {}
        problems: list[LogProblem] = []
        for line in self._log.read().lines:
            problem = line.problem
            if line.row is not None:
                try:
                    item = _read_row(line.row)
                except (ValueError, TypeError, KeyError, OverflowError):
                    problem = "odd_row"
                else:
                    if isinstance(item, Decision):
                        decisions.setdefault(item.candidate, item)
                    elif isinstance(item, Reopening):
                        decisions.pop(item.candidate, None)
                    else:
                        found.append(item)
            if problem:
                problems.append(LogProblem(str(self.path), line.number, problem))
        return CandidateContents({item.id: item for item in merge_candidates(found)}, decisions, problems)

    def add(self, candidates: Iterable[Candidate], *, texts: bool = True) -> int:
        """Add what the queue does not hold yet: new candidates, and new sightings of those not decided on.

        Parameters
        ----------
        texts
            False writes no text.

        Returns
        -------
        int
            How many candidates are new.

        Raises
        ------
        LogError
            The queue cannot be locked or written.
        """
        items = list(candidates)
        if not items:
            return 0
        with self.locked():
            known = self.read()
            rows: list[dict[str, Any]] = []
            fresh = 0
            for item in items:
                if item.id not in known.decisions:
                    before = known.candidates.get(item.id)
                    fresh += before is None
                    rows += _new_rows(item, before, texts=texts)
            self._log.append([dump_row(row) for row in rows])
        return fresh

    def decide(self, decision: Decision) -> None:
        """Add a decision; see ``locked`` for keeping it the only one.

        Raises
        ------
        LogError
            The queue cannot be locked or written.
        """
        with self.locked():
            self._log.append([dump_row(_decision_row(decision))])

    def reopen(self, reopening: Reopening) -> None:
        """Take a decision back; see ``locked`` for keeping it the only act.

        Raises
        ------
        LogError
            The queue cannot be locked or written.
        """
        row = {
            "type": "reopen",
            "candidate": reopening.candidate,
            "by": reopening.by,
            "timestamp": _stamp(reopening.at),
        }
        with self.locked():
            self._log.append([dump_row(row)])

    def scrub(self) -> int:
        """Remove every text, and lines that cannot be read, for they may hold some; how many candidates had texts.

        Candidates, sightings and decisions stay.
        """
        if not self.exists():
            return 0
        with self.locked():
            lines = self._log.read().lines
            rows = [line.row for line in lines if line.row is not None]
            had = sum(any(row.get(name) for name in _TEXTS) for row in rows)
            kept = [dump_row(_without_texts(row)) + b"\n" for row in rows]
            replace_file(self.path, b"".join(kept))
            self._log.torn_path.unlink(missing_ok=True)
        return had


def find_candidate_log(workspace: Workspace | str | Path | None = None) -> CandidateLog:
    """The queue of a workspace, or of what names one; default the nearest ``.skilltune`` upwards, else the user's."""
    place = workspace if isinstance(workspace, Workspace) else find_workspace(explicit=workspace)
    return CandidateLog(place.folder / "candidates.jsonl", workspace=place)


def _new_rows(item: Candidate, before: Candidate | None, *, texts: bool) -> list[dict[str, Any]]:
    """A line for each sighting that is not known; the first of a new candidate has the texts.

    Text alone is nothing new: what was scrubbed stays away.
    """
    seen = {sighting.event_id for sighting in before.sightings} if before else set()
    fresh = [sighting for sighting in item.sightings if sighting.event_id not in seen]
    bare = replace(item, original=None, corrected=None, quote=None)
    first = item if texts and before is None else bare
    return [_candidate_row(first if at == 0 else bare, sighting) for at, sighting in enumerate(fresh)]


def _candidate_row(item: Candidate, seen: Sighting) -> dict[str, Any]:
    return {
        "type": "candidate",
        "id": item.id,
        "kind": item.kind,
        "sign": item.sign,
        "skillName": seen.skill_id,
        "event_id": seen.event_id,
        "attribution": seen.attribution,
        "sessionId": seen.session_id,
        "project": seen.project,
        "transcript": seen.transcript,
        "lines": list(seen.lines),
        "timestamp": _stamp(seen.timestamp),
        "base_directory": seen.base_directory,
        "file": item.file,
        "original": item.original,
        "corrected": item.corrected,
        "quote": item.quote,
        "cut": item.cut,
    }


def _decision_row(decision: Decision) -> dict[str, Any]:
    return {
        "type": "decision",
        "candidate": decision.candidate,
        "decision": decision.decision,
        "by": decision.by,
        "timestamp": _stamp(decision.at),
        "skillName": decision.skill_id,
        "edited": decision.edited,
        "ledgerIds": list(decision.ledger_ids),
        "complaints": list(decision.complaints),
    }


def _without_texts(row: Mapping[str, Any]) -> dict[str, Any]:
    return dict(row) | {name: None for name in _TEXTS if name in row}


def _read_row(row: Mapping[str, Any]) -> Candidate | Decision | Reopening:
    """What a line says; an error where it says nothing that is known."""
    if row.get("type") == "candidate":
        return _read_candidate(row)
    if row.get("type") == "decision":
        return _read_decision(row)
    if row.get("type") == "reopen":
        return Reopening(candidate=_name(row["candidate"]), by=_text(row.get("by", "")), at=_moment(row))
    raise ValueError("type")


def _read_candidate(row: Mapping[str, Any]) -> Candidate:
    seen = Sighting(
        skill_id=_name(row["skillName"]),
        event_id=_text(row["event_id"]),
        attribution=_word(row["attribution"], Attribution),
        session_id=_name(row["sessionId"]),
        project=_text(row.get("project", "")),
        transcript=_text(row.get("transcript", "")),
        lines=tuple(int(line) for line in row["lines"]),
        timestamp=parse_moment(row.get("timestamp")),
        base_directory=_text(row.get("base_directory", "")),
    )
    original, corrected, quote = (None if row.get(name) is None else _text(row[name]) for name in _TEXTS)
    return Candidate(
        id=_name(row["id"]),
        kind=_word(row["kind"], DetectedKind),
        sign=_word(row["sign"], Sign),
        file=_text(row.get("file", "")),
        original=original,
        corrected=corrected,
        quote=quote,
        cut=row.get("cut") is True,
        sightings=(seen,),
    )


def _read_decision(row: Mapping[str, Any]) -> Decision:
    return Decision(
        candidate=_name(row["candidate"]),
        decision=_word(row["decision"], Literal["accept", "dismiss"]),
        by=_text(row.get("by", "")),
        at=_moment(row),
        skill_id=_text(row.get("skillName", "")),
        edited=row.get("edited") is True,
        ledger_ids=tuple(_text(id_) for id_ in row.get("ledgerIds", ())),
        complaints=tuple(_text(id_) for id_ in row.get("complaints", ())),
    )


def _moment(row: Mapping[str, Any]) -> datetime:
    return parse_moment(row.get("timestamp")) or datetime.min.replace(tzinfo=UTC)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _name(value: Any) -> str:
    if not _text(value):
        raise ValueError(value)
    return str(value)


def _word(value: Any, words: Any) -> Any:
    if value not in get_args(words):
        raise ValueError(value)
    return value


def _stamp(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
