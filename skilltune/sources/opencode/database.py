"""Databases: today's with a row a part, those of the Go era, and those whose messages hold their content.

Which tables and columns there are decides, not which version wrote them.
"""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw

from skilltune import limits
from skilltune.errors import ReadError
from skilltune.facts import FileFacts
from skilltune.sources.base import readable
from skilltune.sources.lines import open_file
from skilltune.sources.opencode.blocks import Row, read_blocks, stored_messages
from skilltune.sources.opencode.copying import opened_copy
from skilltune.sources.opencode.reader import FileReader
from skilltune.sources.opencode.records import Info, Reading, read_message, read_part
from skilltune.sources.opencode.session import Head, StoredMessage, head_of, in_order

__all__ = ["is_database", "is_ours", "read_database"]

_MAGIC: Final = b"SQLite format 3\0"
_SCHEMA_BYTES = 16 * 1024 * 1024
"""How much of a file is searched for the words that make its tables."""
_CHUNK_BYTES = 1 << 20
_OVERLAP = 4096
_TABLE: Final = rb"CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[\"'`\[]?%ss?[\"'`\]]?\s*\("
_SESSIONS = re.compile(_TABLE % b"session", re.IGNORECASE)
_MESSAGES = re.compile(_TABLE % b"message", re.IGNORECASE)
_PAIRS: Final = (("session", "message"), ("sessions", "messages"), ("session", "messages"), ("sessions", "message"))
_UNREAD: Final = "session_message"
"""A second account of sessions that some versions write beside their messages."""
_encode = msgspec.json.Encoder().encode


def is_database(path: Path) -> bool:
    """Whether the file begins as a database."""
    try:
        with open_file(path, buffer_bytes=_OVERLAP) as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def is_ours(path: Path) -> bool:
    """Whether a database, or the log beside it, has the words that make the tables of sessions and messages.

    The files are read as bytes: not even a foreign database is opened as one. In a large one the words may stand
    anywhere, so one that is named as ours is taken to be.
    """
    if not is_database(path):
        return False
    found = [_finds_tables(file) for file in (path, path.with_name(path.name + "-wal"))]
    if any(sessions for sessions, _ in found) and any(messages for _, messages in found):
        return True
    return path.name.startswith("opencode") and path.stat().st_size > _SCHEMA_BYTES


def _finds_tables(path: Path) -> tuple[bool, bool]:
    sessions = messages = False
    try:
        with open_file(path, buffer_bytes=_CHUNK_BYTES) as file:
            before, left = b"", _SCHEMA_BYTES
            while left > 0 and not (sessions and messages) and (chunk := file.read(_CHUNK_BYTES)):
                text = before + chunk
                sessions = sessions or _SESSIONS.search(text) is not None
                messages = messages or any(map(_names_sessions, _MESSAGES.finditer(text)))
                before, left = chunk[-_OVERLAP:], left - len(chunk)
    except OSError:
        pass
    return sessions, messages


def _names_sessions(found: re.Match[bytes]) -> bool:
    """Whether the table made there has a column for the session."""
    return b"session_id" in found.string[found.end() : found.end() + _OVERLAP]


def read_database(path: Path, *, strict: bool = False) -> FileFacts:
    """Facts of all sessions in a database.

    Raises
    ------
    ReadError
        It cannot be read, or there is no room for its copy.
    RecordError
        With `strict`, the database or a row is damaged.
    """
    reader = FileReader(path, strict=strict)
    try:
        size = path.stat().st_size
        if not is_ours(path):
            reader.counts["not_a_session"] += 1
            return reader.facts(size=size, skipped="not_a_session")
    except OSError as error:
        raise ReadError(f"{readable(path)}: {error.strerror or error}") from error
    try:
        with opened_copy(path) as connection:
            _Database(connection, reader).read()
    except sqlite3.Error:
        reader.damaged(0, "damaged_database")
    return reader.facts(size=size)


class _Table(NamedTuple):
    """A table and the columns that are read of it."""

    name: str
    columns: frozenset[str]

    def first(self, *names: str) -> str:
        """The first of these columns that the table has, '' for none."""
        return next((name for name in names if name in self.columns), "")


