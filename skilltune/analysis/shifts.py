"""When did a skill's outcomes shift: one dated change of the weekly counts, with its evidence."""

from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import gammaln

from skilltune.analysis.weeks import mondays_until
from skilltune.analysis.windows import Moment, as_microseconds, as_timestamps, microseconds
from skilltune.errors import InputError
from skilltune.frames import check_frame
from skilltune.records import FeedbackEvent

__all__ = ["EVIDENCE", "rate_shift"]

OUTCOMES: Final = ("correction", "partial", "acceptance")
WEIGHTS: Final = np.array([1.0, 0.5, 0.0])
PRIOR: Final = 0.5
"""Pseudo-count of each outcome (Jeffreys)."""
RANGE: Final = 0.90
"""Share of the probability that the range of weeks holds."""
EVIDENCE: Final = 3.0
"""Odds of one shift against none from which on a shift is reported."""


def rate_shift(
    events: pd.DataFrame,
    *,
    skill_id: str,
    as_of: Moment,
    weeks: int = 12,
    min_invocations: int = 5,
    time_zone: str = "UTC",
    evidence: float = EVIDENCE,
) -> pd.DataFrame:
    """The week in which a skill's outcomes most likely shifted: one row, or none without evidence.

    Parameters
    ----------
    events
        Frame of FeedbackEvent.
    weeks
        How many weeks before `as_of` are looked at.
    min_invocations
        Judged uses that both sides of a shift must have.
    evidence
        Least odds of "one shift" against "none"; 0 always gives the likeliest week.

    Returns
    -------
    DataFrame
        ``skill_id``, ``week`` (Monday, UTC, of the first week after the shift), ``first`` and ``last`` (Mondays of the
        range that holds 90 % of the probability), ``odds``, ``rate_before``, ``rate_after``.

    Notes
    -----
    Counts of the three outcomes, multinomial with a Dirichlet prior, compared before and after every Monday; all
    Mondays are equally likely beforehand. Uses are taken as independent.
    """
    check_frame(events, FeedbackEvent, needs=("timestamp", "skill_id", "outcome"))
    if weeks < 2:
        raise InputError(f"weeks is {weeks}; a shift needs at least 2")
    mondays = mondays_until(as_microseconds(as_of), weeks=weeks, time_zone=time_zone)
    counts = _weekly_counts(events[events["skill_id"] == skill_id], mondays)
    before = counts.cumsum(axis=0)[:-1]
    after = counts.sum(axis=0) - before
    allowed = np.minimum(before.sum(axis=1), after.sum(axis=1)) >= max(min_invocations, 1)
    if not allowed.any():
        return _no_shift()
    gain = np.exp(_log_evidence(before) + _log_evidence(after) - _log_evidence(counts.sum(axis=0)))[allowed]
    if gain.mean() < evidence:
        return _no_shift()
    starts = mondays[1:-1][allowed]
    first, last = _range(gain / gain.sum())
    best = int(gain.argmax())
    return pd.DataFrame(
        {
            "skill_id": [skill_id],
            "week": as_timestamps(starts[[best]]),
            "first": as_timestamps(starts[[first]]),
            "last": as_timestamps(starts[[last]]),
            "odds": [float(gain.mean())],
            "rate_before": _rate(before[allowed][best]),
            "rate_after": _rate(after[allowed][best]),
        }
    )


def _weekly_counts(events: pd.DataFrame, mondays: NDArray[np.int64]) -> NDArray[np.int64]:
    """Weeks × outcomes."""
    week = np.searchsorted(mondays, microseconds(events["timestamp"]), side="right") - 1
    outcome = events["outcome"].map({name: place for place, name in enumerate(OUTCOMES)}).astype("Int64")
    inside = (week >= 0) & (week < len(mondays) - 1) & outcome.notna().to_numpy()
    counts = np.zeros((len(mondays) - 1, len(OUTCOMES)), dtype="int64")
    np.add.at(counts, (week[inside], outcome[inside].to_numpy(dtype="int64")), 1)
    return counts


def _log_evidence(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Log of the Dirichlet-multinomial marginal likelihood of each row of counts."""
    posterior = counts + PRIOR
    total = gammaln(posterior).sum(axis=-1) - gammaln(posterior.sum(axis=-1))
    return np.asarray(total - len(OUTCOMES) * gammaln(PRIOR) + gammaln(len(OUTCOMES) * PRIOR), dtype="float64")


def _range(chance: NDArray[np.float64]) -> tuple[int, int]:
    """First and last place of the shortest run around the likeliest one that holds ``RANGE``."""
    first = last = int(chance.argmax())
    while chance[first : last + 1].sum() < RANGE:
        left = chance[first - 1] if first else -1.0
        right = chance[last + 1] if last + 1 < len(chance) else -1.0
        first, last = (first - 1, last) if left >= right else (first, last + 1)
    return first, last


def _rate(counts: NDArray[np.int64]) -> list[float]:
    return [float(counts @ WEIGHTS / counts.sum())]


def _no_shift() -> pd.DataFrame:
    moment = pd.Series([], dtype="datetime64[us, UTC]")
    number = pd.Series([], dtype="float64")
    return pd.DataFrame(
        {
            "skill_id": pd.Series([], dtype="str"),
            **dict.fromkeys(("week", "first", "last"), moment),
            **dict.fromkeys(("odds", "rate_before", "rate_after"), number),
        }
    )
