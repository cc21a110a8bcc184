"""Which files there are to read, and by which sources."""

import os
from collections.abc import Sequence
from pathlib import Path

from skilltune.scan.reading import Task
from skilltune.sources import SOURCES
from skilltune.sources.base import readable

__all__ = ["find_tasks"]


def find_tasks(paths: Sequence[Path | str], unreadable: list[tuple[str, str]], *, strict: bool = False) -> list[Task]:
    """Every file once, sorted, with the sources that list it; what cannot be looked into goes to `unreadable`."""
    found: dict[Path, list[str]] = {}
    complaints: dict[str, str] = {}

    def complain(path: Path, message: str) -> None:
        complaints[readable(path)] = message

    for root in dict.fromkeys(Path(path) for path in paths):
        for name, source in SOURCES.items():
            for path in source.find_files(root, on_error=complain):
                listed = found.setdefault(path, [])
                if name not in listed:
                    listed.append(name)
    unreadable += complaints.items()
    homes = _homes()
    return [
        Task(str(path), tuple(found[path]), _home_of(path, names=found[path], homes=homes), strict)
        for path in sorted(found)
    ]


def _homes() -> dict[str, str]:
    """Each agent's own folders, as paths begin in them → its name."""
    return {f"{root}{os.sep}": name for name, source in SOURCES.items() for root in source.default_roots()}


def _home_of(path: Path, *, names: list[str], homes: dict[str, str]) -> str:
    """The one of the sources in whose own folders the file lies, or ''."""
    name = next((name for root, name in homes.items() if str(path).startswith(root)), "")
    return name if name in names else ""
