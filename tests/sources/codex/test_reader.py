"""Files as a whole: damaged lines, what is whose, forks and copies, sub-agents, streams, packed files."""

import json
from datetime import UTC, datetime

import pytest

from skilltune import limits
from skilltune.errors import ReadError, RecordError
from skilltune.facts import Tokens
from skilltune.mining.sessions import mine_sessions
from skilltune.scan import scan
from skilltune.sources import SOURCES
from skilltune.sources.codex.reader import read_file
from tests.sources.codex.building import AGENTS_FILE, ENVIRONMENT, SKILL, Flat, Rollout, turns, uses, works, write

PARENT, FORK = "01a00000-0000-7000-8000-000000000001", "01a00001-0000-7000-8000-000000000002"
PROMPT = json.dumps({"type": "event_msg", "payload": {"type": "user_message", "message": "typed"}})
META = json.dumps({"type": "session_meta", "payload": {"id": PARENT}})
TORN = '{"timestamp":"2026-01-05T10:00:00Z","type":"event_msg","payl'


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[1,2]", "not_object"),
        ("null", "not_object"),
        (TORN, "not_json"),
        ("not json at all", "not_json"),
        ('{"type":"response_item"}', "malformed"),
        ('{"type":"event_msg","payload":[1]}', "malformed"),
        ('{"type":"response_item","payload":{"type":"message","role":"critic"}}', "malformed"),
        ('{"type":"event_msg","payload":{"type":"user_message","message":[1]}}', "malformed"),
    ],
)
def test_reader_damaged_line_is_counted_and_the_rest_read(read, line, reason):
    """A damaged line is counted by its reason, once, and the lines around it count (N15)."""
    facts = read(Rollout().told("before").raw(line).told("after"))
    assert [turn.text for turn in turns(facts)] == ["before", "after"]
    assert facts.records == {"session_meta": 1, "turn": 2, reason: 1}
    assert [(problem.line, problem.reason) for problem in facts.problems] == [(3, reason)]


@pytest.mark.parametrize("line", [TORN, "[1]", '{"type":"response_item"}', PROMPT.replace("typed", "ty\0ped")])
def test_reader_strict_raises_with_path_and_line(read, line):
    """With strict a damaged line raises."""
    with pytest.raises(RecordError) as caught:
        read(Rollout().raw(line), strict=True)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (META + "\n" + TORN + PROMPT, ["typed"]),
        (PROMPT + PROMPT.replace("typed", "again"), ["typed", "again"]),
        ("\ufeff" + PROMPT, ["typed"]),
        (PROMPT.replace("typed", "größer → 不对 😅"), ["größer → 不对 😅"]),
        (PROMPT.replace("typed", "a\\ud83dz"), ["a\ufffdz"]),
        (PROMPT.encode().replace(b"typed", b"a\xffz"), ["a\ufffdz"]),
        (PROMPT.replace("typed", "a\0z"), ["a\0z"]),
        (PROMPT + "\r\n\r\n \n" + PROMPT.replace("typed", "two") + "\r\n", ["typed", "two"]),
        (PROMPT.replace('"type": "event_msg"', '"type": "event_msg", "timestamp": 5'), ["typed"]),
        (PROMPT.replace('"message": "typed"', '"message": "typed", "success": [], "info": 1, "id": {}'), ["typed"]),
    ],
)
def test_reader_reads_on_over_odd_bytes_and_types(read, content, said):
    """Two records on a line, marks, cut characters, NUL and fields of odd types cost no prompt (K21)."""
    assert [turn.text for turn in turns(read(content))] == said


@pytest.mark.parametrize(
    ("stamp", "told"), [("2026-01-05T10:00:00", 1767607200000000), ("yesterday", None), (17, None)]
)
def test_reader_stamps(read, stamp, told):
    """A stamp without a zone is UTC; one that cannot be read is missing, never 1970."""
    line = {"timestamp": stamp, **json.loads(PROMPT)}
    assert [turn.at for turn in turns(read(json.dumps(line)))] == [told]


def test_reader_unfinished_last_line_is_pending(read):
    """A last line that is half written is pending; whole, it is one turn (K37)."""
    log = Rollout().told("before")
    facts = read(log.text() + PROMPT[:-9])
    assert (facts.records["pending"], facts.sessions[0].pending) == (1, True)
    assert [turn.text for turn in turns(read(log.text() + PROMPT))] == ["before", "typed"]


def test_reader_passes_over_a_line_that_is_too_long(read, monkeypatch):
    """A line over the limit is counted and passed over."""
    monkeypatch.setattr(limits, "LINE_BYTES", 2000)
    facts = read(Rollout().told("before").told("x" * 3000).told("after"))
    assert [turn.text for turn in turns(facts)] == ["before", "after"]
    assert facts.records["too_long"] == 1


