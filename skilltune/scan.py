"""Many files → one result: facts kept in a spool on disk, copies of a session told apart, counts summed up."""

import hashlib
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs

from skilltune.errors import RecordError
from skilltune.facts import CommandFact, FileFacts, Item, SessionFacts, SubagentFacts, UseFact
from skilltune.mining.ids import is_unique
from skilltune.sources import SOURCES, Source
from skilltune.sources.base import COMPRESSED, naming, readable
from skilltune.stores.spool import Spool

__all__ = ["Copy", "Scan", "ScanSummary", "scan"]

_FAR = 2**63 - 1
_UNREADABLE = (OSError, ValueError, ArithmeticError, RecursionError)
"""What reading one file may raise without ending the run: the file is named with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A session of which another file owns some or all: a fork, a resumed session, an export, a second store."""

    session_id: str
    path: str
    owner_id: str
    """The session that owns the first of what is copied."""
    owner_path: str
    copied: int
    """Turns, uses and commands that are counted elsewhere."""
    items: int
    """All of them."""
    forked_from: str = ""
    """The session that the records name as the one this is a fork of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanSummary:
    """What was read, and what was left out and why."""

    files: int = 0
    """Files found, readable or not."""
    sessions: int = 0
    """Different sessions; copies of one count once."""
    bytes: int = 0
    records: dict[str, int] = field(default_factory=dict)
    """Records of all files by what became of them; see ``FileFacts.records``."""
    unknown_types: dict[str, int] = field(default_factory=dict)
    unknown_fields: dict[str, int] = field(default_factory=dict)
    """The same of fields; see ``FileFacts.unknown_fields``."""
    problems: dict[str, dict[str, int]] = field(default_factory=dict)
    """Path → reason → damaged lines there."""
    skipped: dict[str, int] = field(default_factory=dict)
    """Reason → files that hold no session."""
    unreadable: tuple[tuple[str, str], ...] = ()
    """Path and message of what could not be read."""
    orphans: tuple[str, ...] = ()
    """Sub-agents whose main transcript is gone: folders of their transcripts, and files of their own elsewhere."""
    copied: int = 0
    """Turns, uses and commands that another file owns."""
    copies: tuple[Copy, ...] = ()
    """The sessions they stand in, in the order of the files."""


class Scan:
    """Facts of many files; as often as needed, one file in memory at a time."""

    def __init__(self, spool: Spool, *, owners: "_Owners", summary: ScanSummary) -> None:
        self._spool, self._owners = spool, owners
        self.summary = summary

    def files(self) -> Iterator[FileFacts]:
        """Facts of each file, in sorted order of paths, items that another file owns marked ``copied``."""
        if not self.summary.copied:
            yield from self._spool
            return
        for index, facts in enumerate(self._spool):
            yield _mark_copies(facts, owners=self._owners, index=index)


def scan(paths: Sequence[Path | str], *, strict: bool = False, progress: bool = False) -> Scan:
    """Read all sessions in files and folders.

    Parameters
    ----------
    paths
        Files, or folders to search.
    strict
        Raise at the first damaged line instead of counting it.
    progress
        Show a bar where standard error is a terminal.

    Raises
    ------
    RecordError
        With `strict`, a line is damaged.
    LogError
        What was read has no room in the folder for temporary files.
    """
    unreadable: list[tuple[str, str]] = []
    files = _find_files(paths, unreadable)
    spool, owners, sums, homes = Spool(), _Owners(), _Sums(), _homes()
    seen: set[tuple[int, int]] = set()
    for path, sources in _shown(files, progress=progress):
        try:
            facts = _again(path, seen) or _read(path, sources, homes=homes, strict=strict)
        except RecordError:
            raise
        except _UNREADABLE as error:
            name = readable(path)
            unreadable.append((name, str(error).removeprefix(f"{name}: ") or type(error).__name__))
            continue
        owners.claim(facts, index=len(spool))
        sums.add(facts)
        spool.append(facts)
    copies = [copy for index, facts in enumerate(spool) for copy in owners.copies(facts, index=index)]
    return Scan(spool, owners=owners, summary=sums.summary(files=len(files), copies=copies, unreadable=unreadable))


def _find_files(paths: Sequence[Path | str], unreadable: list[tuple[str, str]]) -> list[tuple[Path, list[Source]]]:
    """Every file once, sorted, with the sources that list it."""
    found: dict[Path, list[Source]] = {}
    complaints: dict[str, str] = {}

    def complain(path: Path, message: str) -> None:
        complaints[readable(path)] = message

    for root in dict.fromkeys(Path(path) for path in paths):
        for source in SOURCES.values():
            for path in source.find_files(root, on_error=complain):
                listed = found.setdefault(path, [])
                if source not in listed:
                    listed.append(source)
    unreadable += complaints.items()
    return sorted(found.items(), key=lambda item: item[0])


def _again(path: Path, seen: set[tuple[int, int]]) -> FileFacts | None:
    """Facts of a file that another path has led to: a link to it."""
    status = path.stat()
    place = (status.st_dev, status.st_ino)
    if place in seen and status.st_ino:
        return FileFacts(path=readable(path), skipped="same_file")
    seen.add(place)
    return None


def _read(path: Path, sources: list[Source], *, homes: dict[str, Source], strict: bool) -> FileFacts:
    """Facts of one file, by the first source that knows its content.

    The only one that lists it, and the one whose home it lies in, need not be asked first: their reader tells as well.
    What nobody knows is read for its counts.
    """
    if path.name.endswith(COMPRESSED):
        return FileFacts(path=readable(path), size=_size(path), skipped="compressed")
    home = None if strict else next((source for root, source in homes.items() if str(path).startswith(root)), None)
    if home is not None and home in sources:
        facts = home.read_facts(path)
        if facts.skipped != "not_a_session":
            return facts
        other = _knowing(path, [source for source in sources if source is not home])
        return other.read_facts(path) if other else facts
    chosen = _knowing(path, sources) if len(sources) > 1 else None
    return (chosen or sources[0]).read_facts(path, strict=strict)


def _knowing(path: Path, sources: Iterable[Source]) -> Source | None:
    return next((source for source in sources if source.sniff(path)), None)


def _homes() -> dict[str, Source]:
    """Each agent's own folders as paths begin in them."""
    return {f"{root}{os.sep}": source for source in SOURCES.values() for root in source.default_roots()}


