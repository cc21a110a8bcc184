"""The drift report, against its published form."""

from datetime import UTC, datetime

import pytest

from skilltune.evolution.drift import Drift, measure_drift
from skilltune.rendering.drift import render_drift

SINCE = datetime(2025, 6, 15, 9, tzinfo=UTC)


def _drift(**more) -> Drift:
    values = {
        "percent": 42.3,
        "projected_percent": None,
        "path_percent": 50.0,
        "edit_ratio": 0.2,
        "retained": 0.71,
        "limit_percent": 60.0,
        "status": "within_bounds",
        "remaining_percent": 17.7,
        "average_percent": 8.0,
        "refinements_remaining": 2,
    }
    return Drift(**(values | more))


def _lines(drift, **more):
    shown = {"skill_id": "lint-on-save", "version": 4, "source": "git", "commit": "a3b7c9d" + "0" * 33, "since": SINCE}
    return render_drift(drift, **(shown | more)).splitlines()


def test_drift_has_the_published_form():
    """Title, rule of one sign more, five lines, what is left, how many refinements that is."""
    assert _lines(_drift()) == [
        "Drift Report: lint-on-save",
        "===========================",
        "Current version: 4",
        "Original commit: a3b7c9d (2025-06-15)",
        "Cumulative drift: 42.3%",
        "Threshold: 60%",
        "Status: WITHIN BOUNDS",
        "",
        "Remaining capacity: 17.7% before automatic refinements are halted.",
        "",
        "Estimated refinements remaining: ~2 (at average 8% per refinement)",
        "",
        "71% of the baseline is still there; all versions' changes added up: 50.0%.",
    ]


def test_drift_without_history_estimates_nothing():
    """No version between baseline and now: no estimate."""
    lines = _lines(_drift(percent=0.0, path_percent=0.0, average_percent=None, refinements_remaining=None))
    assert lines[-1] == "Remaining capacity: 17.7% before automatic refinements are halted."


def test_drift_that_is_reached_names_three_ways_out():
    """Halted, with a command for each way."""
    text = "\n".join(_lines(_drift(percent=63.8, status="exceeded", remaining_percent=0.0, refinements_remaining=0)))
    assert "Status: THRESHOLD EXCEEDED\n\nAutomatic refinement is halted for this skill.\n" in text
    plain = " ".join(text.split())
    for command in (
        "skilltune drift lint-on-save --set-limit N --note WHY",
        "skilltune drift lint-on-save --reset-baseline --note WHY",
        "skilltune refine lint-on-save --as-new NAME",
    ):
        assert command in plain
    assert "Remaining" not in text


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("file", "Original: as first seen (2025-06-15)"),
        ("reset", "Original: baseline taken anew (2025-06-15)"),
        ("none", "Original: no baseline"),
        ("", "Original: no baseline"),
    ],
)
def test_drift_says_where_its_baseline_is_from(source, words):
    """A commit, the first sight, a person's act, or nothing."""
    assert _lines(_drift(), source=source, commit="")[3] == words


def test_drift_that_is_missing_is_not_zero():
    """Without a baseline it is not known, and refining needs an allowance."""
    lines = _lines(measure_drift("some text", baseline=None), source="", commit="", since=None)
    assert lines[4] == "Cumulative drift: not known"
    assert lines[6] == "Status: NO BASELINE"
    assert "--allow-missing-baseline" in " ".join(lines)


def test_drift_of_an_empty_baseline_is_undefined():
    """An empty baseline has no percent, and says so."""
    lines = _lines(measure_drift("some text", baseline=""))
    assert lines[6] == "Status: UNDEFINED"
    assert "the baseline is empty" in lines[-1]


def test_drift_there_and_back_again_tells_the_path():
    """A change that was undone is net 0, and its path is told."""
    drift = measure_drift("brew green tea", baseline="brew green tea", versions=["brew black tea"])
    assert _lines(drift)[-1] == "All versions' changes added up: 142.9%."


@pytest.mark.parametrize(("average", "words"), [(7.5, "8%"), (8.4, "8%"), (0.3, "under 1%")])
def test_average_of_refinements_is_in_whole_percent(average, words):
    """As the form has it; what rounds to nothing does not read as nothing."""
    lines = _lines(_drift(average_percent=average))
    assert f"Estimated refinements remaining: ~2 (at average {words} per refinement)" in lines
