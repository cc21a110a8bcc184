"""What came of each file: what is known of it still, and what has to be read."""

import os
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from skilltune.facts import FileFacts
from skilltune.scan.batches import unpacked
from skilltune.scan.executors import read_all
from skilltune.scan.reading import Reading, Task, pack
from skilltune.sources import SOURCES
from skilltune.sources.base import readable
from skilltune.stores.scan_cache import Place, ScanCache, place_of

__all__ = ["read_tasks"]


class _Look(NamedTuple):
    """What a look at a file told."""

    task: Task
    place: Place | None
    """None where it cannot be looked at."""
    linked: bool = False
    """Another path led to it already."""
    kept: bytes | None = None
    """Its packed facts, where they are known."""

    @property
    def unread(self) -> bool:
        """Whether the file has to be read."""
        return not self.linked and self.kept is None


def read_tasks(
    tasks: Sequence[Task], *, workers: int | None = 1, executor: Executor | None = None, cache: Path | None = None
) -> Generator[Reading, None, None]:
    """What came of each file, in their order; see ``scan`` for the parameters."""
    with nullcontext() if cache is None else ScanCache(cache, now=time.time_ns()) as kept:
        looks = list(_look(tasks, kept))
        readings = read_all([look.task for look in looks if look.unread], workers=workers, executor=executor)
        for look in looks:
            if not look.unread:
                yield _known(look)
                continue
            reading = next(readings)
            if kept is not None:
                _keep(kept, look, reading)
            yield reading


def _look(tasks: Sequence[Task], cache: ScanCache | None) -> Iterator[_Look]:
    """Look at each file once."""
    seen: set[tuple[int, int]] = set()
    for task in tasks:
        place = _place(task.path)
        if place is not None and place.inode and place[:2] in seen:
            yield _Look(task, place, linked=True)
            continue
        if place is not None:
            seen.add(place[:2])
        found = cache.find(task.path, place, by=_by(task)) if cache and place and _alone(task) else None
        yield _Look(task, place, kept=found)


def _known(look: _Look) -> Reading:
    if look.kept is None:
        return Reading(FileFacts(path=readable(look.task.path), skipped="same_file"))
    return unpacked((look.kept, ""))


def _keep(cache: ScanCache, look: _Look, reading: Reading) -> None:
    """Keep what was read, unless the file changed meanwhile or does not say all alone."""
    if reading.facts is None or look.place is None or not _alone(look.task) or _place(look.task.path) != look.place:
        return
    cache.keep(look.task.path, look.place, reading.packed or pack(reading.facts), by=_by(look.task))


def _alone(task: Task) -> bool:
    """Whether the facts depend on nothing but the file: no database with a journal, no tree of files."""
    return all(getattr(SOURCES[name], "alone", False) for name in task.sources)


def _by(task: Task) -> str:
    return f"{' '.join(task.sources)} {task.home}"


def _place(path: str) -> Place | None:
    try:
        return place_of(os.stat(path))  # noqa: PTH116 (a Path for each file takes longer than the look)
    except (OSError, ValueError):
        return None
