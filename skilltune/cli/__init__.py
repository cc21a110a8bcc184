"""The command line: parse, call the workflow, print what rendering makes of the result."""

import os
import signal
import sys
from typing import Annotated

import typer

from skilltune import __version__
from skilltune.errors import CollectionDisabled, ReadError, ReportError, SkilltuneError

__all__ = ["app", "main"]

EXIT_INPUT, EXIT_REFUSED, EXIT_UNREADABLE, EXIT_REPORT = 2, 3, 4, 5

app = typer.Typer(
    name="skilltune",
    help="Find out which of your agent skills get corrected, how often, and why. "
    "Reads session logs on this machine and sends nothing anywhere.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def _root(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)] = False,
) -> None:
    """Find out which of your agent skills get corrected, how often, and why."""
    if version:
        print(__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


def _register() -> None:
    """Import the command modules: each adds its commands to ``app``."""
    from skilltune.cli import figures, report, sessions
    from skilltune.cli.feedback import feedback

    for module in (report, sessions, figures):
        for command in module.COMMANDS:
            app.command()(command)
    app.add_typer(feedback, name="feedback")


def main() -> None:
    """Run the command line; the exit code is 0, or says what went wrong.

    2 wrong input, 3 collection is switched off, 4 nothing could be read, 5 the report failed, 130 interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace" if stream is sys.stderr else "backslashreplace")
    _register()
    try:
        app(prog_name="skilltune")
    except SkilltuneError as error:
        print(f"skilltune: {error}", file=sys.stderr)
        sys.exit(_exit_code(error))
    except KeyboardInterrupt:
        print("skilltune: interrupted; what was written is whole, run it again to go on", file=sys.stderr)
        sys.exit(128 + signal.SIGINT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _exit_code(error: SkilltuneError) -> int:
    kinds = {CollectionDisabled: EXIT_REFUSED, ReadError: EXIT_UNREADABLE, ReportError: EXIT_REPORT}
    return next((code for kind, code in kinds.items() if isinstance(error, kind)), EXIT_INPUT)
