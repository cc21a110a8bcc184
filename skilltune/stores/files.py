"""Files as a whole: the lock that writers share, and replacing a file so that it is old or new, never half."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skilltune.errors import LogError

if TYPE_CHECKING:
    from filelock import BaseFileLock

__all__ = ["LOCK_SECONDS", "file_lock", "held", "make_folder", "read_bytes", "replace_file", "sync_folder"]

LOCK_SECONDS: Final = 60.0
"""How long a writer waits for another one."""


def file_lock(path: Path, *, timeout_seconds: float = LOCK_SECONDS) -> "BaseFileLock":
    """A lock on `path` that may be taken again by the one who holds it; nothing is created yet."""
    from filelock import FileLock

    return FileLock(path, timeout=timeout_seconds)


@contextmanager
def held(lock: "BaseFileLock") -> Iterator[None]:
    """Hold `lock` for a block; its folder is made if need be.

    Raises
    ------
    LogError
        When the lock file cannot be made, or another process holds the lock for too long.
    """
    from filelock import Timeout

    make_folder(Path(lock.lock_file).parent)
    try:
        lock.acquire()
    except Timeout as error:
        raise LogError(
            f"{lock.lock_file} has been held by another process for {lock.timeout:g} s; "
            "wait until that run has ended, then run this again"
        ) from error
    except (OSError, NotImplementedError) as error:
        raise LogError(
            f"{lock.lock_file} cannot be locked ({_why(error)}); make its folder writable, "
            "or choose another one with --workspace or --output"
        ) from error
    try:
        yield
    finally:
        lock.release()


def make_folder(folder: Path) -> None:
    """Make `folder` and what is above it, unless it is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LogError(
            f"the folder {folder} cannot be made ({_why(error)}); choose another one with --workspace or --output"
        ) from error


def read_bytes(path: Path) -> bytes:
    """The file's bytes, b"" where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise LogError(f"{path} cannot be read ({_why(error)}); check that it is a file you may read") from error


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` in the place of the file at `path`: written beside it, synced, renamed; the mode is kept
    (a new file can be read by its owner only).

    Whoever replaces a file holds its lock, so a fixed name will do for the new one, and what a killed run left
    there is overwritten.
    """
    new = path.with_name(path.name + ".tmp")
    try:
        with new.open("wb") as file:
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


def sync_folder(folder: Path) -> None:
    """Make names in `folder` outlive a power cut, where the system can (Windows cannot)."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _why(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
