"""Files read by several processes, or by any executor of ``concurrent.futures``, in their order."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import Final

from skilltune.errors import InputError
from skilltune.scan.batches import Batch, Packed, make_batches, read_batch, total_bytes, unpacked
from skilltune.scan.reading import Reading, Task, read_task

__all__ = ["choose_workers", "read_all"]

_WORTH_A_WORKER: Final = 128 << 20
"""Bytes from which on a further process reads faster than it starts."""
_MOST_WORKERS: Final = 64
_DIED = "the process that read it was ended, most likely for want of memory"

_Submit = Callable[[Callable[[Batch], list[Packed]], Batch], Future[list[Packed]]]


def choose_workers(tasks: Sequence[Task]) -> int:
    """How many processes are worth their start."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, _MOST_WORKERS, total_bytes(tasks) // _WORTH_A_WORKER))


def read_all(tasks: Sequence[Task], *, workers: int | None = 1, executor: Executor | None = None) -> Iterator[Reading]:
    """What came of each task, in their order.

    Parameters
    ----------
    tasks
        What to read.
    workers
        Processes; 1 reads in this one, None takes as many as are worth it.
    executor
        Reads instead of processes of our own.

    Raises
    ------
    InputError
        `workers` is no number of processes.
    """
    if workers is not None and not 1 <= workers <= _MOST_WORKERS:
        raise InputError(f"workers: {workers} is no number of processes; give one from 1 to {_MOST_WORKERS}")
    if any(task.strict for task in tasks):
        return map(read_task, tasks)
    if executor is not None:
        parallel = getattr(executor, "parallel", 8)
        return _in_order(make_batches(tasks, workers=parallel), executor.submit, ahead=2 * parallel)
    chosen = choose_workers(tasks) if workers is None else workers
    if chosen == 1 or len(tasks) == 1:
        return map(read_task, tasks)
    return _by_processes(tasks, workers=chosen)


def _by_processes(tasks: Sequence[Task], *, workers: int) -> Iterator[Reading]:
    pools = _Pools(workers)
    try:
        yield from _in_order(make_batches(tasks, workers=workers), pools.submit, ahead=2 * workers)
    finally:
        pools.end()


class _Pools:
    """Processes, begun anew where one of them was killed."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = _pool(workers)

    def submit(self, work: Callable[[Batch], list[Packed]], batch: Batch) -> Future[list[Packed]]:
        try:
            return self._pool.submit(work, batch)
        except BrokenExecutor:
            self._pool = _pool(self._workers)
            return self._pool.submit(work, batch)

    def end(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _in_order(batches: Iterable[Batch], submit: _Submit, *, ahead: int) -> Iterator[Reading]:
    """The readings of all batches, few of which wait at a time: what is read is not to pile up."""
    waiting: deque[tuple[Batch, Future[list[Packed]]]] = deque()
    for batch in batches:
        waiting.append((batch, _handed(batch, submit)))
        if len(waiting) > ahead:
            yield from _finished(*waiting.popleft())
    while waiting:
        yield from _finished(*waiting.popleft())


def _handed(batch: Batch, submit: _Submit) -> Future[list[Packed]]:
    """The future of a batch; one that has failed where the executor is broken."""
    try:
        return submit(read_batch, batch)
    except BrokenExecutor as error:
        broken: Future[list[Packed]] = Future()
        broken.set_exception(error)
        return broken


def _finished(batch: Batch, future: Future[list[Packed]]) -> Iterator[Reading]:
    try:
        packed = future.result()
    except BrokenExecutor:
        packed = _one_by_one(batch)
    yield from map(unpacked, packed)


def _one_by_one(batch: Batch) -> list[Packed]:
    """Read a batch whose process died once more, in one of our own: each file alone where that dies as well."""
    return _with_pool(batch) or [packed for task in batch for packed in _with_pool((task,)) or [(None, _DIED, b"")]]


def _with_pool(batch: Batch) -> list[Packed] | None:
    pool = _pool(1)
    try:
        return pool.submit(read_batch, batch).result()
    except BrokenExecutor:
        return None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _pool(workers: int) -> ProcessPoolExecutor:
    """Processes that begin empty: a fork of one with threads may hang."""
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_interrupts)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that a person started: it ends these."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
