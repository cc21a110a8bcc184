"""Pages on single skills: real runs, what they show, what they keep where they fail."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
import pytest

from skilltune.errors import InputError, ReportError, UnknownSkillError
from skilltune.page.html import plain_text
from skilltune.reports.more_reports import definition_report, skill_reports
from skilltune.reports.publishing import render_skill
from skilltune.reports.skill import DaysUntil, read_skill
from skilltune.reports.skill_names import page_name
from skilltune.stores.feedback import FeedbackLog
from tests.invented_weeks import END, PICTURE, Skill, records
from tests.refining.homes import FIX, HEAD, NOW, SKILL, days, make_home

PARTS = (
    *("masthead", "headline", "course", "outcomes", "hotspots", "versions", "refinements", "contradictions"),
    *("waiting", "ratings", "drift_course", "usage", "cost", "corrected_rates", "how_good", "foot"),
)
SECRETS = ("sk-ant-api03-" + "Zq9" * 12, "hunter2hunter2", "ada@example.org")


@pytest.fixture(scope="module")
def page(log: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of one skill, in a folder that holds nothing else."""
    output = tmp_path_factory.mktemp("one skill é") / "reports"
    return render_skill("sql-migrations", workspace_events=log, output=output, as_of=END.isoformat(), progress=False)


def read(log: Path, skill: str = "sql-migrations", **options):
    """The page without a kernel."""
    return read_skill(skill=skill, workspace=str(log), **({"as_of": END.isoformat(), "time_zone": "UTC"} | options))


