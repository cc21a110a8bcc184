"""The time of an act on a skill's file: it may not lie ahead, or a cooldown would be over before its time."""

from datetime import UTC, datetime, timedelta
from typing import Final

from skilltune.errors import InputError
from skilltune.workflow import as_time

__all__ = ["act_time"]

_AHEAD: Final = timedelta(days=1)
"""How far ahead another machine's clock may be."""


def act_time(as_of: datetime | str | None) -> datetime:
    """The time of an act, UTC; default now.

    Raises
    ------
    InputError
        It is later than this machine's clock by more than a day.
    """
    at, now = as_time(as_of), read_clock()
    if at - now > _AHEAD:
        raise InputError(
            f"as_of is {at:%Y-%m-%d %H:%M}, and it is {now:%Y-%m-%d %H:%M} (UTC) now; nothing was written: a skill is "
            "changed as of now, or as of a time that is past"
        )
    return at


def read_clock() -> datetime:
    """The time by the clock of the machine."""
    return datetime.now(UTC)
