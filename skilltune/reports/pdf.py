"""A finished page as a PDF, printed by the Chromium of this machine, which is given no network."""

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from skilltune.errors import ReportError
from skilltune.stores.files import replace_file

__all__ = ["find_chromium", "print_pdf"]

SECONDS: Final = 120
"""After which printing is given up."""
NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
VARIABLE: Final = "SKILLTUNE_CHROMIUM"
_OFFLINE: Final = (
    *("--headless", "--disable-gpu", "--no-first-run", "--no-default-browser-check", "--disable-extensions"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"),
    *("--disable-dev-shm-usage", "--disable-default-apps", "--metrics-recording-only", "--no-pings"),
    # whatever it would ask for goes nowhere
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=http://127.0.0.1:9"),
)


def find_chromium() -> str:
    """The path of a Chromium: the one that SKILLTUNE_CHROMIUM names, else one on the PATH.

    Raises
    ------
    ReportError
        When there is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise ReportError(f"{VARIABLE} is {named!r}, which is no program; name a Chromium, or unset it")
        return found
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise ReportError(
        f"no Chromium was found to print a PDF ({', '.join(NAMES[:3])}): sudo apt install chromium, or name one with "
        f"{VARIABLE}=/path/to/chromium; the page itself is written, and any browser prints it"
    )


def print_pdf(page: Path, *, seconds: float = SECONDS) -> Path:
    """Print the page at `page` beside it; the path of the PDF. An older PDF stays where printing fails.

    Raises
    ------
    ReportError
        When no Chromium is there, it fails or takes longer than `seconds`, or the PDF cannot be written.
    """
    browser = find_chromium()
    target = page.with_suffix(".pdf")
    with tempfile.TemporaryDirectory(prefix="skilltune-", ignore_cleanup_errors=True) as folder:
        printed = Path(folder) / "page.pdf"
        command = [
            *(browser, *_OFFLINE, *_as_root(), f"--user-data-dir={Path(folder) / 'profile'}"),
            *("--no-pdf-header-footer", f"--print-to-pdf={printed}", page.absolute().as_uri()),
        ]
        told = _run(command, seconds=seconds)
        if not printed.is_file() or not printed.stat().st_size:
            raise ReportError(f"{browser} printed no PDF of {page}{told}")
        try:
            replace_file(target, printed.read_bytes())
        except OSError as error:
            raise ReportError(f"the PDF cannot be written to {target}: {error}; choose another folder") from error
    return target


def _as_root() -> list[str]:
    """Chromium refuses to run as root with its sandbox; the page itself can run nothing."""
    return ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


def _run(command: list[str], *, seconds: float) -> str:
    """Run it; what it said last, to add to a message."""
    # a file, not a pipe: a child that lives on would keep a pipe open, and the reader waiting
    with tempfile.TemporaryFile() as errors:
        _wait(command, errors, seconds=seconds)
        errors.seek(0)
        lines = [line for line in errors.read().decode("utf-8", "replace").splitlines() if line.strip()]
    return f" (it said: {lines[-1].strip()})" if lines else ""


def _wait(command: list[str], errors: IO[bytes], *, seconds: float) -> None:
    """Run it, end all of it after `seconds` at most; what it says goes to `errors`."""
    try:
        process = subprocess.Popen(  # noqa: S603  # a program that the person has, and our own flags
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
        )
    except OSError as error:
        raise ReportError(f"{command[0]} cannot be started: {error}") from error
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise ReportError(
            f"{command[0]} did not print the page within {seconds:g} seconds; the page itself is written"
        ) from error
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the browser and what it started."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()
