"""What was read of files that have not changed since: facts as packed bytes, in the user's own cache folder.

Everything in it can be made again: what is damaged, locked or of another version is not used, and never ends a run.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from platformdirs import user_cache_path

from skilltune.errors import CollectionDisabled
from skilltune.facts import FACTS_VERSION
from skilltune.stores.privacy import check_collection

__all__ = ["Place", "ScanCache", "cache_file", "delete_cache", "place_of", "usable_cache"]

SETTING: Final = "SKILLTUNE_CACHE"
"""Environment variable: ``off`` for no cache."""
_PENDING_BYTES: Final = 16 << 20
_YOUNG_NS: Final = 2_000_000_000
"""A file that changed so shortly ago may change again within one tick of its clock: it is not kept yet."""
_LOCK_SECONDS: Final = 2
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS facts (path BLOB PRIMARY KEY, reader TEXT NOT NULL, place TEXT NOT NULL, "
    "packed BLOB NOT NULL) WITHOUT ROWID"
)
_FIND: Final = "SELECT place, packed FROM facts WHERE path = ? AND reader = ?"
_KEEP: Final = "INSERT OR REPLACE INTO facts (path, reader, place, packed) VALUES (?, ?, ?, ?)"


class Place(NamedTuple):
    """What a file has another of as soon as its content is another."""

    device: int
    inode: int
    size: int
    modified: int
    """Nanoseconds since 1970."""
    changed: int
    """The same of the entry: not set back by those who set the other."""


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
        for name in (path, *_beside(path)):
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
        self._path, self._now = path, now
        self._reader = _reader_version()
        self._connection: sqlite3.Connection | None = None
        self._pending: list[tuple[bytes, str, str, bytes]] = []
        self._pending_bytes = 0
        self._met: set[bytes] = set()

    def __enter__(self) -> Self:
        with self._disposable():
            _make_private(self._path)
            self._connection = _connect(self._path)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._write()
        if kind is None:
            self._forget_gone()
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()

    def find(self, path: str, place: Place, *, by: str) -> bytes | None:
        """What was kept of the file at `path` when it was at `place`, read as `by` says; None for nothing."""
        if self._connection is None:
            return None
        name = os.fsencode(path)
        self._met.add(name)
        with self._disposable():
            row = self._connection.execute(_FIND, (name, f"{self._reader} {by}")).fetchone()
            if row is not None and row[0] == repr(tuple(place)):
                return bytes(row[1])
        return None

    def keep(self, path: str, place: Place, packed: bytes, *, by: str) -> None:
        """Keep the facts of the file at `path`, which was at `place` before and after it was read."""
        if self._connection is None or max(place.modified, place.changed) > self._now - _YOUNG_NS:
            return
        self._pending.append((os.fsencode(path), f"{self._reader} {by}", repr(tuple(place)), packed))
        self._pending_bytes += len(packed)
        if self._pending_bytes > _PENDING_BYTES:
            self._write()

    def _write(self) -> None:
        if self._connection is None or not self._pending:
            return
        with self._disposable(), self._connection:
            self._connection.executemany(_KEEP, self._pending)
        self._pending, self._pending_bytes = [], 0

    def _forget_gone(self) -> None:
        """Take out what is kept of files that are there no more."""
        if self._connection is None:
            return
        with self._disposable():
            names = [name for (name,) in self._connection.execute("SELECT path FROM facts")]
            gone = [(name,) for name in names if name not in self._met and not Path(os.fsdecode(name)).exists()]
            if gone:
                with self._connection:
                    self._connection.executemany("DELETE FROM facts WHERE path = ?", gone)

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


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_LOCK_SECONDS)
    try:
        connection.execute("PRAGMA secure_delete = ON")  # what a person deleted is not to be found in free pages
        connection.execute(_TABLE)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _make_private(path: Path) -> None:
    """Make the file where there is none, for nobody else's eyes.

    Raises
    ------
    OSError
        It cannot be made, or is not ours alone.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    status = path.lstat()
    ours = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o077)
    if not ours:
        raise PermissionError(f"{path}: not the user's own")


def _beside(path: Path) -> list[Path]:
    return [path.with_name(path.name + ending) for ending in ("-journal", "-wal", "-shm")]


@cache
def _reader_version() -> str:
    """Another one as soon as facts may be: the version of the facts, and the state of the code that makes them."""
    root = Path(__file__).parents[1]
    digest = hashlib.blake2b(f"{FACTS_VERSION}".encode(), digest_size=8)
    for folder in ("sources", "mining", "."):
        paths = sorted((root / folder).rglob("*.py") if folder != "." else root.glob("*.py"))
        for path in paths:
            status = path.stat()
            digest.update(f"{path.relative_to(root)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
