"""The agent's side of a session: what it said, called, spent, and which skills it used."""

from typing import Literal

from skilltune import limits
from skilltune.facts import UseFact
from skilltune.sources.claude_code.records import Block, Message, Record
from skilltune.sources.claude_code.session import EDIT_TOOLS, Session
from skilltune.sources.claude_code.skills import called_skill, read_skills, written_skills
from skilltune.sources.session import Usage, microseconds
from skilltune.sources.skill_files import SKILL_FILE, skill_of

__all__ = ["SKILL_TOOL", "read_agent_record", "read_tool_use", "spend_aside"]

SKILL_TOOL = "Skill"
_SYNTHETIC = "<synthetic>"


def read_agent_record(session: Session, record: Record, line: int) -> Literal["agent", "use"]:
    """Take a record of the agent; 'use' where it uses a skill."""
    session.awaiting = None
    session.parents.add(record.parent_uuid)
    session.now.last = record.timestamp or session.now.last
    message = record.message
    if message is None:
        return "agent"
    if message.usage is not None:
        _spend(session, message.id, message.usage)
    if message.model == _SYNTHETIC or record.is_api_error_message:
        return "agent"
    if message.model:
        session.now.model = message.model
    if record.attribution_skill:
        session.now.attributed = record.attribution_skill
    content = message.content
    if isinstance(content, str):
        _say(session, content)
        return "agent"
    return _read_blocks(session, content or [], record=record, line=line)


def read_tool_use(session: Session, record: Record, _line: int) -> str:
    """Take a tool call that is a record of its own; '', as it is counted by its type."""
    if isinstance(record.name, str) and record.name:
        session.now.tools[record.name] = None
    return ""


def _read_blocks(session: Session, blocks: list[Block], *, record: Record, line: int) -> Literal["agent", "use"]:
    became: Literal["agent", "use"] = "agent"
    for block in blocks:
        if block.type == "tool_use":
            if block.name and _call(session, block, record=record, line=line):
                became = "use"
        elif block.type == "text" and block.text:
            _say(session, block.text)
    return became


def _spend(session: Session, message_id: str | None, usage: Usage) -> None:
    """Count an API message once, as its last line has it, where its first line stands."""
    known = session.usage.get(message_id) if message_id else None
    if known is not None:
        known.replace(usage)
        return
    session.now.spent.append(usage)
    if message_id:
        session.usage[message_id] = usage


def spend_aside(session: Session, message: Message) -> None:
    """Count an API message of a sub-agent in the session's own file, in the stretch in which it stands."""
    usage = message.usage
    if usage is None:
        return
    known = session.usage.get(message.id) if message.id else None
    if known is not None:
        known.replace(usage)
        return
    if session.now.aside is None:
        session.now.aside = []
    session.now.aside.append(usage)
    if message.id:
        session.usage[message.id] = usage


def _say(session: Session, text: str) -> None:
    if text and not text.isspace():
        session.now.said = text[-limits.AGENT_TEXT_CHARS :]


def _call(session: Session, block: Block, *, record: Record, line: int) -> bool:
    """Take a tool call; True where it uses a skill."""
    name, call, call_id, now = block.name or "", block.input, block.id, session.now
    if call_id:
        session.calls[call_id] = name
    if name == SKILL_TOOL:
        return _call_skill(session, block, record=record, line=line)
    if call is None:
        now.tools[name] = None
        return False
    path, command = call.file_path or call.notebook_path or call.path, call.command
    path = path if isinstance(path, str) else ""
    command = command if isinstance(command, str) else ""
    if path.endswith(SKILL_FILE) or SKILL_FILE in command:
        if _read_skills(session, block, record=record, line=line):
            return True
        for written in written_skills(name, call):
            now.add_path(written, edits=True)
    if path:
        now.add_path(path, edits=name in EDIT_TOOLS)
    if "git" in command and (noted := now.add_command(command)) and call_id:
        session.commands[call_id] = noted
    now.tools[name] = None
    return False


def _read_skills(session: Session, block: Block, *, record: Record, line: int) -> bool:
    paths = read_skills(block.name or "", block.input) if block.input is not None else []
    for path in paths:
        _use(session, record, line, block.id, skill_of(path), path=path)
    return bool(paths)


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
    segment = entry.segment
    segment.model, segment.attributed, segment.last = before.model, before.attributed, record.timestamp
    if call_id:
        session.uses.setdefault(call_id, []).append(entry)
    if not path:
        session.awaiting = entry
        if call_id:
            session.bodies[call_id] = entry
