"""Files as a whole: damaged lines, several sessions, side files, old shapes."""

import json
from datetime import UTC, datetime

import pytest

from skilltune import limits
from skilltune.errors import ReadError, RecordError
from skilltune.sources import SOURCES
from skilltune.sources.claude_code.reader import read_file
from tests.sources.claude_code.building import Transcript, turns, uses, write

PROMPT = '{"type":"user","uuid":"u9","sessionId":"s1","message":{"role":"user","content":"typed"}}'
TORN = '{"type":"user","mess'


def micros(*when):
    """Microseconds of a UTC moment."""
    return int(datetime(*when, tzinfo=UTC).timestamp()) * 1_000_000


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[1,2]", "not_object"),
        ('"a JSON string"', "not_object"),
        ("null", "not_object"),
        ("12", "not_object"),
        ("NaN", "not_object"),
        (TORN, "not_json"),
        ("not json at all", "not_json"),
        ("12 {}", "not_json"),
        ("2026-01-05 10:00 INFO started", "not_json"),
        ('{"type":"user"}', "malformed"),
        ('{"type":"user","message":"typed"}', "malformed"),
        ('{"type":"assistant","message":null}', "malformed"),
    ],
)
def test_reader_damaged_line_is_counted_and_the_rest_read(read, line, reason):
    """A damaged line is counted by its reason, once, and the lines around it count (N15)."""
    facts = read(Transcript().user("before").raw(line).user("after"))
    assert [turn.text for turn in turns(facts)] == ["before", "after"]
    assert facts.records == {"turn": 2, reason: 1}
    assert [(problem.line, problem.reason) for problem in facts.problems] == [(2, reason)]


@pytest.mark.parametrize("line", [TORN, "[1]", '{"type":"user"}', PROMPT.replace("typed", "ty\0ped")])
def test_reader_strict_raises_with_path_and_line(read, tmp_path, line):
    """With strict a damaged line raises."""
    with pytest.raises(RecordError) as caught:
        read(Transcript().user("before").raw(line), strict=True)
    assert (caught.value.path, caught.value.line) == (str(tmp_path / "s1.jsonl"), 2)


def test_reader_strict_accepts_a_sound_file(read):
    """With strict a sound file reads as without."""
    log = Transcript().user("hello").agent("hi")
    assert read(log, strict=True) == read(log)


def test_reader_whole_record_after_a_malformed_one_of_its_id_counts(read):
    """A record without its message is no copy of the record itself, which follows; a third one is."""
    facts = read(Transcript().user("go").raw('{"type":"user","uuid":"u9","sessionId":"s1"}').raw(PROMPT).raw(PROMPT))
    assert [turn.text for turn in turns(facts)] == ["go", "typed"]
    assert facts.records == {"turn": 2, "malformed": 1, "duplicate": 1}


def test_reader_unreadable_file_raises(tmp_path):
    """A file that is not there names itself."""
    with pytest.raises(ReadError, match=r"gone\.jsonl"):
        SOURCES["claude-code"].read_facts(tmp_path / "gone.jsonl")


def test_reader_unfinished_last_line_is_pending(read):
    """A half-written last line is pending; completed, it counts once (K37)."""
    log = Transcript().user("before").text()
    facts = read(log + PROMPT[:20])
    assert facts.records == {"turn": 1, "pending": 1}
    assert facts.sessions[0].pending
    facts = read(log + PROMPT + "\n")
    assert facts.records == {"turn": 2}
    assert not facts.sessions[0].pending


def test_reader_last_line_without_its_end_is_read(read):
    """A whole record needs no line end."""
    assert read(Transcript().user("before").text() + PROMPT).records == {"turn": 2}


@pytest.mark.parametrize("between", ["", " ", "\0"])
def test_reader_two_records_on_one_line_both_count(read, between):
    """Glued records both count."""
    facts = read(Transcript().raw(PROMPT + between + PROMPT.replace("u9", "u8")))
    assert [turn.uuid for turn in turns(facts)] == ["u9", "u8"]
    assert [problem.reason for problem in facts.problems] == (["nul"] if between == "\0" else [])


def test_reader_record_glued_to_a_torn_one_counts(read):
    """A write that died and the next session's record share a line: the second one counts."""
    inner = '{"type":"user","uuid":"n","message":{"role":"user","content":"x"}}'
    nested = f'{{"type":"progress","uuid":"p","data":{{"message":{inner},'
    for torn in (TORN, nested, PROMPT[:-3]):
        facts = read(Transcript().raw(torn + PROMPT))
        assert facts.records == {"not_json": 1, "turn": 1}
        assert [turn.uuid for turn in turns(facts)] == ["u9"]


