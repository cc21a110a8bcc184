"""The id of an event: a hash of what it is about, so that every reader of a session finds the same one."""

import hashlib

__all__ = ["event_id"]


def event_id(invocation_uuid: str, skill_id: str) -> str:
    """First 16 hex digits of the SHA-256 of ``invocation_uuid:skill_id``.

    Examples
    --------
    >>> event_id("A1", "s1")
    '2115856688a70813'
    """
    text = f"{invocation_uuid}:{skill_id}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
