"""When skills' rates shifted: the splits of their sessions, in order of time, that the outcomes fit best.

References
----------
- Worsley (1983), Biometrika 70: the greatest likelihood ratio over all splits as test of one change.
- Good (2005), Permutation, Parametric and Bootstrap Tests of Hypotheses: its distribution when nothing changed, from
  shuffled sessions, so that events of one session stay together.
- Vostrikova (1981), Soviet Mathematics Doklady 24: binary segmentation, each side of a split searched again.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import xlogy
from scipy.stats import false_discovery_control

from skilltune.analysis.arguments import check_arguments
from skilltune.analysis.counts import Flags, Judged, codes_of, group_rows, judged_events
from skilltune.analysis.shift_range import Series, shift_range
from skilltune.analysis.usage import skill_versions
from skilltune.analysis.weeks import WEEK, mondays_until, week_starts
from skilltune.analysis.windows import Moment, Window, as_microseconds, as_timestamps, microseconds
from skilltune.errors import InputError
from skilltune.limits import FALSE_DISCOVERY_RATE, MIN_INVOCATIONS

__all__ = ["change_points", "rate_shift"]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

SHUFFLES: Final = 999
"""Shuffled orders that the real one is compared with."""
BLOCKS: Final = 400
"""Steps of time that are told apart; more sessions than this are taken together in equal numbers."""
RANGE: Final = 0.90
"""Share of the likelihood that the range of dates holds."""
HALVES: Final = np.array([2, 1, 0])
"""Halves of a correction that each outcome counts."""


def rate_shift(
    events: pd.DataFrame,
    *,
    skill_id: str,
    as_of: Moment,
    weeks: int = 12,
    min_invocations: int = MIN_INVOCATIONS,
    time_zone: str = "UTC",
    level: float = 0.05,
    seed: int = 0,
) -> pd.DataFrame:
    """The moment at which a skill's rate most likely shifted: one row, or none where no shift is found.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs skill_id, session_id, outcome and timestamp.
    skill_id : str
        The skill.
    as_of : time
        End of time.
    weeks : int, default 12
        How many ISO weeks are looked at, the one before `as_of` last.
    min_invocations : int, default 5
        Judged uses that either side needs.
    time_zone : str, default "UTC"
        Where weeks begin on Monday at midnight.
    level : float, default 0.05
        How often a shift may be reported where there is none.
    seed : int, default 0
        Of the shuffles.

    Returns
    -------
    DataFrame
        One row or none: skill_id; at (the first use after the shift); week (its Monday); first, last (Mondays of the
        weeks that hold 90 % of the likelihood); rate_before, rate_after; sample_before, sample_after (judged uses);
        p_value.

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        A time, time zone or number is not understood.

    Notes
    -----
    For each split between two sessions: the binomial log likelihood ratio of two rates against one, partials counting
    half. The greatest is compared with those of 999 shuffled orders of the same sessions. The range is a Student
    likelihood's (`skilltune.analysis.shift_range.shift_range`); where a shift is found it holds it in about 90 % or
    more, also with 20 sessions whose uses are alike (``benchmarks/intervals.py``). One shift is looked for; a rate
    that drifts, or shifts twice, gives its best single split.

    Examples
    --------
    >>> import pandas as pd
    >>> stamps = pd.date_range("2026-09-14", periods=60, freq="D", tz="UTC")
    >>> events = pd.DataFrame({"skill_id": "a", "session_id": [f"s{day}" for day in range(60)], "timestamp": stamps,
    ...                        "outcome": ["acceptance"] * 40 + ["correction", "acceptance"] * 10})
    >>> rate_shift(events, skill_id="a", as_of="2026-11-16")[["at", "rate_before", "rate_after"]]
                             at  rate_before  rate_after
    0 2026-10-24 00:00:00+00:00          0.0         0.5
    """
    _check_level(level)
    check_arguments(min_invocations=min_invocations, seed=seed)
    until = as_microseconds(as_of)
    since = int(mondays_until(until, weeks=weeks, time_zone=time_zone)[0])
    judged = judged_events(events, keep=("session_id",), window=Window(since, until), skill_id=skill_id)
    series = _series(judged, judged.counted)
    split = _best_split(series, needed=min_invocations, seed=seed)
    name = pd.DataFrame({"skill_id": pd.Series([skill_id], dtype="str")})
    if split is None or split.p_value > level:
        return _table(name, [])
    gains = _split_gains(series, min_invocations)
    return _table(name, [_row(series, gains, split.place, split.p_value, time_zone)])


class _Split(NamedTuple):
    """A place in a skill's sessions before which the rate shifted, and how likely chance does as well."""

    place: int
    p_value: float


