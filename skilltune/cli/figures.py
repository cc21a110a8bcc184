"""Commands that print figures from the feedback log: ``metrics``, ``trend``, ``events``."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skilltune.cli.mined_text import events_text
from skilltune.cli.options import AsJson, AsOf, MinInvocations, Skill, SkillArgument, WorkspaceDir
from skilltune.cli.output import print_json, print_text, terminal, warn_of_log
from skilltune.errors import UnknownSkillError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COMMANDS"]

Log = Annotated[
    Path | None, typer.Option("--log", metavar="FILE", help="A feedback log to read instead of the workspace's.")
]
Days = Annotated[int, typer.Option("--days", min=1, max=3650, metavar="N", help="Length of the window, in days.")]


def metrics(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    log: Log = None,
    as_of: AsOf = None,
    days: Days = 30,
    min_invocations: MinInvocations = None,
    plain: Annotated[bool, typer.Option("--plain", help="One line a skill over all time, for scripts.")] = False,
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

    moment, needed, one = _moment(as_of), _needed(min_invocations, workspace), skill or skill_option
    events, invocations = _tables(workspace, log, skill=one)
    if plain:
        rows = skill_metrics(events, invocations=invocations, as_of=moment, min_invocations=needed)
        print_text(format_metrics_report([row for row in rows if one in (None, row["skill_id"])]))
        return
    ranking = _of_skill(
        ranked_skills(events, invocations=invocations, as_of=moment, days=days, min_invocations=needed), one
    )
    if as_json:
        print_json(as_records(ranking))
    else:
        print_text(render_metrics(ranking, as_of=moment, days=days, min_invocations=needed, **terminal()))


def trend(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    log: Log = None,
    as_of: AsOf = None,
    days: Days = 30,
    min_invocations: MinInvocations = None,
    as_json: AsJson = False,
) -> None:
    """Better or worse than the days before.

    The correction rate of the last days less that of as many days before them, with its interval.

    Example: skilltune trend --days 14
    """
    from skilltune.analysis.rows import as_records
    from skilltune.analysis.trends import correction_trend
    from skilltune.rendering import render_trends

    moment, needed, one = _moment(as_of), _needed(min_invocations, workspace), skill or skill_option
    events, invocations = _tables(workspace, log, skill=one)
    trends = _of_skill(
        correction_trend(events, invocations=invocations, as_of=moment, days=days, min_invocations=needed), one
    )
    if as_json:
        print_json(as_records(trends))
    else:
        print_text(render_trends(trends, as_of=moment, days=days, **terminal()))


def events(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    log: Log = None,
    last: Annotated[int, typer.Option("--last", min=1, metavar="N", help="How many, newest first.")] = 20,
    as_json: AsJson = False,
) -> None:
    """The feedback events, newest first.

    Each with what the person said and the rule that decided it.

    Example: skilltune events deslop --last 5
    """
    from skilltune.analysis.rows import as_records

    one = skill or skill_option
    found, _ = _tables(workspace, log, skill=one)
    newest = (
        _of_skill(found, one).sort_values(["timestamp", "event_id"], ascending=False, na_position="last").head(last)
    )
    rows = as_records(newest)
    if as_json:
        print_json(rows)
    else:
        print_text(events_text(rows))


def _tables(workspace: Path | None, log: Path | None, *, skill: str | None) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Events and uses of the log; an error where `skill` is not among them, a warning of lines nobody can read."""
    from skilltune.frames import to_frame
    from skilltune.records import FeedbackEvent, Invocation
    from skilltune.workflow import existing_log

    found = existing_log(log, workspace=workspace)
    contents = found.read()
    warn_of_log(found.path, contents.problem_counts)
    events, invocations = to_frame(contents.events, FeedbackEvent), to_frame(contents.invocations, Invocation)
    known = {*events["skill_id"], *invocations["skill_id"]}
    if skill is not None and skill not in known:
        raise UnknownSkillError(skill, known)
    return events, invocations


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
