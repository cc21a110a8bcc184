"""What the notebook on one skill calls: parameters in, the page's sections out."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd

from skilltune import __version__
from skilltune.analysis.before_after import before_after
from skilltune.analysis.cost import skill_cost
from skilltune.analysis.isoweeks import IsoWeek, last_whole_week
from skilltune.analysis.metrics import hotspot_dimensions
from skilltune.analysis.mix import outcome_mix
from skilltune.analysis.trends import rate_over_time
from skilltune.analysis.usage import skill_usage
from skilltune.analysis.weekly import WEEKS, WeeklySummary, weekly_summary
from skilltune.errors import InputError, UnknownSkillError
from skilltune.limits import MIN_INVOCATIONS
from skilltune.page.skill import SkillPage
from skilltune.page.skill_summary import SkillFigures
from skilltune.page.weekly import WeeklyPage
from skilltune.refining.folders import used_folders_of
from skilltune.reports.choice import existing_log
from skilltune.reports.correcting import corrected_of, logged_corrected, read_model_card
from skilltune.reports.refinements import logged_refinements, sample_refinements, used_projects
from skilltune.reports.skill_drift import logged_drift
from skilltune.reports.skill_names import page_name
from skilltune.reports.weekly import made_on, sample_tables
from skilltune.sample import sample_end, sample_root
from skilltune.stores.injected import check_injected
from skilltune.stores.labels import LabelLog
from skilltune.stores.masked_tables import masked_words
from skilltune.stores.names import mask_name
from skilltune.stores.tables import labelled_tables, read_tables

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
    skill = mask_name(skill)
    now = sample_end() if sample else datetime.now(UTC)
    until = DaysUntil.of(_moment(as_of, now=now), time_zone=time_zone)
    choice: dict[str, Any] = {"week": until, "min_invocations": min_invocations}
    if sample:
        events, invocations = sample_tables()
        corrected = corrected_of(events, invocations, before=until.end, skills=[skill])
        refinement = sample_refinements(sample_root(), events=events, now=now, skills=[skill])
        drift = None
    else:
        log = existing_log(workspace)
        plain = read_tables(log, use_labels=False)
        _check_known(skill, plain.invocations)
        corrected = logged_corrected(log, before=until.end, skills=[skill], tables=plain)
        labelled = use_labels and LabelLog.beside(log.path).exists()
        tables = labelled_tables(plain, log) if labelled else plain
        events, invocations = tables.events, tables.invocations
        refinement = logged_refinements(
            log.path, events=events, invocations=invocations, now=until.end, skills=[skill], **choice
        )
        used = used_folders_of(events, invocations)
        drift = logged_drift(skill, log.path, projects=used_projects(invocations), used=used)
    _check_known(skill, invocations)
    every = weekly_summary(events, invocations, **choice)
    own, uses = (frame[frame["skill_id"] == skill] for frame in (events, invocations))
    figures = _figures(
        own, uses, until=until, days=every.days, ranked=_is_ranked(every, skill), min_invocations=min_invocations
    )
    summary = of_skill(every, skill, events=own, invocations=uses, figures=figures)
    return SkillPage(
        skill_id=skill,
        week=WeeklyPage(
            summary=replace(summary, complaints=masked_words(summary.complaints)),
            version=__version__,
            made=made_on(made, time_zone=time_zone),
            privacy=privacy,
            sample=sample,
            accuracy=read_model_card(),
            corrected=corrected,
            refinement=refinement,
            every_part=True,
        ),
        as_of=until.end,
        figures=figures,
        drift=drift,
        notebook=f"{page_name(skill)}.ipynb",
    )


def of_skill(
    every: WeeklySummary, skill: str, *, events: pd.DataFrame, invocations: pd.DataFrame, figures: SkillFigures
) -> WeeklySummary:
    """The summary of one skill alone, with the verdict that it has among `every` skill.

    Parameters
    ----------
    events, invocations
        Of the skill.
    figures
        Which say whether course and complaints reach back further than the last days.
    """
    week = every.week
    own = weekly_summary(events, invocations, week=week, days=every.days, min_invocations=every.min_invocations)
    ranking = every.ranking[every.ranking["skill_id"] == skill].reset_index(drop=True)
    zone: dict[str, Any] = {"as_of": _end_of(figures, week), "weeks": WEEKS, "time_zone": week.time_zone}
    earlier: dict[str, Any] = {}
    if figures.span:
        known = events[events["timestamp"] < pd.Timestamp(week.end)]
        said = known[known["outcome"].isin(["correction", "partial"])]
        earlier["complaints"] = said.sort_values(["timestamp", "event_id"], ascending=False, ignore_index=True)
        earlier["hotspots"] = hotspot_dimensions(events, as_of=week.end, by=("skill_id",))
    if figures.last:
        earlier["courses"] = rate_over_time(events, days=every.days, **zone)
    return replace(own, focus=skill, shifts=every.shifts, ranking=ranking, **earlier)


def _is_ranked(every: WeeklySummary, skill: str) -> bool:
    """Whether the skill has enough judged uses for a rate."""
    return bool((every.sufficient["skill_id"] == skill).any())


def _figures(
    events: pd.DataFrame,
    invocations: pd.DataFrame,
    *,
    until: DaysUntil,
    days: int,
    ranked: bool,
    min_invocations: int,
) -> SkillFigures:
    """The frames of the parts that only this page has, of the skill's own events and uses."""
    end = pd.Timestamp(until.end)
    uses = invocations[invocations["failed"].fillna("") == ""]
    judged, used = (frame.loc[frame["timestamp"] < end, "timestamp"] for frame in (events, uses))
    last = used.max()
    old = not pd.isna(last) and last < end - timedelta(days=days)
    known = SkillFigures(
        span=None if ranked or judged.empty else (_day(judged.min(), until), _day(judged.max(), until)),
        last=_day(last, until) if old else None,
    )
    seen = pd.Timestamp(_end_of(known, until))
    zone: dict[str, Any] = {"invocations": uses, "time_zone": until.time_zone}
    return replace(
        known,
        mix=outcome_mix(events, by=("week",), as_of=seen, since=seen - timedelta(weeks=WEEKS), **zone),
        effects=before_after(events, invocations=uses, as_of=end, min_invocations=min_invocations),
        cost=skill_cost(events, as_of=seen, since=seen - timedelta(days=days), **zone),
        usage=skill_usage(events, as_of=end, days=days, **zone),
    )


def _end_of(figures: SkillFigures, week: IsoWeek) -> datetime:
    """Where course, outcomes and cost end: with the day of the last use where that is long ago."""
    if figures.last is None:
        return week.end
    midnight = datetime.combine(figures.last + timedelta(days=1), time(), tzinfo=ZoneInfo(week.time_zone))
    return min(midnight, week.end)


def _day(moment: pd.Timestamp, until: DaysUntil) -> date:
    return moment.tz_convert(until.time_zone).date()


def _check_known(skill: str, invocations: pd.DataFrame) -> None:
    known = set(invocations["skill_id"].unique())
    if skill not in known:
        raise UnknownSkillError(skill, known)


def _moment(as_of: str, *, now: datetime) -> datetime:
    """The moment that `as_of` names, a bare date as its beginning (UTC), at most now."""
    if not as_of:
        return now
    try:
        moment = datetime.fromisoformat(as_of)
    except ValueError as error:
        raise InputError(f"as_of is {as_of!r}; write a date like 2026-11-30, or a time") from error
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(moment, now)
