"""The command ``report``: from sessions to the weekly page."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skilltune.cli.options import AsJson, Labels, MinInvocations, SessionDirs, WorkspaceDir
from skilltune.cli.output import print_json, print_text, safe

if TYPE_CHECKING:
    from skilltune.reports.command import WeeklyReport

__all__ = ["COMMANDS"]


def report(
    *,
    week: Annotated[
        str | None, typer.Option("--week", metavar="WEEK", help="ISO week, as 2026-W48. Default: the last whole one.")
    ] = None,
    session_dir: SessionDirs = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FOLDER", help="Folder of the reports. Default: ./reports.")
    ] = None,
    workspace: WorkspaceDir = None,
    time_zone: Annotated[
        str | None,
        typer.Option(
            "--time-zone", metavar="NAME", help="Where weeks begin, as Europe/Berlin. Default: this machine's."
        ),
    ] = None,
    skills: Annotated[
        list[str] | None, typer.Option("--skill", metavar="NAME", help="Only this skill; several times.")
    ] = None,
    min_invocations: MinInvocations = None,
    privacy: Annotated[bool, typer.Option("--privacy", help="No quotes, paths, project or session names.")] = False,
    sample: Annotated[bool, typer.Option("--sample", help="Report on the bundled sample sessions.")] = False,
    labels: Labels = True,
    mine: Annotated[bool, typer.Option("--mine/--no-mine", help="Read what is new in the sessions first.")] = True,
    as_json: AsJson = False,
) -> None:
    """Write the week's page from your sessions.

    The page is one HTML file that opens without a network. Where there are no sessions the bundled sample is shown,
    and says so. Sessions named by --session-dir go into a log of their own, OUTPUT/.skilltune, not into yours.

    Example: skilltune report --week 2026-W48
    """
    from skilltune.reports.command import weekly_report

    made = weekly_report(
        week=week,
        session_dirs=session_dir,
        output=output,
        workspace=workspace,
        time_zone=time_zone,
        skills=skills,
        min_invocations=min_invocations,
        privacy=privacy,
        sample=sample,
        use_labels=labels,
        mine_first=mine,
        progress=not as_json,
    )
    if as_json:
        print_json(asdict(made))
    else:
        print_text(_made_text(made, asked=sample))


def _made_text(made: "WeeklyReport", *, asked: bool) -> str:
    about = f"{made.sessions:,} sessions read" if made.sessions else "from the feedback log"
    if made.sample:
        about = "bundled sample sessions" if asked else "bundled sample sessions: none of your own were found"
    return f"Week {made.week} ({about})\nReport: {safe(str(made.page))}\nAll weeks: {safe(str(made.index))}"


COMMANDS = (report,)
