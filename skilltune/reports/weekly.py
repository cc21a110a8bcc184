"""What the weekly notebook calls: parameters in, the page's sections out."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from skilltune import __version__
from skilltune.analysis.isoweeks import IsoWeek, iso_week, last_whole_week
from skilltune.analysis.weekly import weekly_summary
from skilltune.errors import InputError
from skilltune.frames import to_frame
from skilltune.limits import MIN_INVOCATIONS
from skilltune.page.weekly import WeeklyPage
from skilltune.records import FeedbackEvent, Invocation
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.workspace import find_workspace

__all__ = ["read_accuracy", "read_weekly"]


def read_weekly(
    *,
    workspace: str = "",
    week: str = "",
    time_zone: str = "UTC",
    skills: Sequence[str] = (),
    min_invocations: int = MIN_INVOCATIONS,
    privacy: bool = False,
    sample: bool = False,
    health: Mapping[str, Any] | None = None,
    made: str = "",
) -> WeeklyPage:
    """The weekly page of a feedback log.

    Parameters
    ----------
    workspace
        Folder of the workspace, or path of a feedback log (``….jsonl``); '' finds one from the current folder.
    week
        ISO week such as ``2026-W48``; '' is the last whole one.
    time_zone
        Where weeks begin on Monday at midnight.
    skills
        Only these skills; none means all.
    min_invocations
        Judged uses from which on a rate is shown.
    privacy
        No quotes, paths, project or session names.
    sample
        The log holds the bundled sample sessions: the page says so.
    health
        What is known of the reading (``page.health.HEALTH_KEYS``).
    made
        ISO date of making; '' is today.

    Raises
    ------
    InputError
        When a week, zone, number, date or skill is not understood.
    """
    if min_invocations < 1:
        raise InputError(f"min_invocations is {min_invocations}; at least 1 is needed")
    contents = FeedbackLog(_log_path(workspace)).read()
    summary = weekly_summary(
        to_frame(contents.events, FeedbackEvent),
        to_frame(contents.invocations, Invocation),
        week=_week(week, time_zone=time_zone),
        skills=skills,
        min_invocations=min_invocations,
    )
    return WeeklyPage(
        summary=summary,
        version=__version__,
        made=_day(made, time_zone=time_zone),
        privacy=privacy,
        sample=sample,
        health=health or {},
        accuracy=read_accuracy(),
    )


def read_accuracy() -> dict[str, Any]:
    """The rules' measured precision and recall that come with the package; empty where there are none."""
    source = files("skilltune") / "mining" / "accuracy.json"
    return dict(json.loads(source.read_text(encoding="utf-8"))) if source.is_file() else {}


def _log_path(workspace: str) -> Path:
    path = Path(workspace)
    return path if path.suffix == ".jsonl" else find_workspace(explicit=workspace or None).feedback_path


def _week(name: str, *, time_zone: str) -> IsoWeek:
    return iso_week(name, time_zone=time_zone) if name else last_whole_week(datetime.now(UTC), time_zone=time_zone)


def _day(text: str, *, time_zone: str) -> date:
    if not text:
        return datetime.now(UTC).astimezone(iso_week("2026-W01", time_zone=time_zone).start.tzinfo).date()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"made is {text!r}; write a date like 2026-11-30") from error
