"""``skilltune lab`` as a person runs it: a real JupyterLab, with copies of the notebooks, that ends whole."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

import psutil
import pytest

from tests.conftest import ROOT

TOKEN = "invented-token-of-a-test"  # noqa: S105  # of a server on this machine that lives for seconds
SHIPPED = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ask(port: int, path: str, method: str = "GET", *, of: str = "api"):
    """The server's answer to a request of its API."""
    request = urllib.request.Request(  # our own address
        f"http://127.0.0.1:{port}/{of}/{path}", method=method, headers={"Authorization": f"token {TOKEN}"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
        return json.loads(answer.read() or b"null")


@contextmanager
def running(machine, *arguments: str):
    """``skilltune lab`` on a free port, once it answers: its process and the port."""
    port = free_port()
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "skilltune", "lab", "--no-browser", "--port", str(port), *arguments),
            *("--", "--allow-root", f"--IdentityProvider.token={TOKEN}", "--ServerApp.ip=127.0.0.1"),
        ],
        cwd=machine.cwd,
        env=machine.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    try:
        _wait(process, port)
        yield process, port
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=60)


def _wait(process, port: int) -> None:
    end = time.monotonic() + 90
    while process.poll() is None and time.monotonic() < end:
        try:
            ask(port, "status")
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    process.kill()
    pytest.fail(f"JupyterLab did not answer:\n{process.communicate()[0]}")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no Ctrl-C for a single process")
def test_lab_opens_the_notebooks_and_ends_whole_with_ctrl_c(machine):
    """The server shows the copies, asks nothing about news, starts a kernel; one Ctrl-C leaves nothing of it."""
    with running(machine, "--workspace", ".skilltune") as (process, port):
        assert sorted(each["name"] for each in ask(port, "contents")["content"]) == SHIPPED
        news = ask(port, "settings/@jupyterlab/apputils-extension:notification", of="lab/api")["schema"]["properties"]
        assert news["fetchNews"]["default"] == "false"
        assert news["checkForUpdates"]["default"] is False
        ask(port, "kernels", "POST")
        family = psutil.Process(process.pid).children(recursive=True)
        assert len(family) >= 2
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[0]
    assert process.returncode == 0, said
    assert "JupyterLab has ended." in said
    assert "skilltune/cli" not in said
    assert [each for each in psutil.wait_procs(family, timeout=10)[1] if each.is_running()] == []
    for name in SHIPPED:
        assert f"  {name}: copied" in said
        assert (machine.cwd / ".skilltune" / "notebooks" / name).is_file()


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without asking it")
def test_lab_keeps_what_was_edited_and_passes_the_exit_on(machine):
    """An edited notebook stays, an untouched one is there; when JupyterLab ends by itself, so does the command."""
    folder = machine.cwd / "mine" / "notebooks"
    folder.mkdir(parents=True)
    (folder / SHIPPED[0]).write_text("edited", encoding="utf-8")
    with running(machine, "--workspace", "mine") as (process, port):
        ask(port, "shutdown", "POST")
        said = process.communicate(timeout=60)[0]
    assert process.returncode == 0, said
    assert f"  {SHIPPED[0]}: kept as you left it" in said
    assert (folder / SHIPPED[0]).read_text(encoding="utf-8") == "edited"
    cells = json.loads((folder / SHIPPED[1]).read_text(encoding="utf-8"))["cells"]
    told = "".join(line for cell in cells for line in cell["source"])
    assert f'workspace: str = "{machine.cwd / "mine"}"' in told


def test_lab_passes_a_failure_on(machine):
    """An option that JupyterLab refuses ends the command with its code."""
    done = subprocess.run(
        [sys.executable, "-m", "skilltune", "lab", "--no-browser", "--", "--allow-root", "--ServerApp.port=none"],
        cwd=machine.cwd,
        env=machine.environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode not in (0, 70), done.stderr


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root is refused by JupyterLab")
def test_lab_tells_root_what_to_add(machine):
    """Said in one line before anything is copied."""
    assert "skilltune lab -- --allow-root" in machine.run("lab", "--no-browser", code=2).stderr
    assert list(machine.home.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no Ctrl-C for a single process")
def test_a_second_ctrl_c_kills_what_does_not_end(tmp_path):
    """Who does not wait gets the exit code of an interrupt, not that of a crash, and nothing is left."""
    child = (
        "import os, pathlib, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "pathlib.Path('pid.tmp').write_text(str(os.getpid())); os.replace('pid.tmp', 'pid'); time.sleep(600)"
    )
    code = f"import sys; from skilltune.cli import lab; sys.exit(lab._run([sys.executable, '-c', {child!r}]))"
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        while not (tmp_path / "pid").exists():
            assert process.poll() is None
            time.sleep(0.05)
        family = psutil.Process(process.pid).children(recursive=True)
        for _ in range(100):
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
            if process.poll() is not None:
                break
    finally:
        process.kill()
    assert process.returncode in (130, -signal.SIGINT)
    assert [each for each in psutil.wait_procs(family, timeout=10)[1] if each.is_running()] == []
