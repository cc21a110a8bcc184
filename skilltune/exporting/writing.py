"""An exported file: as a whole or not at all, for its owner's eyes only, and never by accident over another."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from skilltune.errors import InputError, LogError
from skilltune.stores.files import make_folder, sync_folder

__all__ = ["write_export"]


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
