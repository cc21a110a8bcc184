"""Databases of all kinds."""

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest

from skilltune import limits
from skilltune.errors import RecordError
from skilltune.mining.sessions import mine_sessions
from skilltune.scan import scan
from skilltune.sources.opencode import SOURCE, database
from tests.sources.opencode.building import (
    RUN_RULES,
    Talk,
    block,
    fill_database,
    items,
    skill,
    tokens,
    tool,
    turns,
    uses,
    write_database,
    write_go,
    write_tree,
)

AS_OF = datetime(2026, 1, 10, tzinfo=UTC)
ROWS = ("session", "message", "part")


def state_of(folder):
    """Name → bytes and time of every file."""
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir() if path.is_file()}


def said(facts):
    """The words of all turns."""
    return [turn.text for turn in turns(facts)]


def test_database_that_is_written_gives_all_messages(tmp_path):
    """What stands in the log beside a database counts, though another program has both open; neither changes."""
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        fill_database(writer, Talk().user("one").agent(skill("tidy")).user("two"))
        writer.commit()
        writer.execute("BEGIN IMMEDIATE")
        before = state_of(tmp_path)
        assert SOURCE.sniff(path)
        facts = SOURCE.read_facts(path)
        assert state_of(tmp_path) == before
    assert before["opencode.db-wal"][0]
    assert (said(facts), len(uses(facts)), facts.skipped) == (["one", "two"], 1, "")
    assert facts.records == {"session": 1, "part": 3, "turn": 2, "use": 1}


def test_database_without_its_log_would_lose_messages(tmp_path):
    """The log is what the test above reads: the database alone knows nothing of the later messages."""
    path = write_database(tmp_path / "opencode.db", Talk().user("one"))
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        fill_database(writer, Talk("ses_2").user("two"))
        writer.commit()
        shutil.copyfile(path, tmp_path / "alone.db")
        assert said(SOURCE.read_facts(path)) == ["one", "two"]
        assert said(SOURCE.read_facts(tmp_path / "alone.db")) == ["one"]


def test_database_and_tree_count_a_session_once(tmp_path):
    """Sessions 1 and 2 in a tree, 2 and 3 in a database are three (K19)."""
    talks = [Talk(f"ses_{number}", start=1767607200000 + number).user(f"go {number}") for number in (1, 2, 3)]
    write_tree(tmp_path / "storage", *talks[:2])
    path = write_database(tmp_path / "opencode.db", *talks[1:])
    before = path.read_bytes(), path.stat().st_mtime_ns
    found = scan([tmp_path])
    assert found.summary.sessions == 3
    own = [item.text for facts in found.files() for item in items(facts) if not item.copied]
    assert sorted(own) == ["go 1", "go 2", "go 3"]
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_database_of_somebody_else_is_not_recognised(tmp_path):
    """Other tables are nobody's sessions, and the log beside them is left alone."""
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.executescript(
            "CREATE TABLE session (id); CREATE TABLE message (id, text); INSERT INTO session VALUES (1);"
        )
        before = state_of(tmp_path)
        assert not SOURCE.sniff(path)
        facts = SOURCE.read_facts(path)
        assert state_of(tmp_path) == before
    assert (facts.skipped, facts.sessions, facts.records) == ("not_a_session", (), {"not_a_session": 1})


def test_database_that_is_large_is_known_by_its_name(tmp_path, monkeypatch):
    """Where the tables are named too far in the file to be seen, the name decides, and then what is in it."""
    monkeypatch.setattr(database, "_SCHEMA_BYTES", 0)
    ours = write_database(tmp_path / "opencode-dev.db", Talk().user("go"))
    assert SOURCE.sniff(ours)
    assert said(SOURCE.read_facts(ours)) == ["go"]
    assert not SOURCE.sniff(write_database(tmp_path / "other.db", Talk().user("go")))
    with closing(sqlite3.connect(tmp_path / "opencode.db")) as writer:
        writer.execute("CREATE TABLE other (id)")
    assert SOURCE.read_facts(tmp_path / "opencode.db").skipped == "not_a_session"