def change_points(
    events: pd.DataFrame,
    *,
    as_of: Moment,
    by: Sequence[str] = ("skill_id",),
    skill_id: str | None = None,
    invocations: pd.DataFrame | None = None,
    weeks: int = 52,
    min_invocations: int = MIN_INVOCATIONS,
    false_discovery_rate: float = FALSE_DISCOVERY_RATE,
    time_zone: str = "UTC",
    level: float = 0.05,
    seed: int = 0,
) -> pd.DataFrame:
    """When skills' rates shifted, once or several times, beside the texts that were new then.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs skill_id, session_id, outcome and timestamp; with event_id and skill_digest the new texts
        are named.
    as_of : time
        End of time.
    by : sequence of str, default ("skill_id",)
        Columns to group by, in any crossing; not ``week``, as shifts are looked for over weeks.
    skill_id : str, optional
        Only this skill.
    invocations : DataFrame, optional
        All uses: they may show a text earlier.
    weeks : int, default 52
        How many ISO weeks are looked at, the one before `as_of` last.
    min_invocations : int, default 5
        Judged uses that every stretch between two shifts needs.
    false_discovery_rate : float, default 0.10
        Expected share of groups without any shift among those that have rows.
    time_zone : str, default "UTC"
        Where weeks begin on Monday at midnight.
    level : float, default 0.05
        How often one group, or a stretch of it that is searched again, may give a shift where there is none.
    seed : int, default 0
        Of the shuffles.

    Returns
    -------
    DataFrame
        One row per shift, by name and time: the columns of `by`; at (the first use after the shift); week (its
        Monday); first, last (Mondays of the weeks that hold 90 % of the likelihood); rate_before, rate_after (up to the
        neighbouring shifts); sample_before, sample_after (judged uses); p_value (of this split); q_value
        (Benjamini-Hochberg over the groups, of the group's greatest shift); versions (texts of the skill first used in
        the weeks `first` to `last`, as "v2"; more with commas, "" for none, and for groups of several skills).

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        A time, time zone or number is not understood, or `by` names ``week``.

    Notes
    -----
    The test is that of `rate_shift`; after a shift was found each side is searched again with the same level. So where
    nothing shifted no row is expected in 1 - `level` of the groups; a shift that is undone soon may stay unseen. A new
    text beside a shift is no cause.

    Examples
    --------
    >>> import pandas as pd
    >>> stamps = pd.date_range("2026-06-01", periods=90, freq="D", tz="UTC")
    >>> events = pd.DataFrame({"skill_id": "a", "session_id": [f"s{day}" for day in range(90)], "timestamp": stamps,
    ...                        "outcome": ["acceptance"] * 30 + ["correction"] * 30 + ["acceptance"] * 30})
    >>> change_points(events, as_of="2026-09-15")[["rate_before", "rate_after"]].to_numpy().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    _check_level(level)
    check_arguments(min_invocations=min_invocations, seed=seed, false_discovery_rate=false_discovery_rate)
    if "week" in by:
        raise InputError("change_points cannot be grouped by week: shifts are looked for over weeks; leave week out")
    until = as_microseconds(as_of)
    window = Window(int(mondays_until(until, weeks=weeks, time_zone=time_zone)[0]), until)
    names, every = _every_series(events, by=by, window=window, skill_id=skill_id)
    firsts = [_best_split(series, needed=min_invocations, seed=seed) for series in every]
    tested = [place for place, split in enumerate(firsts) if split is not None]
    p_values = [split.p_value for split in firsts if split is not None]
    q_values = dict(zip(tested, false_discovery_control(p_values) if p_values else [], strict=True))
    tables = [_table(names.iloc[[]], []).assign(q_value=0.0)]
    for place, split in enumerate(firsts):
        if split is None or split.p_value > level or q_values[place] > false_discovery_rate:
            continue
        splits = _all_splits(every[place], split, needed=min_invocations, level=level, seed=seed)
        rows = _rows_between(every[place], splits, needed=min_invocations, time_zone=time_zone)
        tables.append(_table(names.iloc[[place]], rows).assign(q_value=q_values[place]))
    table = pd.concat(tables[1:] or tables, ignore_index=True)
    return table.assign(versions=_versions_beside(table, events, invocations, as_of=as_of))


def _every_series(
    events: pd.DataFrame, *, by: Sequence[str], window: Window, skill_id: str | None
) -> tuple[pd.DataFrame, list[Series]]:
    """The groups by name, and the sessions of each."""
    judged = judged_events(events, keep=("session_id", *by), window=window, skill_id=skill_id)
    groups = group_rows(judged.frame, by=by, stamps=judged.stamps)
    names = groups.names.sort_values(list(by)) if by else groups.names
    return names, [_series(judged, judged.counted & (groups.codes == number)) for number in names.index]


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise InputError(f"level is {level}; a share of false alarms lies between 0 and 1")


def _best_split(series: Series, *, needed: int, seed: int) -> _Split | None:
    """The split that the outcomes fit best, None where there can be none."""
    gains = _split_gains(series, needed)
    if not np.isfinite(gains).any():
        return None
    best = int(gains.argmax())
    return _Split(best, _p_value(series, float(gains[best]), needed, seed))


def _split_gains(series: Series, needed: int) -> Floats:
    """The gain of a split before each session; none between sessions that began together."""
    gains = _gains(series.halves, series.judged, needed)
    gains[1:][series.began[1:] == series.began[:-1]] = -np.inf
    return gains


def _all_splits(series: Series, split: _Split, *, needed: int, level: float, seed: int) -> list[_Split]:
    """`split` and those found on both sides of it, in order of time."""
    found = [split]
    for start, part in ((0, _part(series, 0, split.place)), (split.place, _part(series, split.place, None))):
        inner = _best_split(part, needed=needed, seed=seed) if len(part.judged) else None
        if inner is not None and inner.p_value <= level:
            more = _all_splits(part, inner, needed=needed, level=level, seed=seed)
            found += [_Split(start + each.place, each.p_value) for each in more]
    return sorted(found)


def _part(series: Series, start: int, end: int | None) -> Series:
    return Series(*(column[start:end] for column in series))


def _rows_between(series: Series, splits: list[_Split], *, needed: int, time_zone: str) -> list[dict[str, object]]:
    """A row per split, each compared between its neighbours."""
    edges = [0, *(split.place for split in splits), len(series.judged)]
    rows = []
    for start, split, end in zip(edges, splits, edges[2:], strict=False):
        part = _part(series, start, end)
        rows.append(_row(part, _split_gains(part, needed), split.place - start, split.p_value, time_zone))
    return rows


def _versions_beside(
    table: pd.DataFrame, events: pd.DataFrame, invocations: pd.DataFrame | None, *, as_of: Moment
) -> "pd.Series[str]":
    """The texts of each row's skill that were first used in the weeks of its shift."""
    known = {"event_id", "skill_digest"} <= set(events.columns) and "skill_id" in table.columns
    if not len(table) or not known:
        return pd.Series("", index=table.index, dtype="str")
    versions = skill_versions(events, invocations=invocations, as_of=as_of)
    versions = versions[(versions["version"] != "") & versions["first_used"].notna()]
    stamps = microseconds(versions["first_used"])
    beside = []
    for name, first, last in zip(
        table["skill_id"], microseconds(table["first"]), microseconds(table["last"]), strict=True
    ):
        new = (versions["skill_id"] == name) & (stamps >= first) & (stamps < last + WEEK)
        beside.append(", ".join(versions["version"][new]))
    return pd.Series(beside, index=table.index, dtype="str")


