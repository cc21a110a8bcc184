"""All files of a run, and what came of them."""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from pathlib import Path

import msgspec
from msgspec import Struct

from skilltune.facts import FileFacts
from skilltune.scan.cached import Result, place_at, read_tasks, state_of_all
from skilltune.scan.finding import find_tasks
from skilltune.scan.holding import Holding
from skilltune.scan.owners import Owners, mark_copies
from skilltune.scan.reading import Task
from skilltune.scan.summary import ScanSummary, Sums
from skilltune.sources.base import readable
from skilltune.stores.scan_cache import ScanCache

__all__ = ["Scan", "scan"]


class Scan:
    """Facts of many files; as often as needed, one file in memory at a time."""

    def __init__(self, held: Holding, *, owners: Owners, summary: ScanSummary) -> None:
        self._held, self._owners = held, owners
        self.summary = summary

    def files(self) -> Iterator[FileFacts]:
        """Facts of each file, in sorted order of paths, items that another file owns marked ``copied``."""
        if not self.summary.copied:
            yield from self._held
            return
        for index, facts in enumerate(self._held):
            yield mark_copies(facts, owners=self._owners, index=index)


def scan(
    paths: Sequence[Path | str],
    *,
    strict: bool = False,
    progress: bool = False,
    workers: int | None = 1,
    executor: Executor | None = None,
    cache: Path | None = None,
) -> Scan:
    """Read all sessions in files and folders.

    Parameters
    ----------
    paths
        Files, or folders to search.
    strict
        Raise at the first damaged line instead of counting it; everything is read anew, in this process.
    progress
        Show a bar where standard error is a terminal.
    workers
        Processes that read; None for as many as the bytes to read are worth.
    executor
        An executor of ``concurrent.futures`` that reads instead of processes of our own; it sees the same files.
    cache
        A file that remembers what was read of files that have not changed since; None for none. One that is damaged
        or locked is done without.

    Raises
    ------
    RecordError
        With `strict`, a line is damaged.
    InputError
        `workers` is no number of processes.
    LogError
        What was read has no room in the folder for temporary files.
    """
    unreadable: list[tuple[str, str]] = []
    tasks = find_tasks(paths, unreadable, strict=strict)
    places = [place_at(task.path) for task in tasks]
    with nullcontext() if cache is None or strict else ScanCache(cache, now=time.time_ns()) as kept:
        state = b"" if kept is None else state_of_all(tasks, places)
        if kept is not None and (again := _tell_again(kept, state, tasks, unreadable=unreadable)):
            return again
        held, owners, sums = Holding(), Owners(), Sums()
        with closing(read_tasks(tasks, places, workers=workers, executor=executor, cache=kept)) as results:
            for task, result in zip(_shown(tasks, progress=progress), results, strict=True):
                if result.outline is None:
                    unreadable.append((readable(task.path), result.error))
                    continue
                owners.claim(result.outline, index=len(held))
                sums.add(result.outline)
                _hold(held, result, task)
        if kept is not None and not owners.contested and (numbers := held.numbers()):
            kept.remember(state, _pack_told(_Told(numbers, sums)))
    summary = sums.summary(files=len(tasks), copies=list(owners.copies()), unreadable=unreadable)
    return Scan(held, owners=owners, summary=summary)


class _Told(Struct, array_like=True):
    """What a run remembers whose files were all known, none a copy of another."""

    numbers: list[int]
    """Those of the facts in the cache."""
    sums: Sums


_pack_told = msgspec.msgpack.Encoder().encode
_unpack_told = msgspec.msgpack.Decoder(_Told).decode


def _tell_again(cache: ScanCache, state: bytes, tasks: list[Task], *, unreadable: list[tuple[str, str]]) -> Scan | None:
    """What an earlier run told over the same files in the same state; None where there was none."""
    packed, facts = cache.run(state), cache.facts
    try:
        told = _unpack_told(packed) if packed and facts is not None else None
    except msgspec.DecodeError:
        return None
    if told is None or facts is None or len(told.numbers) != len(tasks):
        return None
    cache.meet(task.path for task in tasks)
    held = Holding()
    held.refer_all(facts, numbers=told.numbers, tasks=tasks)
    return Scan(held, owners=Owners(), summary=told.sums.summary(files=len(tasks), copies=[], unreadable=unreadable))


def _hold(held: Holding, result: Result, task: Task) -> None:
    """Hold the facts of a file, or where they lie."""
    if result.facts is not None:
        held.add(result.facts, packed=result.packed)
    elif result.kept is not None:
        held.refer(result.kept, number=result.number, task=task)


def _shown(tasks: list[Task], *, progress: bool) -> Iterable[Task]:
    if not progress or not sys.stderr.isatty():
        return tasks
    from tqdm import tqdm

    return tqdm(tasks, desc="reading sessions", unit="file", file=sys.stderr, leave=False)
