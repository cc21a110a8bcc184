"""OpenCode: the database and the storage tree in ``~/.local/share/opencode``, exports, and what its Go era left."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from skilltune.facts import FileFacts
from skilltune.sources.base import OnError, Source, naming
from skilltune.sources.opencode.database import is_database, is_ours, read_database
from skilltune.sources.opencode.export import is_export, read_export
from skilltune.sources.opencode.session import AGENT
from skilltune.sources.opencode.tree import find_session_files, is_storage, read_orphans, read_tree, storage_of

__all__ = ["SOURCE", "OpenCode"]

_BESIDE_SESSIONS = frozenset({"snapshot", "log", "bin", "tool-output"})
"""Folders of OpenCode's own beside its sessions: copies of people's work, programs, what tools wrote."""


class OpenCode:
    """The sessions of OpenCode."""

    agent = AGENT
    name = "OpenCode"

    def default_roots(self) -> list[Path]:
        """``opencode`` in the folder that ``XDG_DATA_HOME`` names, else in ``~/.local/share``; none without a home.

        What the Go era left lies in each project's ``.opencode``: such folders have to be named.
        """
        configured = os.environ.get("XDG_DATA_HOME", "").strip()
        try:
            data = Path(configured).expanduser() if configured else Path.home() / ".local" / "share"
        except RuntimeError:
            return []
        return [data / "opencode"]

    def find_files(self, root: Path, *, on_error: OnError | None = None) -> Iterator[Path]:
        """Databases, exports, and of each storage tree the file of every session; `root` itself where it is a file."""
        return _find(Path(root), on_error or (lambda _path, _message: None))

    def sniff(self, path: Path) -> bool:
        """Whether the file is a database with our tables, stands for a session of a tree, or is an export."""
        try:
            return is_ours(path) if is_database(path) else storage_of(path) is not None or is_export(path)
        except OSError:
            return False

    def read_facts(self, path: Path, *, strict: bool = False) -> FileFacts:
        """Facts of all sessions in a database, an export, or of the one a tree's file stands for."""
        path = Path(path)
        with naming(path):
            return _read(path, strict=strict)


def _read(path: Path, *, strict: bool) -> FileFacts:
    if is_database(path):
        return read_database(path, strict=strict)
    storage = storage_of(path)
    if storage is None:
        return read_export(path, strict=strict)
    if path.parent.parent == storage / "message":
        return read_orphans(path)
    return read_tree(path, storage=storage, strict=strict)


def _find(root: Path, report: OnError) -> Iterator[Path]:
    """What may be sessions under `root`, folder by folder; each folder is entered once, links are followed."""
    entered: set[tuple[int, int]] = set()
    waiting = [root]
    while waiting:
        path = waiting.pop()
        try:
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                if path == root or _may_be_ours(path):
                    yield path
            elif not stat.S_ISDIR(status.st_mode):
                report(path, "not a regular file")
            elif (place := (status.st_dev, status.st_ino)) not in entered:
                entered.add(place)
                if is_storage(path):
                    yield from find_session_files(path, on_error=report)
                else:
                    waiting += reversed(_worth_a_look(path))
        except OSError as error:
            report(path, error.strerror or str(error))


def _may_be_ours(path: Path) -> bool:
    """Whether a file is worth reading: any database, a session of a tree entered from within, an export."""
    if path.suffix == ".db":
        return True
    storage = storage_of(path)
    return (
        is_export(path)
        if storage is None
        else path.parent.name != "message" and "message" not in path.parent.parts[-2:]
    )


def _worth_a_look(folder: Path) -> list[Path]:
    """What in a folder may be or hold sessions, sorted."""
    with os.scandir(folder) as entries:
        found = {entry.name: _is_folder(entry) for entry in entries}
    own = "storage" in found or any(name.startswith("opencode") and name.endswith(".db") for name in found)
    kept = [name for name in sorted(found) if found[name] or name.endswith((".db", ".json"))]
    return [folder / name for name in kept if not (own and name in _BESIDE_SESSIONS)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


SOURCE: Source = OpenCode()
