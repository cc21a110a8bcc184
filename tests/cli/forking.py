"""Commands without the wait for Python to start: a process that has imported skilltune forks itself for each of them.

A command has the streams, folder, variables and exit code that it has in a process of its own, and nothing of the
test's. What it has not: the imports, which are done, and Python's own end. Tests of these use ``subprocess``.
"""

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from tests.conftest import ROOT

AT_START = ("PYTHON", "LC_", "LANG")
"""Variables that Python reads when it starts, by their beginning: with others than usual a process is started."""
KEPT = ("PATH", "LANG", "CI", "OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
IMPORTED = ("pandas", "scipy.stats", "skilltune.mining.lexicons", "skilltune.rendering")


@dataclass(frozen=True)
class Command:
    """What to run, where, as whom, and the files that are its streams."""

    arguments: list[str]
    cwd: str
    environment: dict[str, str]
    stdin: str
    stdout: str
    stderr: str
    killed_after: float = 0
    """Seconds, 0 for never."""


class Forks:
    """A process that runs one command after the other, each in a fork of its own."""

    def __init__(self, environment: dict[str, str]) -> None:
        ours, theirs = socket.socketpair()
        code = f"from tests.cli.forking import serve; serve({theirs.fileno()})"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()
        with ours:
            self._lines = ours.makefile("rw", encoding="utf-8")

    def run(self, command: Command) -> int:
        """The exit code of `command`, negative for a signal."""
        try:
            self._lines.write(json.dumps(asdict(command)) + "\n")
            self._lines.flush()
            return int(self._lines.readline())
        except BaseException:  # a test ran out of time: what it started must not answer the next one
            self.stop()
            raise

    def stop(self) -> None:
        """End the process and what it runs."""
        forks.cache_clear()
        atexit.unregister(self.stop)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with suppress(OSError):
            self._lines.close()


@cache
def forks() -> Forks:
    """The process of this run of the tests."""
    made = Forks(usual())
    atexit.register(made.stop)
    return made


def usual() -> dict[str, str]:
    """The variables that every process of a test's machine sees."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {"PYTHONWARNINGS": "error::ResourceWarning"}


def run_command(
    *arguments: str, cwd: Path, environment: dict[str, str], stdin: str = os.devnull, killed_after: float = 0
) -> subprocess.CompletedProcess[str]:
    """Run skilltune; how it ended and what it printed. `stdin` is a file or a terminal; the kernel kills it in time."""
    if not can_fork(environment):
        return _run_process(arguments, cwd, environment, stdin, killed_after)
    with tempfile.TemporaryDirectory() as folder:
        out, errors = Path(folder) / "out", Path(folder) / "errors"
        streams = {"stdin": stdin, "stdout": str(out), "stderr": str(errors)}
        code = forks().run(Command(list(arguments), str(cwd), environment, **streams, killed_after=killed_after))
        printed = [path.read_bytes().decode() for path in (out, errors)]
    return subprocess.CompletedProcess(arguments, code, *printed)


def can_fork(environment: dict[str, str]) -> bool:
    """Whether a fork sees `environment` as a process that starts with it does."""
    return hasattr(os, "fork") and _at_start(environment) == _at_start(usual())


def _at_start(environment: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(AT_START)}


def _run_process(arguments, cwd, environment, stdin, killed_after):
    call = [sys.executable, "-m", "skilltune", *arguments]
    with open(stdin, "rb") as given:  # noqa: PTH123
        options = {"stdin": given, "capture_output": True, "encoding": "utf-8", "timeout": killed_after or None}
        try:
            return subprocess.run(call, cwd=cwd, env=environment, check=False, **options)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(arguments, -9, "", "")


def serve(number: int) -> None:
    """Answer each command that comes through socket `number` with its exit code; in the fork, be that command."""
    with socket.socket(fileno=number) as line:
        lines = line.makefile("rw", encoding="utf-8")
    _import_what_commands_need()
    gc.freeze()
    for asked in lines:
        if not (child := os.fork()):
            lines.close()
            _become(Command(**json.loads(asked)))
        lines.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        lines.flush()


def _import_what_commands_need() -> None:
    import skilltune.cli

    for info in iter_modules(skilltune.cli.__path__, "skilltune.cli."):
        import_module(info.name)
    for name in IMPORTED:
        import_module(name)


def _become(command: Command) -> None:
    from skilltune.cli import main

    modes = (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT] * 2)
    for number, (path, mode) in enumerate(zip((command.stdin, command.stdout, command.stderr), modes, strict=True)):
        opened = os.open(path, mode | os.O_NOCTTY, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    os.chdir(command.cwd)
    os.environ.clear()
    os.environ.update(command.environment)
    time.tzset()
    tempfile.tempdir = None
    sys.path[0] = command.cwd
    sys.argv = ["skilltune", *command.arguments]
    signal.setitimer(signal.ITIMER_REAL, command.killed_after)
    code: object = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    _end(code if isinstance(code, int) else int(bool(code)))


def _end(code: int) -> None:
    """End as Python does, but for taking every module apart: that takes longer than most commands."""
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
