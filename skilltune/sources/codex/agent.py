"""The agent's side of a session: what it said, which tools it called and how that ended, what it spent."""

import re
from collections.abc import Sequence
from datetime import datetime

from skilltune import limits
from skilltune.facts import TurnFact, UseFact
from skilltune.sources.codex.calls import Call, named_files, read_call
from skilltune.sources.codex.person import add_turn
from skilltune.sources.codex.records import Payload, loads
from skilltune.sources.codex.results import ASK_TOOL, read_answers, read_ending
from skilltune.sources.codex.session import Session
from skilltune.sources.session import microseconds
from skilltune.sources.skill_files import skill_of

__all__ = ["note_failure", "say", "take_call", "take_named", "take_result", "take_work"]


_FAILED_TOOL = re.compile(rb'\s*+\{\s*+"Err"|.*"is_?[eE]rror"\s*+:\s*+true\b', re.DOTALL).match


def take_work(session: Session, at: datetime | None) -> None:
    """Note that the agent was at work."""
    session.worked += 1
    now = session.now
    now.last = at or now.last
    if session.model:
        now.model = session.model


def say(session: Session, texts: Sequence[str | None], *, at: datetime | None) -> str:
    """Take what the agent wrote."""
    take_work(session, at)
    session.spoken = True
    text = (texts[0] or "") if len(texts) == 1 else "\n\n".join(filter(None, texts))
    if text and not text.isspace():
        session.now.said = text[-limits.AGENT_TEXT_CHARS :]
    return "agent"


def take_call(session: Session, payload: Payload, *, at: datetime | None, line: int) -> str:
    """Take a tool call; 'use' where it reads a skill."""
    call, call_id = read_call(payload), payload.call_id or payload.id or ""
    take_work(session, at)
    session.spoken = True
    if call_id:
        session.calls[call_id] = call.name
    return take_named(session, call, call_id=call_id, at=at, line=line)


def take_named(session: Session, call: Call, *, call_id: str, at: datetime | None, line: int) -> str:
    """Take what a tool call names; 'use' where it reads a skill."""
    reads = False
    for command in call.commands:
        reads = _take_command(session, command, call=call, call_id=call_id, at=at, line=line) or reads
    now = session.now
    for path in call.edited:
        now.add_path(path, edits=True)
    for path in call.touched:
        now.add_path(path, edits=False)
    if call.name and not reads:
        now.tools[call.name] = None
    return "use" if reads else "agent"


def _take_command(session: Session, command: str, *, call: Call, call_id: str, at: datetime | None, line: int) -> bool:
    """Take a shell command; True where it reads a skill."""
    named = named_files(command, folder=call.folder)
    for path in named.skills:
        _add_read(session, path, call_id=call_id, at=at, line=line)
    now = session.now
    for path in named.edited:
        now.add_path(path, edits=True)
    for path in named.touched:
        now.add_path(path, edits=False)
    if "git" in command and (noted := now.add_command(command)) and call_id:
        session.commands[call_id] = noted
    return bool(named.skills)


def _add_read(session: Session, path: str, *, call_id: str, at: datetime | None, line: int) -> None:
    """Begin the work of a use that a read of its file shows."""
    fact = UseFact(
        line=line,
        uuid=session.call_uuid(call_id),
        call_id=call_id,
        at=microseconds(at),
        skill_id=skill_of(path),
        via="read",
        form="skill_file",
        path=path,
    )
    entry = session.add(fact)
    entry.segment.model, entry.segment.last = session.model, at
    if call_id:
        session.uses.setdefault(call_id, []).append(entry)


def note_failure(session: Session, payload: Payload) -> None:
    """Take the program's word that a patch or a server's tool failed, which the call's output may not say."""
    call_id = payload.call_id or ""
    if call_id in session.calls and (payload.success is False or _FAILED_TOOL(payload.result)):
        session.failed_calls.add(call_id)


def take_result(session: Session, payload: Payload, *, at: datetime | None, line: int) -> str:
    """Take the output of a tool call; 'turn' where a person decided it or answered."""
    call_id = payload.call_id or ""
    output = loads(payload.result) if payload.result else payload.output
    tool = session.calls.pop(call_id, payload.name or "")
    ending = read_ending(output)
    failed = ending == "failed" or (ending == "ok" and call_id in session.failed_calls)
    session.failed_calls.discard(call_id)
    session.now.end_call(failed=failed)
    if failed or ending != "ok":
        session.forget_command(call_id)
    for use in session.uses.pop(call_id, ()):
        if failed or ending == "denied":
            use.changes["failed"] = "error" if failed else "refused"
    if ending == "aborted":
        session.interrupted = True
    if ending == "denied":
        return _add_denial(session, tool, call_id=call_id, at=at, line=line)
    answer = read_answers(output) if tool == ASK_TOOL else ""
    if answer:
        add_turn(session, TurnFact(line, session.call_uuid(call_id), 0, microseconds(at), "answer", answer, tool=tool))
    return "turn" if answer else "tool_result"


def _add_denial(session: Session, tool: str, *, call_id: str, at: datetime | None, line: int) -> str:
    """Add the person's refusal; that of several calls at once is one act."""
    last = session.entries[-1].fact if session.entries else None
    if isinstance(last, TurnFact) and last.channel == "denial" and session.denied_at == session.worked:
        return "tool_result"
    session.denied_at = session.worked
    add_turn(session, TurnFact(line, session.call_uuid(call_id), 0, microseconds(at), "denial", "", "rejected", tool))
    return "turn"
