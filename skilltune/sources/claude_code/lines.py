"""The lines of a file, one at a time, none longer than the limit."""

import os
from collections.abc import Iterator
from typing import BinaryIO

from skilltune import limits

__all__ = ["BUFFER_BYTES", "iterate_lines"]

BUFFER_BYTES = 1 << 20


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
