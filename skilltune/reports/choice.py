"""Which week and which log a report is made from."""

from datetime import UTC, datetime
from pathlib import Path

from skilltune.analysis.isoweeks import IsoWeek, iso_week, last_whole_week
from skilltune.errors import InputError, ReadError
from skilltune.sample import sample_end
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.workspace import find_workspace

__all__ = ["chosen_week", "existing_log"]


def chosen_week(name: str, *, time_zone: str, sample: bool = False) -> IsoWeek:
    """The week called `name`, or the last whole one for ''; for the bundled sample as of its end.

    Raises
    ------
    InputError
        When there is no such week or time zone, or the week has not begun.
    """
    now = sample_end() if sample else datetime.now(UTC)
    if not name:
        return last_whole_week(now, time_zone=time_zone)
    week = iso_week(name, time_zone=time_zone)
    if week.start >= now:
        last = last_whole_week(now, time_zone=time_zone).name
        raise InputError(f"week {name} has not begun; the last whole one{' of the sample' if sample else ''} is {last}")
    return week


def existing_log(workspace: str, *, may_be_missing: bool = False) -> FeedbackLog:
    """The feedback log at or in `workspace` (a path ``….jsonl``, or a folder); for '' the one that is found.

    Raises
    ------
    ReadError
        When there is none.
    """
    named = Path(workspace)
    path = named if named.suffix == ".jsonl" else find_workspace(explicit=workspace or None).feedback_path
    log = FeedbackLog(path)
    if may_be_missing or log.exists():
        return log
    elsewhere = ", set workspace to the folder or log that it is in, or sample to True" if not workspace else ""
    raise ReadError(f"there is no feedback log at {path}; make one with: skilltune mine{elsewhere}")
