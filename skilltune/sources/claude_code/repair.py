"""Lines the fast decoder refuses: damaged, glued, or whole with odd types in their fields.

Reading is tolerant here: a field of an odd type counts as missing, bytes that are no UTF-8 and lone surrogates
become U+FFFD, control characters in strings are read on, two records on one line are two records.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Raw, Struct

from skilltune.sources.claude_code.records import (
    Attachment,
    Block,
    Input,
    Message,
    Moment,
    Record,
    ToolUseResult,
    decode_raw,
)
from skilltune.sources.session import Count, Usage

__all__ = ["Damage", "Reading", "flat_message", "read_line", "read_objects", "read_values"]

Damage = Literal["not_json", "not_object"]
Flaw = Literal["", "invalid_utf8", "nul"]
_EDGES = b" \t\r\n\x0b\x0c\x00"
_BOM = b"\xef\xbb\xbf"
_BLANK = re.compile(r"[ \t\r\n\x00]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_LAST_COUNT = 2**53
_START = re.compile(r'\{"(?:parentUuid|type|sessionId|uuid|timestamp|isSidechain|message)"')
_MAX_STARTS = 64
_LONG_NUMBER = 400

_Part = TypeVar("_Part", bound=Struct)


class Reading(NamedTuple):
    """What one line holds."""

    parts: tuple[Record | Damage, ...]
    """Its records in order; a part that is none says why."""
    flaw: Flaw
    """What had to be replaced to read it."""


class Values(NamedTuple):
    """What one line holds, of whatever agent."""

    parts: tuple[dict[str, Any] | Damage, ...]
    flaw: Flaw


def read_line(line: bytes) -> Reading:
    """Everything a line holds; a blank one holds nothing."""
    values = read_values(line)
    return Reading(tuple([_part(value) for value in values.parts]), values.flaw)


def read_values(line: bytes) -> Values:
    """The same with its objects as they were written, U+FFFD for half a character."""
    bare = _bare(line)
    if not bare:
        return Values((), "")
    flaw: Flaw = ""
    try:
        text, flaw = bare.decode(), "nul" if b"\0" in line else ""
    except UnicodeDecodeError:
        text, flaw = bare.decode(errors="replace"), "invalid_utf8"
    mends = _SURROGATE_ESCAPE.search(text) is not None
    return Values(tuple([_mended(part) if mends else part for part in _split(text)]), flaw)


def read_objects(line: bytes) -> Iterator[dict[str, Any]]:
    """The objects that a line holds, whole and as they were written, U+FFFD for what is no UTF-8 and half a character.

    What is no object, or nested too deep, is passed over.
    """
    text = _bare(line).decode(errors="replace")
    for part in _split(text):
        if isinstance(part, dict):
            with suppress(RecursionError):
                yield _clean(part)


def _bare(line: bytes) -> bytes:
    """`line` without what may stand around its records."""
    bare = line.strip(_EDGES)
    while bare.startswith(_BOM):
        bare = bare[len(_BOM) :].strip(_EDGES)
    return bare


def _mended(part: dict[str, Any] | Damage) -> dict[str, Any] | Damage:
    try:
        return _clean(part)  # type: ignore[no-any-return]  # what goes in comes out
    except RecursionError:
        return "not_json"


def _part(part: dict[str, Any] | Damage) -> Record | Damage:
    if isinstance(part, str):
        return part
    try:
        return _fill(Record, part)
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
        if not isinstance(value, dict) or not ("uuid" in value or "sessionId" in value or "payload" in value):
            return False
        at = _BLANK.match(text, end).end()  # type: ignore[union-attr]  # matches the empty string
    return True


def _number(text: str) -> int | None:
    return int(text) if len(text) < _LONG_NUMBER else None


def _fraction(text: str) -> float | None:
    value = float(text)
    return value if abs(value) < float("inf") else None


_DECODER = json.JSONDecoder(strict=False, parse_int=_number, parse_float=_fraction, parse_constant=lambda _name: None)


def _fill(kind: type[_Part], value: dict[str, Any]) -> _Part:
    """A part of a record out of a decoded object, odd fields missing."""
    given = {name: _READERS[wanted](value[key]) for name, key, wanted in _fields(kind) if key in value}
    return kind(**given)


@cache
def _fields(kind: type[Struct]) -> list[tuple[str, str, Any]]:
    """(name here, name in the file, type) of each field."""
    return [(field.name, field.encode_name, field.type) for field in msgspec.structs.fields(kind)]


def flat_message(record: Record) -> Message | None:
    """The message of a flat ``{role, content}`` record, or None where there is no content."""
    return decode_raw(record.content, lambda raw: _message(msgspec.json.decode(raw), role=record.role))


def _message(content: Any, *, role: str | None) -> Message | None:
    return _fill(Message, {"role": role, "content": content}) if isinstance(content, str | list) else None


def _part_reader(kind: type[_Part]) -> Callable[[Any], _Part | None]:
    return lambda value: _fill(kind, value) if isinstance(value, dict) else None


def _content(value: Any) -> str | list[Block] | None:
    if isinstance(value, list):
        return [_fill(Block, item) for item in value if isinstance(item, dict)]
    return value if isinstance(value, str) else None


def _noted(value: Any) -> str | ToolUseResult | None:
    if isinstance(value, dict):
        return _fill(ToolUseResult, value)
    return value if isinstance(value, str) else None


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


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _flag(value: Any) -> bool | None:
    """A flag; what is odd is set: only one that is missing, null or false says that a person may have written it."""
    return value if value is None or isinstance(value, bool) else True


def _count(value: Any) -> int:
    return value if type(value) is int and 0 <= value <= _LAST_COUNT else 0


def _raw(value: Any) -> Raw:
    return Raw(json.dumps(value, ensure_ascii=False).encode())


_READERS: dict[Any, Callable[[Any], Any]] = {
    Any: lambda value: value,
    Raw: _raw,
    Count: _count,
    Moment: _moment,
    str | None: _text,
    bool | None: _flag,
    str | list[Block] | None: _content,
    str | list[Raw] | ToolUseResult | None: _noted,
    Message | None: _part_reader(Message),
    Usage | None: _part_reader(Usage),
    Input | None: _part_reader(Input),
    Attachment | None: _part_reader(Attachment),
}
"""Type of a field → how its value is read."""


def _clean(value: Any) -> Any:
    """`value` with U+FFFD for each lone surrogate: no fact may hold one, it could not be written."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(name): _clean(item) for name, item in value.items()}
    return value
