"""The panel in a real kernel without a browser: what comes by message decides, what comes by code does not."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.manager import start_new_kernel

from tests.conftest import ROOT
from tests.widgets.labelled_home import write_sessions

SHOW = """
from skilltune.labelling import open_labelling
from skilltune.widgets.labelling import LabelPanel
panel = LabelPanel(open_labelling(sessions='.claude/projects', as_of='2026-02-01'))
panel
"""


class Kernel:
    """A kernel, and the widgets it opened."""

    def __init__(self, client) -> None:
        self.client = client
        self.models: dict[str, dict] = {}

    def run(self, code: str, *, person: bool = True) -> dict:
        """Run a cell, as JupyterLab does or (`person` False) as papermill does; the data it displayed last."""
        shown: dict = {}

        def keep(message: dict) -> None:
            content = message["content"]
            if message["msg_type"] == "comm_open":
                self.models[content["comm_id"]] = content["data"]["state"]
            elif message["msg_type"] in ("execute_result", "display_data"):
                shown.update(content["data"])
            elif message["msg_type"] == "error":
                raise AssertionError("\n".join(content["traceback"]))

        self.client.execute_interactive(code, allow_stdin=person, output_hook=keep, timeout=60)
        return shown

    def press(self, words: str) -> None:
        """Send what the browser sends when a person clicks the last button with these words."""
        comm = [comm for comm, state in self.models.items() if state.get("description") == words][-1]
        data = {"method": "custom", "content": {"event": "click"}}
        self.client.shell_channel.send(self.client.session.msg("comm_msg", {"comm_id": comm, "data": data}))
        time.sleep(0.05)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Kernel, Path]]:
    """A kernel with a home of its own, and that home."""
    home = tmp_path_factory.mktemp("home")
    write_sessions(home, uses=3)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE"):
            patch.setenv(name, str(home))
        for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(home / name.lower()))
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
        manager, client = start_new_kernel(kernel_name="python3", cwd=str(home), transport_encryption="auto")
        try:
            yield Kernel(client), home
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


def labels(home: Path) -> list[dict]:
    """The labels in the log."""
    path = home / ".skilltune" / "labels.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return [row for row in rows if row["type"] == "label"]


def test_press_by_message_decides_and_click_by_code_does_not(kernel: tuple[Kernel, Path]):
    """The two guards against deciding by accident, in the kernel where they count."""
    running, home = kernel
    assert "application/vnd.jupyter.widget-view+json" in running.run(SHOW)
    running.run("import time; time.sleep(0.4); panel.keys[4].click(); print(panel.status.value)")
    assert labels(home) == []
    running.press("acceptance")
    running.run("assert 'Saved: turn 1 is' in panel.status.value, panel.status.value")
    assert [row["outcome"] for row in labels(home)] == ["acceptance"]


def test_queued_second_press_is_for_a_text_nobody_saw(kernel: tuple[Kernel, Path]):
    """Two presses while the kernel is busy: the second one comes before the next turn could be read."""
    running, home = kernel
    running.run(SHOW)
    before = len(labels(home))
    running.run("panel.clock = lambda: 100.0; panel._drawn_at = 0.0")  # however long a loaded machine takes
    busy = running.client.execute("import time; time.sleep(0.4)")
    running.press("none")
    running.press("none")
    running.client.get_shell_msg(timeout=30)
    running.run("assert 'before this text could be read' in panel.status.value, panel.status.value")
    assert busy
    assert len(labels(home)) == before + 1


def test_papermill_gets_a_table(kernel: tuple[Kernel, Path]):
    """Without a front end there is no widget to press."""
    running, _ = kernel
    shown = running.run(SHOW, person=False)
    assert set(shown) == {"text/html", "text/plain"}
    assert "turns labelled" in shown["text/plain"]
