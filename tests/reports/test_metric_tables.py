"""Notebook 02_metrics: its parts, its parameters, and real runs of it by papermill."""

import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from skilltune.analysis.catalogue import find_metrics
from skilltune.analysis.cost import skill_cost
from skilltune.errors import InputError, ReadError, UnknownSkillError
from skilltune.reports.metric_tables import read_metric_tables
from skilltune.reports.running import run_notebook
from tests.conftest import ROOT

NOTEBOOK = ROOT / "notebooks" / "02_metrics.ipynb"


def shown(folder: Path, **parameters: Any) -> list[str]:
    """What each cell of a finished run shows, as text."""
    folder.mkdir()
    made = nbformat.read(run_notebook(NOTEBOOK, folder=folder, parameters=parameters, progress=False), as_version=4)
    outputs = [out for cell in made.cells for out in cell.get("outputs", [])]
    assert [out for out in outputs if out.output_type not in ("execute_result", "display_data")] == []
    return [out["data"]["text/plain"] for out in outputs]


def test_notebook_has_every_metric():
    """Each is called by its public name."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    code = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert [metric.name for metric in find_metrics() if f"st.{metric.name}(" not in code] == []


def test_notebook_shows_the_sample(tmp_path: Path):
    """Rates by model and week as percent with intervals, charts of one skill, costs that are known."""
    texts = shown(tmp_path / "run", sample=True, skill="schema-migrator", by=["model", "week"], time_zone="Asia/Tokyo")
    assert "before 2026-" in texts[0]
    assert "weeks in Asia/Tokyo" in texts[0]
    assert "claude-" in texts[1]
    assert any(text.startswith("Correction rate of schema-migrator over 12 weeks: ") for text in texts)
    rates = texts[1]
    assert "correction rate" in rates
    assert not re.search("_|p.value|insufficient", "".join(text.splitlines()[0] for text in texts[1:-1]))
    assert re.search(r" [0-9]+% .* [0-9]+–[0-9]+% ", rates)
    assert not re.search(r"0\.[0-9]{4}", rates)
    assert "2026-W4" in rates
    assert not [text for text in texts if "report-builder" in text and re.match(" *skill ", text)]


def test_notebook_of_an_empty_log(tmp_path: Path):
    """Nothing was used yet: it says what to do next, tables say so, and sentences stand for charts."""
    log = tmp_path / "empty.jsonl"
    log.write_bytes(b"")
    texts = shown(tmp_path / "run", workspace=str(log))
    assert texts[0].startswith("0 judged uses, 0 uses")
    assert "run `skilltune mine` and then all cells again" in texts[0]
    assert "No use was judged in these weeks." in texts
    assert texts.count("No row.") >= 10
    assert not [text for text in texts if "Empty DataFrame" in text]


def test_newcomer_without_a_log_sees_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """It says so, and what to do for figures of one's own; failed calls are counted apart."""
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for workspace in ("", str(tmp_path)):
        told = repr(read_metric_tables(workspace=workspace))
        assert told.startswith("There is no feedback log of yours yet: these are invented sample sessions")
        assert "`skilltune mine`" in told
        assert "329 uses, 2 failed calls" in told
    with pytest.raises(ReadError, match="make one with: skilltune mine"):
        read_metric_tables(skill="schema-migrator")
    with pytest.raises(ReadError, match="nowhere"):
        read_metric_tables(workspace=str(tmp_path / "nowhere"))
    assert "no feedback log" not in repr(read_metric_tables(sample=True))


def test_tables_of_nobody_knows_what(tmp_path: Path):
    """A skill without uses, a log that is not there, and a number out of range are named."""
    with pytest.raises(UnknownSkillError, match="nobody"):
        read_metric_tables(sample=True, skill="nobody")
    with pytest.raises(ReadError, match=r"none\.jsonl"):
        read_metric_tables(workspace=str(tmp_path / "none.jsonl"))
    with pytest.raises(InputError, match="min_invocations is 0"):
        read_metric_tables(sample=True, min_invocations=0)


def test_costs_of_the_sample_add_up_to_its_sessions():
    """All rows together, that of no skill among them, are exactly what the sessions took."""
    found = read_metric_tables(sample=True)
    assert found.sessions is not None
    cost = skill_cost(found.events, invocations=found.invocations, sessions=found.sessions, as_of=found.as_of)
    assert cost["tokens"].sum() == found.sessions["tokens"].sum() > 0
    assert cost["with_subagents"].sum() == found.sessions["tokens_with_subagents"].sum()
    assert cost["attributed"].tolist().count(False) == 1
    rest = cost.loc[~cost["attributed"], "tokens"].iloc[0]
    assert rest == found.sessions["unattributed_tokens"].sum()
