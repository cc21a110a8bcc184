"""Messages that hold their content themselves: those of the Go era, and lists of text, tool_use and tool_result.

Rows go in, messages with parts as today's come out; a tool's result, which has a message of its own there, becomes the
state of its call. Tokens of a message are not told there.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Raw

from skilltune.sources.opencode.records import Message, Part, State
from skilltune.sources.opencode.session import StoredMessage, in_order
from skilltune.sources.opencode.values import as_text

__all__ = ["Row", "read_blocks", "stored_messages"]

_DENIED: Final = "permission denied"
_REFUSED: Final = "The user rejected permission to use this specific tool call."
_CANCELED = frozenset({"canceled", "cancelled"})
_ABORTED: Final = Raw(b'{"name":"MessageAbortedError"}')
_RESULTS = frozenset({"tool_result", "tool-result"})
_CALLS = frozenset({"tool_call", "tool_use", "tool-call"})

_encode = msgspec.json.Encoder().encode


class Row(NamedTuple):
    """A message's row."""

    id: str
    role: Any
    blocks: list[dict[str, Any]]
    model: str
    created: Any


_decode = msgspec.json.Decoder().decode


def read_blocks(content: bytes) -> list[dict[str, Any]] | Literal["not_json", "malformed"]:
    """The blocks in a message's content, each with its fields beside its type; else the word for why there are none.

    A plain text is none: other programs keep those.
    """
    try:
        value = _decode(content)
    except (ValueError, RecursionError):
        return "not_json"
    if not isinstance(value, list) or not all(map(_is_block, value)):
        return "malformed"
    return [_unwrapped(block) for block in value]


def _is_block(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str)


def _unwrapped(block: dict[str, Any]) -> dict[str, Any]:
    inner = block.get("data")
    return {**inner, "type": block.get("type")} if isinstance(inner, dict) else block


def stored_messages(rows: Iterable[Row]) -> Iterator[StoredMessage]:
    """The messages of a session, from its rows in the order in which they were stored."""
    known = list(rows)
    results = {_call_of(block): block for row in known for block in row.blocks if block.get("type") in _RESULTS}
    for message, at, row in in_order((_message(row), row.created, row) for row in known):
        yield StoredMessage(message, list(_parts(row.blocks, results)), at)


def _message(row: Row) -> Message:
    """The message without its parts; one of tool results alone is a program's, whatever its role."""
    finish = next((block for block in row.blocks if block.get("type") == "finish"), {})
    only_results = bool(row.blocks) and all(block.get("type") in _RESULTS for block in row.blocks)
    message = Message(id=row.id, role="tool" if only_results else row.role, model_id=row.model)
    if as_text(finish.get("reason")) in _CANCELED:
        message.error = _ABORTED
    return message


def _parts(blocks: Iterable[dict[str, Any]], results: Mapping[str, dict[str, Any]]) -> Iterator[Part]:
    for block in blocks:
        kind = block.get("type")
        if kind == "text":
            yield Part(type="text", text=block.get("text"))
        elif kind in _CALLS:
            yield _call(block, results.get(as_text(block.get("id"))))
        elif kind in ("reasoning", "thinking"):
            yield Part(type="reasoning")
        elif kind in ("binary", "image_url", "image"):
            yield Part(type="file", mime=_mime(block))
        elif kind == "finish" or kind in _RESULTS:
            yield Part(type="step-finish")
        else:
            yield Part(type=kind)


def _mime(block: Mapping[str, Any]) -> str:
    """What kind of file a block holds; an image has a type of its own."""
    return as_text(block.get("MIMEType")) if block.get("type") == "binary" else "image/png"


def _call(block: Mapping[str, Any], result: Mapping[str, Any] | None) -> Part:
    """A call with its state; without a result it is still open."""
    given = block.get("input")
    state = State(input=Raw(given.encode("utf-8", "replace")) if isinstance(given, str) else Raw(_encode(given)))
    if result is not None:
        content = _content(result.get("content"))
        failed = result.get("is_error") is True
        state.status = "error" if failed else "completed"
        state.error = _REFUSED if content.strip().lower() == _DENIED else content
        state.output = Raw(_encode(content))
    return Part(type="tool", tool=block.get("name"), call_id=block.get("id"), state=state)


def _content(content: Any) -> str:
    """A result's text: a string, or the texts of a list."""
    if isinstance(content, list):
        return "\n".join(as_text(part.get("text")) for part in content if isinstance(part, dict))
    return as_text(content)


def _call_of(result: Mapping[str, Any]) -> str:
    return as_text(result.get("tool_call_id")) or as_text(result.get("tool_use_id"))
