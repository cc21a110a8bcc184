"""The trend between two windows, and the course over weeks."""

import json
from datetime import datetime, timedelta

import numpy as np
import pandas as pd
import pytest

from skilltune.analysis.intervals import Counts, difference_p_value
from skilltune.analysis.trends import correction_trend, rate_over_time
from skilltune.errors import InputError
from tests.analysis.invented import AS_OF, event, history, judged, table, use, uses

RECENT, PRIOR, LONG_AGO = AS_OF - timedelta(days=10), AS_OF - timedelta(days=40), AS_OF - timedelta(days=90)
SECOND, MICROSECOND = timedelta(seconds=1), timedelta(microseconds=1)


def two_windows(recent: tuple[int, int, int], prior: tuple[int, int, int], skill: str = "a") -> pd.DataFrame:
    """Events of both windows, in a log that began before them."""
    return table(
        judged(*recent, skill=skill, at=RECENT),
        judged(*prior, skill=skill, at=PRIOR),
        judged(0, 0, 1, skill=skill, at=LONG_AGO),
    )


@pytest.mark.parametrize(
    ("recent", "prior", "direction", "change"),
    [
        ((4, 0, 16), (3, 0, 17), "stable", 0.05),
        ((3, 0, 17), (2, 0, 18), "stable", 0.05),
        ((3, 0, 17), (4, 0, 16), "stable", -0.05),
        ((11, 0, 9), (10, 0, 10), "stable", 0.05),
        ((7, 0, 13), (6, 0, 14), "stable", 0.05),
        ((41, 0, 159), (31, 0, 169), "stable", 0.05),
        ((83, 0, 317), (31, 0, 169), "worsening", 0.0525),
        ((31, 0, 169), (83, 0, 317), "improving", -0.0525),
        ((2, 2, 16), (1, 2, 17), "stable", 0.05),
        ((6, 4, 10), (4, 4, 32), "worsening", 0.25),
        ((0, 0, 5), (0, 1, 4), "improving", -0.1),
    ],
)
def test_trend_direction_is_exact(
    recent: tuple[int, int, int], prior: tuple[int, int, int], direction: str, change: float
) -> None:
    """A change of exactly 0.05 either way is stable, the next one is not (R09, R11)."""
    row = correction_trend(two_windows(recent, prior), as_of=AS_OF, skill_id="a")
    assert row["direction"] == direction
    assert row["trend"] == change
    assert (row["recent_sample"], row["prior_sample"]) == (sum(recent), sum(prior))


@pytest.mark.parametrize(("recent", "prior"), [((0, 0, 0), (1, 0, 0)), ((2, 0, 2), (5, 0, 5)), ((5, 0, 5), (1, 0, 3))])
def test_trend_insufficient(recent: tuple[int, int, int], prior: tuple[int, int, int]) -> None:
    """Either side under five: no direction and no number, and the reason names the side (R13)."""
    row = correction_trend(two_windows(recent, prior), as_of=AS_OF, skill_id="a")
    assert row["direction"] == "insufficient_data"
    assert [row[name] for name in ("trend", "low", "high", "p_value", "q_value")] == [None] * 5
    assert row["excludes_zero"] is row["discovered"] is False
    assert ("in the last 30 days" in row["reason"]) == (sum(recent) < 5)
    assert ("in the 30 days before" in row["reason"]) == (sum(prior) < 5)


def test_trend_without_baseline() -> None:
    """A log that holds the last 29 days only has no baseline, whatever its rates; it says since when (K07)."""
    stamps = [AS_OF - timedelta(days=29) + timedelta(hours=17 * number) for number in range(40)]
    events = table(event("correction" if stamp.day % 4 else "acceptance", at=stamp) for stamp in stamps)
    row = correction_trend(events, as_of=AS_OF, skill_id="a")
    assert row["direction"] == "no_baseline"
    assert row["trend"] is None
    assert row["reason"] == "history starts on 2026-11-01"
    tokyo = correction_trend(events, as_of=AS_OF, skill_id="a", time_zone="Pacific/Kiritimati")
    assert tokyo["reason"] == "history starts on 2026-11-02"


def test_trend_baseline_of_the_log() -> None:
    """A new skill in an old log has too few data before, which is not the same; uses show an older history."""
    events = table(judged(3, 0, 5, at=RECENT), judged(0, 0, 1, skill="b", at=LONG_AGO))
    assert correction_trend(events, as_of=AS_OF, skill_id="a")["direction"] == "insufficient_data"
    young = table(judged(3, 0, 5, at=RECENT), judged(1, 0, 0, at=None))
    assert correction_trend(young, as_of=AS_OF, skill_id="a")["reason"] == "history starts on 2026-11-20"
    old_use = uses(use(at=LONG_AGO))
    with_uses = correction_trend(young, as_of=AS_OF, skill_id="a", invocations=old_use)
    assert with_uses["direction"] == "insufficient_data"


