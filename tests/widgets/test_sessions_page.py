"""Notebook 01_sessions: its parts, its parameters, and real runs of it by papermill."""

import re
from pathlib import Path

import nbformat
import pytest

from skilltune.errors import InputError, ReadError
from skilltune.page.html import plain_text
from skilltune.reports.parameters import known_parameters
from skilltune.reports.running import run_notebook
from skilltune.sample import sample_root
from skilltune.widgets.sessions_page import read_sessions_page
from tests.conftest import ROOT
from tests.widgets.labelled_home import write_sessions

NOTEBOOK = ROOT / "notebooks" / "01_sessions.ipynb"


@pytest.fixture(autouse=True)
def _no_other_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claude Code's folder is the home's."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)


def run(tmp_path: Path, **parameters: str) -> list[str]:
    """What each code cell of the notebook shows, as text, run by papermill in a folder of its own."""
    folder = tmp_path / "run"
    folder.mkdir()
    made = nbformat.read(run_notebook(NOTEBOOK, folder=folder, parameters=parameters, progress=False), as_version=4)
    outputs = [out for cell in made.cells for out in cell.get("outputs", [])]
    assert {out.output_type for out in outputs} == {"execute_result"}
    return [out["data"]["text/plain"] for out in outputs]


def test_notebook_runs_with_the_sample_where_there_are_no_sessions(home: Path, tmp_path: Path):
    """It says so; counts, sessions, uses, turns; nothing is left behind."""
    found, sessions, uses, browser = run(tmp_path)
    assert "these are invented sample sessions" in found
    assert "562 turns of a person" in found
    assert "sessions in which a person said something" in sessions
    assert "schema-migrator" in uses
    assert "562 turns:" in browser
    assert [each.name for each in home.iterdir() if not each.name.startswith(".")] == []


def test_notebook_runs_with_a_folder_that_holds_nothing(home: Path, tmp_path: Path):
    """Each part says that there is nothing."""
    (home / "empty").mkdir()
    found, sessions, uses, browser = run(tmp_path, sessions=str(home / "empty"))
    assert "0 sessions in 0 files" in found
    assert "No session holds a turn of a person." in sessions
    assert "No skill was used." in uses
    assert "nothing was read" in browser


def test_parameters_are_typed_and_have_defaults():
    """As papermill sees them."""
    assert known_parameters(NOTEBOOK) == {"sessions": "str", "since": "str", "skill": "str"}


def test_cells_are_short_and_hold_no_code_of_their_own():
    """At most eight lines, calls only, nothing stored."""
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        assert cell.source.count("\n") < 8
        assert not cell.get("outputs")
        if cell.cell_type == "code":
            assert not any(line.lstrip().startswith(("def ", "class ", "for ")) for line in cell.source.split("\n"))


def test_own_sessions_are_counted_by_session_and_skill(home: Path):
    """Names, numbers, what was passed over."""
    page = read_sessions_page(sessions=str(write_sessions(home, uses=4)), skill="api-docs")
    assert "4 sessions in 4 files: 12 turns of a person, 4 skill uses." in plain_text(page.found().html)
    assert "invented" not in plain_text(page.found().html)
    assert "s003 Claude Code shop" in plain_text(page.sessions().html)
    assert "2 skills, 4 uses, 4 of them judged." in plain_text(page.uses().html)
    assert len(page.browser.found) == 4


def test_since_leaves_out_what_was_before():
    """Turns, uses and events alike; a table that is cut names the call that shows all of it."""
    whole = read_sessions_page(sessions=str(sample_root() / "projects"))
    late = read_sessions_page(sessions=str(sample_root() / "projects"), since="2026-11-01")
    assert 0 < len(late.browser.found) < len(whole.browser.found)
    told = plain_text(late.sessions().html)
    shows = re.search(r"; \d+ more: page\.sessions\(rows=(\d+)\) shows all", told)
    assert shows is not None
    whole_table = plain_text(late.sessions(rows=int(shows[1])).html)
    assert "more:" not in whole_table
    assert whole_table.count("Claude Code") == int(shows[1]) > told.count("Claude Code") == 15


@pytest.mark.parametrize(("name", "value"), [("sessions", 3), ("since", 2026), ("skill", None)])
def test_parameters_of_another_type_are_named(name: str, value: object):
    """As papermill may give them."""
    with pytest.raises(InputError, match=f"parameter '{name}' is {value!r}; it takes a str"):
        read_sessions_page(**{name: value})


def test_what_cannot_be_read_is_an_error(home: Path):
    """A folder that is not there."""
    with pytest.raises(ReadError):
        read_sessions_page(sessions=str(home / "nowhere"))
