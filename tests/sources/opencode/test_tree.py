"""Storage trees."""

import os
from contextlib import contextmanager
from pathlib import Path

import pytest

from skilltune import limits
from skilltune.errors import ReadError, RecordError
from skilltune.scan import scan
from skilltune.sources.opencode import SOURCE
from tests.sources.opencode.building import Talk, skill, tokens, turns, uses, write_export, write_json, write_tree


def found_in(root):
    """What is found below a folder, as paths from it."""
    return [str(path.relative_to(root)) for path in SOURCE.find_files(root)]


def test_tree_stands_for_its_sessions(tmp_path):
    """Of a tree the sessions are found, not their messages and parts, from above, at it, and from within."""
    storage = tmp_path / "opencode" / "storage"
    path = write_tree(storage, Talk().user("go"), Talk("ses_2").user("no"))
    write_json(storage / "session_diff" / "ses_1.json", [])
    write_json(storage / "project" / "p1.json", {"id": "p1"})
    (tmp_path / "opencode" / "snapshot").mkdir()
    write_export(tmp_path / "opencode" / "snapshot" / "x.json", Talk("ses_3").user("wrong"))
    (storage / "loop").symlink_to(storage)
    for root in (tmp_path, storage.parent, storage, storage / "session", storage / "session" / "p1"):
        assert [found.name for found in SOURCE.find_files(root)] == ["ses_1.json", "ses_2.json"]
    assert list(SOURCE.find_files(path)) == [path]
    assert list(SOURCE.find_files(storage / "message")) == []


@pytest.mark.parametrize("flat", [False, True])
def test_tree_gives_the_session_with_its_messages(tmp_path, flat):
    """Parts lie in a folder a message, or side by side; the size is that of all files."""
    path = write_tree(
        tmp_path / "storage", Talk().user("go").agent(skill("tidy"), tokens=tokens(9, 1)).user("no"), flat=flat
    )
    facts = SOURCE.read_facts(path)
    assert ([turn.text for turn in turns(facts)], len(uses(facts))) == (["go", "no"], 1)
    assert facts.sessions[0].path == str(path)
    assert facts.records == {"session": 1, "part": 3, "turn": 2, "use": 1}
    assert facts.size == sum(file.stat().st_size for file in tmp_path.rglob("*.json"))


def test_tree_names_files_otherwise_than_ids(tmp_path):
    """Messages and parts are found by the ids in the records, in the order of their stamps; one without stays put."""
    storage = tmp_path / "storage"
    path = write_json(storage / "session" / "p1" / "ses_x.json", {"id": "s_x", "time": {}})
    for name, role, created in (("1", "assistant", 1767607202000), ("2", "user", 1767607201), ("3", "user", None)):
        record = {"id": f"m_{name}", "role": role, "time": {"created": created}}
        write_json(storage / "message" / "s_x" / f"msg_{name}.json", record)
        write_json(storage / "part" / f"m_{name}" / "1.json", {"type": "text", "text": name})
    facts = SOURCE.read_facts(path)
    assert [(turn.text, turn.line, turn.at) for turn in turns(facts)] == [("2", 1, 1767607201_000000), ("3", 2, None)]
    assert turns(facts)[1].work.said == "1"
    assert found_in(tmp_path) == ["storage/session/p1/ses_x.json"]


def test_tree_counts_messages_without_a_session(tmp_path):
    """Messages whose session has no file are found once, and counted with their parts."""
    storage = tmp_path / "storage"
    path = write_tree(storage, Talk().user("go").agent("a", "b"), Talk("ses_2").user("no"))
    path.unlink()
    assert found_in(tmp_path) == ["storage/session/p1/ses_2.json", "storage/message/ses_1/msg_ses_1_0000.json"]
    summary = scan([tmp_path]).summary
    assert (summary.sessions, summary.skipped) == (1, {"orphan_messages": 1})
    assert (summary.records["orphan_message"], summary.records["orphan_part"]) == (2, 3)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not_json"),
        (b"[1]", "not_object"),
        (b'{"role"', "not_json"),
        (b"x" * 90_000, "too_long"),
        (b" " * 70_000 + b"[]", "not_object"),
        (b"[" * 70_000, "not_json"),
    ],
)
def test_tree_with_a_damaged_message(tmp_path, monkeypatch, content, reason):
    """A message that cannot be read is counted, and so is a part; the others are read."""
    monkeypatch.setattr(limits, "LINE_BYTES", 80_000)
    path = write_tree(tmp_path / "storage", Talk().user("one").user("two").user("three"))
    (tmp_path / "storage" / "message" / "ses_1" / "msg_ses_1_0001.json").write_bytes(content)
    (tmp_path / "storage" / "part" / "msg_ses_1_0002" / "prt_ses_1_0002_000.json").write_bytes(content)
    facts = SOURCE.read_facts(path)
    assert [turn.text for turn in turns(facts)] == ["one"]
    assert facts.records == {"session": 1, "part": 1, "turn": 1, "empty": 1, reason: 2}
    with pytest.raises(RecordError, match=reason):
        SOURCE.read_facts(path, strict=True)