def _size(path: Path) -> int:
    with naming(path):
        return path.stat().st_size


def _shown(files: list[tuple[Path, list[Source]]], *, progress: bool) -> Iterable[tuple[Path, list[Source]]]:
    if not progress or not sys.stderr.isatty():
        return files
    from tqdm import tqdm

    return tqdm(files, desc="reading sessions", unit="file", file=sys.stderr, leave=False)


def _orphan(run: SubagentFacts) -> str:
    """What to call a sub-agent without a session: its session's folder of sub-agents if it lies in one, else its file.

    A run whose session's transcript lies beside that folder has one, though it may not be among what was read: ''.
    """
    path = Path(run.path)
    if "subagents" not in path.parts[:-1]:
        return run.path
    folder = Path(*path.parts[: path.parts.index("subagents") + 1])
    return "" if folder.parent.with_name(f"{folder.parent.name}.jsonl").exists() else readable(folder)


class _Rank(NamedTuple):
    """Whose claim on a record is stronger: the smaller one. The earliest file owns."""

    foreign: bool
    """The file is not the one the record's session is named after."""
    forked: bool
    """The records say that the session is a fork: what it shares with another is the other's."""
    first_at: int
    last_at: int
    """A copy begins with the same record as what it is a copy of, and goes on longer."""
    path: str


class _Claim(NamedTuple):
    """One session of one file."""

    rank: _Rank
    file: int
    """Number of the file."""
    session_id: str


