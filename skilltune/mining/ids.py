"""The ids of events and turns: hashes of what they are about, so that every reader of a session finds the same."""

import hashlib
import re
from pathlib import PurePosixPath

__all__ = ["event_id", "id_in_world", "is_unique", "turn_id"]

_UNIQUE_CHARS = 16
_COUNTED = re.compile(r"(?:\A|[.:_-])\d{1,6}\Z")
"""A number, or one behind a name: ``1``, ``call_1``, ``functions.exec:0``."""


def is_unique(call_id: str) -> bool:
    """Whether the id of a call stands for one in the world; others may be numbers in their session.

    Examples
    --------
    >>> is_unique("call_9fKc2hTq7LmWz4RbXn8Vd1Ys"), is_unique("call_1"), is_unique("functions.exec_command:0")
    (True, False, False)
    """
    return len(call_id) >= _UNIQUE_CHARS and not _COUNTED.search(call_id)


def id_in_world(uuid: str, *, call_id: str = "", at: int | None, session_id: str) -> str:
    """The id of a record, else of a call, such that no other session has the same; '' without either.

    A record's is trusted unless it is a plain number. What is not counts with the moment, which copies of a session
    agree on, and without one with the session.

    Examples
    --------
    >>> id_in_world("U1", at=1_700_000_000_000_000, session_id="S1")
    'U1'
    >>> id_in_world("", call_id="call_1", at=1_700_000_000_000_000, session_id="S1")
    'call_1:1700000000000000'
    """
    trusted = not _COUNTED.search(uuid) if uuid else is_unique(call_id)
    name = uuid or call_id
    return name if trusted or not name else f"{name}:{session_id if at is None else at}"


def event_id(invocation_uuid: str, skill_id: str) -> str:
    """First 16 hex digits of the SHA-256 of ``invocation_uuid:skill_id``.

    Examples
    --------
    >>> event_id("A1", "s1")
    '2115856688a70813'
    """
    return _digest(f"{invocation_uuid}:{skill_id}")


def turn_id(uuid: str, *, part: int, session_id: str, path: str, line: int) -> str:
    """First 16 hex digits of the SHA-256 of ``uuid:part``, or of ``session_id:file name:line:part`` without a uuid.

    Examples
    --------
    >>> turn_id("U1", part=0, session_id="S1", path="/logs/S1.jsonl", line=7)
    '6a4153e916a8caa2'
    """
    if uuid:
        return _digest(f"{uuid}:{part}")
    name = PurePosixPath(path.replace("\\", "/")).name
    return _digest(f"{session_id}:{name}:{line}:{part}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
