"""What OpenCode stores of a session, a message and a part of one, decoded: any field may be of any type.

Bytes go in, a ``Struct`` comes out, or the word for why there is none. Fields that hold objects stay undecoded until
somebody asks for them; of another type than they should be, they count as missing.
"""

import json
import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, field

__all__ = [
    "Damage",
    "Flaw",
    "Info",
    "Input",
    "Message",
    "Part",
    "Reading",
    "State",
    "decode_raw",
    "object_of",
    "read_info",
    "read_message",
    "read_object",
    "read_part",
    "state_of",
    "text_of",
]

Damage = Literal["not_json", "not_object", "too_long", "unreadable"]
Flaw = Literal["", "invalid_utf8", "nul"]
_NOTHING = Raw(b"")
_EDGES = b" \t\r\n\x0b\x0c\x00"
_BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile("[\ud800-\udfff]")
_Found = TypeVar("_Found")


class Info(Struct):
    """A session's own record; its columns, where it is a row of a database."""

    id: Any = None
    parent: Any = field(name="parentID", default=None)
    version: Any = None
    directory: Any = None
    time: Raw = _NOTHING
    revert: Raw = _NOTHING
    permission: Raw = _NOTHING


class Message(Struct):
    """A message without its parts."""

    id: Any = None
    role: Any = None
    time: Raw = _NOTHING
    error: Raw = _NOTHING
    tokens: Raw = _NOTHING
    model_id: Any = field(name="modelID", default=None)
    model: Raw = _NOTHING
    path: Raw = _NOTHING
    summary: Any = None
    parent: Any = field(name="parentID", default=UNSET)
    cost: Any = UNSET
    finish: Any = UNSET


class Part(Struct):
    """A part of a message."""

    id: Any = None
    message: Any = field(name="messageID", default=None)
    type: Any = None
    text: Any = None
    synthetic: Any = UNSET
    ignored: Any = UNSET
    tool: Any = None
    call_id: Any = field(name="callID", default=None)
    state: Any = None
    """A ``State``, once it was asked for; an object of the record's before."""
    command: Any = None
    prompt: Any = None
    mime: Any = None
    tokens: Raw = _NOTHING


class State(Struct):
    """How far a tool call is."""

    status: Any = None
    input: Raw = _NOTHING
    output: Raw = _NOTHING
    error: Any = None
    metadata: Raw = _NOTHING


class Input(Struct):
    """What a tool was called with, as far as facts are made of it."""

    file_path: Any = field(name="filePath", default=None)
    go_path: Any = field(name="file_path", default=None)
    path: Any = None
    command: Any = None
    name: Any = None
    patch: Any = field(name="patchText", default=None)
    go_patch: Any = field(name="patch_text", default=None)


class _WirePart(Part):
    """A part as it is decoded: its state stays as it is written."""

    state: Raw = _NOTHING


class Reading(NamedTuple):
    """What some bytes hold."""

    found: Any
    """The ``Struct``, or the ``Damage``."""
    flaw: Flaw = ""
    """What had to be replaced to read it."""
    content: bytes = b""
    """The bytes, where nothing had to be replaced."""


_decode_info = msgspec.json.Decoder(Info).decode
_decode_message = msgspec.json.Decoder(Message).decode
_decode_part = msgspec.json.Decoder(_WirePart).decode
_decode_state = msgspec.json.Decoder(State).decode
_decode_object = msgspec.json.Decoder(dict[str, Any]).decode
_decode_text = msgspec.json.Decoder(str).decode


def read_info(content: bytes) -> Reading:
    """The session in some bytes."""
    return read_object(content, _decode_info)


def read_message(content: bytes) -> Reading:
    """The message in some bytes."""
    return read_object(content, _decode_message)


def read_part(content: bytes) -> Reading:
    """The part in some bytes."""
    return read_object(content, _decode_part)


def state_of(part: Part) -> State:
    """The state of a tool's part; an empty one where there is none."""
    state = part.state
    if isinstance(state, State):
        return state
    return (decode_raw(state, _decode_state) if isinstance(state, Raw) else None) or State()


def object_of(raw: Raw) -> dict[str, Any]:
    """The object a field holds; empty where it holds none."""
    return decode_raw(raw, _decode_object) or {}


def text_of(raw: Raw) -> str:
    """The text a field holds; '' where it holds none."""
    return decode_raw(raw, _decode_text) or ""


def decode_raw(raw: Raw, decode: Callable[[Raw], _Found]) -> _Found | None:
    """What a field holds, None where it is of another type or not there."""
    if raw is _NOTHING:
        return None
    try:
        return decode(raw)
    except (ValueError, RecursionError):
        return None


def read_object(content: bytes, decode: Callable[[bytes], Struct]) -> Reading:
    """What some bytes hold, decoded by `decode`."""
    try:
        if not content.isascii():
            content.decode()
        return Reading(decode(content), content=content)
    except (ValueError, RecursionError):
        return _mended(content, decode)


def _mended(content: bytes, decode: Callable[[bytes], Struct]) -> Reading:
    """The same of bytes that a strict decoder refuses: no UTF-8, half characters, control characters, odd numbers."""
    bare = content.strip(_EDGES)
    while bare.startswith(_BOM):
        bare = bare[len(_BOM) :].strip(_EDGES)
    flaw: Flaw = "nul" if b"\0" in bare else ""
    try:
        text = bare.decode()
    except UnicodeDecodeError:
        text, flaw = bare.decode(errors="replace"), "invalid_utf8"
    try:
        value = _LENIENT.decode(text)
        if not isinstance(value, dict):
            return Reading("not_object", flaw)
        whole = _SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False))
        return Reading(decode(whole.encode()), flaw)
    except (ValueError, RecursionError):
        return Reading("not_json", flaw)


def _finite(text: str) -> float | None:
    number = float(text)
    return number if abs(number) < float("inf") else None


_LENIENT = json.JSONDecoder(strict=False, parse_constant=lambda _name: None, parse_float=_finite)
