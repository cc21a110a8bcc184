"""The lock that hooks hold while they write: the one of every other writer, taken without loading the library for it.

The library costs a hook a fifth of its time. What it does on a file system with ``flock`` is one call of the system,
so the two keep each other out; where there is no ``flock``, the library is used.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from skilltune.errors import LogError
from skilltune.limits import HOOK_LOCK_SECONDS
from skilltune.stores.files import WriteLock, make_folder

__all__ = ["HookLock"]

_FCNTL: Final[Any] = import_module("fcntl") if os.name != "nt" else None
_PAUSE: Final = 0.01
_OPEN: Final = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)


class HookLock(WriteLock):
    """As ``WriteLock``, for a process that takes it once, and not for long.

    Parameters
    ----------
    log
        The log; its lock is the file ``<log>.lock``.
    """

    def __init__(self, log: Path) -> None:
        super().__init__(log.with_name(log.name + ".lock"), timeout_seconds=HOOK_LOCK_SECONDS)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock for a block.

        Raises
        ------
        LogError
            When the lock file cannot be made, or another process holds the lock for too long.
        """
        if _FCNTL is None:
            with super().held():
                yield
            return
        make_folder(self.path.parent)
        try:
            handle = self._take()
        except OSError as error:
            raise LogError(f"{self.path} cannot be locked ({error.strerror or error})") from error
        try:
            yield
        finally:
            os.close(handle)

    def _take(self) -> int:
        """The open lock file, locked."""
        until = time.monotonic() + HOOK_LOCK_SECONDS
        while True:
            handle = os.open(self.path, _OPEN, 0o644)
            try:
                _FCNTL.flock(handle, _FCNTL.LOCK_EX | _FCNTL.LOCK_NB)
            except BlockingIOError as error:
                os.close(handle)
                if time.monotonic() > until:
                    text = f"{self.path} has been held by another process for {HOOK_LOCK_SECONDS:g} s"
                    raise LogError(text) from error
            except OSError:
                os.close(handle)
                raise
            else:
                if _is_there(handle, self.path):
                    return handle
                os.close(handle)
            time.sleep(_PAUSE)


def _is_there(handle: int, path: Path) -> bool:
    """Whether the locked file still is the one at `path`, which another writer may have removed."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
