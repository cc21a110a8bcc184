"""``skilltune doctor``: whether everything is in order on this machine."""

from typing import TYPE_CHECKING, Final

import typer

from skilltune.cli.options import AsJson, AsOf, WorkspaceDir
from skilltune.cli.output import print_result, safe, terminal

if TYPE_CHECKING:
    from skilltune.health.checks import Health

__all__ = ["COMMANDS"]

_MARKS: Final = {"failure": "FAILED", "warning": "warning", "ok": "ok"}


def doctor(*, workspace: WorkspaceDir = None, as_of: AsOf = None, as_json: AsJson = False) -> None:
    """Look at settings, logs, hooks, skills, transcripts and git; the exit code is 1 where something fails.

    Warnings, as of a log that is not there yet, leave it 0. Nothing is changed. Example: skilltune doctor
    """
    from skilltune.health.doctor import examine
    from skilltune.workflow import as_time

    found = examine(workspace, as_of=as_time(as_of))
    print_result(found.as_row(), _text(found, width=terminal()["width"]), as_json=as_json)
    if not found.healthy:
        raise typer.Exit(1)


def _text(found: "Health", *, width: int) -> str:
    """The failures first, then warnings, then what is in order."""
    from skilltune.rendering.terminal import count_words, wrapped

    counts = found.counts
    told = ", ".join(
        (
            count_words(counts["failure"], "failure"),
            count_words(counts["warning"], "warning"),
            f"{counts['ok']:,} in order",
        )
    )
    lines = [f"{'Healthy' if found.healthy else 'Not healthy'}: {told}.", ""]
    for verdict in ("failure", "warning", "ok"):
        for check in found.of_verdict(verdict):
            lines += wrapped(f"{_MARKS[verdict]:<8}{check.name}: {safe(check.found)}", width, hanging=" " * 8)
            if check.next_step:
                lines += wrapped(f"-> {safe(check.next_step)}", width, indent=" " * 8, hanging=" " * 11)
    return "\n".join(lines)


COMMANDS = (doctor,)
