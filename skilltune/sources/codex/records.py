"""The parts of a Codex record that facts are made of: typed decoding, and field by field where that is refused.

Records of today wrap a ``payload``; those of early 2025, of wrappers and of streams are ``Bare``: the payload itself.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from skilltune.sources.session import Count

__all__ = [
    "Arguments",
    "Bare",
    "Item",
    "Meta",
    "Part",
    "Payload",
    "Record",
    "Spent",
    "decode_arguments",
    "decode_bare",
    "decode_meta",
    "decode_record",
    "fill",
    "loads",
]

Moment = Annotated[datetime, msgspec.Meta(tz=True)] | None

_Value = TypeVar("_Value", bound=Struct)


class Spent(Struct, gc=False):
    """Tokens as Codex counts them: the cached and written parts are part of the input, reasoning of the output."""

    input_tokens: Count = 0
    cached_input_tokens: Count = 0
    cache_write_input_tokens: Count = 0
    output_tokens: Count = 0


class Info(Struct, gc=False):
    """What a ``token_count`` tells."""

    total_token_usage: Spent | None = None
    last_token_usage: Spent | None = None


class Part(Struct, gc=False):
    """One part of a message: input_text, output_text, input_image …"""

    type: str | None = None
    text: str | None = None


class Payload(Struct, gc=False):
    """What a record of the conversation says, of whatever type."""

    type: str | None = None
    role: str | None = None
    content: str | list[Part] | None = None
    message: str | None = None
    kind: str | None = None
    images: Raw = Raw()
    local_images: Raw = Raw()
    id: str | None = None
    call_id: str | None = None
    name: str | None = None
    arguments: Any = None
    input: Any = None
    action: Any = None
    function: Any = None
    output: Any = None
    result: Raw = Raw()
    item: Raw = Raw()
    reason: str | None = None
    success: bool | None = None
    num_turns: int | None = None
    info: Info | None = None
    usage: Spent | None = None
    turn_id: str | None = None


class Meta(Struct, gc=False):
    """What a record says of the session, or of a turn in it."""

    id: str | None = None
    session_id: str | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    turn_id: str | None = None
    cwd: str | None = None
    model: str | None = None
    cli_version: str | None = None
    originator: str | None = None
    source: Any = None
    thread_source: Any = None
    instructions: Any = None


class Item(Struct, gc=False):
    """What an ``item_completed`` holds."""

    type: str | None = None
    content: str | list[Part] | None = None


class Arguments(Struct, gc=False):
    """What a tool call is given, as far as it names files and commands."""

    cmd: str | list[str] | None = None
    command: str | list[str] | None = None
    workdir: str | None = None
    cwd: str | None = None
    input: str | None = None
    patch: str | None = None
    path: str | None = None
    file_path: str | None = None


class Record(Struct, gc=False):
    """One line of a file."""

    timestamp: Moment = None
    type: str | None = None
    payload: Payload | None = None


class Bare(Payload, gc=False):
    """A line that wraps no payload: a record of early 2025, of a wrapper, or of a stream."""

    timestamp: Moment = None
    created_at: Moment = None
    thread_id: str | None = None
    model: str | None = None
    record_type: str | None = None
    instructions: Any = ""
    """Not '' where the key is there, whatever its value."""
    git: Any = ""


class _About(Struct, gc=False):
    payload: Meta | None = None


decode_record = msgspec.json.Decoder(Record).decode
"""Bytes of one line → Record; raises ``msgspec.DecodeError`` where they do not fit."""
_decode_bare = msgspec.json.Decoder(Bare).decode
_decode_meta = msgspec.json.Decoder(Meta).decode
_decode_about = msgspec.json.Decoder(_About).decode
_decode_arguments = msgspec.json.Decoder(Arguments).decode


def decode_bare(line: bytes) -> Bare:
    """The line as a record without a payload."""
    return _decoded(_decode_bare, line, Bare)


def decode_meta(line: bytes, *, wrapped: bool) -> Meta:
    """What the line says of the session."""
    return _decoded(_decode_about, line, _About).payload or Meta() if wrapped else _decoded(_decode_meta, line, Meta)


def decode_arguments(given: Any) -> Arguments:
    """What a tool call is given: JSON text, or an object."""
    if isinstance(given, str):
        return _decoded(_decode_arguments, given, Arguments)
    return fill(Arguments, given) if isinstance(given, dict) else Arguments()


def _decoded(decode: Callable[[bytes | str], _Value], text: bytes | str, kind: type[_Value]) -> _Value:
    """What JSON text holds, field by field where it does not fit."""
    try:
        return decode(text)
    except (ValueError, RecursionError):
        value = loads(text)
        return fill(kind, value) if isinstance(value, dict) else kind()


def fill(kind: type[_Value], value: dict[str, Any]) -> _Value:
    """A struct out of a decoded object: a field of an odd type is missing."""
    given = {name: _read(value[key], wanted) for name, key, wanted in _fields(kind) if key in value}
    return kind(**{name: read for name, read in given.items() if read is not _ODD})


def loads(raw: Raw | bytes | str) -> Any:
    """The value that JSON text holds; None where it is none, or nested too deep."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None


@cache
def _fields(kind: type[Struct]) -> list[tuple[str, str, Any]]:
    """(name here, name in the file, type) of each field."""
    return [(field.name, field.encode_name, field.type) for field in msgspec.structs.fields(kind)]


_ODD: Any = object()
"""Stands for a value of an odd type."""


def _read(value: Any, wanted: Any) -> Any:
    reader = _READERS.get(wanted)
    if reader is not None:
        return reader(value)
    try:
        return msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        return _ODD


def _content(value: Any) -> Any:
    if isinstance(value, list):
        return [fill(Part, item) for item in value if isinstance(item, dict)]
    return value if isinstance(value, str) else _ODD


def _moment(value: Any) -> Any:
    """The moment that a stamp tells; one without a time zone is UTC."""
    if not isinstance(value, str):
        return _ODD
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return _ODD
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _struct(kind: type[_Value]) -> Callable[[Any], Any]:
    return lambda value: fill(kind, value) if isinstance(value, dict) else _ODD


_READERS: dict[Any, Callable[[Any], Any]] = {
    Any: lambda value: value,
    Raw: lambda value: Raw(msgspec.json.encode(value)),
    Moment: _moment,
    str | list[Part] | None: _content,
    Payload | None: _struct(Payload),
    Info | None: _struct(Info),
    Spent | None: _struct(Spent),
    Meta | None: _struct(Meta),
}
"""Type of a field → how its value is read; the others are taken as they are, or not at all."""
