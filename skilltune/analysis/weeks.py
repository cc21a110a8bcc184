"""ISO weeks in a named time zone: Monday, midnight there, as a UTC moment."""

from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.arguments import MOST_WEEKS, check_whole
from skilltune.analysis.windows import DAY, MISSING
from skilltune.errors import InputError

__all__ = ["WEEK", "mondays_until", "week_starts", "zone"]

WEEK: Final = 7 * DAY
"""Microseconds of a week without a change of the clock."""
FIRST_MONDAY: Final = 4 * DAY
"""Monday, 5 January 1970, in UTC."""


def week_starts(stamps: NDArray[np.int64], *, time_zone: str) -> NDArray[np.int64]:
    """For each stamp the Monday, 00:00 in `time_zone`, on or before it; ``MISSING`` stays.

    Notes
    -----
    Weeks are cut in UTC by one integer division; a zone's Monday is less than a day away from that of UTC, so a
    look at the two neighbouring edges puts every stamp right, on days of a clock change too.
    """
    dated = stamps != MISSING
    if not dated.any():
        return np.full(len(stamps), MISSING)
    rough = np.where(dated, (stamps - FIRST_MONDAY) // WEEK, 0)
    first = int(rough[dated].min()) - 1
    edges = _mondays(first, int(rough[dated].max()) + 2, time_zone)
    place = np.where(dated, rough - first, 1)
    place += stamps >= edges[place + 1]
    place -= stamps < edges[place]
    return np.where(dated, edges[place], MISSING)


def mondays_until(until: int, *, weeks: int, time_zone: str) -> NDArray[np.int64]:
    """The `weeks` + 1 last local Mondays: the last one is the first at or after `until`."""
    check_whole(weeks, name="weeks", least=1, most=MOST_WEEKS)
    running = week_starts(np.array([until - 1]), time_zone=time_zone)[0]
    number = int((running - FIRST_MONDAY + WEEK // 2) // WEEK)
    return _mondays(number - weeks + 1, number + 1, time_zone)


@cache
def zone(name: str) -> ZoneInfo:
    """The time zone of that name; ``InputError`` where there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InputError(f"{name!r} is no time zone known here; write one such as Europe/Berlin or UTC") from error


def _mondays(first: int, last: int, time_zone: str) -> NDArray[np.int64]:
    """Local Mondays number `first` to `last`, both included, as microseconds in UTC."""
    numbers = np.arange(first, last + 1, dtype="int64")
    local = pd.DatetimeIndex((FIRST_MONDAY + numbers * WEEK).view("datetime64[us]"))
    ambiguous = np.ones(len(local), dtype=bool)
    return local.tz_localize(zone(time_zone), ambiguous=ambiguous, nonexistent="shift_forward").asi8
