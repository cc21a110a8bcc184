"""One notebook run in a folder of its own, by this Python, whatever Jupyter settings the machine has."""

import math
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

import nbformat
import papermill
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.utils import run_sync
from nbclient.exceptions import CellControlSignal, CellTimeoutError, DeadKernelError
from papermill.exceptions import PapermillExecutionError
from traitlets import default
from traitlets.config import Config

from skilltune.errors import ReportError

__all__ = ["OwnKernelManager", "SharedKernel", "run_notebook"]

CELL_SECONDS: Final = 300
START_SECONDS: Final = 120
FORGET_SECONDS: Final = 10
LINE_SECONDS: Final = 10
"""A page that is made faster gets one line in a log file."""
SOCKET_CHARS: Final = 90
"""Longest path of a socket, less its number, that all systems take."""
_CLEARED: Final = (
    "JUPYTER_PATH",
    "JUPYTER_CONFIG_PATH",
    "JUPYTER_PREFER_ENV_PATH",
    "JPY_INTERRUPT_EVENT",
    "JPY_PARENT_PID",
    "JPY_SESSION_NAME",
    "PYTHONOPTIMIZE",
)
_KERNEL_LOG: Final = "kernel.log"
_FORGET: Final = "get_ipython().reset(new_session=True)"


class OwnKernelManager(AsyncKernelManager):
    """Starts python3 as the interpreter that runs now; kernels of that name installed elsewhere are passed over.

    It asks an idle kernel to shut down without interrupting it first: an interrupt that comes while a message is
    handled is printed by the kernel as an error. What a kernel prints by itself goes into a file beside its
    connection file, not onto the person's terminal.
    """

    @default("kernel_spec_manager")
    def _own_specs(self) -> KernelSpecManager:
        return KernelSpecManager(kernel_dirs=[])

    async def _async_launch_kernel(self, kernel_cmd: list[str], **kw: Any) -> None:
        with Path(self.connection_file).with_name(_KERNEL_LOG).open("ab") as log:
            await super()._async_launch_kernel(kernel_cmd, stdout=log, stderr=log, **kw)

    async def _async_interrupt_kernel(self) -> None:
        if not self.shutting_down:
            await super()._async_interrupt_kernel()


class _LastingKernelManager(OwnKernelManager):
    """Knows the client that was made last: who runs a notebook makes one, and leaves it open."""

    last_client: Any = None

    def client(self, **kwargs: Any) -> Any:
        self.close_client()
        self.last_client = super().client(**kwargs)
        return self.last_client

    def close_client(self) -> None:
        if self.last_client is not None:
            self.last_client.stop_channels()
            self.last_client = None


class SharedKernel:
    """One kernel for many notebooks, one after the other: a new session of names for each, modules stay loaded.

    Whatever goes wrong in one leaves nothing behind: the next one gets a new kernel. Leave the context to end it.
    """

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._manager: _LastingKernelManager | None = None

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="skilltune-"))
        return self

    def __exit__(self, *_: object) -> None:
        self.discard()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def log(self) -> Path | None:
        """Where the kernel's own words are."""
        return None if self._folder is None else self._folder / _KERNEL_LOG

    def manager(self) -> OwnKernelManager:
        """Of a kernel that holds no name of a notebook before."""
        if self._manager is not None and not self._forgets(self._manager):
            self.discard()
        if self._manager is None:
            self._manager = self._started()
        return self._manager

    def _forgets(self, manager: _LastingKernelManager) -> bool:
        """Whether the kernel still answers, and has dropped all names."""
        if manager.last_client is None or not run_sync(manager.is_alive)():
            return False
        forget = run_sync(manager.last_client.execute_interactive)
        try:
            told = forget(
                _FORGET, store_history=False, allow_stdin=False, timeout=FORGET_SECONDS, output_hook=lambda _: None
            )
        except (TimeoutError, RuntimeError):
            return False
        return bool(told["content"]["status"] == "ok")

    def discard(self) -> None:
        """End the kernel, if one runs."""
        if self._manager is not None:
            self._manager.close_client()
            run_sync(self._manager.shutdown_kernel)(now=True)
            self._manager = None

    def _started(self) -> _LastingKernelManager:
        if self._folder is None:
            raise RuntimeError("a shared kernel runs inside its context only")
        connection = Config({"KernelManager": _connection(self._folder)})
        manager = _LastingKernelManager(kernel_name="python3", config=connection)
        with _own_environment(self._folder):
            run_sync(manager.start_kernel)(cwd=str(self._folder))
        return manager


