"""What every public metric promises: declared columns, any order of rows, no look into the future, empty tables."""

import os
import re
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import cache, partial
from typing import Any

import pandas as pd
import pytest

from skilltune.analysis import metrics
from skilltune.analysis.before_after import before_after
from skilltune.analysis.catalogue import Metric as Public
from skilltune.analysis.catalogue import find_metrics
from skilltune.analysis.changepoints import change_points, rate_shift
from skilltune.analysis.convergence import WINDOWS, correction_convergence
from skilltune.analysis.cost import skill_cost
from skilltune.analysis.metrics import correction_rate, hotspot_dimensions, turns_to_feedback
from skilltune.analysis.mix import outcome_mix
from skilltune.analysis.ranking import ranked_skills
from skilltune.analysis.tiers import usage_tiers
from skilltune.analysis.trends import correction_trend, rate_over_time
from skilltune.analysis.usage import skill_usage, skill_versions
from skilltune.errors import InputError
from skilltune.frames import empty_frame
from skilltune.records import FeedbackEvent
from tests.analysis.invented import AS_OF, history, judged, table, use, uses

Metric = Callable[[pd.DataFrame], pd.DataFrame]
SINCE = AS_OF - timedelta(days=30)
RATE = [
    *("correction_rate", "corrections", "partials", "acceptances", "implicit_acceptances", "sample_size"),
    *("n_invocations", "coverage", "low", "high", "interval_method", "sessions", "few_sessions"),
    *("sufficient_data", "weak", "undated"),
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
MIXED = ["outcome", "n", "share", "sample_size"]
COST = [
    *("attributed", "uses", "measured", "tokens", "tokens_median", "tokens_p90", "with_subagents"),
    *("with_subagents_median", "with_subagents_p90", "timed", "seconds", "seconds_median", "seconds_p90", "share"),
]
TIERED = [
    *("skill_id", "tier", "reason", "installed", "uses", "uses_in_window", "last_used", "days_unused"),
    *("correction_rate", "sample_size", "retried", "retry_rate", "asked_for", "loaded"),
]
SESSIONS = pd.DataFrame(
    {
        "session_id": [f"session-{number}" for number in range(100)],
        "started": pd.Timestamp(AS_OF) - pd.to_timedelta(range(1, 101), unit="D"),
        "tokens_input": 50_000,
        "subagent_tokens": 700,
    }
)
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
    "usage": (lambda e: skill_usage(e, as_of=AS_OF), USAGE),
    "versions": (
        lambda e: skill_versions(e, as_of=AS_OF),
        ["skill_id", "skill_digest", "version", "first_used", "last_used", "n"],
    ),
    "new texts": (lambda e: before_after(e, as_of=AS_OF), EFFECT),
    "before and after a date": (lambda e: before_after(e, as_of=AS_OF, at=SINCE), EFFECT),
    "shift": (
        lambda e: rate_shift(e, skill_id="skill-1", as_of=AS_OF, level=0.999),
        SHIFT,
    ),
    "shifts": (
        lambda e: change_points(e, as_of=AS_OF, level=0.999, false_discovery_rate=1.0),
        [*SHIFT, "q_value", "versions"],
    ),
    "mix and uses": (lambda e: outcome_mix(e, as_of=AS_OF, invocations=OTHER_USES), ["skill_id", "week", *MIXED]),
    "mix of all in weeks of a zone": (
        lambda e: outcome_mix(e, as_of=AS_OF, since=SINCE, by=("week",), time_zone="Asia/Tokyo"),
        ["week", *MIXED],
    ),
    "cost by model": (lambda e: skill_cost(e, as_of=AS_OF, by=("model", "week")), ["model", "week", *COST]),
    "cost and sessions": (
        lambda e: skill_cost(e, as_of=AS_OF, since=SINCE, sessions=SESSIONS),
        ["skill_id", *COST],
    ),
    "tiers": (
        lambda e: usage_tiers(e, as_of=AS_OF, invocations=OTHER_USES, installed=["skill-1", "unused"]),
        TIERED,
    ),
    "new texts by model": (lambda e: before_after(e, as_of=AS_OF, by=("model", "skill_id")), ["model", *EFFECT]),
    "date by agent": (
        lambda e: before_after(e, as_of=AS_OF, at=SINCE, by=("agent", "model")),
        ["agent", "model", *EFFECT[1:]],
    ),
    "shifts by agent": (
        lambda e: change_points(e, as_of=AS_OF, level=0.999, false_discovery_rate=1.0, by=("agent",)),
        ["agent", *SHIFT[1:], "q_value", "versions"],
    ),
    "course by model": (
        lambda e: rate_over_time(e, as_of=AS_OF, by=("model", "agent")),
        ["model", "agent", "week", "week_end", "rate", "low", "high", "sample_size", "week_rate", "week_sample"],
    ),
    **{
        f"public {metric.name}": (partial(metric.table, as_of=AS_OF), list(metric.columns))
        for metric in find_metrics()
        if metric.name != "change_points"
    },
}
EVERY = pytest.mark.parametrize(("metric", "columns"), METRICS.values(), ids=METRICS)
EVENTS = history()


