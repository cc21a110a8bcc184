"""OpenCode's sessions for the contract suite; see ``tests/sources/contract.py``."""

import json
import sqlite3
import zlib
from contextlib import closing

from tests.sources.contract import Answer, Deny, Edit, Inject, Interrupt, Say, Use
from tests.sources.opencode.building import (
    REJECTED,
    START,
    Talk,
    skill,
    tokens,
    tool,
    write_database,
    write_export,
    write_tree,
)

AGENT = "opencode"
SHAPES = ("database", "tree", "export")
_TABLES = ("session", "message", "part")


def session_id(session):
    """The id in OpenCode's form."""
    return f"ses_{session}"


def environment(home):
    """Where the data lies."""
    return {"XDG_DATA_HOME": str(home / "data")}


def write_conversation(folder, steps, *, session, shape):
    """The steps as a session."""
    talk = _talk(session)
    for number, step in enumerate(steps):
        _add(talk, step, number)
    return _write(folder, talk, shape)


def write_subagent(folder, words, *, session, parent, shape):
    """A session that another one started."""
    talk = _talk(session, parentID=session_id(parent))
    talk.user(words).agent("Reviewed.", tokens=tokens(7, 3))
    return _write(folder, talk, shape)


def _talk(session, **info):
    """A session whose stamps are its own: no two were ever begun in the same millisecond."""
    return Talk(session_id(session), start=START + zlib.crc32(session.encode()) % 1000, **info)


def _add(talk, step, number):
    call = f"call_{talk.prefix}_{number}"
    match step:
        case Say(text):
            talk.user(text)
        case Use(name, body):
            talk.agent(skill(name, body=body.strip(), call_id=call))
        case Edit(path, fails):
            talk.agent(tool("edit", call, filePath=path, error="oldString not found in content" if fails else None))
        case Answer(text, given, written):
            talk.agent(text, tokens=tokens(given, written))
        case Interrupt():
            talk.agent(error={"name": "MessageAbortedError", "data": {"message": "aborted"}})
        case Inject(text):
            talk.user({"type": "text", "text": text, "synthetic": True})
        case Deny():
            talk.agent(tool("bash", call, command="rm a", error=REJECTED))


def _write(folder, talk, shape):
    if shape == "database":
        return write_database(folder / "opencode.db", talk)
    if shape == "tree":
        return write_tree(folder / "storage", talk)
    return write_export(folder / f"{talk.id}.json", talk)


def read_records(path):
    """The rows of a database, the values of a tree's files, or an export's document."""
    if path.suffix == ".db":
        return [_as_value(row) for _, row in _rows(path)]
    return [json.loads(file.read_text()) for file in _files(path)]


def write_records(path, records):
    """The same back, each perhaps another value."""
    if path.suffix != ".db":
        for file, record in zip(_files(path), records, strict=True):
            file.write_text(json.dumps(record))
        return
    rows = _rows(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous = OFF")
        for (table, row), record in zip(rows, records, strict=True):
            values = _as_row(record, row)
            columns = ", ".join(f"{name} = ?" for name in row)
            connection.execute(f"UPDATE OR IGNORE {table} SET {columns} WHERE id = ?", (*values, row["id"]))  # noqa: S608


def _files(path):
    if path.parent.parent.name != "session":
        return [path]
    storage = path.parents[2]
    return [path, *sorted(storage.glob("message/**/*.json")), *sorted(storage.glob("part/**/*.json"))]


def _rows(path):
    """(table, row) of each row."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        tables = {table: connection.execute(f"SELECT * FROM {table} ORDER BY id").fetchall() for table in _TABLES}  # noqa: S608
        return [(table, dict(row)) for table, rows in tables.items() for row in rows]


def _as_value(row):
    return {**row, "data": json.loads(row["data"])} if "data" in row else row


def _as_row(record, row):
    """The columns of a value: a row's that is none are all that value."""
    given = record if isinstance(record, dict) else dict.fromkeys(row, record)
    values = [given.get(name, "") for name in row]
    return [_cell(value) if name != "data" else json.dumps(value) for name, value in zip(row, values, strict=True)]


def _cell(value):
    fits = value is None or isinstance(value, (str, float)) or (isinstance(value, int) and abs(value) < 2**63)
    return value if fits else json.dumps(value)
