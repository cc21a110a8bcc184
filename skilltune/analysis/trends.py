"""How rates change: the last days against the days before, and the course over weeks."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, Literal, TypedDict, Unpack, get_args, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import false_discovery_control

from skilltune.analysis.arguments import check_arguments
from skilltune.analysis.clusters import Rows, change_clusters, session_numbers
from skilltune.analysis.counts import OUTCOMES, Groups, Judged, count_kinds, group_rows, judged_events, outcome_counts
from skilltune.analysis.intervals import Clusters, Counts, difference_interval, difference_p_value, score_interval
from skilltune.analysis.rows import as_row, worst_first
from skilltune.analysis.weeks import mondays_until, zone
from skilltune.analysis.windows import (
    DAY,
    MISSING,
    Moment,
    Window,
    as_microseconds,
    as_timestamps,
    days_before,
    microseconds,
)
from skilltune.errors import InputError
from skilltune.frames import check_frame
from skilltune.limits import FALSE_DISCOVERY_RATE, MIN_INVOCATIONS, TREND_DAYS, TREND_STABLE
from skilltune.records import FeedbackEvent

__all__ = ["correction_trend", "rate_over_time"]

Direction = Literal["improving", "worsening", "stable", "insufficient_data", "no_baseline"]
DIRECTIONS: Final = get_args(Direction)
THRESHOLD: Final = Fraction(str(TREND_STABLE))


class TrendOptions(TypedDict, total=False):
    """The keyword arguments that all forms of `correction_trend` share."""

    days: int
    invocations: pd.DataFrame | None
    min_invocations: int
    implicit: bool
    attribution: Sequence[str] | None
    false_discovery_rate: float
    time_zone: str


@overload
def correction_trend(
    events: pd.DataFrame, *, as_of: Moment, by: None = None, **options: Unpack[TrendOptions]
) -> pd.DataFrame: ...
@overload
def correction_trend(
    events: pd.DataFrame,
    *,
    as_of: Moment,
    by: Sequence[str],
    skill_id: str | None = None,
    **options: Unpack[TrendOptions],
) -> pd.DataFrame: ...
@overload
def correction_trend(
    events: pd.DataFrame, *, as_of: Moment, skill_id: str, by: None = None, **options: Unpack[TrendOptions]
) -> "pd.Series[Any]": ...
def correction_trend(
    events: pd.DataFrame,
    *,
    as_of: Moment,
    days: int = TREND_DAYS,
    skill_id: str | None = None,
    by: Sequence[str] | None = None,
    invocations: pd.DataFrame | None = None,
    min_invocations: int = MIN_INVOCATIONS,
    implicit: bool = True,
    attribution: Sequence[str] | None = None,
    false_discovery_rate: float = FALSE_DISCOVERY_RATE,
    time_zone: str = "UTC",
) -> "pd.DataFrame | pd.Series[Any]":
    """Whether each skill got better or worse: the rate of the last days less that of the days before.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs skill_id, outcome and timestamp. Give the whole history: its first stamp tells whether
        the earlier window is covered at all. With session_id the interval allows for uses of one session being alike.
    as_of : time
        End of the recent window; later events do not exist.
    days : int, default 30
        Length of both windows, [as_of - days, as_of) and [as_of - 2 days, as_of - days).
    skill_id : str, optional
        Only this skill. Without `by` the result is its one row, as a Series of plain values.
    by : sequence of str, default ("skill_id",)
        Columns to group by.
    invocations : DataFrame, optional
        All uses; with them the history may be seen to start earlier.
    min_invocations : int, default 5
        Judged uses that either window needs.
    implicit, attribution
        As in `correction_rate`.
    false_discovery_rate : float, default 0.10
        Expected share of false ones among the changes marked `discovered`.
    time_zone : str, default "UTC"
        Of the date in `reason`.

    Returns
    -------
    DataFrame
        One row per group with an event in the two windows, greatest rise first, then by name: the columns of `by`;
        trend (recent - prior, -1 to 1; missing without a verdict); direction (improving below -0.05, worsening
        above 0.05, else stable; insufficient_data; no_baseline); reason (why there is no verdict, else "");
        recent_rate, prior_rate; low, high (95 % interval of the difference); excludes_zero; p_value; q_value
        (Benjamini-Hochberg over the rows);
        discovered (improving or worsening, the interval excludes 0 and q_value is within the false discovery rate);
        recent_sample, prior_sample.

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        A time or the number of days is not understood.

    Notes
    -----
    Rates are compared with the threshold as integers: 0.20 against 0.15 is stable. Interval: MOVER from the score
    intervals of both rates, corrected for continuity and for few uses, so that at most 5 % leave 0 out where nothing
    changed; p_value is the level at which it touches 0 (`skilltune.analysis.intervals.difference_interval`). Where
    sessions have several uses it is widened by how alike these are (`skilltune.analysis.clusters.change_clusters`).

    Examples
    --------
    >>> import pandas as pd
    >>> prior, recent = pd.Timestamp("2026-10-15"), pd.Timestamp("2026-11-15")
    >>> events = pd.DataFrame({"skill_id": "a", "timestamp": [prior] * 10 + [recent] * 10,
    ...                        "outcome": ["acceptance"] * 10 + ["correction"] * 6 + ["acceptance"] * 4})
    >>> row = correction_trend(events, as_of="2026-11-30", skill_id="a")
    >>> row["direction"], row["trend"], row["excludes_zero"]
    ('worsening', 0.6, True)
    """
    check_arguments(days=days, min_invocations=min_invocations, false_discovery_rate=false_discovery_rate)
    names = ("skill_id",) if by is None else tuple(dict.fromkeys(by))
    until = as_microseconds(as_of)
    start, before = days_before(as_of, days=days), days_before(as_of, days=2 * days)
    check_frame(events, FeedbackEvent, needs=("skill_id",))
    judged = judged_events(
        events,
        keep=[*names, *({"session_id"} & set(events.columns))],
        window=Window(before, until),
        skill_id=skill_id,
        attribution=attribution,
        implicit=implicit,
    )
    groups = group_rows(judged.frame, by=names, stamps=judged.stamps, time_zone=time_zone)
    sides = (judged.stamps < start).astype("int64")
    cells = count_kinds(groups, judged.kind, bins=sides, size=2)
    known = groups.names
    if skill_id is not None and by is None and not len(groups):
        known, cells = pd.DataFrame({"skill_id": [skill_id]}), np.zeros((1, 2, len(OUTCOMES)), dtype="int64")
    recent, prior = outcome_counts(cells[:, 0]), outcome_counts(cells[:, 1])
    history = _history_start(events, invocations, until)
    directions = _directions(recent, prior, min_invocations, covered=history is None or history < start)
    began = "" if history is None else f"{as_timestamps([history]).tz_convert(zone(time_zone))[0]:%Y-%m-%d}"
    reasons = [
        _reason(direction, samples, days=days, needed=min_invocations, began=began)
        for direction, *samples in zip(directions, recent.judged, prior.judged, strict=True)
    ]
    clusters = _clusters(judged, groups, sides, size=len(cells))
    changes = _changes(recent, prior, directions, clusters, rate=false_discovery_rate)
    table = known.assign(**changes, reason=pd.Series(reasons, dtype="str"))[[*names, *COLUMNS]]
    if skill_id is not None and by is None:
        return as_row(table)
    return worst_first(table, rate="trend", names=names)


COLUMNS: Final = (
    "trend", "direction", "reason", "recent_rate", "prior_rate", "low", "high", "excludes_zero", "p_value", "q_value",
    "discovered", "recent_sample", "prior_sample",
)  # fmt: skip


def rate_over_time(
    events: pd.DataFrame,
    *,
    as_of: Moment,
    weeks: int = 12,
    days: int = TREND_DAYS,
    time_zone: str = "UTC",
    by: Sequence[str] = ("skill_id",),
    skill_id: str | None = None,
    implicit: bool = True,
    attribution: Sequence[str] | None = None,
) -> pd.DataFrame:
    """The course of each skill's rate: over the last days at the end of each week, and of the single week.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs skill_id, outcome and timestamp.
    as_of : time
        End of time; the last week is the one that holds the moment before, cut off there.
    weeks : int, default 12
        How many ISO weeks.
    days : int, default 30
        Length of the window that ends with each week.
    time_zone : str, default "UTC"
        Where weeks begin on Monday at midnight.
    by : sequence of str, default ("skill_id",)
        Columns to group by, in any crossing (skill_digest, agent, model, project, …); ``()`` is one course of all.
    skill_id : str, optional
        Only this skill.
    implicit, attribution
        As in `correction_rate`.

    Returns
    -------
    DataFrame
        One row per group seen before `as_of` and week, by name and time: the columns of `by`; week (its Monday, 00:00
        in `time_zone`, as UTC); week_end (exclusive); rate, low, high (the `days` before week_end; missing without a
        judged use); sample_size (of that window); week_rate, week_sample (of the single week).

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        A time, time zone or number is not understood.

    Examples
    --------
    >>> import pandas as pd
    >>> stamps = pd.to_datetime(["2026-11-10", "2026-11-24"], utc=True)
    >>> events = pd.DataFrame({"skill_id": "a", "timestamp": stamps, "outcome": ["acceptance", "correction"]})
    >>> course = rate_over_time(events, as_of="2026-11-30", weeks=3)
    >>> course["rate"].tolist(), course["week_sample"].tolist()
    ([0.0, 0.0, 0.5], [1, 0, 1])
    """
    check_arguments(days=days)
    names = tuple(by)
    if "week" in names:
        raise InputError("rate_over_time has a row a week already; leave week out of by")
    until = as_microseconds(as_of)
    mondays = mondays_until(until, weeks=weeks, time_zone=time_zone)
    starts, ends = mondays[:-1], np.minimum(mondays[1:], until)
    judged = judged_events(
        events,
        keep=names,
        window=Window(None, until),
        skill_id=skill_id,
        attribution=attribution,
        implicit=implicit,
    )
    groups = group_rows(judged.frame, by=names, stamps=judged.stamps)
    edges = np.unique(np.concatenate([starts, ends, ends - days * DAY]))
    bins = np.searchsorted(edges, judged.stamps, side="right")
    bins[judged.stamps == MISSING] = -1
    # totals before each edge: any window is the difference of two of them
    totals = count_kinds(groups, judged.kind, bins=bins, size=len(edges) + 1).cumsum(axis=1)
    upto = totals[:, np.searchsorted(edges, ends)]
    window = outcome_counts((upto - totals[:, np.searchsorted(edges, ends - days * DAY)]).reshape(-1, len(OUTCOMES)))
    single = outcome_counts((upto - totals[:, np.searchsorted(edges, starts)]).reshape(-1, len(OUTCOMES)))
    low, high = score_interval(window)
    count = len(groups)
    return (
        groups.names.loc[groups.names.index.repeat(weeks)]
        .assign(
            week=as_timestamps(np.tile(starts, count)),
            week_end=as_timestamps(np.tile(ends, count)),
            rate=window.rate,
            low=low,
            high=high,
            sample_size=window.judged,
            week_rate=single.rate,
            week_sample=single.judged,
        )
        .sort_values([*names, "week"], ignore_index=True)
    )


def _history_start(events: pd.DataFrame, invocations: pd.DataFrame | None, until: int) -> int | None:
    """The first stamp of any skill before `until`."""
    tables = [events] if invocations is None else [events, invocations]
    first = min(_first(microseconds(table["timestamp"]), until) for table in tables)
    return first if first < until else None


def _first(stamps: NDArray[np.int64], until: int) -> int:
    """The least stamp, `until` where none is below it; most tables have no missing one, and need one look."""
    first = int(stamps.min(initial=until))
    return first if first != MISSING else int(stamps[stamps != MISSING].min(initial=until))


def _directions(recent: Counts, prior: Counts, min_invocations: int, *, covered: bool) -> NDArray[np.str_]:
    """The verdict of each group, by integers: halves / (2 judged) against the threshold."""
    change = recent.halves * prior.judged - prior.halves * recent.judged
    step, unit = THRESHOLD.numerator, THRESHOLD.denominator
    limit = 2 * step * recent.judged * prior.judged
    verdicts = np.select([change * unit > limit, change * unit < -limit], ["worsening", "improving"], "stable")
    few = np.minimum(recent.judged, prior.judged) < min_invocations
    if not covered:
        return np.where(recent.judged < min_invocations, "insufficient_data", "no_baseline")
    return np.where(few, "insufficient_data", verdicts)


def _clusters(judged: Judged, groups: Groups, sides: NDArray[np.int64], *, size: int) -> Clusters:
    """What the sessions of each group's uses do to its interval."""
    rows = judged.counted
    cells = (2 * groups.codes[: len(rows)] + sides)[rows]
    return change_clusters(Rows(cells, session_numbers(judged)[rows], judged.kind[rows]), groups=size)


