"""The index of a folder of reports: what its pages say, with figures from the log that are kept beside it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from skilltune.reports.weeks import find_skills, find_weeks, render_index
from skilltune.stores.files import read_head, replace_file

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = ["INDEX", "read_figures", "week_names", "write_index"]

INDEX: Final = "index.html"
KEPT: Final = ".index.json"
"""Figures of the pages, so that making one of them does not read the log for all."""
_MOST_BYTES: Final = 10_000_000
_VERSION: Final = 1
_PARTS: Final = ("weeks", "skills")


def week_names(root: Path) -> list[str]:
    """The weeks that have a page under `root`, newest first."""
    return [week.name for week in find_weeks(root)]


def write_index(root: Path, notebook: "NotebookNode", *, told: Mapping[str, Mapping[str, Any]] | None = None) -> None:
    """Write the index anew, with the figures that `notebook`, which was just run, found in the log.

    Parameters
    ----------
    told
        What is known of its page beside them, by part and name.
    """
    figures = read_figures(root)
    for part, rows in _told(notebook).items():
        more = (told or {}).get(part, {})
        figures[part] |= {name: {**rows.get(name, {}), **more.get(name, {})} for name in {**rows, **more}}
    weeks, skills = find_weeks(root), find_skills(root)
    there = {"weeks": {week.name for week in weeks}, "skills": {skill.name for skill in skills}}
    figures = {part: {name: row for name, row in figures[part].items() if name in there[part]} for part in _PARTS}
    text = json.dumps({"version": _VERSION, **figures}, ensure_ascii=True, sort_keys=True)
    replace_file(root / KEPT, text.encode())
    replace_file(root / INDEX, render_index(weeks, skills=skills, figures=figures).encode())


def read_figures(root: Path) -> dict[str, dict[str, Mapping[str, Any]]]:
    """``weeks`` and ``skills``: name of a page → its figures; empty where none are kept, or they cannot be read."""
    try:
        told = json.loads(read_head(root / KEPT, _MOST_BYTES))
    except (OSError, ValueError):
        told = {}
    sound = isinstance(told, dict) and told.get("version") == _VERSION
    parts = {part: told.get(part) if sound else None for part in _PARTS}
    return {part: _rows(rows) for part, rows in parts.items()}


def _rows(rows: Any) -> dict[str, Mapping[str, Any]]:
    found = rows.items() if isinstance(rows, dict) else ()
    return {name: row for name, row in found if isinstance(row, dict)}


def _told(notebook: "NotebookNode") -> dict[str, dict[str, Mapping[str, Any]]]:
    """The figures that a section of `notebook` gave with its output."""
    told: dict[str, dict[str, Mapping[str, Any]]] = {part: {} for part in _PARTS}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            figures = output.get("metadata", {}).get("skilltune", {}).get("figures", {})
            for part in _PARTS:
                told[part] |= _rows(figures.get(part))
    return told
