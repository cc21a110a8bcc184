"""The figures of several weeks for the index: uses, the rate of all skills, and which of them got worse or better."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

import pandas as pd

from skilltune.analysis.isoweeks import IsoWeek, iso_week
from skilltune.analysis.metrics import correction_rate
from skilltune.analysis.ranking import ranked_skills
from skilltune.analysis.weekly import verdict_of
from skilltune.errors import InputError
from skilltune.limits import TREND_DAYS

__all__ = ["week_figures"]

VERDICTS: Final = 12
"""Weeks, the latest, for which it is told which skills got worse or better."""


def week_figures(
    events: pd.DataFrame,
    invocations: pd.DataFrame,
    *,
    weeks: Sequence[str],
    time_zone: str,
    min_invocations: int,
) -> dict[str, dict[str, Any]]:
    """Week → ``uses`` (in it), ``judged``, ``rate``, ``low``, ``high`` (of its last 30 days), ``worse``, ``better``.

    A week that the log holds no use of, in it or in the days before, is left out: older pages may rest on another log.
    """
    uses = invocations[invocations["failed"].fillna("") == ""].dropna(subset=["timestamp"]).sort_values("timestamp")
    dated = events.dropna(subset=["timestamp"]).sort_values("timestamp")
    shown = sorted((week for name in set(weeks) if (week := _week(name, time_zone))), key=lambda week: week.monday)
    found = {}
    for place, week in enumerate(reversed(shown)):
        figures = _figures(dated, uses, week=week, min_invocations=min_invocations, compare=place < VERDICTS)
        if figures is not None:
            found[week.name] = figures
    return found


def _week(name: str, time_zone: str) -> IsoWeek | None:
    try:
        return iso_week(name, time_zone=time_zone)
    except InputError:
        return None


def _figures(
    events: pd.DataFrame, uses: pd.DataFrame, *, week: IsoWeek, min_invocations: int, compare: bool
) -> dict[str, Any] | None:
    end, since = pd.Timestamp(week.end), pd.Timestamp(week.end) - timedelta(days=TREND_DAYS)
    near_events = _between(events, since - timedelta(days=TREND_DAYS), end)
    recent = _between(uses, since, end)
    if recent.empty:
        return None
    rates = correction_rate(_between(events, since, end), by=(), as_of=end, since=since)
    if rates.empty:
        return {"uses": len(_between(recent, pd.Timestamp(week.start), end)), "judged": 0}
    row = rates.iloc[0]
    known = row["sample_size"] >= min_invocations
    told: dict[str, Any] = {
        "uses": len(_between(recent, pd.Timestamp(week.start), end)),
        "judged": int(row["sample_size"]),
        **{key: float(row[name]) if known else None for key, name in _RATES.items()},
    }
    if compare:
        # the first rows of all tell how far back the log reaches
        ranking = ranked_skills(
            pd.concat([events.iloc[:1], near_events]).drop_duplicates("event_id"),
            invocations=uses.iloc[:1],
            as_of=end,
            min_invocations=min_invocations,
        )
        told |= _moved(ranking)
    return told


_RATES: Final = {"rate": "correction_rate", "low": "low", "high": "high"}


def _between(rows: pd.DataFrame, first: pd.Timestamp, end: pd.Timestamp) -> pd.DataFrame:
    """The rows of [first, end) of a table in time order."""
    begin, stop = (rows["timestamp"].searchsorted(moment) for moment in (first, end))
    return rows.iloc[begin:stop]


def _moved(ranking: pd.DataFrame) -> dict[str, list[str]]:
    names = ("sufficient_data", "direction", "discovered")
    verdicts = [
        verdict_of(sufficient=bool(sufficient), direction=str(direction), discovered=bool(discovered))
        for sufficient, direction, discovered in ranking[list(names)].itertuples(index=False)
    ]
    skills = ranking["skill_id"].astype("str")
    return {
        "worse": sorted(skills[[verdict == "got_worse" for verdict in verdicts]]),
        "better": sorted(skills[[verdict == "got_better" for verdict in verdicts]]),
    }