@pytest.mark.parametrize(("content", "flaw"), [(b"gr\xfc\xdfe", "invalid_utf8"), (b"a\0b", "nul"), (b"\\ud83d", "")])
def test_tree_with_odd_bytes(tmp_path, content, flaw):
    """Bytes that are no text are replaced, and that is told."""
    path = write_tree(tmp_path / "storage", Talk().user("go"))
    part = tmp_path / "storage" / "part" / "msg_ses_1_0000" / "prt_ses_1_0000_000.json"
    part.write_bytes(b'\xef\xbb\xbf{"type":"text","text":"' + content + b'","size":NaN,"big":1e999}\n\0')
    facts = SOURCE.read_facts(path)
    assert len(turns(facts)) == 1
    assert [problem.reason for problem in facts.problems] == [flaw] * bool(flaw)


@pytest.mark.parametrize("name", ["../other", "..", "", "a/b", "x\0y", "/etc"])
def test_tree_ids_lead_nowhere_else(tmp_path, name):
    """An id is a name in its folder: one that would lead out of it is not followed."""
    path = write_tree(tmp_path / "storage", Talk().user("go"))
    write_json(tmp_path / "storage" / "other" / "m.json", {"role": "user", "time": {"created": 1767607200000}})
    write_json(path, {"id": name, "parentID": name})
    SOURCE.read_facts(path)
    write_json(path, {"id": name})
    facts = SOURCE.read_facts(path)
    assert [turn.text for turn in turns(facts)] == ["go"]


def test_tree_sub_agents_go_back_to_a_persons_session(tmp_path):
    """Parents are followed through their files; a circle leads to nobody."""
    talks = [Talk("ses_a", parentID="ses_b").user("wrong"), Talk("ses_b", parentID="ses_1"), Talk().user("go")]
    circle = [Talk("ses_c", parentID="ses_d").user("wrong"), Talk("ses_d", parentID="ses_c").user("wrong")]
    write_tree(tmp_path / "storage", *talks, *circle)
    found = scan([tmp_path])
    runs = {run.uuid: run.session_id for facts in found.files() for run in facts.subagents}
    assert runs == {"msg_ses_a_0000": "ses_1", "": "ses_1", "msg_ses_c_0000": "", "msg_ses_d_0000": ""}
    assert (found.summary.sessions, len(found.summary.orphans)) == (1, 2)


def test_tree_forks_count_once(tmp_path):
    """What a fork copied under new ids counts once, with the first of both (K02)."""
    talk = Talk("ses_9").user("go").agent(skill("tidy")).user("no")
    fork = Talk("ses_1", prefix="fork").user("go").agent(skill("tidy"))
    for (info, _), (copied, _) in zip(talk.messages, fork.messages, strict=False):
        copied["time"] = info["time"]
    fork.clock += 60_000
    write_tree(tmp_path / "storage", talk, fork.user("yes"))
    found = scan([tmp_path])
    own = [item for facts in found.files() for item in (*turns(facts), *uses(facts)) if not item.copied]
    assert sorted(getattr(item, "text", "tidy") for item in own) == ["go", "no", "tidy", "yes"]
    assert found.summary.copied == 2


def test_tree_with_what_is_no_file(tmp_path):
    """A pipe, a circle of links and a folder among the messages are unreadable, and nobody waits for them."""
    path = write_tree(tmp_path / "storage", Talk().user("go"))
    messages = tmp_path / "storage" / "message" / "ses_1"
    os.mkfifo(messages / "pipe.json")
    (messages / "loop.json").symlink_to(messages / "loop.json")
    (messages / "folder.json").mkdir()
    facts = SOURCE.read_facts(path)
    assert facts.records == {"session": 1, "part": 1, "turn": 1, "unreadable": 3}
    path.unlink()
    path.symlink_to(path)
    with pytest.raises(ReadError, match=r"ses_1\.json: "):
        SOURCE.read_facts(path)


def test_tree_orphans_may_be_links_to_nowhere(tmp_path):
    """Messages whose session has no file are counted though one of them is a link that leads nowhere."""
    storage = tmp_path / "storage"
    path = write_tree(storage, Talk().user("go"))
    (storage / "message" / "ses_1" / "a.json").symlink_to("nowhere")
    (storage / "message" / "ses_1" / "b.json").symlink_to("b.json")
    path.unlink()
    summary = scan([tmp_path]).summary
    assert summary.skipped == {"orphan_messages": 1}
    assert (summary.records["orphan_message"], summary.records["orphan_part"]) == (3, 1)


@contextmanager
def locked(folder):
    """A folder that nobody may enter, not even an administrator: who reads is another one then."""
    mode, user = folder.stat().st_mode, os.geteuid()
    folder.chmod(0)
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)
        folder.chmod(mode)


