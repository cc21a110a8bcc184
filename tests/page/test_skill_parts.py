"""The parts that only a skill's own page has: versions, cost, drift, use; and what is other for one skill alone."""

import re
from datetime import datetime

import pandas as pd
import pytest

from skilltune.analysis.corrected_summary import corrected_summary
from skilltune.evolution.drift_course import BodyVersion, drift_course
from skilltune.page.corrected import corrected_section
from skilltune.page.hotspots import hotspots_section
from skilltune.page.html import plain_text
from skilltune.page.refinement_summary import RefinementSummary
from skilltune.page.skill_cost import cost_section
from skilltune.page.skill_sections import drift_section, usage_section
from skilltune.page.skill_summary import SkillDrift
from skilltune.page.skill_versions import versions_section
from skilltune.page.waiting import waiting_section
from tests.invented_weeks import END
from tests.page.refinements import complaints, waiting
from tests.page.summaries import judged, together

EMPTY_HEAD = re.compile(r"<th [^>]*>\s*</th>")


def effects(**columns) -> pd.DataFrame:
    """Three texts as `before_after` gives them: higher, without evidence, and never judged since."""
    frame = {
        "skill_digest": ["c", "b", "d"],
        "at": pd.to_datetime(["2026-11-02", "2026-10-05", "2026-11-28"], utc=True),
        "verdict": ["made_worse", "no_evidence", "too_early"],
        "rate_before": [0.18, 0.17, 0.5],
        "before_low": [0.08, 0.07, 0.3],
        "before_high": [0.38, 0.36, 0.7],
        "n_before": [1055, 55, 34],
        "rate_after": [0.57, 0.18, float("nan")],
        "after_low": [0.33, 0.08, float("nan")],
        "after_high": [0.79, 0.38, float("nan")],
        "n_after": [34, 55, 0],
        "difference": [0.39, 0.01, float("nan")],
        "low": [0.07, -0.22, float("nan")],
        "high": [0.63, 0.24, float("nan")],
    }
    return pd.DataFrame(frame | columns)


def cost(**columns) -> dict:
    """A row as `skill_cost` gives it."""
    row = {"uses": 69, "measured": 35, "timed": 20}
    row |= {"tokens": 1_415_500, "tokens_median": 42_000.0, "tokens_p90": 56_000.0}
    row |= {"with_subagents": 1_730_500, "with_subagents_median": 50_000.0, "with_subagents_p90": 80_000.0}
    return row | {"seconds": 6_420, "seconds_median": 90.0, "seconds_p90": 180.0} | columns


def drift(*bodies: str) -> SkillDrift:
    """A skill that had these texts."""
    versions = [
        BodyVersion(name=f"v{at}", kind="refine" if at > 1 else "first_seen", told="refined", at=None, body=body)
        for at, body in enumerate(bodies, start=1)
    ]
    return SkillDrift(skill_id="tea", course=drift_course(versions), limit_percent=60, max_change_percent=20)


def test_versions_have_a_hollow_and_a_full_dot_each():
    """Numbers, dots, words and alternative text in a row; in colour only what is beyond chance; no dot without both."""
    html = versions_section(effects(), {"b": "v2", "c": "v3", "d": "v4"}, time_zone="UTC").html
    text = plain_text(html)
    assert "v3 from 2 Nov 18% → 57% n = 1,055 → 34" in text
    assert "▲ higher than before +39 points (7 to 63)" in text
    assert "50% → not judged n = 34 → 0 not judged on both sides" in text
    names = re.findall(r'class="st-effect"[^>]*aria-label="([^"]+)"', html)
    assert names[0] == "v3: corrected 18% (8–38%) before, 57% (33–79%) after; higher than before"
    assert len(names) == 2
    dots = re.findall(r'<circle [^>]*fill="var\(--(\w+)\)"', html)
    assert dots == ["bg", "worse", "bg", "mark"]
    assert not EMPTY_HEAD.search(html)
    assert "So the two may differ." in text
    assert "a rate that falls from 30% to 15% is found in about one case of four" in text
    assert "one case of four" not in versions_section(effects().head(1), {}, time_zone="UTC").html


def test_versions_without_any_say_so_in_one_line():
    """The part keeps its name."""
    text = plain_text(versions_section(effects().head(0), {}, time_zone="UTC").html)
    assert text == "Before and after each version One text only, or none that is known: nothing to compare."


def test_cost_has_a_dot_and_a_line_on_scales_from_nothing():
    """Tokens share one scale, time has its own; each drawing says its numbers; no head is empty."""
    html = cost_section(cost(), days=30).html
    dots = [float(x) for x in re.findall(r'<circle cx="([\d.]+)%"', html)]
    assert dots == [52.5, 62.5, 50.0]
    ends = re.findall(r'x2="([\d.]+)%" y1="16"', html)
    assert ends == ["70.00", "100.00", "100.00"]
    names = re.findall(r'class="st-spread"[^>]*aria-label="([^"]+)"', html)
    assert names[0] == "tokens of a use: half at most 42,000, nine in ten at most 56,000, n = 35"
    assert set(re.findall(r"var\(--(\w+)\)", html)) == {"rule2", "mark", "bg"}
    assert "time n = 20 2 min nine in ten at most 3 min 107 min in all" in plain_text(html)
    assert not EMPTY_HEAD.search(html)


