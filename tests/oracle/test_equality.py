"""The fast reader finds what the slow one finds."""

import json
from collections import Counter

import pytest
from msgspec import structs

from skilltune import limits
from skilltune.sources import SOURCES
from skilltune.sources.claude_code import reader
from tests.oracle.fuzz import hostile_file
from tests.oracle.reader import read as read_slowly
from tests.sources.claude_code.building import uses

FILES = 500


def read_file(path, **given):
    """The facts without the names of unknown fields: what is looked at there is a choice, not a rule of reading."""
    return structs.replace(reader.read_file(path, **given), unknown_fields={})


@pytest.mark.parametrize("tenth", range(10))
def test_equality_on_hostile_files(tmp_path, tenth):
    """500 files in all: blanks, escapes, shuffled keys, wrong types, cut and joined lines, odd bytes."""
    path = tmp_path / "s1.jsonl"
    for seed in range(tenth, FILES, 10):
        path.write_bytes(hostile_file(seed))
        facts = read_file(path)
        assert facts == read_slowly(path), f"seed {seed}"
        assert all(count > 0 for count in facts.records.values())


@pytest.mark.parametrize("name", ["agent-a1.jsonl", "s9/subagents/agent-a1.jsonl", "s9/subagents/flows/s1.jsonl"])
def test_equality_on_hostile_files_of_sub_agents(tmp_path, name):
    """What sub-agents spent in files of their own is told alike, and something is spent."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    spent = 0
    for seed in range(2 * FILES, 2 * FILES + 60):
        path.write_bytes(hostile_file(seed))
        facts = read_file(path)
        assert facts == read_slowly(path), f"seed {seed}"
        spent += sum(agent.tokens.output for agent in facts.subagents)
    assert spent > 0


@pytest.mark.parametrize("buffer_bytes", [2, 7, 64])
def test_equality_with_tiny_buffers(tmp_path, buffer_bytes):
    """How the bytes come from the disk changes nothing."""
    path = tmp_path / "s1.jsonl"
    for seed in range(FILES, FILES + 30):
        path.write_bytes(hostile_file(seed))
        assert read_file(path, buffer_bytes=buffer_bytes) == read_slowly(path), f"seed {seed}"


def test_equality_with_lines_over_the_limit(tmp_path, monkeypatch):
    """Long lines are passed over alike."""
    monkeypatch.setattr(limits, "LINE_BYTES", 300)
    path = tmp_path / "s1.jsonl"
    for seed in range(FILES, FILES + 60):
        path.write_bytes(hostile_file(seed))
        assert read_file(path) == read_slowly(path), f"seed {seed}"


def test_equality_on_real_sessions(shared):
    """Every file of the real sessions gives the same facts, and its records add up."""
    paths = sorted((shared / "data" / "sessions" / "claude-code").rglob("*.jsonl"))
    assert len(paths) > 150
    for path in paths:
        facts = read_file(path)
        assert facts == read_slowly(path), path.name
        whole = [line for line in path.read_bytes().split(b"\n") if line.strip()]
        assert sum(facts.records.values()) == len(whole), path.name


def test_every_skill_call_and_slash_command_of_real_sessions_is_found(shared):
    """Each Skill call and slash command that a plain count finds is a use; others were typed into the queue only."""
    root, total = shared / "data" / "sessions" / "claude-code", Counter()
    for path in sorted(root.rglob("*.jsonl")):
        facts = SOURCES["claude-code"].read_facts(path)
        if facts.skipped:
            continue
        waited = {
            number for number, line in enumerate(path.read_bytes().split(b"\n"), 1) if b'"queue-operation"' in line
        }
        found = Counter((use.line, use.via) for use in uses(facts) if use.via != "read" and use.line not in waited)
        assert found == _plain_count(path), path.name
        total.update(via for _, via in found.elements())
        total["waited"] += sum(use.line in waited for use in uses(facts))
    assert (total["tool"], total["slash"], total["waited"]) == (19, 38, 3)


def _plain_count(path):
    """(line, via) of Skill calls and slash commands outside side chains, each uuid once."""
    count, seen = Counter(), set()
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if not isinstance(record, dict) or record.get("isSidechain") or record.get("uuid") in seen - {None}:
            continue
        seen.add(record.get("uuid"))
        message = record.get("message") if isinstance(record.get("message"), dict) else {}
        content = (record if record["type"] == "system" else message).get("content") if "type" in record else None
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        for block in blocks:
            if block.get("type") == "tool_use" and block.get("name") == "Skill":
                count[number, "tool"] += 1
            if block.get("type") == "text" and block["text"].lstrip().startswith(
                ("<command-name>", "<command-message>")
            ):
                count[number, "slash"] += 1
    return count
