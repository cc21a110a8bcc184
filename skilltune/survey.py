"""What lies where: the places of sessions, how much is there, how fresh, and what was passed over."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from skilltune.facts import SessionFacts, TurnFact, UseFact
from skilltune.mining.origins import why_skipped
from skilltune.scan import Copy, Scan, scan
from skilltune.sources import SOURCES
from skilltune.stores.paths import expand_path
from skilltune.stores.transcripts import find_expiring
from skilltune.workflow import Paths, may_exist

__all__ = ["AgentShare", "Place", "Survey", "survey"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS: Final = 9
_SILENT: Final = timedelta(days=7)
"""How long sessions may go on without a use before that is worth a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentShare:
    """What one agent has in a place."""

    agent: str
    name: str
    """As people write it."""
    files: int = 0
    """Files that hold sessions of it."""
    sessions: int = 0
    turns: int = 0
    uses: int = 0
    versions: tuple[str, ...] = ()
    """Versions of the agent that wrote the sessions, the oldest first."""
    oldest: datetime | None = None
    newest: datetime | None = None
    newest_use: datetime | None = None
    silent: bool = False
    """Sessions were written within the last 7 days, and for longer than that none of them shows a use of a skill."""


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
    """Transcripts that Claude Code deletes within a week; other agents keep theirs."""
    records: dict[str, int]
    unknown_types: dict[str, int]
    """Kinds of record, and tags, that the reader does not know."""
    unknown_fields: dict[str, int] = field(default_factory=dict)
    """Fields of records, as ``type.field``, that the reader does not know."""
    skipped: dict[str, int]
    unreadable: tuple[tuple[str, str], ...] = ()
    orphans: tuple[str, ...] = ()
    left_out: dict[str, int] = field(default_factory=dict)
    """Sessions that ``mine`` leaves out, by its reason, such as ``session_temporary``."""
    left_out_uses: dict[str, int] = field(default_factory=dict)
    """By the same reason the signs of skill use in them; they are among ``uses``."""
    agents: tuple[AgentShare, ...] = ()
    """Each agent that has sessions here, sorted by its name."""
    copies: tuple[Copy, ...] = ()
    """Sessions that are wholly or partly counted in another file."""


@dataclass(frozen=True, slots=True)
class Survey:
    """All places that were looked at."""

    places: tuple[Place, ...]

    def as_rows(self) -> list[dict[str, Any]]:
        """One dictionary a place, for JSON."""
        return [_plain(asdict(place)) for place in self.places]


def _plain(value: Any) -> Any:
    """`value` with times as text."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


@dataclass(slots=True)
class _Share:
    """What one agent's sessions of a place hold."""

    files: set[str] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)
    turns: int = 0
    uses: int = 0
    versions: set[str] = field(default_factory=set)
    stamps: list[int] = field(default_factory=list)
    used: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Counts:
    """What the sessions of a place hold."""

    shares: dict[str, _Share] = field(default_factory=dict)
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
    shares = tuple(_share(agent, counts.shares[agent], as_of=as_of) for agent in sorted(counts.shares))
    summary = found.summary
    return Place(
        name=name,
        path=str(root),
        exists=True,
        files=summary.files,
        sessions=summary.sessions,
        bytes=summary.bytes,
        turns=sum(share.turns for share in shares),
        uses=sum(share.uses for share in shares),
        newest=max((share.newest for share in shares if share.newest), default=None),
        expiring=len(find_expiring(counts.paths, as_of=as_of)),
        records=summary.records,
        unknown_types=summary.unknown_types,
        unknown_fields=summary.unknown_fields,
        skipped=summary.skipped,
        unreadable=summary.unreadable,
        orphans=summary.orphans,
        left_out=dict(sorted(counts.left_out.items())),
        left_out_uses={reason: counts.left_out_uses[reason] for reason in sorted(counts.left_out)},
        agents=shares,
        copies=summary.copies,
    )


def _share(agent: str, share: _Share, *, as_of: datetime) -> AgentShare:
    oldest, newest = _time(share.stamps, pick=min), _time(share.stamps)
    newest_use = _time(share.used)
    last = newest_use or oldest
    return AgentShare(
        agent=agent,
        name=SOURCES[agent].name if agent in SOURCES else agent,
        files=len(share.files),
        sessions=len(share.sessions),
        turns=share.turns,
        uses=share.uses,
        versions=tuple(sorted(share.versions, key=_version_key)),
        oldest=oldest,
        newest=newest,
        newest_use=newest_use,
        silent=bool(newest and last and last < as_of - _SILENT <= newest <= as_of + _SILENT),
    )


def _version_key(version: str) -> list[tuple[int, str]]:
    """Numbers in a version by their size."""
    return [(int(part) if part.isdecimal() and len(part) < _DIGITS else -1, part) for part in version.split(".")]


def _count(found: Scan, *, scripted: bool) -> _Counts:
    """Own turns and uses of each agent, the files that hold sessions, and what ``mine`` leaves out."""
    counts = _Counts()
    for facts in found.files():
        for session in facts.sessions:
            _add(counts, session, scripted=scripted)
        if facts.sessions:
            counts.paths.append(Path(facts.path))
    return counts


def _add(counts: _Counts, session: SessionFacts, *, scripted: bool) -> None:
    own = [item for item in session.items if not item.copied]
    uses = [item for item in own if isinstance(item, UseFact) and not item.failed]
    share = counts.shares.setdefault(session.agent, _Share())
    share.files.add(session.path)
    share.sessions.add(session.session_id)
    share.turns += sum(isinstance(item, TurnFact) for item in own)
    share.uses += len(uses)
    share.versions |= {session.agent_version} - {""}
    share.stamps += [stamp for stamp in (session.first_at, session.last_at) if stamp is not None]
    share.used += [use.at for use in uses if use.at is not None]
    if reason := why_skipped(session, scripted=scripted):
        counts.left_out[f"session_{reason}"] += 1
        counts.left_out_uses[f"session_{reason}"] += len(uses)


def _time(stamps: Iterable[int], *, pick: Callable[..., int | None] = max) -> datetime | None:
    latest = pick(stamps, default=None)
    try:
        return None if latest is None else _EPOCH + timedelta(microseconds=latest)
    except OverflowError:
        return None
