"""What ``codex exec --json`` prints, where it was kept: the agent's work alone, for no prompt is in it."""

from collections.abc import Callable
from typing import Any, Final

from skilltune.sources.codex.agent import say, take_named, take_work
from skilltune.sources.codex.calls import Call
from skilltune.sources.codex.records import Bare, loads
from skilltune.sources.codex.session import EXEC, Session

__all__ = ["STREAM_TYPES", "take_line"]

STREAM_TYPES: Final = frozenset(
    {
        "error",
        "item.completed",
        "item.started",
        "item.updated",
        "thread.started",
        "turn.completed",
        "turn.failed",
        "turn.started",
    }
)


def take_line(session: Session, record: Bare, line: int) -> str:
    """Take a line of a stream; the word for what became of it."""
    session.entrypoint = session.entrypoint or EXEC
    kind = record.type or ""
    if kind == "turn.completed":
        session.spoken = True
        session.spend(session.add_total(record.usage, record.usage))
    if kind != "item.completed":
        return kind
    item = loads(record.item) if record.item else None
    if not isinstance(item, dict):
        return "malformed"
    name = item.get("type") or item.get("item_type")
    taker = _TAKERS.get(name) if isinstance(name, str) else None
    return taker(session, item, line) if taker is not None else kind


def _take_message(session: Session, item: dict[str, Any], _line: int) -> str:
    text = item.get("text")
    return say(session, [text if isinstance(text, str) else None], at=None)


def _take_command(session: Session, item: dict[str, Any], line: int) -> str:
    """A shell command that ended, with its exit code."""
    command, code = item.get("command"), item.get("exit_code")
    text = command if isinstance(command, str) else ""
    call = Call("command_execution", (text,), "", (), ())
    return _take_work(session, item, call, line=line, failed=type(code) is int and code != 0)


def _take_changes(session: Session, item: dict[str, Any], line: int) -> str:
    """Files that were changed."""
    changes = item.get("changes")
    paths = [change.get("path") for change in changes if isinstance(change, dict)] if isinstance(changes, list) else []
    edited = tuple(path for path in paths if isinstance(path, str))
    failed = item.get("status") == "failed"
    return _take_work(session, item, Call("file_change", (), "", edited, ()), line=line, failed=failed)


def _take_tool(session: Session, item: dict[str, Any], line: int) -> str:
    """A call of a tool that a server offers, or a search."""
    name = item.get("tool")
    call = Call(name if isinstance(name, str) else "web_search", (), "", (), ())
    return _take_work(session, item, call, line=line, failed=item.get("status") == "failed")


def _take_work(session: Session, item: dict[str, Any], call: Call, *, line: int, failed: bool) -> str:
    """A call and how it ended, which one item tells."""
    named = item.get("id")
    call_id = f"{session.session_id}:{named}" if isinstance(named, str) and session.session_id else ""
    take_work(session, None)
    session.spoken = True
    became = take_named(session, call, call_id=call_id, at=None, line=line)
    session.now.end_call(failed=failed)
    if failed:
        session.forget_command(call_id)
    for use in session.uses.pop(call_id, ()):
        if failed:
            use.changes["failed"] = "error"
    return became


_TAKERS: dict[str, Callable[[Session, dict[str, Any], int], str]] = {
    "agent_message": _take_message,
    "assistant_message": _take_message,
    "command_execution": _take_command,
    "file_change": _take_changes,
    "mcp_tool_call": _take_tool,
    "web_search": _take_tool,
}
"""Kind of an item → what takes it; plans and reasoning are nobody's word and no work."""