def test_reader_message_of_a_torn_record_is_no_record(read):
    """The inner object at the end of a torn line has no id and does not count."""
    facts = read(Transcript().user("go").raw('{"uuid":"a","message":{"type":"user","role":"user","content":"wrong"}'))
    assert facts.records == {"turn": 1, "not_json": 1}


@pytest.mark.parametrize(
    "change",
    [
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\n\n  \n").encode(),
        lambda text: text.rstrip("\n").encode(),
        lambda text: text.encode() + b"\0\0\0\0",
        lambda text: b"\0\0" + text.encode(),
    ],
)
def test_reader_marks_and_blanks_change_nothing(read, change):
    """BOM, CRLF, blank lines, padding and a missing last line end read as the plain file."""
    log = Transcript().user("größer → 不对 😅").agent("ok").user("thanks")
    facts, plain = read(change(log.text())), read(log)
    assert facts.records == plain.records == {"turn": 2, "agent": 1}
    assert [turn.text for turn in turns(facts)] == ["größer → 不对 😅", "thanks"]


def test_reader_bad_bytes_are_replaced_and_flagged(read):
    """Invalid UTF-8, NUL bytes and lone surrogates: the message is kept, no fact holds a lone surrogate (K21)."""
    text = (
        Transcript().user("größer → 不对 😅").raw(PROMPT.replace("typed", "a\\ud83d \\ud83d\\ude05 b")).text().encode()
    )
    text += PROMPT.replace("u9", "u8").encode().replace(b"typed", b"nul \0 byte") + b"\n"
    text += PROMPT.replace("u9", "u7").encode().replace(b"typed", b"latin \xe9t\xe9") + b"\n"
    facts = read(text)
    assert [turn.text for turn in turns(facts)] == [
        "größer → 不对 😅",
        "a\ufffd 😅 b",
        "nul \0 byte",
        "latin \ufffdt\ufffd",
    ]
    assert [(problem.line, problem.reason) for problem in facts.problems] == [(3, "nul"), (4, "invalid_utf8")]


def test_reader_line_over_the_limit_is_passed_over(read, monkeypatch):
    """A line longer than the limit is counted, not decoded, and its neighbours count."""
    monkeypatch.setattr(limits, "LINE_BYTES", 2000)
    facts = read(Transcript().user("before").user("x" * 5000).user("after"))
    assert [turn.text for turn in turns(facts)] == ["before", "after"]
    assert facts.records == {"turn": 2, "too_long": 1}
    assert facts.size > 5000


def test_reader_line_at_the_limit_is_read(read, monkeypatch):
    """The limit itself is allowed."""
    log = Transcript().user("before").user("x" * 500)
    monkeypatch.setattr(limits, "LINE_BYTES", max(len(line) for line in log.lines))
    assert read(log).records == {"turn": 2}


def test_reader_problems_are_bounded(read):
    """All damages are counted, the first 100 are listed."""
    facts = read("".join("x\n" for _ in range(150)) + PROMPT)
    assert facts.records["not_json"] == 150
    assert len(facts.problems) == 100


def test_reader_same_uuid_twice_counts_once(read):
    """A record that stands twice in one file is one record and one duplicate."""
    log = Transcript().user("wrong")
    facts = read(log.raw(log.lines[0]).raw(log.lines[0]).user("ok"))
    assert [turn.text for turn in turns(facts)] == ["wrong", "ok"]
    assert facts.records == {"turn": 2, "duplicate": 2}


def test_reader_several_sessions_in_one_file(read):
    """Each session has its own items, work and records, also where they alternate."""
    log = Transcript("s1").user("a").agent("1")
    other = Transcript("s2", start=50).user("b")
    log.raw(other.lines[0]).call("Bash", command="git status").user("c")
    facts = read(log.add({"type": "summary", "summary": "s"}, sessionId=None))
    assert [(s.session_id, [item.text for item in s.items], s.records) for s in facts.sessions] == [
        ("s1", ["a", "c"], 5),
        ("s2", ["b"], 1),
    ]
    assert facts.sessions[0].items[0].work.tools == ("Bash",)


def test_reader_records_before_the_first_id_belong_to_the_first_session(read):
    """What precedes the first session id is counted with that session."""
    snapshot = {"type": "file-history-snapshot", "messageId": "m"}
    facts = read(Transcript().add(snapshot, sessionId=None, uuid=None).user("go"))
    assert [(session.session_id, session.records) for session in facts.sessions] == [("s1", 2)]


def test_reader_session_without_an_id_has_the_name_of_the_file(read):
    """No session id: the file's name."""
    facts = read(Transcript().user("go", sessionId=None, uuid=None), name="b7.jsonl")
    assert [(s.session_id, s.items[0].uuid, s.items[0].line) for s in facts.sessions] == [("b7", "", 1)]


