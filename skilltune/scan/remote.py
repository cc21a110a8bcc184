"""Sessions that lie elsewhere than on this machine's disks, under any URL that fsspec can read.

Each file is copied to a folder of its own, read like any other, and the copy removed. Only sources whose files say all
alone are read so: no databases, no trees of files.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from skilltune.errors import InputError, ReadError
from skilltune.facts import FileFacts
from skilltune.sources.base import COMPRESSED

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = ["RemoteFile", "copied_here", "find_remote", "is_url", "told_as"]

_T = TypeVar("_T")

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_READ: Final = (".jsonl", *COMPRESSED)
_DATABASE: Final = ".db"
_PARTS: Final = 4
"""Names at the end of a path by which a source tells a session from a sub-agent's."""
_NAME_BYTES: Final = 200
_NAMELESS: Final = "_"


class RemoteFile(NamedTuple):
    """A file under a URL."""

    url: str
    size: int


def is_url(path: str | Path) -> bool:
    """Whether a person named a URL and no path; a drive's letter begins a path."""
    return isinstance(path, str) and _URL.match(path) is not None


def find_remote(url: str, complain: Callable[[str, str], None]) -> list[RemoteFile]:
    """The files under `url` that may be sessions, sorted; what else is wrong with it goes to `complain`.

    Raises
    ------
    InputError
        fsspec, or the driver it needs for the URL, is not installed, or it knows no such protocol.
    """
    files, root = _opened(url)
    try:
        found = _driven(url, lambda: files.find(root, detail=True))
    except ReadError as error:
        complain(url, str(error).removeprefix(f"{url}: "))
        return []
    for name in found:
        if name.endswith(_DATABASE):
            complain(files.unstrip_protocol(name), "a database is not read from a URL; copy it to this machine")
    names = [(files.unstrip_protocol(name), status) for name, status in sorted(found.items())]
    wanted = [RemoteFile(name, int(status.get("size") or 0)) for name, status in names if name.endswith(_READ)]
    if not wanted:
        complain(url, "no .jsonl file is there")
    return wanted


@contextmanager
def copied_here(url: str) -> Iterator[Path]:
    """A copy of the file on this machine, as long as the context lasts, its last names as they were.

    Raises
    ------
    ReadError
        It cannot be read, or there is no room for the copy.
    """
    folder = Path(tempfile.mkdtemp(prefix="skilltune-url-"))
    try:
        path = folder.joinpath(*map(_safe, url.split("://", 1)[-1].split("/")[-_PARTS:]))
        path.parent.mkdir(parents=True, exist_ok=True)
        files, name = _opened(url)
        _driven(url, lambda: files.get_file(name, str(path)))
        yield path
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def told_as(facts: FileFacts, url: str) -> FileFacts:
    """The facts of a copy, told of what it is a copy of."""
    sessions = tuple(replace(session, path=url) for session in facts.sessions)
    return replace(
        facts, path=url, sessions=sessions, subagents=tuple(replace(agent, path=url) for agent in facts.subagents)
    )


def _opened(url: str) -> tuple["AbstractFileSystem", str]:
    """The file system of a URL, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise InputError("sessions under a URL need fsspec: pip install 'skilltune[remote]'") from error
    try:
        files, root = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise InputError(f"{url}: {error}; name a folder of this machine, or install what reads such URLs") from error
    return files, root


def _driven(url: str, act: Callable[[], _T]) -> _T:
    """What `act` gives; whatever the driver of a URL raises, as ``ReadError``."""
    try:
        return act()
    except Exception as error:  # drivers have errors of their own, of no common kind
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise ReadError(f"{url}: {' '.join(str(reason).replace(url, 'it').split())}") from error


def _safe(name: str) -> str:
    """A name as it may stand on this machine's disk: the end of it, where it is too long."""
    plain = name.replace(os.sep, "_").replace("\0", "_")
    return _NAMELESS if plain in ("", ".", "..") else os.fsencode(plain)[-_NAME_BYTES:].decode("utf-8", "replace")
