"""What became of uses: every outcome's count and share, by week or any other crossing."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.counts import OUTCOMES, group_rows, judged_events
from skilltune.analysis.uses import uses_without_event
from skilltune.analysis.windows import Moment, microseconds, window_of

__all__ = ["MIX", "outcome_mix"]

MIX: Final = (*OUTCOMES, "moved_on", "not_judged")
"""What a use can come to; here ``acceptance`` is one in words or by a click, ``moved_on`` one by other work."""


def outcome_mix(
    events: pd.DataFrame,
    *,
    by: Sequence[str] = ("skill_id", "week"),
    skill_id: str | None = None,
    invocations: pd.DataFrame | None = None,
    as_of: Moment | None = None,
    since: Moment | None = None,
    attribution: Sequence[str] | None = None,
    time_zone: str = "UTC",
) -> pd.DataFrame:
    """What became of uses, week by week: corrected, partly, accepted, moved on from, not judged.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs skill_id, outcome and timestamp. Without the column rule every acceptance counts as one
        in words.
    by : sequence of str, default ("skill_id", "week")
        Columns to group by, in any crossing, and ``week``: the ISO week in `time_zone`. ``()`` is one group of all.
    skill_id : str, optional
        Only this skill.
    invocations : DataFrame, optional
        All uses; without it, or where it lacks a column of `by`, nothing is known of uses that were not judged.
    as_of, since : time, optional
        Only events and uses in [since, as_of). Without `since`, undated ones count too, in a week that is missing.
    attribution : sequence of str, optional
        Only events of these attributions, such as ``("direct", "likely")``; default: every event.
    time_zone : str, default "UTC"
        Where weeks begin on Monday at midnight.

    Returns
    -------
    DataFrame
        One row per group and outcome, groups by name and time, outcomes in the order correction, partial, acceptance
        (in words or by a click), moved_on (accepted by going on to other work), not_judged: the columns of `by`,
        outcome, n (missing for not_judged where nothing is known of them), share (of the group's uses, 0 to 1; of its
        judged ones where that is not known) and sample_size (the group's judged uses).

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        A time or time zone is not understood.

    Notes
    -----
    Only whole groups that have a use are listed: a week without one has no row.

    Examples
    --------
    >>> import pandas as pd
    >>> events = pd.DataFrame({"skill_id": "a", "timestamp": pd.Timestamp("2026-11-20"),
    ...                        "outcome": ["correction", "acceptance", "acceptance", "acceptance"],
    ...                        "rule": ["en.reject", "en.thanks", "implicit.next", "implicit.next"]})
    >>> outcome_mix(events, by=("skill_id",))[["outcome", "n", "share"]].head(4).to_numpy().tolist()
    [['correction', 1, 0.25], ['partial', 0, 0.0], ['acceptance', 1, 0.25], ['moved_on', 2, 0.5]]
    """
    names = tuple(by)
    window = window_of(since=since, as_of=as_of)
    judged = judged_events(events, keep=names, window=window, skill_id=skill_id, attribution=attribution)
    place = np.where(judged.implicit, MIX.index("moved_on"), judged.kind)[judged.counted]
    frame, stamps = judged.frame[judged.counted], judged.stamps[judged.counted]
    told = invocations is not None and all(name == "week" or name in invocations.columns for name in names)
    if told and invocations is not None:
        others = uses_without_event(invocations, events=events, keep=names, window=window, skill_id=skill_id)
        frame = pd.concat([frame, others], ignore_index=True)
        stamps = np.concatenate([stamps, microseconds(others["timestamp"])])
        place = np.concatenate([place, np.full(len(others), MIX.index("not_judged"))])
    groups = group_rows(frame, by=names, stamps=stamps, time_zone=time_zone)
    cells = np.bincount(groups.codes * len(MIX) + place, minlength=len(groups) * len(MIX))
    return _table(groups.names, cells.reshape(len(groups), len(MIX)).astype("int64"), told=told)


def _table(names: pd.DataFrame, counts: NDArray[np.int64], *, told: bool) -> pd.DataFrame:
    by = list(names.columns)
    order = names.sort_values(by).index if by else names.index
    counts = counts[order]
    whole, judged = counts.sum(axis=1, keepdims=True), counts[:, :-1].sum(axis=1)
    unknown = np.zeros(counts.shape, dtype=bool)
    unknown[:, -1] = not told
    shares = np.divide(counts, whole, out=np.full(counts.shape, np.nan), where=(whole > 0) & ~unknown)
    table = names.loc[order.repeat(len(MIX))].reset_index(drop=True)
    return table.assign(
        outcome=pd.Categorical([*MIX] * len(counts), categories=list(MIX)),
        n=pd.arrays.IntegerArray(counts.ravel(), unknown.ravel()),
        share=shares.ravel(),
        sample_size=judged.repeat(len(MIX)),
    )
