"""What every source offers, and how files are found in a folder."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from skilltune.errors import ReadError
from skilltune.facts import FileFacts

__all__ = [
    "COMPRESSED",
    "DAMAGES",
    "MAX_PROBLEMS",
    "OnError",
    "Source",
    "naming",
    "readable",
    "walk_files",
]

MAX_PROBLEMS: Final = 100
"""How many damaged lines of a file are named."""
DAMAGES: Final = frozenset({"not_json", "not_object", "too_long", "pending"})
"""Reasons under which lines are counted that hold no record."""

COMPRESSED: Final = (".jsonl.zst", ".jsonl.gz")
"""How the names of sessions end that somebody packed: they are counted, not read."""

OnError = Callable[[Path, str], None]
"""Called with a path that cannot be read and the reason."""


class Source(Protocol):
    """The logs of one agent.

    One that has an attribute ``alone``, true, says that the facts of a file depend on that file alone: they are
    remembered until it changes. One that has a method ``read_on`` (``carrying.ReadOn``) can go on reading a file that
    has grown.
    """

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

        ``skipped`` is ``empty`` for a file without records, and ``not_a_session`` for one that is not this agent's.

        Raises
        ------
        ReadError
            The file cannot be read.
        RecordError
            With `strict`, a line is damaged.
        """
        ...


def walk_files(root: Path, *, suffix: str | tuple[str, ...], on_error: OnError | None = None) -> Iterator[Path]:
    """Regular files under `root` whose name ends in (one) `suffix`, sorted folder by folder; `root` itself if a file.

    Links to folders are followed, each folder is entered once. A name in a folder is not looked at twice: what the
    folder's own list tells of it is enough.
    """
    report = on_error or (lambda _path, _message: None)
    entered: set[tuple[int, int]] = set()
    waiting = [(root := Path(root), False)]
    while waiting:
        path, regular = waiting.pop()
        if regular:
            yield path
            continue
        try:
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                if path == root or path.name.endswith(suffix):
                    yield path
            elif not stat.S_ISDIR(status.st_mode):
                report(path, "not a regular file")
            elif (place := (status.st_dev, status.st_ino)) not in entered:
                entered.add(place)
                waiting += reversed(_worth_a_look(path, suffix=suffix))
        except OSError as error:
            report(path, error.strerror or str(error))


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """What the system refuses, as an error that names the file.

    Raises
    ------
    ReadError
        Something cannot be read.
    """
    try:
        yield
    except ReadError:
        raise
    except OSError as error:
        raise ReadError(f"{readable(path)}: {error.strerror or error}") from error


def readable(path: Path | str) -> str:
    """A path as text that can be shown and stored, U+FFFD for bytes that are no UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")


def _worth_a_look(folder: Path, *, suffix: str | tuple[str, ...]) -> list[tuple[Path, bool]]:
    """What may be or hold a file with `suffix`, sorted, and whether it surely is one.

    What cannot be told is kept, so that it is reported.
    """
    with os.scandir(folder) as entries:
        found = [
            (entry.name, entry.is_file(follow_symlinks=False))
            for entry in entries
            if entry.name.endswith(suffix) or _may_be_folder(entry)
        ]
    inside = os.path.join(folder, "")  # noqa: PTH118 (Path joins names in twice the time)
    return [(Path(inside + name), regular) for name, regular in sorted(found)]


def _may_be_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return True
