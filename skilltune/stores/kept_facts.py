"""Facts in the cache of scans, read one file at a time, as long as somebody has a use for them.

Who holds a ``KeptFacts`` holds a lock that others may hold as well: facts that a later run replaced are taken out
only when nobody does, so that a scan tells the same however late it is asked.
"""

import os
import sqlite3
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from skilltune.facts import FileFacts

__all__ = ["KeptFacts", "create_private", "readers_file"]

_LOCK_SECONDS = 2
_unpack = msgspec.msgpack.Decoder(FileFacts).decode


def readers_file(path: Path) -> Path:
    """The empty database beside a cache whose lock its readers hold."""
    return path.with_name(path.name + "-readers")


class KeptFacts:
    """The facts in a cache.

    Parameters
    ----------
    path
        The cache, which is there.

    Raises
    ------
    sqlite3.Error
        It cannot be read.
    OSError
        There is no room for a file beside it.
    """

    def __init__(self, path: Path) -> None:
        create_private(readers_file(path))
        self._lock = _open(readers_file(path))
        weakref.finalize(self, _close, self._lock)
        _share(self._lock)
        self._facts = _open(path)
        weakref.finalize(self, _close, self._facts)

    def read(self, number: int) -> FileFacts | None:
        """The facts under a number; None where they cannot be had: somebody removed the cache, or damaged it."""
        try:
            rows = self._facts.execute("SELECT packed FROM facts WHERE id = ?", (number,)).fetchall()
            return _unpack(rows[0][0]) if rows else None
        except (sqlite3.Error, msgspec.DecodeError):
            return None

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Whether nobody else reads now; until the end nobody begins to."""
        self._lock.execute("COMMIT")
        try:
            try:
                self._lock.execute("PRAGMA busy_timeout = 0")
                self._lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                yield False
            else:
                try:
                    yield True
                finally:
                    self._lock.execute("COMMIT")
        finally:
            self._lock.execute(f"PRAGMA busy_timeout = {_LOCK_SECONDS * 1000}")
            _share(self._lock)


def create_private(path: Path) -> None:
    """Make the file where there is none, for nobody else's eyes.

    Raises
    ------
    OSError
        It cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _open(path: Path) -> sqlite3.Connection:
    """A connection that any thread may use: a scan is iterated by whoever holds it."""
    return sqlite3.connect(path, timeout=_LOCK_SECONDS, isolation_level=None, check_same_thread=False)


def _share(lock: sqlite3.Connection) -> None:
    """Hold the lock together with others, to the end of the transaction."""
    lock.execute("BEGIN")
    lock.execute("SELECT count(*) FROM sqlite_master").fetchall()


def _close(connection: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):
        connection.close()
