"""Uses of one session are alike: what this does to the interval of a change."""

from datetime import timedelta

import numpy as np
import pandas as pd
import pytest

from skilltune.analysis.before_after import before_after
from skilltune.analysis.clusters import Rows, change_clusters, session_numbers
from skilltune.analysis.counts import judged_events
from skilltune.analysis.intervals import Clusters, Counts, difference_interval, difference_p_value
from skilltune.analysis.trends import correction_trend
from tests.analysis.invented import AS_OF, judged, table

RECENT, PRIOR, LONG_AGO = AS_OF - timedelta(days=10), AS_OF - timedelta(days=40), AS_OF - timedelta(days=90)


def changed() -> pd.DataFrame:
    """Events of two windows in a log that began before them, each use in a session of its own."""
    return table(judged(14, 0, 16, at=RECENT), judged(5, 0, 25, at=PRIOR), judged(0, 0, 1, at=LONG_AGO))


def in_sessions(events: pd.DataFrame, *, of: int) -> pd.DataFrame:
    """The same events in sessions of so many uses of one kind."""
    return events.assign(session_id=[f"s{number // of}" for number in range(len(events))])


def simulated(
    chance: np.random.Generator, *, alike: float, rate: float, sessions: int, groups: int
) -> tuple[Counts, Rows]:
    """One side of groups of sessions of one to six uses whose own rates scatter (beta, this correlation)."""
    total = 1 / alike - 1
    own = chance.beta(rate * total, (1 - rate) * total, groups * sessions)
    session = np.repeat(np.arange(groups * sessions), chance.integers(1, 7, groups * sessions))
    kind = np.where(chance.random(len(session)) < own[session], 0, 2).astype("int8")
    group = session // sessions
    counts = Counts.of(*(np.bincount(group[kind == each], minlength=groups) for each in range(3)))
    return counts, Rows(2 * group, 2 * session, kind)


@pytest.mark.parametrize(("alike", "most"), [(0.12, 0.05), (0.3, 0.065)])
@pytest.mark.parametrize("sessions", [5, 20])
def test_false_alarms_where_uses_share_sessions(alike: float, most: float, sessions: int) -> None:
    """Where nothing changed, 0 is left out about as seldom as with independent uses; without clusters far oftener."""
    chance = np.random.default_rng(3)
    (recent, one), (prior, other) = (
        simulated(chance, alike=alike, rate=0.4, sessions=sessions, groups=4_000) for _ in range(2)
    )
    rows = Rows(
        np.concatenate([one.cells, other.cells + 1]),
        np.concatenate([one.sessions, other.sessions + 1]),
        np.concatenate([one.kinds, other.kinds]),
    )
    clusters = change_clusters(rows, groups=4_000)
    enough = (recent.judged >= 5) & (prior.judged >= 5)
    assert (difference_p_value(recent, prior, clusters=clusters) < 0.05)[enough].mean() < most
    assert (difference_p_value(recent, prior) < 0.05)[enough].mean() > 0.055


def test_sessions_of_one_use_change_nothing() -> None:
    """Then the interval is that of independent uses, to the last digit; so it is where sessions are not known."""
    events = changed()
    row = correction_trend(events, as_of=AS_OF, skill_id="a")
    low, high = difference_interval(Counts.of([14], [0], [16]), Counts.of([5], [0], [25]))
    assert (row["low"], row["high"]) == (low[0], high[0])
    assert row["p_value"] == difference_p_value(Counts.of([14], [0], [16]), Counts.of([5], [0], [25]))[0]
    assert correction_trend(events.drop(columns="session_id"), as_of=AS_OF, skill_id="a").equals(row)
    assert correction_trend(events.assign(session_id=""), as_of=AS_OF, skill_id="a").equals(row)


