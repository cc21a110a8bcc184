"""The lines of a file, one at a time, none longer than the limit."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from skilltune import limits

__all__ = ["BUFFER_BYTES", "iterate_lines", "open_file"]

BUFFER_BYTES = 1 << 20
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)


def open_file(path: Path, *, buffer_bytes: int = BUFFER_BYTES) -> BinaryIO:
    """The bytes of a regular file; a pipe would have no end, a device none that matters.

    Raises
    ------
    OSError
        The file cannot be read, or is none.
    """
    file = open(path, "rb", buffering=buffer_bytes, opener=_open_at_once)  # noqa: SIM115 (Path has no opener; the caller closes)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError("not a regular file")
    return file


def _open_at_once(path: str, flags: int) -> int:
    """Open without waiting for the other end of a pipe."""
    return os.open(path, flags | _AT_ONCE)


def iterate_lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Each line with its line end; None for a line longer than ``limits.LINE_BYTES``, which is passed over."""
    if os.fstat(file.fileno()).st_size <= limits.LINE_BYTES:
        return iter(file)
    return _bounded_lines(file)


def _bounded_lines(file: BinaryIO) -> Iterator[bytes | None]:
    """As above; what is passed over is never held, and a long line only once."""
    step = min(BUFFER_BYTES, limits.LINE_BYTES + 1)
    while line := file.readline(step):
        if len(line) < step or line.endswith(b"\n"):
            yield line
            continue
        length, last = len(line), line
        while not last.endswith(b"\n") and (last := file.readline(step)):
            length += len(last)
        del line, last
        ended = _byte_before(file) == b"\n"
        if length - ended > limits.LINE_BYTES:
            yield None
        else:
            file.seek(-length, os.SEEK_CUR)
            yield file.read(length)


def _byte_before(file: BinaryIO) -> bytes:
    """The byte that was read last."""
    file.seek(-1, os.SEEK_CUR)
    return file.read(1)
