"""Exports: one JSON document with a session's own record, its messages and their parts."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct

from skilltune import limits
from skilltune.facts import FileFacts
from skilltune.sources.base import naming, readable
from skilltune.sources.lines import open_file
from skilltune.sources.opencode.reader import FileReader
from skilltune.sources.opencode.records import (
    Part,
    Reading,
    decode_raw,
    read_info,
    read_message,
    read_object,
    read_part,
)
from skilltune.sources.opencode.session import StoredMessage, head_of, in_order

__all__ = ["is_export", "read_export"]

_FIRST_BYTES = 64 * 1024
_BEGINNING = re.compile(rb'\s*\{\s*"info"\s*:\s*\{')
"""How a document begins that is too long to be looked through: it is counted as that."""
_NOTHING = Raw(b"")


class _Document(Struct):
    info: Raw = _NOTHING
    messages: Raw = _NOTHING


class _Entry(Struct):
    """A message of a document: its own record and its parts."""

    info: Raw = _NOTHING
    parts: Raw = _NOTHING


class _Known(Struct):
    """What an export's record of a session has, whatever else."""

    id: str
    time: dict[str, Any]


_decode_document = msgspec.json.Decoder(_Document).decode
_decode_list = msgspec.json.Decoder(list[Raw]).decode
_decode_entry = msgspec.json.Decoder(_Entry).decode
_decode_known = msgspec.json.Decoder(_Known).decode


def is_export(path: Path) -> bool:
    """Whether the file is one document with a session's record and a list of messages."""
    try:
        with open_file(path) as file:
            first = file.read(_FIRST_BYTES)
            if not first.lstrip(b" \t\r\n\xef\xbb\xbf").startswith(b"{") or b'"info"' not in first:
                return False
            if os.fstat(file.fileno()).st_size > limits.LINE_BYTES:
                return _BEGINNING.match(first) is not None
            content = first + file.read(limits.LINE_BYTES)
    except OSError:
        return False
    document = read_object(content, _decode_document).found
    return (
        isinstance(document, _Document)
        and decode_raw(document.info, _decode_known) is not None
        and decode_raw(document.messages, _decode_list) is not None
    )


def read_export(path: Path, *, strict: bool = False) -> FileFacts:
    """Facts of the session in an export.

    Raises
    ------
    ReadError
        The file cannot be read.
    RecordError
        With `strict`, the document, a message or a part is damaged.
    """
    reader = FileReader(path, strict=strict)
    content = _read(path)
    if not content.strip():
        return reader.facts(size=len(content))
    too_long = len(content) > limits.LINE_BYTES
    reading = Reading("too_long") if too_long else read_object(content, _decode_document)
    if not reader.taken(reading, number=1):
        return reader.facts(size=path.stat().st_size)
    document = reading.found
    messages = decode_raw(document.messages, _decode_list)
    info = read_info(bytes(document.info)) if messages is not None else Reading("not_object")
    if messages is None or isinstance(info.found, str):
        reader.counts["not_a_session"] += 1
        return reader.facts(size=len(content), skipped="not_a_session")
    reader.look(info)
    reader.read_session(head_of(info.found, session_id=readable(path.stem)), _messages(reader, messages))
    return reader.facts(size=len(content))


def _read(path: Path) -> bytes:
    """The bytes of a file, at most one more than the limit."""
    with naming(path), open_file(path) as file:
        return file.read(limits.LINE_BYTES + 1)


def _messages(reader: FileReader, entries: list[Raw]) -> Iterator[StoredMessage]:
    found = []
    for number, raw in enumerate(entries, 1):
        entry = decode_raw(raw, _decode_entry)
        reading = Reading("not_object") if entry is None else read_message(bytes(entry.info or raw))
        if reader.taken(reading, number=number) and entry is not None:
            found.append((reading.found, None, list(_parts(reader, entry, number=number))))
    for message, at, parts in in_order(found):
        yield StoredMessage(message, parts, at)


def _parts(reader: FileReader, entry: _Entry, *, number: int) -> Iterator[Part]:
    for raw in decode_raw(entry.parts, _decode_list) or []:
        reading = read_part(bytes(raw))
        if reader.taken(reading, number=number):
            yield reading.found
