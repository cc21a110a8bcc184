"""The interval from drawing whole sessions again."""

import numpy as np
import pandas as pd

from skilltune.analysis.metrics import correction_rate
from tests.analysis.invented import history, judged, table


def one_skill(sessions: int, each: int, *, together: bool, skill: str = "a") -> pd.DataFrame:
    """Half of all events corrections: whole sessions of them, or half of each session."""
    parts = []
    for number in range(sessions):
        wrong = each * (number % 2) if together else each // 2
        parts.append(judged(wrong, 0, each - wrong, skill=skill, session_id=f"{skill}-{number}"))
    return table(*parts)


def width(events: pd.DataFrame, **options: object) -> float:
    """How wide the interval of the only skill is."""
    row = correction_rate(events, skill_id="a", **options)
    return row["high"] - row["low"]


def test_bootstrap_widens_with_clusters() -> None:
    """Events that go together in sessions make the interval wide, those that do not leave it nearly as it is."""
    apart, together = one_skill(40, 4, together=False), one_skill(40, 4, together=True)
    assert width(together) == width(apart)
    assert width(together, interval="session_bootstrap") > 1.8 * width(together)
    assert width(apart, interval="session_bootstrap") < 1.1 * width(apart)


def test_bootstrap_says_what_it_is() -> None:
    """Method and number of sessions stand beside the bounds."""
    row = correction_rate(one_skill(12, 3, together=True), skill_id="a", interval="session_bootstrap")
    assert (row["interval_method"], row["sessions"]) == ("session_bootstrap", 12)
    plain = correction_rate(one_skill(12, 3, together=True), skill_id="a")
    assert (plain["interval_method"], plain["sessions"]) == ("score", None)


def test_bootstrap_says_that_sessions_are_few() -> None:
    """Under 20 sessions the interval itself is unsure, and the row says so; a plain interval says nothing of it."""
    for sessions, few in ((19, True), (20, False)):
        events = one_skill(sessions, 3, together=True)
        assert correction_rate(events, skill_id="a", interval="session_bootstrap")["few_sessions"] is few
        assert correction_rate(events, skill_id="a")["few_sessions"] is False


def test_bootstrap_of_one_session() -> None:
    """One session says nothing about others: no bounds."""
    row = correction_rate(one_skill(1, 8, together=False), skill_id="a", interval="session_bootstrap")
    assert (row["correction_rate"], row["low"], row["high"], row["sessions"]) == (0.5, None, None, 1)


def test_bootstrap_of_equal_outcomes() -> None:
    """Where every event is alike the interval is the score interval at Student's critical value."""
    row = correction_rate(table(judged(0, 0, 20)), skill_id="a", interval="session_bootstrap")
    plain = correction_rate(table(judged(0, 0, 20)), skill_id="a")
    assert row["low"] == 0
    assert plain["high"] < row["high"] < 1.2 * plain["high"]


def test_bootstrap_is_repeatable() -> None:
    """The same seed gives the same bounds, whatever other skills there are; another seed nearly the same."""
    events = one_skill(30, 3, together=True)
    more = pd.concat([one_skill(9, 2, together=True, skill="b"), events])
    alone = correction_rate(events, interval="session_bootstrap")
    beside = correction_rate(more, interval="session_bootstrap").set_index("skill_id").loc[["a"]].reset_index()
    pd.testing.assert_frame_equal(alone, beside)
    other = correction_rate(events, interval="session_bootstrap", seed=1)
    assert alone["low"].iloc[0] != other["low"].iloc[0]
    np.testing.assert_allclose(alone["low"], other["low"], atol=0.02)


def test_bootstrap_leaves_rates() -> None:
    """Only the bounds and what they are differ from the score interval's table."""
    drawn, plain = (correction_rate(history(), interval=method) for method in ("session_bootstrap", "score"))
    same = plain.columns.difference(["low", "high", "interval_method", "sessions"])
    pd.testing.assert_frame_equal(drawn[same], plain[same])
