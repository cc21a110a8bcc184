"""What the weekly notebook calls: parameters in, the page's sections out."""

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any, Final

import pandas as pd

from skilltune import __version__
from skilltune.analysis.isoweeks import iso_week
from skilltune.analysis.weekly import weekly_summary
from skilltune.errors import InputError
from skilltune.limits import MIN_INVOCATIONS
from skilltune.page.weekly import WeeklyPage
from skilltune.reports.choice import chosen_week, existing_log
from skilltune.reports.correcting import corrected_of, logged_corrected, read_model_card
from skilltune.reports.judges import sent_to_judges
from skilltune.reports.refinements import logged_refinements, sample_refinements
from skilltune.reports.week_figures import week_figures
from skilltune.sample import sample_end, sample_root
from skilltune.stores.injected import check_injected
from skilltune.stores.labels import LabelLog
from skilltune.stores.masked_tables import masked_words
from skilltune.stores.tables import labelled_tables, read_tables
from skilltune.workflow import mine, read_sessions

__all__ = ["made_on", "read_weekly", "sample_tables", "weekly_options"]

_OPTIONS: Final[dict[str, type]] = {"use_labels": bool, "health": dict, "weeks": list}


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
    use_labels: bool = True,
    weeks: Sequence[str] = (),
) -> WeeklyPage:
    """The weekly page of a feedback log.

    Parameters
    ----------
    workspace
        Folder of the workspace, or path of a feedback log (``….jsonl``); '' finds one from the current folder. The
        sample needs none.
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
        Show the bundled sample sessions, mined anew: the page says so.
    health
        What is known of the reading (``page.health.HEALTH_KEYS``).
    made
        ISO date of making; '' is today.
    use_labels
        Whether the person's labels beat the rules.
    weeks
        The weeks that the index of reports lists: their figures go with the page.

    Raises
    ------
    InputError
        When a week, zone, number, date or skill is not understood, or the week has not begun.
    ReadError
        When there is no log.
    """
    check_injected()
    if min_invocations < 1:
        raise InputError(f"min_invocations is {min_invocations}; at least 1 is needed")
    shown = chosen_week(week, time_zone=time_zone, sample=sample)
    told = dict(health or {})
    judges: dict[str, tuple[int, date | None]] = {}
    if sample:
        events, invocations = sample_tables()
        corrected = corrected_of(events, invocations, before=shown.end, skills=skills)
        refinement = sample_refinements(sample_root(), events=events, now=sample_end(), skills=skills)
    else:
        log = existing_log(workspace, may_be_missing=bool(told.get("no_uses")))
        judges = sent_to_judges(log)
        plain = read_tables(log, use_labels=False)
        corrected = logged_corrected(log, before=shown.end, skills=skills, tables=plain)
        labelled = use_labels and LabelLog.beside(log.path).exists()
        tables = labelled_tables(plain, log) if labelled else plain
        events, invocations = tables.events, tables.invocations
        told |= {"labelled": sum(tables.labelled.values())} if tables.labelled else {}
        refinement = logged_refinements(
            log.path,
            events=events,
            invocations=invocations,
            week=shown,
            skills=skills,
            min_invocations=min_invocations,
            now=datetime.now(UTC),
        )
    summary = weekly_summary(
        events,
        invocations,
        week=shown,
        skills=skills,
        min_invocations=min_invocations,
    )
    return WeeklyPage(
        summary=replace(summary, complaints=masked_words(summary.complaints)),
        version=__version__,
        made=made_on(made, time_zone=time_zone),
        privacy=privacy,
        sample=sample,
        health=told,
        accuracy=read_model_card(),
        corrected=corrected,
        refinement=refinement,
        judges=judges,
        only=tuple(skills),
        weeks=week_figures(events, invocations, weeks=weeks, time_zone=time_zone, min_invocations=min_invocations),
    )


def weekly_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of ``read_weekly`` that the notebook takes in one parameter, checked.

    Raises
    ------
    InputError
        One is not known, or of another type.

    Examples
    --------
    >>> weekly_options({"use_labels": False})
    {'use_labels': False}
    """
    known = ", ".join(f"{name} ({kind.__name__})" for name, kind in _OPTIONS.items())
    for name, value in options.items():
        kind = _OPTIONS.get(name)
        if kind is None:
            raise InputError(f"options has {reprlib.repr(name)}, which is not known; it knows {known}")
        if not isinstance(value, kind):
            raise InputError(f"options has {name} as {reprlib.repr(value)}; it takes a {kind.__name__}: {known}")
    return dict(options)


def sample_tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Events and uses of the bundled sessions."""
    mined = mine(read_sessions(sample_root() / "projects"), turns="window", as_of=sample_end())
    return mined.events, mined.invocations


def made_on(text: str, *, time_zone: str) -> date:
    """The day that `text` names as that of making; today in the zone for ''.

    Raises
    ------
    InputError
        It is no ISO date.
    """
    if not text:
        return datetime.now(UTC).astimezone(iso_week("2026-W01", time_zone=time_zone).start.tzinfo).date()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"made is {text!r}; write a date like 2026-11-30") from error
