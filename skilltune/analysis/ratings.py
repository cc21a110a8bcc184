"""How people rate skills, and how often they do not take what a skill made: rows of the ledger in, rows a skill out.

Nothing follows from these by itself: a person reads them beside a suggestion.
"""

from datetime import timedelta
from typing import Final

import numpy as np
import pandas as pd

from skilltune.analysis.arguments import check_arguments
from skilltune.analysis.intervals import Counts, score_interval
from skilltune.analysis.uses import uses_only
from skilltune.analysis.windows import Moment, Window, as_microseconds, as_timestamps, days_before, microseconds
from skilltune.errors import FrameError
from skilltune.limits import TREND_DAYS

__all__ = ["override_reasons", "skill_ratings"]

_NEEDS: Final = ("type", "skill_id", "timestamp", "score", "reason")
_DAY: Final = timedelta(days=1)


def skill_ratings(
    ledger: pd.DataFrame,
    *,
    as_of: Moment,
    days: int | None = TREND_DAYS,
    skill_id: str | None = None,
    invocations: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Mean score and override rate of each skill that was rated or overridden.

    Parameters
    ----------
    ledger : DataFrame
        What people recorded (``refining.read_ledger``); needs type, skill_id, timestamp, score and reason. Rows whose
        ``retracted`` is true do not count.
    as_of : time
        End of time; later rows and uses do not exist.
    days : int, optional
        Length of the window that ends at `as_of`, [as_of - days, as_of); None is all time.
    skill_id : str, optional
        Only this skill.
    invocations : DataFrame, optional
        All uses; without them the override rate is missing.

    Returns
    -------
    DataFrame
        One row per skill, highest override rate first, then lowest score, then by name: skill_id; mean_score (1 to 5;
        missing without a rating); n_ratings; overrides; n_invocations (uses in the window; missing without
        `invocations`); override_rate (overrides / uses; missing without a use, and where there are more overrides
        than uses seen); low, high (its 95 % interval, Wilson's).

    Raises
    ------
    FrameError
        A needed column is missing.
    InputError
        A time or the number of days is not understood.

    Examples
    --------
    >>> import pandas as pd
    >>> ledger = pd.DataFrame({"type": ["rating", "rating", "override"], "skill_id": "a",
    ...                        "timestamp": pd.Timestamp("2026-11-20", tz="UTC"), "score": [4.0, 5.0, None],
    ...                        "reason": ["", "", "too long"]})
    >>> skill_ratings(ledger, as_of="2026-11-30")[["skill_id", "mean_score", "n_ratings", "overrides"]]
      skill_id  mean_score  n_ratings  overrides
    0        a         4.5          2          1
    """
    window = _window(as_of, days)
    rows = _rows(ledger, window=window, skill_id=skill_id)
    rated, overridden = rows[rows["type"] == "rating"], rows[rows["type"] == "override"]
    skills = pd.Index(sorted(rows["skill_id"].unique()), dtype="str", name="skill_id")
    scores = rated.groupby("skill_id")["score"]
    overrides = overridden.groupby("skill_id").size().reindex(skills, fill_value=0).to_numpy(dtype="int64")
    uses = _uses(invocations, skills, window=window)
    known = uses.fillna(0).to_numpy(dtype="int64")
    sound = (known > 0) & (overrides <= known)
    spread = Counts.of(np.where(sound, overrides, 0), np.zeros_like(known), np.where(sound, known - overrides, 0))
    low, high = score_interval(spread)
    table = pd.DataFrame(
        {
            "skill_id": skills.to_series(index=range(len(skills))),
            "mean_score": scores.mean().reindex(skills).to_numpy(dtype="float64"),
            "n_ratings": scores.count().reindex(skills, fill_value=0).to_numpy(dtype="int64"),
            "overrides": overrides,
            "n_invocations": uses.array,
            "override_rate": spread.rate,
            "low": low,
            "high": high,
        }
    )
    order = ["override_rate", "mean_score", "skill_id"]
    return table.sort_values(order, ascending=[False, True, True], na_position="last", ignore_index=True)


def override_reasons(
    ledger: pd.DataFrame, *, as_of: Moment, days: int | None = TREND_DAYS, skill_id: str | None = None
) -> pd.DataFrame:
    """Why people did not take what skills made.

    Parameters
    ----------
    ledger, as_of, days, skill_id
        As in `skill_ratings`.

    Returns
    -------
    DataFrame
        One row per skill and reason ("" for none given), by name, then the most frequent and the latest first:
        skill_id, reason (white space folded), times, last (its latest time).

    Examples
    --------
    >>> import pandas as pd
    >>> ledger = pd.DataFrame({"type": "override", "skill_id": "a", "score": None, "reason": ["too long", "too  long"],
    ...                        "timestamp": pd.Timestamp("2026-11-20", tz="UTC")})
    >>> override_reasons(ledger, as_of="2026-11-30")[["reason", "times"]].values.tolist()
    [['too long', 2]]
    """
    rows = _rows(ledger, window=_window(as_of, days), skill_id=skill_id)
    overridden = rows[rows["type"] == "override"]
    folded = overridden["reason"].fillna("").astype("str").str.split().str.join(" ").astype("str")
    grouped = overridden.assign(reason=folded).groupby(["skill_id", "reason"], as_index=False)
    table = grouped.agg(times=("type", "size"), last=("timestamp", "max")).astype({"times": "int64"})
    order = ["skill_id", "times", "last", "reason"]
    return table.sort_values(order, ascending=[True, False, False, True], ignore_index=True)


def _window(as_of: Moment, days: int | None) -> Window:
    check_arguments(days=days)
    return Window(None if days is None else days_before(as_of, days=days), as_microseconds(as_of))


def _rows(ledger: pd.DataFrame, *, window: Window, skill_id: str | None) -> pd.DataFrame:
    """The rows that count, times as UTC."""
    missing = [name for name in _NEEDS if name not in ledger.columns]
    if missing:
        raise FrameError(f"the ledger lacks the column {missing[0]!r}; take the table that read_ledger gives")
    stamps = microseconds(ledger["timestamp"])
    taken = window.holds(stamps) & ledger["type"].isin(["rating", "override"]).to_numpy(dtype=bool)
    if "retracted" in ledger.columns:
        taken &= ~ledger["retracted"].to_numpy(dtype=bool)
    if skill_id is not None:
        taken &= (ledger["skill_id"] == skill_id).to_numpy(dtype=bool)
    rows = ledger.loc[taken, list(_NEEDS)].assign(timestamp=as_timestamps(stamps[taken]))
    return rows.astype({"skill_id": "str", "score": "float64"})


def _uses(invocations: pd.DataFrame | None, skills: "pd.Index[str]", *, window: Window) -> "pd.Series[int]":
    """Uses of each skill in the window; missing where nobody gave any."""
    if invocations is None:
        return pd.Series(pd.array([None] * len(skills), dtype="Int64"))
    uses = uses_only(invocations)
    dated = uses[window.holds(microseconds(uses["timestamp"]))]
    counts = dated.groupby(dated["skill_id"].astype("str")).size().reindex(skills, fill_value=0)
    return pd.Series(pd.array(counts.to_numpy(dtype="int64"), dtype="Int64"))
