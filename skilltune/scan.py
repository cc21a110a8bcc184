"""Many files → one result: facts kept in a spool on disk, copies of a session told apart, counts summed up."""

import hashlib
import sys
import tempfile
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec
from msgspec import structs

from skilltune.errors import LogError, ReadError, RecordError
from skilltune.facts import CommandFact, FileFacts, Item, SessionFacts, UseFact
from skilltune.sources import SOURCES, Source
from skilltune.sources.base import readable

__all__ = ["Scan", "ScanSummary", "scan"]

_FAR = 2**63 - 1


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


class Scan:
    """Facts of many files; as often as needed, one file in memory at a time."""

    def __init__(self, spool: "_Spool", *, owners: "_Owners", summary: ScanSummary) -> None:
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
    spool, owners, sums = _Spool(), _Owners(), _Sums()
    for path, source in _shown(files, progress=progress):
        try:
            facts = source.read_facts(path, strict=strict)
        except RecordError:
            raise
        except ReadError as error:
            name = readable(path)
            unreadable.append((name, str(error).removeprefix(f"{name}: ")))
            continue
        owners.claim(facts, index=len(spool))
        sums.add(facts)
        spool.append(facts)
    copied = sum(owners.count_copies(facts, index=index) for index, facts in enumerate(spool))
    orphans = (*_find_orphans(path for path, _ in files), *sums.lone_subagents())
    summary = sums.summary(files=len(files), copied=copied, unreadable=unreadable, orphans=tuple(sorted(orphans)))
    return Scan(spool, owners=owners, summary=summary)


def _find_files(paths: Sequence[Path | str], unreadable: list[tuple[str, str]]) -> list[tuple[Path, Source]]:
    """Every file once, sorted, with the source that reads it."""
    found: dict[Path, list[Source]] = {}
    complaints: dict[str, str] = {}

    def complain(path: Path, message: str) -> None:
        complaints[readable(path)] = message

    for root in paths:
        for source in SOURCES.values():
            for path in source.find_files(Path(root), on_error=complain):
                found.setdefault(path, []).append(source)
    unreadable += complaints.items()
    return [(path, _choose(path, found[path])) for path in sorted(found)]


def _choose(path: Path, sources: list[Source]) -> Source:
    """The one that knows the content; the only one need not be asked."""
    if len(sources) == 1:
        return sources[0]
    return next((source for source in sources if source.sniff(path)), sources[0])


def _shown(files: list[tuple[Path, Source]], *, progress: bool) -> Iterable[tuple[Path, Source]]:
    if not progress or not sys.stderr.isatty():
        return files
    from tqdm import tqdm

    return tqdm(files, desc="reading sessions", unit="file", file=sys.stderr, leave=False)


def _find_orphans(paths: Iterable[Path]) -> tuple[str, ...]:
    """``<session>/subagents`` folders without ``<session>.jsonl`` beside the session's folder."""
    folders = {
        Path(*path.parts[: path.parts.index("subagents") + 1]) for path in paths if "subagents" in path.parts[:-1]
    }
    return tuple(sorted(readable(folder) for folder in folders if not _main_transcript(folder).exists()))


def _main_transcript(folder: Path) -> Path:
    return folder.parent.with_name(f"{folder.parent.name}.jsonl")


class _Spool:
    """Facts of many files, on disk."""

    def __init__(self) -> None:
        with _told_where():
            self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the spool)
        weakref.finalize(self, _close, self._file)
        self._sizes: list[int] = []

    def __len__(self) -> int:
        return len(self._sizes)

    def append(self, facts: FileFacts) -> None:
        packed = _pack(facts)
        with _told_where():
            self._file.seek(0, 2)
            self._file.write(packed)
        self._sizes.append(len(packed))

    def __iter__(self) -> Iterator[FileFacts]:
        at = 0
        for size in self._sizes:
            with _told_where():
                self._file.seek(at)
                packed = self._file.read(size)
            yield _unpack(packed)
            at += size