def test_reader_session_head(read):
    """Version, entrypoint and project are the first ones seen; the moment is the latest."""
    log = Transcript().user("a", timestamp="2026-01-05T10:00:05.000Z", entrypoint=None)
    log.agent("b", timestamp="2026-01-05T10:00:04.500Z", entrypoint="sdk-cli", cwd="/other", version="9").user("c")
    session = read(log).sessions[0]
    assert (session.project, session.agent_version, session.entrypoint) == ("/home/dev/shop", "2.1.96", "sdk-cli")
    assert session.last_at == micros(2026, 1, 5, 10, 0, 5)


@pytest.mark.parametrize(
    ("stamp", "at"),
    [
        ("2026-01-05T10:00:00.250Z", micros(2026, 1, 5, 10) + 250_000),
        ("2026-01-05T10:00:00", micros(2026, 1, 5, 10)),
        ("2026-01-05 10:00:00.000", micros(2026, 1, 5, 10)),
        ("2026-01-05T18:00:00+08:00", micros(2026, 1, 5, 10)),
        ("2026-01-05T10:00Z", micros(2026, 1, 5, 10)),
        ("2026-13-05T10:00:00Z", None),
        ("soon", None),
        (1767607200000, None),
        (None, None),
    ],
)
def test_reader_timestamps(read, stamp, at):
    """Naive times are UTC (P07); what is no time is missing."""
    assert turns(read(Transcript().user("go", timestamp=stamp)))[0].at == at


def test_reader_flat_and_early_shapes(read):
    """Flat ``{role, content}`` and records without ``type`` are messages."""
    lines = [
        {"role": "user", "content": "flat"},
        {"role": "assistant", "content": [{"type": "text", "text": "hi"}]},
        {"type": "user", "content": [{"type": "text", "text": "half flat"}]},
        {"sessionId": "s1", "costUSD": 0.1, "message": {"role": "user", "content": "early"}},
        {"sessionId": "s1", "message": {"role": "assistant", "id": "m", "usage": {"input_tokens": 5}}},
    ]
    facts = read("\n".join(json.dumps(line) for line in lines))
    assert [turn.text for turn in turns(facts)] == ["flat", "half flat", "early"]
    assert facts.records == {"turn": 3, "agent": 2}
    assert turns(facts)[2].work.tokens.input == 5


def test_reader_unknown_types_are_counted_by_name(read):
    """A type that is new this month is ignored and listed."""
    log = Transcript().user("go").add({"type": "brand-new"}).add({"type": "brand-new"}).add({"type": None, "x": 1})
    facts = read(log)
    assert facts.records == {"turn": 1, "unknown_type": 3}
    assert facts.unknown_types == {"brand-new": 2, "": 1}


def test_reader_known_types_are_counted_under_their_name(read):
    """Known side records are counted as what they are."""
    log = Transcript().user("go")
    for kind in ("progress", "summary", "mode", "system", "attachment", "last-prompt"):
        log.add({"type": kind})
    assert read(log).records == {
        "turn": 1, "progress": 1, "summary": 1, "mode": 1, "system": 1, "attachment": 1, "last-prompt": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", ["p/s1/subagents/agent-x1.jsonl", "p/s1/subagents/workflows/w/x.jsonl", "agent-7f.jsonl"]
)
def test_reader_sub_agent_by_path(read, name):
    """A sub-agent's file is skipped, each record counted, though nothing in it says sidechain (K11, N09)."""
    facts = read(Transcript().user("Review the diff; the earlier attempt was wrong").agent("ok").raw(TORN), name=name)
    assert (facts.skipped, facts.sessions) == ("subagent", ())
    assert facts.records == {"subagent": 2, "not_json": 1}


def test_reader_sub_agent_by_its_messages(read):
    """A file all of whose messages are a sidechain's is a sub-agent's."""
    log = Transcript().add({"type": "summary", "summary": "s"}).user("Warmup", isSidechain=True)
    facts = read(log.agent("ready", isSidechain=True))
    assert (facts.skipped, facts.sessions, facts.records) == ("subagent", (), {"subagent": 3})


@pytest.mark.parametrize("other", ["s1", "s2"])
def test_reader_sidechain_records_before_a_session_leave_it_a_session(read, other):
    """Messages of a sub-agent at the top drop no session, and are none by themselves."""
    log = Transcript().user("Warmup", isSidechain=True, sessionId=other)
    log.agent("ready", isSidechain=True, sessionId=other)
    log.user("tidy up").call("Skill", skill="tidy").result().user("no, that is wrong")
    facts = read(log)
    assert (facts.skipped, [session.session_id for session in facts.sessions]) == ("", ["s1"])
    assert [turn.text for turn in turns(facts)] == ["tidy up", "no, that is wrong"]
    assert [use.skill_id for use in uses(facts)] == ["tidy"]
    assert facts.records == {"sidechain": 2, "turn": 2, "use": 1, "tool_result": 1}


