"""Metrics of feedback events: a table of events in, a table of metrics out, one row per group.

A metric is found by its name in ``__all__``. All of them count in integers, treat ``as_of`` as the end of time, and
give an empty table with the same columns for no events.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, TypedDict, Unpack, get_args, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.arguments import check_arguments
from skilltune.analysis.bootstrap import session_bootstrap
from skilltune.analysis.counts import (
    OUTCOMES,
    Groups,
    Judged,
    codes_of,
    count_kinds,
    group_rows,
    judged_events,
    outcome_counts,
)
from skilltune.analysis.intervals import score_interval
from skilltune.analysis.rows import as_row, with_skills, worst_first
from skilltune.analysis.uses import uses_without_event
from skilltune.analysis.windows import MISSING, Moment, microseconds, window_of
from skilltune.errors import InputError
from skilltune.limits import MIN_INVOCATIONS, WINDOW_TURNS
from skilltune.records import Dimension

__all__ = ["correction_rate", "hotspot_dimensions", "turns_to_feedback"]

IntervalMethod = Literal["score", "session_bootstrap"]
DIMENSIONS: Final = get_args(Dimension)


class RateOptions(TypedDict, total=False):
    """The keyword arguments that all forms of `correction_rate` share."""

    invocations: pd.DataFrame | None
    as_of: Moment | None
    since: Moment | None
    min_invocations: int
    implicit: bool
    attribution: Sequence[str] | None
    time_zone: str
    interval: IntervalMethod
    seed: int


@overload
def correction_rate(events: pd.DataFrame, *, by: None = None, **options: Unpack[RateOptions]) -> pd.DataFrame: ...
@overload
def correction_rate(
    events: pd.DataFrame, *, by: Sequence[str], skill_id: str | None = None, **options: Unpack[RateOptions]
) -> pd.DataFrame: ...
@overload
def correction_rate(
    events: pd.DataFrame, *, skill_id: str, by: None = None, **options: Unpack[RateOptions]
) -> "pd.Series[Any]": ...
def correction_rate(
    events: pd.DataFrame,
    *,
    skill_id: str | None = None,
    by: Sequence[str] | None = None,
    invocations: pd.DataFrame | None = None,
    as_of: Moment | None = None,
    since: Moment | None = None,
    min_invocations: int = MIN_INVOCATIONS,
    implicit: bool = True,
    attribution: Sequence[str] | None = None,
    time_zone: str = "UTC",
    interval: IntervalMethod = "score",
    seed: int = 0,
) -> "pd.DataFrame | pd.Series[Any]":
    """How often each skill's work is corrected, and how sure that is.

    Parameters
    ----------
    events : DataFrame
        Feedback events, as from ``mine`` or ``read_events``; needs skill_id, outcome and timestamp.
    skill_id : str, optional
        Only this skill. Without `by` the result is its one row, as a Series.
    by : sequence of str, default ("skill_id",)
        Columns to group by, in any crossing (skill_digest, agent, model, project, …), and ``week``: the ISO week in
        `time_zone`. ``()`` gives one row for all.
    invocations : DataFrame, optional
        All uses; without it, or where it lacks a column of `by`, n_invocations and coverage are missing.
    as_of, since : time, optional
        Only events in [since, as_of). Without `since`, undated events count too.
    min_invocations : int, default 5
        Judged uses from which on a rate is called sufficient.
    implicit : bool, default True
        Whether moving on without a complaint counts as acceptance.
    attribution : sequence of str, optional
        Only events of these attributions, such as ``("direct", "likely")``; default: every event.
    time_zone : str, default "UTC"
        Where weeks begin at midnight.
    interval : {"score", "session_bootstrap"}
        How low and high are found; see Notes.
    seed : int, default 0
        Of the bootstrap's draws.

    Returns
    -------
    DataFrame
        One row per group, worst rate first, then by name: the columns of `by`; correction_rate (0 to 1, missing
        without a judged use); corrections, partials, acceptances, of which implicit_acceptances; sample_size (judged
        uses); n_invocations; coverage (sample_size / n_invocations); low, high (95 % interval); interval_method;
        sessions, few_sessions (fewer than 20, so that the interval itself is unsure; only with the bootstrap);
        sufficient_data; weak (how many counted events have a weak attribution);
        undated (events without a timestamp). With `skill_id` and no `by`: a Series of plain Python values, missing
        ones None, so that ``.to_dict()`` is ready for JSON.

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        A time, time zone or interval is not understood.

    Notes
    -----
    Rate = (corrections + ½ partials) / (corrections + partials + acceptances). ``score`` is the score interval for
    weights 0, ½, 1 (`skilltune.analysis.intervals`), Wilson's where there are no partials; it takes events as
    independent. ``session_bootstrap`` draws whole sessions (`skilltune.analysis.bootstrap`).

    Examples
    --------
    >>> import pandas as pd
    >>> outcomes = ["correction"] * 6 + ["partial"] * 4 + ["acceptance"] * 10
    >>> events = pd.DataFrame({"skill_id": "cpp-expert", "outcome": outcomes, "timestamp": pd.NaT})
    >>> correction_rate(events)[["skill_id", "correction_rate", "sample_size"]]
         skill_id  correction_rate  sample_size
    0  cpp-expert              0.4           20
    >>> correction_rate(events, skill_id="cpp-expert").to_dict()["correction_rate"]
    0.4
    """
    if interval not in get_args(IntervalMethod):
        raise InputError(f"interval is {interval!r}; choose {' or '.join(get_args(IntervalMethod))}")
    check_arguments(min_invocations=min_invocations, seed=seed)
    names = ("skill_id",) if by is None else tuple(by)
    window = window_of(since=since, as_of=as_of)
    keep = (*names, "session_id") if interval == "session_bootstrap" else names
    judged = judged_events(
        events, keep=keep, window=window, skill_id=skill_id, attribution=attribution, implicit=implicit
    )
    others = None
    if invocations is not None and all(name == "week" or name in invocations.columns for name in names):
        others = uses_without_event(invocations, events=events, keep=names, window=window, skill_id=skill_id)
    groups = _groups(judged, others, names, time_zone)
    kinds = count_kinds(groups, judged.kind)[:, 0]
    uses = None if others is None else groups.all_rows()
    if uses is not None and window.since is not None:
        uses = uses - groups.count(judged.stamps == MISSING)
    table = _rate_table(kinds, groups.names, min_invocations, uses=uses).assign(
        implicit_acceptances=groups.count(judged.implicit),
        weak=groups.count(judged.weak),
        undated=groups.count(judged.stamps == MISSING),
    )
    if interval == "session_bootstrap":
        table = table.assign(**session_bootstrap(judged, groups, outcome_counts(kinds), seed=seed))
    if skill_id is not None and by is None:
        return as_row(with_skills(table, [skill_id], interval_method=interval))
    return worst_first(table, rate="correction_rate", names=names)


class CountOptions(TypedDict, total=False):
    """The keyword arguments that all forms of `hotspot_dimensions` share."""

    as_of: Moment | None
    since: Moment | None
    attribution: Sequence[str] | None
    time_zone: str


@overload
def hotspot_dimensions(events: pd.DataFrame, *, by: None = None, **options: Unpack[CountOptions]) -> pd.DataFrame: ...
@overload
def hotspot_dimensions(
    events: pd.DataFrame, *, by: Sequence[str], skill_id: str | None = None, **options: Unpack[CountOptions]
) -> pd.DataFrame: ...
@overload
def hotspot_dimensions(
    events: pd.DataFrame, *, skill_id: str, by: None = None, **options: Unpack[CountOptions]
) -> "pd.Series[int]": ...
def hotspot_dimensions(
    events: pd.DataFrame,
    *,
    skill_id: str | None = None,
    by: Sequence[str] | None = None,
    as_of: Moment | None = None,
    since: Moment | None = None,
    attribution: Sequence[str] | None = None,
    time_zone: str = "UTC",
) -> "pd.DataFrame | pd.Series[int]":
    """What was wrong: corrections and partials by dimension.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs skill_id, outcome, timestamp and dimension_hint.
    skill_id : str, optional
        Only this skill. Without `by` the result is a Series, dimension → complaints.
    by : sequence of str, default ("skill_id",)
        As in `correction_rate`.
    as_of, since : time, optional
        Only events in [since, as_of).
    attribution : sequence of str, optional
        Only events of these attributions.
    time_zone : str, default "UTC"
        Where weeks begin at midnight.

    Returns
    -------
    DataFrame
        One row per group and dimension, all seven of them, `unknown` too: the columns of `by`, dimension, complaints
        and share (of the group's complaints, 0 to 1; missing where there are none). Groups by name, dimensions in
        the order of the vocabulary. With `skill_id` and no `by`: a Series of the dimensions that occur, most first.

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.

    Examples
    --------
    >>> import pandas as pd
    >>> events = pd.DataFrame({"skill_id": "cpp-expert", "outcome": ["correction", "partial", "acceptance"],
    ...                        "timestamp": pd.NaT, "dimension_hint": ["accuracy", None, None]})
    >>> hotspot_dimensions(events, skill_id="cpp-expert").to_dict()
    {'accuracy': 1, 'unknown': 1}
    """
    names = ("skill_id",) if by is None else tuple(by)
    judged = judged_events(
        events,
        keep=(*names, "dimension_hint"),
        window=window_of(since=since, as_of=as_of),
        skill_id=skill_id,
        attribution=attribution,
    )
    groups = group_rows(judged.frame, by=names, stamps=judged.stamps, time_zone=time_zone)
    complaint = judged.counted & (judged.kind < OUTCOMES.index("acceptance"))
    table = _spread(groups, _dimension_codes(judged.frame), complaint, DIMENSIONS, name="dimension")
    counts = table.rename(columns={"n": "complaints"}).astype({"dimension": pd.CategoricalDtype(list(DIMENSIONS))})
    if skill_id is not None and by is None:
        seen = counts[counts["complaints"] > 0].sort_values(["complaints", "dimension"], ascending=[False, True])
        return seen.astype({"dimension": "str"}).set_index("dimension")["complaints"]
    return counts


def turns_to_feedback(
    events: pd.DataFrame,
    *,
    by: Sequence[str] = ("skill_id",),
    skill_id: str | None = None,
    as_of: Moment | None = None,
    since: Moment | None = None,
    time_zone: str = "UTC",
) -> pd.DataFrame:
    """After how many human turns the verdict fell.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs skill_id, outcome, timestamp and turns_to_feedback.
    by, skill_id, as_of, since, time_zone
        As in `correction_rate`.

    Returns
    -------
    DataFrame
        One row per group and number of turns, 1 to 3 and what else occurs: the columns of `by`, turns, n and share
        (of the group's events). Groups by name.

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.

    Examples
    --------
    >>> import pandas as pd
    >>> events = pd.DataFrame({"skill_id": "a", "outcome": "acceptance", "timestamp": pd.NaT,
    ...                        "turns_to_feedback": [1, 1, 2]})
    >>> turns_to_feedback(events)["n"].tolist()
    [2, 1, 0]
    """
    window = window_of(since=since, as_of=as_of)
    judged = judged_events(events, keep=(*by, "turns_to_feedback"), window=window, skill_id=skill_id)
    groups = group_rows(judged.frame, by=by, stamps=judged.stamps, time_zone=time_zone)
    turns = judged.frame["turns_to_feedback"].to_numpy(dtype="int64")
    possible = sorted({*range(1, WINDOW_TURNS + 1), *np.unique(turns).tolist()})
    return _spread(groups, np.searchsorted(possible, turns), judged.counted, possible, name="turns")


def _groups(judged: Judged, others: pd.DataFrame | None, names: Sequence[str], time_zone: str) -> Groups:
    """Groups of the judged rows, followed by the uses that have no event."""
    if others is None:
        return group_rows(judged.frame, by=names, stamps=judged.stamps, time_zone=time_zone)
    frame = pd.concat([judged.frame, others], ignore_index=True)
    stamps = np.concatenate([judged.stamps, microseconds(others["timestamp"])])
    return group_rows(frame, by=names, stamps=stamps, time_zone=time_zone)


def _rate_table(
    kinds: NDArray[np.int64], names: pd.DataFrame, min_invocations: int, *, uses: NDArray[np.int64] | None
) -> pd.DataFrame:
    counts = outcome_counts(kinds)
    low, high = score_interval(counts)
    missing = pd.array([pd.NA] * len(names), dtype="Int64")
    return names.assign(
        correction_rate=counts.rate,
        corrections=counts.corrections,
        partials=counts.partials,
        acceptances=counts.acceptances,
        implicit_acceptances=0,
        sample_size=counts.judged,
        n_invocations=missing if uses is None else pd.array(uses, dtype="Int64"),
        coverage=np.nan if uses is None else _share(counts.judged, uses),
        low=low,
        high=high,
        interval_method=pd.Series("score", index=names.index, dtype="str"),
        sessions=missing,
        few_sessions=False,
        sufficient_data=counts.judged >= min_invocations,
    )


def _share(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    """A share of the whole, missing where there is no whole."""
    shares: NDArray[np.float64] = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return shares


def _dimension_codes(frame: pd.DataFrame) -> NDArray[np.int8]:
    """Place of each row's dimension in the vocabulary; a missing one is unknown."""
    codes, words = codes_of(frame["dimension_hint"])
    unknown = DIMENSIONS.index("unknown")
    places = [DIMENSIONS.index(word) if word in DIMENSIONS else unknown for word in words]
    dimensions: NDArray[np.int8] = np.array([*places, unknown], dtype="int8")[codes]
    return dimensions


def _spread(
    groups: Groups, place: NDArray[np.integer], taken: NDArray[np.bool_], words: Sequence[Any], *, name: str
) -> pd.DataFrame:
    """One row per group and word with its count and share; groups by name."""
    by = list(groups.names.columns)
    order = groups.names.sort_values(by).index if by else groups.names.index
    # one bin more takes what is left out: cheaper than picking rows
    size = len(words) + 1
    cells = np.bincount(groups.codes * size + np.where(taken, place, len(words)), minlength=len(groups) * size)
    counts = cells.reshape(len(groups), size)[order, :-1].astype("int64")
    shares = _share(counts, np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape))
    table = groups.names.loc[order.repeat(len(words))].reset_index(drop=True)
    columns_of_words = {name: pd.Series([*words] * len(groups), dtype=pd.Series(words).dtype)}
    return table.assign(**columns_of_words, n=counts.ravel(), share=shares.ravel())
