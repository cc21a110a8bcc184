"""Databases: today's with a row a part, those of the Go era, and those whose messages hold their content.

Which tables and columns there are decides, not which version wrote them.
"""

import os
import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw

from skilltune.facts import FileFacts
from skilltune.sources.base import naming
from skilltune.sources.lines import open_file
from skilltune.sources.opencode.blocks import Row, read_blocks, stored_messages
from skilltune.sources.opencode.copying import files_of, opened_copy, size_of
from skilltune.sources.opencode.reader import FileReader
from skilltune.sources.opencode.records import Info, Part, Reading, read_message, read_part
from skilltune.sources.opencode.session import Head, StoredMessage, head_of, in_order
from skilltune.sources.opencode.tables import Place, Table, Tables, as_plain, as_words, quoted

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
_NAMES: Final = frozenset({"session", "sessions", "message", "messages", "part", _UNREAD})
_NAME: Final = "opencode"
"""How the names of OpenCode's own databases begin."""
_PARENTS: Final = ("parent_id", "parent_session_id", "parentid")
_NO_PARENT: Final = "without_parent_column"
_GO_SESSIONS: Final = frozenset({"parent_session_id", "message_count", "prompt_tokens"})
_GO_MESSAGES: Final = frozenset({"role", "parts", "finished_at"})
_NOT_GO: Final = frozenset({"provider"})
"""Crush, which its people wrote next, has the same tables and this column."""
_SEEN_ROWS = 20
_SEEN_BYTES = 1 << 20
"""How many messages of how many bytes at most are looked at to know somebody else's from OpenCode's."""
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
    found = [_finds_tables(file) for file in files_of(path).values()]
    if any(sessions for sessions, _ in found) and any(messages for _, messages in found):
        return True
    return _is_named(path) and path.stat().st_size > _SCHEMA_BYTES


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
    return b"session_id" in found.string[found.end() : found.end() + _OVERLAP].lower()


def read_database(path: Path, *, strict: bool = False) -> FileFacts:
    """Facts of all sessions in a database.

    Raises
    ------
    ReadError
        It cannot be read, or there is no room for its copy.
    RecordError
        With `strict`, the database or a row is damaged.
    """
    reader, skipped = FileReader(path, strict=strict), ""
    with naming(path):
        size = size_of(path)
        if not is_ours(path):
            reader.counts["not_a_session"] += 1
            return reader.facts(size=size, skipped="not_a_session")
    try:
        with opened_copy(path) as connection:
            skipped = _Database(connection, reader, named=_is_named(path)).read()
    except (sqlite3.Error, UnicodeDecodeError):  # the latter where the database's own words for its damage are none
        reader.damaged(0, "damaged_database")
    return reader.facts(size=size, skipped=skipped)


def _is_named(path: Path) -> bool:
    """Whether a database, or what a link leads to, has the name that OpenCode gives its own."""
    return any(Path(name).name.startswith(_NAME) for name in (path, os.path.realpath(path)))