@cache
def of_events(metric: Metric) -> pd.DataFrame:
    """The metric of the events that most tests here look at, found once."""
    return metric(EVENTS)


@EVERY
def test_metric_columns(metric: Metric, columns: list[str]) -> None:
    """A metric has the columns it declares, in that order, and rows where there are events."""
    rows = of_events(metric)
    assert rows.columns.tolist() == columns
    assert len(rows)
    assert rows.index.tolist() == list(range(len(rows)))


@EVERY
def test_metric_of_no_events(metric: Metric, columns: list[str]) -> None:
    """Without events the table is empty (or only lists other uses) and keeps columns and dtypes."""
    rows = metric(empty_frame(FeedbackEvent))
    filled = of_events(metric)
    assert rows.columns.tolist() == columns
    assert rows.dtypes.to_dict() == filled.dtypes.to_dict()
    assert rows.get("sample_size", pd.Series(dtype="int64")).sum() == 0


@EVERY
def test_metric_any_row_order(metric: Metric, columns: list[str]) -> None:
    """Shuffled rows, with any index, give the same table."""
    for seed in range(3):
        shuffled = EVENTS.sample(frac=1, random_state=seed)
        pd.testing.assert_frame_equal(metric(shuffled), of_events(metric))


@EVERY
def test_metric_no_future(metric: Metric, columns: list[str]) -> None:
    """Events at and after `as_of` change nothing."""
    later = [
        table(judged(3, 0, 0, skill=name, at=AS_OF + late, session_id="later", skill_digest="new"))
        for name in ("skill-1", "brand-new")
        for late in (timedelta(), timedelta(microseconds=1), timedelta(days=400))
    ]
    pd.testing.assert_frame_equal(metric(pd.concat([EVENTS, *later])), of_events(metric))


@EVERY
def test_metric_extra_columns_and_no_change(metric: Metric, columns: list[str]) -> None:
    """Extra columns are welcome, and the table that goes in stays as it was."""
    wider = EVENTS.assign(note="x", score=1.5)
    before = wider.copy(deep=True)
    pd.testing.assert_frame_equal(metric(wider), of_events(metric))
    pd.testing.assert_frame_equal(wider, before)


@EVERY
def test_metric_of_one_event(metric: Metric, columns: list[str]) -> None:
    """One event is enough for a table with the same columns."""
    one = metric(table(judged(1, 0, 0, skill="skill-1", at=AS_OF - timedelta(days=1), model="m1")))
    assert one.columns.tolist() == columns


@EVERY
@pytest.mark.parametrize("text", ["category", "string[pyarrow]", "string[python]", "object"])
def test_metric_any_kind_of_text(metric: Metric, columns: list[str], text: str) -> None:
    """Text as categories, as pyarrow or Python strings, or as objects gives the same table."""
    if "pyarrow" in text:
        pytest.importorskip("pyarrow", reason="of the extra parquet")
    names = ["event_id", "session_id", "skill_id", "rule", "model", "skill_digest"]
    assert_same(metric(EVENTS.astype(dict.fromkeys(names, text))), of_events(metric))


