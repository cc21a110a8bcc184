"""Corrected rates in words: what the rules say, what labels say, and what to do next."""

import re
from datetime import date
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest

from skilltune.analysis.corrected_summary import CorrectedSummary, corrected_summary
from skilltune.cli.corrected_text import corrected_text
from skilltune.page.corrected import corrected_section
from skilltune.page.html import plain_text
from skilltune.page.weekly import WeeklyPage
from skilltune.page.words import interval, percent
from tests.analysis.test_corrected import ELSEWHERE, invented
from tests.page.summaries import MADE, judged, together

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "weekly.ipynb"


def text_of(summary: CorrectedSummary | None) -> str:
    """What a reader sees of the section."""
    return plain_text(corrected_section(summary).html)


def told(said: str, truth: str, *, labels: int = 200) -> str:
    """The section of uses of one skill, c(orrected), a(ccepted) or none, of which the first ones are labelled."""
    words = {"c": "correction", "a": "acceptance", "-": "none"}
    uses = pd.DataFrame({"event_id": range(len(said)), "outcome": [words[s] for s in said], "skill_id": "docx"})
    chosen = np.arange(0, len(said), len(said) // labels)
    labelled = uses.iloc[chosen].assign(
        outcome=[words[truth[at]] for at in chosen],
        probability=len(chosen) / len(said),
        labelled_at=pd.Timestamp("2026-11-01", tz="UTC"),
    )
    return text_of(corrected_summary(uses, labelled))


def test_own_labels_stand_beside_the_rules():
    """Rules, corrected rate, interval, labels of uses: for all skills and for each that labels carry."""
    uses, labelled = invented()
    summary = corrected_summary(uses, labelled)
    html = corrected_section(summary).html
    rows = [plain_text(row) for row in re.findall(r"<tr.*?</tr>", html, re.DOTALL)]
    row = summary.overall.iloc[0]
    rates = f"{percent(row['raw_rate'])} {percent(row['corrected_rate'])} {interval(row['low'], row['high'])}"
    assert rows[1] == f"all skills the rules say {rates} labelled 80 of 400"
    assert [row.split()[0] for row in rows[2:5]] == summary.skills["skill_id"].tolist()
    assert [row for row in rows if row.startswith("rare")][0].endswith("all labels")  # noqa: RUF015
    assert html.count("stroke-dasharray") == 1
    text = plain_text(html)
    assert "You labelled 80 uses drawn at random of 400." in text
    assert "a range made like this holds it 19 times in 20." in text
    assert "more labels would make this range half as wide: skilltune label sample." in text
    assert "“All labels”: the skill has fewer than 20 labels of its own" in text


@pytest.mark.parametrize(
    ("said", "truth", "finding"),
    [
        ("aaaaaaaaac" * 60, "aaaaacccca" * 60, "By your labels, about 2 of 5 judged uses are corrected"),
        ("cccccaaaaa" * 60, "caaaaaaaaa" * 60, "less than the 50% that the rules see."),
        ("ccaaaaaaaa" * 60, "ccaaaaaaaa" * 60, "the rules say 20%, which your labels do not contradict."),
        ("-" * 600, "caaa------" * 60, "the rules judged none."),
    ],
)
def test_finding_says_whether_the_rules_are_right(said: str, truth: str, finding: str):
    """More, less, not contradicted, nothing said: each has its sentence."""
    random = np.random.default_rng(1).permutation(len(said))
    told_now = told("".join(said[at] for at in random), "".join(truth[at] for at in random))
    assert finding in told_now


def test_other_projects_errors_are_marked_as_such():
    """Without labels of one's own: a condition, a hint, the command; no skill has a row."""
    uses, labelled = invented()
    text = text_of(corrected_summary(uses, labelled.iloc[:0], confusion=ELSEWHERE))
    assert text.startswith("Corrected rates")
    assert "If the rules err on your sessions as they did elsewhere, " in text
    assert "None of your own labels is in this." in text
    assert "Read it as a hint." in text
    assert "skilltune label sample puts 50 uses drawn at random" in text
    assert "docx" not in text
    few = text_of(corrected_summary(uses, labelled.head(1), confusion=ELSEWHERE))
    assert "You have labelled 1 use drawn at random; 20 are needed." in few


def test_nothing_to_correct_is_one_line():
    """No use, no labels: the section keeps its name and says so."""
    uses, labelled = invented()
    assert text_of(None) == "Corrected rates Nothing to correct: no use is in the log yet."
    assert text_of(corrected_summary(uses.iloc[:0], labelled)) == text_of(None)
    text = text_of(corrected_summary(uses, labelled.iloc[:0]))
    assert "The rates are not corrected for the rules’ mistakes yet." in text
    assert "No use drawn at random is labelled; 20 are needed." in text
    assert "%" not in text
    few = uses[uses["outcome"] != "none"]
    text = text_of(corrected_summary(few, labelled.iloc[:0], confusion=ELSEWHERE))
    assert "20 are needed; the mistakes measured elsewhere do not fit your sessions, so no hint can be given" in text


def test_labels_of_everything_are_exact():
    """With every use labelled there is no range."""
    uses, labelled = invented(60, labels=60)
    text = text_of(corrected_summary(uses, labelled))
    assert "is exact." in text
    assert "half as wide" not in text


def test_labels_of_all_that_was_drawn_from_are_not_called_exact():
    """With later uses open the rate is of those drawn from, and which are left out is said, each by its kind."""
    uses, labelled = invented(100, labels=100)
    why = np.array([*[""] * 90, *["undrawn"] * 4, *["unlabelled"] * 5, "unaskable"])
    some = uses.assign(covered=why == "", left_out=why)
    text = text_of(corrected_summary(some, labelled.head(90)))
    assert "exact" not in text
    assert "All 90 uses that a draw could take and that somebody said something about are labelled" in text
    assert "“All skills” stands for 90 uses here. Left out: 5 uses in a part of the sample that is not labelled" in text
    assert "4 uses in no draw so far" in text
    assert "1 use that nobody can be asked about" in text


def test_one_skill_labelled_has_its_row_though_all_skills_have_none():
    """Where labels speak for one skill only, that skill is shown, and why all together are not: page and text."""
    uses, labelled = invented(labels=160)
    one = uses["skill_id"] == "docx"
    some = uses.assign(covered=one, left_out=np.where(one, "", "unlabelled"))
    summary = corrected_summary(some, labelled[labelled["skill_id"] == "docx"])
    for told in (text_of(summary), " ".join(corrected_text(summary).split())):
        assert "The rate of all skills together is not corrected yet; that of 1 skill is." in told
        assert f"The labels that count speak for {one.sum()} of 400 uses drawn from" in told
        assert "docx" in told
        assert "All skills”" not in told


def test_model_of_ones_own_is_no_predictor():
    """Where a model that learned from the labels is in use, one line says that another's verdicts were corrected."""
    uses, labelled = invented()
    line = "Corrected from the verdicts of the model that ships"
    assert line in text_of(corrected_summary(uses, labelled, own_model=True))
    assert line not in text_of(corrected_summary(uses, labelled))
    assert line not in text_of(corrected_summary(uses, labelled.iloc[:0], own_model=True))


def test_precision_is_drawn_once_it_rests_on_something():
    """From ten uses that the rules call a complaint on: sentence, chart, table."""
    uses, labelled = invented()
    text = text_of(corrected_summary(uses, labelled))
    assert "When the rules say “complaint”, they are right about " in text
    assert "of 80 labelled uses" in text
    few = corrected_section(corrected_summary(uses, labelled.head(25))).html
    assert "they are right" not in few


def test_picked_labels_and_later_uses_are_told():
    """What counts in no figure is said: labels of picked uses, uses after the last draw, skills too few."""
    uses, labelled = invented()
    picked = labelled.assign(
        probability=labelled["probability"].where(labelled["event_id"] != labelled["event_id"].iloc[0])
    )
    late = uses["event_id"].isin(uses.loc[~uses["event_id"].isin(labelled["event_id"]), "event_id"].tail(2))
    changed = uses.assign(covered=~late, skill_id=uses["skill_id"].mask(late, "brand-new"))
    text = text_of(corrected_summary(changed, picked))
    assert (
        "1 labelled use counts in no figure here: uses that somebody picked, or labelled out of the sample’s order"
        in text
    )
    assert "“All skills” stands for 398 uses here. Left out: 2 uses in no draw so far, as they came later" in text
    assert "Too few labels or uses to correct: brand-new." in text


def test_hostile_names_are_escaped():
    """A skill's name is text, in the table and in the drawing."""
    uses, labelled = invented()
    html = corrected_section(corrected_summary(uses.replace("docx", "<script>x</script>\u202e"), labelled)).html
    assert "<script" not in html
    assert "\u202e" not in html
    assert "&lt;script&gt;" in html


def test_page_has_the_section_and_names_no_session():
    """The weekly page shows it; only skills are named, private or not."""
    uses, labelled = invented()
    corrected = corrected_summary(uses.assign(project="secret-project", session_id="secret-session"), labelled)
    page = WeeklyPage(summary=together(judged("x", "caaaaa")), made=MADE, corrected=corrected, privacy=True)
    html = page.corrected_rates().html
    assert "docx" in html
    assert "secret" not in html


def test_span_is_said_beside_the_figures():
    """The other rates of the page are of the last days; years only where they differ; nothing without a use."""
    first, last = date(2026, 9, 3), date(2026, 11, 29)
    summary = corrected_summary(*invented())

    def shown(**span) -> str:
        return plain_text(corrected_section(summary, **span).html)

    assert "All uses of 3 September–29 November; the other rates of this page are of the last 30 days." in shown(
        span=(first, last), days=30
    )
    assert "All uses of 3 September 2025–29 November 2026;" in shown(span=(first.replace(year=2025), last))
    assert "All uses of" not in shown()


def test_corrected_rates_come_before_how_good_they_are():
    """The page's parts in the notebook's order, the span on the page itself."""
    page = WeeklyPage(summary=together(judged("x", "caaaaa")), made=MADE, corrected=corrected_summary(*invented()))
    assert "the other rates of this page are of the last 30 days" in plain_text(page.corrected_rates().html)
    cells = [cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells]
    assert cells.index("report.corrected_rates()") < cells.index("report.how_good()")
