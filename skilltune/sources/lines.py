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
    while line := file.readline(limits.LINE_BYTES + 1):
        if len(line) <= limits.LINE_BYTES or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(BUFFER_BYTES)
        yield None