def _has_messages(table: _Table) -> bool:
    return "session_id" in table.columns and bool(table.first("data", "parts", "content"))


class _Database:
    """A database while it is read."""

    def __init__(self, connection: sqlite3.Connection, reader: FileReader) -> None:
        self._connection, self._reader = connection, reader
        names = [
            name.decode(errors="replace")
            for (name,) in self._all("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        self._tables = {name: _Table(name, self._columns(name)) for name in names}

    def read(self) -> None:
        """Take all sessions, the oldest first, of the first two tables that have the columns for it."""
        for sessions, messages in _PAIRS:
            if sessions in self._tables and messages in self._tables and _has_messages(self._tables[messages]):
                self._read(self._tables[sessions], self._tables[messages])
                return
        self._reader.counts["not_a_session"] += 1

    def _read(self, sessions: _Table, messages: _Table) -> None:
        heads = self._heads(sessions)
        rows = self._grouped(
            messages, by="session_id", created=messages.first("time_created", "created_at", "created", "timestamp")
        )
        parts = self._parts() if "data" in messages.columns else {}
        read = set(rows)
        parents = {head.session_id: head.parent for head in heads}
        for head in sorted(heads, key=_by_age):
            found = rows.pop(head.session_id, [])
            whole = (
                self._today(messages, found, parts) if "data" in messages.columns else self._earlier(messages, found)
            )
            self._reader.read_session(head, whole, parent=_root_of(head, parents) if head.parent else None)
        lost = [row.id for found in rows.values() for row in found]
        self._reader.counts["orphan_message"] += len(lost)
        self._reader.counts["orphan_part"] += sum(len(found) for found in parts.values())
        self._count_unread({head.session_id for head in heads} - read)

    def _count_unread(self, sessions: Collection[str]) -> None:
        """Count what a table that is not read holds of sessions that have no messages in the one that is."""
        table = self._tables.get(_UNREAD)
        if table is None or "session_id" not in table.columns:
            return
        rows = self._all(f'SELECT session_id, count(*) FROM "{_UNREAD}" GROUP BY session_id')  # noqa: S608
        self._reader.unknown(_UNREAD, sum(count for name, count in rows if _text(name) in sessions))

    def _heads(self, table: _Table) -> list[Head]:
        names = {
            "id": table.first("id"),
            "parent": table.first("parent_id", "parent_session_id", "parentID"),
            "directory": table.first("directory", "path", "cwd"),
            "version": table.first("version"),
            "created": table.first("time_created", "created_at", "created"),
            "revert": table.first("revert"),
            "permission": table.first("permission"),
        }
        columns = ", ".join(_quoted(name) if name else "NULL" for name in names.values())
        rows = self._all(f"SELECT {columns} FROM {_quoted(table.name)}")  # noqa: S608 (quoted names of the schema)
        return [_head(dict(zip(names, row, strict=True))) for row in rows]

    def _parts(self) -> dict[str, list["_Place"]]:
        """Message → where its parts stand."""
        table = self._tables.get("part")
        if table is None or not {"message_id", "data"} <= table.columns:
            return {}
        return self._grouped(table, by="message_id", created="")

    def _grouped(self, table: _Table, *, by: str, created: str) -> dict[str, list["_Place"]]:
        """Value of the column `by` → the rows with it, in the order of their ids, or in which they were stored."""
        ordered = table.first("id") if by == "message_id" or "data" in table.columns else ""
        rows = self._all(
            f"SELECT rowid, {_quoted('id') if 'id' in table.columns else 'NULL'}, {_quoted(by)}, "  # noqa: S608
            f"{_quoted(created) if created else 'NULL'} FROM {_quoted(table.name)}"
        )
        found: dict[str, list[_Place]] = defaultdict(list)
        for rowid, name, group, stamp in rows:
            found[_text(group)].append(_Place(rowid, _text(name), _plain(stamp)))
        for places in found.values():
            places.sort(key=_by_name if ordered else _by_row)
        return dict(found)

    def _today(
        self, messages: _Table, rows: Sequence["_Place"], parts: dict[str, list["_Place"]]
    ) -> Iterator[StoredMessage]:
        """A session's messages with their parts."""
        found = []
        for number, place in enumerate(rows, 1):
            reading = self._reading(messages, place, read_message)
            if self._reader.taken(reading, number=number):
                reading.found.id = place.id
                found.append((reading.found, place.created, place))
        for number, (message, at, place) in enumerate(in_order(found), 1):
            readings = [self._reading(self._tables["part"], part, read_part) for part in parts.pop(place.id, [])]
            yield StoredMessage(
                message, [reading.found for reading in readings if self._reader.taken(reading, number=number)], at
            )

    def _reading(self, table: _Table, place: "_Place", read: Any) -> Reading:
        content = self._content(table, "data", place)
        return read(content) if content is not None else Reading("too_long")

    def _earlier(self, messages: _Table, rows: Sequence["_Place"]) -> Iterator[StoredMessage]:
        """A session's messages that hold their content themselves."""
        column = messages.first("parts", "content")
        found = []
        for number, place in enumerate(rows, 1):
            content = self._content(messages, column, place)
            blocks = read_blocks(content) if content is not None else None
            if blocks is None:
                self._reader.damaged(number, "too_long" if content is None else "not_json")
                continue
            role, model = self._beside(messages, place)
            found.append(Row(place.id, role, blocks, model, place.created))
        return stored_messages(found)

    def _beside(self, messages: _Table, place: "_Place") -> tuple[str, str]:
        """Role and model of a message that holds its content itself."""
        columns = [messages.first("role"), messages.first("model", "model_id")]
        named = ", ".join(_quoted(name) if name else "NULL" for name in columns)
        row = self._connection.execute(
            f"SELECT {named} FROM {_quoted(messages.name)} WHERE rowid = ?",  # noqa: S608
            (place.row,),
        ).fetchone() or (None, None)
        return _text(row[0]), _text(row[1])

    def _content(self, table: _Table, column: str, place: "_Place") -> bytes | None:
        """The bytes in a column; None where there are too many."""
        row = self._connection.execute(
            f"SELECT CASE WHEN length(CAST({_quoted(column)} AS BLOB)) <= ? THEN {_quoted(column)} END, "  # noqa: S608
            f"{_quoted(column)} IS NULL FROM {_quoted(table.name)} WHERE rowid = ?",
            (limits.LINE_BYTES, place.row),
        ).fetchone() or (b"", True)
        value, missing = row
        if value is None:
            return b"" if missing else None
        return value if isinstance(value, bytes) else str(value).encode()

    def _columns(self, table: str) -> frozenset[str]:
        rows = self._all(f"PRAGMA table_info({_quoted(table)})")
        return frozenset(row[1].decode(errors="replace") for row in rows)

    def _all(self, query: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(query).fetchall()


class _Place(NamedTuple):
    """Where a row stands."""

    row: int
    id: str
    created: Any


def _head(row: Mapping[str, Any]) -> Head:
    """A session's row as what its record says."""
    time = _encode({"created": _plain(row["created"])})
    parent = row["parent"]
    info = Info(
        id=_text(row["id"]),
        parent=None if parent is None else _text(parent),
        version=_text(row["version"]),
        directory=_text(row["directory"]),
        time=Raw(time),
        revert=Raw(_bytes(row["revert"])),
        permission=Raw(_bytes(row["permission"])),
    )
    return head_of(info)


def _root_of(head: Head, parents: Mapping[str, str | None]) -> str:
    """The person's session that a sub-agent goes back to; the last one known to have started one, else ''."""
    parent, seen = head.parent or "", {head.session_id}
    while parent not in seen and (above := parents.get(parent)) is not None:
        seen.add(parent)
        parent = above
    return "" if parent in seen else parent


def _by_age(head: Head) -> tuple[bool, float, str]:
    return head.created is None, head.created.timestamp() if head.created else 0.0, head.session_id


def _by_name(place: _Place) -> tuple[str, int]:
    return place.id, place.row


def _by_row(place: _Place) -> int:
    return place.row


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else b""


def _text(value: Any) -> str:
    """A column as text."""
    return value.decode(errors="replace") if isinstance(value, bytes) else "" if value is None else str(value)


def _plain(value: Any) -> Any:
    return value.decode(errors="replace") if isinstance(value, bytes) else value
