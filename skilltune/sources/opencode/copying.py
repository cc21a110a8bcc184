"""A copy of a database with its log, so that the original is never opened as one: not a byte of it may change."""

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from platformdirs import user_cache_dir

from skilltune.errors import ReadError
from skilltune.sources.base import readable
from skilltune.sources.lines import open_file

__all__ = ["opened_copy"]

_BESIDE: Final = ("-wal", "-journal")
"""Endings of the files in which the latest writes stand until they go into the database."""
_REMEDY: Final = "set TMPDIR to a folder with more room"
_TRIES = 5
_SPARE_BYTES = 16 * 1024 * 1024


@contextmanager
def opened_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a copy of the database at `path` with all that was written to it; the copy goes afterwards.

    Raises
    ------
    ReadError
        It cannot be read, or no folder has room for the copy.
    """
    folder = _new_folder(path)
    try:
        copy = folder / "copy.db"
        _copy(path, copy)
        with closing(sqlite3.connect(copy)) as connection:
            connection.text_factory = bytes
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            yield connection
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _new_folder(path: Path) -> Path:
    """A private folder with room for a copy."""
    place = _place_for(path)
    try:
        return Path(tempfile.mkdtemp(prefix="skilltune-", dir=place))
    except OSError as error:
        raise ReadError(f"{place}: {error.strerror or error}; {_REMEDY}") from error


def _files(path: Path) -> list[Path]:
    """The database, and what lies beside it and belongs to it."""
    return [path, *(beside for ending in _BESIDE if (beside := path.with_name(path.name + ending)).is_file())]


def _place_for(path: Path) -> str:
    """The first folder with room for a copy: the one for temporary files, else one where files stay."""
    try:
        needed = sum(file.stat().st_size for file in _files(path))
    except OSError as error:
        raise _unreadable(path, error) from error
    tried: list[str] = []
    for folder in _folders():
        tried.append(readable(folder))
        if _has_room(folder, needed + _SPARE_BYTES):
            return folder
    raise ReadError(
        f"{readable(path)}: its copy of {needed:,} bytes has no room in {' or '.join(tried) or 'any folder'}; {_REMEDY}"
    )


def _folders() -> Sequence[str]:
    """Where copies may lie."""
    named: list[str] = []
    with suppress(OSError):
        named.append(tempfile.gettempdir())
    return list(dict.fromkeys([*named, "/var/tmp", user_cache_dir()]))  # noqa: S108 (mkdtemp makes a private folder there)


def _has_room(folder: str, needed: int) -> bool:
    try:
        return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= needed
    except OSError:
        return False


def _copy(path: Path, copy: Path) -> None:
    """Copy the files, once more where one was written meanwhile."""
    try:
        open_file(path).close()
        for _ in range(_TRIES):
            before = _state(path)
            for file in _files(path):
                shutil.copyfile(file, copy.with_name(copy.name + file.name.removeprefix(path.name)))
            if _state(path) == before:
                return
            for ending in _BESIDE:
                copy.with_name(copy.name + ending).unlink(missing_ok=True)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ReadError(f"{readable(path)}: its copy has no room in {copy.parent}; {_REMEDY}") from error
        raise _unreadable(path, error) from error
    raise ReadError(f"{readable(path)}: it is written all the time; read it again when the agent rests")


def _state(path: Path) -> list[tuple[str, int, int]]:
    return [(file.name, status.st_size, status.st_mtime_ns) for file in _files(path) if (status := file.stat())]


def _unreadable(path: Path, error: OSError) -> ReadError:
    return ReadError(f"{readable(path)}: {error.strerror or error}")
