"""When and how often skills are used, and in which versions."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.arguments import check_arguments
from skilltune.analysis.counts import codes_of
from skilltune.analysis.uses import every_use
from skilltune.analysis.weeks import week_starts
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
from skilltune.frames import check_frame
from skilltune.limits import TREND_DAYS
from skilltune.records import FeedbackEvent

__all__ = ["skill_usage", "skill_versions"]

LATEST: Final = int(np.iinfo(np.int64).max)


def skill_usage(
    events: pd.DataFrame,
    *,
    as_of: Moment,
    invocations: pd.DataFrame | None = None,
    days: int = TREND_DAYS,
    time_zone: str = "UTC",
) -> pd.DataFrame:
    """When each skill was first and last used, and how often lately.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs event_id, skill_id and timestamp.
    as_of : time
        End of time; later uses do not exist.
    invocations : DataFrame, optional
        All uses; without it only those that gave an event are known.
    days : int, default 30
        Length of the window of `uses_in_window`.
    time_zone : str, default "UTC"
        Where the week begins on Monday at midnight.

    Returns
    -------
    DataFrame
        One row per skill, by name: skill_id; first_used, last_used (missing where no use is dated); uses (all before
        `as_of`, undated ones too); uses_in_window ([as_of - days, as_of)); uses_in_week (the ISO week that holds the
        moment before `as_of`); first_in_week (whether the first use ever is in that week); days_unused (whole days
        from the last use to `as_of`, missing where none is dated).

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.
    InputError
        A time, time zone or number is not understood.

    Examples
    --------
    >>> import pandas as pd
    >>> events = pd.DataFrame({"event_id": ["1", "2"], "skill_id": ["a", "b"], "outcome": "acceptance",
    ...                        "timestamp": pd.to_datetime(["2026-10-14", "2026-11-25"], utc=True)})
    >>> skill_usage(events, as_of="2026-11-30")[["skill_id", "uses_in_week", "first_in_week", "days_unused"]]
      skill_id  uses_in_week  first_in_week  days_unused
    0        a             0          False           47
    1        b             1           True            5
    """
    check_arguments(days=days)
    until, start = as_microseconds(as_of), days_before(as_of, days=days)
    monday = week_starts(np.array([until - 1]), time_zone=time_zone)[0]
    uses = _all_uses(events, invocations, keep=("skill_id",), until=until)
    stamps = microseconds(uses["timestamp"])
    codes, skills = codes_of(uses["skill_id"])
    first, last = _first_and_last(codes, stamps, len(skills))
    table = pd.DataFrame(
        {
            "skill_id": pd.Series(skills, dtype="str"),
            "first_used": as_timestamps(first),
            "last_used": as_timestamps(last),
            "uses": np.bincount(codes, minlength=len(skills)),
            "uses_in_window": np.bincount(codes[stamps >= start], minlength=len(skills)),
            "uses_in_week": np.bincount(codes[stamps >= monday], minlength=len(skills)),
            "first_in_week": first >= monday,
            "days_unused": pd.array((until - last) // DAY, dtype="Int64"),
        }
    )
    table.loc[last == MISSING, "days_unused"] = pd.NA
    return table[table["uses"] > 0].sort_values("skill_id", ignore_index=True)


def skill_versions(
    events: pd.DataFrame,
    *,
    invocations: pd.DataFrame | None = None,
    as_of: Moment | None = None,
    skill_id: str | None = None,
) -> pd.DataFrame:
    """The versions of each skill in the order of their first use: v1, v2, …

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs event_id, skill_id, timestamp and skill_digest.
    invocations : DataFrame, optional
        All uses; without it only those that gave an event are known.
    as_of : time, optional
        Later uses do not exist.
    skill_id : str, optional
        Only this skill.

    Returns
    -------
    DataFrame
        One row per skill and digest of its text, by name and first use: skill_id, skill_digest, version (v1, v2, …),
        first_used, last_used (missing where no use is dated), n (uses). Uses whose text is not known come last, with
        skill_digest and version "".

    Raises
    ------
    FrameError
        A needed column is missing, or holds an unknown word.

    Notes
    -----
    A text that comes back after another keeps its first number. Only versions that were used are known.

    Examples
    --------
    >>> import pandas as pd
    >>> events = pd.DataFrame({"event_id": ["1", "2"], "skill_id": "a", "outcome": "acceptance",
    ...                        "timestamp": pd.to_datetime(["2026-11-02", "2026-10-05"], utc=True),
    ...                        "skill_digest": ["9f", "3c"]})
    >>> skill_versions(events)[["skill_digest", "version"]].to_numpy().tolist()
    [['3c', 'v1'], ['9f', 'v2']]
    """
    until = None if as_of is None else as_microseconds(as_of)
    uses = _all_uses(events, invocations, keep=("skill_id", "skill_digest"), until=until)
    if skill_id is not None:
        uses = uses[uses["skill_id"] == skill_id]
    uses = uses.astype({"skill_id": "str", "skill_digest": "str"}).fillna({"skill_digest": ""})
    spans = uses.groupby(["skill_id", "skill_digest"])["timestamp"].agg(first_used="min", last_used="max", n="size")
    table = spans.reset_index()
    table = table.assign(nameless=table["skill_digest"] == "").sort_values(
        ["skill_id", "nameless", "first_used", "skill_digest"], na_position="last", ignore_index=True
    )
    number = table.groupby("skill_id").cumcount() + 1
    version = ("v" + number.astype("str")).mask(table["nameless"], "")
    table = table.assign(version=version.astype("str"))
    return table[["skill_id", "skill_digest", "version", "first_used", "last_used", "n"]]


def _all_uses(
    events: pd.DataFrame, invocations: pd.DataFrame | None, *, keep: Sequence[str], until: int | None
) -> pd.DataFrame:
    """Every use before `until` once, with its timestamp in UTC; undated ones too."""
    check_frame(events, FeedbackEvent, needs=keep)
    uses = every_use(events, invocations, keep=keep)
    uses = uses[Window(None, until).holds(microseconds(uses["timestamp"]))]
    return uses.reset_index(drop=True)


def _first_and_last(
    codes: NDArray[np.integer], stamps: NDArray[np.int64], groups: int
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    first, last = np.full(groups, LATEST), np.full(groups, MISSING)
    dated = stamps != MISSING
    np.minimum.at(first, codes[dated], stamps[dated])
    np.maximum.at(last, codes[dated], stamps[dated])
    return np.where(last == MISSING, MISSING, first), last
