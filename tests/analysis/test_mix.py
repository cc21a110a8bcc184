"""What became of uses, by outcome."""

from datetime import timedelta

import pandas as pd
import pytest

from skilltune.analysis.mix import MIX, outcome_mix
from skilltune.errors import FrameError
from tests.analysis.invented import AS_OF, event, judged, table, use, uses


def counts(rows: pd.DataFrame) -> dict[str, object]:
    """Outcome → count, missing ones None."""
    return {outcome: None if pd.isna(n) else n for outcome, n in zip(rows["outcome"], rows["n"], strict=True)}


def test_mix_tells_acceptances_apart() -> None:
    """Moving on is told from an acceptance in words; without uses nothing is said of those not judged."""
    events = table(judged(2, 1, 3), judged(0, 0, 4, rule="implicit.next"))
    rows = outcome_mix(events, by=("skill_id",))
    assert counts(rows) == {"correction": 2, "partial": 1, "acceptance": 3, "moved_on": 4, "not_judged": None}
    assert rows["share"].dropna().tolist() == [0.2, 0.1, 0.3, 0.4]
    assert rows["sample_size"].tolist() == [10] * len(MIX)


def test_mix_with_uses_that_nobody_judged() -> None:
    """A use with an event counts once; shares are of all uses, and a failed call is none."""
    first = event("correction", at=AS_OF - timedelta(days=1))
    others = uses(use(of=first), use(at=AS_OF - timedelta(days=1)), use(at=AS_OF - timedelta(days=1), failed="refused"))
    rows = outcome_mix(table([first]), invocations=others, as_of=AS_OF)
    assert counts(rows) == {"correction": 1, "partial": 0, "acceptance": 0, "moved_on": 0, "not_judged": 1}
    assert rows["share"].sum() == 1


def test_mix_of_weeks_in_a_zone() -> None:
    """A use late on Sunday in UTC is in Monday's week in Tokyo."""
    late = pd.Timestamp("2026-11-29T16:00:00Z")
    for zone, monday in (("UTC", "2026-11-23T00:00:00Z"), ("Asia/Tokyo", "2026-11-29T15:00:00Z")):
        rows = outcome_mix(table([event(at=late)]), time_zone=zone)
        assert rows["week"].unique().tolist() == [pd.Timestamp(monday)]


def test_mix_agrees_with_the_rate() -> None:
    """Corrections and half the partials over the judged uses are the correction rate, week by week."""
    from skilltune.analysis.metrics import correction_rate
    from tests.analysis.invented import history

    events = history()
    wide = outcome_mix(events).pivot_table(index=["skill_id", "week"], columns="outcome", values="n", observed=True)
    rates = correction_rate(events, by=("skill_id", "week")).set_index(["skill_id", "week"])
    rates = rates[rates.index.get_level_values("week").notna()]
    found = (wide["correction"] + wide["partial"] / 2) / wide[["correction", "partial", "acceptance", "moved_on"]].sum(
        axis=1
    )
    assert found.astype("float64").round(12).to_dict() == rates["correction_rate"].round(12).to_dict()


def test_mix_by_an_unknown_column() -> None:
    """A column that is not there is named."""
    with pytest.raises(FrameError, match="colour"):
        outcome_mix(table([event()]), by=("colour",))
