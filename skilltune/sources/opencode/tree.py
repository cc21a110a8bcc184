"""Storage trees: a file a session, a file a message, a file a part.

``storage/session/<project>/<session>.json`` holds a session's own record, ``storage/message/<session>/`` its messages,
``storage/part/<message>/`` the parts of one, or ``storage/part/`` those of all messages. The session's file stands for
all of them.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path

from skilltune import limits
from skilltune.errors import ReadError
from skilltune.facts import FileFacts
from skilltune.sources.base import OnError, readable
from skilltune.sources.opencode.reader import FileReader
from skilltune.sources.opencode.records import Damage, Part, Reading, read_info, read_message, read_part
from skilltune.sources.opencode.session import Head, StoredMessage, head_of, in_order
from skilltune.sources.opencode.values import as_text

__all__ = ["find_session_files", "is_storage", "read_orphans", "read_tree", "storage_of"]

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_FIRST_BYTES = 64 * 1024
"""Nearly every file is shorter: only of others more has to be asked."""
_MISSING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG})
"""Why a folder is not there; one that is there and cannot be entered has another reason."""
_MAX_PARENTS = 100
_SUFFIX = ".json"


def is_storage(folder: Path) -> bool:
    """Whether a folder is a tree's: it has messages, and sessions or parts beside them."""
    return _is_folder(folder / "message") and any(_is_folder(folder / name) for name in ("session", "info", "part"))


def _is_folder(path: Path | str) -> bool:
    """Whether a path is a folder's; not where that may not be known."""
    return os.path.isdir(path)  # noqa: PTH112 (a Path raises what it may not know)


def storage_of(path: Path) -> Path | None:
    """The tree in which a file stands for a session, or a message's file for those without one; None for any other."""
    above = path.parent.parent
    for storage, name in ((above.parent, above.name), (above, path.parent.name)):
        if name in ("session", "info", "message") and path.suffix == _SUFFIX and is_storage(storage):
            return storage
    return None


def find_session_files(storage: Path, *, on_error: OnError) -> Iterator[Path]:
    """The file of each session of a tree, sorted; then for each folder of messages without one its first file.

    Folders that cannot be entered are told to `on_error`.
    """
    names: list[str] = []
    for folder in (storage / "session", storage / "info"):
        for path in _session_files(folder, on_error=on_error):
            names.append(path.stem)
            yield path
    messages = storage / "message"
    lost = sorted(set(_names(messages, on_error=on_error)) - set(names))
    if lost and (lost := sorted(set(lost) - _session_ids(storage))):
        for name in lost:
            found = [messages / name / inner for inner in _json_names(messages / name, on_error=on_error)]
            yield from [next(filter(_is_file, found), found[0])] if found else []


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 (a Path raises what it may not know)


def _session_files(folder: Path, *, on_error: OnError) -> Iterator[Path]:
    """Files in a folder of sessions, and in the folders of projects in it."""
    for name in _names(folder, on_error=on_error):
        if name.endswith(_SUFFIX):
            yield folder / name
        elif folder.name == "session":
            yield from (folder / name / inner for inner in _json_names(folder / name, on_error=on_error))


def _session_ids(storage: Path) -> set[str]:
    """The ids that the sessions' files tell: a file may have another name."""
    folders = [storage / name for name in ("session", "info")]
    paths = [path for folder in folders for path in _session_files(folder, on_error=_pass_over)]
    found = (_read_file(str(path)) for path in paths)
    infos = (read_info(content).found for content in found if isinstance(content, bytes))
    return {as_text(info.id) for info in infos if not isinstance(info, str)}


def read_orphans(path: Path) -> FileFacts:
    """Counts of the messages beside a message's file, whose session has no file, and of their parts."""
    reader, parts = FileReader(path), path.parents[2] / "part"
    names = _json_names(path.parent, on_error=_pass_over)
    reader.counts["orphan_message"] += len(names)
    reader.counts["orphan_part"] += sum(
        len(_json_names(parts / name.removesuffix(_SUFFIX), on_error=_pass_over)) for name in names
    )
    return reader.facts(size=sum(_size(path.parent / name) for name in names), skipped="orphan_messages")


def _size(path: Path) -> int:
    """The size of a file, 0 for a link that leads nowhere."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def read_tree(path: Path, *, storage: Path, strict: bool = False) -> FileFacts:
    """Facts of the session that a file of a tree stands for.

    Raises
    ------
    ReadError
        The file cannot be read.
    RecordError
        With `strict`, the session, a message or a part is damaged.
    """
    reader, files = FileReader(path, strict=strict), _Files(storage)
    content = files.read(str(path))
    if content == "unreadable":
        raise ReadError(f"{readable(path)}: {_why_unreadable(path)}")
    reading = read_info(content) if isinstance(content, bytes) else Reading(content)
    if not reader.taken(reading, number=0):
        return reader.facts(size=files.size)
    head = head_of(reading.found, session_id=readable(path.stem))
    messages = _read_messages(reader, files, folder=files.messages_of(head, path))
    reader.read_session(head, messages, parent=_root_of(head, path) if head.parent else None)
    return reader.facts(size=files.size)


def _why_unreadable(path: Path) -> str:
    try:
        return "not a regular file" if not stat.S_ISREG(path.stat().st_mode) else "cannot be read"
    except OSError as error:
        return error.strerror or str(error)


def _root_of(head: Head, path: Path) -> str:
    """The person's session that a sub-agent goes back to: parents are followed as far as they have files."""
    parent, seen = head.parent or "", {head.session_id}
    while parent and parent not in seen and len(seen) < _MAX_PARENTS and _is_name(parent):
        seen.add(parent)
        content = _read_file(str(path.with_name(parent + _SUFFIX)))
        info = read_info(content).found if isinstance(content, bytes) else None
        above = None if info is None or isinstance(info, str) else head_of(info).parent
        if above is None:
            return parent
        parent = above
    return "" if parent in seen else parent


