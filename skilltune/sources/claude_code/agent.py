"""The agent's side of a session: what it said, called, spent, and which skills it used."""

from typing import Literal

from skilltune import limits
from skilltune.facts import UseFact
from skilltune.sources.claude_code.records import Block, Record, Usage
from skilltune.sources.claude_code.session import Session, microseconds
from skilltune.sources.claude_code.skills import SKILL_FILE, called_skill, read_skills, skill_of

__all__ = ["SKILL_TOOL", "read_agent_record"]

SKILL_TOOL = "Skill"
_SYNTHETIC = "<synthetic>"


def read_agent_record(session: Session, record: Record, line: int) -> Literal["agent", "use"]:
    """Take a record of the agent; 'use' where it uses a skill."""
    session.awaiting = None
    message, now = record.message, session.now
    if message is None:
        return "agent"
    if message.usage is not None:
        _spend(session, message.id, message.usage)
    if message.model == _SYNTHETIC or record.is_api_error_message:
        return "agent"
    if message.model:
        now.model = message.model
    if record.attribution_skill:
        now.attributed = record.attribution_skill
    content = message.content
    if isinstance(content, str):
        _say(session, content)
        return "agent"
    became: Literal["agent", "use"] = "agent"
    for block in content or ():
        if block.type == "tool_use":
            if block.name and _call(session, block, record=record, line=line):
                became = "use"
        elif block.type == "text" and block.text:
            _say(session, block.text)
    return became


def _spend(session: Session, message_id: str | None, usage: Usage) -> None:
    """Count an API message once, as its last line has it, where its first line stands."""
    if message_id:
        session.usage[message_id] = usage
        session.spent.setdefault(message_id, session.now)
    else:
        session.anonymous.append((usage, session.now))


def _say(session: Session, text: str) -> None:
    if text and not text.isspace():
        session.now.said = text[-limits.AGENT_TEXT_CHARS :]


def _call(session: Session, block: Block, *, record: Record, line: int) -> bool:
    """Take a tool call; True where it uses a skill."""
    name, call, call_id = block.name or "", block.input, block.id
    if call_id:
        session.calls[call_id] = name
    if name == SKILL_TOOL:
        return _call_skill(session, block, record=record, line=line)
    if call is None:
        session.now.tools[name] = None
        return False
    path, command = call.file_path or call.notebook_path or call.path, call.command
    if _names_skill_file(path) or _names_skill_file(command):
        paths = read_skills(name, call)
        for skill_file in paths:
            _use(session, record, line, call_id, skill_of(skill_file), path=skill_file)
        if paths:
            return True
    now = session.now
    now.tools[name] = None
    if isinstance(path, str):
        now.add_path(path, tool=name)
    if isinstance(command, str):
        now.add_command(command)
    return False


def _names_skill_file(value: object) -> bool:
    return isinstance(value, str) and SKILL_FILE in value


def _call_skill(session: Session, block: Block, *, record: Record, line: int) -> bool:
    call = block.input
    skill = called_skill(call)
    if not skill or call is None:
        return False
    args = call.args if isinstance(call.args, str) else ""
    _use(session, record, line, block.id, skill, args=args)
    return True


def _use(
    session: Session, record: Record, line: int, call_id: str | None, skill: str, *, args: str = "", path: str = ""
) -> None:
    """Begin the work of a use that a tool call shows."""
    before = session.now
    entry = session.add(
        UseFact(
            line=line,
            uuid=record.uuid or "",
            call_id=call_id or "",
            at=microseconds(record.timestamp),
            skill_id=skill,
            via="read" if path else "tool",
            form="skill_file" if path else "skill_tool",
            args=args,
            path=path,
        )
    )
    entry.segment.model, entry.segment.attributed = before.model, before.attributed
    if call_id:
        session.uses.setdefault(call_id, []).append(entry)
    if not path:
        session.awaiting = entry
        if call_id:
            session.bodies[call_id] = entry
