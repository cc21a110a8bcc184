"""Notebook 03_review: its parts, its parameters, and real runs of it by papermill."""

import json
from pathlib import Path

import nbformat
import pytest

from skilltune.errors import InputError
from skilltune.page.html import plain_text
from skilltune.refining.state import read_state
from skilltune.reports.parameters import known_parameters
from skilltune.reports.running import run_notebook
from skilltune.widgets.frontend import CLICK
from skilltune.widgets.review_page import ReviewPage, read_review_page
from tests.conftest import ROOT
from tests.widgets.conftest import Clock
from tests.widgets.reviewed_home import LINT, write_lint, write_review
from tests.widgets.test_approval import panel_of, press

NOTEBOOK = ROOT / "notebooks" / "03_review.ipynb"


@pytest.fixture(autouse=True)
def _no_other_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claude Code's folder is the home's."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)


def outputs(notebook: Path) -> list[str]:
    """What each code cell shows, as text."""
    made = nbformat.read(notebook, as_version=4)
    assert not [out for cell in made.cells for out in cell.get("outputs", []) if out.output_type != "execute_result"]
    return [out["data"]["text/plain"] for cell in made.cells for out in cell.get("outputs", [])]


def run(tmp_path: Path, **parameters: str) -> Path:
    """The notebook, run in a folder of its own."""
    folder = tmp_path / "run"
    folder.mkdir()
    return run_notebook(NOTEBOOK, folder=folder, parameters=parameters, progress=False)


def test_notebook_runs_in_an_empty_home_and_leaves_nothing(home: Path, tmp_path: Path):
    """Each part says that there is nothing."""
    waiting, contradictions, suggestions, panel, drift, history = outputs(run(tmp_path))
    assert "Nothing waits for a decision." in waiting
    assert "Open this notebook" not in waiting
    assert "No correction contradicts another." in contradictions
    assert "nothing is suggested" in suggestions
    assert panel == "Nothing waits for a decision."
    assert "there is no drift to show" in drift
    assert "Nothing was done to a skill yet." in history
    assert list(home.iterdir()) == []


def test_notebook_runs_in_a_workspace_and_decides_nothing(home: Path, tmp_path: Path):
    """Papermill shows everything as tables and approves nothing."""
    write_review(home)
    made = run(tmp_path, workspace=str(home / ".skilltune"))
    waiting, contradictions, suggestions, panel, drift, history = outputs(made)
    assert "wait for a decision" in panel
    for skill in ("sql-migrations", "lint-on-save", "api-docs", "pr-description"):
        assert skill in waiting
        assert skill in suggestions
    assert "one undoes the other" in contradictions
    assert "The limit is 60%" in drift
    assert "first seen" in history
    assert (home / ".claude" / "skills" / "lint-on-save" / "SKILL.md").read_text(encoding="utf-8").endswith(LINT)
    for skill in ("sql-migrations", "lint-on-save"):
        types = [row["type"] for row in read_state(skill, workspace=home / ".skilltune").record.entries]
        assert types == ["first_seen"]
    text = made.read_text(encoding="utf-8")
    assert "application/vnd.jupyter.widget" not in text
    assert "<button" not in text


def test_notebook_is_thin_and_keeps_no_outputs():
    """At most eight lines a cell, calls only, a cell of parameters with types and defaults."""
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        assert len(source.splitlines()) <= 8
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert not {"def", "class", "for", "lambda"} & set(source.split())
    assert known_parameters(NOTEBOOK) == {"workspace": "str", "skill": "str"}


@pytest.mark.parametrize("given", [{"workspace": 5}, {"skill": ["a"]}])
def test_mistyped_parameters_are_refused_by_the_page_too(given: dict):
    """Where papermill was called by hand."""
    with pytest.raises(InputError, match=f"parameter '{next(iter(given))}' is .*; it takes a str"):
        read_review_page(**given)


def test_parts_follow_what_was_decided(home: Path, clock: Clock):
    """Drift and history are read when they are shown; the notes of acts are escaped."""
    write_lint(home)
    page = ReviewPage(str(home / ".skilltune"), "lint-on-save")
    assert "has moved 0.0%" in plain_text(page.drift().html)
    panel = panel_of(home, clock)
    panel.reason.value = "<script>agreed</script>"
    press(panel.approve, clock)
    assert panel.origin() == CLICK
    assert "lint-on-save has moved 4.7% from its first text; the limit is 60%." in plain_text(page.drift().html)
    told = str(page.history().html)
    assert "refined" in plain_text(told)
    assert "<script>" not in told
