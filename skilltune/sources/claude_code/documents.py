"""Transcripts that are one JSON document instead of lines: what is exported or fetched holds its records so.

A list of records, ``{"loglines": […]}`` around one, or a single record over several lines. Each record is given as a
line of its own; what is no whole document, or too large for one, is given by its lines.
"""

import os
import re
from collections.abc import Iterator
from typing import BinaryIO, Final

import msgspec
from msgspec import Raw, Struct

from skilltune import limits
from skilltune.sources.lines import iterate_lines

__all__ = ["HEAD_BYTES", "is_document", "iterate_records", "may_be_transcript"]

HEAD_BYTES: Final = 4096
_DOCUMENT: Final = re.compile(rb'\A(?:\xef\xbb\xbf)?\s*(?:\[\s*\{|\{\s*"loglines"\s*:|\{[ \t]*\r?\n)').match
"""A transcript's first line holds a whole record, which begins with ``{`` and goes on in the same line."""
_OURS: Final = (b'"loglines"', b'"sessionId"', b'"parentUuid"', b'"isSidechain"', b'"message":', b'"message" :')


class _Wrapped(Struct, gc=False):
    loglines: list[Raw] | None = None


_decode: Final = msgspec.json.Decoder(list[Raw] | _Wrapped).decode


def iterate_records(file: BinaryIO) -> Iterator[bytes | None]:
    """Each record of a transcript as a line; None for what is longer than ``limits.LINE_BYTES``."""
    head = file.read(HEAD_BYTES)
    file.seek(0)
    if _DOCUMENT(head) and os.fstat(file.fileno()).st_size <= limits.LINE_BYTES:
        whole = file.read()
        records = _records(whole)
        if records is not None:
            return (bytes(record) + b"\n" for record in records)
        file.seek(0)
    return iterate_lines(file)


def is_document(head: bytes) -> bool:
    """Whether a file that begins so is read as one document if it is whole."""
    return _DOCUMENT(head) is not None


def may_be_transcript(head: bytes) -> bool:
    """Whether a JSON document that begins with `head` may hold records of this agent."""
    return _DOCUMENT(head) is not None and any(mark in head for mark in _OURS)


def _records(whole: bytes) -> list[Raw] | list[bytes] | None:
    """The records of a document, None where it is none."""
    try:
        value = _decode(whole.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if isinstance(value, list):
        return value
    return [whole] if value.loglines is None else value.loglines