def test_database_with_odd_columns_is_no_session(tmp_path):
    """Tables of the right names that hold nothing we know are not recognised."""
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.executescript("CREATE TABLE session (id); CREATE TABLE message (id, session_id);")
    assert SOURCE.read_facts(path).skipped == "not_a_session"


def test_database_that_is_damaged_gives_what_is_left(tmp_path):
    """A database that breaks off is counted as damaged; strict reading says so."""
    talks = [Talk(f"ses_{number:03d}").user("go " * 500) for number in range(60)]
    path = write_database(tmp_path / "opencode.db", *talks)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    facts = SOURCE.read_facts(path)
    assert facts.records["damaged_database"] == 1
    assert [problem.reason for problem in facts.problems] == ["damaged_database"]
    with pytest.raises(RecordError, match="damaged_database"):
        SOURCE.read_facts(path, strict=True)


def test_database_rows_are_counted_whatever_they_hold(tmp_path, monkeypatch):
    """Rows that are no JSON, no object or too long are damage; rows without their message or session are orphans."""
    monkeypatch.setattr(limits, "LINE_BYTES", 400)
    path = write_database(tmp_path / "opencode.db", Talk().user("one").user("x" * 500).user("two").agent("Done."))
    odd = [("m1", "ses_1", "[]"), ("m2", "ses_1", "{"), ("m3", "ses_gone", "{}"), ("m4", "ses_1", b"\xff{}")]
    with closing(sqlite3.connect(path)) as writer, writer:
        writer.executemany("INSERT INTO message (id, session_id, data) VALUES (?, ?, ?)", odd)
        parts = [("p1", "m1", "{}"), ("p2", "m9", "{}"), ("p3", "m3", "{}")]
        writer.executemany("INSERT INTO part (id, message_id, session_id, data) VALUES (?, ?, '', ?)", parts)
        rows = sum(len(writer.execute(f"SELECT id FROM {table}").fetchall()) for table in ROWS)  # noqa: S608
    facts = SOURCE.read_facts(path)
    assert said(facts) == ["one", "two"]
    assert facts.records == {
        "session": 1, "part": 3, "turn": 2, "agent": 1, "empty": 1, "too_long": 1, "not_object": 1, "not_json": 2,
        "orphan_message": 1, "orphan_part": 3,
    }  # fmt: skip
    assert sum(facts.records.values()) == rows


def without_ids(part):
    """A part as a fork copies it."""
    return {key: value for key, value in part.items() if key not in ("id", "sessionID", "messageID")}


def test_database_tells_forks_by_what_they_copied(tmp_path):
    """A fork has the messages under new ids: what it copied is marked, and whose it is."""
    talk = Talk("ses_9").user("go").agent(skill("tidy")).user("no")
    fork = Talk("ses_1", start=talk.info["time"]["created"] + 60_000)
    for info, parts in talk.messages[:2]:
        kept = {key: value for key, value in info.items() if key not in ("id", "sessionID", "role")}
        fork.message(info["role"], *map(without_ids, parts), **kept)
        fork.messages[-1][0]["time"] = info["time"]
    facts = SOURCE.read_facts(write_database(tmp_path / "opencode.db", talk, fork.user("yes")))
    first, second = facts.sessions
    assert (first.session_id, first.forked_from) == ("ses_9", "")
    assert (second.session_id, second.forked_from) == ("ses_1", "ses_9")
    assert [item.copied for item in first.items] == [False] * 3
    assert [item.copied for item in second.items] == [True, True, False]