def run_notebook(
    source: Path,
    *,
    folder: Path,
    parameters: Mapping[str, Any],
    progress: bool,
    kernel: SharedKernel | None = None,
) -> Path:
    """Run a copy of `source` in `folder` with `parameters` and give back the path of what it made.

    Parameters
    ----------
    folder
        An empty folder for this run: kernel, connection and IPython files lie in it, nothing outside is written.
    progress
        Show how far it is on standard error: a bar on a terminal, elsewhere a line, and more where it takes long.
    kernel
        Run in this one, which then goes on; None starts one and ends it.

    Raises
    ------
    ReportError
        When a cell fails, takes too long, or the kernel dies; what was made up to there is at its ``notebook``.
    """
    target = folder / "made.ipynb"
    terminal = progress and sys.stderr.isatty()
    tell = _line_teller(source) if progress and not terminal else None
    with _own_environment(folder):
        try:
            shared = {} if kernel is None else {"km": kernel.manager()}
            papermill.execute_notebook(
                str(source),
                str(target),
                parameters=dict(parameters),
                kernel_name="python3",
                kernel_manager_class=OwnKernelManager,
                cwd=str(folder),
                progress_bar={"desc": "report"} if terminal else False,
                execution_timeout=CELL_SECONDS,
                start_timeout=START_SECONDS,
                store_widget_state=False,
                report_mode=True,
                config=Config({"KernelManager": _connection(folder)}),
                on_cell_start=tell,
                **shared,
            )
        except PapermillExecutionError as error:
            _give_up(kernel)
            raise _failed_cell(error, target) from error
        except (DeadKernelError, CellTimeoutError, CellControlSignal, RuntimeError) as error:
            told = _last_line((kernel and kernel.log) or folder / _KERNEL_LOG)
            _give_up(kernel)
            raise ReportError(f"the notebook stopped: {_first_line(error)}{told}", notebook=target) from error
    return target


def _give_up(kernel: SharedKernel | None) -> None:
    if kernel is not None:
        kernel.discard()


def _connection(folder: Path) -> dict[str, str]:
    """Sockets in `folder` where the system has them: they work without any network, and nobody else can connect."""
    address, file = str(folder / "k"), str(folder / "kernel.json")
    if os.name == "nt" or len(os.fsencode(address)) > SOCKET_CHARS:
        return {"connection_file": file, "transport": "tcp", "transport_encryption": "auto"}
    return {"connection_file": file, "transport": "ipc", "ip": address}


@contextmanager
def _own_environment(folder: Path) -> Iterator[None]:
    """Jupyter's and IPython's folders inside `folder`, no search paths from outside; all of it undone afterwards."""
    own = {
        name: str(folder / name.lower())
        for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR")
    }
    own |= {"JUPYTER_PLATFORM_DIRS": "1", "PYTHONUTF8": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    before = {name: os.environ.get(name) for name in (*own, *_CLEARED)}
    for name in _CLEARED:
        os.environ.pop(name, None)
    os.environ.update(own)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _line_teller(source: Path, *, seconds: float = LINE_SECONDS) -> Callable[..., None]:
    """Writes a line for the first code cell that starts, and for others that start `seconds` after the last line.

    The injected cell is left out.
    """
    notebook = nbformat.read(source, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has no types
    total = sum(cell.cell_type == "code" for cell in notebook.cells)
    started, said = 0, -math.inf

    def tell(cell: nbformat.NotebookNode, cell_index: int) -> None:  # noqa: ARG001  # nbclient's names
        nonlocal started, said
        if cell.cell_type != "code" or "injected-parameters" in cell.metadata.get("tags", []):
            return
        started += 1
        if time.monotonic() - said >= seconds:
            said = time.monotonic()
            sys.stderr.write(f"report: part {started} of {total}\n")

    return tell


def _failed_cell(error: PapermillExecutionError, notebook: Path) -> ReportError:
    source = next(iter(error.source.strip().splitlines()), "")
    reason = f"{error.ename}: {error.evalue}".strip().rstrip(":")
    return ReportError(f"cell {error.cell_index} ({source}) failed: {reason}", notebook=notebook, cell=error.cell_index)


def _last_line(log: Path) -> str:
    """The last thing the kernel printed by itself, to add to a message."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.is_file() else []
    return next((f" (the kernel said: {line.strip()})" for line in reversed(lines) if line.strip()), "")


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
