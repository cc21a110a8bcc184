"""Standard output and error: what a terminal cannot show, closed streams, full disks."""

import io
import os
import sys
from contextlib import suppress
from typing import TextIO

__all__ = ["let_go_of", "output_fault", "prepare_streams"]


class _Output(io.TextIOWrapper):
    """Standard output that remembers why it could not be written: such an error looks like any file's."""

    fault: OSError | None = None

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self.fault = error
            raise

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self.fault = error
            raise


class _Messages(io.TextIOWrapper):
    """Standard error that swallows what it cannot write: the exit code still says what went wrong."""

    def write(self, text: str, /) -> int:
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


def prepare_streams() -> None:
    """Print what the terminal can show; a closed stream swallows."""
    for name, kind in (("stdout", _Output), ("stderr", _Messages)):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # open to the end
        elif stream is getattr(sys, f"__{name}__") and isinstance(stream, io.TextIOWrapper):
            setattr(sys, name, _as(kind, stream))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def output_fault() -> OSError | None:
    """Why standard output could not be written, None where it could."""
    return getattr(sys.stdout, "fault", None)


def let_go_of(stream: TextIO) -> None:
    """Write what is left for `stream`; if that fails, it is gone, so that nothing fails at the end of the program."""
    try:
        stream.flush()
    except OSError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _as(kind: type[io.TextIOWrapper], stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """`stream`, which Python itself keeps open, as another kind of stream to the same file."""
    return kind(
        stream.buffer,
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