@pytest.mark.parametrize(
    ("parents", "root"),
    [
        ({"ses_b": "ses_1"}, "ses_1"),
        ({"ses_b": "ses_c", "ses_c": "ses_1"}, "ses_1"),
        ({"ses_b": "ses_gone"}, "ses_gone"),
        ({"ses_b": "ses_c", "ses_c": "ses_b"}, ""),
    ],
)
def test_database_sub_agents_belong_to_a_persons_session(tmp_path, parents, root):
    """A sub-agent of a sub-agent goes back to the person's session; in a circle, to none."""
    talks = [Talk().user("go")]
    talks += [
        Talk(name, parentID=parent).user("wrong").agent("x", tokens=tokens(7, 3)) for name, parent in parents.items()
    ]
    facts = SOURCE.read_facts(write_database(tmp_path / "opencode.db", *talks))
    assert {run.session_id for run in facts.subagents} == {root}
    assert {(run.tokens.input, run.uuid) for run in facts.subagents} == {(7, f"msg_{name}_0000") for name in parents}
    assert said(facts) == ["go"]
    assert facts.records["subagent"] == 5 * len(parents)


def test_database_tells_what_a_program_started_and_what_was_taken_back(tmp_path):
    """The columns say what a session's record would."""
    talk = Talk(permission=RUN_RULES).user("go").agent("Done.")
    talk.info["revert"] = {"messageID": talk.messages[0][0]["id"]}
    (session,) = SOURCE.read_facts(write_database(tmp_path / "opencode.db", talk)).sessions
    assert (session.entrypoint, session.agent_version, session.project) == ("opencode_run", "1.3.17", "/home/dev/shop")
    assert session.items[-1].command == "/undo"


CALL = block(
    "tool_call", id="t1", name="edit", input=json.dumps({"file_path": "/a.py"}), type="function", finished=True
)


def test_database_of_the_go_era(tmp_path):
    """Messages that hold their parts: results go to their calls, seconds are told from milliseconds."""
    path = write_go(
        tmp_path / ".opencode" / "opencode.db",
        [
            ("user", [block("text", text="go")]),
            (
                "assistant",
                [
                    block("reasoning", thinking="x"),
                    block("text", text="I will."),
                    CALL,
                    block("finish", reason="tool_use"),
                ],
            ),
            (
                "tool",
                [block("tool_result", tool_call_id="t1", name="edit", content="Permission denied", is_error=True)],
            ),
            ("assistant", [block("finish", reason="canceled", time=1)]),
            ("user", [block("text", text="no"), block("binary", Path="a.png", MIMEType="image/png", Data="AA==")]),
        ],
    )
    (session,) = (facts := SOURCE.read_facts(path)).sessions
    first, denial, last = session.items
    assert (first.text, first.at, first.work.edited, first.work.said) == (
        "go",
        1767607200_000000,
        ("/a.py",),
        "I will.",
    )
    assert (denial.channel, denial.tool) == ("denial", "edit")
    assert (last.text, last.interrupted, last.image, last.at) == ("no", True, True, 1767607204_000000)
    assert session.items[0].work.model == "m1"
    assert facts.skipped == ""


def test_database_of_the_go_era_keeps_messages_of_one_second_in_order(tmp_path):
    """Messages of one second stand as they were stored, whatever their ids and indexes are."""
    path = write_go(
        tmp_path / "opencode.db", [("user", [block("text", text=words)]) for words in ("one", "two", "three")]
    )
    with closing(sqlite3.connect(path)) as writer, writer:
        writer.execute("UPDATE messages SET created_at = 1767607200, id = 'm' || (9 - rowid)")
        writer.execute("CREATE INDEX every ON messages (session_id, id, created_at)")
    assert said(SOURCE.read_facts(path)) == ["one", "two", "three"]


def test_database_of_the_go_era_keeps_sub_agents_apart(tmp_path):
    """A session that another one started is no person's."""
    path = write_go(tmp_path / "opencode.db", [("user", [block("text", text="wrong")])], session="g2", parent="g1")
    facts = SOURCE.read_facts(path)
    assert (facts.skipped, [run.session_id for run in facts.subagents], facts.sessions) == ("subagent", ["g1"], ())


