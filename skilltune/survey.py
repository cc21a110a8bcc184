"""What lies where: the places of sessions, how much is there, how fresh, and what was passed over."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from skilltune.facts import TurnFact, UseFact
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


@dataclass(frozen=True, slots=True)
class Survey:
    """All places that were looked at."""

    places: tuple[Place, ...]

    def as_rows(self) -> list[dict[str, Any]]:
        """One dictionary a place, for JSON."""
        return [asdict(place) | {"newest": place.newest and place.newest.isoformat()} for place in self.places]


def survey(paths: Paths | None = None, *, as_of: datetime | None = None, progress: bool = False) -> Survey:
    """What is at `paths`, or where the agents keep their sessions.

    Parameters
    ----------
    as_of
        The time against which transcripts expire; default now.
    progress
        Show a bar where standard error is a terminal.
    """
    if paths is None:
        named = [(source.name, root) for source in SOURCES.values() for root in source.default_roots()]
    else:
        given = [paths] if isinstance(paths, str | Path) else paths
        named = [("Sessions", expand_path(path)) for path in given]
    now = as_of or datetime.now(UTC)
    return Survey(tuple(_look(name, root, as_of=now, progress=progress) for name, root in named))


def _look(name: str, root: Path, *, as_of: datetime, progress: bool) -> Place:
    if not may_exist(root):
        return Place(name=name, path=str(root), exists=False, records={}, unknown_types={}, skipped={})
    found = scan([root], progress=progress)
    turns, uses, newest, paths = _count(found)
    summary = found.summary
    return Place(
        name=name,
        path=str(root),
        exists=True,
        files=summary.files,
        sessions=summary.sessions,
        bytes=summary.bytes,
        turns=turns,
        uses=uses,
        newest=newest,
        expiring=len(find_expiring(paths, as_of=as_of)),
        records=summary.records,
        unknown_types=summary.unknown_types,
        skipped=summary.skipped,
        unreadable=summary.unreadable,
        orphans=summary.orphans,
    )


def _count(found: Scan) -> tuple[int, int, datetime | None, list[Path]]:
    """Own turns and uses, the newest stamp, and the files that hold sessions."""
    turns = uses = 0
    stamps: list[int] = []
    paths: list[Path] = []
    for facts in found.files():
        own = [item for session in facts.sessions for item in session.items if not item.copied]
        turns += sum(isinstance(item, TurnFact) for item in own)
        uses += sum(isinstance(item, UseFact) and not item.failed for item in own)
        stamps += [session.last_at for session in facts.sessions if session.last_at is not None]
        if facts.sessions:
            paths.append(Path(facts.path))
    return turns, uses, _time(stamps), paths


def _time(stamps: Iterable[int]) -> datetime | None:
    latest = max(stamps, default=None)
    try:
        return None if latest is None else _EPOCH + timedelta(microseconds=latest)
    except OverflowError:
        return None
