"""Other machines that read: the workers of a Dask cluster, as an executor of ``concurrent.futures``.

A worker has skilltune of the same version, and sees the sessions under the same paths or URLs. What was on a worker
that is lost is given to another one; what no worker could finish, this machine reads itself.
"""

import logging
import platform
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

from skilltune.errors import InputError
from skilltune.facts import FACTS_VERSION
from skilltune.scan.batches import Packed
from skilltune.scan.reading import Task

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["ClusterExecutor", "Reader", "check_reader", "connected_cluster", "own_reader"]

_ANSWER_SECONDS: Final = 10
"""How long a scheduler and its first worker have to answer, and workers that are all gone to come back."""
_LOOK_SECONDS: Final = 1
"""How often to look for them."""
_RUN: Final = "start them: dask scheduler, and on each machine: dask worker ADDRESS"


def _installed() -> str:
    """The version of skilltune, as installed."""
    try:
        return version("skilltune")
    except PackageNotFoundError:
        return "that is not installed"


@dataclass(frozen=True)
class Reader:
    """What decides which facts a process reads."""

    version: str = field(default_factory=_installed)
    facts: int = FACTS_VERSION
    python: str = ".".join(platform.python_version_tuple()[:2])

    def __str__(self) -> str:
        return f"skilltune {self.version}, facts {self.facts}, Python {self.python}"


def own_reader() -> Reader:
    """The one of the process in which this is called."""
    return Reader()


class ClusterExecutor(Executor):
    """Hands work to the workers of a cluster.

    Parameters
    ----------
    client
        Connected to the scheduler.
    parallel
        How many pieces of work the workers do at a time.
    """

    def __init__(self, client: "Client", *, parallel: int) -> None:
        self._client, self.parallel = client, parallel
        self._alone_since = 0.0
        self._lost = False

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> "Future[Any]":
        """The future of ``work(*arguments, **named)`` on a worker; ``BrokenExecutor`` where no worker finished it.

        Raises
        ------
        BrokenExecutor
            The scheduler is lost, or all its workers.
        """
        if self._lost or self._client.status not in ("running", "connecting"):
            raise BrokenExecutor("the scheduler or all its workers are lost")
        result = _Awaited(self)
        there = self._client.submit(_read_there, own_reader(), work, arguments, named, pure=False, retries=0)
        there.add_done_callback(lambda done: _hand_on(done, result))
        return result

    def look_for_workers(self) -> None:
        """Raise ``BrokenExecutor`` where there has been none for so long that none is to be expected."""
        if not self._lost:
            now = time.monotonic()
            self._alone_since = (self._alone_since or now) if self._is_alone() else 0.0
            self._lost = bool(self._alone_since) and now - self._alone_since >= _ANSWER_SECONDS
        if self._lost:
            raise BrokenExecutor("the workers are lost")

    def _is_alone(self) -> bool:
        """Whether nobody is there to work; a scheduler that does not say is as good as none."""
        try:
            return not self._client.nthreads()
        except (OSError, RuntimeError, ValueError):
            return True

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """Nothing: the cluster is not ours."""


class _Awaited(Future[Any]):
    """What a worker is to tell: whoever waits for it looks now and then whether there is a worker."""

    def __init__(self, executor: ClusterExecutor) -> None:
        super().__init__()
        self._executor = executor
        self.set_running_or_notify_cancel()

    def result(self, timeout: float | None = None) -> Any:
        while timeout is None and not wait([self], timeout=_LOOK_SECONDS).done:
            self._executor.look_for_workers()
        return super().result(timeout)


@contextmanager
def connected_cluster(address: str) -> Iterator[ClusterExecutor]:
    """The workers of the scheduler at `address`, for instance ``tcp://10.0.0.5:8786``.

    Raises
    ------
    InputError
        Dask is not installed, nobody answers at the address, no worker has joined, or one reads otherwise than this
        process.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("a scheduler needs Dask: pip install 'skilltune[dask]'") from error
    with _quiet("distributed"):
        try:
            client = Client(address, timeout=_ANSWER_SECONDS, set_as_default=False)
        except (OSError, ValueError, ImportError, TypeError) as error:
            reason = f"no answer within {_ANSWER_SECONDS} s" if isinstance(error, TimeoutError) else str(error)
            raise InputError(f"scheduler {address!r}: {reason}; {_RUN}") from error
        with client:
            yield ClusterExecutor(client, parallel=_checked_workers(client, address))


def _checked_workers(client: "Client", address: str) -> int:
    """How many threads the workers have, all of which read as this process does.

    Raises
    ------
    InputError
        No worker is there, or one has another version.
    """
    try:
        client.wait_for_workers(1, timeout=_ANSWER_SECONDS)
    except TimeoutError as error:
        raise InputError(
            f"scheduler {address!r}: no worker joined within {_ANSWER_SECONDS} s; start one: dask worker {address}"
        ) from error
    for worker, reader in sorted(client.run(own_reader, on_error="return").items()):
        if isinstance(reader, BaseException):
            raise InputError(
                f"worker {worker} does not tell its version: {reader}; install {own_reader()} there, and restart it"
            )
        check_reader(reader, where=f"worker {worker}")
    threads: dict[str, int] = client.nthreads()
    return max(1, sum(threads.values()))


def check_reader(reader: Reader, *, where: str, wanted: Reader | None = None) -> None:
    """Raise ``InputError`` where a process reads otherwise than the one that asks."""
    wanted = wanted or own_reader()
    if reader != wanted:
        raise InputError(f"{where} has {reader}, this run {wanted}; install the same version on both")


def _read_there(wanted: Reader, work: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """On a worker: do the work, and name the worker where a file could not be read."""
    from distributed import get_worker

    worker = str(get_worker().address)
    check_reader(own_reader(), where=f"worker {worker}", wanted=wanted)
    done = work(*arguments, **named)
    return [_named(packed, worker) for packed in done] if _is_batch(arguments) else done


def _is_batch(arguments: tuple[Any, ...]) -> bool:
    return len(arguments) == 1 and isinstance(arguments[0], tuple) and all(isinstance(it, Task) for it in arguments[0])


def _named(packed: Packed, worker: str) -> Packed:
    facts, error, *rest = packed
    return (facts, f"{error} (on worker {worker})" if error else "", *rest)  # type: ignore[return-value]  # as it came


def _hand_on(done: Any, result: "Future[Any]") -> None:
    """Tell what became of work that a worker was given."""
    from distributed import KilledWorker

    try:
        value = done.result()
    except (KilledWorker, CancelledError, OSError) as error:
        result.set_exception(BrokenExecutor(f"no worker finished it: {error}"))
    except BaseException as error:  # noqa: BLE001  # whatever the work raised is raised where its result is asked for
        result.set_exception(error)
    else:
        result.set_result(value)


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Keep a library's log off the person's screen: what matters of it is said in our words."""
    loggers = [logging.getLogger(other) for other in logging.root.manager.loggerDict if other.split(".")[0] == name]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
