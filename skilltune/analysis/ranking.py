"""Many skills compared: rates pulled towards the rate of all, so that chance does not make the order.

References
----------
- Bühlmann and Straub (1970), ASTIN Bulletin 5: credibility with unequal sample sizes.
- Kleinman (1973), J. Am. Stat. Assoc. 68: the same for proportions, by moments; then the shrunk rate is the mean of a
  beta posterior with a prior of as many judged uses as `prior_uses` says.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.arguments import check_arguments
from skilltune.analysis.intervals import Counts
from skilltune.analysis.metrics import correction_rate
from skilltune.analysis.rows import with_skills
from skilltune.analysis.trends import correction_trend
from skilltune.analysis.uses import uses_only
from skilltune.analysis.windows import Moment, Window, as_microseconds, as_timestamps, days_before, microseconds
from skilltune.limits import FALSE_DISCOVERY_RATE, MIN_INVOCATIONS, TREND_DAYS

__all__ = ["overall_rate", "prior_uses", "ranked_skills", "shrunk_rates"]

TREND_COLUMNS: Final = {
    "trend": "trend", "direction": "direction", "reason": "reason", "prior_rate": "prior_rate", "low": "trend_low",
    "high": "trend_high", "excludes_zero": "excludes_zero", "p_value": "p_value", "q_value": "q_value",
    "discovered": "discovered", "prior_sample": "prior_sample",
}  # fmt: skip


def ranked_skills(
    events: pd.DataFrame,
    *,
    as_of: Moment,
    invocations: pd.DataFrame | None = None,
    days: int = TREND_DAYS,
    min_invocations: int = MIN_INVOCATIONS,
    implicit: bool = True,
    attribution: Sequence[str] | None = None,
    false_discovery_rate: float = FALSE_DISCOVERY_RATE,
    time_zone: str = "UTC",
) -> pd.DataFrame:
    """Skills in the order of their shrunk correction rate over the last days, with the trend against those before.

    Parameters
    ----------
    events : DataFrame
        Feedback events, the whole history; needs skill_id, outcome and timestamp.
    as_of : time
        End of the window; later events do not exist.
    invocations : DataFrame, optional
        All uses; skills without any event are listed too then.
    days : int, default 30
        Length of the window.
    min_invocations, implicit, attribution, false_discovery_rate, time_zone
        As in `correction_rate` and `correction_trend`.

    Returns
    -------
    DataFrame
        One row per skill seen before `as_of`, highest shrunk rate first, those with too few data at the end, most
        judged first: rank (from 1, missing with too few data); the columns of `correction_rate`; shrunk_rate (0 to 1,
        missing without a judged use); overall_rate (of all skills together, the same in every row); needed (judged
        uses that are missing to `min_invocations`); those of `correction_trend`, its interval as trend_low and
        trend_high.

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        A time or number is not understood.

    Examples
    --------
    >>> import pandas as pd
    >>> events = pd.DataFrame({"skill_id": ["a"] * 8 + ["b"] * 6, "timestamp": pd.Timestamp("2026-11-20"),
    ...                        "outcome": ["correction"] * 4 + ["acceptance"] * 10})
    >>> ranked_skills(events, as_of="2026-11-30")[["rank", "skill_id", "correction_rate"]]
       rank skill_id  correction_rate
    0     1        a              0.5
    1     2        b              0.0
    """
    check_arguments(days=days, min_invocations=min_invocations, false_discovery_rate=false_discovery_rate)
    since = as_timestamps([days_before(as_of, days=days)])[0]
    rates = correction_rate(
        events,
        by=("skill_id",),
        invocations=invocations,
        as_of=as_of,
        since=since,
        min_invocations=min_invocations,
        implicit=implicit,
        attribution=attribution,
    )
    trends = correction_trend(
        events,
        by=("skill_id",),
        invocations=invocations,
        as_of=as_of,
        days=days,
        min_invocations=min_invocations,
        implicit=implicit,
        attribution=attribution,
        false_discovery_rate=false_discovery_rate,
        time_zone=time_zone,
    )
    skills = _skills_seen(events, invocations, until=as_microseconds(as_of))
    uses = {} if invocations is None else {"n_invocations": 0}
    table = with_skills(rates, skills, interval_method="score", **uses)
    change = with_skills(trends, skills, direction="insufficient_data", reason=f"no judged use before {as_of}")
    counts = Counts.of(table["corrections"], table["partials"], table["acceptances"])
    table = table.assign(
        shrunk_rate=shrunk_rates(counts),
        overall_rate=overall_rate(counts),
        needed=np.maximum(min_invocations - counts.judged, 0),
        **{name: change[column] for column, name in TREND_COLUMNS.items()},
    )
    return _ranked(table)


def shrunk_rates(counts: Counts) -> NDArray[np.float64]:
    """Each group's rate pulled towards the rate of all, the more the fewer judged uses it has.

    Parameters
    ----------
    counts : Counts
        One element per group.

    Returns
    -------
    array
        0 to 1; missing where a group has no judged use. With one group, or where groups differ no more than chance
        makes them, there is nothing to learn from the others, or nothing but their common rate: the first gives the
        rate itself, the second the common rate.

    Notes
    -----
    ``(n rate + m overall) / (n + m)``, with `m` from `prior_uses`.

    Examples
    --------
    >>> shrunk_rates(Counts.of([9, 1, 0], [0, 0, 0], [1, 9, 2])).round(2).tolist()
    [0.89, 0.11, 0.07]
    """
    judged = counts.judged
    if (judged > 0).sum() < 2:
        return counts.rate
    overall, weight = overall_rate(counts), prior_uses(counts)
    if np.isinf(weight):
        return np.where(judged > 0, overall, np.nan)
    pulled = (counts.halves / 2 + weight * overall) / np.maximum(judged + weight, 1e-300)
    return np.where(judged > 0, pulled, np.nan)


def overall_rate(counts: Counts) -> float:
    """The rate of all groups taken as one; missing without a judged use."""
    judged = int(counts.judged.sum())
    return int(counts.halves.sum()) / (2 * judged) if judged else float("nan")


def prior_uses(counts: Counts) -> float:
    """How many judged uses at the overall rate the other groups are worth: variance within ÷ variance between.

    Notes
    -----
    With n judged uses in a group, N in all k groups, and p the rates: the variance within, s², is the mean squared
    deviation of single weights (0, ½, 1) from their group's rate, over N - k; the variance between is
    ``(Σ n (p - overall)² - (k - 1) s²) / (N - Σ n² / N)``, and infinitely small where that is negative.
    """
    seen = counts.judged > 0
    judged, halves = counts.judged[seen], counts.halves[seen]
    total, groups = int(judged.sum()), int(seen.sum())
    rate, overall = halves / (2 * judged), overall_rate(counts)
    squares = counts.corrections[seen] + counts.partials[seen] / 4
    within = float((squares - judged * rate**2).sum()) / max(total - groups, 1)
    between = float((judged * (rate - overall) ** 2).sum()) - (groups - 1) * within
    spread = total - float((judged.astype("float64") ** 2).sum()) / total
    return within * spread / between if between > 1e-12 else float("inf")


def _skills_seen(events: pd.DataFrame, invocations: pd.DataFrame | None, *, until: int) -> list[str]:
    """Every skill with an event or use before `until`, undated ones too, by name."""
    names: set[str] = set()
    for frame in [events] if invocations is None else [events, uses_only(invocations)]:
        before = Window(None, until).holds(microseconds(frame["timestamp"]))
        names.update(frame["skill_id"][before].dropna().unique().tolist())
    return sorted(names)


def _ranked(table: pd.DataFrame) -> pd.DataFrame:
    """Enough data first, by shrunk rate, then rate; the others by how many judged uses they have; then names."""
    few = ~table["sufficient_data"]
    order = table.assign(few=few, key=table["shrunk_rate"].mask(few, table["sample_size"])).sort_values(
        ["few", "key", "correction_rate", "skill_id"], ascending=[True, False, False, True], kind="stable"
    )
    table = order.drop(columns=["few", "key"]).reset_index(drop=True)
    place = pd.Series(range(1, len(table) + 1), dtype="Int64", index=table.index)
    table.insert(0, "rank", place.where(table["sufficient_data"]))
    return table