def test_run_writes_page_notebook_and_index(page: Path):
    """A page and its notebook below ``skills``, which lead to each other; the index lists it with its figures."""
    folder = page.parents[1]
    assert sorted(path.name for path in page.parent.iterdir()) == ["sql-migrations.html", "sql-migrations.ipynb"]
    assert sorted(path.name for path in folder.iterdir()) == [".index.json", ".reports.lock", "index.html", "skills"]
    html = page.read_text(encoding="utf-8")
    assert 'href="sql-migrations.ipynb"' in html
    assert 'href="../index.html"' in html
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert 'href="skills/sql-migrations.html"' in index
    figures = json.loads((folder / ".index.json").read_text(encoding="utf-8"))["skills"]["sql-migrations"]
    assert f"{figures['uses']} uses" in index
    notebook = nbformat.read(page.with_suffix(".ipynb"), as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.papermill.output_path == "sql-migrations.ipynb"


def test_page_needs_nothing_from_outside(page: Path):
    """No script, no address but files beside it, and a policy that says so."""
    html = page.read_text(encoding="utf-8")
    for word in ("<script", "http:", "https:", "@import", "url(", "javascript:"):
        assert word not in html.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert "default-src &#39;none&#39;" in html
    assert html.count("<h1") == 1


def test_every_part_says_what_is_known(log: Path):
    """Rate with interval and n, the course with its versions, outcomes, complaints, versions, use."""
    made = read(log)
    told = {part: plain_text(getattr(made, part)().html) for part in PARTS}
    row = made.week.summary.ranking.iloc[0]
    assert f"{row['sample_size']} of {row['n_invocations']} uses were judged" in told["headline"]
    assert "95% interval" in told["headline"]
    assert "got worse" in told["headline"]
    assert told["course"].startswith("Course: sql-migrations")
    assert "What people said" in told["course"]
    assert ">v3</text>" in made.course().html
    assert "accepted in words" in told["outcomes"]
    for size in ("wide", "narrow"):
        assert f'class="st-chart st-mix-{size}" role="img" aria-label="What became of uses in 12 weeks' in (
            made.outcomes().html
        )
    assert "v3 from" in told["versions"]
    assert "The sessions do not say what the uses cost." in told["cost"]
    assert "not installed here" in told["drift_course"]
    assert "Used" in told["usage"]
    assert "api-client-gen" not in " ".join(told.values())


def test_verdict_is_the_weekly_pages(log: Path):
    """The skill is compared among all skills, so that both pages say the same of it."""
    from skilltune.reports.weekly import read_weekly

    every = read_weekly(workspace=str(log), week="2026-W48", time_zone="Europe/Berlin").summary
    week = every.ranking.set_index("skill_id")["verdict"]
    options = {"as_of": every.week.end.isoformat(), "time_zone": "Europe/Berlin"}
    for skill in ("sql-migrations", "lint-on-save", "test-writer"):
        own = read(log, skill, **options).week.summary
        assert own.ranking["verdict"].tolist() == [week[skill]]
        assert own.shift.equals(every.shifts[every.shifts["skill_id"] == skill])
    assert set(every.shifts["skill_id"]) >= {"sql-migrations", "lint-on-save"}


def test_days_have_the_names_of_the_weekly_pages(log: Path):
    """Until the week's end both name the same thirty days; until another moment that is named."""
    told = read(log, as_of="2026-11-30T00:00:00+01:00", time_zone="Europe/Berlin")
    assert "· until 29 November 2026 ·" in plain_text(told.masthead().html)
    assert "(31 October–29 November)" in plain_text(told.headline().html)
    told = read(log, as_of="2026-11-29T12:30:00Z", time_zone="Europe/Berlin")
    assert "(until 29 November, 13:30)" in plain_text(told.headline().html)


def test_sample_is_made_today(log: Path):
    """The day of making is that of the run, whatever the sample's last day is; what is no day is refused."""
    before = datetime.now(UTC).date()
    made = read_skill(skill="schema-migrator", sample=True).week.made
    assert before <= made <= datetime.now(UTC).date()
    with pytest.raises(InputError, match="made is 'someday'"):
        read(log, made="someday")


def test_days_until_a_moment_are_seven():
    """Its end is the moment itself, not a midnight; it knows its zone."""
    span = DaysUntil.of(NOW, time_zone="Europe/Berlin")
    assert (span.end, span.end - span.start, span.time_zone) == (NOW, timedelta(days=7), "Europe/Berlin")


def test_earlier_moment_knows_nothing_of_later_uses(log: Path):
    """What came after ``as_of`` does not exist yet."""
    early = read(log, as_of=(END - timedelta(weeks=6)).isoformat())
    late = read(log)
    assert int(early.figures.usage["uses"].iloc[0]) < int(late.figures.usage["uses"].iloc[0])
    assert early.figures.mix["week"].max() < late.figures.mix["week"].max()


@pytest.mark.parametrize(
    ("skill", "words"),
    [
        ("terraform-plan", "Too few data for a rate of"),
        ("k8s-debug", "was not used in the last 30 days"),
    ],
)
def test_few_data_are_said_in_words(log: Path, skill: str, words: str):
    """No rate, no drawing, and still a page with every part."""
    made = read(log, skill)
    assert words in plain_text(made.headline().html)
    assert "%" not in plain_text(made.headline().html)
    for part in PARTS:
        assert getattr(made, part)() is not None


def test_unused_skill_shows_what_there_is_and_of_when(log: Path):
    """Its course ends with its last use, its complaints and their kinds are all there are: with their dates."""
    made = read(log, "k8s-debug")
    told = {part: plain_text(getattr(made, part)().html) for part in PARTS}
    first, last = made.figures.span
    when = f"{first.day} {first:%B}–{last.day} {last:%B}"
    assert f"What people said and what was wrong is shown for all that is known: {when}." in told["headline"]
    assert "; none in the last 30 days." in told["course"]
    assert f"What people said · {len(made.week.summary.complaints)} of" in told["course"]
    assert when in told["course"]
    assert 'class="st-chart st-course-wide"' in made.course().html
    assert f"Corrections and partials of {when}" in told["hotspots"]
    assert int(made.week.summary.hotspots["complaints"].sum()) == len(made.week.summary.complaints) > 0
    assert made.week.summary.courses["week_sample"].iloc[-1] > 0, "the week of its last use"
    assert made.figures.last is not None
    assert read(log).figures.span is None


def test_skill_unused_for_longer_than_the_weeks_still_has_its_course(tmp_path: Path):
    """Twelve weeks until the last use, and what became of the uses in them."""
    log = tmp_path / "log" / "feedback.jsonl"
    FeedbackLog(log).update(*records([Skill("old", 6, 0.4, 0.4, first_week=40, last_week=25)], weeks=45))
    made = read(log, "old")
    assert len(made.figures.mix) > 0
    assert "none in the last 30 days" in plain_text(made.course().html)
    assert "No use" not in plain_text(made.cost().html)


def test_counts_are_the_skills_own(tmp_path: Path):
    """Languages, uses without verdict, those without a text: of no other skill."""
    log = tmp_path / "log" / "feedback.jsonl"
    other = Skill("other", 9, 0.9, 0.9, sayings=[("不对", "zh")], versions=[("", 99)])
    FeedbackLog(log).update(*records([Skill("one", 9, 0.4, 0.4, sayings=[("No.", "en")]), other]))
    summary = read(log, "one").week.summary
    assert set(summary.languages["language"]) == {"en"}
    assert int(summary.languages["judged"].sum()) == int(summary.ranking["sample_size"].iloc[0])
    assert summary.unversioned == 0
    assert "zh" in set(read(log, "other").week.summary.languages["language"])


def test_labels_correct_the_skills_own_rate(log: Path):
    """The part names the skill, and no other one; all skills are not in it."""
    html = read(log).corrected_rates().html
    assert "Corrected rates" in html
    assert "all skills" not in html
    assert "sql-migrations: corrected" in html


def test_drift_and_refinement_of_an_installed_skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Its versions with their drift; the numbers are the audit log's everywhere; nothing is written beside it."""
    home = make_home(tmp_path, monkeypatch)
    home.correct(*FIX, at=NOW - days(20))
    home.apply(at=NOW - days(20))
    skill = Skill(SKILL, 9, 0.2, 0.4, project=str(home.folder), versions=[("f" * 12, 99)])
    FeedbackLog(home.workspace() / "feedback.jsonl").update(*records([skill]))
    made = read(home.workspace() / "feedback.jsonl", SKILL)
    drift = plain_text(made.drift_course().html)
    assert "v1 · first seen" in drift
    assert "v2 · refined" in drift
    assert "the limit is 60%" in drift
    assert "lint-on-save v2" in plain_text(made.refinements().html)
    home.file.write_text(HEAD, encoding="utf-8")
    assert "v3 · edited outside" in plain_text(read(home.workspace() / "feedback.jsonl", SKILL).drift_course().html)


def test_private_page_holds_no_words_paths_or_sessions(tmp_path: Path):
    """Planted secrets in what people said, projects and sessions are in none of its files; masked ones in the other."""
    saying = f"No, the key {SECRETS[0]} and password={SECRETS[1]} of {SECRETS[2]} are wrong."
    skills = [Skill("leaky", 9, 0.4, 0.6, sayings=[(saying, "en")], project="/srv/invented/secret-shop")]
    log = tmp_path / "log" / "feedback.jsonl"
    FeedbackLog(log).update(*records(skills))
    for privacy in (True, False):
        made = render_skill(
            "leaky",
            workspace_events=log,
            output=tmp_path / str(privacy),
            as_of=END.isoformat(),
            privacy=privacy,
            progress=False,
        )
        for path in (tmp_path / str(privacy)).rglob("*"):
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            assert not [secret for secret in SECRETS if secret in text]
            assert not privacy or not [
                word for word in ("No, the key", "secret-shop", "session-", str(log)) if word in text
            ]
        assert ("Private form" in made.read_text(encoding="utf-8")) is privacy


def test_failed_cell_keeps_the_last_good_page(page: Path, log: Path):
    """The failed notebook is kept apart; page, notebook and index stay; the private form keeps nothing."""
    folder = page.parents[1]
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for privacy in (True, False):
        with pytest.raises(ReportError, match="as_of is 'someday'") as caught:
            render_skill(
                "sql-migrations",
                workspace_events=log,
                output=folder,
                as_of="someday",
                privacy=privacy,
                progress=False,
            )
        assert (caught.value.notebook is None) is privacy
    failed = page.with_name("sql-migrations.failed.ipynb")
    assert "InputError" in failed.read_text(encoding="utf-8")
    failed.unlink()
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_page_that_fails_does_not_stop_the_others(tmp_path: Path):
    """The page that cannot be written is named; the others and the index are there."""
    log = tmp_path / ".skilltune" / "feedback.jsonl"
    FeedbackLog(log).update(*records([Skill("one", 4), Skill("two", 4)], weeks=2))
    output = tmp_path / "reports"
    (output / "skills" / "one.html").mkdir(parents=True)
    made = skill_reports(workspace=log.parent, output=output, mine_first=False, progress=False)
    assert list(made.pages) == ["two"]
    assert "choose another folder" in made.failed["one"]
    assert 'href="skills/two.html"' in made.index.read_text(encoding="utf-8")


def test_unknown_skill_is_refused_before_a_kernel_starts(tmp_path: Path):
    """It is named; nothing is written."""
    log = tmp_path / ".skilltune" / "feedback.jsonl"
    FeedbackLog(log).update(*records([Skill("one", 4)], weeks=2))
    with pytest.raises(UnknownSkillError, match="nobody"):
        skill_reports(["nobody"], workspace=log.parent, output=tmp_path / "out", mine_first=False, progress=False)
    with pytest.raises(UnknownSkillError, match="nobody"):
        read(log, "nobody")
    with pytest.raises(InputError, match="skill is empty"):
        read(log, "")
    assert not (tmp_path / "out").exists()


def test_page_of_a_skill_whose_name_holds_a_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """It is found by the name that the log has; neither files, their names nor an error hold the secret."""
    key = "ghp_" + "a1B2c3D4e5" * 4
    log = tmp_path / ".skilltune" / "feedback.jsonl"
    FeedbackLog(log).update(*records([Skill(f"lint {key}", 4)], weeks=2))
    choice = {"workspace": log.parent, "output": tmp_path / "out", "mine_first": False, "progress": False}
    made = skill_reports([f"lint {key}"], **choice)
    assert (list(made.pages), made.failed) == (["lint [secret]"], {})
    with pytest.raises(UnknownSkillError) as refused:
        skill_reports([f"no {key}"], **choice)
    with pytest.raises(UnknownSkillError) as unread:
        read(log, f"no {key}")
    texts = [path.read_text(encoding="utf-8") + path.name for path in (tmp_path / "out").rglob("*") if path.is_file()]
    for text in (*texts, str(refused.value), str(unread.value), *capsys.readouterr()):
        assert key.casefold() not in text.casefold()


def test_definition_runs_the_skills_notebook(tmp_path: Path):
    """Its parameters hold: the skill, the private form; without a skill it says what to set."""
    log = tmp_path / ".skilltune" / "feedback.jsonl"
    FeedbackLog(log).update(*records([Skill("one", 4)], weeks=2))
    file = tmp_path / "mine.yaml"
    file.write_text("title: Mine\nnotebook: skill_report\nparameters: {skill: one, privacy: true}\n", encoding="utf-8")
    options = {"workspace": log.parent, "output": tmp_path / "reports", "mine_first": False, "progress": False}
    (made,) = definition_report(str(file), **options)
    assert made == tmp_path / "reports" / "skills" / "one.html"
    html = made.read_text(encoding="utf-8")
    assert "<title>Mine, one</title>" in html
    assert "Private form" in html
    with pytest.raises(InputError, match="names no skill"):
        definition_report("skill", **options)


def test_definition_runs_a_notebook_of_ones_own(tmp_path: Path):
    """It gets what it knows: the log's path and its own parameters; its page and notebook are in its folder."""
    log = tmp_path / ".skilltune" / "feedback.jsonl"
    FeedbackLog(log).update(*records([Skill("one", 4)], weeks=2))
    cell = nbformat.v4.new_code_cell('workspace: str = ""\nname: str = "x"', metadata={"tags": ["parameters"]})
    show = nbformat.v4.new_code_cell("print(1)\nname + workspace")
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[cell, show], metadata=kernel), tmp_path / "own.ipynb")
    (tmp_path / "team.yaml").write_text(
        "title: Team\nnotebook: own.ipynb\nparameters:\n  name: hello\n", encoding="utf-8"
    )
    options = {"workspace": log.parent, "output": tmp_path / "reports", "mine_first": False, "progress": False}
    (made,) = definition_report(str(tmp_path / "team.yaml"), **options)
    assert made == tmp_path / "reports" / "team" / "team.html"
    assert f"&#39;hello{log}&#39;" in made.read_text(encoding="utf-8")


def test_names_of_pages_are_safe_and_differ():
    """Readable where they can be; no separator, dot or reserved name; another one for every skill."""
    names = ["lint-on-save", "Lint-on-save", "a:b", "a/b", "../x", ".", "con", "index", "数据库", "x" * 200, "-rf", ""]
    made = [page_name(name) for name in names]
    assert made[0] == "lint-on-save"
    assert len(set(made)) == len(names)
    assert len({name.casefold() for name in made}) == len(names)
    for name in made:
        assert name.strip(".") == name
        assert not set(name) & set("/\\:\0 ")
        assert 0 < len(name.encode()) < 80
        assert not name.startswith("-")


def test_picture_of_many_names_is_one_page_each():
    """No two of the invented skills share a file."""
    assert len({page_name(skill.name) for skill in PICTURE}) == len(PICTURE)


def test_name_that_looks_like_a_pages_name_is_hashed():
    """A skill called as the page of another, or as a failed run's notebook, has another page."""
    assert page_name("tools-lint-b2ff9ca9") != page_name("tools:Lint") == "tools-lint-b2ff9ca9"
    assert page_name("a.failed") not in ("a.failed", page_name("a"))