def _series(judged: Judged, taken: Flags) -> Series:
    """The sessions of the rows `taken`; those that began together in an order of their counts."""
    # numbered anew, as a category that no event has is no session
    codes, names = pd.factorize(codes_of(judged.frame["session_id"][taken])[0])
    began = np.full(len(names), np.iinfo(np.int64).max)
    np.minimum.at(began, codes, judged.stamps[taken])
    halves = np.bincount(codes, HALVES[judged.kind[taken]], minlength=len(names)).astype("int64")
    uses = np.bincount(codes, minlength=len(names)).astype("int64")
    order = np.lexsort((uses, halves, began))
    series = Series(*(column[order] for column in (began, halves, uses, uses**2)))
    if len(order) <= BLOCKS:
        return series
    starts = np.linspace(0, len(order), BLOCKS, endpoint=False).astype("int64")
    return Series(series.began[starts], *(np.add.reduceat(column, starts) for column in series[1:]))


def _gains(halves: Integers, judged: Integers, needed: int) -> Floats:
    """The log likelihood ratio of a split before each place; -inf where a side has too few judged uses."""
    total_halves, total = halves.sum(axis=-1, keepdims=True), judged.sum(axis=-1, keepdims=True)
    before_halves, before = halves.cumsum(axis=-1) - halves, judged.cumsum(axis=-1) - judged
    after_halves, after = total_halves - before_halves, total - before
    gains = (
        _log_likelihood(before_halves, before)
        + _log_likelihood(after_halves, after)
        - _log_likelihood(total_halves, total)
    )
    return np.where(np.minimum(before, after) >= max(needed, 1), gains, -np.inf)


