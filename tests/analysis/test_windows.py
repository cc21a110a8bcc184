"""Moments as whole microseconds in UTC."""

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pandas as pd
import pytest

from skilltune.analysis.windows import MISSING, Window, as_microseconds, as_timestamps, days_before, microseconds
from skilltune.errors import InputError

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


@pytest.mark.parametrize("moment", ["", "yesterday evening", "2026-13-01", pd.NaT])
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


def test_days_before_counts_24_hours() -> None:
    """A day is 24 hours, on days of a clock change too."""
    assert days_before("2026-10-26T00:00:00+01:00", days=1) == as_microseconds("2026-10-25T00:00:00+01:00")
    with pytest.raises(InputError, match="at least 1 day"):
        days_before("2026-11-30", days=0)
