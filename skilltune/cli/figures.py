"""Commands that print figures from the feedback log: ``metrics``, ``trend``, ``events``."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skilltune.cli.mined_text import events_text
from skilltune.cli.options import AsJson, AsOf, MinInvocations, Skill, SkillArgument, WorkspaceDir
from skilltune.cli.output import print_json, print_text, terminal
from skilltune.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COMMANDS"]

Log = Annotated[Path | None, typer.Option("--log", help="A feedback log to read instead of the workspace's.")]
Days = Annotated[int, typer.Option("--days", min=1, max=3650, help="Length of the window, in days.")]


def metrics(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    log: Log = None,
    as_of: AsOf = None,
    days: Days = 30,
    min_invocations: MinInvocations = None,
    plain: Annotated[bool, typer.Option("--plain", help="The well-known lines over all time, for scripts.")] = False,
    as_json: AsJson = False,
) -> None:
    """Correction rate of each skill, worst first, with counts, coverage and interval.

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
    """Is it getting better or worse: the last days against as many before them.

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
    last: Annotated[int, typer.Option("--last", min=1, help="How many, newest first.")] = 20,
    as_json: AsJson = False,
) -> None:
    """The feedback events themselves, newest first, each with the rule that decided it.

    Example: skilltune events cpp-expert --last 5
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
    """Events and uses of the log; an error where `skill` is not among them."""
    from skilltune.workflow import read_events, read_invocations

    events, invocations = read_events(log, workspace=workspace), read_invocations(log, workspace=workspace)
    known = sorted({*events["skill_id"], *invocations["skill_id"]})
    if skill is not None and skill not in known:
        raise InputError(f"no use of the skill {skill!r} is in the log; it knows {', '.join(known) or 'none'}")
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
