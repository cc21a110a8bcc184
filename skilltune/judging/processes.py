"""Running a program with a text on its standard input: no shell, a time limit for it and all it started, and never
more output than fits.
"""

import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, NamedTuple

from skilltune.errors import InputError, JudgeFailed

__all__ = ["OUTPUT_BYTES", "Finished", "find_program", "run_program"]

OUTPUT_BYTES: Final = 8 * 1024 * 1024
"""Bytes a program may print; one that prints more is ended."""
_ERROR_BYTES: Final = 64 * 1024
_GRACE_SECONDS: Final = 5.0
"""How long an ended program may take to close its pipes."""
_STEP_SECONDS: Final = 0.1
_WINDOWS: Final = os.name == "nt"


class Finished(NamedTuple):
    """What became of a program."""

    code: int
    output: str
    errors: str
    """The end of what it printed on standard error."""


def find_program(name: str) -> Path:
    """The program that `name` stands for, as a whole path (on Windows with its ending, such as ``.cmd``).

    A name without a folder is looked up in ``PATH``, never in the current folder: a project could have put a program
    of that name there.

    Raises
    ------
    InputError
        When there is none.
    """
    found = shutil.which(name)
    if found is not None:
        path = Path(found).absolute()
        if Path(name).name != name or path.parent != Path.cwd():
            return path
    raise InputError(
        f"the program {name!r} was not found; install it, put its folder into PATH, or name another one with "
        "[judge] command in config.toml"
    )


def run_program(
    argv: Sequence[str], *, text: str, folder: Path, environment: Mapping[str, str], timeout_seconds: float
) -> Finished:
    """Run a program in `folder` with `text` on its standard input, and wait for it.

    Parameters
    ----------
    argv
        The program's whole path and its arguments.
    environment
        All variables it sees.
    timeout_seconds
        After this time it and every process it started are ended.

    Raises
    ------
    JudgeFailed
        not_started, timeout, or too_much_output.
    """
    try:
        process = subprocess.Popen(  # noqa: S603  # an argument list, no shell
            list(argv),
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=not _WINDOWS,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except (OSError, ValueError) as error:
        raise JudgeFailed("not_started", detail=str(error)) from error
    talk = _Talk(process, text.encode("utf-8", "replace"))
    try:
        talk.wait(timeout_seconds)
    except BaseException:  # on Ctrl-C, too
        _end(process)
        raise
    finally:
        talk.close()
    return Finished(process.returncode, talk.output.text(), talk.errors.text())


class _Kept:
    """The bytes of a stream up to a limit: the first ones, or the last."""

    def __init__(self, stream: IO[bytes], *, limit: int, last: bool = False) -> None:
        self._stream, self._limit, self._last = stream, limit, last
        self._bytes = bytearray()
        self.full = threading.Event()

    def read(self) -> None:
        with suppress(OSError, ValueError):
            while block := self._stream.read(1 << 16):
                self._bytes += block
                if self._last:
                    del self._bytes[: -self._limit]
                elif len(self._bytes) > self._limit:
                    self.full.set()
                    return

    def text(self) -> str:
        return bytes(self._bytes).decode("utf-8", "replace")


class _Talk:
    """Feeding a process and keeping what it prints, each stream in a thread of its own."""

    def __init__(self, process: subprocess.Popen[bytes], text: bytes) -> None:
        assert process.stdin and process.stdout and process.stderr  # noqa: S101, PT018  # all three are pipes
        self._process, self._text = process, text
        self._streams = (process.stdin, process.stdout, process.stderr)
        self.output = _Kept(process.stdout, limit=OUTPUT_BYTES)
        self.errors = _Kept(process.stderr, limit=_ERROR_BYTES, last=True)
        steps = (self._feed, self.output.read, self.errors.read)
        self._threads = [threading.Thread(target=step, daemon=True) for step in steps]
        for thread in self._threads:
            thread.start()

    def wait(self, seconds: float) -> None:
        """Return when the process has ended; raise where it takes too long or prints too much."""
        end = time.monotonic() + seconds
        while True:
            if self.output.full.is_set():
                raise JudgeFailed("too_much_output", detail=f"more than {OUTPUT_BYTES:,} bytes")
            if time.monotonic() > end:
                raise JudgeFailed("timeout", detail=f"no answer within {seconds:g} s")
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_STEP_SECONDS)
                return

    def close(self) -> None:
        """Take what is left in the pipes; whoever still holds them after a while is ended."""
        if not self._joined():
            _end(self._process)
            self._joined()
        for stream in self._streams:
            with suppress(OSError):
                stream.close()

    def _joined(self) -> bool:
        end = time.monotonic() + _GRACE_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _feed(self) -> None:
        stream, rest = self._streams[0], memoryview(self._text)
        with suppress(OSError, ValueError):  # a program that does not read to the end is no fault
            while rest:
                rest = rest[stream.write(rest) :]
        with suppress(OSError):
            stream.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and what it started."""
    if not _WINDOWS:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        system = Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "System32" / "taskkill.exe"
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(  # noqa: S603  # an argument list, no shell
                [str(system), "/T", "/F", "/PID", str(process.pid)],
                capture_output=True,
                timeout=_GRACE_SECONDS,
                check=False,
            )
    process.kill()
    process.wait()
