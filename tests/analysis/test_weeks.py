"""ISO weeks in a named time zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.analysis.weeks import mondays_until, week_starts
from skilltune.analysis.windows import MISSING, as_microseconds, as_timestamps
from skilltune.errors import InputError

ZONES = ["UTC", "Europe/Berlin", "Asia/Tokyo", "America/New_York", "Pacific/Kiritimati", "Pacific/Niue", "Asia/Kolkata"]


def monday_of(moment: str, time_zone: str) -> pd.Timestamp:
    """The week's first moment of one stamp."""
    return as_timestamps(week_starts(np.array([as_microseconds(moment)]), time_zone=time_zone))[0]


@given(moment=st.datetimes(datetime(1970, 1, 20), datetime(2040, 1, 1)), zone=st.sampled_from(ZONES))  # noqa: DTZ001
def test_week_starts_equals_the_calendar(moment: datetime, zone: str) -> None:
    """The Monday is that of the local calendar, at local midnight, whatever the clock does in that week."""
    aware = moment.replace(tzinfo=UTC)
    local = aware.astimezone(ZoneInfo(zone))
    midnight = datetime.combine(local.date() - timedelta(days=local.weekday()), datetime.min.time(), ZoneInfo(zone))
    assert monday_of(aware.isoformat(), zone) == midnight.astimezone(UTC)


def test_week_starts_around_midnight() -> None:
    """Half an hour before and after Sunday's midnight in Tokyo are two weeks there, and one in UTC (K34)."""
    before, after = "2026-11-29T23:30:00+09:00", "2026-11-30T00:30:00+09:00"
    assert monday_of(before, "Asia/Tokyo") == pd.Timestamp("2026-11-23T00:00:00+09:00")
    assert monday_of(after, "Asia/Tokyo") == pd.Timestamp("2026-11-30T00:00:00+09:00")
    assert monday_of(before, "UTC") == monday_of(after, "UTC")


def test_week_starts_over_clock_changes() -> None:
    """The weeks of a clock change are an hour longer and shorter than 7 days."""
    mondays = mondays_until(as_microseconds("2026-10-26T00:00:00+01:00"), weeks=1, time_zone="Europe/Berlin")
    assert mondays[1] - mondays[0] == (7 * 24 + 1) * 3_600_000_000
    mondays = mondays_until(as_microseconds("2026-03-30T00:00:00+02:00"), weeks=1, time_zone="Europe/Berlin")
    assert mondays[1] - mondays[0] == (7 * 24 - 1) * 3_600_000_000


def test_week_starts_keeps_missing() -> None:
    """A missing stamp has no week, alone or among others."""
    assert week_starts(np.array([MISSING]), time_zone="UTC").tolist() == [MISSING]
    mixed = np.array([MISSING, as_microseconds("2026-11-30")])
    assert week_starts(mixed, time_zone="UTC").tolist() == [MISSING, as_microseconds("2026-11-30")]


@pytest.mark.parametrize(
    ("as_of", "first", "last"),
    [
        ("2026-11-30T00:00:00Z", "2026-11-16", "2026-11-30"),
        ("2026-11-30T00:00:00.000001Z", "2026-11-23", "2026-12-07"),
        ("2026-12-06T23:59:59Z", "2026-11-23", "2026-12-07"),
    ],
)
def test_mondays_until_ends_at_or_after(as_of: str, first: str, last: str) -> None:
    """A week that ends at the moment is the last; one that has begun counts as running."""
    mondays = as_timestamps(mondays_until(as_microseconds(as_of), weeks=2, time_zone="UTC"))
    assert (mondays[0], mondays[-1]) == (pd.Timestamp(first, tz="UTC"), pd.Timestamp(last, tz="UTC"))


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../etc/passwd"])
def test_week_starts_unknown_zone(name: str) -> None:
    """A zone that is not known is refused, with an example of one."""
    with pytest.raises(InputError, match="Europe/Berlin"):
        week_starts(np.array([0]), time_zone=name)
