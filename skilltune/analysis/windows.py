"""Moments and half-open windows as whole microseconds, in one zone: aware UTC."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from numbers import Number
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.arguments import shown
from skilltune.errors import FrameError, InputError
from skilltune.limits import FIRST_YEAR, LAST_YEAR

__all__ = [
    "DAY",
    "MISSING",
    "Moment",
    "Window",
    "as_microseconds",
    "as_timestamps",
    "days_before",
    "microseconds",
    "window_of",
]

Moment = datetime | str
"""A point in time: aware or naive (then UTC) datetime, Timestamp, or ISO 8601 text."""

MISSING: Final = int(np.iinfo(np.int64).min)
"""What stands for a missing timestamp among microseconds."""

DAY: Final = 86_400_000_000
"""Microseconds of a day."""

_END: Final = int(np.datetime64(f"{LAST_YEAR + 1}", "us").astype("int64"))
"""The first microsecond after the last year that moments may have."""
_WRITTEN: Final = "write it as 2026-11-30 or 2026-11-30T18:00:00Z"


@dataclass(frozen=True, slots=True)
class Window:
    """The half-open span [since, until) in microseconds; an open end is None."""

    since: int | None
    until: int | None

    def holds(self, stamps: NDArray[np.int64]) -> NDArray[np.bool_]:
        """True where a stamp lies inside; a missing stamp lies only in a window without a beginning."""
        inside = np.ones(len(stamps), dtype=bool)
        if self.since is not None:
            inside &= stamps >= max(self.since, MISSING + 1)
        if self.until is not None:
            inside &= stamps < self.until
        return inside


def days_before(as_of: Moment, *, days: int) -> int:
    """The moment `days` times 24 hours before `as_of`, in microseconds; none is before 1970."""
    if days < 1:
        raise InputError(f"days is {days}; a window is at least 1 day long")
    return max(as_microseconds(as_of) - int(days) * DAY, 0)


def window_of(*, since: Moment | None, as_of: Moment | None) -> Window:
    """The window [since, as_of); None leaves an end open.

    Raises
    ------
    InputError
        One is no point in time, or `since` is the later one.
    """
    begin = None if since is None else max(_moment(since, name="since"), 0)
    end = None if as_of is None else as_microseconds(as_of)
    if begin is not None and end is not None and begin > end:
        raise InputError(f"since is {since}, after as_of, which is {as_of}; name an earlier one, or a later as_of")
    return Window(begin, end)


def as_microseconds(moment: Moment) -> int:
    """`moment`, an `as_of`, as microseconds since 1970 in UTC; without a zone it is UTC.

    Raises
    ------
    InputError
        It is no point in time, or none of the years that moments may have.
    """
    found = _moment(moment, name="as_of")
    if not 0 <= found < _END:
        raise InputError(f"as_of is {moment}; it must be from {FIRST_YEAR}-01-01 to {LAST_YEAR}-12-31: {_WRITTEN}")
    return found


def microseconds(stamps: "pd.Series[pd.Timestamp]") -> NDArray[np.int64]:
    """A column of times (or of ISO 8601 text) as microseconds in UTC; ``MISSING`` where there is none.

    One that no clock of today gives, in a year before 1970 or after 9990, counts as missing: weeks and windows around
    it are not on the calendar.

    Raises
    ------
    FrameError
        The column holds something else.
    """
    try:
        if not pd.api.types.is_datetime64_any_dtype(stamps.dtype):
            stamps = pd.to_datetime(stamps, utc=True, format="ISO8601")
        moments = pd.DatetimeIndex(stamps)
        found = (moments if moments.unit == "us" else moments.as_unit("us")).asi8
    except (ValueError, TypeError, OverflowError) as error:
        reason = " ".join(str(error).split())[:100].partition(". ")[0]
        raise FrameError(
            f"column 'timestamp' holds what is no time ({reason}); make it with pandas.to_datetime"
        ) from error
    # as numbers without a sign those before 1970 are larger than any: one look at the column is enough
    unsigned = found.view("uint64")
    if not len(found) or unsigned.max() < _END:
        return found
    return np.where(unsigned < _END, found, MISSING)


def as_timestamps(stamps: Sequence[int] | NDArray[np.int64]) -> pd.DatetimeIndex:
    """Microseconds as aware UTC timestamps; ``MISSING`` becomes NaT."""
    return pd.DatetimeIndex(np.asarray(stamps, dtype="int64").view("datetime64[us]"), tz="UTC")


def _moment(moment: Moment, *, name: str) -> int:
    """The microseconds of a moment in any year."""
    if isinstance(moment, Number):
        # it would be taken for nanoseconds
        raise InputError(f"{name} is {shown(moment)}, a number; {_WRITTEN}")
    try:
        stamp = pd.Timestamp(moment)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{name} is {shown(moment)}, no point in time; {_WRITTEN}") from error
    if pd.isna(stamp):
        raise InputError(f"{name} is a missing time; {_WRITTEN}")
    aware = stamp.tz_localize("UTC") if stamp.tzinfo is None else stamp
    return int(pd.DatetimeIndex([aware]).as_unit("us").asi8[0])
