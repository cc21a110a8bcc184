"""The command line: parse, call the workflow, print what rendering makes of the result."""

import errno
import os
import signal
import sys
import traceback
from contextlib import suppress
from types import FrameType
from typing import Annotated, NoReturn

import typer

from skilltune import __version__
from skilltune.cli.streams import let_go_of, output_fault, prepare_streams
from skilltune.errors import (
    AuditError,
    CollectionDisabled,
    LogError,
    ReadError,
    RefusedError,
    ReportError,
    SkillFileError,
    SkilltuneError,
)

__all__ = ["app", "main"]

NO_ROOM = (errno.ENOSPC, errno.EROFS, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
"""What the system says where no more can be written."""
EXIT_REFUSED, EXIT_UNREADABLE, EXIT_REPORT, EXIT_OUTPUT, EXIT_INPUT, EXIT_FAULT = 3, 4, 5, 6, 2, 70

app = typer.Typer(
    name="skilltune",
    help="Find out which of your agent skills get corrected, how often, and why. "
    "Reads session logs on this machine and sends nothing anywhere, unless you say: judge --send.",
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
    from skilltune.cli import (
        contradictions,
        doctor,
        drift,
        figures,
        history,
        judge,
        lab,
        notebook,
        refine,
        report,
        sessions,
        standing,
        train,
    )
    from skilltune.cli.audit import audit
    from skilltune.cli.export import export
    from skilltune.cli.feedback import feedback
    from skilltune.cli.hook_commands import hook, hooks
    from skilltune.cli.label import label

    for module in (
        report,
        notebook,
        lab,
        sessions,
        figures,
        judge,
        train,
        refine,
        drift,
        contradictions,
        history,
        doctor,
        standing,
    ):
        for command in module.COMMANDS:
            app.command()(command)
    app.add_typer(feedback, name="feedback")
    app.add_typer(label, name="label")
    app.add_typer(audit, name="audit")
    app.add_typer(export, name="export")
    app.add_typer(hooks, name="hooks")
    app.command()(hook)


def main() -> None:
    """Run the command line; the exit code is 0, or says what went wrong.

    1 not confirmed, or nothing to do; 2 wrong input, 3 refused by a bound or because collection is switched off, 4
    damaged or unreadable, 5 the report failed, 6 the output cannot be written, 70 a fault of skilltune, 130
    interrupted.
    """
    prepare_streams()
    _end_like_an_interrupt(signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))
    try:
        _register()
        _run_app()
    except SkilltuneError as error:
        _fail(str(error), code=_exit_code(error))
    except KeyboardInterrupt:
        _fail("interrupted; what was written is whole, run it again to go on", code=128 + signal.SIGINT)
    except BrokenPipeError:
        let_go_of(sys.stdout)
        sys.exit(0)
    except MemoryError:
        _fail(
            "there is not memory enough for this; end other programs, or read fewer sessions at once", code=EXIT_FAULT
        )
    except Exception as error:  # noqa: BLE001  # the edge of the program: a person is told, not shown a traceback
        if fault := output_fault():
            reason = fault.strerror or str(fault)
            _fail(
                f"the output cannot be written: {reason}; free some space or send it elsewhere, then run this again",
                code=EXIT_OUTPUT,
            )
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            _fail(_no_room_words(error), code=EXIT_OUTPUT)
        if os.environ.get("SKILLTUNE_DEBUG"):
            traceback.print_exc()
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        _fail(f"a fault of skilltune: {reason}; SKILLTUNE_DEBUG=1 shows where, please report it", code=EXIT_FAULT)


def _no_room_words(error: OSError) -> str:
    from skilltune.stores.spool import temporary_folder

    where = f"{error.filename}: " if error.filename else ""
    return (
        f"{where}{error.strerror}; free some space, or name other folders: --output, --workspace, TMPDIR (temporary "
        f"files go to {temporary_folder()})"
    )


def _run_app() -> None:
    """Run the command and see what it printed on its way, while an error can still be told."""
    try:
        app(prog_name="skilltune")
    except SystemExit:
        sys.stdout.flush()
        raise


def _end_like_an_interrupt(*numbers: int) -> None:
    """Let a request to end clean up as Ctrl-C does."""

    def interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    for number in numbers:
        signal.signal(number, interrupt)


def _fail(message: str, *, code: int) -> NoReturn:
    from skilltune.cli.output import safe

    with suppress(OSError):
        print(f"skilltune: {safe(message)}", file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        let_go_of(stream)
    sys.exit(code)


def _exit_code(error: SkilltuneError) -> int:
    from skilltune.evolution.refusals import ApprovalError, TextsTooDifferentError, TextTooLongError

    refused = (CollectionDisabled, RefusedError, ApprovalError, TextTooLongError, TextsTooDifferentError)
    kinds: list[tuple[type[SkilltuneError] | tuple[type[SkilltuneError], ...], int]] = [
        (refused, EXIT_REFUSED),
        ((ReadError, SkillFileError, AuditError), EXIT_UNREADABLE),
        (ReportError, EXIT_REPORT),
        (LogError, EXIT_OUTPUT),
    ]
    return next((code for kind, code in kinds if isinstance(error, kind)), EXIT_INPUT)
