"""The facts of one file, read in whatever process."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from skilltune.errors import RecordError
from skilltune.facts import FileFacts
from skilltune.scan.remote import copied_here, is_url, told_as
from skilltune.sources import SOURCES, Source
from skilltune.sources.base import COMPRESSED, naming, readable
from skilltune.sources.carrying import ReadOn

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
    carries: bool = False
    """What to go on from is asked for, since the file may grow."""
    carried: bytes = b""
    """What to go on from, where the file was read before …"""
    known: int = 0
    """… and how many bytes it had then."""
    size: int = 0
    """Bytes of a file under a URL; of others the disk tells."""


class Reading(NamedTuple):
    """What came of a task."""

    facts: FileFacts | None
    """None where the file could not be read."""
    error: str = ""
    """Why not."""
    packed: bytes = b""
    """The facts as bytes, where they came so."""
    carried: bytes = b""
    """What to go on from when the file has grown, where that was asked for and can be."""


pack = msgspec.msgpack.Encoder().encode
unpack = msgspec.msgpack.Decoder(FileFacts).decode


def read_task(task: Task) -> Reading:
    """Read one file.

    Raises
    ------
    RecordError
        With ``task.strict``, a line is damaged.
    """
    try:
        if is_url(task.path):
            with copied_here(task.path) as copy:
                return Reading(told_as(_read(copy, task)[0], task.path))
        facts, carried = _read(Path(task.path), task)
        return Reading(facts, carried=carried)
    except RecordError:
        raise
    except _UNREADABLE as error:
        return Reading(None, str(error).removeprefix(f"{readable(task.path)}: ") or type(error).__name__)


def _read(path: Path, task: Task) -> tuple[FileFacts, bytes]:
    """Facts of one file, by the first source that knows its content, and what to go on from.

    The only one that lists it, and the one whose home it lies in, need not be asked first: their reader tells as well.
    What nobody knows is read for its counts.
    """
    if path.name.endswith(COMPRESSED):
        return FileFacts(path=readable(path), size=_size(path), skipped="compressed"), b""
    sources = [SOURCES[name] for name in task.sources]
    if task.home and not task.strict:
        home = SOURCES[task.home]
        facts, carried = _read_by(home, path, task)
        if facts.skipped != "not_a_session":
            return facts, carried
        other = _knowing(path, [source for source in sources if source is not home])
        return _read_by(other, path, task) if other else (facts, carried)
    chosen = _knowing(path, sources) if len(sources) > 1 else None
    return _read_by(chosen or sources[0], path, task)


def _read_by(source: Source, path: Path, task: Task) -> tuple[FileFacts, bytes]:
    read_on: ReadOn | None = getattr(source, "read_on", None) if task.carries else None
    if read_on is not None:
        return read_on(path, carried=task.carried)
    return source.read_facts(path, strict=task.strict), b""


def _knowing(path: Path, sources: Iterable[Source]) -> Source | None:
    return next((source for source in sources if source.sniff(path)), None)


def _size(path: Path) -> int:
    with naming(path):
        return path.stat().st_size