def test_database_whose_messages_have_content(tmp_path):
    """A list of text, tool_use and tool_result is read; a result alone is nobody's turn, whatever its role."""
    messages = [
        ("user", [{"type": "text", "text": "go"}]),
        ("assistant", [{"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "git status"}}]),
        (
            "user",
            [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "content": [{"type": "text", "text": "no such"}],
                    "is_error": True,
                }
            ],
        ),
        ("user", [{"type": "text", "text": "no"}, {"type": "image", "source": {}}]),
    ]
    facts = SOURCE.read_facts(write_go(tmp_path / "opencode.db", messages, column="content"))
    assert [(turn.text, turn.image) for turn in turns(facts)] == [("go", False), ("no", True)]
    assert (turns(facts)[0].work.errors, turns(facts)[0].work.commands) == (1, ())
    assert facts.records["tool_result"] == 1
    assert facts.problems == ()


def test_database_with_a_table_nobody_reads(tmp_path):
    """What only a table that is not read tells of a session is counted as unknown; what stands twice is not."""
    path = write_database(tmp_path / "opencode.db", Talk().user("go"), Talk("ses_2"))
    with closing(sqlite3.connect(path)) as writer, writer:
        writer.execute("CREATE TABLE session_message (id, session_id, type, data)")
        rows = [(1, "ses_1", "user", "{}"), (2, "ses_2", "user", "{}"), (3, "ses_2", "user", "{}")]
        writer.executemany("INSERT INTO session_message VALUES (?, ?, ?, ?)", rows)
    facts = SOURCE.read_facts(path)
    assert (facts.unknown_types, facts.records["unknown_type"]) == ({"session_message": 2}, 2)


GO = ("Please tidy the cart.", "No, that's wrong, you broke the order of the imports.")


def go_messages(call, result):
    """A conversation in which a skill's file is read, a file is changed, and the person objects."""
    steps = [("view", {"file_path": "/s/tidy/SKILL.md"}), ("edit", {"file_path": "/home/dev/shop/cart.py"})]
    messages = [("user", [{"type": "text", "text": GO[0]}])]
    for number, (name, given) in enumerate(steps):
        messages += [("assistant", [call(f"t{number}", name, given)]), ("tool", [result(f"t{number}")])]
    return [*messages, ("user", [{"type": "text", "text": GO[1]}])]


def test_database_of_each_kind_gives_the_same_events(tmp_path):
    """A conversation has the same events whichever tables hold it."""
    steps = [tool("read", "t0", filePath="/s/tidy/SKILL.md"), tool("edit", "t1", filePath="/home/dev/shop/cart.py")]
    write_database(tmp_path / "today" / "opencode.db", Talk().user(GO[0]).agent(*steps).user(GO[1]))
    wrapped = go_messages(
        lambda name, kind, given: block("tool_call", id=name, name=kind, input=json.dumps(given)),
        lambda name: block("tool_result", tool_call_id=name, content="ok", is_error=False),
    )
    write_go(tmp_path / "go" / "opencode.db", wrapped)
    plain = go_messages(
        lambda name, kind, given: {"type": "tool_use", "id": name, "name": kind, "input": given},
        lambda name: {"type": "tool_result", "tool_use_id": name, "content": "ok"},
    )
    write_go(tmp_path / "content" / "opencode.db", plain, column="content")
    tables = [
        [
            (event.skill_id, event.outcome, event.rule)
            for event in mine_sessions(scan([folder]).files, as_of=AS_OF).events
        ]
        for folder in (tmp_path / "today", tmp_path / "go", tmp_path / "content")
    ]
    assert [row[:2] for row in tables[0]] == [("tidy", "correction")]
    assert tables[0] == tables[1] == tables[2]
