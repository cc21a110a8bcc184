"""Reading all files of a run, one after the other, and what came of it."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from skilltune.facts import FileFacts
from skilltune.scan.finding import find_tasks
from skilltune.scan.owners import Owners, mark_copies
from skilltune.scan.reading import Reading, Task, read_task
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


def scan(paths: Sequence[Path | str], *, strict: bool = False, progress: bool = False) -> Scan:
    """Read all sessions in files and folders.

    Parameters
    ----------
    paths
        Files, or folders to search.
    strict
        Raise at the first damaged line instead of counting it.
    progress
        Show a bar where standard error is a terminal.

    Raises
    ------
    RecordError
        With `strict`, a line is damaged.
    LogError
        What was read has no room in the folder for temporary files.
    """
    unreadable: list[tuple[str, str]] = []
    tasks = find_tasks(paths, unreadable, strict=strict)
    spool, owners, sums = Spool(), Owners(), Sums()
    for path, reading in _readings(tasks, progress=progress):
        if reading.facts is None:
            unreadable.append((readable(path), reading.error))
            continue
        owners.claim(reading.facts, index=len(spool))
        sums.add(reading.facts)
        spool.append(reading.facts)
    copies = [copy for index, facts in enumerate(spool) for copy in owners.copies(facts, index=index)]
    return Scan(spool, owners=owners, summary=sums.summary(files=len(tasks), copies=copies, unreadable=unreadable))


def _readings(tasks: list[Task], *, progress: bool) -> Iterator[tuple[str, Reading]]:
    """The path and what came of it, of each file, in their order."""
    seen: set[tuple[int, int]] = set()
    for task in _shown(tasks, progress=progress):
        yield task.path, _again(Path(task.path), seen) or read_task(task)


def _again(path: Path, seen: set[tuple[int, int]]) -> Reading | None:
    """Facts of a file that another path has led to: a link to it."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    place = (status.st_dev, status.st_ino)
    if place in seen and status.st_ino:
        return Reading(FileFacts(path=readable(path), skipped="same_file"))
    seen.add(place)
    return None


def _shown(tasks: list[Task], *, progress: bool) -> Iterable[Task]:
    if not progress or not sys.stderr.isatty():
        return tasks
    from tqdm import tqdm

    return tqdm(tasks, desc="reading sessions", unit="file", file=sys.stderr, leave=False)
