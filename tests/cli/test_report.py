"""``skilltune report`` as a person runs it, with a real kernel."""

import json
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from skilltune.cli.report import failed_words, skill_lines
from skilltune.page.html import plain_text
from skilltune.reports.more_reports import SkillReports


def test_report_of_own_sessions(machine, talk):
    """Sessions in the default place are read, logged and shown; none of the sample is."""
    for number in range(6):
        machine.session(f"s{number}", talk(f"s{number}", "No, that is wrong.", day="2026-11-18"))
    made = json.loads(machine.run("report", "--week", "2026-W47", "--json").stdout)
    page = machine.cwd / "reports" / "2026-W47" / "weekly.html"
    assert made == {
        "page": str(page),
        "index": str(machine.cwd / "reports" / "index.html"),
        "week": "2026-W47",
        "sample": False,
        "sessions": 6,
    }
    text = page.read_text(encoding="utf-8")
    assert "tidy-imports" in text
    assert "sample sessions" not in text
    assert (machine.home / ".skilltune" / "feedback.jsonl").is_file()


def test_report_without_labels_shows_the_rules_alone(machine, talk, monkeypatch):
    """A person's labels beat the rules on the page; ``--no-labels`` shows what the rules say."""
    from skilltune.labelling import open_labelling

    for number in range(6):
        machine.session(f"s{number}", talk(f"s{number}", "No, that is wrong.", day="2026-11-18"))
    machine.run("mine")
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.chdir(machine.cwd)
    labelling = open_labelling(machine.home / ".skilltune", sessions=machine.home / ".claude" / "projects")
    for question in labelling.questions:
        labelling.answer(question, outcome="acceptance")
    page = machine.cwd / "reports" / "2026-W47" / "weekly.html"
    machine.run("report", "--week", "2026-W47")
    assert "that is wrong" not in page.read_text(encoding="utf-8")
    machine.run("report", "--week", "2026-W47", "--no-labels")
    assert "that is wrong" in page.read_text(encoding="utf-8")


def test_report_of_a_first_week_shows_the_running_one(machine, talk):
    """Somebody whose sessions all lie in the running week sees that week, not an empty one before it."""
    today = datetime.now(UTC) - timedelta(minutes=1)
    machine.session("s1", talk("s1", "No, that is wrong.", day=f"{today:%Y-%m-%d}"))
    year, week, _ = today.isocalendar()
    made = json.loads(machine.run("report", "--time-zone", "UTC", "--json").stdout)
    assert made["week"] == f"{year}-W{week:02}"
    assert "that is wrong" in (machine.cwd / "reports" / made["week"] / "weekly.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--week", "48"], "2026-W48"),
        (["--week", "2026-W54"], "2026-W54"),
        (["--time-zone", "Mars/Olympus"], "Mars/Olympus"),
        (["--skill", "nobody-has-this"], "nobody-has-this"),
    ],
)
def test_report_bad_option_is_named(machine, talk, options, named):
    """A value that makes no sense ends with exit code 2 and is named."""
    machine.session("s1", talk("s1", "No, that is wrong."))
    assert named in machine.run("report", *options, code=2).stderr


def test_report_of_named_sessions_has_a_log_of_its_own(machine, talk):
    """Sessions of a named folder are shown alone, and the person's own log is not touched."""
    machine.session("s1", talk("s1", "No, that is wrong."))
    machine.run("mine")
    before = (machine.home / ".skilltune" / "feedback.jsonl").read_bytes()
    other = machine.cwd / "team"
    other.mkdir()
    name = machine.session("s9", talk("s9", "You forgot the header.", skill="team-skill"), folder="-home-me-other")
    name.rename(other / "s9.jsonl")
    machine.run("report", "--session-dir", other, "--week", "2026-W47")
    page = (machine.cwd / "reports" / "2026-W47" / "weekly.html").read_text(encoding="utf-8")
    assert "team-skill" in page
    assert "tidy-imports" not in page
    assert (machine.home / ".skilltune" / "feedback.jsonl").read_bytes() == before


def test_report_without_snippets_quotes_nobody(machine, talk):
    """Where the config keeps no snippets, texts that were stored earlier do not come onto the page."""
    machine.session("s1", talk("s1", "No, that is wrong."))
    machine.run("mine")
    (machine.home / ".skilltune" / "config.toml").write_text("[privacy]\nsnippets = false\n", encoding="utf-8")
    machine.run("report", "--week", "2026-W47")
    for path in (machine.cwd / "reports" / "2026-W47").glob("weekly.*"):
        assert "that is wrong" not in path.read_text(encoding="utf-8")


