"""The moment at which a rate shifted."""

from datetime import timedelta

import numpy as np
import pandas as pd
import pytest

from skilltune.analysis.changepoints import change_points, rate_shift
from skilltune.errors import InputError
from tests.analysis.invented import AS_OF, history, judged, table

OUTCOMES = np.array(["correction", "partial", "acceptance"])


def drawn(rates: tuple[float, float], *, seed: int, sessions: int = 40, scatter: float = 0.3) -> pd.DataFrame:
    """Sessions of some uses over ten weeks, of rates that scatter around one mean in each half."""
    chance = np.random.default_rng(seed)
    began = np.sort(chance.random(sessions))
    mean, total = np.where(began < 0.5, *rates), 1 / scatter - 1
    own = chance.beta(mean * total, (1 - mean) * total)
    session = np.repeat(np.arange(sessions), chance.integers(1, 6, sessions))
    kind = np.where(chance.random(len(session)) < own[session], 0, 2)
    stamps = pd.Timestamp(AS_OF) - pd.to_timedelta(70 * (1 - 0.999 * began[session]), unit="D")
    return pd.DataFrame(
        {"skill_id": "a", "session_id": session.astype(str), "outcome": OUTCOMES[kind], "timestamp": stamps}
    )


def test_shift_false_alarms() -> None:
    """Where nothing shifts, with outcomes that go together in sessions, about one series in twenty gives a date."""
    found = [len(rate_shift(drawn((0.25, 0.25), seed=seed), skill_id="a", as_of=AS_OF)) for seed in range(400)]
    assert np.mean(found) <= 0.07


def test_shift_is_dated() -> None:
    """A rise from 10 to 60 % in the middle of ten weeks is found, and its range holds the middle."""
    rows = [rate_shift(drawn((0.1, 0.6), seed=seed), skill_id="a", as_of=AS_OF) for seed in range(30)]
    found = pd.concat(rows)
    middle = AS_OF - timedelta(days=35)
    held = (found["first"] <= middle) & (found["last"] + timedelta(days=7) > middle)
    assert len(found) >= 27
    assert held.mean() >= 0.85
    assert ((found["first"] <= found["week"]) & (found["week"] <= found["last"])).all()
    assert (found["rate_before"] < found["rate_after"]).all()


def test_shift_exact() -> None:
    """A clean step is dated to the first use after it, with the rates and samples of both sides."""
    start = AS_OF - timedelta(days=40)
    events = table(
        *(judged(0, 0, 1, at=start + timedelta(days=day)) for day in range(20)),
        *(judged(0, 1, 0, at=start + timedelta(days=day)) for day in range(20, 40)),
    )
    row = rate_shift(events, skill_id="a", as_of=AS_OF, time_zone="Asia/Tokyo").iloc[0]
    assert row["at"] == start + timedelta(days=20)
    assert row["week"] == pd.Timestamp("2026-11-09T00:00:00+09:00")
    assert row[["rate_before", "rate_after", "sample_before", "sample_after"]].tolist() == [0, 0.5, 20, 20]
    assert row["p_value"] == pytest.approx(0.001)


def test_shift_not_within_one_moment() -> None:
    """Uses of one moment are never torn apart."""
    events = table(judged(10, 0, 0, at=AS_OF - timedelta(days=3)), judged(0, 0, 10, at=AS_OF - timedelta(days=3)))
    assert rate_shift(events, skill_id="a", as_of=AS_OF, level=0.999).empty


@pytest.mark.parametrize("events", [table(), table(judged(4, 0, 4)), history(size=4)])
def test_shift_of_too_few_data(events: pd.DataFrame) -> None:
    """Without five judged uses on both sides there is no date."""
    assert rate_shift(events, skill_id="a", as_of=AS_OF + timedelta(days=1)).empty


def test_shift_of_many_sessions() -> None:
    """Thousands of sessions are looked at in steps, and the step is still found."""
    stamps = pd.Timestamp(AS_OF) - pd.to_timedelta(np.linspace(70, 0.1, 5_000), unit="D")
    outcome = np.where(np.arange(5_000) % 10 < np.where(np.arange(5_000) < 2_500, 2, 4), "correction", "acceptance")
    events = pd.DataFrame(
        {"skill_id": "a", "session_id": np.arange(5_000).astype(str), "outcome": outcome, "timestamp": stamps}
    )
    row = rate_shift(events, skill_id="a", as_of=AS_OF).iloc[0]
    assert abs(row["at"] - stamps[2_500]) < timedelta(days=1)


def test_shift_level_out_of_range() -> None:
    """A share of false alarms that is none is refused."""
    with pytest.raises(InputError, match="between 0 and 1"):
        rate_shift(history(size=4), skill_id="a", as_of=AS_OF, level=5)


