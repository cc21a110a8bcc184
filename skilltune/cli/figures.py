"""Commands that print figures from the feedback log: ``metrics``, ``trend``, ``events``."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from skilltune.cli.any_metric import check_options, few_sessions_words, print_metric, print_metrics
from skilltune.cli.mined_text import events_text
from skilltune.cli.options import AsJson, AsOf, Implicit, Labels, MinInvocations, Skill, SkillArgument, WorkspaceDir
from skilltune.cli.output import print_json, print_text, safe, terminal, warn_of_log
from skilltune.cli.skill_name import logged_skill
from skilltune.errors import InputError, UnknownSkillError
from skilltune.limits import TREND_DAYS

if TYPE_CHECKING:
    import pandas as pd

    from skilltune.stores.tables import FeedbackTables

__all__ = ["COMMANDS"]

Given = dict[str, Any]
"""Option → what it was given; nothing where it was not."""
Log = Annotated[
    Path | None, typer.Option("--log", metavar="FILE", help="A feedback log to read instead of the workspace's.")
]


_NOT_WITH: Final = {
    "--corrected": (
        ("--interval", "--days", "--min-invocations"),
        "whose rates and intervals are over all time, from labels",
    ),
    "--plain": (("--interval", "--days"), "which prints rates over all time, without intervals"),
}
"""What does nothing with another option, and why."""


_GROUPED: Final = "correction_rate"
"""The metric that ``--by`` alone groups."""


class IntervalName(StrEnum):
    """Ways to find an interval."""

    score = "score"
    session_bootstrap = "session_bootstrap"


Days = Annotated[int, typer.Option("--days", min=1, max=3650, metavar="N", help="Length of the window, in days.")]


def metrics(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    log: Log = None,
    as_of: AsOf = None,
    days: Annotated[
        int | None,
        typer.Option("--days", min=1, max=3650, metavar="N", help="Length of the window, in days [30]."),
    ] = None,
    min_invocations: MinInvocations = None,
    plain: Annotated[bool, typer.Option("--plain", help="One line a skill over all time, for scripts.")] = False,
    labels: Labels = True,
    implicit: Implicit = True,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Over all time, corrected by your labels for the rules' mistakes.")
    ] = False,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="NAME",
            help="With --corrected: use this judge's answers, once it is scored. For the report, and metrics from then "
            "on: use = true under [judge] in config.toml.",
        ),
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", metavar="NAME", help="The table of this metric; --list names them.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="NAMES",
            help="What to group by, as skill_id,week or agent,model; without --metric of correction_rate.",
        ),
    ] = None,
    interval: Annotated[
        IntervalName | None,
        typer.Option(
            "--interval",
            help="How the 95 % interval is found: over uses, or over whole sessions, as uses of one session go "
            "together.  [default: score]",
            show_default=False,
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the metrics there are.")] = False,
    as_json: AsJson = False,
) -> None:
    """Correction rates, worst first.

    With counts, intervals, how many uses could be judged, and the change against the days before.

    Example: skilltune metrics --min-invocations 10
    """
    from skilltune.analysis.ranking import ranked_skills
    from skilltune.analysis.rows import as_records
    from skilltune.analysis.summary import skill_metrics
    from skilltune.rendering import format_metrics_report, render_metrics
    from skilltune.rendering.terminal import wrapped

    if listed:
        print_metrics(as_json=as_json)
        return
    moment, needed, one = _moment(as_of), _needed(min_invocations, workspace), logged_skill(skill, skill_option)
    if by is not None and metric is None and not (corrected or plain):
        metric = _GROUPED
    given: Given = {"--interval": interval, "--days": days, "--min-invocations": min_invocations}
    given |= {"--no-implicit": not implicit}
    _check_together(given, by=by, metric=metric, judge=judge, corrected=corrected, plain=plain, labels=labels)
    if metric is not None:
        check_options(metric, given=[name for name, value in given.items() if value])
    tables = _tables(workspace, log, skill=one, labels=labels)
    events, invocations = tables.events, tables.invocations
    if corrected:
        _print_corrected(workspace, log, skill=one, before=moment, implicit=implicit, judge=judge, as_json=as_json)
        return
    if metric is not None:
        asked: Any = {"as_of": moment, "days": days, "needed": needed, "implicit": implicit, "workspace": workspace}
        asked |= {"interval": interval and interval.value}
        print_metric(tables, name=metric, by=by, skill=one, as_json=as_json, **asked)
        return
    days = days or TREND_DAYS
    choice: Any = {"invocations": invocations, "as_of": moment, "min_invocations": needed, "implicit": implicit}
    if plain:
        rows = skill_metrics(events, **choice)
        print_text(format_metrics_report([row for row in rows if one in (None, row["skill_id"])]))
        return
    ranking = _of_skill(ranked_skills(events, days=days, **choice), one)
    if interval is not None:
        ranking = _with_interval(ranking, events, interval=interval.value, days=days, options=choice)
    if as_json:
        print_json(as_records(ranking))
    else:
        shown: Any = {"as_of": moment, "days": days, "min_invocations": needed, "implicit": implicit}
        print_text(render_metrics(ranking, **shown, **terminal()))
        for words in few_sessions_words(as_records(ranking), keys=["skill_id"]):
            print_text("\n".join(wrapped(words, terminal()["width"])))
        _say_labelled(tables, skill=one)
        _say_read(log, workspace)


def _check_together(
    given: Given,
    *,
    by: str | None,
    metric: str | None,
    judge: str | None,
    corrected: bool,
    plain: bool,
    labels: bool,
) -> None:
    """Refuse an option that does nothing with the others."""
    if by is not None and metric is None:
        first = "--corrected" if corrected else "--plain"
        raise InputError(f"{first} and --by print different tables; choose one")
    if judge is not None and not corrected:
        raise InputError("--judge goes with --corrected: a judge's answers are used for corrected rates only")
    asked = [name for name, is_on in (("--corrected", corrected), ("--plain", plain), ("--metric", metric)) if is_on]
    if len(asked) > 1:
        raise InputError(f"{asked[0]} and {asked[1]} print different tables; choose one")
    if not labels and corrected:
        raise InputError("--no-labels does not go with --corrected, whose rates come from labels; leave one out")
    for first, (names, why) in _NOT_WITH.items():
        odd = [name for name in names if given[name]]
        if first in asked and odd:
            raise InputError(f"{odd[0]} does not go with {first}, {why}; leave one out")


def _with_interval(
    ranking: "pd.DataFrame", events: "pd.DataFrame", *, interval: str, days: int, options: dict[str, Any]
) -> "pd.DataFrame":
    """`ranking` with the intervals of its rates found in another way."""
    from skilltune.analysis.metrics import correction_rate
    from skilltune.analysis.windows import as_timestamps, days_before

    since = as_timestamps([days_before(options["as_of"], days=days)])[0]
    given: Any = {**options, "interval": interval}
    rates = correction_rate(events, by=("skill_id",), since=since, **given)
    other = rates.set_index("skill_id")[["low", "high", "interval_method", "sessions", "few_sessions"]]
    found = other.reindex(ranking["skill_id"]).set_axis(ranking.index)
    return ranking.assign(**{str(name): found[name] for name in found.columns})


def trend(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    log: Log = None,
    as_of: AsOf = None,
    days: Days = 30,
    min_invocations: MinInvocations = None,
    labels: Labels = True,
    implicit: Implicit = True,
    as_json: AsJson = False,
) -> None:
    """Better or worse than the days before.

    The correction rate of the last days less that of as many days before them, with its interval.

    Example: skilltune trend --days 14
    """
    from skilltune.analysis.rows import as_records
    from skilltune.analysis.trends import correction_trend
    from skilltune.rendering import render_trends

    moment, needed, one = _moment(as_of), _needed(min_invocations, workspace), logged_skill(skill, skill_option)
    tables = _tables(workspace, log, skill=one, labels=labels)
    events, invocations = tables.events, tables.invocations
    choice: Any = {"invocations": invocations, "min_invocations": needed, "implicit": implicit}
    trends = _of_skill(correction_trend(events, as_of=moment, days=days, **choice), one)
    if as_json:
        print_json(as_records(trends))
    else:
        print_text(render_trends(trends, as_of=moment, days=days, implicit=implicit, **terminal()))
        _say_labelled(tables, skill=one)


def events(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    log: Log = None,
    last: Annotated[int, typer.Option("--last", min=1, metavar="N", help="How many, newest first.")] = 20,
    labels: Labels = True,
    as_json: AsJson = False,
) -> None:
    """The feedback events, newest first.

    Each with what the person said and the rule that decided it. Secrets are masked, whoever wrote the log.

    Example: skilltune events deslop --last 5
    """
    from skilltune.analysis.rows import as_records
    from skilltune.exporting.redacting import redacted

    one = logged_skill(skill, skill_option)
    tables = _tables(workspace, log, skill=one, labels=labels)
    found = tables.events
    newest = (
        _of_skill(found, one).sort_values(["timestamp", "event_id"], ascending=False, na_position="last").head(last)
    )
    rows = as_records(redacted(newest))
    if as_json:
        print_json(rows)
    else:
        print_text(events_text(rows))
        total = len(_of_skill(found, one))
        if total > len(rows):
            print_text(f"{len(rows):,} of {total:,}; all of them: --last {total}")
        _say_labelled(tables, skill=one)


def _tables(workspace: Path | None, log: Path | None, *, skill: str | None, labels: bool) -> "FeedbackTables":
    """Events and uses of the log; an error where `skill` is not among them, a warning of lines nobody can read."""
    from skilltune.stores.tables import read_tables
    from skilltune.workflow import existing_log

    found = existing_log(log, workspace=workspace)
    tables = read_tables(found, use_labels=labels)
    warn_of_log(found.path, tables.problems)
    known = {*tables.events["skill_id"], *tables.invocations["skill_id"]}
    if skill is not None and skill not in known:
        raise UnknownSkillError(skill, known)
    return tables


def _print_corrected(
    workspace: Path | None,
    log: Path | None,
    *,
    skill: str | None,
    before: datetime,
    implicit: bool,
    judge: str | None,
    as_json: bool,
) -> None:
    from skilltune.cli.corrected_text import corrected_row, corrected_text
    from skilltune.reports.correcting import logged_corrected
    from skilltune.workflow import existing_log

    found = existing_log(log, workspace=workspace)
    skills = [skill] if skill is not None else []
    summary = logged_corrected(found, before=before, skills=skills, implicit=implicit, judge=judge)
    if as_json:
        print_json(corrected_row(summary))
    else:
        print_text(corrected_text(summary, width=terminal()["width"]))
        _say_read(log, workspace)


def _say_labelled(tables: "FeedbackTables", *, skill: str | None) -> None:
    """One line on how many uses the person judged themselves, where there are any."""
    counts = tables.labelled
    count = sum(counts.values()) if skill is None else counts.get(skill, 0)
    if count:
        print_text(f"{count:,} {'use' if count == 1 else 'uses'} labelled by you; --no-labels shows the rules alone.")


def _say_read(log: Path | None, workspace: Path | None) -> None:
    """The last line: which of the logs that may be there these figures are of."""
    from skilltune.workflow import existing_log

    print_text(f"Read from {safe(str(existing_log(log, workspace=workspace).path))}")


def _of_skill(table: "pd.DataFrame", skill: str | None) -> "pd.DataFrame":
    """The rows of one skill: what is compared over all skills is compared before the others are left out."""
    return table if skill is None else table[table["skill_id"] == skill]


def _moment(as_of: str | None) -> datetime:
    from skilltune.workflow import as_time

    return as_time(as_of)


def _needed(min_invocations: int | None, workspace: Path | None) -> int:
    from skilltune.stores.workspace import find_workspace

    settings: Any = find_workspace(explicit=workspace).config.report
    return int(settings.min_invocations if min_invocations is None else min_invocations)


COMMANDS = (metrics, trend, events)