@pytest.mark.parametrize(
    ("folder", "said", "told"),
    [
        ("storage/message", [], ["message"]),
        ("storage/message/ses_1", ["no"], []),
        ("storage/part/msg_ses_1_0000", ["no"], []),
        ("storage/session/p1", [], ["p1"]),
        ("storage/session", [], ["session"]),
        ("storage", [], ["storage"]),
    ],
)
def test_tree_with_a_folder_that_may_not_be_entered(tmp_path, monkeypatch, folder, said, told):
    """A folder of a tree that may not be entered ends nothing: it is told, or its session has damage."""
    write_tree(tmp_path / "storage", Talk().user("go"), Talk("ses_2").user("no"))
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o755)
    errors = []
    with locked(tmp_path / folder):
        found = list(SOURCE.find_files(Path(), on_error=lambda path, message: errors.append((path.name, message))))
        facts = [SOURCE.read_facts(path) for path in found]
    assert [turn.text for one in facts for turn in turns(one)] == said
    assert errors == [(name, "Permission denied") for name in told]
    damaged = {"storage/message": 2, "storage/message/ses_1": 1, "storage/part/msg_ses_1_0000": 1}
    assert sum(one.records.get("unreadable", 0) for one in facts) == damaged.get(folder, 0)


def test_tree_in_a_folder_that_may_not_be_entered(tmp_path, monkeypatch):
    """A session that may not be read is an error with its name and the reason, and is nobody's when asked."""
    path = write_tree(tmp_path / "storage", Talk().user("go")).relative_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o755)
    with locked(tmp_path / "storage"):
        assert not SOURCE.sniff(path)
        with pytest.raises(ReadError, match=r"ses_1\.json: Permission denied"):
            SOURCE.read_facts(path)


def test_tree_with_ids_too_long_for_names(tmp_path):
    """An id that no file can be named after leads to the files that are named as the session's own."""
    path = write_tree(tmp_path / "storage", Talk().user("go"))
    write_json(path, {"id": "s" * 300, "parentID": None})
    record = {"id": "m" * 300, "role": "user", "time": {"created": 1767607200000}}
    write_json(tmp_path / "storage" / "message" / "ses_1" / "msg_ses_1_0000.json", record)
    facts = SOURCE.read_facts(path)
    assert ([turn.text for turn in turns(facts)], facts.problems) == (["go"], ())


def test_tree_with_many_parts(tmp_path):
    """Many parts side by side are looked through once for all messages."""
    talk = Talk()
    for number in range(40):
        talk.user(f"go {number}").agent("a", "b", "c")
    path = write_tree(tmp_path / "storage", talk, flat=True)
    facts = SOURCE.read_facts(path)
    assert facts.records == {"session": 1, "part": 160, "turn": 40, "agent": 40}


def test_export_is_found_among_other_documents(tmp_path):
    """Of the JSON files in a folder only exports are found."""
    write_export(tmp_path / "a.json", Talk().user("go"))
    write_json(tmp_path / "b.json", {"info": {}, "messages": []})
    write_json(tmp_path / "c.json", {"info": {"id": "x", "time": {}}, "messages": {}})
    write_json(tmp_path / "package.json", {"name": "x"})
    (tmp_path / "d.json").write_text('{"info": {')
    assert found_in(tmp_path) == ["a.json"]
    assert SOURCE.read_facts(tmp_path / "b.json").skipped == "no_messages"
    assert SOURCE.read_facts(tmp_path / "package.json").records == {"not_a_session": 1}


def test_export_that_is_too_long_is_counted(tmp_path, monkeypatch):
    """An export above the limit is found by how it begins, and counted as too long."""
    monkeypatch.setattr(limits, "LINE_BYTES", 100)
    path = write_export(tmp_path / "a.json", Talk().user("go"))
    assert found_in(tmp_path) == ["a.json"]
    assert SOURCE.read_facts(path).records == {"too_long": 1}


def test_export_counts_what_is_no_message(tmp_path):
    """Entries and parts of another type are damage; the rest is read."""
    talk = Talk().user("go").agent("Done.", {"type": "new-thing"}, {"type": None})
    document = talk.document()
    document["messages"][1]["parts"].append(5)
    document["messages"] += [None, [1], {"info": 3}, {"info": {"role": "user"}, "parts": {}}]
    facts = SOURCE.read_facts(write_json(tmp_path / "a.json", document))
    assert facts.records == {
        "session": 1, "part": 2, "turn": 1, "agent": 1, "unknown_type": 2, "not_object": 4, "empty": 1,
    }  # fmt: skip
    assert facts.unknown_types == {"new-thing": 1, "": 1}


def test_export_of_nothing_we_know_leaves_no_session(tmp_path):
    """A message file given by itself, and a text, are not recognised."""
    write_tree(tmp_path / "storage", Talk().user("go"))
    part = next((tmp_path / "storage" / "part").rglob("*.json"))
    assert SOURCE.read_facts(part).skipped == "not_a_session"
    (tmp_path / "notes.txt").write_text("no, that is wrong")
    assert SOURCE.read_facts(tmp_path / "notes.txt").skipped == "not_a_session"
