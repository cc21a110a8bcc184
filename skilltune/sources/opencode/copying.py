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

__all__ = ["files_of", "opened_copy", "size_of"]

_LOG: Final = "-wal"
_BESIDE: Final = (_LOG, "-journal")
"""Endings of the files in which the latest writes stand until they go into the database."""
_LOG_HEADER_BYTES = 32
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


def files_of(path: Path) -> dict[str, Path]:
    """Ending → file: the database itself under '', and what lies beside it and belongs to it.

    What belongs to a database that a link leads to lies beside the database, not beside the link.
    """
    real = os.path.realpath(path)
    return {"": Path(real), **{end: Path(real + end) for end in _BESIDE if os.path.isfile(real + end)}}  # noqa: PTH113 (Path raises)


def size_of(path: Path) -> int:
    """The bytes of a database and of what belongs to it.

    Raises
    ------
    OSError
        The database is not there.
    """
    return path.stat().st_size + sum(_size(file) for end, file in files_of(path).items() if end)


def _size(file: Path) -> int:
    """The bytes of a file, 0 for one that its program took away meanwhile."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _place_for(path: Path) -> str:
    """The first folder with room for a copy: the one for temporary files, else one where files stay."""
    try:
        needed = size_of(path)
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
    """Copy the files, once more where what was copied does not go together."""
    try:
        open_file(path).close()
        if any(_copies(path, copy) for _ in range(_TRIES)):
            return
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ReadError(f"{readable(path)}: its copy has no room in {copy.parent}; {_REMEDY}") from error
        raise _unreadable(path, error) from error
    raise ReadError(f"{readable(path)}: it is written all the time; read it again when the agent rests")


def _copies(path: Path, copy: Path) -> bool:
    """Copy the database, then what belongs to it; whether nothing changed meanwhile that makes them two states.

    A log that only grew is nothing of that kind: it holds every page that went from it into the database since it was
    begun, and what came last without its end is passed over.
    """
    for end in _BESIDE:
        copy.with_name(copy.name + end).unlink(missing_ok=True)
    state, header = _state(path), _log_header(path)
    try:
        for end, file in files_of(path).items():
            shutil.copyfile(file, copy.with_name(copy.name + end))
    except FileNotFoundError:
        if not path.exists():
            raise
        return False
    return _state(path) == state or (header != b"" and _log_header(path) == header)


def _state(path: Path) -> list[tuple[str, int, int]]:
    found = []
    for end, file in files_of(path).items():
        with suppress(FileNotFoundError):
            status = file.stat()
            found.append((end, status.st_size, status.st_mtime_ns))
    return found


def _log_header(path: Path) -> bytes:
    """The beginning of the log, which is another one each time it is begun anew; b'' where there is none."""
    try:
        with open_file(files_of(path)[_LOG], buffer_bytes=_LOG_HEADER_BYTES) as file:
            return file.read(_LOG_HEADER_BYTES)
    except (KeyError, OSError):
        return b""


def _unreadable(path: Path, error: OSError) -> ReadError:
    return ReadError(f"{readable(path)}: {error.strerror or error}")
