"""Hostile files: long texts take time as they are long, and any field may hold anything."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltune import limits
from skilltune.sources import SOURCES
from tests.sources.codex.building import ABORTED, SKILL, Flat, Rollout, turns, uses

LENGTH = 60_000
HEADS = [
    "",
    "<skill>\n<name>",
    "<skill>\n<name>x</name>\n<path>",
    "<user_shell_command><command>",
    "<odd_",
    "<environment_context>",
    "<image",
    "# Context from my IDE setup:\n",
    "### Available skills\n- ",
    "*** Begin Patch\n*** Add File: ",
    "sed -n '",
    'exec_command({cmd: "',
    '{"output":"',
    "Wall time: ",
    "$a",
    "[$a](",
    "`",
]
PIECES = [
    *" a\n<'\"`&\\$;",
    "</a",
    "<a_b>",
    "</skill>",
    "<image",
    "<environment_context",
    "## My request for Codex:",
    "### Available skills\n",
    "- a\n",
    "[$a](",
    "$a:",
    "cat ",
    "sed -n '",
    "\n*** Add File: ",
    "cmd: '",
    '"exit_code":',
    "{",
]


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_text_leaves_the_rest_of_the_session_as_it_is(read, piece):
    """Wherever a long text stands, the turns and uses around it are found."""
    log = Rollout().prompt("tidy up $tidy").given(SKILL)
    for number, head in enumerate(HEADS):
        text, call = (head + piece * (LENGTH // len(piece)))[:LENGTH] + "\rx", f"c{number}"
        log.given(text, role="developer").given(text).told(text).shell(text, call).output(text, call)
        log.item("custom_tool_call", name="exec", input=text, call_id=call)
        log.item("custom_tool_call_output", call_id=call, output=[{"type": "input_text", "text": text}])
    facts = read(log.prompt("no, that is wrong"))
    said = [turn.text for turn in turns(facts)]
    assert (said[0], said[-1]) == ("tidy up $tidy", "no, that is wrong")
    assert max(map(len, said)) <= limits.TURN_TEXT_CHARS
    assert uses(facts)[0].skill_id == "tidy"
    assert sum(facts.records.values()) == len(log.lines)


json_values = st.recursive(
    st.sampled_from([None, True, False, 0, -1, 2**70, 1.5, ""]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "text", "id"]), inner),
    max_leaves=4,
)
SAID = ["tidy up $tidy", "no", "later"]


def _whole(kind):
    """A file that has some of everything."""
    log = kind().turn("t1").prompt(SAID[0]).given(SKILL).tokens((5, 1, 1))
    log.agent("Done.").shell("cat a/b/SKILL.md && git status").output("x", code=0).patch("*** Add File: a.py")
    log.event("patch_apply_end", call_id="call_1", success=False).event("undo_completed", success=True)
    log.item("local_shell_call", call_id="c2", action={"command": ["git", "push"]}).output(
        "exec command rejected", "c2"
    )
    log.item("function_call", name="request_user_input", arguments="{}", call_id="c3")
    log.event("item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": SAID[1]}]})
    log.given(ABORTED).event("turn_aborted", reason="interrupted").event("thread_rolled_back", num_turns=1)
    return [json.loads(line) for line in log.prompt(SAID[2]).lines]


STREAM = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "item.completed", "item": {"id": "i", "type": "command_execution", "command": "git pull", "exit_code": 1}},
    {"type": "item.completed", "item": {"id": "j", "type": "file_change", "changes": [{"path": "a"}]}},
    {"type": "turn.completed", "usage": {"input_tokens": 5, "output_tokens": 1}},
]
FILES = {"today": _whole(Rollout), "early": _whole(Flat), "stream": STREAM}


def _places(value, place=()):
    yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from _places(part, (*place, key))


def _replaced(value, place, new):
    if not place:
        return new
    copy = value.copy()
    copy[place[0]] = _replaced(value[place[0]], place[1:], new)
    return copy


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60)
@given(drawn=st.data())
def test_any_field_may_hold_anything(name, drawn, tmp_path_factory):
    """Any field with any wordless value in its place: nothing is raised, nobody said anything else, counts add up."""
    records = list(FILES[name])
    number = drawn.draw(st.integers(0, len(records) - 1), label="record")
    place = drawn.draw(st.sampled_from(list(_places(records[number]))), label="place")
    records[number] = _replaced(records[number], place, drawn.draw(json_values, label="value"))
    path = Path(tmp_path_factory.mktemp("odd")) / "x.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    facts = SOURCES["codex"].read_facts(path)
    said = [turn.text for turn in turns(facts) if turn.channel == "message"]
    assert set(filter(None, said)) <= set(SAID)
    assert len(said) <= len(SAID)
    assert sum(facts.records.values()) == len(records)
