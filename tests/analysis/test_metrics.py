"""Correction rate, hotspots and turns to feedback."""

import json
from datetime import timedelta

import numpy as np
import pandas as pd
import pytest

from skilltune.analysis.metrics import correction_rate, hotspot_dimensions, turns_to_feedback
from skilltune.errors import FrameError, InputError
from tests.analysis.invented import AS_OF, event, history, judged, table, use, uses


@pytest.mark.parametrize(
    ("counts", "rate", "sufficient"),
    [
        ((6, 4, 10), 0.40, True),
        ((4, 4, 32), 0.15, True),
        ((5, 4, 11), 0.35, True),
        ((1, 1, 1), 0.50, False),
        ((1, 0, 4), 0.20, True),
        ((1, 0, 3), 0.25, False),
        ((1, 2, 1), 0.50, False),
    ],
)
def test_correction_rate_worked(counts: tuple[int, int, int], rate: float, sufficient: bool) -> None:
    """The documented examples, exactly, and five judged uses are enough (R01, R03, R05, R21)."""
    row = correction_rate(table(judged(*counts)), skill_id="a")
    assert row["correction_rate"] == rate
    assert row["sufficient_data"] is sufficient
    assert (row["corrections"], row["partials"], row["acceptances"]) == counts
    assert row["sample_size"] == sum(counts)


def test_correction_rate_one_row_is_plain() -> None:
    """One skill's row is a dictionary that JSON takes: no numpy types, None for what is missing."""
    values = correction_rate(table(judged(6, 4, 10)), skill_id="a").to_dict()
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    assert values["skill_id"] == "a"
    assert values["coverage"] is None


@pytest.mark.parametrize("interval", ["score", "session_bootstrap"])
def test_correction_rate_of_an_unknown_skill(interval: str) -> None:
    """A skill without an event has one row too: counts of 0, and a missing rate, not 0."""
    row = correction_rate(table(judged(1, 0, 1)), skill_id="b", interval=interval)
    assert (row["correction_rate"], row["low"], row["high"]) == (None, None, None)
    assert (row["sample_size"], row["corrections"], row["sufficient_data"]) == (0, 0, False)


def test_correction_rate_order() -> None:
    """Worst rate first, equal ones by name, and those without a rate last."""
    events = table(judged(1, 0, 1, skill="d"), judged(5, 0, 5, skill="c"), judged(0, 0, 3, skill="b"))
    rows = correction_rate(events, invocations=uses(use(skill="a")))
    assert rows["skill_id"].tolist() == ["c", "d", "b", "a"]
    assert np.isnan(rows["correction_rate"].iloc[-1])


def test_correction_rate_coverage() -> None:
    """Two judged of 50 uses: the rate stands with its coverage, and is not sufficient (R07)."""
    events = judged(1, 0, 1)
    rows = uses(*(use(of=each) for each in events), *(use() for _ in range(48)), use(failed="error"))
    row = correction_rate(table(events), invocations=rows, skill_id="a")
    assert (row["correction_rate"], row["n_invocations"], row["coverage"]) == (0.5, 50, 0.04)
    assert row["sufficient_data"] is False


def test_correction_rate_counts_each_use_once() -> None:
    """Uses are counted by their id, whether the table of uses repeats those with an event or not."""
    events = judged(1, 0, 3)
    alone, repeated = uses(use(), use()), uses(use(), use(), *(use(of=each) for each in events))
    for rows in (alone, repeated):
        assert correction_rate(table(events), invocations=rows, skill_id="a")["n_invocations"] == 6


def test_correction_rate_by_what_uses_lack() -> None:
    """Grouped by something that only events have, coverage is missing; the rates are there."""
    rows = correction_rate(table(judged(1, 0, 1, channel="message")), invocations=uses(use()), by=("channel",))
    assert rows["channel"].tolist() == ["message"]
    assert rows["n_invocations"].isna().all()


def test_correction_rate_filters_leave_coverage() -> None:
    """Leaving out implicit acceptances lowers what is judged, not how often the skill was used."""
    events = [*judged(1, 0, 1), *judged(0, 0, 2, rule="implicit.next")]
    with_them = correction_rate(table(events), invocations=uses(), skill_id="a")
    without = correction_rate(table(events), invocations=uses(), skill_id="a", implicit=False)
    assert (with_them["correction_rate"], with_them["implicit_acceptances"], with_them["coverage"]) == (0.25, 2, 1.0)
    assert (without["correction_rate"], without["implicit_acceptances"], without["coverage"]) == (0.5, 0, 0.5)


