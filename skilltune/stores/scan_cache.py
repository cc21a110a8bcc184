"""What was read of files that have not changed since: facts as packed bytes, in the user's own cache folder.

Everything in it can be made again: what is damaged, locked or of another version is not used, and never ends a run.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

import msgspec
from platformdirs import user_cache_path

from skilltune.errors import CollectionDisabled
from skilltune.facts import FACTS_VERSION
from skilltune.stores.kept_facts import KeptFacts, create_private, readers_file
from skilltune.stores.privacy import check_collection

__all__ = ["Fresh", "Kept", "Place", "ScanCache", "cache_file", "delete_cache", "place_of", "usable_cache"]

SETTING: Final = "SKILLTUNE_CACHE"
"""Environment variable: ``off`` for no cache."""
_PENDING_BYTES: Final = 4 << 20
_YOUNG_NS: Final = 2_000_000_000
"""A file that changed so shortly ago may change again within one tick of its clock: it is not kept yet."""
_LOCK_SECONDS: Final = 2
_FEW: Final = 200
"""Up to so many files are looked up one by one: else all that is kept is gone through."""
_LAYOUT: Final = 3
"""Number of the tables' layout: a cache with another is emptied."""
_TABLES: Final = (
    """CREATE TABLE files (
        path BLOB PRIMARY KEY, reader TEXT NOT NULL, place BLOB NOT NULL, outline BLOB NOT NULL, facts INTEGER NOT NULL
    ) WITHOUT ROWID""",
    "CREATE TABLE facts (id INTEGER PRIMARY KEY AUTOINCREMENT, packed BLOB NOT NULL)",
    "CREATE TABLE states (path BLOB PRIMARY KEY, state BLOB NOT NULL)",
    "CREATE TABLE outdated (facts INTEGER PRIMARY KEY)",
    "CREATE TABLE runs (number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, told BLOB NOT NULL)",
)
_ALL: Final = "SELECT path, reader, place, outline, facts FROM files"
_ONE: Final = f"{_ALL} WHERE path = ?"
_OUTDATE: Final = "INSERT OR IGNORE INTO outdated SELECT facts FROM files WHERE path = ?"
_RUNS: Final = 8
"""Runs of which it is remembered what all their files told together."""
_KEEP: Final = "INSERT OR REPLACE INTO files (path, reader, place, outline, facts) VALUES (?, ?, ?, ?, ?)"


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(tuple[int, int, int, int, int]).decode


class Place(NamedTuple):
    """What a file has another of as soon as its content is another."""

    device: int
    inode: int
    size: int
    modified: int
    """Nanoseconds since 1970."""
    changed: int
    """The same of the entry: not set back by those who set the other."""

    def packed(self) -> bytes:
        """As bytes."""
        return _pack(self)

    def length_before(self, packed: bytes) -> int:
        """The size that this file had at the `packed` place; 0 where it was another, or has not grown since."""
        device, inode, size = _unpack(packed)[:3]
        return size if self.inode != 0 and (device, inode) == self[:2] and size < self.size else 0


class Kept(NamedTuple):
    """What is kept of a file."""

    reader: str
    """Who read it."""
    place: bytes
    outline: bytes
    facts: int
    """The number under which its facts are found."""


class Fresh(NamedTuple):
    """What was read of a file and is to be kept."""

    packed: bytes
    """Its facts."""
    outline: bytes
    state: bytes = b""
    """What to go on from when it has grown; b"" for nothing."""


