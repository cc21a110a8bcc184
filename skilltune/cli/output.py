"""Where the command line prints: text that fits the terminal, JSON for programs."""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer

from skilltune.rendering.terminal import safe

__all__ = [
    "is_screen",
    "now",
    "print_json",
    "print_lines",
    "print_result",
    "print_text",
    "safe",
    "terminal",
    "warn",
    "warn_of_log",
]


def terminal() -> dict[str, Any]:
    """How the terminal is: width (columns), color and unicode (bools)."""
    encoding = (sys.stdout.encoding or "").lower()
    return {
        "width": min(max(shutil.get_terminal_size((80, 24)).columns, 60), 120),
        "color": sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb",
        "unicode": "utf" in encoding,
    }


def is_screen() -> bool:
    """Whether a person reads what is printed; for a program no line of a diff is broken."""
    return sys.stdout.isatty()


def print_text(text: str) -> None:
    """Print `text`; what the terminal cannot show is replaced, never an error."""
    encoding = sys.stdout.encoding or "utf-8"
    typer.echo(text.encode(encoding, "replace").decode(encoding).rstrip("\n"))


def print_json(value: Any) -> None:
    """Print one JSON document, ASCII only so that every terminal and pipe keeps it whole."""
    typer.echo(json.dumps(value, indent=2, allow_nan=False, default=str))


def print_result(row: Any, text: str, *, as_json: bool) -> None:
    """Print what a command did: for programs, or in words."""
    if as_json:
        print_json(row)
    else:
        print_text(text)


def print_lines(rows: Iterable[Any]) -> None:
    """Print one JSON document a line."""
    for row in rows:
        typer.echo(json.dumps(row, allow_nan=False, default=str))


def warn(message: str) -> None:
    """Say on standard error what to look at, on one line that no terminal obeys."""
    print(f"skilltune: warning: {safe(message)}", file=sys.stderr)


def warn_of_log(path: Path, problems: Mapping[str, int]) -> None:
    """Say on standard error which lines of a log could not be used."""
    if problems:
        reasons = ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in problems.items())
        warn(f"{path}: lines that were passed over or mended: {reasons}")


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
