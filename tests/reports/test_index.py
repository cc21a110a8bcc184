"""The index: figures from the log, week against week, kept beside the pages."""

import json
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from skilltune.analysis.isoweeks import iso_week
from skilltune.analysis.weekly import weekly_summary
from skilltune.frames import to_frame
from skilltune.page.html import plain_text
from skilltune.records import FeedbackEvent, Invocation
from skilltune.reports.export import export_html
from skilltune.reports.index import read_figures, write_index
from skilltune.reports.publishing import render_weekly
from skilltune.reports.week_figures import week_figures
from skilltune.reports.weeks import SkillEntry, Week, find_skills, find_weeks, render_index
from tests.invented_weeks import PICTURE, records

WEEKS = ("2026-W45", "2026-W46", "2026-W47", "2026-W48")


@pytest.fixture(scope="module")
def frames():
    """Events and uses of the invented weeks."""
    events, uses = records(PICTURE, seed=3)
    return to_frame(events, FeedbackEvent), to_frame(uses, Invocation)


def figures_of(frames, *weeks: str, **options) -> dict:
    """The figures of some weeks."""
    return week_figures(*frames, weeks=weeks, **({"time_zone": "Europe/Berlin", "min_invocations": 5} | options))


def test_figures_are_those_of_the_page(frames):
    """Uses of the week, the rate of all skills, and the verdicts that the week's own page gives."""
    found = figures_of(frames, *WEEKS)
    for name in WEEKS:
        week = iso_week(name, time_zone="Europe/Berlin")
        summary = weekly_summary(*frames, week=week)
        overall, told = summary.overall.iloc[0], found[name]
        assert (told["judged"], told["rate"]) == (overall["sample_size"], overall["correction_rate"])
        assert (told["low"], told["high"]) == (overall["low"], overall["high"])
        verdicts = summary.ranking.set_index("skill_id")["verdict"]
        assert told["worse"] == sorted(verdicts.index[verdicts == "got_worse"])
        assert told["better"] == sorted(verdicts.index[verdicts == "got_better"])
        inside = frames[1]["timestamp"].between(week.start, week.end, inclusive="left")
        assert told["uses"] == int(inside.sum())


def test_order_of_rows_and_of_weeks_does_not_matter(frames):
    """The same figures for shuffled tables."""
    shuffled = tuple(frame.sample(frac=1, random_state=5) for frame in frames)
    assert figures_of(shuffled, *reversed(WEEKS)) == figures_of(frames, *WEEKS)


def test_weeks_that_the_log_does_not_have_are_left_out(frames):
    """Neither before its first use, nor no week at all; few data have no rate."""
    assert figures_of(frames, "2019-W01", "2026-W99", "nonsense") == {}
    assert figures_of(frames, "2026-W48", min_invocations=10_000)["2026-W48"]["rate"] is None


def entry(name: str) -> Week:
    """A week's page."""
    return Week(name, f"Week {name[-2:]}, 2026", f"Finding of {name}.")


def test_index_compares_each_week_with_the_page_before(frames):
    """Uses, rate, and who newly got worse or no longer; a week without figures is passed over."""
    figures = {"weeks": figures_of(frames, "2026-W44", "2026-W48")}
    told = plain_text(render_index([entry(name) for name in ("2026-W48", "2026-W46", "2026-W44")], figures=figures))
    late = figures["weeks"]["2026-W48"]
    assert f"{late['uses']} uses" in told
    assert f"n = {late['judged']}" in told
    assert "Against week 44: rate" in told
    assert "newly got worse" in told
    assert told.count("Against week") == 1


def test_course_is_drawn_from_two_weeks_on(frames):
    """With words for those who cannot see it."""
    two = {"weeks": figures_of(frames, "2026-W47", "2026-W48")}
    one = {"weeks": figures_of(frames, "2026-W48")}
    pages = [entry("2026-W48"), entry("2026-W47")]
    assert "The rate of all skills over the weeks listed: from" in render_index(pages, figures=two)
    assert "<svg" not in render_index(pages, figures=one)


def test_skills_say_until_when(frames):
    """Each line has the day of its page and its figures, in the order of the skills' names."""
    known = {"uses": 12, "judged": 9, "rate": 0.5, "low": 0.2, "high": 0.8, "as_of": "2026-11-30"}
    figures = {"skills": {"b-1": {"skill": "a:b", **known}, "a": {"skill": "z", "uses": 1}}}
    html = render_index([], skills=[SkillEntry("a", "Few."), SkillEntry("b-1", "Half.")], figures=figures)
    told = plain_text(html)
    assert "a:b Half. As of 30 November 2026 · 12 uses · 50% corrected (20–80%), n = 9" in told
    assert "z Few. 1 use · too few judged for a rate" in told
    assert told.index("a:b Half.") < told.index("z Few.")
    assert '<span class="st-one">50% corrected (20–80%)</span>' in html