def place_of(status: os.stat_result) -> Place:
    """The place of a file that was looked at."""
    return Place(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def cache_file() -> Path | None:
    """Where the cache lies; None where the person turned it off, or has no home folder."""
    if os.environ.get(SETTING, "").strip().lower() in {"off", "0", "no", "false"}:
        return None
    try:
        folder = user_cache_path("skilltune", appauthor=False)
    except RuntimeError:
        return None
    return folder / "scans.sqlite" if folder.is_absolute() else None  # older platformdirs give "~" as it is


def usable_cache() -> Path | None:
    """Where the cache lies; None also where collection is switched off: nothing of sessions is to be stored then."""
    try:
        check_collection()
    except CollectionDisabled:
        return None
    return cache_file()


def delete_cache() -> bool:
    """Remove the cache and what it holds of sessions; whether there was one.

    Raises
    ------
    OSError
        It cannot be removed.
    """
    path = cache_file()
    found = path is not None and path.exists()
    if path is not None:
        for name in (path, *_beside(path), readers_file(path)):
            name.unlink(missing_ok=True)
    return found


class ScanCache:
    """The cache while one run lasts; used as a context, at whose end it is written.

    Parameters
    ----------
    path
        The database, made where it is missing.
    now
        Nanoseconds since 1970.
    """

    def __init__(self, path: Path, *, now: int) -> None:
        self._path, self.now = path, now
        self._reader = _reader_version()
        self._connection: sqlite3.Connection | None = None
        self.facts: KeptFacts | None = None
        """The facts that are kept; None where the cache failed. Whoever holds this may read them after the run."""
        self._pending: list[tuple[str, Place, str, Fresh]] = []
        self._pending_bytes = 0
        self._met: set[bytes] = set()

    def __enter__(self) -> Self:
        with self._disposable():
            _make_private(self._path)
            self._connection = _connect(self._path)
            self.facts = KeptFacts(self._path)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._write()
        if kind is None:
            self._forget()
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()

    def meet(self, paths: Iterable[str]) -> None:
        """Take note of files that are there."""
        self._met |= {os.fsencode(path) for path in paths}

    def find(self, paths: Sequence[str]) -> dict[str, Kept]:
        """What is kept of each of these files, whether or not it still holds."""
        names = {os.fsencode(path): path for path in paths}
        self._met |= names.keys()
        found: dict[str, Kept] = {}
        with self._disposable():
            if self._connection is not None:
                for name, reader, place, outline, facts in self._rows(self._connection, list(names)):
                    if name in names:
                        found[names[name]] = Kept(reader, place, outline, facts)
        return found

    def _rows(
        self, connection: sqlite3.Connection, names: list[bytes]
    ) -> Iterator[tuple[bytes, str, bytes, bytes, int]]:
        if len(names) > _FEW:
            yield from connection.execute(_ALL)
            return
        for name in names:
            yield from connection.execute(_ONE, (name,))

    def reader(self, by: str) -> str:
        """Who reads now: the code as it is, in the way that `by` says."""
        return f"{self._reader} {by}"

    def state(self, path: str) -> bytes:
        """What to go on from with the file at `path`; b"" for nothing."""
        with self._disposable():
            if self._connection is not None:
                row = self._connection.execute(
                    "SELECT state FROM states WHERE path = ?", (os.fsencode(path),)
                ).fetchone()
                return b"" if row is None else bytes(row[0])
        return b""

    def keep(self, path: str, place: Place, fresh: Fresh, *, by: str) -> None:
        """Keep what was read of the file at `path`, which was at `place` before and after that."""
        if self._connection is None or max(place.modified, place.changed) > self.now - _YOUNG_NS:
            return
        self._pending.append((path, place, self.reader(by), fresh))
        self._pending_bytes += len(fresh.packed) + len(fresh.state)
        if self._pending_bytes > _PENDING_BYTES:
            self._write()

    def run(self, state: bytes) -> bytes:
        """What was remembered of a run over files in this state; b"" for nothing."""
        with self._disposable():
            if self._connection is not None and state:
                found = self._connection.execute("SELECT told FROM runs WHERE key = ?", (self._key(state),)).fetchall()
                return bytes(found[0][0]) if found else b""
        return b""

    def remember(self, state: bytes, told: bytes) -> None:
        """Remember what all files in this state told together, until anything else is kept or taken out."""
        if self._connection is None or self._pending or not state:
            return
        with self._disposable(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("INSERT OR REPLACE INTO runs (key, told) VALUES (?, ?)", (self._key(state), told))
            self._connection.execute(
                "DELETE FROM runs WHERE number NOT IN (SELECT number FROM runs ORDER BY number DESC LIMIT ?)", (_RUNS,)
            )

    def _key(self, state: bytes) -> bytes:
        return hashlib.blake2b(self._reader.encode() + state, digest_size=16).digest()

    def _write(self) -> None:
        if self._connection is None or not self._pending:
            return
        with self._disposable(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("DELETE FROM runs")
            for path, place, reader, fresh in self._pending:
                _replace(self._connection, os.fsencode(path), place, reader, fresh)
        self._pending, self._pending_bytes = [], 0

    def _forget(self) -> None:
        """Take out what is kept of files that are there no more, and facts that were replaced if nobody reads them."""
        if self._connection is None or self.facts is None:
            return
        with self._disposable():
            names = [name for (name,) in self._connection.execute("SELECT path FROM files")]
            gone = [name for name in names if name not in self._met and not Path(os.fsdecode(name)).exists()]
            if gone:
                with self._connection:
                    self._connection.execute("BEGIN IMMEDIATE")
                    self._connection.execute("DELETE FROM runs")
                    for name in gone:
                        _remove(self._connection, name)
            if self._connection.execute("SELECT 1 FROM outdated LIMIT 1").fetchall():
                with self.facts.alone() as alone, self._connection:
                    if alone:
                        self._connection.execute("BEGIN IMMEDIATE")
                        self._connection.execute("DELETE FROM facts WHERE id IN (SELECT facts FROM outdated)")
                        self._connection.execute("DELETE FROM outdated")

    @contextmanager
    def _disposable(self) -> Iterator[None]:
        """Go on without the cache where it fails; a damaged one is removed, so that the next run has a new one."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            connection, self._connection = self._connection, None
            self._pending = []
            with suppress(sqlite3.Error, OSError):
                if connection is not None:
                    connection.close()
                if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
                    for name in (self._path, *_beside(self._path)):
                        name.unlink(missing_ok=True)


def _replace(connection: sqlite3.Connection, name: bytes, place: Place, reader: str, fresh: Fresh) -> None:
    """Put what was read of a file in the place of what is kept of it; its old facts stay for those who read them."""
    connection.execute(_OUTDATE, (name,))
    number = connection.execute("INSERT INTO facts (packed) VALUES (?)", (fresh.packed,)).lastrowid
    connection.execute(_KEEP, (name, reader, place.packed(), fresh.outline, number))
    if fresh.state:
        connection.execute("INSERT OR REPLACE INTO states (path, state) VALUES (?, ?)", (name, fresh.state))
    else:
        connection.execute("DELETE FROM states WHERE path = ?", (name,))


def _remove(connection: sqlite3.Connection, name: bytes) -> None:
    connection.execute(_OUTDATE, (name,))
    connection.execute("DELETE FROM files WHERE path = ?", (name,))
    connection.execute("DELETE FROM states WHERE path = ?", (name,))


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_LOCK_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA secure_delete = ON")  # what a person deleted is not to be found in free pages
        if _layout(connection) != _LAYOUT:
            _lay_out(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _layout(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _lay_out(connection: sqlite3.Connection) -> None:
    """Make the tables in the place of whatever there is."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if _layout(connection) == _LAYOUT:
            return  # another process did it meanwhile
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if not name.startswith("sqlite_"):
                connection.execute(f'DROP TABLE "{name}"')
        for table in _TABLES:
            connection.execute(table)
        connection.execute(f"PRAGMA user_version = {_LAYOUT}")


def _make_private(path: Path) -> None:
    """Make the file where there is none.

    Raises
    ------
    OSError
        It cannot be made, or is not ours alone.
    """
    create_private(path)
    status = path.lstat()
    ours = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o077)
    if not ours:
        raise PermissionError(f"{path}: not the user's own")


def _beside(path: Path) -> list[Path]:
    return [path.with_name(path.name + ending) for ending in ("-journal", "-wal", "-shm")]


@cache
def _reader_version() -> str:
    """Another one as soon as facts and outlines may be: the version of the facts, and the state of the code."""
    root = Path(__file__).parents[1]
    digest = hashlib.blake2b(f"{FACTS_VERSION}".encode(), digest_size=8)
    for folder in ("sources", "mining", "scan", "."):
        paths = sorted((root / folder).rglob("*.py") if folder != "." else root.glob("*.py"))
        for path in paths:
            status = path.stat()
            digest.update(f"{path.relative_to(root)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
