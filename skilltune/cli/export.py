"""The commands ``export events``, ``uses``, ``metrics`` and ``hotspots``: the feedback log as files for other tools."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skilltune.cli.options import AsJson, AsOf, Implicit, Labels, MinInvocations, Skill, SkillArgument, WorkspaceDir
from skilltune.cli.output import print_json, print_text, safe, warn_of_log

if TYPE_CHECKING:
    from skilltune.exporting.tables import Content

__all__ = ["export"]

export = typer.Typer(name="export")

Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        metavar="FILE",
        help="The file; its ending tells the format: .csv, .parquet, .json or .md. Default, and in a folder: "
        "DATE-session-feedback-CONTENT.csv, hotspots as .md.",
        show_default=False,
    ),
]
Form = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="csv|parquet|json|md",
        help="Default: as the output's name ends. csv: UTF-8, RFC 4180; a text that a spreadsheet would compute "
        "(it begins with = + - @, tab or return) has an apostrophe (') before it. parquet needs pyarrow: "
        "pip install 'skilltune[parquet]'.",
    ),
]
Input = Annotated[
    Path | None,
    typer.Option("--input", "--log", metavar="LOG", help="A feedback log to read instead of the workspace's."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")]
Append = Annotated[
    bool,
    typer.Option(
        "--append", help="Add the rows to a file of an earlier export; a row of the same key replaces the older one."
    ),
]
Privacy = Annotated[bool, typer.Option("--privacy", help="Without texts, paths, project and session names.")]
Snippets = Annotated[
    bool | None,
    typer.Option("--snippets/--no-snippets", help="Whether with what people said. Default: as the config says (yes)."),
]
Window = Annotated[
    int | None, typer.Option("--days", min=1, max=3650, metavar="N", help="Length of the window. Default: all time.")
]


@export.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    """The feedback log as files for other tools: CSV, Parquet, JSON, Markdown.

    Secrets are masked, files are readable by you only; --privacy leaves out what people said, paths, project and
    session names.

    Example: skilltune export events --days 90 --output events.parquet
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


@export.command()
def events(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    output: Output = None,
    form: Form = None,
    log: Input = None,
    workspace: WorkspaceDir = None,
    as_of: AsOf = None,
    days: Window = None,
    labels: Labels = True,
    privacy: Privacy = False,
    snippets: Snippets = None,
    overwrite: Overwrite = False,
    append: Append = False,
    as_json: AsJson = False,
) -> None:
    """One row per judged use.

    Example: skilltune export events --output events.csv
    """
    given = {"format": form, "log": log, "workspace": workspace, "as_of": as_of, "days": days, "use_labels": labels}
    given |= {"privacy": privacy, "snippets": snippets, "overwrite": overwrite, "append": append}
    _run("events", output, as_json=as_json, skill_id=skill or skill_option, **given)


@export.command()
def uses(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    output: Output = None,
    form: Form = None,
    log: Input = None,
    workspace: WorkspaceDir = None,
    as_of: AsOf = None,
    days: Window = None,
    labels: Labels = True,
    privacy: Privacy = False,
    overwrite: Overwrite = False,
    append: Append = False,
    as_json: AsJson = False,
) -> None:
    """One row per use, judged or not, and per failed call.

    Example: skilltune export uses --output uses.parquet
    """
    given = {"format": form, "log": log, "workspace": workspace, "as_of": as_of, "days": days, "use_labels": labels}
    given |= {"privacy": privacy, "overwrite": overwrite, "append": append}
    _run("uses", output, as_json=as_json, skill_id=skill or skill_option, **given)


@export.command()
def metrics(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    output: Output = None,
    form: Form = None,
    log: Input = None,
    workspace: WorkspaceDir = None,
    as_of: AsOf = None,
    days: Annotated[int, typer.Option("--days", min=1, max=3650, metavar="N", help="Length of the window.")] = 30,
    min_invocations: MinInvocations = None,
    labels: Labels = True,
    implicit: Implicit = True,
    privacy: Privacy = False,
    overwrite: Overwrite = False,
    append: Append = False,
    as_json: AsJson = False,
) -> None:
    """One row per skill: rate, n and 95 % interval of a window.

    Example: skilltune export metrics --as-of 2026-11-30 --output metrics.csv --append
    """
    given = {"format": form, "log": log, "workspace": workspace, "as_of": as_of, "days": days, "use_labels": labels}
    given |= {"implicit": implicit, "privacy": privacy, "overwrite": overwrite, "append": append}
    needed = _needed(min_invocations, workspace)
    _run("metrics", output, as_json=as_json, skill_id=skill or skill_option, min_invocations=needed, **given)


@export.command()
def hotspots(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    output: Output = None,
    form: Form = None,
    log: Input = None,
    workspace: WorkspaceDir = None,
    as_of: AsOf = None,
    days: Window = None,
    min_invocations: MinInvocations = None,
    labels: Labels = True,
    implicit: Implicit = True,
    privacy: Privacy = False,
    snippets: Snippets = None,
    overwrite: Overwrite = False,
    append: Append = False,
    as_json: AsJson = False,
) -> None:
    """What was wrong, by skill and dimension.

    As .md: a note with front matter, counts, skills and the recent corrections.

    Example: skilltune export hotspots --days 30
    """
    given = {"format": form, "log": log, "workspace": workspace, "as_of": as_of, "days": days, "use_labels": labels}
    given |= {"implicit": implicit, "privacy": privacy, "snippets": snippets, "overwrite": overwrite, "append": append}
    needed = _needed(min_invocations, workspace)
    _run("hotspots", output, as_json=as_json, skill_id=skill or skill_option, min_invocations=needed, **given)


def _run(content: "Content", output: Path | None, *, as_json: bool, **given: Any) -> None:
    from skilltune.exporting.command import export_table
    from skilltune.workflow import existing_log

    done = export_table(content, output, **given)
    warn_of_log(existing_log(given["log"], workspace=given["workspace"]).path, done.problems)
    if as_json:
        row = {"output": str(done.path), "content": done.content, "format": done.format, "rows": done.rows}
        print_json({**row, "columns": list(done.columns)})
    else:
        verb = "added to" if given["append"] else "written to"
        noun = "row" if done.rows == 1 else "rows"
        print_text(f"{done.rows:,} {noun} of {done.content} {verb} {safe(str(done.path))}")


def _needed(min_invocations: int | None, workspace: Path | None) -> int:
    from skilltune.stores.workspace import find_workspace

    settings: Any = find_workspace(explicit=workspace).config.report
    return int(settings.min_invocations if min_invocations is None else min_invocations)
