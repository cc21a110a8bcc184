"""Whether a skill's rate has settled: three windows in a row that hardly differ."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, TypedDict, Unpack, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.arguments import check_arguments
from skilltune.analysis.counts import OUTCOMES, count_kinds, group_rows, judged_events, outcome_counts
from skilltune.analysis.intervals import Counts
from skilltune.analysis.rows import as_row
from skilltune.analysis.windows import Moment, Window, as_microseconds, days_before
from skilltune.limits import MIN_INVOCATIONS, TREND_DAYS, TREND_STABLE

__all__ = ["correction_convergence"]

WINDOWS: Final = ("now", "before", "earlier")
LARGEST_STEP: Final = Fraction(str(TREND_STABLE))


class ConvergenceOptions(TypedDict, total=False):
    """The keyword arguments that all forms of `correction_convergence` share."""

    days: int
    min_invocations: int
    implicit: bool
    attribution: Sequence[str] | None


@overload
def correction_convergence(
    events: pd.DataFrame, *, as_of: Moment, by: None = None, **options: Unpack[ConvergenceOptions]
) -> pd.DataFrame: ...
@overload
def correction_convergence(
    events: pd.DataFrame,
    *,
    as_of: Moment,
    by: Sequence[str],
    skill_id: str | None = None,
    **options: Unpack[ConvergenceOptions],
) -> pd.DataFrame: ...
@overload
def correction_convergence(
    events: pd.DataFrame, *, as_of: Moment, skill_id: str, by: None = None, **options: Unpack[ConvergenceOptions]
) -> "pd.Series[Any]": ...
def correction_convergence(
    events: pd.DataFrame,
    *,
    as_of: Moment,
    days: int = TREND_DAYS,
    skill_id: str | None = None,
    by: Sequence[str] | None = None,
    min_invocations: int = MIN_INVOCATIONS,
    implicit: bool = True,
    attribution: Sequence[str] | None = None,
) -> "pd.DataFrame | pd.Series[Any]":
    """Whether each skill's rate has settled, so that further changes to its text have nothing to show for.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs skill_id, outcome and timestamp.
    as_of : time
        End of the last window; later events do not exist.
    days : int, default 30
        Length of each of the three windows.
    skill_id : str, optional
        Only this skill. Without `by` the result is its one row, as a Series of plain values.
    by : sequence of str, default ("skill_id",)
        Columns to group by.
    min_invocations : int, default 5
        Judged uses that each window needs.
    implicit, attribution
        As in `correction_rate`.

    Returns
    -------
    DataFrame
        One row per group with an event in the windows, by name: the columns of `by`; converged (both steps between
        the three windows are at most 0.05, either way); sufficient_data (all three have enough); rate_now,
        rate_before, rate_earlier (missing without a judged use); sample_now, sample_before, sample_earlier.

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        A time or the number of days is not understood.

    Notes
    -----
    Steps are compared with 0.05 as integers. A settled rate may still be a bad one.

    Examples
    --------
    >>> import pandas as pd
    >>> stamps = pd.to_datetime(["2026-09-15", "2026-10-15", "2026-11-15"], utc=True)
    >>> events = pd.DataFrame({"skill_id": "a", "timestamp": stamps.repeat(20),
    ...                        "outcome": (["correction"] * 8 + ["acceptance"] * 12) * 3})
    >>> correction_convergence(events, as_of="2026-11-30", skill_id="a")["converged"]
    True
    """
    check_arguments(days=days, min_invocations=min_invocations)
    names = ("skill_id",) if by is None else tuple(by)
    starts = np.array([days_before(as_of, days=days * count) for count in (1, 2, 3)])
    judged = judged_events(
        events,
        keep=names,
        window=Window(int(starts[-1]), as_microseconds(as_of)),
        skill_id=skill_id,
        attribution=attribution,
        implicit=implicit,
    )
    groups = group_rows(judged.frame, by=names, stamps=judged.stamps)
    bins = (judged.stamps[:, None] < starts[:-1]).sum(axis=1)
    cells, known = count_kinds(groups, judged.kind, bins=bins, size=3), groups.names
    if skill_id is not None and by is None and not len(groups):
        known, cells = pd.DataFrame({"skill_id": [skill_id]}), np.zeros((1, 3, len(OUTCOMES)), dtype="int64")
    windows = [outcome_counts(cells[:, place]) for place in range(3)]
    sufficient = np.minimum.reduce([window.judged for window in windows]) >= min_invocations
    table = known.assign(
        converged=sufficient & _small_step(*windows[:2]) & _small_step(*windows[1:]),
        sufficient_data=sufficient,
        **{f"rate_{name}": window.rate for name, window in zip(WINDOWS, windows, strict=True)},
        **{f"sample_{name}": window.judged for name, window in zip(WINDOWS, windows, strict=True)},
    )
    if skill_id is not None and by is None:
        return as_row(table)
    return table.sort_values(list(names), ignore_index=True) if names else table


def _small_step(later: Counts, sooner: Counts) -> NDArray[np.bool_]:
    """Whether two rates differ by no more than the largest step, by integers."""
    step = np.abs(later.halves * sooner.judged - sooner.halves * later.judged)
    small: NDArray[np.bool_] = step * LARGEST_STEP.denominator <= (
        2 * LARGEST_STEP.numerator * later.judged * sooner.judged
    )
    return small