@pytest.fixture(params=["UTC", "Asia/Tokyo", "America/Los_Angeles"])
def machine_zone(request: pytest.FixtureRequest) -> Iterator[str]:
    """The time zone of the machine, for a while."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield request.param
    os.environ.pop("TZ")
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


LOCAL = ("2026-11-29T23:30:00+09:00", "2026-11-30T00:30:00+09:00")


def test_weeks_do_not_depend_on_the_machine(machine_zone: str) -> None:
    """Half an hour before and after Monday's midnight in Tokyo are two weeks there and one in UTC, on any machine."""
    events = table(judged(1, 0, 0, at=pd.Timestamp(LOCAL[0])), judged(0, 0, 1, at=pd.Timestamp(LOCAL[1])))
    tokyo, utc = (
        correction_rate(events, by=("week",), time_zone=zone)["sample_size"].tolist() for zone in ("Asia/Tokyo", "UTC")
    )
    assert (tokyo, utc) == ([1, 1], [2])
    edge = pd.Timestamp("2026-11-30T00:00:00+09:00")
    assert correction_rate(events, by=(), as_of=edge)["corrections"].tolist() == [1]
    assert correction_rate(events, by=(), since=edge)["acceptances"].tolist() == [1]


PUBLIC = pytest.mark.parametrize("metric", find_metrics(), ids=lambda metric: metric.name)


@PUBLIC
def test_public_metric_declares_its_columns(metric: Public) -> None:
    """Every column is named in the docstring, or in that of a metric it refers to."""
    documented = metric.function.__doc__ or ""
    others = {other.name: other.function.__doc__ or "" for other in find_metrics()}
    referred = [others[name] for name in re.findall(r"`(\w+)`", documented) if name in others]
    missing = [column for column in metric.columns if not any(column in text for text in (documented, *referred))]
    assert missing == []


@PUBLIC
def test_public_metric_uses_any_order_and_no_future(metric: Public) -> None:
    """The uses beside the events may stand in any order, and those at and after `as_of` change nothing."""
    late = [use(skill=name, at=AS_OF + timedelta(days=day)) for name in ("skill-1", "brand-new") for day in (0, 1, 400)]
    asked: Any = {"as_of": AS_OF, "weeks": 4}
    known = metric.table(EVENTS, invocations=OTHER_USES, **asked)
    others = pd.concat([OTHER_USES, uses(*late)]).sample(frac=1, random_state=1)
    pd.testing.assert_frame_equal(metric.table(EVENTS, invocations=others, **asked), known)


GROUPS = ["skill_id", "skill_digest", "agent", "model", "project", "week"]
COMPARED = {"rate_over_time": {"week"}, "change_points": {"week"}, "before_after": {"skill_digest", "week"}}
"""What a metric goes along, or compares, and so cannot be grouped by."""
WHOLE = {"ranked_skills", "skill_usage", "skill_versions", "usage_tiers"}
"""Metrics of skills as a whole."""


@PUBLIC
def test_public_metric_by_everything(metric: Public) -> None:
    """A rate can be by any crossing, with uses beside it, and the parts add up to the whole; the others say so."""
    asked: Any = {"as_of": AS_OF, "invocations": OTHER_USES, "time_zone": "Asia/Tokyo", "weeks": 4}
    if metric.name in WHOLE:
        with pytest.raises(InputError, match=rf"{metric.name} cannot be grouped; .*correction_rate"):
            metric.table(EVENTS, by=GROUPS, **asked)
        return
    odd = COMPARED.get(metric.name, set())
    by = [name for name in GROUPS if name not in odd]
    parts, whole = metric.table(EVENTS, by=by, **asked), metric.table(EVENTS, by=["skill_id"], **asked)
    assert parts.columns.tolist()[: len(by)] == by
    counts = [name for name in ("sample_size", "complaints", "n", "uses") if name in whole.columns]
    assert [int(parts[name].sum()) for name in counts] == [int(whole[name].sum()) for name in counts]
    for name in odd:
        with pytest.raises(InputError, match=rf"{name}.*leave {name} out"):
            metric.table(EVENTS, by=["skill_id", name], **asked)


def test_change_points_are_tested_as_the_others() -> None:
    """The one metric that is slow without being asked for more stands above with its options."""
    assert "shifts" in METRICS
    assert {f"public {metric.name}" for metric in find_metrics()} - METRICS.keys() == {"public change_points"}
    assert {getattr(metrics, name).__name__ for name in metrics.__all__} <= {metric.name for metric in find_metrics()}


def assert_same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    """The same table, whatever kind of text its names are."""
    pd.testing.assert_frame_equal(one, other, check_dtype=False, check_categorical=False, check_column_type=False)
