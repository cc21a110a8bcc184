"""ISO weeks by name."""

from datetime import UTC, date, datetime, timedelta

import pytest

from skilltune.analysis.isoweeks import iso_week, last_whole_week
from skilltune.errors import InputError


def test_week_begins_on_its_local_monday():
    """Monday, midnight in the zone, until the next one; a week with a clock change has 169 hours."""
    week = iso_week("2026-W43", time_zone="Europe/Berlin")
    assert (week.monday, week.sunday) == (date(2026, 10, 19), date(2026, 10, 25))
    assert week.start.astimezone(UTC) == datetime(2026, 10, 18, 22, tzinfo=UTC)
    assert week.end.astimezone(UTC) - week.start.astimezone(UTC) == timedelta(hours=169)


@pytest.mark.parametrize(
    "name", ["2026-W54", "2026-48", "W48", "", "2026-W00", "２０２６-W48 ", "２０２６-W48", "0001-W01", "9999-W52"]
)
def test_unknown_week_is_refused(name: str):
    """What is no week says how one is written."""
    with pytest.raises(InputError, match="2026-W48"):
        iso_week(name)


def test_unknown_zone_is_refused():
    """A zone that is not known is named."""
    with pytest.raises(InputError, match="Mars/Base"):
        iso_week("2026-W48", time_zone="Mars/Base")


def test_last_whole_week_depends_on_the_zone():
    """Sunday evening in Berlin is Monday in Tokyo: another week is over there."""
    now = datetime(2026, 11, 29, 20, tzinfo=UTC)
    assert last_whole_week(now, time_zone="Europe/Berlin").name == "2026-W47"
    assert last_whole_week(now, time_zone="Asia/Tokyo").name == "2026-W48"


def test_last_whole_week_crosses_the_year():
    """In the first days of January it belongs to the old year."""
    assert last_whole_week(datetime(2027, 1, 5, tzinfo=UTC)).name == "2026-W53"
