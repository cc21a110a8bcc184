"""Paths as a person writes them, and looking at places that may not be looked at."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR
from typing import Final

from skilltune.errors import InputError

__all__ = ["current_folder", "expand_path", "find_paths", "is_folder", "look_at"]

_NO_NAME: Final = frozenset({errno.ENAMETOOLONG, errno.EINVAL, errno.ELOOP})
"""What the system says of a path that can never be one; a file that is not there yet is another matter."""

_NAME_BYTES: Final = 255
"""What file systems allow for one name."""


def expand_path(text: str | Path) -> Path:
    """The path that `text` names, ``~`` and ``~user`` replaced by the folder they stand for.

    Raises
    ------
    InputError
        When it names the home of nobody, or no system could have such a path: too long a name, a NUL, links in a
        circle.
    """
    try:
        path = Path(text).expanduser()
        _check_names(path)
        path.stat()
    except RuntimeError as error:
        what = "there is no home folder" if str(text)[:2] in ("~", "~/", "~\\") else "there is no such user"
        raise InputError(f"{str(text)!r} is no path: {what}; write the whole path") from error
    except ValueError as error:
        raise InputError(f"{str(text)!r} is no path: {error}; name a file or a folder") from error
    except OSError as error:
        if error.errno in _NO_NAME:
            raise InputError(f"{_short(str(text))!r} is no path: {error.strerror}; name a file or a folder") from error
    return path


def look_at(path: Path) -> os.stat_result | None:
    """What the system says of `path`, links followed; None where nothing is or may be looked at."""
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def is_folder(path: Path) -> bool:
    """Whether `path` is a folder; what cannot be looked at is none."""
    found = look_at(path)
    return found is not None and S_ISDIR(found.st_mode)


def find_paths(folder: Path, pattern: str) -> Iterator[Path]:
    """What matches the glob `pattern` below `folder`, sorted; nothing where that cannot be looked at.

    A link that leads nowhere or to itself matches nothing: from Python 3.12 on, `Path.glob` gives it.
    """
    try:
        yield from filter(_leads_somewhere, sorted(folder.glob(pattern)))
    except (OSError, ValueError, RuntimeError):
        return


def _leads_somewhere(path: Path) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, RuntimeError):
        return False
    except OSError as error:
        return error.errno != errno.ELOOP
    return True


def current_folder() -> Path | None:
    """The current folder, None where it has been deleted."""
    try:
        return Path.cwd()
    except OSError:
        return None


def _check_names(path: Path) -> None:
    """Raise ``OSError`` for too long a name, which the system says only where the folders above it are there."""
    if any(len(os.fsencode(part)) > _NAME_BYTES for part in path.parts):
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:80]}…{text[-30:]}"