def _changes(
    recent: Counts, prior: Counts, directions: NDArray[np.str_], clusters: Clusters, *, rate: float
) -> dict[str, Any]:
    judged = np.isin(directions, ["improving", "worsening", "stable"])
    low, high = difference_interval(recent, prior, clusters=clusters)
    p_value = np.where(judged, difference_p_value(recent, prior, clusters=clusters), np.nan)
    q_value = np.full(len(p_value), np.nan)
    if judged.any():
        q_value[judged] = false_discovery_control(p_value[judged])
    excludes = judged & ((low > 0) | (high < 0))
    return {
        "trend": np.where(judged, _exact_difference(recent, prior), np.nan),
        "direction": pd.Categorical(directions, categories=list(DIRECTIONS)),
        "recent_rate": recent.rate,
        "prior_rate": prior.rate,
        "low": np.where(judged, low, np.nan),
        "high": np.where(judged, high, np.nan),
        "excludes_zero": excludes,
        "p_value": p_value,
        "q_value": q_value,
        "discovered": excludes & (directions != "stable") & (np.nan_to_num(q_value, nan=1.0) <= rate),
        "recent_sample": recent.judged,
        "prior_sample": prior.judged,
    }


def _exact_difference(recent: Counts, prior: Counts) -> NDArray[np.float64]:
    """The difference with one rounding, so that 0.20 - 0.15 is 0.05."""
    over = recent.halves * prior.judged - prior.halves * recent.judged
    under = 2 * recent.judged * prior.judged
    difference: NDArray[np.float64] = over / np.maximum(under, 1)
    return difference


def _reason(direction: str, samples: Sequence[int], *, days: int, needed: int, began: str) -> str:
    """Why a group has no verdict, '' where it has one; `samples` are the judged uses of both windows."""
    if direction == "no_baseline":
        return f"history starts on {began}"
    if direction != "insufficient_data":
        return ""
    spans = zip(samples, (f"in the last {days} days", f"in the {days} days before"), strict=True)
    short = [f"{count} judged use{'' if count == 1 else 's'} {span}" for count, span in spans if count < needed]
    return f"{', '.join(short)}; {needed} needed"
