"""The command ``lab``: JupyterLab in the workspace's folder of notebooks, with a copy of every shipped one."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import typer

from skilltune.cli.options import WorkspaceDir
from skilltune.cli.output import print_text, safe
from skilltune.errors import InputError

__all__ = ["COMMANDS"]

FOLDER: Final = "notebooks"
QUIET: Final = (
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)
"""JupyterLab asks nobody for news, newer versions or extensions; it has no telemetry unless somebody adds a handler."""
SETTINGS: Final = files("skilltune.cli") / "lab_settings"
"""A Jupyter configuration folder with defaults of settings: whether to fetch news is not asked, either."""
PATIENCE_SECONDS: Final = 15
"""How long JupyterLab may take to end its kernels and itself."""
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
_INTERRUPTED: Final = 128 + signal.SIGINT
"""The exit code where a person did not wait for that, as of every command that is interrupted."""


def lab(
    options: Annotated[
        list[str] | None,
        typer.Argument(metavar="-- OPTION", help="Options for JupyterLab itself.", show_default=False),
    ] = None,
    *,
    workspace: WorkspaceDir = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=1, max=65535, metavar="N", help="Default: 8888, or the next one that is free."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Whether to open it in a browser.")] = True,
) -> None:
    """Open JupyterLab with copies of all notebooks.

    They lie in the folder notebooks of the workspace; one that you ran or edited is never replaced. JupyterLab asks
    nobody for news or updates. Ctrl-C ends it with all its kernels.

    Example: skilltune lab --no-browser --port 8890
    """
    extra = options or []
    _check_root(extra)
    folder = _copies(workspace)
    listening = [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"] if port is not None else []
    shown = [] if browser else ["--no-browser"]
    arguments = [*QUIET, f"--ServerApp.root_dir={folder}", *listening, *shown, *extra]
    code = _run([sys.executable, "-P", "-m", "jupyterlab", *arguments])
    if code:
        raise typer.Exit(code)


def _check_root(options: list[str]) -> None:
    """JupyterLab refuses to be run by root: said before anything is copied."""
    if getattr(os, "geteuid", lambda: 1)() == 0 and "--allow-root" not in options:
        raise InputError("JupyterLab does not run as root unless told to: skilltune lab -- --allow-root")


def _copies(workspace: Path | None) -> Path:
    """The folder with a copy of each notebook; says what was copied, and what was kept as it is."""
    from skilltune.reports.notebooks import copy_notebooks
    from skilltune.stores.workspace import FOLDER as FOUND_BY_NAME
    from skilltune.stores.workspace import find_workspace

    place = find_workspace(explicit=workspace).create().folder
    copies = copy_notebooks(place / FOLDER, workspace=None if place.name == FOUND_BY_NAME else place)
    print_text(f"Notebooks in {safe(str(copies.folder))}")
    for names, verb in ((copies.copied, "copied"), (copies.same, "there"), (copies.kept, "kept as you left it")):
        for name in names:
            print_text(f"  {name}: {verb}")
    if copies.kept:
        print_text("For a fresh copy of a kept one: skilltune notebook NAME --output fresh.ipynb")
    sys.stdout.flush()
    return copies.folder


def _run(command: list[str]) -> int:
    """Run JupyterLab to its end and give its exit code; an interrupt ends it, its kernels and this.

    It runs in a session of its own, so that Ctrl-C reaches it once, from here, and does not make it ask whether it
    should go on.
    """
    more = os.environ.get("JUPYTER_CONFIG_PATH")
    environment = os.environ | {"JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, [str(SETTINGS), more]))}
    server = subprocess.Popen(command, env=environment, start_new_session=os.name != "nt")  # noqa: S603  # our own
    try:
        return _as_exit_code(server.wait())
    except KeyboardInterrupt:
        _end(server)
        print_text("JupyterLab has ended.")
        return _INTERRUPTED if server.returncode == -_KILL else _as_exit_code(server.returncode)
    finally:
        _end(server)


def _end(server: "subprocess.Popen[bytes]") -> None:
    """Ask it to end its kernels and itself; what does not end in time is killed with what it started."""
    if server.poll() is not None:
        return
    server.terminate()
    with suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
        server.wait(PATIENCE_SECONDS)
        return
    if os.name == "nt":
        server.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(server.pid, _KILL)
    server.wait()


def _as_exit_code(code: int) -> int:
    """The code of a process, as a shell has it where a signal ended it; being told to end is no failure."""
    if code == -signal.SIGTERM:
        return 0
    return code if code >= 0 else 128 - code


COMMANDS = (lab,)
