"""Files as a whole: the lock that writers share, and replacing a file so that it is old or new, never half."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING, Final

from skilltune.errors import LogError
from skilltune.stores.paths import look_at

if TYPE_CHECKING:
    from filelock import BaseFileLock

__all__ = [
    "SMALL_BYTES",
    "WriteLock",
    "check_regular",
    "make_folder",
    "read_blocks",
    "read_bytes",
    "read_head",
    "read_small",
    "replace_file",
    "sync_folder",
]

LOCK_SECONDS: Final = 60.0
"""How long a writer waits for another one."""
SMALL_BYTES: Final = 4 * 1024 * 1024
"""Size up to which settings, lists and skills are read."""

_BINARY: Final = getattr(os, "O_BINARY", 0)
_READ: Final = os.O_RDONLY | _BINARY | getattr(os, "O_NONBLOCK", 0)
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY


class WriteLock:
    """A lock file that one process at a time may hold, and take again while it does.

    Parameters
    ----------
    path
        The lock file; it and its folder are made when the lock is taken first.
    timeout_seconds
        How long to wait for another process.
    """

    def __init__(self, path: Path, *, timeout_seconds: float = LOCK_SECONDS) -> None:
        self.path, self._timeout_seconds = path, timeout_seconds
        self._lock: BaseFileLock | None = None
        self._process = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock for a block.

        Raises
        ------
        LogError
            When the lock file cannot be made, or another process holds the lock for too long.
        """
        from filelock import Timeout

        make_folder(self.path.parent)
        lock = self._of_this_process()
        try:
            lock.acquire()
        except Timeout as error:
            raise LogError(
                f"{self.path} has been held by another process for {self._timeout_seconds:g} s; "
                "wait until that run has ended, then run this again"
            ) from error
        except (OSError, NotImplementedError) as error:
            raise LogError(
                f"{self.path} cannot be locked ({_why(error)}); make its folder writable, "
                "or choose another one with --workspace or --output"
            ) from error
        try:
            yield
        finally:
            lock.release()

    def _of_this_process(self) -> "BaseFileLock":
        """The lock; a new one after a fork, as a lock is not inherited."""
        from filelock import FileLock

        if self._lock is None or self._process != os.getpid():
            self._lock = FileLock(self.path, timeout=self._timeout_seconds)
            self._process = os.getpid()
        return self._lock


def make_folder(folder: Path) -> None:
    """Make `folder` and what is above it, unless it is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LogError(
            f"the folder {folder} cannot be made ({_why(error)}); choose another one with --workspace or --output"
        ) from error


def read_small(path: Path, *, limit: int = SMALL_BYTES) -> bytes:
    """The bytes of a file that is read whole; pipes and devices, which may never end, are not waited for.

    Parameters
    ----------
    limit
        Bytes that are too many from here on.

    Raises
    ------
    OSError
        When it cannot be read, is no regular file, or is larger than `limit`.
    """
    content = _read_regular(path, limit=limit)
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit:,} bytes", str(path))
    return content


def read_head(path: Path, size: int) -> bytes:
    """The first bytes of a file, up to `size`; b"" where it cannot be read or is no regular file."""
    try:
        return _read_regular(path, limit=size - 1)
    except OSError:
        return b""


def read_bytes(path: Path) -> bytes:
    """The bytes of a file of any size, b"" where there is none.

    Raises
    ------
    LogError
        When it cannot be read, or is no regular file.
    """
    try:
        return _read_regular(path)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise LogError(f"{path} cannot be read ({_why(error)}); check that it is a file you may read") from error


def read_blocks(path: Path, *, size: int) -> Iterator[bytes]:
    """The bytes of a file of any size, a block at a time; nothing where there is none. Errors as of ``read_bytes``."""
    try:
        with os.fdopen(_open_regular(path), "rb", buffering=0) as file:
            while block := file.read(size):
                yield block
    except FileNotFoundError:
        return
    except OSError as error:
        raise LogError(f"{path} cannot be read ({_why(error)}); check that it is a file you may read") from error


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` in the place of the file at `path`: written beside it, synced, renamed; the mode is kept
    (a new file can be read by its owner only).

    Whoever replaces a file holds its lock, so a fixed name will do for the new one, and what a killed run left
    there is overwritten. Only a regular file, or nothing, is replaced: not a device or a pipe that a person named.
    """
    check_regular(path)
    new = path.with_name(path.name + ".tmp")
    try:
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, _CREATE, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.chmod(path.stat().st_mode & 0o7777 if path.exists() else 0o600)
        new.replace(path)
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise LogError(
            f"{path} cannot be replaced ({_why(error)}); it is unchanged: free some space or make its folder "
            "writable, then run this again"
        ) from error
    sync_folder(path.parent)


def check_regular(path: Path) -> None:
    """Return unless a device, a pipe or a socket is at `path`, or behind a link that is.

    Raises
    ------
    LogError
        One is there: to replace it would break what it is for.
    """
    found = look_at(path)
    if found is not None and not (S_ISREG(found.st_mode) or S_ISDIR(found.st_mode)):
        raise LogError(f"{path} is no regular file, so nothing is written there; name a file instead")


def sync_folder(folder: Path) -> None:
    """Make names in `folder` outlive a power cut, where the system can (Windows cannot)."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _read_regular(path: Path, *, limit: int | None = None) -> bytes:
    """The bytes of a regular file, with `limit` at most one more than that."""
    with os.fdopen(_open_regular(path), "rb") as file:
        return file.read() if limit is None else file.read(limit + 1)


def _open_regular(path: Path) -> int:
    try:
        handle = os.open(path, _READ)
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), str(path)) from error
    if not S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "no regular file", str(path))
    return handle


def _why(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
