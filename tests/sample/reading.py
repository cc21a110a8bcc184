"""The sample as the tests read it: plain ``json``, no reader of the project."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from skilltune.sample import sample_root

__all__ = ["counted_uses", "hazards", "line_of", "records", "sessions", "truth"]


@cache
def truth() -> list[dict[str, Any]]:
    """All rows of truth.jsonl."""
    return _rows("truth.jsonl")


@cache
def hazards() -> list[dict[str, Any]]:
    """All rows of hazards.jsonl."""
    return _rows("hazards.jsonl")


def counted_uses() -> list[dict[str, Any]]:
    """The uses that count by default: neither failed nor left out."""
    return [row for row in truth() if "failed" not in row and "left_out" not in row]


def sessions() -> list[Path]:
    """Every file under projects, sorted."""
    return sorted((sample_root() / "projects").rglob("*.jsonl"))


def line_of(row: dict[str, Any]) -> bytes:
    """The line that a row of truth or hazards points at."""
    return _lines(row["file"])[row["line"] - 1]


def records(path: Path) -> list[dict[str, Any]]:
    """The records of a file that are whole JSON objects on a line of their own."""
    found = []
    for line in path.read_bytes().decode("utf-8-sig", errors="replace").splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        found += [value] if isinstance(value, dict) else []
    return found


@cache
def _lines(file: str) -> list[bytes]:
    return (sample_root() / file).read_bytes().split(b"\n")


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (sample_root() / name).read_bytes().splitlines()]
