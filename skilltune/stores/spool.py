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

__all__ = ["Spool"]


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
        self._sizes: list[int] = []

    def __len__(self) -> int:
        return len(self._sizes)

    def append(self, facts: FileFacts, *, packed: bytes = b"") -> None:
        """Keep the facts of one more file, which may be `packed` already."""
        packed = packed or _pack(facts)
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
        return os.fsencode(tempfile.gettempdir()).decode("utf-8", "replace")
    except OSError:
        return "no folder for temporary files"


def _close(file: IO[bytes]) -> None:
    """Close what nobody reads any more: what could not be written before need not be complained of again."""
    with suppress(OSError):
        file.close()


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(FileFacts).decode
