"""Facts of many files on disk while a run lasts: one file's in memory at a time."""

import os
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

import msgspec

from skilltune.errors import LogError
from skilltune.facts import FileFacts

__all__ = ["Spool", "temporary_folder"]


class Spool:
    """Facts of many files, on disk, in the order in which they were appended.

    Raises
    ------
    LogError
        The folder for temporary files has no room, or there is none.
    """

    def __init__(self) -> None:
        with _told_where():
            self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the spool)
        weakref.finalize(self, _close, self._file)
        self._ends: list[int] = []

    def __len__(self) -> int:
        return len(self._ends)

    def append(self, facts: FileFacts, *, packed: bytes = b"") -> None:
        """Keep the facts of one more file, which may be `packed` already."""
        packed = packed or _pack(facts)
        with _told_where():
            self._file.seek(0, 2)
            self._file.write(packed)
        self._ends.append(self._begin(len(self)) + len(packed))

    def read(self, number: int) -> FileFacts:
        """The facts of the file that was appended as this `number`, counted from 0."""
        begin = self._begin(number)
        with _told_where():
            self._file.seek(begin)
            packed = self._file.read(self._ends[number] - begin)
        return _unpack(packed)

    def __iter__(self) -> Iterator[FileFacts]:
        return map(self.read, range(len(self)))

    def _begin(self, number: int) -> int:
        return self._ends[number - 1] if number else 0


@contextmanager
def _told_where() -> Iterator[None]:
    """Failures of the spool's file as errors that name its folder and what helps."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise LogError(f"{temporary_folder()}: {reason}; set TMPDIR to a folder with more room") from error


def temporary_folder() -> str:
    """Where this process keeps what it needs for a while, as text to show."""
    try:
        return os.fsencode(tempfile.gettempdir()).decode("utf-8", "replace")
    except OSError:
        return "no folder for temporary files"


def _close(file: IO[bytes]) -> None:
    """Close what nobody reads any more: what could not be written before need not be complained of again."""
    with suppress(OSError):
        file.close()


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(FileFacts).decode
