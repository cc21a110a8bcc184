"""Real runs: what is written, what is kept, what is refused."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import papermill
import pytest
from nbformat.sign import NotebookNotary

from skilltune.errors import InputError, ReadError, ReportError
from skilltune.reports import render_weekly
from skilltune.reports.export import headline_of
from skilltune.reports.running import run_notebook
from skilltune.reports.trusting import trust_notebook
from skilltune.reports.weekly import read_weekly


def test_run_writes_page_notebook_and_index(made: Path):
    """Three files, nothing else; the notebook validates, runs under its own name and holds no error."""
    assert made.name == "weekly.html"
    assert sorted(path.name for path in made.parent.iterdir()) == ["weekly.html", "weekly.ipynb"]
    assert sorted(path.name for path in made.parents[1].iterdir()) == [
        ".index.json",
        ".reports.lock",
        "2026-W48",
        "index.html",
    ]
    notebook = nbformat.read(made.with_suffix(".ipynb"), as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.papermill.exception is None
    assert notebook.metadata.papermill.output_path == "weekly.ipynb"
    assert "widgets" not in notebook.metadata
    assert headline_of(notebook).startswith("2 of 13 skills got worse.")


def is_trusted(notebook: Path, folder: str | Path) -> bool:
    """Whether a person whose Jupyter data lie in `folder` trusts a notebook."""
    notary = NotebookNotary(data_dir=str(folder))
    try:
        return notary.check_signature(nbformat.read(notebook, as_version=4))
    finally:
        notary.store.close()


def test_finished_notebook_is_trusted(made: Path, tmp_path: Path):
    """Jupyter shows the outputs as they are, to this person only; the first line says what to do elsewhere."""
    finished = made.with_suffix(".ipynb")
    assert is_trusted(finished, os.environ["JUPYTER_DATA_DIR"])
    assert not is_trusted(finished, tmp_path)
    assert "jupyter trust weekly.ipynb" in nbformat.read(finished, as_version=4).cells[0].source.splitlines()[0]


@pytest.mark.parametrize("home", ["a file", "nothing"])
def test_home_that_cannot_be_written_leaves_the_notebook_untrusted(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], home: str
):
    """No key can be kept: nothing is raised, printed or made."""
    monkeypatch.delenv("JUPYTER_DATA_DIR")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    if home == "a file":
        (tmp_path / "home").write_text("", encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    assert trust_notebook(made.with_suffix(".ipynb").read_text(encoding="utf-8")) is False
    assert sorted(tmp_path.iterdir()) == before
    assert capfd.readouterr() == ("", "")


def rerun(notebook: Path, folder: Path) -> nbformat.NotebookNode:
    """A finished notebook run once more, from another folder."""
    folder.mkdir()
    again = nbformat.read(run_notebook(notebook, folder=folder, parameters={}, progress=False), as_version=4)
    assert all(not cell.get("outputs") or cell.outputs[0].output_type != "error" for cell in again.cells)
    return again


def test_finished_sample_can_be_run_again(tmp_path: Path):
    """It names no log: the sample is read anew, and shows the same."""
    page = render_weekly(
        workspace_events=tmp_path / "gone" / "feedback.jsonl",
        output=tmp_path,
        week="2026-W48",
        sample=True,
        progress=False,
    )
    finished = nbformat.read(page.with_suffix(".ipynb"), as_version=4)
    assert finished.metadata.papermill.parameters["workspace"] == ""
    assert "gone" not in page.with_suffix(".ipynb").read_text(encoding="utf-8")
    again = rerun(page.with_suffix(".ipynb"), tmp_path / "again")
    assert headline_of(again) == headline_of(finished) != ""


def test_log_that_is_not_there_is_no_empty_report(tmp_path: Path):
    """The missing log is named before a kernel is started; so is one that went after the report."""
    gone = tmp_path / "gone" / "feedback.jsonl"
    with pytest.raises(ReadError, match=rf"{re.escape(str(gone))}.*skilltune mine"):
        render_weekly(workspace_events=gone, output=tmp_path / "out", week="2026-W48", progress=False)
    assert not (tmp_path / "out").exists()
    with pytest.raises(ReadError, match=re.escape(str(gone))):
        read_weekly(workspace=str(gone), week="2026-W48")


def test_private_notebook_without_its_log_says_what_to_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Its path was left out: where no log is found, the parameter is named."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ReadError, match="set workspace to the folder or log"):
        read_weekly(week="2026-W48", privacy=True)


def test_reading_without_any_use_gives_a_page(tmp_path: Path):
    """Sessions were read and none used a skill: no log was made, and the page says so."""
    page = render_weekly(
        workspace_events=tmp_path / "feedback.jsonl",
        output=tmp_path,
        week="2026-W48",
        health={"sessions": {"claude-code": 4}},
        progress=False,
    )
    html = page.read_text(encoding="utf-8")
    assert "No use of a skill in these 30 days." in html
    assert "4 (Claude Code)" in html


def test_week_that_has_not_begun_is_refused(log: Path, tmp_path: Path):
    """It is named, with the last whole one; the sample's weeks end with the sample."""
    for sample, week in ((False, "2999-W01"), (True, "2026-W49")):
        with pytest.raises(InputError, match=f"{week} has not begun; the last whole one"):
            render_weekly(workspace_events=log, output=tmp_path, week=week, sample=sample, progress=False)
        with pytest.raises(InputError, match=f"{week} has not begun"):
            read_weekly(workspace=str(log), week=week, sample=sample)


