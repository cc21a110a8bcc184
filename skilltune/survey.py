"""What lies where: the places of sessions, how much is there, how fresh, and what was passed over."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from skilltune.facts import SessionFacts, TurnFact, UseFact
from skilltune.mining.origins import why_skipped
from skilltune.scan import Scan, scan
from skilltune.sources import SOURCES
from skilltune.stores.paths import expand_path
from skilltune.stores.transcripts import find_expiring
from skilltune.workflow import Paths, may_exist

__all__ = ["Place", "Survey", "survey"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One folder or file of sessions."""

    name: str
    """The agent, as people write it, or ``Sessions`` for a place that was named."""
    path: str
    exists: bool
    files: int = 0
    sessions: int = 0
    bytes: int = 0
    turns: int = 0
    uses: int = 0
    """Signs of skill use: calls, commands and reads; ``mine`` decides which count."""
    newest: datetime | None = None
    expiring: int = 0
    """Transcripts that the agent deletes within a week."""
    records: dict[str, int]
    unknown_types: dict[str, int]
    """Kinds of record, and tags, that the reader does not know."""
    skipped: dict[str, int]
    unreadable: tuple[tuple[str, str], ...] = ()
    orphans: tuple[str, ...] = ()
    left_out: dict[str, int] = field(default_factory=dict)
    """Sessions that ``mine`` leaves out, by its reason, such as ``session_temporary``."""
    left_out_uses: dict[str, int] = field(default_factory=dict)
    """By the same reason the signs of skill use in them; they are among ``uses``."""


@dataclass(frozen=True, slots=True)
class Survey:
    """All places that were looked at."""

    places: tuple[Place, ...]

    def as_rows(self) -> list[dict[str, Any]]:
        """One dictionary a place, for JSON."""
        return [asdict(place) | {"newest": place.newest and place.newest.isoformat()} for place in self.places]


@dataclass(slots=True)
class _Counts:
    """What the sessions of a place hold."""

    turns: int = 0
    uses: int = 0
    stamps: list[int] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    left_out_uses: Counter[str] = field(default_factory=Counter)


def survey(
    paths: Paths | None = None, *, as_of: datetime | None = None, scripted: bool = False, progress: bool = False
) -> Survey:
    """What is at `paths`, or where the agents keep their sessions.

    Parameters
    ----------
    as_of
        The time against which transcripts expire; default now.
    scripted
        Whether sessions that a program started count as ``mine`` counts them.
    progress
        Show a bar where standard error is a terminal.
    """
    if paths is None:
        named = [(source.name, root) for source in SOURCES.values() for root in source.default_roots()]
    else:
        given = [paths] if isinstance(paths, str | Path) else paths
        named = [("Sessions", expand_path(path)) for path in given]
    now = as_of or datetime.now(UTC)
    return Survey(tuple(_look(name, root, as_of=now, scripted=scripted, progress=progress) for name, root in named))


def _look(name: str, root: Path, *, as_of: datetime, scripted: bool, progress: bool) -> Place:
    if not may_exist(root):
        return Place(name=name, path=str(root), exists=False, records={}, unknown_types={}, skipped={})
    found = scan([root], progress=progress)
    counts = _count(found, scripted=scripted)
    summary = found.summary
    return Place(
        name=name,
        path=str(root),
        exists=True,
        files=summary.files,
        sessions=summary.sessions,
        bytes=summary.bytes,
        turns=counts.turns,
        uses=counts.uses,
        newest=_time(counts.stamps),
        expiring=len(find_expiring(counts.paths, as_of=as_of)),
        records=summary.records,
        unknown_types=summary.unknown_types,
        skipped=summary.skipped,
        unreadable=summary.unreadable,
        orphans=summary.orphans,
        left_out=dict(sorted(counts.left_out.items())),
        left_out_uses={reason: counts.left_out_uses[reason] for reason in sorted(counts.left_out)},
    )


def _count(found: Scan, *, scripted: bool) -> _Counts:
    """Own turns and uses, the stamps, the files that hold sessions, and what ``mine`` leaves out."""
    counts = _Counts()
    for facts in found.files():
        for session in facts.sessions:
            _add(counts, session, scripted=scripted)
        if facts.sessions:
            counts.paths.append(Path(facts.path))
    return counts


def _add(counts: _Counts, session: SessionFacts, *, scripted: bool) -> None:
    own = [item for item in session.items if not item.copied]
    uses = sum(isinstance(item, UseFact) and not item.failed for item in own)
    counts.turns += sum(isinstance(item, TurnFact) for item in own)
    counts.uses += uses
    if session.last_at is not None:
        counts.stamps.append(session.last_at)
    if reason := why_skipped(session, scripted=scripted):
        counts.left_out[f"session_{reason}"] += 1
        counts.left_out_uses[f"session_{reason}"] += uses


def _time(stamps: Iterable[int]) -> datetime | None:
    latest = max(stamps, default=None)
    try:
        return None if latest is None else _EPOCH + timedelta(microseconds=latest)
    except OverflowError:
        return None
