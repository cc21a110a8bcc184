"""Databases of other programs that keep sessions and messages too, and OpenCode's under other names."""

import json
import sqlite3
from contextlib import closing

import pytest

from skilltune.scan import scan
from skilltune.sources.opencode import SOURCE
from tests.sources.opencode.building import block, turns, write_go

TYPED = [{"type": "text", "text": "go"}]
CHAT = "CREATE TABLE sessions (id TEXT, name TEXT); CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, %s);"


def write_chat(path, *contents, column="content"):
    """What people wrote in some other program; return the path."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(CHAT % f"{column} TEXT")
        connection.execute("INSERT INTO sessions VALUES ('s', 'n')")
        for number, content in enumerate(contents):
            connection.execute("INSERT INTO messages VALUES (?, 's', 'user', ?)", (number, content))
    return path


@pytest.mark.parametrize(
    "contents",
    [
        ["hello, that is wrong"],
        ['"hello, that is wrong"', "42", "null"],
        ["[]"],
        ['["hello, that is wrong"]'],
        ['[{"text": "hello, that is wrong"}]'],
        [json.dumps(TYPED), "hello, that is wrong"],
        [None, ""],
        [],
    ],
)
def test_foreign_messages_are_nobodys(tmp_path, contents):
    """Messages of which not all are lists of typed blocks are another program's: no session, and it is said."""
    facts = SOURCE.read_facts(write_chat(tmp_path / "chat.db", *contents))
    assert (facts.skipped, facts.sessions, facts.records) == ("not_a_session", (), {"not_a_session": 1})


def test_foreign_messages_under_our_name_are_damage(tmp_path):
    """Under OpenCode's name what is no list of typed blocks is counted as no message; the others are read."""
    plain = ["hello", '"hello"', "42", '{"type": "text"}', '["hello"]']
    facts = SOURCE.read_facts(write_chat(tmp_path / "opencode.db", *plain, json.dumps(TYPED)))
    assert [turn.text for turn in turns(facts)] == ["go"]
    assert facts.records == {"session": 1, "part": 1, "turn": 1, "not_json": 1, "malformed": 4}


def test_foreign_names_do_not_hide_our_messages(tmp_path):
    """A database of the Go era, and one with lists of typed blocks, are known by what they hold under any name."""
    go = write_go(tmp_path / "backup.db", [("user", [block("text", text="go")])])
    assert [turn.text for turn in turns(SOURCE.read_facts(go))] == ["go"]
    content = write_chat(tmp_path / "other.db", json.dumps(TYPED), None)
    assert [turn.text for turn in turns(SOURCE.read_facts(content))] == ["go"]


@pytest.mark.parametrize("name", ["backup.db", "crush.db"])
def test_foreign_tables_of_crush_are_not_ours(tmp_path, name):
    """Crush keeps the tables of the Go era, with a column more or under its own name: not OpenCode's."""
    path = write_go(tmp_path / ".crush" / name, [("user", [block("text", text="wrong")])])
    if name == "backup.db":
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("ALTER TABLE messages ADD COLUMN provider TEXT")
    summary = scan([tmp_path]).summary
    assert (summary.sessions, summary.skipped) == (0, {"not_a_session": 1})


@pytest.mark.parametrize(
    ("column", "content"), [("parts", [block("text", text="wrong")]), ("data", {"role": "user", "content": "wrong"})]
)
def test_foreign_columns_are_nobodys(tmp_path, column, content):
    """A column of the right name alone is no sign: other programs have it."""
    facts = SOURCE.read_facts(write_chat(tmp_path / "chat.db", json.dumps(content), column=column))
    assert (facts.skipped, facts.problems) == ("not_a_session", ())