def _log_likelihood(halves: Integers, judged: Integers) -> Floats:
    """Of the counts at their own rate."""
    hits, misses = halves / 2, judged - halves / 2
    likelihood: Floats = xlogy(hits, hits) + xlogy(misses, misses) - xlogy(judged, judged)
    return likelihood


def _p_value(series: Series, gain: float, needed: int, seed: int) -> float:
    """How often a shuffled order has a split as good as the best of the real one."""
    places = np.tile(np.arange(len(series.judged)), (SHUFFLES, 1))
    orders = np.random.default_rng(seed).permuted(places, axis=1)
    greatest = _gains(series.halves[orders], series.judged[orders], needed).max(axis=1)
    return (1 + int((greatest >= gain - 1e-9).sum())) / (SHUFFLES + 1)


def _row(series: Series, gains: Floats, best: int, p_value: float, time_zone: str) -> dict[str, object]:
    before, after = slice(None, best), slice(best, None)
    first, last = shift_range(series, gains=gains, best=best, holds=RANGE)
    mondays = week_starts(series.began[[best, first, last]], time_zone=time_zone)
    return {
        "at": series.began[best],
        **dict(zip(("week", "first", "last"), mondays, strict=True)),
        "rate_before": series.halves[before].sum() / (2 * series.judged[before].sum()),
        "rate_after": series.halves[after].sum() / (2 * series.judged[after].sum()),
        "sample_before": series.judged[before].sum(),
        "sample_after": series.judged[after].sum(),
        "p_value": p_value,
    }


def _table(names: pd.DataFrame, rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """One row for each of `rows`, all of the group that the one row of `names` is."""
    moments, numbers = ("at", "week", "first", "last"), ("rate_before", "rate_after")
    samples = ("sample_before", "sample_after")
    group = names.iloc[np.zeros(len(rows), dtype="int64")].reset_index(drop=True)
    return group.assign(
        **{name: as_timestamps(np.array([row[name] for row in rows], dtype="int64")) for name in moments},
        **{name: np.array([row[name] for row in rows], dtype="float64") for name in numbers},
        **{name: np.array([row[name] for row in rows], dtype="int64") for name in samples},
        p_value=np.array([row["p_value"] for row in rows], dtype="float64"),
    )
