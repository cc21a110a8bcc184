"""Moments as whole microseconds in UTC."""

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pandas as pd
import pytest

from skilltune.analysis.windows import (
    MISSING,
    Window,
    as_microseconds,
    as_timestamps,
    days_before,
    microseconds,
    window_of,
)
from skilltune.errors import FrameError, InputError

NOON = 1_796_040_000_000_000
"""2026-11-30 12:00 UTC."""


@pytest.mark.parametrize(
    "moment",
    [
        "2026-11-30T12:00:00Z",
        "2026-11-30T20:00:00+08:00",
        "2026-11-30 12:00",
        datetime(2026, 11, 30, 12, tzinfo=UTC),
        datetime(2026, 11, 30, 12),  # noqa: DTZ001  # a time without a zone is what is tested
        datetime(2026, 11, 30, 13, tzinfo=timezone(timedelta(hours=1))),
        pd.Timestamp("2026-11-30T12:00:00.000000999Z"),
    ],
)
def test_as_microseconds_of_one_moment(moment: datetime | str) -> None:
    """However it is written, with a zone or without (then UTC), a moment is the same whole number."""
    assert as_microseconds(moment) == NOON


@pytest.mark.parametrize("moment", ["", "yesterday evening", "2026-13-01", pd.NaT, 5, [1], "300000-01-01"])
def test_as_microseconds_of_nonsense(moment: str) -> None:
    """What is no point in time is refused, with an example of one."""
    with pytest.raises(InputError, match="2026-11-30"):
        as_microseconds(moment)


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["2026-11-30T20:00:00+08:00", None], dtype="str"),
        pd.Series(["2026-11-30T12:00:00", None], dtype="object"),
        pd.Series(pd.to_datetime(["2026-11-30T12:00:00", None])),
        pd.Series(pd.to_datetime(["2026-11-30T12:00:00Z", None])),
        pd.Series(pd.to_datetime(["2026-11-30T12:00:00Z", None])).astype("datetime64[ns, UTC]"),
        pd.Series(pd.to_datetime(["2026-11-30T12:00:00Z", None])).astype("datetime64[s, UTC]"),
        pd.Series(pd.to_datetime(["2026-11-30T12:00:00Z", None])).dt.tz_convert("Asia/Tokyo"),
    ],
)
def test_microseconds_of_any_column(column: "pd.Series[pd.Timestamp]") -> None:
    """Text and times of any unit and zone give the same numbers; a missing one stays missing (R19)."""
    assert microseconds(column).tolist() == [NOON, MISSING]


@pytest.mark.parametrize("moment", ["0001-01-01", "1969-12-31T23:59:59Z", "9991-01-01", pd.Timestamp.min])
def test_as_microseconds_outside_the_years_of_moments(moment: str) -> None:
    """A moment that nobody can mean is refused with the years that there are; the first and last ones are taken."""
    with pytest.raises(InputError, match=r"as_of is .*1970-01-01 to 9990-12-31"):
        as_microseconds(moment)
    assert as_microseconds("1970-01-01") == 0
    assert as_microseconds("9990-12-31T23:59:59Z") > NOON


def test_microseconds_outside_the_years_of_moments() -> None:
    """A stamp from the ends of the calendar counts as missing: no week or zone could hold it."""
    written = ["0001-01-01", "1969-12-31T23:59:59", "1970-01-01", "2026-11-30T12:00:00", "9991-01-01", "9999-12-31"]
    stamps = pd.Series(np.array(written, dtype="datetime64[us]"))
    assert microseconds(stamps).tolist() == [MISSING, MISSING, 0, NOON, MISSING, MISSING]


@pytest.mark.parametrize("column", [["garbage"], [["x"]], [{}]])
def test_microseconds_of_no_times(column: list) -> None:
    """A column of something else is named, with what to do."""
    with pytest.raises(FrameError, match=r"column 'timestamp' .*pandas.to_datetime"):
        microseconds(pd.Series(column))


def test_as_timestamps_goes_back() -> None:
    """Numbers become aware UTC times in microseconds again."""
    stamps = as_timestamps([NOON, MISSING])
    assert stamps[0] == pd.Timestamp("2026-11-30T12:00:00Z")
    assert stamps[1] is pd.NaT
    assert stamps.dtype == "datetime64[us, UTC]"


def test_window_is_half_open() -> None:
    """The first moment is inside, the last is not, and a missing one only where there is no beginning."""
    stamps = np.array([MISSING, 9, 10, 19, 20])
    assert Window(10, 20).holds(stamps).tolist() == [False, False, True, True, False]
    assert Window(None, 20).holds(stamps).tolist() == [True, True, True, True, False]
    assert Window(None, None).holds(stamps).all()
    assert Window(MISSING - 1, None).holds(stamps).tolist() == [False, True, True, True, True]


def test_window_of_moments() -> None:
    """An open end is None; a beginning before 1970 is 1970; one after the end is named."""
    assert window_of(since=None, as_of="2026-11-30T12:00:00Z") == Window(None, NOON)
    assert window_of(since="1492-10-12", as_of=None) == Window(0, None)
    assert window_of(since="2026-11-30T12:00", as_of="2026-11-30T12:00") == Window(NOON, NOON)
    with pytest.raises(InputError, match=r"since is 2026-12-01, after as_of, which is 2026-11-30"):
        window_of(since="2026-12-01", as_of="2026-11-30")


def test_days_before_counts_24_hours() -> None:
    """A day is 24 hours, on days of a clock change too."""
    assert days_before("2026-10-26T00:00:00+01:00", days=1) == as_microseconds("2026-10-25T00:00:00+01:00")
    assert days_before("1970-01-05", days=30) == 0
    with pytest.raises(InputError, match="at least 1 day"):
        days_before("2026-11-30", days=0)
