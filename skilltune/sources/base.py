"""What every source offers, and how files are found in a folder."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from skilltune.facts import FileFacts

__all__ = ["OnError", "Source", "walk_files"]

OnError = Callable[[Path, str], None]
"""Called with a path that cannot be read and the reason."""


class Source(Protocol):
    """The logs of one agent."""

    agent: str
    """As in the facts: ``claude-code`` …"""
    name: str
    """As people write it."""

    def default_roots(self) -> list[Path]:
        """Folders where this agent keeps its sessions, whether or not they exist."""
        ...

    def find_files(self, root: Path, *, on_error: OnError | None = None) -> Iterator[Path]:
        """Files under `root` that may be sessions, sorted; `root` itself where it is a file."""
        ...

    def sniff(self, path: Path) -> bool:
        """Whether the first records of the file look like this agent's sessions."""
        ...

    def read_facts(self, path: Path, *, strict: bool = False) -> FileFacts:
        """Facts of all sessions in one file.

        Raises
        ------
        ReadError
            The file cannot be read.
        RecordError
            With `strict`, a line is damaged.
        """
        ...


def walk_files(root: Path, *, suffix: str, on_error: OnError | None = None) -> Iterator[Path]:
    """Regular files under `root` whose name ends in `suffix`, sorted folder by folder; `root` itself if a file.

    Links to folders are followed, each folder is entered once.
    """
    report = on_error or (lambda _path, _message: None)
    yield from _walk(Path(root), suffix=suffix, report=report, entered=set(), given=True)


def _walk(path: Path, *, suffix: str, report: OnError, entered: set[tuple[int, int]], given: bool) -> Iterator[Path]:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            names = sorted(os.listdir(path))  # noqa: PTH208 (names only: a million Path objects are not needed)
        elif stat.S_ISREG(status.st_mode):
            names = None
        else:
            report(path, "not a regular file")
            return
    except OSError as error:
        report(path, error.strerror or str(error))
        return
    if names is None:
        if given or path.name.endswith(suffix):
            yield path
        return
    if (status.st_dev, status.st_ino) in entered:
        return
    entered.add((status.st_dev, status.st_ino))
    for name in names:
        child = path / name
        if name.endswith(suffix) or _may_be_folder(child):
            yield from _walk(child, suffix=suffix, report=report, entered=entered, given=False)


def _may_be_folder(path: Path) -> bool:
    """Whether to look into `path`; what cannot be told apart is looked at, so that it is reported."""
    return path.is_dir()