@pytest.mark.parametrize(
    ("ago", "recent", "prior"),
    [
        (MICROSECOND, 1, 0),
        (timedelta(0), 0, 0),
        (timedelta(days=30) - 5 * SECOND, 1, 0),
        (timedelta(days=30), 1, 0),
        (timedelta(days=30) + MICROSECOND, 0, 1),
        (timedelta(days=60), 0, 1),
        (timedelta(days=60) + MICROSECOND, 0, 0),
        (timedelta(days=60) + 5 * SECOND, 0, 0),
        (-5 * SECOND, 0, 0),
    ],
)
def test_trend_windows_to_the_microsecond(ago: timedelta, recent: int, prior: int) -> None:
    """Windows are half open and 30 times 24 hours long (R15, R17)."""
    row = correction_trend(table([event(at=AS_OF - ago)]), as_of=AS_OF, skill_id="a")
    assert (row["recent_sample"], row["prior_sample"]) == (recent, prior)


def test_trend_takes_other_zones() -> None:
    """Stamps with an offset, and text, count at their moment (R19)."""
    events = table(judged(0, 0, 1)).assign(timestamp=["2026-11-20T10:00:00+08:00"])
    assert correction_trend(events, as_of="2026-11-20T02:00:00.000001Z", skill_id="a")["recent_sample"] == 1
    assert correction_trend(events, as_of="2026-11-20T02:00:00Z", skill_id="a")["recent_sample"] == 0


def test_trend_row_is_plain() -> None:
    """One skill's row is a dictionary that JSON takes, with the well-known keys."""
    values = correction_trend(two_windows((6, 4, 10), (4, 4, 32)), as_of=AS_OF, skill_id="a").to_dict()
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    known = {"skill_id", "trend", "direction", "recent_rate", "prior_rate", "recent_sample", "prior_sample"}
    assert known <= values.keys()
    absent = correction_trend(two_windows((6, 4, 10), (4, 4, 32)), as_of=AS_OF, skill_id="b")
    assert (absent["skill_id"], absent["direction"], absent["recent_sample"]) == ("b", "insufficient_data", 0)


def test_trend_order_and_evidence() -> None:
    """Greatest rise first, no verdict last; the interval, the p-value and the verdict agree."""
    events = pd.concat(
        [
            two_windows((18, 4, 21), (8, 6, 30), "rises"),
            two_windows((3, 0, 7), (2, 0, 8), "wobbles"),
            two_windows((1, 0, 1), (0, 0, 9), "too-few"),
            two_windows((2, 1, 40), (19, 3, 20), "falls"),
        ]
    )
    rows = correction_trend(events, as_of=AS_OF)
    assert rows["skill_id"].tolist() == ["rises", "wobbles", "falls", "too-few"]
    assert rows["direction"].tolist() == ["worsening", "worsening", "improving", "insufficient_data"]
    assert rows["excludes_zero"].tolist() == [True, False, True, False]
    assert rows["discovered"].tolist() == [True, False, True, False]
    assert ((rows["p_value"] < 0.05) == rows["excludes_zero"]).all()


def test_trend_false_discovery_control() -> None:
    """Among many skills a single faint change is no discovery; a stricter share makes none of the strong either."""
    faint = two_windows((18, 4, 21), (8, 6, 30), "faint")
    others = [two_windows((3, 0, 17), (3, 0, 17), f"same-{number}") for number in range(20)]
    rows = correction_trend(pd.concat([faint, *others]), as_of=AS_OF).set_index("skill_id")
    assert rows.loc["faint", "excludes_zero"]
    assert not rows.loc["faint", "discovered"]
    assert rows.loc["faint", "q_value"] == pytest.approx(21 * rows.loc["faint", "p_value"])
    alone = correction_trend(faint, as_of=AS_OF).iloc[0]
    assert alone["discovered"]
    assert not correction_trend(faint, as_of=AS_OF, false_discovery_rate=0.001).iloc[0]["discovered"]


def test_trend_small_changes_are_no_discovery() -> None:
    """A change within 0.05 is stable even where its interval leaves 0 out."""
    row = correction_trend(two_windows((480, 0, 3520), (320, 0, 3680)), as_of=AS_OF, skill_id="a")
    assert (row["direction"], row["excludes_zero"], row["discovered"]) == ("stable", True, False)


def test_trend_filters() -> None:
    """Implicit acceptances and weak attributions can be left out of both windows."""
    events = table(
        judged(5, 0, 5, at=RECENT, attribution="weak"),
        judged(0, 0, 6, at=RECENT),
        judged(3, 0, 3, at=PRIOR),
        judged(0, 0, 9, at=PRIOR, rule="implicit.next"),
        judged(0, 0, 1, at=LONG_AGO),
    )
    row = correction_trend(events, as_of=AS_OF, skill_id="a", implicit=False, attribution=["direct"])
    assert (row["recent_rate"], row["prior_rate"]) == (0.0, 0.5)