def test_reader_counts_unknown_types(read):
    """Types nobody knows are counted by name, a record's own and its payload's."""
    log = Rollout().add("news", type="x").event("news").item("news").raw('{"type":"news"}').told("go")
    facts = read(log)
    assert facts.records["unknown_type"] == 4
    assert facts.unknown_types == {"news": 2, "event_msg/news": 1, "response_item/news": 1}


@pytest.mark.parametrize(
    ("content", "skipped", "records"),
    [
        (Rollout(), "no_messages", {"session_meta": 1}),
        ('{"display":"x"}\n[1]\n', "not_a_session", {"not_a_session": 1, "not_object": 1}),
        ("", "empty", {}),
    ],
)
def test_reader_says_why_a_file_is_no_session(read, content, skipped, records):
    """A file without a conversation is no session, and says why."""
    facts = read(content)
    assert (facts.skipped, facts.sessions, facts.records) == (skipped, (), records)


def test_reader_missing_file(tmp_path):
    """A file that is not there is a clear error."""
    with pytest.raises(ReadError, match=r"gone\.jsonl: No such file"):
        SOURCES["codex"].read_facts(tmp_path / "gone.jsonl")


@pytest.mark.parametrize("size", [2, 7, 1000])
def test_reader_buffer_makes_no_difference(read, tmp_path, size):
    """However little is read at a time, the facts are the same."""
    log = Rollout().prompt("go $tidy").given(SKILL).agent("Done.").raw(TORN).prompt("größer")
    facts = read(log, name="a.jsonl")
    assert read_file(tmp_path / "a.jsonl", buffer_bytes=size) == facts


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        (Rollout(), True),
        (Flat(), True),
        ('{"type":"message","role":"user","content":[]}', True),
        ('{"type":"thread.started","thread_id":"t"}', True),
        ("not json\n[1]\n" + PROMPT, True),
        (PROMPT.encode().replace(b"typed", b"\xff"), True),
        ('{"type":"user","sessionId":"s","message":{"role":"user","content":"go"}}', False),
        ('{"role":"user","content":"flat"}', False),
        ('{"type":"message","content":"x"}', False),
        ('{"type":"event_msg","payload":5}', False),
        ('{"id":"x","timestamp":"2026-01-05T10:00:00Z"}', False),
        ("[1]", False),
    ],
)
def test_sniff_tells_by_content(tmp_path, content, ours):
    """What a file is says its content, over several records."""
    assert SOURCES["codex"].sniff(write(tmp_path / "x.jsonl", content)) is ours


