"""Codex's sessions for the contract suite: each prompt told twice, told by a completed item, or told once."""

import uuid
from pathlib import Path

from tests.sources.codex.building import ABORTED, Rollout, write
from tests.sources.contract import Answer, Deny, Edit, Inject, Interrupt, Say, Use
from tests.sources.contract import read_json_lines as read_records
from tests.sources.contract import write_json_lines as write_records

__all__ = [
    "AGENT",
    "SHAPES",
    "environment",
    "read_records",
    "session_id",
    "write_conversation",
    "write_records",
    "write_subagent",
]

AGENT = "codex"
SHAPES = ("told", "completed", "items")
"""Files of early 2025 and streams count no tokens or hold no prompts: they have tests of their own."""


def environment(home: Path) -> dict[str, str]:
    """The folder that ``CODEX_HOME`` names."""
    return {"CODEX_HOME": str(home / "codex")}


def session_id(session):
    """The id that Codex would give."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, session))


def write_conversation(folder, steps, *, session, shape):
    """One rollout in the folder of its day."""
    log, spent = Rollout(session_id(session)), (0, 0, 0)
    for number, step in enumerate(steps):
        name = f"{session}-{number}"
        if isinstance(step, Say):
            log.event("task_started", turn_id=session_id(name)).turn(session_id(name), model="m1")
        elif isinstance(step, Answer):
            spent = (spent[0] + step.input_tokens, 0, spent[2] + step.output_tokens)
        _add(log, step, name=name, shape=shape)
        if isinstance(step, Answer):
            log.tokens(spent, (step.input_tokens, 0, step.output_tokens))
    return _write(folder, log)


def write_subagent(folder, words, *, session, parent, shape):
    """A thread of its own that says which one started it."""
    source = {"subagent": {"thread_spawn": {"parent_thread_id": session_id(parent), "depth": 1}}}
    return _write(folder, Rollout(session_id(session), source=source).prompt(words).agent("Done.").tokens((7, 0, 3)))


def _write(folder, log):
    return write(folder / "2026" / "01" / "05" / f"rollout-2026-01-05T10-00-00-{log.thread}.jsonl", log)


def _add(log, step, *, name, shape):  # noqa: C901 (a case for each step)
    """The records of one step."""
    match step:
        case Say(text):
            log.given(text)
            if shape == "told":
                log.told(text)
            elif shape == "completed":
                log.event("item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": text}]})
        case Use(skill, body):
            log.shell(f"sed -n '1,200p' /home/dev/.agents/skills/{skill}/SKILL.md", name).output(body, name, code=0)
        case Edit(path, fails):
            log.patch(f"*** Update File: {path}", "@@", "-a", "+b", call_id=name)
            log.output("no such text" if fails else "Done", name, code=int(fails))
        case Answer(text):
            log.agent(text)
        case Interrupt():
            log.given(ABORTED)
            if shape != "items":
                log.event("turn_aborted", reason="interrupted")
        case Inject(text):
            log.given(f"<environment_context>{text}</environment_context>")
        case Deny():
            log.shell("rm a", name).output("exec command rejected by user", name)
