"""What an agent gives to a hook on standard input."""

from collections.abc import Sequence
from typing import Any, BinaryIO, Final

import msgspec
from msgspec import Struct

from skilltune.errors import InputError
from skilltune.limits import HOOK_PAYLOAD_BYTES

__all__ = ["Payload", "payload_text", "read_payload"]


class Payload(Struct, frozen=True):
    """The fields of a payload that a hook uses; every one may be missing, or of another kind."""

    session_id: Any = None
    transcript_path: Any = None
    cwd: Any = None
    hook_event_name: Any = None
    prompt: Any = None
    user_prompt: Any = None
    tool_name: Any = None
    tool_input: Any = None
    tool_response: Any = None
    error: Any = None
    is_interrupt: Any = None
    agent_id: Any = None
    """Named where a sub-agent did it."""


_DECODER: Final = msgspec.json.Decoder(Payload)


def read_payload(stream: BinaryIO) -> Payload:
    """The payload that stands in `stream`.

    Raises
    ------
    InputError
        When it is no JSON object, or larger than ``HOOK_PAYLOAD_BYTES``.
    """
    content = stream.read(HOOK_PAYLOAD_BYTES + 1)
    if len(content) > HOOK_PAYLOAD_BYTES:
        raise InputError(f"the payload is larger than {HOOK_PAYLOAD_BYTES:,} bytes")
    try:
        return _DECODER.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # The decoder's own words say where and why, and quote nothing of the payload.
        raise InputError(f"the payload is no JSON object ({len(content):,} bytes: {error})") from error


def payload_text(payload: Payload, names: Sequence[str]) -> str:
    """The first of the fields `names` that is a text and not empty, or ''."""
    values = (getattr(payload, name) for name in names)
    return next((value for value in values if isinstance(value, str) and value.strip()), "")
