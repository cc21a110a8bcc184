"""One ISO week: its name, and where it begins and ends in a named time zone."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from skilltune.errors import InputError
from skilltune.limits import FIRST_YEAR, LAST_YEAR

__all__ = ["IsoWeek", "iso_week", "last_whole_week"]

_NAME: Final = re.compile(r"([0-9]{4})-W([0-9]{2})")


@dataclass(frozen=True, slots=True)
class IsoWeek:
    """The half-open span from a Monday, 00:00 in `time_zone`, to the next one."""

    name: str
    time_zone: str
    monday: date

    @property
    def start(self) -> datetime:
        """The first moment of the week, aware."""
        return _midnight(self.monday, self.time_zone)

    @property
    def end(self) -> datetime:
        """The first moment after the week, aware."""
        return _midnight(self.monday + timedelta(days=7), self.time_zone)

    @property
    def sunday(self) -> date:
        """The last day of the week."""
        return self.monday + timedelta(days=6)


def iso_week(name: str, *, time_zone: str = "UTC") -> IsoWeek:
    """The week called `name` (``2026-W48``).

    Raises
    ------
    InputError
        When there is no such week or time zone.

    Examples
    --------
    >>> iso_week("2026-W48").monday
    datetime.date(2026, 11, 23)
    """
    parts = _NAME.fullmatch(name)
    try:
        monday = date.fromisocalendar(int(parts[1]), int(parts[2]), 1) if parts else None
    except ValueError:
        monday = None
    if monday is None or not FIRST_YEAR <= monday.year <= LAST_YEAR:
        raise InputError(f"{name!r} is no ISO week; write it like 2026-W48")
    _zone(time_zone)
    return IsoWeek(name, time_zone, monday)


def last_whole_week(now: datetime, *, time_zone: str = "UTC") -> IsoWeek:
    """The last week that was over at `now` (aware).

    Examples
    --------
    >>> last_whole_week(datetime.fromisoformat("2026-11-30T09:00:00+00:00")).name
    '2026-W48'
    """
    today = now.astimezone(_zone(time_zone)).date()
    year, week, _ = (today - timedelta(days=7)).isocalendar()
    return iso_week(f"{year}-W{week:02}", time_zone=time_zone)


def _midnight(day: date, time_zone: str) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=_zone(time_zone))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InputError(f"{name!r} is no time zone known here; write one such as Europe/Berlin or UTC") from error
