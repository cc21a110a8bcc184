"""Tables of databases as odd as they may be."""

import json
import sqlite3
from contextlib import closing

import pytest

from skilltune.errors import RecordError
from skilltune.sources.opencode import SOURCE
from tests.sources.opencode.building import SCHEMA, Talk, tokens, turns, write_database


def said(facts):
    """The words of all turns."""
    return [turn.text for turn in turns(facts)]


def changed(path, *statements):
    """The database with its schema changed; return its path."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    return path


@pytest.fixture
def talked(tmp_path):
    """A database with two sessions."""
    return write_database(tmp_path / "opencode.db", Talk().user("one").agent("1").user("two"), Talk("ses_2").user("x"))


@pytest.mark.parametrize("offset", [2, 12, 20, 42])
def test_tables_whose_words_are_damaged(talked, offset):
    """A byte that is no text, in the words that make a table, is damage and ends nothing, though SQLite quotes it."""
    raw = bytearray(talked.read_bytes())
    raw[raw.index(b"CREATE TABLE `part`") + offset] = 0xDC
    talked.write_bytes(raw)
    facts = SOURCE.read_facts(talked)
    assert (facts.records, facts.sessions) == ({"damaged_database": 1}, ())
    with pytest.raises(RecordError, match="damaged_database"):
        SOURCE.read_facts(talked, strict=True)


@pytest.mark.parametrize("hidden", ["rowid", "ROWID", "_rowid_", "oid"])
def test_tables_with_a_column_that_hides_the_number_of_a_row(talked, hidden):
    """Columns named as SQLite calls the number of a row hold what they hold: rows are told apart all the same."""
    whole = SOURCE.read_facts(talked)
    for table in ("message", "part"):
        changed(talked, f"ALTER TABLE {table} RENAME COLUMN time_updated TO {hidden}")
        changed(talked, f"UPDATE {table} SET {hidden} = 1")  # noqa: S608 (names of this test)
    facts = SOURCE.read_facts(talked)
    assert (said(facts), facts.records) == (["one", "two", "x"], whole.records)
    assert turns(facts)[0].work.said == "1"


def test_tables_with_columns_that_hide_all_names_of_a_row(talked):
    """Where no name for the number of a row is left, its primary key names it."""
    for table in ("message", "part"):
        new = ("rowid", "_rowid_", "oid")
        changed(talked, *(f"ALTER TABLE {table} ADD COLUMN {name} integer DEFAULT 1" for name in new))
    assert said(SOURCE.read_facts(talked)) == ["one", "two", "x"]


@pytest.mark.parametrize(
    "change",
    [
        lambda schema: schema.replace("NOT NULL);", "NOT NULL) WITHOUT ROWID;"),
        lambda schema: schema.replace("`parent_id` text", "`parent_id` text GENERATED ALWAYS AS (NULL)"),
        lambda schema: schema.upper(),
    ],
)
def test_tables_may_be_made_otherwise(tmp_path, change):
    """Rows without numbers, columns that are reckoned, names in capitals: the sessions are the same."""
    with closing(sqlite3.connect(tmp_path / "opencode.db")) as connection, connection:
        connection.executescript(change(SCHEMA))
        connection.execute("INSERT INTO session (id, project_id, directory, time_created, time_updated) VALUES ('ses_1', '', '/w', 0, 0)")  # fmt: skip  # noqa: E501
        for number, words in enumerate(("one", "two")):
            message = json.dumps({"role": "user", "time": {"created": 1767607200000 + number}})
            connection.execute(
                "INSERT INTO message (id, session_id, data) VALUES (?, 'ses_1', ?)", (f"m{number}", message)
            )
            part = (f"p{number}", f"m{number}", json.dumps({"type": "text", "text": words}))
            connection.execute("INSERT INTO part (id, message_id, session_id, data) VALUES (?, ?, 'ses_1', ?)", part)
    facts = SOURCE.read_facts(tmp_path / "opencode.db")
    assert (said(facts), facts.records) == (["one", "two"], {"session": 1, "turn": 2, "part": 2})
    assert [turn.uuid for turn in turns(facts)] == list(dict.fromkeys(turn.uuid for turn in turns(facts)))


def test_tables_that_tell_no_sub_agent(tmp_path):
    """Without a column for the session that started one, nobody's words are a person's; the rows are counted."""
    child = Talk("ses_2", parentID="ses_1").user("wrong").agent("x", tokens=tokens(7, 3))
    path = write_database(tmp_path / "opencode.db", Talk().user("go"), child)
    changed(path, "ALTER TABLE session RENAME COLUMN parent_id TO started_by")
    facts = SOURCE.read_facts(path)
    assert (facts.sessions, facts.subagents, facts.skipped) == ((), (), "without_parent_column")
    assert facts.records == {"without_parent_column": 2 + 3 + 3}
    assert [problem.reason for problem in facts.problems] == ["without_parent_column"]
    with pytest.raises(RecordError, match="without_parent_column"):
        SOURCE.read_facts(path, strict=True)