def test_report_with_the_sample_is_private_and_leaves_the_own_log_alone(machine):
    """It writes nothing into the person's workspace, and a new folder of reports tells git that it is private."""
    subprocess.run(["git", "init", "--quiet", str(machine.cwd)], check=True)
    assert "sample" in machine.run("report", "--sample").stdout
    assert not (machine.home / ".skilltune").exists()
    assert (machine.cwd / "reports" / "sample" / "2026-W48" / "weekly.html").is_file()
    status = ["git", "-C", str(machine.cwd), "status", "--porcelain", "--untracked-files=all"]
    assert subprocess.run(status, capture_output=True, text=True, check=True).stdout == ""


def test_report_on_skills(machine, talk):
    """A page for each that is named; with ``--all-skills`` the week's, too, and one that fails stops no other."""
    for number in range(6):
        machine.session(f"s{number}", talk(f"s{number}", "No, that is wrong.", day="2026-11-18"))
    week = ("--week", "2026-W47", "--time-zone", "Europe/Berlin")
    made = json.loads(machine.run("report", "--skill", "tidy-imports", *week, "--json").stdout)
    page = machine.cwd / "reports" / "skills" / "tidy-imports.html"
    assert made["pages"] == {"tidy-imports": str(page)}
    assert made["failed"] == {}
    told = plain_text(page.read_text(encoding="utf-8"))
    for words in ("that is wrong", "until 22 November 2026", "(24 October–22 November)", "in week 47 (16–22 November)"):
        assert words in told
    assert "As of 22 November 2026" in plain_text((machine.cwd / "reports" / "index.html").read_text(encoding="utf-8"))
    assert not list((machine.cwd / "reports").glob("*-W*"))
    page.unlink()
    page.mkdir()
    ended = machine.run("report", "--all-skills", "--no-mine", "--week", "2026-W47", code=5)
    assert "1 of 2 pages failed" in ended.stderr
    assert f"Week 2026-W47: {machine.cwd / 'reports' / '2026-W47' / 'weekly.html'}" in ended.stdout
    assert "choose another folder" in ended.stderr


def test_report_by_a_definition(machine, talk):
    """Its file's name is the page's; a mistake in it ends with exit code 2 before anything is written."""
    machine.session("s1", talk("s1", "No, that is wrong.", day="2026-11-18"))
    file = machine.cwd / "team.yaml"
    file.write_text("title: Team\nnotebook: weekly\nparameters: {week: 2026-W47, privacy: true}\n", encoding="utf-8")
    page = machine.cwd / "reports" / "2026-W47" / "team.html"
    assert f"Report: {page}" in machine.run("report", "--definition", "team.yaml").stdout
    html = page.read_text(encoding="utf-8")
    assert "that is wrong" not in html
    assert 'href="team.ipynb"' in html
    file.write_text("title: Team\nnotebook: weekly\nparameters: {wek: 2026-W47}\n", encoding="utf-8")
    assert "it knows workspace, week" in machine.run("report", "--definition", "team.yaml", code=2).stderr


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--skill", "a", "--all-skills"], "--skill and --all-skills are both given"),
        (["--all-skills", "--definition", "weekly"], "--all-skills and --definition are both given"),
        (["--skill", "a", "--week", "2026-W47", "--as-of", "2026-11-01"], "--week and --as-of are both given"),
        (["--all-skills", "--only", "a"], "--only is of the weekly page alone; leave it out, or --all-skills"),
        (["--as-of", "2026-11-01"], "--skill NAME"),
        (["--definition", "monthly"], "those there are: skill, weekly"),
    ],
)
def test_report_options_that_say_two_things(machine, options, named):
    """They are named, with what to give instead."""
    assert named in machine.run("report", *options, code=2).stderr


def test_report_as_pdf_without_a_browser(machine):
    """Said before the sessions are read, with what to do."""
    ended = machine.run("report", "--sample", "--pdf", code=5, PATH="/nowhere")
    assert "SKILLTUNE_CHROMIUM=" in ended.stderr
    assert not (machine.cwd / "reports").exists()


def test_report_names_only_what_is_there(tmp_path):
    """No index where no page was written, and no others where there are none."""
    made = SkillReports(pages={}, failed={"lint": "cell 3 failed"}, index=tmp_path / "index.html", sample=False)
    assert skill_lines(made) == []
    assert failed_words(made) == "the page failed; lint: cell 3 failed"
    two = replace(made, failed={"lint": "cell 3 failed", "test": "cell 4 failed"})
    assert failed_words(two) == "2 of 2 pages failed; lint: cell 3 failed"
    made.index.touch()
    with_one = replace(two, pages={"tidy": tmp_path / "tidy.html"})
    assert skill_lines(with_one) == [f"tidy: {tmp_path / 'tidy.html'}", f"All reports: {made.index}"]
    assert failed_words(with_one).startswith("2 of 3 pages failed, the others are written; lint")
