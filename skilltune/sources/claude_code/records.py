"""The parts of a transcript record that facts are made of, and their fast decoding.

A record that does not fit these types is not an error: ``repair`` reads it field by field.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from skilltune.sources.session import Usage

__all__ = [
    "Attachment",
    "Block",
    "Input",
    "Message",
    "Moment",
    "Record",
    "ToolUseResult",
    "decode_raw",
    "decode_record",
]

Moment = Annotated[datetime, Meta(tz=True)] | None

_Value = TypeVar("_Value")


class Input(Struct, gc=False):
    """What a tool call names; any of it may be missing or of an odd type."""

    command: Any = None
    file_path: Any = None
    path: Any = None
    notebook_path: Any = None
    skill: Any = None
    name: Any = None
    args: Any = None


class Block(Struct, gc=False):
    """One block of a message: text, tool_use, tool_result, image, thinking …"""

    type: str | None = None
    text: str | None = None
    tool_use_id: str | None = None
    content: Raw = Raw()
    is_error: bool | None = None
    id: str | None = None
    name: str | None = None
    input: Input | None = None


class Message(Struct, gc=False):
    """The API message in a record."""

    role: str | None = None
    model: str | None = None
    id: str | None = None
    content: str | list[Block] | None = None
    usage: Usage | None = None


class ToolUseResult(Struct, gc=False, rename="camel"):
    """What the agent's program noted about a tool result, as far as a person shows in it."""

    user_modified: Any = None
    answers: Any = None
    annotations: Any = None
    is_agent: Any = None


class Attachment(Struct, gc=False, rename="camel"):
    """What was put into the conversation beside the messages."""

    type: str | None = None
    prompt: Raw = Raw()
    command_mode: str | None = None
    content: Raw = Raw()
    names: Raw = Raw()
    skill_names: Raw = Raw()
    skill_count: Raw = Raw()
    origin: Any = None
    is_meta: bool | None = None


class Record(Struct, gc=False, rename="camel"):
    """One line of a transcript."""

    parent_uuid: str | None = None
    is_sidechain: bool | None = None
    entrypoint: str | None = None
    cwd: str | None = None
    session_id: str | None = None
    version: str | None = None
    message: Message | None = None
    type: str | None = None
    uuid: str | None = None
    timestamp: Moment = None
    tool_use_result: str | list[Raw] | ToolUseResult | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    source_tool_use_i_d: str | None = msgspec.field(default=None, name="sourceToolUseID")
    tool_denial_kind: str | None = None
    plan_content: Any = None
    origin: Any = None
    prompt_source: Any = None
    attribution_skill: str | None = None
    is_api_error_message: bool | None = None
    subtype: str | None = None
    operation: str | None = None
    role: str | None = None
    name: Any = None
    content: Raw = Raw()
    attachment: Attachment | None = None
    forked_from: Any = None


decode_record = msgspec.json.Decoder(Record).decode
"""Bytes of one line → Record; raises ``msgspec.DecodeError`` where they do not fit."""


def decode_raw(raw: Raw, decode: Callable[[Raw], _Value]) -> _Value | None:
    """What a part kept as it was written holds; None where `decode` refuses it, or it is nested too deep to be read."""
    try:
        return decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None