def test_correction_rate_implicit_without_rules() -> None:
    """Events of other tools have no rule: the documented confidence of 0.6 tells implicit acceptances."""
    events = table(judged(0, 0, 1, rule="", confidence=0.6), judged(0, 0, 1, rule="", confidence=0.8))
    assert correction_rate(events, skill_id="a")["implicit_acceptances"] == 1
    assert correction_rate(events.drop(columns="rule"), skill_id="a")["implicit_acceptances"] == 1
    bare = events[["skill_id", "outcome", "timestamp"]]
    assert correction_rate(bare, skill_id="a")["implicit_acceptances"] == 0


def test_correction_rate_attribution() -> None:
    """Weak attributions are counted apart, and can be left out; the use still counts."""
    events = table(judged(2, 0, 0, attribution="weak"), judged(0, 0, 2), judged(0, 0, 1, attribution=None))
    assert correction_rate(events, skill_id="a")[["sample_size", "weak"]].tolist() == [5, 2]
    sure = correction_rate(events, skill_id="a", attribution=("direct", "likely"), invocations=uses())
    assert sure[["correction_rate", "sample_size", "weak", "n_invocations"]].tolist() == [0.0, 2, 0, 5]


def test_correction_rate_window() -> None:
    """[since, as_of): the first moment counts, the last does not."""
    start = AS_OF - timedelta(days=7)
    stamps = [start - timedelta(microseconds=1), start, AS_OF - timedelta(microseconds=1), AS_OF]
    events = table(event("correction", at=stamp) for stamp in stamps)
    assert correction_rate(events, skill_id="a", since=start, as_of=AS_OF)["sample_size"] == 2


def test_correction_rate_undated() -> None:
    """An event without a timestamp is counted, kept in the rate of all time, and left out of windows."""
    events = table(judged(1, 0, 0, at=None), judged(0, 0, 1))
    always = correction_rate(events, skill_id="a", as_of=AS_OF + timedelta(days=1))
    window = correction_rate(events, skill_id="a", since=AS_OF - timedelta(days=1), as_of=AS_OF + timedelta(days=1))
    assert always[["sample_size", "undated"]].tolist() == [2, 1]
    assert window[["sample_size", "undated"]].tolist() == [1, 1]


def test_correction_rate_by_week() -> None:
    """Half an hour around Sunday's midnight in Tokyo are two weeks there and one in UTC (K34)."""
    edge = pd.Timestamp("2026-11-30T00:00:00+09:00").to_pydatetime()
    events = table([event(at=edge - timedelta(minutes=30)), event(at=edge + timedelta(minutes=30))])
    local = correction_rate(events, by=("skill_id", "week"), time_zone="Asia/Tokyo")
    assert local["week"].tolist() == [edge - timedelta(days=7), edge]
    assert len(correction_rate(events, by=("week",))) == 1


def test_correction_rate_by_week_with_uses() -> None:
    """Uses that nobody judged are counted in the week of their call."""
    first = event(at=AS_OF - timedelta(days=9))
    invocations = uses(use(of=first), use(at=AS_OF - timedelta(days=9)), use(at=AS_OF - timedelta(days=1)))
    rows = correction_rate(table([first]), by=("week",), invocations=invocations).sort_values("week")
    assert rows["n_invocations"].tolist() == [2, 1]
    assert rows["coverage"].tolist() == [0.5, 0]


def test_correction_rate_by_any_crossing() -> None:
    """Groups are the combinations that occur; what nobody told is a group like others; an own column may be one."""
    events = table(
        judged(1, 0, 0, agent="codex", model="m1"), judged(0, 0, 1, agent="codex", model="m2"), judged(0, 1, 0)
    ).assign(team=["red", "red", "blue"])
    rows = correction_rate(events, by=("agent", "model"))
    assert rows["correction_rate"].tolist() == [1.0, 0.5, 0.0]
    assert rows["agent"].tolist() == ["codex", "", "codex"]
    assert correction_rate(events, by=("team",))["sample_size"].tolist() == [1, 2]
    assert correction_rate(events, by=())["sample_size"].tolist() == [3]


def test_correction_rate_by_an_unknown_column() -> None:
    """A column that is not there is named."""
    with pytest.raises(FrameError, match="team"):
        correction_rate(table(judged(1, 0, 0)), by=("team",))


def test_correction_rate_unknown_interval() -> None:
    """A method that does not exist is refused with those that do."""
    with pytest.raises(InputError, match="session_bootstrap"):
        correction_rate(table(judged(1, 0, 0)), interval="wald")