def test_nothing_known_is_a_sentence(frames):
    """No part of a line is empty: what is not known, and why, is said."""
    one = {"weeks": figures_of(frames, "2026-W48")}
    told = plain_text(render_index([entry("2026-W48"), Week("2026-W44", "Week 44, 2026", "")], figures=one))
    assert "No earlier week here has figures to compare with." in told
    assert "This page tells no finding. No figures: the log has no use in these days." in told
    assert "The first week that has a page." in plain_text(render_index([entry("2026-W48")], figures=one))
    assert "No skill has a page of its own yet." in told
    undated = plain_text(render_index([], skills=[SkillEntry("x", "")], figures={"skills": {"x": {"as_of": "soon"}}}))
    assert "x This page tells no finding. No figures are kept of this page: make it anew to see them." in undated


def test_private_pages_are_told_apart(tmp_path: Path):
    """The index says of each page whether it is in the private form, as the page itself says it."""
    notebook = new_notebook(metadata={"papermill": {"parameters": {"privacy": True}}})
    private = export_html(notebook, title="Private")
    notebook.metadata.papermill.parameters.privacy = False
    pages = {"skills/a.html": private, "skills/b.html": export_html(notebook, title="Open")}
    pages |= {"2026-W47/weekly.html": pages["skills/b.html"], "2026-W48/weekly.html": private}
    for name, html in pages.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(html, encoding="utf-8")
    weeks, skills = find_weeks(tmp_path), find_skills(tmp_path)
    assert [page.private for page in (*weeks, *skills)] == [True, False, True, False]
    told = plain_text(render_index(weeks, skills=skills))
    assert told.count("In the private form: no quotes, paths, project or session names.") == 2


def test_week_of_another_year_is_named_with_it():
    """Week 1 against week 53 of the year before."""
    weeks = [Week("2027-W01", "Week 1, 2027", "Now."), Week("2026-W53", "Week 53, 2026", "Then.")]
    figures = {"weeks": {week.name: {"uses": number} for number, week in enumerate(weeks, start=3)}}
    assert "Against week 53, 2026: uses 4 → 3." in plain_text(render_index(weeks, figures=figures))


def test_odd_figures_in_the_file_break_nothing():
    """Somebody wrote into it: what makes no sense is left out."""
    odd = {"uses": 3, "judged": "x", "rate": 0.1, "low": 0.0, "high": 0.2}
    figures = {"weeks": {"2026-W48": {"rate": 0.5}, "2026-W47": odd}}
    told = plain_text(render_index([entry("2026-W48"), entry("2026-W47")], figures=figures))
    assert "Against week 47: rate 10% → 50%." in told
    assert "3 uses · too few judged for a rate" in told


def test_hostile_names_are_texts():
    """In findings, names of skills and figures that somebody wrote into the file."""
    odd = "<script>alert(1)</script>\u202e\x1b[31m"
    figures = {
        "skills": {"x": {"skill": odd, "uses": 3}},
        "weeks": {
            "2026-W48": {"uses": 1, "worse": [odd], "better": []},
            "2026-W47": {"uses": 2, "worse": [], "better": []},
        },
    }
    weeks = [Week("2026-W48", "Week 48, 2026", odd), entry("2026-W47")]
    html = render_index(weeks, skills=[SkillEntry("x", odd)], figures=figures)
    for sign in ("<script", "\u202e", "\x1b"):
        assert sign not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    "kept", [b"", b"[1]", b'{"version": 9, "weeks": {}}', b'{"version": 1, "weeks": [1]}', b"\xff"]
)
def test_damaged_figures_are_none(tmp_path: Path, kept: bytes):
    """What cannot be read is made anew by the next reports."""
    (tmp_path / ".index.json").write_bytes(kept)
    assert read_figures(tmp_path) == {"weeks": {}, "skills": {}}
    assert read_figures(tmp_path / "nowhere") == {"weeks": {}, "skills": {}}


def test_second_week_gets_the_figures_of_both(log: Path, tmp_path: Path):
    """Real runs: each tells the figures of all pages that are there, from the log as it is now."""
    for week in ("2026-W47", "2026-W48"):
        render_weekly(workspace_events=log, output=tmp_path, week=week, time_zone="Europe/Berlin", progress=False)
    kept = json.loads((tmp_path / ".index.json").read_text(encoding="utf-8"))
    assert sorted(kept["weeks"]) == ["2026-W47", "2026-W48"]
    assert [week.name for week in find_weeks(tmp_path)] == ["2026-W48", "2026-W47"]
    assert "Against week 47: rate" in plain_text((tmp_path / "index.html").read_text(encoding="utf-8"))


def test_kept_figures_hold_no_raw_direction_characters(tmp_path: Path):
    """Names may hold anything; the file is read by people, too."""
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "odd.html").write_text("x", encoding="utf-8")
    told = {"skilltune": {"figures": {"skills": {"odd": {"skill": "a\u202eb\x9bé"}}}}}
    output = new_output("display_data", metadata=told)
    write_index(tmp_path, new_notebook(cells=[new_code_cell(outputs=[output])]))
    assert (tmp_path / ".index.json").read_bytes().isascii()
    assert read_figures(tmp_path)["skills"]["odd"]["skill"] == "a\u202eb\x9bé"