class _Owners:
    """Which file owns which record."""

    def __init__(self) -> None:
        self._claims: list[_Claim] = []
        self._owner: dict[int, int] = {}
        """Key of a record → number of the strongest claim."""

    def claim(self, facts: FileFacts, *, index: int) -> None:
        """Enter a file's claim on its items."""
        last_at = max((session.last_at for session in facts.sessions if session.last_at is not None), default=_FAR)
        for session in facts.sessions:
            foreign, first = Path(facts.path).stem != session.session_id, session.first_at
            first_at = _FAR if first is None else first
            rank = _Rank(foreign, bool(session.forked_from), first_at, last_at, facts.path)
            number = len(self._claims)
            self._claims.append(_Claim(rank, index, session.session_id))
            for key in _keys(session):
                if key is not None:
                    held = self._owner.setdefault(key, number)
                    if rank < self._claims[held].rank:
                        self._owner[key] = number

    def are_copies(self, session: SessionFacts, *, index: int) -> list[bool]:
        """For each item of the session whether another file than number `index` owns it."""
        return [key is not None and self._claims[self._owner[key]].file != index for key in _keys(session)]

    def copies(self, facts: FileFacts, *, index: int) -> Iterator[Copy]:
        """Those sessions of file number `index` of which another file owns something."""
        for session in facts.sessions:
            claims = [self._claims[self._owner[key]] for key in _keys(session) if key is not None]
            owners = [claim for claim in claims if claim.file != index]
            if owners:
                yield Copy(
                    session_id=session.session_id,
                    path=facts.path,
                    owner_id=owners[0].session_id,
                    owner_path=owners[0].rank.path,
                    copied=len(owners),
                    items=len(session.items),
                    forked_from=session.forked_from,
                )


def _keys(session: SessionFacts) -> Iterator[int | None]:
    """What makes each item the same in two files: its uuid, else its call; None where nothing does.

    An id that may be a number in its session counts with the moment and the words. A queued prompt has no
    id: it is the same after the same item at the same moment with the same words, and nothing
    makes it the same where no item before it has a uuid or call.
    """
    before: int | None = None
    for item in session.items:
        name = item.uuid or (item.call_id if isinstance(item, UseFact) else "")
        if name:
            before = _digest(name if is_unique(name) else f"{name} {item.at} {_words(item)}")
            yield before
        elif before is None or item.at is None:
            yield None
        else:
            yield _digest(f"{before} {item.at} {_words(item)}")


def _words(item: Item) -> str:
    if isinstance(item, CommandFact):
        return item.command
    return item.skill_id if isinstance(item, UseFact) else item.text


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def _mark_copies(facts: FileFacts, *, owners: _Owners, index: int) -> FileFacts:
    if not any(any(owners.are_copies(session, index=index)) for session in facts.sessions):
        return facts
    sessions = tuple(_mark_session(session, owners=owners, index=index) for session in facts.sessions)
    return structs.replace(facts, sessions=sessions)


def _mark_session(session: SessionFacts, *, owners: _Owners, index: int) -> SessionFacts:
    items: tuple[Any, ...] = tuple(
        structs.replace(item, copied=True) if copied else item
        for item, copied in zip(session.items, owners.are_copies(session, index=index), strict=True)
    )
    return structs.replace(session, items=items)


class _Sums:
    """Counts over all files read so far."""

    def __init__(self) -> None:
        self._bytes = 0
        self._sessions: set[tuple[str, str]] = set()
        """Agent and id of each session: two agents may give the same."""
        self._records: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()
        self._fields: Counter[str] = Counter()
        self._skipped: Counter[str] = Counter()
        self._problems: dict[str, dict[str, int]] = {}
        self._subagents: list[SubagentFacts] = []

    def add(self, facts: FileFacts) -> None:
        self._bytes += facts.size
        self._sessions |= {(session.agent, session.session_id) for session in facts.sessions}
        self._subagents += facts.subagents
        self._records.update(facts.records)
        self._unknown.update(facts.unknown_types)
        self._fields.update(facts.unknown_fields)
        if facts.skipped:
            self._skipped[facts.skipped] += 1
        if facts.problems:
            self._problems[facts.path] = dict(Counter(problem.reason for problem in facts.problems))

    def _orphans(self) -> tuple[str, ...]:
        """What sub-agents are called whose session was not found."""
        known = {session_id for _, session_id in self._sessions}
        lone = {_orphan(run) for run in self._subagents if run.session_id not in known}
        return tuple(sorted(lone - {""}))

    def summary(self, *, files: int, copies: list[Copy], unreadable: list[tuple[str, str]]) -> ScanSummary:
        return ScanSummary(
            files=files,
            sessions=len(self._sessions),
            bytes=self._bytes,
            records=dict(sorted(self._records.items())),
            unknown_types=dict(sorted(self._unknown.items())),
            unknown_fields=dict(sorted(self._fields.items())),
            problems=self._problems,
            skipped=dict(sorted(self._skipped.items())),
            unreadable=tuple(unreadable),
            orphans=self._orphans(),
            copied=sum(copy.copied for copy in copies),
            copies=tuple(copies),
        )
