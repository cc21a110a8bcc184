"""The ids of events and turns: hashes of what they are about, so that every reader of a session finds the same."""

import hashlib
from pathlib import PurePosixPath

__all__ = ["event_id", "turn_id"]


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