def test_page_needs_nothing_from_outside(made: Path):
    """No script, no address but files beside it, no style but its own, and a policy that says so."""
    html = made.read_text(encoding="utf-8")
    for word in ("<script", "http:", "https:", "@import", "url(", "javascript:", "<iframe", "onerror"):
        assert word not in html.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert "default-src &#39;none&#39;; style-src &#39;sha256-" in html
    assert ' style="' not in html
    assert "Week 48, 2026" in html
    assert "241 (Claude Code)" in html


def test_index_lists_the_weeks_newest_first(made: Path, tmp_path: Path):
    """Each week with its page's headline; folders that are no week are passed over."""
    from skilltune.reports.weeks import find_weeks, render_index

    for name in ("2026-W47", "2025-W52", "2026-W99", "old"):
        (tmp_path / name).mkdir()
        shutil.copyfile(made, tmp_path / name / "weekly.html")
    weeks = find_weeks(tmp_path)
    assert [week.name for week in weeks] == ["2026-W47", "2025-W52"]
    html = render_index(weeks)
    assert "Against" not in html
    assert html.index('href="2026-W47/weekly.html"') < html.index('href="2025-W52/weekly.html"')
    assert html.count("2 of 13 skills got worse.") == 2
    assert "Week 47, 2026 · 16–22 November" in html
    assert "There is no report yet." in render_index([])


def test_failed_cell_keeps_the_last_good_report(made: Path, log: Path):
    """The failed notebook is kept apart and named with its cell; page, notebook and index stay as they were."""
    folder = made.parents[1]
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(ReportError, match="no use of a skill called 'nope'") as caught:
        render_weekly(workspace_events=log, output=folder, week="2026-W48", skills=["nope"], progress=False)
    failed = made.with_name("weekly-only-nope.failed.ipynb")
    assert caught.value.notebook == failed
    assert f"cell {caught.value.cell} (from skilltune.reports.weekly import read_weekly, " in str(caught.value)
    assert "InputError" in failed.read_text(encoding="utf-8")
    failed.unlink()
    with pytest.raises(ReportError, match="not kept in the private form") as caught:
        render_weekly(
            workspace_events=log, output=folder, week="2026-W48", skills=["nope"], privacy=True, progress=False
        )
    assert caught.value.notebook is None
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"week": "2026-W60"}, "2026-W60"),
        ({"time_zone": "Mars/Base"}, "Mars/Base"),
        ({"min_invocations": "five"}, "min_invocations"),
        ({"min_invocations": True}, "min_invocations"),
        ({"privacy": "yes"}, "privacy"),
    ],
)
def test_mistyped_parameter_fails_before_the_run(log: Path, tmp_path: Path, options: dict, named: str):
    """No kernel is started for a value that cannot be."""
    with pytest.raises(InputError, match=named):
        render_weekly(workspace_events=log, output=tmp_path, progress=False, **({"week": "2026-W48"} | options))
    assert not list(tmp_path.rglob("*.ipynb"))