def test_cost_that_is_not_known_is_one_line():
    """Of no use, of uses without numbers; the days are said where they end earlier."""
    assert plain_text(cost_section(None, days=30).html) == "Cost No use in the last 30 days."
    none = cost(measured=0, timed=0)
    assert plain_text(cost_section(none, days=30).html) == "Cost The sessions do not say what the uses cost."
    assert "in the 30 days until 7 June" in cost_section(cost(), days=30, until="7 June").html
    unknown = cost_section(cost(seconds_median=pd.NA, seconds_p90=pd.NA), days=30).html
    assert unknown.count("st-spread") == 2


def test_drift_of_one_version_is_one_line():
    """No chart and no table of a single row."""
    html = drift_section(drift("Brew green tea.")).html
    assert plain_text(html) == "Drift It is as skilltune first saw its file: there is no step yet. The limit is 60%."
    assert "<svg" not in html


def test_drift_says_what_each_percent_is_of():
    """Net and path of the first text, a step of the text before it: in the note, the table and the chart."""
    html = drift_section(drift("Brew green tea.", "Brew black tea.", "Brew black tea twice.")).html
    text = plain_text(html)
    for words in ("net, of the first text", "path, of the first text", "step, of the text before"):
        assert words in text
    assert "so steps do not add up to the path" in text
    assert "size of each step, in % of the text before it" in html


def test_use_has_no_word_that_repeats():
    """Two columns stand beside each other at every width, without their heads again."""
    usage = {"uses": 300, "uses_in_window": 90, "uses_in_week": 18, "days_unused": 0}
    usage |= {name: pd.Timestamp("2026-11-28", tz="UTC") for name in ("first_used", "last_used")}
    html = usage_section(usage, days=30, time_zone="UTC", until=END).html
    assert "data-name" not in html
    assert "value" not in plain_text(html)
    assert "uses so far 300" in plain_text(html)


@pytest.mark.parametrize(
    ("until", "words"),
    [
        ("2026-11-30T00:00:00+01:00", "in week 48 (23–29 November) 18"),
        ("2026-11-30T00:00:00+00:00", "in week 49 so far (from 30 November) 18"),
        ("2026-11-29T23:00:00+01:00", "in week 48 so far (from 23 November) 18"),
    ],
)
def test_week_of_use_is_named(until: str, words: str):
    """The one that holds the moment before the end, in the page's zone; a running one is called so."""
    usage = {"uses": 300, "uses_in_window": 90, "uses_in_week": 18, "days_unused": 0}
    usage |= {name: pd.Timestamp("2026-11-28", tz="UTC") for name in ("first_used", "last_used")}
    moment = datetime.fromisoformat(until)
    assert words in plain_text(usage_section(usage, days=30, time_zone="Europe/Berlin", until=moment).html)


def test_heat_map_of_one_skill_has_no_sums_of_all():
    """They would be its own numbers again; what has no kind is called so."""
    one = hotspots_section(together(judged("x", "ccaaaa", dimension_hint="unknown"))).html
    assert "all skills" not in one
    assert "kind not told" in one
    assert "nknown" not in plain_text(one)
    both = together(judged("x", "ccaaaa"), judged("y", "ccaaaa", days_ago=4))
    assert "all skills" in hotspots_section(both).html


def test_complaints_in_the_same_words_are_quoted_once():
    """With how often; the latest last, as before."""
    said = complaints("x", "no retry budget", "the retry budget again", "no retry  budget", dimension="accuracy")
    summary = RefinementSummary(skills=(waiting("x", complained=said),))
    html = waiting_section(summary, time_zone="UTC", privacy=False).html
    quoted = [plain_text(line) for line in re.findall(r'<p dir="auto">“.*?</p>', html)]
    assert quoted == ["“the retry budget again”", "“no retry budget” × 2"]


def test_corrected_rate_of_one_skill_is_named_after_it():
    """Not after all skills, and not twice."""
    outcomes = ["correction", "acceptance", "none", "acceptance"] * 30
    uses = pd.DataFrame({"event_id": range(120), "outcome": outcomes, "skill_id": "docx"})
    labelled = uses.iloc[::2].assign(probability=0.5, labelled_at=pd.Timestamp("2026-11-01", tz="UTC"))
    html = corrected_section(corrected_summary(uses, labelled)).html
    table = html[html.index("<table") : html.index("</table>")]
    rows = [plain_text(row) for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL)][1:]
    assert [row.split()[0] for row in rows] == ["docx"]
