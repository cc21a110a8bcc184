"""The approval panel in a real kernel without a browser: a message approves, code and papermill do not."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.manager import start_new_kernel

from skilltune.stores.audit import AuditLog
from tests.conftest import ROOT
from tests.widgets.reviewed_home import LINT, write_lint
from tests.widgets.test_kernel import Kernel

SHOW = """
from skilltune.widgets.approval import ApprovalPanel
panel = ApprovalPanel('.skilltune', as_of='2026-11-30T12:00:00Z')
panel
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Kernel, Path]]:
    """A kernel in a home with one skill that is ready, and that home."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE"):
            patch.setenv(name, str(home))
        patch.delenv("CLAUDE_CONFIG_DIR", raising=False)
        write_lint(home)
        for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(home / name.lower()))
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT)]))
        patch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
        manager, client = start_new_kernel(kernel_name="python3", cwd=str(home), transport_encryption="auto")
        try:
            yield Kernel(client), home
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


def acts(home: Path) -> list[str]:
    """The types of the audit entries."""
    return [row["type"] for row in AuditLog(home / ".claude").read()]


def test_without_a_front_end_there_is_a_table(kernel: tuple[Kernel, Path]):
    """As papermill runs it: no widget, no decision."""
    running, home = kernel
    shown = running.run(SHOW + "panel.approve.click()\npanel", person=False)
    assert set(shown) == {"text/html", "text/plain"}
    assert "1 suggestion waits for a decision" in shown["text/plain"]
    assert acts(home) == ["first_seen"]


def test_only_a_message_approves_and_only_once(kernel: tuple[Kernel, Path]):
    """A click by code is refused where it counts; a press is one approval, two presses too."""
    running, home = kernel
    file = home / ".claude" / "skills" / "lint-on-save" / "SKILL.md"
    assert "application/vnd.jupyter.widget-view+json" in running.run(SHOW)
    running.run("import time; time.sleep(0.6); panel.approve.click(); print(panel.status.value)")
    assert acts(home) == ["first_seen"]
    assert file.read_text(encoding="utf-8").endswith(LINT)
    busy = running.client.execute("import time; time.sleep(0.4)")
    running.press("Approve")
    running.press("Approve")
    running.client.get_shell_msg(timeout=30)
    assert busy
    running.run(
        "assert 'is decided' in panel.status.value or 'could be read' in panel.status.value, panel.status.value"
    )
    assert acts(home) == ["first_seen", "approve", "refine"]
