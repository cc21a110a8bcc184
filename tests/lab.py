"""A real JupyterLab for the tests of panels: in a folder of its own, on a free port, stopped with all its kernels."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import nbformat

TOKEN = secrets.token_hex(16)
ARGUMENTS = [
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip
"""How Chromium is started."""
_IDLE = """() => {
  const context = window.jupyterapp?.shell.currentWidget?.sessionContext;
  return Boolean(context?.isReady && context.session?.kernel?.connectionStatus === 'connected'
    && context.session.kernel.status === 'idle');
}"""
_RUN = """() => {
  window.__ran = 'running';
  window.jupyterapp.commands.execute('notebook:run-all-cells').then(
    () => { window.__ran = 'done'; }, error => { window.__ran = String(error); });
}"""
_SETTINGS = {
    "notebook-extension/tracker.jupyterlab-settings": {"kernelShutdown": True},
    "docmanager-extension/plugin.jupyterlab-settings": {"autosave": False},
    "apputils-extension/notification.jupyterlab-settings": {"fetchNews": "false", "checkForUpdates": False},
}


class Lab:
    """A running server; its notebooks lie in ``root``, its kernels' home is ``home``."""

    def __init__(self, folder: Path, *, environment: dict[str, str] | None = None) -> None:
        self.root, self.home = folder / "notebooks", folder / "home"
        self.root.mkdir(parents=True)
        self.port = _free_port()
        self._log = (folder / "lab.log").open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *self._options()],
            cwd=self.root,
            env=_environment(folder) | (environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=os.name != "nt",
        )
        self._wait()

    @property
    def url(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self.port}"

    def notebook(self, name: str, *cells: str) -> str:
        """Write a notebook of code cells; return its name."""
        made = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        )
        nbformat.write(made, self.root / name)
        return name

    def call(self, path: str, method: str = "GET"):
        """The server's answer to a request of its API; None where it has no body."""
        request = urllib.request.Request(  # noqa: S310  # our own address
            f"{self.url}/api/{path}", method=method, headers={"Authorization": f"token {TOKEN}"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            body = answer.read()
        return json.loads(body) if body else None

    def restart_kernels(self) -> None:
        """Restart every kernel, as a person does by the menu."""
        for kernel in self.call("kernels"):
            self.call(f"kernels/{kernel['id']}/restart", "POST")

    def stop(self) -> None:
        """End the kernels and the server, and nothing else."""
        try:
            for kernel in self.call("kernels"):
                self.call(f"kernels/{kernel['id']}", "DELETE")
            self.call("shutdown", "POST")
            self._process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self._kill()
        finally:
            self._log.close()

    def _kill(self) -> None:
        if os.name == "nt":
            self._process.kill()
        elif self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)  # its own session: only what it started
        self._process.wait(10)

    def _options(self) -> list[str]:
        return [
            "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={self.port}",
            "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={self.root}",
            "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None", "--LabApp.extension_manager=readonly",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--ServerApp.terminals_enabled=False",
        ]  # fmt: skip

    def _wait(self) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end and self._process.poll() is None:
            try:
                self.call("status")
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
            else:
                return
        self._kill()
        self._log.close()
        log = Path(self._log.name).read_text(encoding="utf-8", errors="replace")
        raise RuntimeError(f"JupyterLab did not start:\n{log[-2000:]}")


class LabPage:
    """One notebook open in a browser that reaches nothing but the server."""

    def __init__(self, browser, lab: Lab, *, width: int = 1280, height: int = 900) -> None:
        self.lab = lab
        self.context = browser.new_context(viewport={"width": width, "height": height})
        self.outside: list[str] = []
        self.context.route("**/*", self._answer)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)

    def open(self, name: str) -> "LabPage":
        """Open a notebook in a fresh workspace of the Lab and wait for its kernel."""
        self.page.goto(f"{self.lab.url}/lab/tree/{name}?reset&token={TOKEN}")
        self.page.wait_for_function(_IDLE, timeout=60_000)
        self.page.evaluate("() => { window.jupyterapp.shell.collapseLeft() }")
        return self

    def turn(self, theme: str) -> None:
        """Change the Lab to the ``light`` or the ``dark`` theme, and wait for it."""
        name = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}[theme]
        self.page.evaluate("theme => { window.jupyterapp.commands.execute('apputils:change-theme', {theme}) }", name)
        light = json.dumps(str(theme == "light").lower())
        self.page.wait_for_function(f"() => document.body.dataset.jpThemeLight === {light}")

    def run_all(self) -> "LabPage":
        """Run every cell and wait until all are done."""
        self.page.evaluate(_RUN)
        self.page.wait_for_function("() => window.__ran && window.__ran !== 'running'", timeout=90_000)
        assert self.page.evaluate("window.__ran") == "done"
        return self

    def violations(self, part: str) -> list[str]:
        """What axe-core finds wrong in `part`, serious or critical, with what it is about; the check must have run."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page, context=part).response
        assert len(found["passes"]) > 5, f"axe looked at nothing in {part}"
        grave = [each for each in found["violations"] if each["impact"] in ("serious", "critical")]
        return [f"{each['id']}: {node['html'][:160]}" for each in grave for node in each["nodes"]]

    def tab_to(self, words: str, *, most: int = 40) -> None:
        """Press Tab until the focus is on what says `words`."""
        for _ in range(most):
            self.page.keyboard.press("Tab")
            if words in str(self.page.evaluate("document.activeElement.textContent")):
                return
        raise AssertionError(f"no Tab leads to {words!r}")

    def cells(self) -> int:
        """How many cells the notebook has now."""
        return int(self.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets.length"))

    def close(self) -> None:
        """Close the window."""
        self.context.close()

    def _answer(self, route) -> None:
        if route.request.url.startswith((self.lab.url, "data:", "blob:")):
            route.continue_()
        else:
            self.outside.append(route.request.url)
            route.abort()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _environment(folder: Path) -> dict[str, str]:
    """No home but `folder`: settings, kernels' files and a person's sessions of this machine stay out."""
    settings = folder / "settings" / "@jupyterlab"
    for name, content in _SETTINGS.items():
        (settings / name).parent.mkdir(parents=True, exist_ok=True)
        (settings / name).write_text(json.dumps(content), encoding="utf-8")
    own = {
        "HOME": "home", "USERPROFILE": "home", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "run", "IPYTHONDIR": "ipython", "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    }  # fmt: skip
    (folder / "home").mkdir(exist_ok=True)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "JPY", "SKILLTUNE"))}
    return kept | {name: str(folder / place) for name, place in own.items()} | {"PYTHONUTF8": "1"}
