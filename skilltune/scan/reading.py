"""The facts of one file, read in whatever process."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from skilltune.errors import RecordError
from skilltune.facts import FileFacts
from skilltune.sources import SOURCES, Source
from skilltune.sources.base import COMPRESSED, naming, readable

__all__ = ["Reading", "Task", "pack", "read_task", "unpack"]

_UNREADABLE = (OSError, ValueError, ArithmeticError, RecursionError)
"""What reading one file may raise without ending the run: the file is named with the reason."""


class Task(NamedTuple):
    """One file to read: plain values, so that any process can do it."""

    path: str
    sources: tuple[str, ...]
    """Names in ``SOURCES`` of those that list the file."""
    home: str = ""
    """The one of them in whose own folders it lies, or ''."""
    strict: bool = False


class Reading(NamedTuple):
    """What came of a task."""

    facts: FileFacts | None
    """None where the file could not be read."""
    error: str = ""
    """Why not."""
    packed: bytes = b""
    """The facts as bytes, where they came so."""


pack = msgspec.msgpack.Encoder().encode
unpack = msgspec.msgpack.Decoder(FileFacts).decode


def read_task(task: Task) -> Reading:
    """Read one file.

    Raises
    ------
    RecordError
        With ``task.strict``, a line is damaged.
    """
    path = Path(task.path)
    try:
        return Reading(_read(path, task))
    except RecordError:
        raise
    except _UNREADABLE as error:
        return Reading(None, str(error).removeprefix(f"{readable(path)}: ") or type(error).__name__)


def _read(path: Path, task: Task) -> FileFacts:
    """Facts of one file, by the first source that knows its content.

    The only one that lists it, and the one whose home it lies in, need not be asked first: their reader tells as well.
    What nobody knows is read for its counts.
    """
    if path.name.endswith(COMPRESSED):
        return FileFacts(path=readable(path), size=_size(path), skipped="compressed")
    sources = [SOURCES[name] for name in task.sources]
    if task.home and not task.strict:
        home = SOURCES[task.home]
        facts = home.read_facts(path)
        if facts.skipped != "not_a_session":
            return facts
        other = _knowing(path, [source for source in sources if source is not home])
        return other.read_facts(path) if other else facts
    chosen = _knowing(path, sources) if len(sources) > 1 else None
    return (chosen or sources[0]).read_facts(path, strict=task.strict)


def _knowing(path: Path, sources: Iterable[Source]) -> Source | None:
    return next((source for source in sources if source.sniff(path)), None)


def _size(path: Path) -> int:
    with naming(path):
        return path.stat().st_size
