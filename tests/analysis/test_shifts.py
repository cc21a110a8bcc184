"""One dated shift of a skill's outcomes."""

import pandas as pd
import pytest

from skilltune.analysis.shifts import rate_shift
from skilltune.errors import InputError

END = pd.Timestamp("2026-11-30T00:00:00Z")


def events(*weeks: str) -> pd.DataFrame:
    """Events of one skill: for each week, oldest first, its outcomes as letters c, p, a."""
    words = {"c": "correction", "p": "partial", "a": "acceptance"}
    return pd.DataFrame(
        [
            {
                "skill_id": "x",
                "timestamp": END - pd.Timedelta(weeks=len(weeks) - place) + pd.Timedelta(hours=1 + at),
                "outcome": words[letter],
            }
            for place, week in enumerate(weeks)
            for at, letter in enumerate(week)
        ],
        columns=["skill_id", "timestamp", "outcome"],
    ).astype({"skill_id": "str", "outcome": "str", "timestamp": "datetime64[us, UTC]"})


def test_clear_shift_is_dated():
    """Eight calm weeks, four bad ones: the first bad Monday, both rates, a range around it."""
    found = rate_shift(events(*["aaaaaaaaca"] * 8, *["cccacccaca"] * 4), skill_id="x", as_of=END)
    row = found.iloc[0]
    assert row["week"] == pd.Timestamp("2026-11-02T00:00:00Z")
    assert row["first"] <= row["week"] <= row["last"]
    assert row["rate_before"] == pytest.approx(0.1)
    assert row["rate_after"] == pytest.approx(0.7)
    assert row["odds"] > 100


def test_steady_rate_has_no_shift():
    """The same outcomes every week: no row, but the columns."""
    found = rate_shift(events(*["caaaa"] * 12), skill_id="x", as_of=END)
    assert found.empty
    assert found.columns.tolist() == ["skill_id", "week", "first", "last", "odds", "rate_before", "rate_after"]


def test_few_uses_and_other_skills_have_no_shift():
    """Both sides need enough judged uses; an unknown skill has none."""
    assert rate_shift(events("aa", "cc"), skill_id="x", as_of=END, evidence=0).empty
    assert rate_shift(events(*["aaaaa"] * 6, *["ccccc"] * 6), skill_id="y", as_of=END, evidence=0).empty


def test_later_events_do_not_exist():
    """What happens after as_of changes nothing."""
    calm = events(*["caaaa"] * 12)
    later = calm.assign(timestamp=END + pd.Timedelta(days=1), outcome="correction")
    assert rate_shift(pd.concat([calm, later]), skill_id="x", as_of=END).empty


def test_row_order_never_matters():
    """The same events in another order give the same row."""
    frame = events(*["aaaaaaaaca"] * 8, *["cccacccaca"] * 4)
    first = rate_shift(frame, skill_id="x", as_of=END)
    pd.testing.assert_frame_equal(first, rate_shift(frame.sample(frac=1, random_state=1), skill_id="x", as_of=END))


def test_one_week_is_refused():
    """A shift needs a before and an after."""
    with pytest.raises(InputError, match="at least 2"):
        rate_shift(events("a"), skill_id="x", as_of=END, weeks=1)


def test_chance_alone_is_seldom_called_a_shift():
    """Of 200 series without a shift, fewer than one in ten reaches the odds."""
    import numpy as np

    rng = np.random.default_rng(5)
    found = 0
    for _ in range(200):
        weeks = ["".join(rng.choice(list("cpa"), size=6, p=[0.25, 0.1, 0.65])) for _ in range(12)]
        found += len(rate_shift(events(*weeks), skill_id="x", as_of=END))
    assert found < 20
