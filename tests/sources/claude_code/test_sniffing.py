"""Which files are Claude Code's, by their content."""

import json

import pytest

from skilltune.sources import SOURCES
from skilltune.sources.claude_code.edits import read_edits
from tests.sources.claude_code.building import Transcript, tool, turns, write

SOURCE = SOURCES["claude-code"]


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        (Transcript().user("go"), True),
        (Transcript().raw("not json").raw("[1]").user("go"), True),
        (Transcript().add({"type": "permission-mode"}), True),
        ('{"role":"user","content":"flat"}', True),
        ('{"display":"wrong","timestamp":1759300000000,"project":"/w","sessionId":"s1"}', False),
        ('{"timestamp":"2026-01-05T10:00:00Z","type":"response_item","payload":{}}', False),
        ('{"info":{"id":"ses_1"},"messages":[{"info":{"role":"user"},"parts":[]}]}', False),
        ("plain text\n" * 5, False),
        ('{"role":"user","content":"flat"}\n{"type":"function_call","arguments":{}}', False),
        ('{"type":"function_call","arguments":{}}\n{"role":"user","content":"flat"}', False),
    ],
)
def test_sniff_knows_the_content(tmp_path, content, ours):
    """What a file is says its content, over several records."""
    assert SOURCE.sniff(write(tmp_path / "x.jsonl", content)) is ours


def test_sniff_finds_nothing_where_nothing_is(tmp_path):
    """A missing file is nobody's."""
    assert not SOURCE.sniff(tmp_path / "gone.jsonl")


def test_find_files_takes_documents_that_hold_records(tmp_path):
    """A JSON file beside transcripts is taken if it begins as records do; others' and settings are not even listed."""
    records = [json.loads(line) for line in Transcript().user("go").lines]
    for name, content in {
        "list.json": records,
        "wrapped.json": {"loglines": records},
        "msg_1.json": records,
        "settings.json": {"theme": "dark"},
        "sessions-index.json": {"version": 1, "entries": [{"sessionId": "s1"}]},
        "agent-1.meta.json": {"agentType": "Explore"},
    }.items():
        write(tmp_path / name, json.dumps(content))
    assert [path.name for path in SOURCE.find_files(tmp_path)] == ["list.json", "wrapped.json"]
    assert list(SOURCE.find_files(tmp_path / "settings.json")) == [tmp_path / "settings.json"]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("wrapped", [True, False])
def test_document_counts_its_records(tmp_path, wrapped, indent):
    """A document's records are counted and numbered as lines are; what is no record in it is counted, too."""
    log = Transcript().user("go").agent(tool("Edit", "t1", file_path="/a", old_string="a", new_string="b"))
    records = [json.loads(line) for line in log.result().user("thanks").lines] + [7]
    content = json.dumps({"loglines": records} if wrapped else records, indent=indent)
    facts = SOURCE.read_facts(path := write(tmp_path / "s1.json", content))
    assert facts.records == {"turn": 2, "agent": 1, "tool_result": 1, "not_object": 1}
    assert [(turn.text, turn.line) for turn in turns(facts)] == [("go", 1), ("thanks", 4)]
    assert [problem.line for problem in facts.problems] == [5]
    assert facts.size == path.stat().st_size
    assert [edit.path for edit in read_edits(path)] == ["/a"]


def test_document_of_one_record(tmp_path):
    """A single record over several lines is a document, too."""
    (line,) = Transcript().user("go").lines
    facts = SOURCE.read_facts(write(tmp_path / "s1.json", json.dumps(json.loads(line), indent=2)))
    assert [turn.text for turn in turns(facts)] == ["go"]


def test_document_cut_off_is_read_as_lines(tmp_path):
    """What is no whole document is counted as damaged, and is no session."""
    content = json.dumps([json.loads(line) for line in Transcript().user("go").lines], indent=2)
    facts = SOURCE.read_facts(write(tmp_path / "s1.json", content[:-3]))
    assert (facts.skipped, facts.sessions) == ("not_a_session", ())
    assert facts.records["not_json"] > 1


def test_journal_among_sub_agents_is_no_sub_agent(tmp_path):
    """A workflow's journal lies among its sub-agents: it is none, and no session (K11)."""
    journal = write(tmp_path / "s1" / "subagents" / "w" / "journal.jsonl", '{"type":"started","key":"k"}\n')
    facts = SOURCE.read_facts(journal)
    assert (facts.skipped, facts.subagents, facts.records) == ("not_a_session", (), {"not_a_session": 1})


@pytest.mark.parametrize(
    ("fork", "parent"),
    [({"sessionId": "s0", "messageUuid": "m"}, "s0"), ({"sessionId": "s1"}, ""), ({}, ""), (7, ""), (None, "")],
)
def test_fork_names_the_session_it_comes_from(tmp_path, fork, parent):
    """Copied records of a fork name the session they come from; odd ones name none."""
    facts = SOURCE.read_facts(write(tmp_path / "s1.jsonl", Transcript().user("go", forkedFrom=fork).user("on")))
    assert [session.forked_from for session in facts.sessions] == [parent]
