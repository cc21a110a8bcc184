"""What a session cost as a row of ``sessions.jsonl``, and back."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from skilltune.records import SessionCost
from skilltune.stores.rows import plain_value, read_fields

__all__ = ["read_session", "session_row"]

_TOLD_BY_OTHERS: Final = frozenset(
    {"uses", "tokens", "tokens_with_subagents", "unattributed_tokens", "unattributed_subagent_tokens"}
)
"""Sums of other fields, and what the uses tell."""
_FIELDS: Final = tuple(field.name for field in fields(SessionCost) if field.name not in _TOLD_BY_OTHERS)
_TOKENS: Final = ("tokens_input", "tokens_output", "tokens_cache_read", "tokens_cache_write")


def session_row(session: SessionCost) -> dict[str, Any]:
    """The row of ``sessions.jsonl`` for a session."""
    return {name: plain_value(getattr(session, name)) for name in _FIELDS}


def read_session(row: Mapping[str, Any]) -> tuple[SessionCost | None, list[str]]:
    """The session of a row, None where it can't be understood, and what was odd about it.

    No use is charged yet: all of its tokens are unattributed.
    """
    values, odd = read_fields(SessionCost, {name: row.get(name) for name in _FIELDS})
    told = [f"odd_{name}" for name in odd]
    if not values["session_id"]:
        return None, told or ["odd_session_id"]
    known = [values[name] for name in _TOKENS if values[name] is not None]
    own, below = sum(known) if known else None, values["subagent_tokens"]
    sums = {
        "tokens": own,
        "tokens_with_subagents": None if own is None and below is None else (own or 0) + (below or 0),
        "unattributed_tokens": own,
        "unattributed_subagent_tokens": below,
    }
    return SessionCost(**values | sums), told