def test_shift_with_sessions_as_categories() -> None:
    """Sessions of other skills, known only as categories, change nothing."""
    events = drawn((0.1, 0.7), seed=1)
    other = drawn((0.5, 0.5), seed=2).assign(skill_id="other", session_id=lambda frame: "z" + frame["session_id"])
    both = pd.concat([events, other]).astype({"session_id": "category"})
    expected = rate_shift(events, skill_id="a", as_of=AS_OF)
    assert len(expected) == 1
    pd.testing.assert_frame_equal(rate_shift(both, skill_id="a", as_of=AS_OF), expected)


def steps(*rates: float, each: int = 30) -> pd.DataFrame:
    """Uses of which so many of ten are corrected, a step of the rate after each `each` of them, one use a session."""
    parts = [judged(round(10 * rate), 0, 10 - round(10 * rate)) * (each // 10) for rate in rates]
    events = table([event for part in parts for event in part])
    ago = pd.to_timedelta(np.linspace(80, 1, len(events)), unit="D")
    return events.assign(
        timestamp=pd.Timestamp(AS_OF) - ago, session_id=[f"s{number}" for number in range(len(events))]
    )


def test_change_points_several_dates() -> None:
    """A rate that rises and falls again has two dates, each with the rates up to its neighbours."""
    rows = change_points(steps(0.1, 0.9, 0.1), as_of=AS_OF)
    assert len(rows) == 2
    assert rows["at"].is_monotonic_increasing
    assert (rows["rate_before"] - [0.1, 0.9]).abs().max() < 0.15
    assert (rows["rate_after"] - [0.9, 0.1]).abs().max() < 0.15
    assert rows["sample_after"].iloc[0] == rows["sample_before"].iloc[1]
    assert (rows["p_value"] <= 0.05).all()


def test_change_points_beside_new_texts() -> None:
    """A text first used in the weeks of the shift stands beside it; one used much earlier does not."""
    events = steps(0.0, 1.0)
    later = np.arange(len(events)) >= 30
    events = events.assign(skill_digest=np.where(later, "new", "old"))
    [row] = change_points(events, as_of=AS_OF).to_dict("records")
    assert (row["rate_before"], row["rate_after"], row["versions"]) == (0, 1, "v2")
    [plain] = change_points(events.drop(columns="skill_digest"), as_of=AS_OF).to_dict("records")
    assert plain["versions"] == ""


def test_change_points_of_many_skills_that_do_not_shift() -> None:
    """Of 20 skills without any shift few reports name one, and a real one beside them is still found."""
    alarms = 0
    for seed in range(12):
        quiet = [drawn((0.3, 0.3), seed=100 * seed + n).assign(skill_id=f"q{n}") for n in range(20)]
        found = change_points(pd.concat([*quiet, steps(0.0, 1.0)]), as_of=AS_OF)
        alarms += found["skill_id"].ne("a").any()
        assert "a" in found["skill_id"].tolist()
    assert alarms <= 4


def test_change_points_of_one_skill() -> None:
    """A skill alone is looked at alone; one that nobody knows has none."""
    events = pd.concat([steps(0.0, 1.0), steps(0.0, 1.0).assign(skill_id="b")])
    assert change_points(events, as_of=AS_OF, skill_id="b")["skill_id"].tolist() == ["b"]
    assert len(change_points(events, as_of=AS_OF, skill_id="c")) == 0
    with pytest.raises(InputError, match="level is 0"):
        change_points(events, as_of=AS_OF, level=0)


def test_shifts_of_groups_are_those_of_their_events() -> None:
    """Each group of a crossing is searched as if its events were all there are; texts are named where a skill is."""
    models = [drawn((0.05, 0.75), seed=seed).assign(model=name) for seed, name in ((1, "m1"), (2, "m2"))]
    events = pd.concat([*models, drawn((0.9, 0.1), seed=3).assign(model="m1", skill_id="b")], ignore_index=True)
    found = change_points(events, as_of=AS_OF, by=("model", "skill_id"), false_discovery_rate=1.0)
    assert found[["model", "skill_id"]].drop_duplicates().to_numpy().tolist() == [["m1", "a"], ["m1", "b"], ["m2", "a"]]
    for (model, skill), rows in found.groupby(["model", "skill_id"]):
        own = events[(events["model"] == model) & (events["skill_id"] == skill)]
        alone = change_points(own, as_of=AS_OF, false_discovery_rate=1.0)
        shared = [name for name in alone.columns if name != "q_value"]
        pd.testing.assert_frame_equal(rows[shared].reset_index(drop=True), alone[shared])


def test_shifts_of_all_together() -> None:
    """Grouped by nothing, all events are one series; no text is named, as it is of no single skill."""
    events = drawn((0.05, 0.75), seed=1)
    two = events.assign(skill_id=["a", "b"] * (len(events) // 2) + ["a"] * (len(events) % 2), event_id="x")
    found = change_points(two.assign(skill_digest="3c"), as_of=AS_OF, by=())
    alone = change_points(events, as_of=AS_OF)
    assert found["at"].tolist() == alone["at"].tolist() != []
    assert found["versions"].tolist() == [""] * len(found)
