"""Where the command line prints: text that fits the terminal, JSON for programs."""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import typer

from skilltune.rendering.terminal import safe

__all__ = ["print_json", "print_lines", "print_text", "safe", "terminal", "warn_of_log"]


def terminal() -> dict[str, Any]:
    """How the terminal is: width (columns), color and unicode (bools)."""
    encoding = (sys.stdout.encoding or "").lower()
    return {
        "width": min(max(shutil.get_terminal_size((80, 24)).columns, 60), 120),
        "color": sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb",
        "unicode": "utf" in encoding,
    }


def print_text(text: str) -> None:
    """Print `text`; what the terminal cannot show is replaced, never an error."""
    encoding = sys.stdout.encoding or "utf-8"
    typer.echo(text.encode(encoding, "replace").decode(encoding).rstrip("\n"))


def print_json(value: Any) -> None:
    """Print one JSON document, ASCII only so that every terminal and pipe keeps it whole."""
    typer.echo(json.dumps(value, indent=2, allow_nan=False, default=str))


def print_lines(rows: Iterable[Any]) -> None:
    """Print one JSON document a line."""
    for row in rows:
        typer.echo(json.dumps(row, allow_nan=False, default=str))


def warn_of_log(path: Path, problems: Mapping[str, int]) -> None:
    """Say on standard error which lines of a log could not be used."""
    if problems:
        reasons = ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in problems.items())
        print(
            f"skilltune: warning: {safe(str(path))}: lines that were passed over or mended: {reasons}", file=sys.stderr
        )
