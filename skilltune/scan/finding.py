"""Which files there are to read, and by which sources."""

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from skilltune.scan.reading import Task
from skilltune.scan.remote import find_remote, is_url
from skilltune.sources import SOURCES
from skilltune.sources.base import readable

__all__ = ["find_tasks"]


def find_tasks(paths: Sequence[Path | str], unreadable: list[tuple[str, str]], *, strict: bool = False) -> list[Task]:
    """Every file once, sorted, with the sources that list it, those under URLs last.

    What cannot be looked into goes to `unreadable`.
    """
    found: dict[str, tuple[str, ...]] = {}
    complaints: dict[str, str] = {}

    def complain(path: Path | str, message: str) -> None:
        complaints[readable(path)] = message

    elsewhere = [found for url in dict.fromkeys(paths) if is_url(url) for found in find_remote(str(url), complain)]
    for root in dict.fromkeys(Path(path) for path in paths if not is_url(path)):
        for name, source in SOURCES.items():
            for path in map(str, source.find_files(root, on_error=complain)):
                found[path] = _with_name(found.get(path, ()), name)
    unreadable += complaints.items()
    homes = _homes()
    roots = tuple(homes)
    tasks = [
        Task(
            path, found[path], _home_of(path, names=found[path], homes=homes) if path.startswith(roots) else "", strict
        )
        for path in sorted(found, key=_by_parts)
    ]
    alone = tuple(name for name, source in SOURCES.items() if getattr(source, "alone", False))
    return tasks + [Task(url, alone, strict=strict, size=size) for url, size in dict.fromkeys(elsewhere)]


def _homes() -> dict[str, str]:
    """Each agent's own folders, as paths begin in them → its name."""
    return {f"{root}{os.sep}": name for name, source in SOURCES.items() for root in source.default_roots()}


@cache
def _with_name(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    """One more name, if it is another: one object for all files that have the same."""
    return names if name in names else (*names, name)


def _by_parts(path: str) -> str:
    """Sorts folder by folder: a separator comes before any letter."""
    return path.replace(os.sep, "\0")


def _home_of(path: str, *, names: tuple[str, ...], homes: dict[str, str]) -> str:
    """The one of the sources in whose own folders the file lies, or ''."""
    name = next((name for root, name in homes.items() if path.startswith(root)), "")
    return name if name in names else ""
