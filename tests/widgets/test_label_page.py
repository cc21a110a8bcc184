"""Notebook 04_label: its parts, its parameters, and real runs of it by papermill."""

import json
import re
from pathlib import Path

import nbformat
import pytest

from skilltune.errors import InputError
from skilltune.labelling import open_labelling
from skilltune.page.html import plain_text
from skilltune.reports.parameters import check_parameters, known_parameters
from skilltune.reports.running import run_notebook
from skilltune.stores.models import write_own_model
from skilltune.stores.workspace import find_workspace
from skilltune.training.publishing import encode_model
from skilltune.widgets.label_page import LabelPage, read_label_page
from tests.conftest import ROOT
from tests.mining.models import make_file
from tests.widgets.labelled_home import TRUTH, write_sessions

NOTEBOOK = ROOT / "notebooks" / "04_label.ipynb"


def labelled(home: Path, *, uses: int = 140) -> None:
    """Sessions in the home, and a hundred labels of fifty uses drawn from them, as a person gave them."""
    write_sessions(home, uses=uses)
    labelling = open_labelling(home / ".skilltune", as_of="2026-02-01")
    for question in labelling.questions:
        truth = TRUTH[int(question.session_id[1:]) % len(TRUTH)] if question.number == 1 else ("acceptance", None)
        labelling.answer(question, outcome=truth[0], correction_type=truth[1])
    assert labelling.done == 100


def outputs(notebook: Path) -> list[str]:
    """What each code cell shows, as text."""
    made = nbformat.read(notebook, as_version=4)
    assert not [out for cell in made.cells for out in cell.get("outputs", []) if out.output_type != "execute_result"]
    return [out["data"]["text/plain"] for cell in made.cells for out in cell.get("outputs", [])]


def seen(part) -> str:
    """A part as a reader sees it."""
    return plain_text(part.html)


def test_notebook_runs_with_no_sessions_and_shows_the_sample(home: Path, tmp_path: Path):
    """An empty home: the bundled sample, which says so; nothing is left behind."""
    made = run_notebook(NOTEBOOK, folder=folder_of(tmp_path), parameters={}, progress=False)
    panel, quality, rates, chart = outputs(made)
    assert "turns of the invented sample sessions labelled" in panel
    assert "No use is labelled whole yet" in quality
    assert "There is no corrected rate yet." in rates
    assert "There is no corrected rate to draw yet." in chart
    assert list(home.iterdir()) == []


def test_notebook_runs_in_a_workspace_with_a_hundred_labels(home: Path, tmp_path: Path):
    """The corrected rate with its interval, of all skills and of each; the panel is a table, and decides nothing."""
    labelled(home)
    log = home / ".skilltune" / "labels.jsonl"
    before = log.read_bytes()
    parameters = {"workspace": str(home / ".skilltune"), "sample_size": 50, "seed": 7}
    made = run_notebook(NOTEBOOK, folder=folder_of(tmp_path), parameters=parameters, progress=False)
    panel, quality, rates, chart = outputs(made)
    assert "100 of 100 turns labelled, 50 of 50 uses whole." in panel
    assert "The rules against your 50 labelled uses" in quality
    assert "by 50 labelled uses of 140" in rates
    assert "over all time" in rates.lower()
    assert "over all time" in chart.lower()
    for skill in ("all skills", "sql-migrations", "api-docs"):
        assert skill in rates
        assert skill in chart
    assert log.read_bytes() == before
    text = made.read_text(encoding="utf-8")
    assert "application/vnd.jupyter.widget" not in text
    assert "<button" not in text


def folder_of(tmp_path: Path) -> Path:
    """An empty folder to run in."""
    folder = tmp_path / "run"
    folder.mkdir()
    return folder


