"""What holds for every source."""

import os
from pathlib import Path

import pytest

from skilltune.errors import ReadError
from skilltune.sources import SOURCES
from tests.sources.claude_code.building import Transcript, write


@pytest.mark.parametrize("agent", SOURCES)
def test_source_is_found_by_being_there(agent):
    """Each module with a SOURCE is listed under its agent, with a name and roots."""
    source = SOURCES[agent]
    assert source.agent == agent
    assert source.name
    assert all(isinstance(root, Path) for root in source.default_roots())


@pytest.mark.parametrize("agent", SOURCES)
def test_source_reads_an_empty_file_as_no_session(agent, tmp_path):
    """An empty file is no session for anybody."""
    path = write(tmp_path / "empty.jsonl", "")
    assert not SOURCES[agent].sniff(path)
    facts = SOURCES[agent].read_facts(path)
    assert (facts.skipped, facts.sessions, facts.records) == ("empty", (), {})


def test_claude_code_roots_follow_the_configured_folder(monkeypatch, tmp_path):
    """``CLAUDE_CONFIG_DIR`` moves the sessions; empty it means the home."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    assert SOURCES["claude-code"].default_roots() == [tmp_path / "projects"]
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert SOURCES["claude-code"].default_roots() == [tmp_path / "home" / ".claude" / "projects"]


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        (Transcript().user("go"), True),
        (Transcript().raw("not json").raw("[1]").user("go"), True),
        (Transcript().add({"type": "permission-mode"}), True),
        ('{"role":"user","content":"flat"}', True),
        ('{"display":"wrong","timestamp":1759300000000,"project":"/w","sessionId":"s1"}', False),
        ('{"timestamp":"2026-01-05T10:00:00Z","type":"response_item","payload":{}}', False),
        ("plain text\n" * 5, False),
    ],
)
def test_claude_code_sniffs_the_content(tmp_path, content, ours):
    """What a file is says its content, over several records."""
    assert SOURCES["claude-code"].sniff(write(tmp_path / "x.jsonl", content)) is ours


def test_claude_code_sniffs_nothing_where_nothing_is(tmp_path):
    """A missing file is nobody's."""
    assert not SOURCES["claude-code"].sniff(tmp_path / "gone.jsonl")


@pytest.mark.parametrize("agent", SOURCES)
def test_source_never_waits_for_a_pipe(agent, tmp_path):
    """What is no regular file cannot be read, and nobody waits for its other end."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert not SOURCES[agent].sniff(tmp_path / "pipe.jsonl")
    for path in (tmp_path / "pipe.jsonl", tmp_path):
        with pytest.raises(ReadError, match=r"regular file|directory"):
            SOURCES[agent].read_facts(path)
