"""Moments and half-open windows as whole microseconds, in one zone: aware UTC."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.errors import InputError

__all__ = ["DAY", "MISSING", "Moment", "Window", "as_microseconds", "as_timestamps", "days_before", "microseconds"]

Moment = datetime | str
"""A point in time: aware or naive (then UTC) datetime, Timestamp, or ISO 8601 text."""

MISSING: Final = int(np.iinfo(np.int64).min)
"""What stands for a missing timestamp among microseconds."""

DAY: Final = 86_400_000_000
"""Microseconds of a day."""


@dataclass(frozen=True, slots=True)
class Window:
    """The half-open span [since, until) in microseconds; an open end is None."""

    since: int | None
    until: int | None

    def holds(self, stamps: NDArray[np.int64]) -> NDArray[np.bool_]:
        """True where a stamp lies inside; a missing stamp lies only in a window without a beginning."""
        inside = np.ones(len(stamps), dtype=bool)
        if self.since is not None:
            inside &= stamps >= self.since
        if self.until is not None:
            inside &= stamps < self.until
        return inside


def days_before(as_of: Moment, *, days: int) -> int:
    """The moment `days` times 24 hours before `as_of`, in microseconds."""
    if days < 1:
        raise InputError(f"days is {days}; a window is at least 1 day long")
    return as_microseconds(as_of) - days * DAY


def as_microseconds(moment: Moment) -> int:
    """`moment` as microseconds since 1970 in UTC; without a zone it is UTC."""
    try:
        stamp = pd.Timestamp(moment)
    except ValueError as error:
        raise InputError(f"{moment!r} is no point in time; write it as 2026-11-30 or 2026-11-30T18:00:00Z") from error
    if pd.isna(stamp):
        raise InputError("as_of is a missing time; write it as 2026-11-30 or 2026-11-30T18:00:00Z")
    aware = stamp.tz_localize("UTC") if stamp.tzinfo is None else stamp
    return int(pd.DatetimeIndex([aware]).as_unit("us").asi8[0])


def microseconds(stamps: "pd.Series[pd.Timestamp]") -> NDArray[np.int64]:
    """A column of times (or of ISO 8601 text) as microseconds in UTC; ``MISSING`` where there is none."""
    if not pd.api.types.is_datetime64_any_dtype(stamps.dtype):
        stamps = pd.to_datetime(stamps, utc=True, format="ISO8601")
    return pd.DatetimeIndex(stamps).as_unit("us").asi8


def as_timestamps(stamps: Sequence[int] | NDArray[np.int64]) -> pd.DatetimeIndex:
    """Microseconds as aware UTC timestamps; ``MISSING`` becomes NaT."""
    return pd.DatetimeIndex(np.asarray(stamps, dtype="int64").view("datetime64[us]"), tz="UTC")
