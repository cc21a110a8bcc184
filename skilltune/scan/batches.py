"""Files to read, together in batches of about equal bytes, and what came of a batch as plain values."""

import os
from collections.abc import Iterator, Sequence
from typing import Final

from skilltune.scan.reading import Reading, Task, pack, read_task, unpack

__all__ = ["Batch", "Packed", "make_batches", "read_batch", "total_bytes", "unpacked"]

Batch = tuple[Task, ...]
Packed = tuple[bytes | None, str, bytes]
"""The packed facts of a file, None where it could not be read; why not; what to go on from when it has grown."""

_FILE_COST: Final = 1 << 14
"""What opening a file takes, in bytes that could be read meanwhile."""
_LEAST_BYTES: Final = 8 << 20
_MOST_BYTES: Final = 64 << 20
_A_WORKER: Final = 16


def total_bytes(tasks: Sequence[Task]) -> int:
    """How much there is to read."""
    return sum(map(_cost, tasks))


def make_batches(tasks: Sequence[Task], *, workers: int) -> Iterator[Batch]:
    """All tasks in their order, some sixteen batches a worker; a large file is a batch of its own."""
    limit = min(max(total_bytes(tasks) // (workers * _A_WORKER), _LEAST_BYTES), _MOST_BYTES)
    batch: list[Task] = []
    held = 0
    for task in tasks:
        cost = _cost(task)
        if batch and held + cost > limit:
            yield tuple(batch)
            batch, held = [], 0
        batch.append(task)
        held += cost
    if batch:
        yield tuple(batch)


def read_batch(batch: Batch) -> list[Packed]:
    """Read each file of a batch; what an executor is given to do."""
    readings = map(read_task, batch)
    return [_packed(reading) for reading in readings]


def _packed(reading: Reading) -> Packed:
    return None if reading.facts is None else pack(reading.facts), reading.error, reading.carried


def unpacked(packed: Packed) -> Reading:
    """What came of a file, as its reader gave it."""
    facts, error, carried = packed
    return Reading(None, error) if facts is None else Reading(unpack(facts), packed=facts, carried=carried)


def _cost(task: Task) -> int:
    if task.size:
        return task.size + _FILE_COST
    try:
        size = os.stat(task.path).st_size  # noqa: PTH116 (a Path for each file takes longer than the look)
        return max(size - task.known, 0) + _FILE_COST
    except (OSError, ValueError):
        return _FILE_COST