class _Database:
    """A database while it is read."""

    def __init__(self, connection: sqlite3.Connection, reader: FileReader, *, named: bool) -> None:
        self._reader, self._named = reader, named
        self._tables = Tables(connection, names=_NAMES)

    def read(self) -> str:
        """Take all sessions, the oldest first, of the first two tables that are OpenCode's; why there are none."""
        for pair in _PAIRS:
            sessions, messages = map(self._tables.get, pair)
            if sessions and messages and (column := self._content_column(sessions, messages)):
                if column == "data" and not sessions.first(*_PARENTS):
                    return self._leave(sessions, messages)
                self._read(sessions, messages, column=column)
                return ""
        self._reader.counts["not_a_session"] += 1
        return ""

    def _content_column(self, sessions: Table, messages: Table) -> str:
        """The column in which messages have what they say; '' where the tables are somebody else's.

        Many programs keep sessions and messages. Under a name that is not OpenCode's they have to have parts in a table
        of their own, all that its Go era wrote (and not what a later program of the same people adds), or nothing but
        lists of blocks.
        """
        if "session_id" not in messages.columns:
            return ""
        if "data" in messages.columns:
            return "data" if self._named or self._part_table() else ""
        if "parts" in messages.columns:
            go = sessions.columns >= _GO_SESSIONS and messages.columns >= _GO_MESSAGES
            crush = messages.columns & _NOT_GO or self._reader.path.name.startswith("crush")
            return "parts" if self._named or (go and not crush) else ""
        whole = "content" in messages.columns and (self._named or self._holds_blocks(messages))
        return "content" if whole else ""

    def _holds_blocks(self, messages: Table) -> bool:
        """Whether the content of all messages begins as a list, and that of the first ones is one of typed blocks."""
        name, trimmed = quoted(messages.name), f"ltrim(CAST({quoted('content')} AS TEXT), ' \t\r\n')"
        others = f"SELECT 1 FROM {name} WHERE {trimmed} NOT LIKE '[%' LIMIT 1"  # noqa: S608 (a quoted name)
        short = f"length(CAST({quoted('content')} AS BLOB)) BETWEEN 1 AND {_SEEN_BYTES}"
        first = f"SELECT {quoted('content')} FROM {name} WHERE {short} LIMIT {_SEEN_ROWS}"  # noqa: S608
        if self._tables.all(others):
            return False
        found = [read_blocks(value if isinstance(value, bytes) else b"") for (value,) in self._tables.all(first)]
        return any(isinstance(blocks, list) and blocks for blocks in found) and "malformed" not in found

    def _leave(self, sessions: Table, messages: Table) -> str:
        """Count what nobody can tell a person's from a sub-agent's in: no column names the session that started one."""
        rows = sum(map(self._tables.count, (sessions, messages, self._tables.get("part"))))
        self._reader.counts[_NO_PARENT] += rows
        self._reader.complain(0, _NO_PARENT)
        return _NO_PARENT

    def _read(self, sessions: Table, messages: Table, *, column: str) -> None:
        today = column == "data"
        heads = self._heads(sessions)
        created = messages.first("time_created", "created_at", "created", "timestamp")
        rows = self._tables.places(messages, by="session_id", created=created)
        parts = self._parts() if today else {}
        read = set(rows)
        parents = {head.session_id: head.parent for head in heads}
        for head in sorted(heads, key=_by_age):
            found = rows.pop(head.session_id, [])
            if today:
                whole = self._today(messages, sorted(found, key=_by_name), parts)
            else:
                whole = self._earlier(messages, found, column=column)
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
        rows = self._tables.all(f'SELECT session_id, count(*) FROM "{_UNREAD}" GROUP BY session_id')  # noqa: S608
        self._reader.unknown(_UNREAD, sum(count for name, count in rows if as_words(name) in sessions))

    def _heads(self, table: Table) -> list[Head]:
        names = {
            "id": table.first("id"),
            "parent": table.first(*_PARENTS),
            "directory": table.first("directory", "path", "cwd"),
            "version": table.first("version"),
            "created": table.first("time_created", "created_at", "created"),
            "revert": table.first("revert"),
            "permission": table.first("permission"),
        }
        columns = ", ".join(quoted(name) or "NULL" for name in names.values())
        rows = self._tables.all(f"SELECT {columns} FROM {quoted(table.name)}")  # noqa: S608 (quoted names of the schema)
        return [_head(dict(zip(names, row, strict=True))) for row in rows]

    def _parts(self) -> dict[str, list[Place]]:
        """Message → where its parts stand."""
        table = self._part_table()
        return self._tables.places(table, by="message_id", created="") if table else {}

    def _part_table(self) -> Table | None:
        table = self._tables.get("part")
        return table if table and {"message_id", "data"} <= table.columns else None

    def _today(self, messages: Table, rows: Sequence[Place], parts: dict[str, list[Place]]) -> Iterator[StoredMessage]:
        """A session's messages with their parts."""
        found = []
        for number, place in enumerate(rows, 1):
            reading = self._reading(messages, place, read_message)
            if self._reader.taken(reading, number=number):
                reading.found.id = place.id
                found.append((reading.found, place.created, place))
        for number, (message, at, place) in enumerate(in_order(found), 1):
            yield StoredMessage(message, list(self._parts_of(parts.pop(place.id, []), number=number)), at)

    def _parts_of(self, rows: list[Place], *, number: int) -> Iterator[Part]:
        table = self._part_table()
        for place in sorted(rows, key=_by_name):
            if table and self._reader.taken(reading := self._reading(table, place, read_part), number=number):
                yield reading.found

    def _reading(self, table: Table, place: Place, read: Any) -> Reading:
        content = self._tables.content(table, "data", place)
        return read(content) if content is not None else Reading("too_long")

    def _earlier(self, messages: Table, rows: Sequence[Place], *, column: str) -> Iterator[StoredMessage]:
        """A session's messages that hold their content themselves."""
        beside = [messages.first("role"), messages.first("model", "model_id")]
        found = []
        for number, place in enumerate(rows, 1):
            content = self._tables.content(messages, column, place)
            blocks = read_blocks(content) if content is not None else "too_long"
            if isinstance(blocks, str):
                self._reader.damaged(number, blocks)
                continue
            role, model = self._tables.words(messages, beside, place)
            found.append(Row(place.id, role, blocks, model, place.created))
        return stored_messages(found)


def _head(row: Mapping[str, Any]) -> Head:
    """A session's row as what its record says."""
    time = _encode({"created": as_plain(row["created"])})
    parent = row["parent"]
    info = Info(
        id=as_words(row["id"]),
        parent=None if parent is None else as_words(parent),
        version=as_words(row["version"]),
        directory=as_words(row["directory"]),
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


def _by_name(place: Place) -> tuple[str, int]:
    return place.id, place.number


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else b""
