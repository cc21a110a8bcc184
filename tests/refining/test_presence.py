"""No notebook that runs without a front end decides on anything; where a person decided stands in the log."""

import json
import os

import nbformat
import pytest
from nbclient import NotebookClient

from skilltune.refining.acts import release_contradiction, set_limit
from skilltune.refining.presence import check_presence, find_how
from skilltune.refining.rolling import rollback
from skilltune.stores.audit import AuditLog
from tests.conftest import ROOT
from tests.refining.homes import FIX, NOW, SKILL, approve, tree

PREPARE = """
from datetime import UTC, datetime
from pathlib import Path
from skilltune.errors import SkilltuneError
from skilltune.evolution.approvals import decide
from skilltune.refining.acts import as_new, record_decision, release_contradiction, reopen, reset_baseline, set_limit
from skilltune.refining.applying import apply_refinement
from skilltune.refining.restarting import restart_log
from skilltune.refining.rolling import rollback
from skilltune.refining.suggesting import suggest
SKILL, AT = "lint-on-save", datetime(2026, 11, 30, 12, tzinfo=UTC)
found = suggest(SKILL, workspace={workspace!r}, as_of=AT)
def made(decision):
    return decide(found, decision=decision, reviewer="eve", at=AT, how="terminal")
acts = [
    lambda: apply_refinement(found, approval=made("approve"), workspace={workspace!r}, as_of=AT),
    lambda: record_decision(found, approval=made("reject"), as_of=AT),
    lambda: rollback(SKILL, to=1, as_of=AT),
    lambda: reset_baseline(SKILL, note="x", as_of=AT),
    lambda: set_limit(SKILL, 99, note="x", as_of=AT),
    lambda: release_contradiction(SKILL, "c0ffee", as_of=AT),
    lambda: reopen(SKILL, "0123456789", as_of=AT),
    lambda: as_new(SKILL, "another", as_of=AT),
    lambda: restart_log({claude!r}, note="x", as_of=AT),
]
told = []
for act in acts:
    try:
        act()
        told.append("done")
    except SkilltuneError as error:
        told.append(f"{{type(error).__name__}}: {{error}}")
import json
print(json.dumps(told))
"""


def test_notebook_without_a_front_end_decides_on_nothing(home, monkeypatch):
    """As papermill and nbclient run it: every act is refused with the next step, and not a byte changes."""
    home.correct(*FIX)
    home.suggest()
    before = tree(home.folder)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(home.folder.parent / f"{home.folder.name}-{name.lower()}"))
    code = PREPARE.format(workspace=str(home.workspace()), claude=str(home.claude))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    done = NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    told = json.loads(done.cells[0].outputs[0]["text"])
    assert len(told) == 9
    assert all(text.startswith("ApprovalError") and "JupyterLab" in text for text in told)
    assert tree(home.folder) == before


def test_outside_of_a_kernel_a_terminal_is_told_apart(monkeypatch):
    """A plain program may act, and is not taken for a terminal; a terminal on standard input is one."""
    check_presence()
    reading, writing = os.pipe()
    with os.fdopen(reading) as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        assert find_how() is None
    os.close(writing)
    first, second = os.openpty()
    with os.fdopen(second) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        assert find_how() == "terminal"
    os.close(first)


@pytest.mark.parametrize("how", ["panel", "terminal"])
def test_how_stands_in_every_entry_of_an_act(home, how):
    """Approval, refinement, rollback and the acts say where a person decided, and by which looser settings."""
    (home.workspace() / "config.toml").parent.mkdir(parents=True)
    (home.workspace() / "config.toml").write_text("[refinement]\nmax_change_percent = 50\n")
    home.correct(*FIX)
    suggestion = home.suggest()
    home.apply(suggestion, approval=approve(suggestion, how=how))
    rollback(SKILL, workspace=home.workspace(), how=how, as_of=NOW)
    set_limit(SKILL, 80, note="it grows", as_of=NOW)
    release_contradiction(SKILL, "c0ffee", as_of=NOW)
    rows = {row["type"]: row for row in AuditLog(home.claude).read()}
    assert {rows[kind]["how"] for kind in ("approve", "refine", "rollback")} == {how}
    assert {rows[kind]["how"] for kind in ("set_limit", "release")} <= {"", "terminal"}
    loose = ["max_change_percent 50 (default 20)"]
    assert [rows[kind]["looser"] for kind in ("approve", "refine", "rollback")] == [loose] * 3
    assert rows["release"]["looser"] == ["drift_limit 80 (default 60)"]
