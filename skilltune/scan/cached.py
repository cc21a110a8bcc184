"""What came of each file: what is known of it still, and what has to be read."""

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import cache as remembered
from typing import Final, NamedTuple

import msgspec

from skilltune.facts import FileFacts
from skilltune.scan.executors import read_all
from skilltune.scan.outlines import Outline, outline_of, pack_outline, unpack_outline
from skilltune.scan.reading import Reading, Task, pack
from skilltune.sources import SOURCES
from skilltune.sources.base import readable
from skilltune.stores.kept_facts import KeptFacts
from skilltune.stores.scan_cache import Fresh, Kept, Place, ScanCache, place_of

__all__ = ["Result", "place_at", "read_tasks", "state_of_all"]

_WORTH_BYTES: Final = 64 << 10
"""A smaller file is read whole as fast as what would be carried on is kept."""
_ACTIVE_NS: Final = 3600 * 1_000_000_000
"""A file that changed within this time may well grow; of others it shows when they have grown once."""
_pack_state = msgspec.msgpack.Encoder().encode


class Result(NamedTuple):
    """What came of a file: facts that were read, or facts in the cache; neither where it could not be read."""

    outline: Outline | None
    facts: FileFacts | None = None
    packed: bytes = b""
    """The facts as bytes, where they came so."""
    kept: KeptFacts | None = None
    """The cache in which the facts lie …"""
    number: int = 0
    """… and their number there."""
    error: str = ""
    """Why the file could not be read."""


class _Look(NamedTuple):
    """What a look at a file told."""

    task: Task
    place: Place | None
    """None where it cannot be looked at."""
    linked: bool = False
    """Another path led to it already."""
    outline: Outline | None = None
    """Its outline, where it is known still."""
    number: int = 0
    """That of its facts in the cache."""

    @property
    def unread(self) -> bool:
        """Whether the file has to be read."""
        return not self.linked and self.outline is None


def place_at(path: str) -> Place | None:
    """Where a file is; None where it cannot be looked at."""
    try:
        return place_of(os.stat(path))  # noqa: PTH116 (a Path for each file takes longer than the look)
    except (OSError, ValueError):
        return None


def state_of_all(tasks: Sequence[Task], places: Sequence[Place | None]) -> bytes:
    """What is another as soon as anything may come of a file that did not come of it before; b"" where that is open."""
    if None in places or not all(_alone(task.sources) for task in tasks):
        return b""
    try:
        return _pack_state(
            [(task.path, task.sources, task.home, place) for task, place in zip(tasks, places, strict=True)]
        )
    except UnicodeEncodeError:
        return b""


def read_tasks(
    tasks: Sequence[Task],
    places: Sequence[Place | None],
    *,
    workers: int | None = 1,
    executor: Executor | None = None,
    cache: ScanCache | None = None,
) -> Generator[Result, None, None]:
    """What came of each file, in their order; see ``scan`` for the parameters."""
    facts = None if cache is None else cache.facts
    looks = list(_look(tasks, places, cache))
    readings = read_all([look.task for look in looks if look.unread], workers=workers, executor=executor)
    for look in looks:
        if look.outline is not None:
            yield Result(look.outline, kept=facts, number=look.number)
        elif look.linked:
            linked = FileFacts(path=readable(look.task.path), skipped="same_file")
            yield Result(outline_of(linked), linked)
        else:
            yield _read(look, next(readings), cache)


def _read(look: _Look, reading: Reading, cache: ScanCache | None) -> Result:
    if reading.facts is None:
        return Result(None, error=reading.error)
    outline, packed = outline_of(reading.facts), reading.packed
    task, place = look.task, look.place
    if cache is not None and place is not None and _alone(task.sources) and place_at(task.path) == place:
        packed = packed or pack(reading.facts)
        cache.keep(task.path, place, Fresh(packed, pack_outline(outline), reading.carried), by=_by(task))
    return Result(outline, reading.facts, packed)


def _look(tasks: Sequence[Task], places: Sequence[Place | None], cache: ScanCache | None) -> Iterator[_Look]:
    """Look at each file once."""
    seen: set[tuple[int, int]] = set()
    kept: Mapping[str, Kept] = {}
    if cache is not None:
        kept = cache.find([task.path for task in tasks if _alone(task.sources)])
    for task, place in zip(tasks, places, strict=True):
        if place is not None:
            if place.inode and place[:2] in seen:
                yield _Look(task, place, linked=True)
                continue
            seen.add(place[:2])
        yield _Look(task, place) if cache is None or place is None else _known(task, place, kept, cache)


def _known(task: Task, place: Place, kept: Mapping[str, Kept], cache: ScanCache) -> _Look:
    """What is known of a file at `place`; where it is to be read, whether from its start, and what of it is kept."""
    held = kept.get(task.path)
    ours = held is not None and held.reader == cache.reader(_by(task))
    if held is not None and ours and held.place == place.packed() and (outline := _outline(held)):
        return _Look(task, place, outline=outline, number=held.facts)
    if place.size < _WORTH_BYTES or not _alone(task.sources):
        return _Look(task, place)
    if held is not None and ours and (known := place.length_before(held.place)):
        return _Look(task._replace(carries=True, carried=cache.state(task.path), known=known), place)
    return _Look(task._replace(carries=place.modified > cache.now - _ACTIVE_NS), place)


def _outline(held: Kept) -> Outline | None:
    """The outline that is kept; None where it is damaged."""
    try:
        return unpack_outline(held.outline)
    except msgspec.DecodeError:
        return None


@remembered
def _alone(sources: tuple[str, ...]) -> bool:
    """Whether the facts depend on nothing but the file: no database with a journal, no tree of files."""
    return all(getattr(SOURCES[name], "alone", False) for name in sources)


def _by(task: Task) -> str:
    return f"{' '.join(task.sources)} {task.home}"
