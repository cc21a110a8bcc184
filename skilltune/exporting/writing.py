"""An exported file: as a whole or not at all, for its owner's eyes only, and never by accident over another."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkstemp

from platformdirs import user_cache_path

from skilltune.errors import InputError, LogError
from skilltune.stores.files import WriteLock, make_folder, sync_folder
from skilltune.stores.homes import find_home

__all__ = ["adding_alone", "write_export"]


@contextmanager
def adding_alone(path: Path) -> Iterator[None]:
    """Held while rows are added: what two runs add at once would else be what the later one of them adds.

    The lock lies in the person's cache, named by a hash of the path: nothing is left beside the file.

    Raises
    ------
    LogError
        The lock cannot be made, or another run holds it for too long.
    """
    name = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:32]
    with WriteLock(_lock_folder() / f"{name}.lock").held():
        yield


def _lock_folder() -> Path:
    """A folder of the person's own: in the cache, or where none can be made among temporary files."""
    if find_home() is not None:
        own = user_cache_path("skilltune", appauthor=False) / "locks"
        with suppress(OSError):
            own.mkdir(parents=True, exist_ok=True)
            if os.access(own, os.W_OK | os.X_OK):
                return own
    spare = Path(gettempdir()) / f"skilltune-{getattr(os, 'getuid', int)()}"
    with suppress(OSError):
        spare.mkdir(mode=0o700, exist_ok=True)
        if not spare.is_symlink() and spare.stat().st_uid == getattr(os, "getuid", int)():
            return spare
    raise LogError(f"there is no place for a lock: {spare} is not yours; set HOME or TMPDIR to a folder that is")


def write_export(path: Path, content: bytes, *, overwrite: bool = False) -> None:
    """Put `content` into the file at `path`, mode 0600.

    Raises
    ------
    InputError
        Something is there already, and `overwrite` is false or it is no regular file.
    LogError
        It cannot be written; what was there is as it was.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file in it with --output")
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is no regular file, so nothing is written there; name a file with --output")
    if (path.exists() or path.is_symlink()) and not overwrite:
        raise InputError(f"{path} is there already; name another file, or say --overwrite to replace it")
    make_folder(path.parent)
    target = path.resolve() if path.is_symlink() else path
    try:
        _replace(target, content)
    except OSError as error:
        raise LogError(
            f"{path} cannot be written ({error.strerror or error}); free some space or name another place with --output"
        ) from error
    sync_folder(target.parent)


def _replace(path: Path, content: bytes) -> None:
    """Written beside it under a name of its own, synced, renamed."""
    handle, name = mkstemp(prefix=f".{path.name[:100]}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink(missing_ok=True)
        raise
