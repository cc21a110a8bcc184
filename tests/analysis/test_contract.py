"""What every public metric promises: declared columns, any order of rows, no look into the future, empty tables."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pandas as pd
import pytest

from skilltune.analysis import metrics
from skilltune.analysis.before_after import before_after
from skilltune.analysis.changepoints import rate_shift
from skilltune.analysis.convergence import WINDOWS, correction_convergence
from skilltune.analysis.metrics import correction_rate, hotspot_dimensions, turns_to_feedback
from skilltune.analysis.ranking import ranked_skills
from skilltune.analysis.trends import correction_trend, rate_over_time
from skilltune.analysis.usage import skill_usage, skill_versions
from skilltune.frames import empty_frame
from skilltune.records import FeedbackEvent
from tests.analysis.invented import AS_OF, history, judged, table, use, uses

Metric = Callable[[pd.DataFrame], pd.DataFrame]
SINCE = AS_OF - timedelta(days=30)
RATE = [
    *("correction_rate", "corrections", "partials", "acceptances", "implicit_acceptances", "sample_size"),
    *("n_invocations", "coverage", "low", "high", "interval_method", "sessions", "sufficient_data", "weak", "undated"),
]
TREND = [
    *("trend", "direction", "reason", "recent_rate", "prior_rate", "low", "high", "excludes_zero", "p_value"),
    *("q_value", "discovered", "recent_sample", "prior_sample"),
]
RANKED = [
    *("shrunk_rate", "overall_rate", "needed", "trend", "direction", "reason", "prior_rate", "trend_low", "trend_high"),
    *("excludes_zero", "p_value", "q_value", "discovered", "prior_sample"),
]
USAGE = [
    *("skill_id", "first_used", "last_used", "uses", "uses_in_window", "uses_in_week", "first_in_week"),
    "days_unused",
]
SHIFT = [
    *("skill_id", "at", "week", "first", "last", "rate_before", "rate_after", "sample_before", "sample_after"),
    "p_value",
]
EFFECT = [
    *("skill_id", "at", "skill_digest", "verdict", "reason", "rate_before", "rate_after", "difference", "low", "high"),
    *("before_low", "before_high", "after_low", "after_high", "critical", "needed", "n_before", "n_after", "n_other"),
]
OTHER_USES = uses(*(use(skill=f"skill-{number % 7}", at=AS_OF - timedelta(days=number)) for number in range(90)))

METRICS: dict[str, tuple[Metric, list[str]]] = {
    "rate": (lambda e: correction_rate(e, as_of=AS_OF), ["skill_id", *RATE]),
    "rate and uses": (lambda e: correction_rate(e, as_of=AS_OF, invocations=OTHER_USES), ["skill_id", *RATE]),
    "rate by week": (
        lambda e: correction_rate(e, as_of=AS_OF, since=SINCE, by=("skill_id", "week"), time_zone="Asia/Tokyo"),
        ["skill_id", "week", *RATE],
    ),
    "rate by version": (
        lambda e: correction_rate(e, as_of=AS_OF, by=("skill_id", "skill_digest", "agent")),
        ["skill_id", "skill_digest", "agent", *RATE],
    ),
    "rate of all": (lambda e: correction_rate(e, as_of=AS_OF, by=()), RATE),
    "rate, bootstrap": (
        lambda e: correction_rate(e, as_of=AS_OF, interval="session_bootstrap"),
        ["skill_id", *RATE],
    ),
    "hotspots": (lambda e: hotspot_dimensions(e, as_of=AS_OF), ["skill_id", "dimension", "complaints", "share"]),
    "turns": (lambda e: turns_to_feedback(e, as_of=AS_OF), ["skill_id", "turns", "n", "share"]),
    "trend": (lambda e: correction_trend(e, as_of=AS_OF), ["skill_id", *TREND]),
    "convergence": (
        lambda e: correction_convergence(e, as_of=AS_OF),
        ["skill_id", "converged", "sufficient_data", *(f"{k}_{w}" for k in ("rate", "sample") for w in WINDOWS)],
    ),
    "course": (
        lambda e: rate_over_time(e, as_of=AS_OF, time_zone="Europe/Berlin"),
        ["skill_id", "week", "week_end", "rate", "low", "high", "sample_size", "week_rate", "week_sample"],
    ),
    "ranking": (lambda e: ranked_skills(e, as_of=AS_OF), ["rank", "skill_id", *RATE, *RANKED]),
    "usage": (
        lambda e: skill_usage(e, as_of=AS_OF),
        [
            "skill_id",
            "first_used",
            "last_used",
            "uses",
            "uses_in_window",
            "uses_in_week",
            "first_in_week",
            "days_unused",
        ],
    ),
    "versions": (
        lambda e: skill_versions(e, as_of=AS_OF),
        ["skill_id", "skill_digest", "version", "first_used", "last_used", "n"],
    ),
    "new texts": (lambda e: before_after(e, as_of=AS_OF), EFFECT),
    "before and after a date": (lambda e: before_after(e, as_of=AS_OF, at=SINCE), EFFECT),
    "shift": (
        lambda e: rate_shift(e, skill_id="skill-1", as_of=AS_OF, level=0.999),
        [
            "skill_id",
            "at",
            "week",
            "first",
            "last",
            "rate_before",
            "rate_after",
            "sample_before",
            "sample_after",
            "p_value",
        ],
    ),
}
EVERY = pytest.mark.parametrize(("metric", "columns"), METRICS.values(), ids=METRICS)
EVENTS = history()


@EVERY
def test_metric_columns(metric: Metric, columns: list[str]) -> None:
    """A metric has the columns it declares, in that order, and rows where there are events."""
    rows = metric(EVENTS)
    assert rows.columns.tolist() == columns
    assert len(rows)
    assert rows.index.tolist() == list(range(len(rows)))


@EVERY
def test_metric_of_no_events(metric: Metric, columns: list[str]) -> None:
    """Without events the table is empty (or only lists other uses) and keeps columns and dtypes."""
    rows = metric(empty_frame(FeedbackEvent))
    filled = metric(EVENTS)
    assert rows.columns.tolist() == columns
    assert rows.dtypes.to_dict() == filled.dtypes.to_dict()
    assert rows.get("sample_size", pd.Series(dtype="int64")).sum() == 0


@EVERY
def test_metric_any_row_order(metric: Metric, columns: list[str]) -> None:
    """Shuffled rows, with any index, give the same table."""
    for seed in range(3):
        shuffled = EVENTS.sample(frac=1, random_state=seed)
        pd.testing.assert_frame_equal(metric(shuffled), metric(EVENTS))


@EVERY
def test_metric_no_future(metric: Metric, columns: list[str]) -> None:
    """Events at and after `as_of` change nothing."""
    later = [
        table(judged(3, 0, 0, skill=name, at=AS_OF + late, session_id="later", skill_digest="new"))
        for name in ("skill-1", "brand-new")
        for late in (timedelta(), timedelta(microseconds=1), timedelta(days=400))
    ]
    pd.testing.assert_frame_equal(metric(pd.concat([EVENTS, *later])), metric(EVENTS))


@EVERY
def test_metric_extra_columns_and_no_change(metric: Metric, columns: list[str]) -> None:
    """Extra columns are welcome, and the table that goes in stays as it was."""
    wider = EVENTS.assign(note="x", score=1.5)
    before = wider.copy(deep=True)
    pd.testing.assert_frame_equal(metric(wider), metric(EVENTS))
    pd.testing.assert_frame_equal(wider, before)


def test_every_metric_is_here() -> None:
    """Each metric that is found by its name has a place in these tests."""
    tested: set[Any] = {correction_rate, hotspot_dimensions, turns_to_feedback}
    assert {getattr(metrics, name) for name in metrics.__all__} == tested
