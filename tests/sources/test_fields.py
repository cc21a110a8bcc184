"""Fields that a reader does not know are counted, and cost little."""

import json

import msgspec
import pytest

from skilltune.cli.sources_text import sources_text
from skilltune.scan import scan
from skilltune.sources import SOURCES
from skilltune.sources.claude_code import field_names as claude_code
from skilltune.sources.claude_code.records import Message, Record
from skilltune.sources.codex import field_names as codex
from skilltune.sources.codex.records import Bare, Meta, Payload
from skilltune.sources.codex.records import Record as Wrapping
from skilltune.sources.fields import LOOK_BYTES, LOOKS, MAX_NAMES, MORE
from skilltune.sources.opencode import field_names as opencode
from skilltune.sources.opencode.records import Info, Part
from skilltune.sources.opencode.records import Message as Stored
from skilltune.survey import survey
from tests.sources.claude_code.building import Transcript
from tests.sources.claude_code.building import write as write_transcript
from tests.sources.codex.building import Rollout
from tests.sources.opencode.building import Talk, write_database, write_export, write_tree


@pytest.mark.parametrize(
    ("known", "kinds"),
    [
        (claude_code.FIELD_NAMES, (Record, Message)),
        (codex.FIELD_NAMES, (Wrapping, Payload, Meta, Bare)),
        (opencode.FIELD_NAMES, (Info, Stored, Part)),
    ],
)
def test_fields_that_are_read_are_known(known, kinds):
    """No reader calls a field unknown that it reads itself."""
    assert {field.encode_name for kind in kinds for field in msgspec.structs.fields(kind)} <= known


def test_fields_of_claude_code_are_counted_by_type(tmp_path):
    """Of a record and of its message, in the first records of a type only; odd values do not matter."""
    log = Transcript().user("go", newField=1).agent("Done.", newField=2).add({"type": "brand-new", "other": 1})
    log.add({"type": "user", "message": {"role": "user", "content": "on", "mood": 5}}, version=7, gitBranch="main")
    for _ in range(LOOKS):
        log.user("more", late=1)
    facts = SOURCES["claude-code"].read_facts(write_transcript(tmp_path / "s1.jsonl", log))
    assert facts.unknown_fields == {"user.newField": 1, "assistant.newField": 1, "user.mood": 1, "user.late": 1}


def test_fields_of_codex_are_counted_by_type(tmp_path):
    """Of a record and of what it wraps, under both types; of what no reader knows only the type."""
    log = Rollout(novelty=1).turn("t1").told("go", mood=1).event("news", other=1).agent("Done.").told(5, tone=1)
    log.lines[1] = log.lines[1][:-1] + ', "lamport": 4}'
    path = tmp_path / "rollout-1.jsonl"
    path.write_text(log.text())
    assert SOURCES["codex"].read_facts(path).unknown_fields == {
        "session_meta.novelty": 1,
        "turn_context.lamport": 1,
        "event_msg/user_message.mood": 1,
        "event_msg/user_message.tone": 1,
    }


@pytest.mark.parametrize("shape", ["tree", "export", "database"])
def test_fields_of_opencode_are_counted_by_type(tmp_path, shape):
    """Of sessions, messages and parts, however they are kept; a database has columns instead of a session's fields."""
    talk = Talk(weather="wet").user({"type": "text", "text": "go", "mood": 1}, tone=1).agent("Done.", pace=2)
    if shape == "tree":
        write_tree(tmp_path / "storage", talk)
        path = next((tmp_path / "storage" / "session").rglob("*.json"))
    elif shape == "export":
        path = write_export(tmp_path / "a.json", talk)
    else:
        path = write_database(tmp_path / "opencode.db", talk)
    found = {"message/user.tone": 1, "message/assistant.pace": 1, "part/text.mood": 1}
    expected = found if shape == "database" else found | {"session.weather": 1}
    assert SOURCES["opencode"].read_facts(path).unknown_fields == expected


def test_fields_without_end_are_cut_and_added_up(tmp_path):
    """Only so many names are kept, each cut to a length; of a huge record no name is."""
    many = {f"f{number:04}" + "x" * 100: 1 for number in range(MAX_NAMES + 50)}
    huge = {f"g{number}": 1 for number in range(LOOK_BYTES // 8)}
    log = Transcript().user("go", **huge).user("on", **many)
    facts = SOURCES["claude-code"].read_facts(write_transcript(tmp_path / "s1.jsonl", log))
    assert len(facts.unknown_fields) == MAX_NAMES + 1
    assert facts.unknown_fields[MORE] == 50
    assert max(map(len, facts.unknown_fields)) == 80


def test_fields_are_shown_beside_the_kinds(tmp_path):
    """``sources`` names the first unknown fields, cleaned for the terminal, and counts the others."""
    odd = {f"new{number:02}": 1 for number in range(20)}
    write_transcript(tmp_path / "s1.jsonl", Transcript().user("go", **{"\x1b[31mred": 1}, **odd))
    write_transcript(tmp_path / "s2.jsonl", Transcript("s2", prefix="v").user("go", **odd))
    assert scan([tmp_path]).summary.unknown_fields["user.new07"] == 2
    found = survey(tmp_path)
    text = sources_text(found)
    assert "fields that skilltune does not know" in text
    assert "user.new00" in text
    assert "of 9 more kinds" in text
    assert "\x1b" not in text
    (row,) = json.loads(json.dumps(found.as_rows()))
    assert len(row["unknown_fields"]) == 21


def test_fields_of_real_sessions_are_known(shared):
    """Real sessions have hardly a field that is not known: what is listed is what is new."""
    found = [scan([shared / "data" / "sessions" / agent]).summary.unknown_fields for agent in SOURCES]
    assert sum(map(len, found)) <= 3