def _read_messages(reader: FileReader, files: "_Files", *, folder: str) -> Iterator[StoredMessage]:
    """The messages in a folder with their parts, in the order in which they were made."""
    found = []
    for number, name in enumerate(_json_names(folder, on_error=reader.unlisted), 1):
        content = files.read(f"{folder}/{name}")
        reading = read_message(content) if isinstance(content, bytes) else Reading(content)
        if reader.taken(reading, number=number):
            found.append((reading.found, None, name.removesuffix(_SUFFIX)))
    for number, (message, at, stem) in enumerate(in_order(found), 1):
        parts = _read_parts(reader, files, dict.fromkeys((as_text(message.id) or stem, stem)), number=number)
        yield StoredMessage(message, list(parts), at)


def _read_parts(reader: FileReader, files: "_Files", names: Iterable[str], *, number: int) -> Iterator[Part]:
    """The parts of a message, under the first of these names that has any."""
    found = (files.parts_of(name, on_error=partial(reader.unlisted, number=number)) for name in names)
    for path in next(filter(None, found), []):
        content = files.read(path)
        reading = read_part(content) if isinstance(content, bytes) else Reading(content)
        if reader.taken(reading, number=number):
            yield reading.found


class _Files:
    """The files of a tree: where they are, and the sum of their sizes."""

    def __init__(self, storage: Path) -> None:
        self._storage = str(storage)
        self.size = 0

    def read(self, path: str) -> bytes | Damage:
        """The bytes of a file."""
        content = _read_file(path)
        self.size += len(content) if isinstance(content, bytes) else 0
        return content

    def messages_of(self, head: Head, path: Path) -> str:
        """The folder with the messages of a session, named by its id, else as its file."""
        named = f"{self._storage}/message/{head.session_id}"
        return named if _is_name(head.session_id) and _is_folder(named) else f"{self._storage}/message/{path.stem}"

    def parts_of(self, name: str, *, on_error: OnError) -> list[str]:
        """The paths of a message's parts, sorted by name."""
        if not _is_name(name):
            return []
        folder = f"{self._storage}/part/{name}"
        names = _json_names(folder, on_error=on_error)
        if names:
            return [f"{folder}/{inner}" for inner in names]
        return self._flat().get(name, [])

    def _flat(self) -> dict[str, list[str]]:
        """Message → its parts among those that lie side by side."""
        folder = f"{self._storage}/part"
        try:
            return _flat_parts(folder, Path(folder).stat().st_mtime_ns)
        except OSError:
            return {}


@lru_cache(maxsize=2)
def _flat_parts(folder: str, changed: int) -> dict[str, list[str]]:  # noqa: ARG001 (a folder that changed is read again)
    """Message → paths of its parts, for parts that lie side by side in a folder."""
    found: dict[str, list[str]] = {}
    for name in _json_names(folder, on_error=_pass_over):
        content = _read_file(f"{folder}/{name}")
        part = read_part(content).found if isinstance(content, bytes) else None
        if isinstance(part, Part) and isinstance(part.message, str):
            found.setdefault(part.message, []).append(f"{folder}/{name}")
    return found


def _is_name(text: str) -> bool:
    """Whether an id out of a record may be the name of a file beside: it leads nowhere else."""
    return bool(text) and text not in (".", "..") and not any(sign in text for sign in "/\\\0")


def _pass_over(_path: Path, _message: str) -> None:
    """What is told of a folder elsewhere."""


def _names(folder: Path | str, *, on_error: OnError) -> list[str]:
    """The names in a folder, sorted; one that is there and cannot be entered is told to `on_error`."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 (a tree has a hundred thousand of them)
    except OSError as error:
        if error.errno not in _MISSING:
            on_error(Path(folder), error.strerror or str(error))
        return []


def _json_names(folder: Path | str, *, on_error: OnError) -> list[str]:
    return [name for name in _names(folder, on_error=on_error) if name.endswith(_SUFFIX)]


def _read_file(path: str) -> bytes | Damage:
    """The bytes of a regular file no longer than the limit."""
    try:
        handle = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return "unreadable"
    try:
        content = os.read(handle, _FIRST_BYTES)
        more = os.read(handle, _FIRST_BYTES) if content else b""
        return _read_on(handle, content + more) if more or not content else content
    except OSError:
        return "unreadable"
    finally:
        os.close(handle)


def _read_on(handle: int, content: bytes) -> bytes | Damage:
    """The bytes of a file that begins with `content`: of a long one, or of one that may be no file at all."""
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        return "unreadable"
    if status.st_size > limits.LINE_BYTES:
        return "too_long"
    while len(content) < status.st_size and (more := os.read(handle, status.st_size - len(content))):
        content += more
    return content