def test_roots_and_files(tmp_path, monkeypatch):
    """``CODEX_HOME`` moves the sessions, archived ones too; empty it means the home; packed files are found."""
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    roots = SOURCES["codex"].default_roots()
    assert roots == [tmp_path / "sessions", tmp_path / "archived_sessions"]
    write(tmp_path / "sessions" / "2026" / "01" / "a.jsonl", "")
    write(tmp_path / "sessions" / "2026" / "01" / "b.jsonl.zst", b"\x28\xb5\x2f\xfd")
    assert [path.name for path in SOURCES["codex"].find_files(roots[0])] == ["a.jsonl", "b.jsonl.zst"]
    assert scan([tmp_path]).summary.skipped == {"empty": 1, "compressed": 1}
    monkeypatch.setenv("CODEX_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert SOURCES["codex"].default_roots()[0] == tmp_path / ".codex" / "sessions"


def test_both_generations_have_the_same_events(tmp_path):
    """A conversation in today's shape and in that of early 2025 is the same use and the same correction (K20)."""
    tables = []
    for kind in (Rollout, Flat):
        log = kind().given(AGENTS_FILE, ENVIRONMENT).prompt("sort the imports of the cart, $tidy").given(SKILL)
        log.agent("Sorted.").prompt("no, the other file").agent("Sorry.")
        path = write(tmp_path / kind.__name__ / "x.jsonl", log)
        mined = mine_sessions(scan([path]).files, as_of=datetime(2026, 1, 10, tzinfo=UTC))
        tables.append(
            [
                (event.skill_id, event.outcome, event.project, event.correction_type, event.rule)
                for event in mined.events
            ]
        )
    assert tables[0] == tables[1]
    assert [row[:3] for row in tables[0]] == [("tidy", "correction", "/home/dev/shop")]


def _forked(*, turn_ids, told):
    """A session, and its fork: a copy with new stamps behind its own first record, gone on with."""
    one, two = Rollout(PARENT), Rollout(FORK, forked_from_id=PARENT, start=500)
    if told:
        two.meta(PARENT)
    for log in (one, two):
        log.turn("t1" if turn_ids else None).prompt("sort it, $tidy").given(SKILL).agent("Sorted.").prompt("no, wrong")
    one.turn("t2" if turn_ids else None).prompt("thanks")
    return one, two.turn("t3" if turn_ids else None).prompt("and now?")


@pytest.mark.parametrize("meta", [{"forked_from_id": PARENT}, {}])
def test_fork_names_its_parent(read, meta):
    """A fork says so, or is known by its parent's own first record behind its own, before any prompt."""
    (session,) = read(Rollout(FORK, **meta).meta(PARENT).prompt("go").meta("another")).sessions
    assert (session.session_id, session.forked_from) == (FORK, PARENT)


@pytest.mark.parametrize(("turn_ids", "told"), [(True, True), (False, True), (False, False)])
def test_fork_counts_what_it_shares_once(tmp_path, turn_ids, told):
    """A fork names its parent, and has only its own prompts, though the copied records bear new stamps (K02)."""
    for log in _forked(turn_ids=turn_ids, told=told):
        write(tmp_path / f"rollout-2026-01-05T10-00-00-{log.thread}.jsonl", log)
    found = scan([tmp_path])
    said = {
        session.session_id: [item.text for item in session.items if not item.copied and hasattr(item, "text")]
        for facts in found.files()
        for session in facts.sessions
    }
    assert said == {PARENT: ["sort it, $tidy", "no, wrong", "thanks"], FORK: ["and now?"]}
    assert [session.forked_from for facts in found.files() for session in facts.sessions] == ["", PARENT]
    assert (found.summary.sessions, found.summary.copied) == (2, 3)


def test_fork_that_begins_later_is_told_by_its_turns(tmp_path):
    """Where turns have ids, a copy is one whatever stands before it."""
    one = Rollout(PARENT).turn("t1").prompt("first").turn("t2").prompt("second")
    two = Rollout(FORK, forked_from_id=PARENT, start=500).turn("t2").prompt("second").turn("t3").prompt("third")
    for log in (one, two):
        write(tmp_path / f"{log.thread}.jsonl", log)
    items = [item for facts in scan([tmp_path]).files() for item in turns(facts)]
    assert [item.text for item in items if not item.copied] == ["first", "second", "third"]


def test_sessions_alike_are_no_copies(tmp_path):
    """Two sessions with the same words are two; a prompt that is repeated in one is not a copy of itself."""
    for thread in (PARENT, FORK):
        log = Rollout(thread).turn(f"t-{thread}").prompt("go on").agent("Done.").prompt("go on")
        write(tmp_path / f"{thread}.jsonl", log)
    found = scan([tmp_path])
    assert (found.summary.sessions, found.summary.copied) == (2, 0)
    assert len({turn.uuid for facts in found.files() for turn in turns(facts)}) == 4


@pytest.mark.parametrize("turn_id", ["1", None])
@pytest.mark.parametrize("call_id", ["call_1", "functions.exec_command:0"])
def test_numbers_name_nothing_in_the_world(tmp_path, turn_id, call_id):
    """Turns and calls that are merely numbered are those of their session: two sessions share no turn and no use."""
    for thread in (PARENT, FORK):
        log = Rollout(thread).turn(turn_id).prompt("sort it").shell("cat /s/tidy/SKILL.md", call_id)
        log.output("x", call_id, code=0).shell("rm a", "call_2").output("exec command rejected by user", "call_2")
        write(tmp_path / f"{thread}.jsonl", log)
        write(tmp_path / "again" / f"{thread}.jsonl", log)
    found = scan([tmp_path])
    assert (found.summary.sessions, found.summary.copied) == (2, 6)
    assert len({item.uuid for facts in found.files() for item in (*turns(facts), *uses(facts))} - {""}) == 6
    mined = mine_sessions(found.files, as_of=datetime(2026, 1, 10, tzinfo=UTC))
    assert len({use.invocation_uuid for use in mined.invocations}) == 2


def test_long_id_of_a_call_names_it_everywhere(read):
    """The random id of a call is that of the use which it shows."""
    call_id = "call_9fKc2hTq7LmWz4RbXn8Vd1Ys"
    assert uses(read(Rollout().prompt("go").shell("cat /s/tidy/SKILL.md", call_id)))[0].uuid == call_id


@pytest.mark.parametrize(
    "source",
    [
        {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}},
        {"subagent": "review"},
        {"subagent": {"other": "guardian"}},
        {"subAgent": "review"},
        {"internal": "memory_consolidation"},
        "subagent",
    ],
)
def test_sub_agent_is_no_session(read, source):
    """A thread that an agent started holds no turns; what it took over from its parent it did not spend."""
    log = Rollout(FORK, source=source, forked_from_id=PARENT).meta(PARENT)
    log.event("task_started", turn_id=PARENT).prompt("no, wrong").tokens((500, 0, 50))
    log.event("task_started", turn_id="01a00002-0000-7000-8000-000000000003").prompt("Review it: wrong")
    facts = read(log.agent("Done.").tokens((507, 0, 53), (7, 0, 3)))
    assert (facts.skipped, facts.sessions) == ("subagent", ())
    assert facts.records == {"subagent": len(log.lines)}
    (run,) = facts.subagents
    assert (run.session_id, run.uuid, run.tokens) == (PARENT, FORK, Tokens(input=7, output=3))


