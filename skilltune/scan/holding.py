"""The facts of all files of a scan, wherever they lie: in its spool, or in the cache of scans."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skilltune.errors import LogError
from skilltune.facts import FileFacts
from skilltune.scan.reading import Task, read_task
from skilltune.stores.kept_facts import KeptFacts
from skilltune.stores.spool import Spool

__all__ = ["Holding"]


class _InCache(NamedTuple):
    facts: KeptFacts
    number: int
    task: Task


class Holding:
    """Facts of many files, in the order in which they were added."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._places: list[int | _InCache] = []
        """Number in the spool, or where in the cache."""

    def numbers(self) -> list[int]:
        """The numbers of all facts in the cache; empty where some lie elsewhere."""
        numbers = [place.number for place in self._places if not isinstance(place, int)]
        return numbers if len(numbers) == len(self._places) else []

    def __len__(self) -> int:
        return len(self._places)

    def add(self, facts: FileFacts, *, packed: bytes = b"") -> None:
        """Keep the facts of one more file, which may be `packed` already."""
        self._places.append(len(self._spool))
        self._spool.append(facts, packed=packed)

    def refer(self, facts: KeptFacts, *, number: int, task: Task) -> None:
        """Read those of one more file, of this `task`, from the cache when they are asked for."""
        self._places.append(_InCache(facts, number, task))

    def refer_all(self, facts: KeptFacts, *, numbers: Sequence[int], tasks: Sequence[Task]) -> None:
        """The same of many files."""
        self._places += [_InCache(facts, number, task) for number, task in zip(numbers, tasks, strict=True)]

    def __iter__(self) -> Iterator[FileFacts]:
        for place in self._places:
            yield self._spool.read(place) if isinstance(place, int) else _kept(place)


def _kept(place: _InCache) -> FileFacts:
    """The facts in the cache; where it was removed or damaged meanwhile, those of the file.

    Raises
    ------
    LogError
        Neither is there any more.
    """
    facts = place.facts.read(place.number)
    if facts is None:
        facts, error = read_task(place.task)[:2]
        if facts is None:
            raise LogError(f"{place.task.path}: {error}, and the cache of scans is gone, too; scan again")
    return facts
