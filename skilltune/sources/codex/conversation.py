"""Records to what became of them: items of the conversation, and the program's events beside it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

import msgspec

from skilltune.sources.codex.agent import note_failure, say, take_call, take_result, take_work
from skilltune.sources.codex.person import has_files, has_images, note_list, note_turn_end, take_back, take_prompt
from skilltune.sources.codex.record_types import EVENTS, ITEMS
from skilltune.sources.codex.records import Item, Part, Payload, fill, loads
from skilltune.sources.codex.session import Session

__all__ = ["EVENT_TAKERS", "ITEM_TAKERS", "TAKERS", "Taker"]

Taker = Callable[[Session, Payload, datetime | None, int], str]
"""Takes a record into the session, at its moment and line; the word for what became of it."""

_MACHINE_KINDS = frozenset({"environment_context", "user_instructions"})
_TURN_DONE = "turn.completed"
_decode_item = msgspec.json.Decoder(Item).decode


def _take_message(session: Session, payload: Payload, at: datetime | None, line: int) -> str:
    texts = _texts(payload.content if payload.content is not None else payload.message)
    if payload.role == "assistant":
        return say(session, texts, at=at)
    if payload.role == "user":
        image, file = has_images(payload), has_files(payload)
        return take_prompt(session, texts, channel="item", image=image, file=file, at=at, line=line)
    if payload.role in ("developer", "system"):
        note_list(session, texts)
        return "meta"
    return "malformed"


def _texts(content: str | Sequence[Part] | None) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [part.text for part in content or () if part.text]


def _take_call(session: Session, payload: Payload, at: datetime | None, line: int) -> str:
    return take_call(session, payload, at=at, line=line)


def _take_result(session: Session, payload: Payload, at: datetime | None, line: int) -> str:
    return take_result(session, payload, at=at, line=line)


def _take_thought(session: Session, _payload: Payload, at: datetime | None, _line: int) -> str:
    take_work(session, at)
    return "reasoning"


def _take_told(session: Session, payload: Payload, at: datetime | None, line: int) -> str:
    if payload.kind in _MACHINE_KINDS:
        return "meta"
    if payload.message is None:
        return "malformed"
    image = has_images(payload)
    return take_prompt(session, [payload.message], channel="told", image=image, at=at, line=line)


def _take_said(session: Session, payload: Payload, at: datetime | None, _line: int) -> str:
    return say(session, [payload.message], at=at)


def _take_completed(session: Session, payload: Payload, at: datetime | None, line: int) -> str:
    """An item that the program finished, in files that hold no ``user_message``."""
    item = _read_item(payload)
    texts = _texts(item.content)
    if item.type == "UserMessage":
        parts = item.content if isinstance(item.content, list) else []
        image = any(part.type in ("image", "local_image") for part in parts)
        return take_prompt(session, texts, channel="completed", image=image, at=at, line=line)
    return say(session, texts, at=at) if item.type == "AgentMessage" else "item_completed"


def _read_item(payload: Payload) -> Item:
    try:
        return _decode_item(payload.item)
    except (msgspec.DecodeError, RecursionError):
        value = loads(payload.item) if payload.item else None
        return fill(Item, value) if isinstance(value, dict) else Item()


def _take_tokens(session: Session, payload: Payload, _at: datetime | None, _line: int) -> str:
    info = payload.info
    total = info.total_token_usage if info is not None else payload.usage
    last = info.last_token_usage if info is not None else payload.usage
    session.spend(session.add_total(total, last))
    if info is not None or payload.type == _TURN_DONE:
        session.spoken = True
    return payload.type or ""


def _take_aborted(session: Session, payload: Payload, _at: datetime | None, _line: int) -> str:
    return note_turn_end(session, payload)


def _take_back(session: Session, payload: Payload, at: datetime | None, line: int) -> str:
    return take_back(session, payload, at=at, line=line)


def _take_ending(session: Session, payload: Payload, _at: datetime | None, _line: int) -> str:
    note_failure(session, payload)
    return payload.type or ""


def _take_started(session: Session, payload: Payload, _at: datetime | None, _line: int) -> str:
    session.enter_turn(payload.turn_id)
    return "task_started"


def _take_nothing(_session: Session, payload: Payload, _at: datetime | None, _line: int) -> str:
    return payload.type or ""


ITEM_TAKERS: Final[dict[str | None, Taker]] = {
    **dict.fromkeys(ITEMS, _take_nothing),
    "custom_tool_call": _take_call,
    "custom_tool_call_output": _take_result,
    "function_call": _take_call,
    "function_call_output": _take_result,
    "function_result": _take_result,
    "local_shell_call": _take_call,
    "message": _take_message,
    "reasoning": _take_thought,
    "tool_call": _take_call,
    "tool_result": _take_result,
    "web_search_call": _take_call,
}
"""Type of an item of the conversation with the model → what takes it."""

EVENT_TAKERS: Final[dict[str | None, Taker]] = {
    **dict.fromkeys(EVENTS, _take_nothing),
    "agent_message": _take_said,
    "item_completed": _take_completed,
    "mcp_tool_call_end": _take_ending,
    "patch_apply_end": _take_ending,
    "task_started": _take_started,
    "thread_rolled_back": _take_back,
    "token_count": _take_tokens,
    "turn.completed": _take_tokens,
    "turn_aborted": _take_aborted,
    "turn_started": _take_started,
    "undo_completed": _take_back,
    "user_message": _take_told,
}
"""Type of what the program noted beside the conversation → what takes it."""

TAKERS: Final[dict[str | None, dict[str | None, Taker]]] = {"event_msg": EVENT_TAKERS, "response_item": ITEM_TAKERS}
