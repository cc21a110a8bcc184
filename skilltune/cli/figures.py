"""Commands that print figures: ``metrics``, ``trend``, ``events``."""

from typing import Annotated

import typer

from skilltune.cli.options import AsJson, AsOf, MinInvocations, Skill, SkillArgument, WorkspaceDir
from skilltune.cli.output import print_json, print_text, terminal

__all__ = ["COMMANDS"]


def metrics(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    as_of: AsOf = None,
    min_invocations: MinInvocations = None,
    plain: Annotated[bool, typer.Option("--plain", help="The well-known plain lines, for scripts.")] = False,
    as_json: AsJson = False,
) -> None:
    """Correction rate of each skill, worst first, with counts, coverage and interval.

    Example: skilltune metrics --min-invocations 10
    """
    from skilltune import workflow

    figures = workflow.skill_figures(
        workspace=workspace, skill_id=skill or skill_option, as_of=as_of, min_invocations=min_invocations
    )
    if as_json:
        print_json(figures.as_rows())
    elif plain:
        print_text(figures.as_report())
    else:
        print_text(figures.as_text(**terminal()))


def trend(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    as_of: AsOf = None,
    days: Annotated[int, typer.Option("--days", min=1, help="Length of each of the two windows.")] = 30,
    min_invocations: MinInvocations = None,
    as_json: AsJson = False,
) -> None:
    """Is it getting better or worse: the last 30 days against the 30 before.

    Example: skilltune trend --days 14
    """
    from skilltune import workflow

    trends = workflow.skill_trends(
        workspace=workspace, skill_id=skill or skill_option, as_of=as_of, days=days, min_invocations=min_invocations
    )
    if as_json:
        print_json(trends.as_rows())
    else:
        print_text(trends.as_text(**terminal()))


def events(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    workspace: WorkspaceDir = None,
    last: Annotated[int, typer.Option("--last", min=1, help="How many, newest first.")] = 20,
    as_json: AsJson = False,
) -> None:
    """The feedback events themselves, newest first, each with the rule that decided it.

    Example: skilltune events cpp-expert --last 5
    """
    from skilltune import workflow

    rows = workflow.newest_events(workspace=workspace, skill_id=skill or skill_option, last=last)
    if as_json:
        print_json(rows)
    else:
        from skilltune.cli.mined_text import events_text

        print_text(events_text(rows))


COMMANDS = (metrics, trend, events)