def test_folder_that_cannot_be_written_is_named(log: Path, tmp_path: Path):
    """A file stands where the reports should go."""
    (tmp_path / "reports").write_text("", encoding="utf-8")
    with pytest.raises(ReportError, match="choose another folder"):
        render_weekly(workspace_events=log, output=tmp_path / "reports", week="2026-W48", progress=False)


def without_network() -> list[str]:
    """What a command is put behind to have no network, not even its own; nothing where the system forbids that."""
    unshare = ["unshare", "--map-root-user", "--net"]
    allowed = (
        shutil.which("unshare") and not subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode
    )
    return unshare if allowed else []


def test_private_run_in_a_hostile_environment(log: Path, tmp_path: Path):
    """No network, HOME or UTF-8, another python3 kernel, a shadowing folder: the same page, no path in its files."""
    kernels = tmp_path / "jupyter" / "kernels" / "python3"
    kernels.mkdir(parents=True)
    spec = {"argv": ["/nonexistent/python", "{connection_file}"], "display_name": "x", "language": "python"}
    (kernels / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    work = tmp_path / "work"
    work.mkdir()
    (work / "pandas.py").write_text("raise SystemExit('shadowed')", encoding="utf-8")
    script = (
        "import sys; sys.path.pop(0) if sys.path[0] == '' else None\n"
        "from pathlib import Path\n"
        "from skilltune.reports import render_weekly\n"
        f"render_weekly(workspace_events=Path({str(log)!r}), output=Path('out'), week='2026-W48', privacy=True)\n"
    )
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONUTF8": "0",
        "JUPYTER_PATH": str(tmp_path / "jupyter"),
        "JUPYTER_PREFER_ENV_PATH": "0",
    }
    ended = subprocess.run(
        [*without_network(), sys.executable, "-c", script],
        cwd=work,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.splitlines()[0] == "report: part 1 of 15"
    assert len(ended.stderr.splitlines()) < 15, "quick parts have no line of their own"
    assert sorted(path.name for path in work.iterdir()) == ["out", "pandas.py"]
    week = work / "out" / "2026-W48"
    assert "Private form" in (week / "weekly.html").read_text(encoding="utf-8")
    for path in week.iterdir():
        text = path.read_text(encoding="utf-8")
        assert str(log.parent) not in text
        assert "/srv/invented" not in text
        assert "backfill" not in text


PARAMETERS = {
    "weekly": ["workspace", "week", "time_zone", "skills", "min_invocations", "privacy", "sample", "options"],
    "skill_report": ["skill", "workspace", "as_of", "time_zone", "min_invocations", "privacy", "sample", "use_labels"],
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_shipped_notebook_is_thin_and_clean(name: str):
    """Parameters, one a line, prose and calls: no def, class or for, at most 8 lines a cell, no outputs, stable ids."""
    path = Path(__file__).parents[2] / "notebooks" / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert [cell.id for cell in notebook.cells] == [str(place) for place in range(len(notebook.cells))]
    assert notebook.metadata.kernelspec.name == "python3"
    for cell in notebook.cells:
        assert len(cell.source.splitlines()) <= 8
        if cell.cell_type == "code":
            assert not cell.outputs
            assert cell.execution_count is None
            assert not {"def", "class", "for", "!", "%"} & set(cell.source.split())
    told = papermill.inspect_notebook(str(path))
    assert list(told) == PARAMETERS[name]
    assert all(parameter["inferred_type_name"] != "None" for parameter in told.values())
    assert all(parameter["help"] for parameter in told.values())


def test_page_on_some_skills_leaves_the_weeks_page_and_index(log: Path, tmp_path: Path):
    """It has a name of its own and says what it is about."""
    folder = tmp_path / "2026-W48"
    folder.mkdir()
    (folder / "weekly.html").write_text("the whole week", encoding="utf-8")
    (tmp_path / "index.html").write_text("the index", encoding="utf-8")
    skill = "sql-migrations"
    page = render_weekly(workspace_events=log, output=tmp_path, week="2026-W48", skills=[skill], progress=False)
    assert page == folder / "weekly-only-sql-migrations.html"
    html = page.read_text(encoding="utf-8")
    assert "Only sql-migrations" in html
    assert 'href="weekly-only-sql-migrations.ipynb"' in html
    assert (folder / "weekly.html").read_text(encoding="utf-8") == "the whole week"
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "the index"