def test_sessions_as_text_categories_or_numbers() -> None:
    """Whatever a log's sessions are kept as, those without a name are one use each, and the interval is the same."""
    names = ["", "s1", "s1", None, "s2", "", "s1"]
    columns = [pd.Series(names), pd.Series(names, dtype="category"), pd.Series([None, 1, 1, None, 2, None, 1])]
    for column in columns:
        events = table(judged(3, 0, 4)).assign(session_id=column)
        numbers = session_numbers(judged_events(events, keep=("session_id",)))
        alike = numbers[:, None] == numbers
        assert np.argwhere(np.triu(alike, 1)).tolist() == [[1, 2], [1, 6], [2, 6]]
    events = in_sessions(changed(), of=3)
    rows = [correction_trend(events.astype({"session_id": kind}), as_of=AS_OF) for kind in ("str", "category")]
    pd.testing.assert_frame_equal(*rows)


def test_trend_is_wider_the_more_uses_share_a_session() -> None:
    """The change stays the same, its interval grows, and a change from a few sessions is no discovery."""
    events = changed()
    rows = [correction_trend(in_sessions(events, of=of), as_of=AS_OF, skill_id="a") for of in (1, 2, 5, 15)]
    assert {row["trend"] for row in rows} == {0.3}
    assert {row["direction"] for row in rows} == {"worsening"}
    assert [row["low"] for row in rows] == sorted((row["low"] for row in rows), reverse=True)
    assert [row["p_value"] for row in rows] == sorted(row["p_value"] for row in rows)
    discovered = [row["discovered"] for row in rows]
    assert discovered == sorted(discovered, reverse=True)
    assert (discovered[0], discovered[-1]) == (True, False)
    assert all((row["p_value"] < 0.05) == row["excludes_zero"] for row in rows)


def test_before_after_is_wider_where_uses_share_a_session() -> None:
    """What helped by uses of their own is no evidence where they are few sessions."""
    events = table(judged(5, 0, 45, at=RECENT), judged(25, 0, 25, at=PRIOR))
    at = AS_OF - timedelta(days=20)
    alone = before_after(events, as_of=AS_OF, at=at).iloc[0]
    shared = before_after(in_sessions(events, of=10), as_of=AS_OF, at=at).iloc[0]
    assert (alone["verdict"], shared["verdict"]) == ("helped", "no_evidence")
    assert alone["difference"] == shared["difference"]
    assert shared["after_high"] > alone["after_high"]
    assert shared["before_low"] < alone["before_low"]


@pytest.mark.parametrize("effect", [1.0, 1.7, 6.0])
def test_interval_touches_zero_at_its_p_value(effect: float) -> None:
    """With any design effects, whichever way the rate went."""
    clusters = Clusters(np.array([effect]), np.array([1.2]), np.array([17.0]))
    for recent, prior in (((12, 3, 5), (5, 5, 20)), ((5, 5, 20), (12, 3, 5))):
        now, before = (Counts.of(*([part] for part in side)) for side in (recent, prior))
        p_value = difference_p_value(now, before, clusters=clusters)[0]
        low, high = difference_interval(now, before, level=1 - p_value, clusters=clusters)
        assert min(abs(low[0]), abs(high[0])) == pytest.approx(0, abs=1e-9)


def test_order_of_rows_and_other_skills_do_not_matter() -> None:
    """A skill's interval is that of its own uses, however they are sorted."""
    events = in_sessions(changed(), of=3)
    other = in_sessions(table(judged(9, 0, 9, skill="b", at=RECENT), judged(9, 0, 9, skill="b", at=PRIOR)), of=6)
    row = correction_trend(events, as_of=AS_OF, skill_id="a")
    mixed = pd.concat([other, events]).sample(frac=1, random_state=1)
    again = correction_trend(mixed, as_of=AS_OF, skill_id="a")
    assert again["low"] == pytest.approx(row["low"], abs=1e-12)
    both = correction_trend(mixed, as_of=AS_OF).set_index("skill_id")
    assert both.loc["a", "low"] == pytest.approx(row["low"], abs=1e-12)
