"""Commands over the feedback log itself: ``feedback scrub``."""

from pathlib import Path
from typing import Annotated

import typer

from skilltune.cli.options import AsJson, WorkspaceDir
from skilltune.cli.output import print_json, print_text

__all__ = ["feedback"]

feedback = typer.Typer(help="The feedback log itself.", no_args_is_help=True, rich_markup_mode=None)


@feedback.callback()
def _root() -> None:
    """The feedback log itself."""


@feedback.command()
def scrub(
    *,
    workspace: WorkspaceDir = None,
    log: Annotated[
        Path | None, typer.Option("--log", metavar="FILE", help="A feedback log instead of the workspace's.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove what people said from the log.

    The verdicts and counts stay; the texts, in the archive too, are gone for good. Lines nobody can read go as well,
    for they may hold text.

    Example: skilltune feedback scrub --yes
    """
    from skilltune.workflow import existing_log

    found = existing_log(log, workspace=workspace)
    if not yes:
        typer.confirm(f"Remove all texts from {found.path}? This cannot be undone.", abort=True)
    counts = found.scrub()
    if as_json:
        print_json({"log": str(found.path), "texts": counts.texts, "damaged": counts.damaged})
    else:
        print_text(f"{counts.texts:,} texts and {counts.damaged:,} unreadable lines removed from {found.path}")
