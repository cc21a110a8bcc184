"""Claude Code's sessions for the contract suite: lines of today and without types, one document, a wrapper."""

import json
from pathlib import Path
from typing import Any

from tests.sources.claude_code.building import NO, Transcript, tool, write
from tests.sources.contract import (
    Answer,
    Deny,
    Edit,
    Inject,
    Interrupt,
    Say,
    Use,
    read_json_lines,
    write_json_lines,
)

AGENT = "claude-code"
SHAPES = ("lines", "untyped", "list", "loglines")


def environment(home: Path) -> dict[str, str]:
    """The folder that ``CLAUDE_CONFIG_DIR`` names."""
    return {"CLAUDE_CONFIG_DIR": str(home / "config")}


def write_conversation(folder, steps, *, session, shape):
    """One transcript, named after its session."""
    log = Transcript(session, prefix=f"{session}-")
    for number, step in enumerate(steps):
        _add(log, step, call_id=f"{session}-t{number}")
    return _write(folder / "-home-dev-shop", log, name=session, shape=shape)


def write_subagent(folder, words, *, session, parent, shape):
    """A sub-agent's transcript in the folder of its session."""
    log = Transcript(parent, prefix=f"{session}-").user(words)
    log.agent("Done.", message_id=f"{session}-m", usage={"input_tokens": 7, "output_tokens": 3})
    return write(folder / "-home-dev-shop" / parent / "subagents" / f"agent-{session}.jsonl", log)


def read_records(path: Path) -> list[Any]:
    """The records of a transcript of any shape."""
    if path.suffix == ".jsonl":
        return read_json_lines(path)
    whole = json.loads(path.read_text())
    return whole["loglines"] if isinstance(whole, dict) else whole


def write_records(path: Path, records: list[Any]) -> None:
    """The records back in the shape in which they were."""
    if path.suffix == ".jsonl":
        write_json_lines(path, records)
    else:
        wrapped = isinstance(json.loads(path.read_text()), dict)
        path.write_text(json.dumps({"loglines": records} if wrapped else records))


def _add(log, step, *, call_id):
    """The records of one step."""
    match step:
        case Say(text):
            log.user(text)
        case Use(skill, body):
            log.call("Skill", call_id, skill=skill).result(f"Launching skill: {skill}", call_id)
            log.meta(f"Base directory for this skill: /home/dev/.claude/skills/{skill}\n\n{body}")
        case Edit(path, fails):
            log.agent(tool("Edit", call_id, file_path=path, old_string="a", new_string="b"))
            log.result("no such text" if fails else "ok", call_id, error=fails)
        case Answer(text, read, written):
            log.agent(text, message_id=call_id, usage={"input_tokens": read, "output_tokens": written})
        case Interrupt():
            log.user([{"type": "text", "text": "[Request interrupted by user]"}])
        case Inject(text):
            log.user(f"<task-notification>{text}</task-notification>")
        case Deny():
            log.call("Bash", call_id, command="rm a").result(NO, call_id, error=True)


def _write(folder, log, *, name, shape):
    records = [json.loads(line) for line in log.lines]
    if shape == "lines":
        return write(folder / f"{name}.jsonl", log)
    if shape == "untyped":
        bare = [{key: value for key, value in record.items() if key != "type"} for record in records]
        return write(folder / f"{name}.jsonl", "".join(json.dumps(record) + "\n" for record in bare))
    whole = records if shape == "list" else {"loglines": records}
    return write(folder / f"{name}.json", json.dumps(whole, indent=2))