@contextmanager
def _told_where() -> Iterator[None]:
    """Failures of the spool's file as errors that name its folder and what helps."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise LogError(f"{_spool_folder()}: {reason}; set TMPDIR to a folder with more room") from error


def _spool_folder() -> str:
    try:
        return readable(tempfile.gettempdir())
    except OSError:
        return "no folder for temporary files"


def _close(file: IO[bytes]) -> None:
    """Close what nobody reads any more: what could not be written before need not be complained of again."""
    with suppress(OSError):
        file.close()


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(FileFacts).decode


class _Rank(NamedTuple):
    """Whose claim on a record is stronger: the smaller one."""

    foreign: bool
    """The file is not the one the record's session is named after."""
    last_at: int
    path: str


class _Owners:
    """Which file owns which record."""

    def __init__(self) -> None:
        self._claims: list[_Rank] = []
        self._files: list[int] = []
        self._owner: dict[int, int] = {}
        """Key of a record → number of the strongest claim."""

    def claim(self, facts: FileFacts, *, index: int) -> None:
        """Enter a file's claim on its items."""
        last_at = max((session.last_at for session in facts.sessions if session.last_at is not None), default=_FAR)
        for session in facts.sessions:
            rank = _Rank(Path(facts.path).stem != session.session_id, last_at, facts.path)
            self._claims.append(rank)
            self._files.append(index)
            number = len(self._claims) - 1
            for key in _keys(session):
                if key is not None:
                    held = self._owner.setdefault(key, number)
                    if rank < self._claims[held]:
                        self._owner[key] = number

    def are_copies(self, session: SessionFacts, *, index: int) -> list[bool]:
        """For each item of the session whether another file than number `index` owns it."""
        return [key is not None and self._files[self._owner[key]] != index for key in _keys(session)]

    def count_copies(self, facts: FileFacts, *, index: int) -> int:
        """Items of file number `index` that another file owns."""
        return sum(sum(self.are_copies(session, index=index)) for session in facts.sessions)


def _keys(session: SessionFacts) -> Iterator[int | None]:
    """What makes each item the same in two files: its uuid, else its call; None where nothing does.

    A queued prompt has neither: it is the same after the same item at the same moment with the same words, and nothing
    makes it the same where no item before it has a uuid or call.
    """
    before: int | None = None
    for item in session.items:
        name = item.uuid or (item.call_id if isinstance(item, UseFact) else "")
        if name:
            before = _digest(name)
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
    if not owners.count_copies(facts, index=index):
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
        self._sessions: set[str] = set()
        self._records: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()
        self._skipped: Counter[str] = Counter()
        self._problems: dict[str, dict[str, int]] = {}
        self._subagents: list[tuple[str, str]] = []
        """Session and path of each sub-agent's file that lies in no folder of its session."""

    def add(self, facts: FileFacts) -> None:
        self._bytes += facts.size
        self._sessions |= {session.session_id for session in facts.sessions}
        self._subagents += [
            (run.session_id, run.path) for run in facts.subagents if "subagents" not in Path(run.path).parts[:-1]
        ]
        self._records.update(facts.records)
        self._unknown.update(facts.unknown_types)
        if facts.skipped:
            self._skipped[facts.skipped] += 1
        if facts.problems:
            self._problems[facts.path] = dict(Counter(problem.reason for problem in facts.problems))

    def lone_subagents(self) -> set[str]:
        """Paths of sub-agents' files whose session was not found."""
        return {path for session_id, path in self._subagents if session_id not in self._sessions}

    def summary(
        self, *, files: int, copied: int, unreadable: list[tuple[str, str]], orphans: tuple[str, ...]
    ) -> ScanSummary:
        return ScanSummary(
            files=files,
            sessions=len(self._sessions),
            bytes=self._bytes,
            records=dict(sorted(self._records.items())),
            unknown_types=dict(sorted(self._unknown.items())),
            problems=self._problems,
            skipped=dict(sorted(self._skipped.items())),
            unreadable=tuple(unreadable),
            orphans=orphans,
            copied=copied,
        )
