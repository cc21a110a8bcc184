"""All files of a run, and what came of them."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from pathlib import Path

from skilltune.facts import FileFacts
from skilltune.scan.cached import read_tasks
from skilltune.scan.finding import find_tasks
from skilltune.scan.owners import Owners, mark_copies
from skilltune.scan.reading import Task
from skilltune.scan.summary import ScanSummary, Sums
from skilltune.sources.base import readable
from skilltune.stores.spool import Spool

__all__ = ["Scan", "scan"]


class Scan:
    """Facts of many files; as often as needed, one file in memory at a time."""

    def __init__(self, spool: Spool, *, owners: Owners, summary: ScanSummary) -> None:
        self._spool, self._owners = spool, owners
        self.summary = summary

    def files(self) -> Iterator[FileFacts]:
        """Facts of each file, in sorted order of paths, items that another file owns marked ``copied``."""
        if not self.summary.copied:
            yield from self._spool
            return
        for index, facts in enumerate(self._spool):
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
    spool, owners, sums = Spool(), Owners(), Sums()
    with closing(read_tasks(tasks, workers=workers, executor=executor, cache=None if strict else cache)) as readings:
        for task, reading in zip(_shown(tasks, progress=progress), readings, strict=True):
            if reading.facts is None:
                unreadable.append((readable(task.path), reading.error))
                continue
            owners.claim(reading.facts, index=len(spool))
            sums.add(reading.facts)
            spool.append(reading.facts, packed=reading.packed)
    claimed = enumerate(spool) if owners.contested else ()
    copies = [copy for index, facts in claimed for copy in owners.copies(facts, index=index)]
    return Scan(spool, owners=owners, summary=sums.summary(files=len(tasks), copies=copies, unreadable=unreadable))


def _shown(tasks: list[Task], *, progress: bool) -> Iterable[Task]:
    if not progress or not sys.stderr.isatty():
        return tasks
    from tqdm import tqdm

    return tqdm(tasks, desc="reading sessions", unit="file", file=sys.stderr, leave=False)