def test_trend_by_other_columns() -> None:
    """A trend can be had by any column, and of one skill by it."""
    events = pd.concat([two_windows((5, 0, 5), (0, 0, 10)), two_windows((0, 0, 10), (5, 0, 5), "b")])
    events["project"] = np.where(events["skill_id"] == "a", "x", "y")
    rows = correction_trend(events, as_of=AS_OF, by=("project",))
    assert rows[["project", "direction"]].to_numpy().tolist() == [["x", "worsening"], ["y", "improving"]]
    assert correction_trend(events, as_of=AS_OF, by=("project",), skill_id="b")["project"].tolist() == ["y"]


def test_trend_arguments_out_of_range() -> None:
    """A window of no days and an unknown time zone are refused."""
    with pytest.raises(InputError, match="Europe/Berlin"):
        correction_trend(history(size=4), as_of=AS_OF, time_zone="Nowhere")
    with pytest.raises(InputError, match="days is 0"):
        correction_trend(history(size=4), as_of=AS_OF, days=0)


def test_trend_false_alarms() -> None:
    """Where nothing changed, the interval leaves 0 out in about 5 % of windows with 30 and 60 judged uses, no more."""
    chance = np.random.default_rng(7)
    for rate in (0.1, 0.2, 0.5):
        shares = [0.8 * rate, 0.4 * rate, 1 - 1.2 * rate]
        recent, prior = (Counts.of(*chance.multinomial(size, shares, 20_000).T) for size in (30, 60))
        assert (difference_p_value(recent, prior) < 0.05).mean() < 0.055


def test_course_windows_and_weeks() -> None:
    """Each week has the rate of the 30 days up to its end, and its own."""
    end = datetime.fromisoformat("2026-11-30T00:00:00+00:00")
    events = table(
        judged(1, 0, 1, at=end - timedelta(days=31)),
        judged(0, 1, 0, at=end - timedelta(days=30)),
        judged(1, 0, 0, at=end - timedelta(days=1)),
        judged(1, 0, 0, at=end),
    )
    rows = rate_over_time(events, as_of=end, weeks=2)
    assert rows["week"].tolist() == [end - timedelta(days=14), end - timedelta(days=7)]
    assert rows["rate"].tolist() == [0.5, 0.75]
    assert rows["sample_size"].tolist() == [3, 2]
    assert rows["week_rate"].isna().tolist() == [True, False]
    assert rows["week_sample"].tolist() == [0, 1]
    assert ((rows["low"] < rows["rate"]) & (rows["rate"] < rows["high"])).all()


def test_course_of_a_running_week() -> None:
    """In the middle of a week the last point is the rate of the last 30 days."""
    events = history()
    course = rate_over_time(events, as_of=AS_OF, weeks=4)
    trend = correction_trend(events, as_of=AS_OF).set_index("skill_id")
    last = course.groupby("skill_id").last()
    assert (last["week_end"] == AS_OF).all()
    assert last["rate"].to_dict() == trend["recent_rate"].to_dict()
    assert last["sample_size"].to_dict() == trend["recent_sample"].to_dict()


def test_course_sums_to_all_events() -> None:
    """Over enough weeks the single weeks hold every dated event once, in any zone."""
    events = history(days=60)
    for zone in ("UTC", "Asia/Tokyo", "America/New_York"):
        rows = rate_over_time(events, as_of=AS_OF, weeks=12, time_zone=zone)
        assert rows["week_sample"].sum() == events["timestamp"].notna().sum()


def test_course_of_one_skill() -> None:
    """One skill gives its weeks only."""
    assert rate_over_time(history(), as_of=AS_OF, weeks=3, skill_id="skill-2")["skill_id"].tolist() == ["skill-2"] * 3
    with pytest.raises(InputError, match="weeks is 0"):
        rate_over_time(history(size=4), as_of=AS_OF, weeks=0)


def test_course_by_other_columns() -> None:
    """Courses of models, and of all uses as one, hold the same events; a week has its row already."""
    events = history()
    whole = rate_over_time(events, as_of=AS_OF, weeks=3, by=())
    models = rate_over_time(events, as_of=AS_OF, weeks=3, by=("model",))
    assert models["model"].tolist() == ["m1"] * 3 + ["m2"] * 3
    assert models.groupby("week")["sample_size"].sum().tolist() == whole["sample_size"].tolist()
    with pytest.raises(InputError, match="leave week out"):
        rate_over_time(events, as_of=AS_OF, by=("week",))


def test_trend_of_a_log_that_begins_in_the_window() -> None:
    """40 sessions of the last 29 days: no trend, and the date on which the history starts."""
    events = table(
        [
            event("correction" if day % 2 else "acceptance", at=AS_OF - timedelta(days=29 * day / 40))
            for day in range(1, 41)
        ]
    )
    row = correction_trend(events, as_of=AS_OF, skill_id="a")
    assert (row["trend"], row["direction"], row["reason"]) == (None, "no_baseline", "history starts on 2026-11-01")