def test_correction_rate_needs_known_words() -> None:
    """An outcome that is no word of the vocabulary is refused, not dropped."""
    with pytest.raises(FrameError, match="great"):
        correction_rate(pd.DataFrame({"skill_id": ["a"], "outcome": ["great"], "timestamp": [AS_OF]}))


def test_hotspots_by_skill() -> None:
    """All seven dimensions of each skill, zeros too; a complaint without a dimension is unknown."""
    events = table(
        judged(3, 2, 4, dimension_hint="accuracy"),
        judged(1, 0, 0, dimension_hint=None),
        judged(0, 0, 2, skill="b"),
    )
    rows = hotspot_dimensions(events)
    first = rows[rows["skill_id"] == "a"].set_index("dimension")
    assert len(rows) == 14
    assert first.loc[["accuracy", "security", "unknown"], "complaints"].tolist() == [5, 0, 1]
    assert first.loc["accuracy", "share"] == 5 / 6
    assert rows[rows["skill_id"] == "b"]["share"].isna().all()


def test_hotspots_of_one_skill() -> None:
    """One skill's hotspots are a dictionary of what occurs, most first, equal ones in the vocabulary's order."""
    events = table(
        judged(2, 0, 0, dimension_hint="security"),
        judged(1, 1, 0, dimension_hint="coverage"),
        judged(3, 0, 0, dimension_hint="unknown"),
    )
    spots = hotspot_dimensions(events, skill_id="a").to_dict()
    assert list(spots.items()) == [("unknown", 3), ("coverage", 2), ("security", 2)]
    assert json.dumps(spots) == '{"unknown": 3, "coverage": 2, "security": 2}'
    assert hotspot_dimensions(events, skill_id="b").to_dict() == {}


def test_hotspots_window() -> None:
    """Only complaints of the window count."""
    events = table(judged(1, 0, 0, at=AS_OF - timedelta(days=40)), judged(1, 0, 0, at=AS_OF - timedelta(days=1)))
    spots = hotspot_dimensions(events, skill_id="a", since=AS_OF - timedelta(days=30), as_of=AS_OF)
    assert spots.to_dict() == {"accuracy": 1}


def test_turns_to_feedback_distribution() -> None:
    """Counts and shares of 1, 2 and 3 turns, zeros too; a wider window shows what else occurs."""
    events = table(judged(0, 0, 3), [event(turns_to_feedback=3), event(skill="b", turns_to_feedback=5)])
    rows = turns_to_feedback(events)
    assert rows[rows["skill_id"] == "a"][["turns", "n", "share"]].to_numpy().tolist() == [
        [1, 3, 0.75],
        [2, 0, 0],
        [3, 1, 0.25],
        [5, 0, 0],
    ]


@pytest.mark.parametrize("storage", ["python", "pyarrow"])
def test_metrics_for_both_kinds_of_text(storage: str) -> None:
    """Text stored by Python or by Arrow (if installed), as objects or as categories, gives the same numbers."""
    if storage == "pyarrow":
        pytest.importorskip("pyarrow")
    events = history()
    text = events.select_dtypes("str").columns
    expected = correction_rate(events, by=("skill_id", "model", "agent"))
    with pd.option_context("mode.string_storage", storage):
        stored = events.astype({name: pd.StringDtype(storage, na_value=np.nan) for name in text})
        got = correction_rate(stored, by=("skill_id", "model", "agent"))
    pd.testing.assert_frame_equal(got.astype(expected.dtypes), expected, check_column_type=False)
    for dtype in ("object", "category"):
        other = correction_rate(events.astype(dict.fromkeys(text, dtype)), by=("skill_id", "model", "agent"))
        pd.testing.assert_frame_equal(other.astype(expected.dtypes), expected)


def test_undated_uses_are_in_no_window() -> None:
    """They are counted apart, with and without a verdict; where there is no beginning they are uses like others."""
    events = table(judged(1, 0, 0, skill_id="a"), judged(1, 0, 1, skill_id="b")).assign(
        timestamp=[AS_OF - timedelta(days=1), pd.NaT, pd.NaT]
    )
    calls = uses(use(skill="b", at=None), use(skill="a", at=AS_OF - timedelta(days=1)))
    windowed = correction_rate(events, invocations=calls, as_of=AS_OF, since=AS_OF - timedelta(days=30))
    found = windowed.set_index("skill_id")[["sample_size", "n_invocations", "undated"]].to_dict("index")
    assert found["b"] == {"sample_size": 0, "n_invocations": 0, "undated": 2}
    assert found["a"]["n_invocations"] == 2
    whole = correction_rate(events, invocations=calls, as_of=AS_OF).set_index("skill_id")["n_invocations"]
    assert whole["b"] == 3