def test_reader_pytest_in_the_path_is_read(read):
    """A folder with pytest in its name is an ordinary folder (N11)."""
    assert read(Transcript().user("go"), name="-home-me-pytest-plugin/b.jsonl").skipped == ""


@pytest.mark.parametrize(
    ("content", "skipped"),
    [
        ("", "empty"),
        ("\n \n", "empty"),
        ('{"type":"summary","summary":"s","leafUuid":"l"}\n', "no_messages"),
        ('{"type":"system","subtype":"away_summary","sessionId":"s1","uuid":"u"}\n', "no_messages"),
        ('{"display":"wrong","timestamp":1759300000000,"project":"/w","sessionId":"s1"}\n', "not_a_session"),
        (
            '{"type":"started","key":"v2:h0","agentId":"a"}\n{"type":"result","key":"v2:h0","result":{}}\n',
            "not_a_session",
        ),
        ('{"timestamp":"2026-01-05T10:00:00Z","type":"session_meta","payload":{"id":"c1"}}\n', "not_a_session"),
        ('{"type":"message","role":"user","content":[{"type":"input_text","text":"wrong"}]}\n', "not_a_session"),
        ('{"messages":[{"role":"user","content":"wrong"}]}\n', "not_a_session"),
        ("{\n  not json\n}\n", "not_a_session"),
        (TORN, "not_a_session"),
    ],
)
def test_reader_side_files_are_no_sessions(read, content, skipped):
    """Histories, journals, other tools' logs and empty files give no session, and their records add up."""
    facts = read(content)
    assert (facts.skipped, facts.sessions, facts.unknown_types) == (skipped, (), {})
    whole = [line for line in content.splitlines() if line.strip()]
    assert sum(facts.records.values()) == len(whole)


def test_reader_odd_fields_never_raise(read):
    """Every field of an odd type counts as missing and adds no turn."""
    log = Transcript().user("typed").agent("said")
    odd = [None, 7, 1.5, True, "x", [], {}, [[]], {"a": None}]
    for value in odd:
        for key in (
            "uuid",
            "sessionId",
            "timestamp",
            "cwd",
            "isMeta",
            "toolUseResult",
            "origin",
            "attachment",
            "planContent",
        ):
            log.result("ok", **{key: value})
        log.agent({"type": value, "text": value}, {"type": "tool_use", "id": value, "name": value, "input": value})
        log.user([{"type": "tool_result", "content": value, "is_error": value, "tool_use_id": value}, value])
    facts = read(log)
    assert [turn.text for turn in turns(facts)] == ["typed"]
    assert facts.records["orphan_result"] > 80


def test_reader_deep_nesting_is_a_damage(read):
    """A line nested beyond any reader's depth does not end the run."""
    facts = read(Transcript().user("go").raw('{"x":' + "[" * 200_000 + "]" * 200_000 + "}"))
    assert facts.records == {"turn": 1, "not_json": 1}


NESTED = {
    "flat": '{"role":"user","content":%s}',
    "flat block": '{"role":"user","content":[{"type":"tool_result","content":%s}]}',
    "result": '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":%s}]}}',
    "mended": '{"type":"user","uuid":7,"message":{"role":"user","content":[{"type":"tool_result","content":%s}]}}',
    "prompt": '{"type":"attachment","attachment":{"type":"queued_command","prompt":%s}}',
    "enqueue": '{"type":"queue-operation","operation":"enqueue","content":%s}',
    "remove": '{"type":"queue-operation","operation":"remove","content":%s}',
    "system": '{"type":"system","subtype":"local_command","content":%s}',
}
"""Where a record holds what is decoded later."""


@pytest.mark.parametrize("place", NESTED)
@pytest.mark.parametrize("escape", ["", "\\udead"])
def test_reader_nesting_just_below_the_limit_is_read_on(tmp_path, place, escape):
    """Wherever the interpreter's limit is met, in the first decoding or a later one, the rest of the file is read."""
    first = PROMPT.replace("typed", "kept")
    for depth in range(870, 1000):
        nested = "[" * depth + f'"{escape}"' + "]" * depth
        path = write(tmp_path / "s1.jsonl", "\n".join([first, NESTED[place] % nested, PROMPT.replace("u9", "u10"), ""]))
        assert SOURCES["claude-code"].sniff(path)
        facts = read_file(path)
        assert [turn.text for turn in turns(facts)] == ["kept", "typed"]
        assert sum(facts.records.values()) == 3


def test_reader_facts_survive_packing(read):
    """Facts with any text can be written and read back."""
    import msgspec

    facts = read(Transcript().raw(PROMPT.replace("typed", "\\udead \\ud83d\\ude05")))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=type(facts)) == facts