def test_notebook_is_thin_and_keeps_no_outputs():
    """At most eight lines a cell, calls only, a cell of parameters with types and defaults."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        assert len(source.splitlines()) <= 8
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert not {"def", "class", "for", "lambda"} & set(source.split())
    assert known_parameters(NOTEBOOK) == {"workspace": "str", "sample_size": "int", "seed": "int"}


@pytest.mark.parametrize(
    ("given", "told"),
    [({"sample": 5}, "no parameter 'sample'; it knows workspace, sample_size, seed"), ({"seed": "x"}, "takes a int")],
)
def test_unknown_and_mistyped_parameters_fail_before_the_run(given: dict, told: str):
    """As for every notebook: papermill itself only warns."""
    with pytest.raises(InputError, match=told):
        check_parameters(given, known=known_parameters(NOTEBOOK))


@pytest.mark.parametrize("given", [{"workspace": 5}, {"sample_size": "50"}, {"sample_size": True}, {"seed": 1.5}])
def test_mistyped_parameters_are_refused_by_the_page_too(given: dict):
    """Where papermill was called by hand."""
    with pytest.raises(InputError, match=f"parameter '{next(iter(given))}' is .*; it takes a"):
        read_label_page(**given)


def test_sample_size_below_one_is_refused(home: Path):
    """Nothing would be drawn."""
    write_sessions(home, uses=2)
    with pytest.raises(InputError, match="sample_size is 0"):
        read_label_page(sample_size=0)


def test_own_sessions_without_uses_are_no_reason_for_the_sample(home: Path):
    """A person with sessions but no skills is told that there is nothing to label."""
    (home / ".claude" / "projects").mkdir(parents=True)
    page = read_label_page()
    assert not page.sample
    assert "There is nothing to label" in page.panel.still_text()
    assert "There is no use of a skill" in seen(page.rates())


def test_labels_of_the_sample_are_gone_with_it(home: Path):
    """They are kept in a folder of their own, never in the person's workspace."""
    page = read_label_page(sample_size=2)
    folder = Path(page.kept.name)
    page.labelling.answer(page.labelling.questions[0], outcome="none")
    assert (folder / "labels.jsonl").exists()
    page.kept.cleanup()
    assert list(home.iterdir()) == []


def test_quality_and_rates_follow_the_labels(home: Path):
    """What the rules miss shows in recall and lifts the corrected rate over what they say."""
    labelled(home)
    page = LabelPage(open_labelling(home / ".skilltune", as_of="2026-02-01"))
    told = seen(page.quality())
    assert "When the rules say that a use, all its turns together, was complained about, " in told
    assert "they are right every time" in told
    found = re.search(r"of the complaints that are there they find (\d+)%", told)
    assert found
    assert 50 < int(found[1]) < 100
    rates = seen(page.rates())
    told = re.search(
        r"Corrected rate (\d+)% \((\d+)–(\d+)%\), by 50 labelled uses of 140; the rules alone say (\d+)%", rates
    )
    assert told
    rate, low, high, raw = map(int, told.groups())
    assert raw < low < rate < high
    assert "labelled uses would halve the interval." in rates
    chart = str(page.rates_chart().html)
    assert chart.count('class="st-interval"') == 3
    assert "the rules alone say" in chart


def test_few_labels_give_a_reason_in_place_of_a_rate(home: Path):
    """Under twenty labelled uses: refused, with the number that is needed."""
    write_sessions(home, uses=30)
    labelling = open_labelling(home / ".skilltune", as_of="2026-02-01")
    for question in labelling.questions[:6]:
        labelling.answer(question, outcome="none")
    page = LabelPage(labelling)
    assert "There is no corrected rate yet. 3 uses drawn at random are labelled; 20 are needed." in seen(page.rates())
    assert "There is no corrected rate to draw yet." in seen(page.rates_chart())


def test_rates_say_whose_verdicts_and_which_uses_they_are_about(home: Path):
    """With an own model in use one line says that the shipped one's verdicts are corrected; who is left out is told."""
    labelled(home)
    write_own_model(find_workspace(explicit=home / ".skilltune"), encode_model(make_file(version="model-0000abcd")))
    write_sessions(home, uses=160)
    page = LabelPage(open_labelling(home / ".skilltune", as_of="2026-02-01"))
    for told in (seen(page.rates()), seen(page.rates_chart())):
        assert "Corrected from the verdicts of the model that ships, not of your own" in told
        assert "“All skills” stands for 140 uses here. Left out: 20 uses in no draw so far" in told


def test_rates_have_a_judges_answers_where_the_settings_say_so(home: Path):
    """Turned on and scored, they narrow the interval in table and chart; a sentence says whose they are, how good."""
    labelled(home)
    workspace = home / ".skilltune"
    judge = open_labelling(workspace, as_of="2026-02-01", reader="judge:claude", sample_size=140)
    for question in judge.questions:
        truth = TRUTH[int(question.session_id[1:]) % len(TRUTH)] if question.number == 1 else ("acceptance", None)
        judge.answer(question, outcome=truth[0], correction_type=truth[1])
    page = LabelPage(open_labelling(workspace, as_of="2026-02-01"), workspace=str(workspace))
    alone = seen(page.rates())
    assert "The answers of" not in alone
    (workspace / "config.toml").write_text('[judge]\nagent = "claude"\nuse = true\n', encoding="utf-8")
    told = seen(page.rates())
    assert "The answers of the judge claude to 140 uses were used: it agreed with you on 100% of 100 turns (" in told
    bounds = [re.search(r"Corrected rate \d+% \((\d+)–(\d+)%\)", text) for text in (alone, told)]
    widths = [int(found[2]) - int(found[1]) for found in bounds]
    assert widths[1] < widths[0]
    assert str(page.rates_chart().html) != str(LabelPage(page.labelling, sample=True).rates_chart().html)
