"""What the notebook on one skill calls: parameters in, the page's sections out."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pandas as pd

from skilltune import __version__
from skilltune.analysis.before_after import before_after
from skilltune.analysis.changepoints import rate_shift
from skilltune.analysis.cost import skill_cost
from skilltune.analysis.isoweeks import IsoWeek, last_whole_week
from skilltune.analysis.mix import outcome_mix
from skilltune.analysis.usage import skill_usage
from skilltune.analysis.weekly import WEEKS, WeeklySummary, weekly_summary
from skilltune.errors import InputError, UnknownSkillError
from skilltune.limits import MIN_INVOCATIONS
from skilltune.page.skill import SkillPage
from skilltune.page.skill_summary import SkillFigures
from skilltune.page.weekly import WeeklyPage
from skilltune.reports.choice import existing_log
from skilltune.reports.correcting import read_model_card
from skilltune.reports.refinements import logged_refinements, sample_refinements, used_projects
from skilltune.reports.skill_drift import logged_drift
from skilltune.reports.skill_names import page_name
from skilltune.reports.weekly import sample_tables
from skilltune.sample import sample_end, sample_root
from skilltune.stores.injected import check_injected
from skilltune.stores.tables import read_tables

__all__ = ["DaysUntil", "read_skill"]


@dataclass(frozen=True, slots=True)
class DaysUntil(IsoWeek):
    """The seven days before a moment, in place of a calendar week."""

    until: datetime

    @classmethod
    def of(cls, until: datetime, *, time_zone: str) -> "DaysUntil":
        """Those in a named zone."""
        name = last_whole_week(until + timedelta(days=7), time_zone=time_zone)
        return cls(name.name, name.time_zone, name.monday, until)

    @property
    def start(self) -> datetime:
        """Seven days before the end."""
        return self.until - timedelta(days=7)

    @property
    def end(self) -> datetime:
        """The moment."""
        return self.until


def read_skill(
    *,
    skill: str,
    workspace: str = "",
    as_of: str = "",
    time_zone: str = "UTC",
    min_invocations: int = MIN_INVOCATIONS,
    privacy: bool = False,
    sample: bool = False,
    use_labels: bool = True,
    made: str = "",
) -> SkillPage:
    """The page of one skill of a feedback log.

    Parameters
    ----------
    skill
        Its name as the log has it.
    workspace
        Folder of the workspace, or path of a feedback log (``….jsonl``); '' finds one from the current folder. The
        sample needs none.
    as_of
        ISO date or time; later uses do not exist. '' is now.
    time_zone
        Of days and weeks.
    min_invocations
        Judged uses from which on a rate is shown.
    privacy
        No quotes, paths, project or session names.
    sample
        Show the bundled sample sessions.
    use_labels
        Whether the person's labels beat the rules.
    made
        ISO date of making; '' is today.

    Raises
    ------
    InputError
        When a name, zone, number or date is not understood.
    UnknownSkillError
        When no use of the skill is in the log.
    ReadError
        When there is no log.
    """
    check_injected()
    if min_invocations < 1:
        raise InputError(f"min_invocations is {min_invocations}; at least 1 is needed")
    if not skill:
        raise InputError("skill is empty; name one as the log has it: `skilltune metrics` lists them")
    now = sample_end() if sample else datetime.now(UTC)
    until = DaysUntil.of(_moment(as_of, now=now), time_zone=time_zone)
    choice: dict[str, Any] = {"week": until, "min_invocations": min_invocations}
    if sample:
        events, invocations = sample_tables()
        refinement = sample_refinements(sample_root(), events=events, now=now, skills=[skill])
        drift = None
    else:
        log = existing_log(workspace)
        tables = read_tables(log, use_labels=use_labels)
        events, invocations = tables.events, tables.invocations
        _check_known(skill, invocations)
        refinement = logged_refinements(
            log.path, events=events, invocations=invocations, now=until.end, skills=[skill], **choice
        )
        drift = logged_drift(skill, log.path, projects=used_projects(invocations))
    _check_known(skill, invocations)
    summary = of_skill(weekly_summary(events, invocations, **choice), skill, events=events)
    return SkillPage(
        skill_id=skill,
        week=WeeklyPage(
            summary=summary,
            version=__version__,
            made=date.fromisoformat(made) if made else now.astimezone(until.end.tzinfo).date(),
            privacy=privacy,
            sample=sample,
            accuracy=read_model_card(),
            refinement=refinement,
        ),
        as_of=until.end,
        figures=_figures(skill, events, invocations, until=until, days=summary.days, min_invocations=min_invocations),
        drift=drift,
        notebook=f"{page_name(skill)}.ipynb",
    )


def of_skill(summary: WeeklySummary, skill: str, *, events: pd.DataFrame) -> WeeklySummary:
    """`summary` for one skill: its rows, with the verdict that it has among all skills."""
    week = summary.week
    shift = rate_shift(
        events,
        skill_id=skill,
        as_of=week.end,
        weeks=WEEKS,
        min_invocations=summary.min_invocations,
        time_zone=week.time_zone,
    )
    own: dict[str, Any] = {
        name: frame[frame["skill_id"] == skill].reset_index(drop=True)
        for name in ("ranking", "courses", "hotspots", "complaints", "versions", "silent", "trigger_problems")
        if "skill_id" in (frame := getattr(summary, name))
    }
    return replace(summary, focus=skill, shift=shift, **own)


def _figures(
    skill: str,
    events: pd.DataFrame,
    invocations: pd.DataFrame,
    *,
    until: DaysUntil,
    days: int,
    min_invocations: int,
) -> SkillFigures:
    """The frames of the parts that only this page has."""
    end = pd.Timestamp(until.end)
    uses = invocations[(invocations["failed"].fillna("") == "") & (invocations["skill_id"] == skill)]
    own = events[events["skill_id"] == skill]
    zone: dict[str, Any] = {"time_zone": until.time_zone}
    return SkillFigures(
        mix=outcome_mix(own, by=("week",), invocations=uses, as_of=end, since=end - timedelta(weeks=WEEKS), **zone),
        effects=before_after(own, invocations=uses, as_of=end, min_invocations=min_invocations),
        cost=skill_cost(own, invocations=uses, as_of=end, since=end - timedelta(days=days), **zone),
        usage=skill_usage(own, invocations=uses, as_of=end, days=days, **zone),
    )


def _check_known(skill: str, invocations: pd.DataFrame) -> None:
    known = set(invocations["skill_id"].unique())
    if skill not in known:
        raise UnknownSkillError(skill, known)


def _moment(as_of: str, *, now: datetime) -> datetime:
    """The moment that `as_of` names, a bare date as its end's midnight (UTC), at most now."""
    if not as_of:
        return now
    try:
        moment = datetime.fromisoformat(as_of)
    except ValueError as error:
        raise InputError(f"as_of is {as_of!r}; write a date like 2026-11-30, or a time") from error
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(moment, now)
