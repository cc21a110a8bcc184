"""Lines the fast decoder refuses: damaged, glued, or whole with odd types in their fields.

Reading is tolerant here: a field of an odd type counts as missing, bytes that are no UTF-8 and lone surrogates
become U+FFFD, control characters in strings are read on, two records on one line are two records.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Raw

from skilltune.sources.claude_code.records import (
    Attachment,
    Block,
    Input,
    Message,
    Record,
    ToolUseResult,
    Usage,
)

__all__ = ["Damage", "Reading", "flat_message", "read_line"]

Damage = Literal["not_json", "not_object"]
_EDGES = b" \t\r\n\x0b\x0c\x00"
_BOM = b"\xef\xbb\xbf"
_BLANK = re.compile(r"[ \t\r\n\x00]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_LAST_COUNT = 2**53
_START = re.compile(r'\{"(?:parentUuid|type|sessionId|uuid|timestamp|isSidechain|message)"')
_MAX_STARTS = 64
_LONG_NUMBER = 400


class Reading(NamedTuple):
    """What one line holds."""

    parts: tuple[Record | Damage, ...]
    """Its records in order; a part that is none says why."""
    flaw: Literal["", "invalid_utf8", "nul"]
    """What had to be replaced to read it."""


def read_line(line: bytes) -> Reading:
    """Everything a line holds; a blank one holds nothing."""
    bare = line.strip(_EDGES)
    while bare.startswith(_BOM):
        bare = bare[len(_BOM) :].strip(_EDGES)
    if not bare:
        return Reading((), "")
    try:
        text, flaw = bare.decode(), "nul" if b"\0" in line else ""
    except UnicodeDecodeError:
        text, flaw = bare.decode(errors="replace"), "invalid_utf8"
    mends = _SURROGATE_ESCAPE.search(text) is not None
    return Reading(tuple(_part(part, mends=mends) for part in _split(text)), flaw)  # type: ignore[arg-type]  # both literals


def _part(part: dict[str, Any] | Damage, *, mends: bool) -> Record | Damage:
    if isinstance(part, str):
        return part
    try:
        return _record(_clean(part) if mends else part)
    except RecursionError:
        return "not_json"


def _split(text: str) -> Iterator[dict[str, Any] | Damage]:
    """The objects written one after another in `text`, and one damage for each stretch that is none."""
    if not text.startswith("{"):
        yield from _no_object(text)
        return
    at = 0
    while at < len(text):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield "not_json"
            at = _next_start(text, at + 1)
            continue
        yield value
        at = _BLANK.match(text, end).end()  # type: ignore[union-attr]  # matches the empty string
        if at < len(text) and text[at] != "{":
            yield "not_json"
            at = _next_start(text, at)


def _no_object(text: str) -> Iterator[dict[str, Any] | Damage]:
    try:
        _DECODER.decode(text)
    except (ValueError, RecursionError):
        yield "not_json"
        start = _next_start(text, 0)
        if start < len(text):
            yield from _split(text[start:])
    else:
        yield "not_object"


def _next_start(text: str, at: int) -> int:
    """Where a whole record begins that was glued to a torn one and ends the line; else the end of `text`."""
    for tries, found in enumerate(_START.finditer(text, at)):
        if tries == _MAX_STARTS:
            break
        if _is_record_tail(text, found.start()):
            return found.start()
    return len(text)


def _is_record_tail(text: str, at: int) -> bool:
    """Whether nothing but whole records follows: a nested object of the torn record never ends the line."""
    while at < len(text):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return False
        if not isinstance(value, dict) or not ("uuid" in value or "sessionId" in value):
            return False
        at = _BLANK.match(text, end).end()  # type: ignore[union-attr]  # matches the empty string
    return True


def _number(text: str) -> int | None:
    return int(text) if len(text) < _LONG_NUMBER else None


def _fraction(text: str) -> float | None:
    value = float(text)
    return value if abs(value) < float("inf") else None


_DECODER = json.JSONDecoder(strict=False, parse_int=_number, parse_float=_fraction, parse_constant=lambda _name: None)


def _record(value: dict[str, Any]) -> Record:
    """The record in a decoded object, odd fields missing."""
    return Record(
        parent_uuid=_text(value, "parentUuid"),
        is_sidechain=_flag(value, "isSidechain"),
        entrypoint=_text(value, "entrypoint"),
        cwd=_text(value, "cwd"),
        session_id=_text(value, "sessionId"),
        version=_text(value, "version"),
        message=_message(value.get("message")),
        type=_text(value, "type"),
        uuid=_text(value, "uuid"),
        timestamp=_moment(value.get("timestamp")),
        tool_use_result=_tool_use_result(value.get("toolUseResult")),
        is_meta=_flag(value, "isMeta"),
        is_compact_summary=_flag(value, "isCompactSummary"),
        source_tool_use_i_d=_text(value, "sourceToolUseID"),
        tool_denial_kind=_text(value, "toolDenialKind"),
        plan_content=value.get("planContent"),
        origin=value.get("origin"),
        attribution_skill=_text(value, "attributionSkill"),
        is_api_error_message=_flag(value, "isApiErrorMessage"),
        subtype=_text(value, "subtype"),
        operation=_text(value, "operation"),
        role=_text(value, "role"),
        content=_raw(value, "content"),
        attachment=_attachment(value.get("attachment")),
    )


def _message(value: Any) -> Message | None:
    if not isinstance(value, dict):
        return None
    content = value.get("content")
    blocks = [_block(item) for item in content if isinstance(item, dict)] if isinstance(content, list) else None
    return Message(
        role=_text(value, "role"),
        model=_text(value, "model"),
        id=_text(value, "id"),
        content=content if isinstance(content, str) else blocks,
        usage=_usage(value.get("usage")),
    )


def flat_message(record: Record) -> Message | None:
    """The message of a flat ``{role, content}`` record, or None where there is no content."""
    try:
        content = msgspec.json.decode(record.content)
    except msgspec.DecodeError:
        return None
    return _message({"role": record.role, "content": content}) if isinstance(content, str | list) else None


def _block(value: dict[str, Any]) -> Block:
    call = value.get("input")
    return Block(
        type=_text(value, "type"),
        text=_text(value, "text"),
        tool_use_id=_text(value, "tool_use_id"),
        content=_raw(value, "content"),
        is_error=_flag(value, "is_error"),
        id=_text(value, "id"),
        name=_text(value, "name"),
        input=Input(**{name: call.get(name) for name in Input.__struct_fields__}) if isinstance(call, dict) else None,
    )


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    return Usage(**{name: _count(value.get(name)) for name in Usage.__struct_fields__})


def _tool_use_result(value: Any) -> str | ToolUseResult | None:
    if isinstance(value, dict):
        return ToolUseResult(
            user_modified=value.get("userModified"),
            answers=value.get("answers"),
            annotations=value.get("annotations"),
            is_agent=value.get("isAgent"),
        )
    return value if isinstance(value, str) else None


def _attachment(value: Any) -> Attachment | None:
    if not isinstance(value, dict):
        return None
    return Attachment(
        type=_text(value, "type"),
        prompt=_raw(value, "prompt"),
        command_mode=_text(value, "commandMode"),
        origin=value.get("origin"),
        is_meta=_flag(value, "isMeta"),
    )


def _moment(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        moment = msgspec.convert(value, datetime)
    except msgspec.ValidationError:
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _text(value: dict[str, Any], name: str) -> str | None:
    found = value.get(name)
    return found if isinstance(found, str) else None


def _flag(value: dict[str, Any], name: str) -> bool | None:
    found = value.get(name)
    return found if isinstance(found, bool) else None


def _count(value: Any) -> int:
    return value if type(value) is int and 0 <= value <= _LAST_COUNT else 0


def _raw(value: dict[str, Any], name: str) -> Raw:
    return Raw(json.dumps(value[name], ensure_ascii=False).encode()) if name in value else Raw()


def _clean(value: Any) -> Any:
    """`value` with U+FFFD for each lone surrogate: no fact may hold one, it could not be written."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(name): _clean(item) for name, item in value.items()}
    return value