@pytest.mark.parametrize("kind", ["subagent", "guardian_review", "memory_consolidation"])
def test_thread_of_the_program_is_no_session(read, kind):
    """A thread that says for whom it runs holds no turns where that is no person."""
    assert read(Rollout(thread_source=kind).prompt("no, wrong")).skipped == "subagent"
    assert read(Rollout(thread_source="user", source="internals").prompt("no, wrong")).skipped == ""
    log = Rollout(None).add("session_meta", thread_source=kind).meta(PARENT).prompt("no, wrong")
    assert read(log).skipped == "subagent"


@pytest.mark.parametrize(
    ("name", "header", "said"),
    [
        (FORK, None, None),
        (FORK, PARENT, None),
        (FORK, FORK, ["later"]),
        ("renamed", PARENT, ["later"]),
    ],
)
def test_file_whose_head_is_torn_is_nobodys_until_known(read, name, header, said):
    """Where the first record is damaged nobody knows whether a person speaks, until a record of this file tells."""
    log = Rollout(None).raw(TORN).prompt("Review it: wrong")
    log = (log.meta(header) if header else log).prompt("later")
    facts = read(log, name=f"rollout-2026-01-05T10-00-00-{name}.jsonl")
    assert ([turn.text for turn in turns(facts)] or None) == said
    assert facts.skipped == ("" if said else "headless")
    assert sum(facts.records.values()) == len(log.lines)
    assert facts.problems[0].line == 1


def _stream(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def test_stream_holds_the_agents_work(read):
    """What ``codex exec --json`` prints is a scripted session: its words, files, commands, errors, uses and tokens."""
    done = [
        {"id": "i0", "type": "reasoning", "text": "thinking"},
        {"id": "i1", "type": "command_execution", "command": "bash -lc 'cat a/tidy/SKILL.md'", "exit_code": 0},
        {"id": "i2", "item_type": "command_execution", "command": "git push", "exit_code": 1, "status": "failed"},
        {"id": "i3", "type": "command_execution", "command": "git status", "exit_code": 0},
        {"id": "i4", "type": "file_change", "changes": [{"path": "a.py", "kind": "update"}, 5], "status": "completed"},
        {"id": "i5", "type": "mcp_tool_call", "server": "s", "tool": "look", "status": "failed"},
        {"id": "i6", "type": "todo_list", "items": []},
        {"id": "i7", "type": "agent_message", "text": "Done."},
        {"id": "i8", "type": "news"},
    ]
    usage = {"input_tokens": 100, "cached_input_tokens": 40, "output_tokens": 10}
    content = _stream(
        {"type": "thread.started", "thread_id": "t1"},
        {"type": "turn.started"},
        *({"type": "item.completed", "item": item} for item in done),
        {"type": "item.completed", "item": 5},
        {"type": "turn.completed", "usage": usage},
        {"type": "thread.started", "thread_id": "t2"},
        {"type": "turn.completed", "usage": usage},
    )
    facts = read(content, name="out.jsonl")
    first, second = facts.sessions
    assert [(session.session_id, session.entrypoint) for session in facts.sessions] == [
        ("t1", "codex_exec"),
        ("t2", "codex_exec"),
    ]
    (use,) = uses(facts)
    assert (use.skill_id, use.call_id, use.failed) == ("tidy", "t1:i1", "")
    assert use.work.tools == ("command_execution", "file_change", "look")
    assert (use.work.edited, use.work.commands, use.work.said) == (("a.py",), ("git status",), "Done.")
    assert (use.work.errors, use.work.tokens) == (2, Tokens(input=60, output=10, cache_read=40))
    assert second.lead.tokens == use.work.tokens
    assert (facts.records["malformed"], turns(facts)) == (1, [])
    assert sum(facts.records.values()) == content.count("\n")
    assert first.records + second.records == content.count("\n")


def test_compacted_history_is_not_read_again(read):
    """What a compaction keeps of the conversation is no second prompt."""
    kept = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]}]
    facts = read(Rollout().prompt("go").add("compacted", message="", replacement_history=kept).prompt("on"))
    assert [turn.text for turn in turns(facts)] == ["go", "on"]
    assert works(facts)[0].tools == ()
