"""The one place where an export loses what it must not hold: secrets always, texts and names where that is asked."""

import hashlib
import re
from collections.abc import Callable
from typing import Any, Final

import pandas as pd

from skilltune.labelling.cells import shown
from skilltune.stores.jsonl import clean_text
from skilltune.stores.names import mask_name

__all__ = ["OPEN_COLUMNS", "TEXT_COLUMNS", "redacted"]

TEXT_COLUMNS: Final = ("user_message_snippet",)
"""What a person said."""
_OPEN: Final = """
    acceptances agent agent_version ai_tools_used as_of attribution channel complaints confidence
    correction_rate correction_type corrections coverage days dimension dimension_hint event_id failed high
    idle_seconds implicit_acceptances installed interrupted interval_method language loaded low model
    n_invocations outcome p_acceptance p_negative partials reason retried rewound rule ruleset sample_size
    self_reverted sessions share since skill_digest skill_id subagent_tokens sufficient_data supersedes
    timestamp tokens_cache_read tokens_cache_write tokens_input tokens_output turns_seen turns_to_feedback via
    wall_seconds weak weak_complaints
"""
OPEN_COLUMNS: Final = frozenset(_OPEN.split())
"""What names no person, project, place or session: with privacy only these stay, so that a new column stays out."""
_ID: Final = re.compile("[0-9a-f]{16}")
_IDS: Final = frozenset({"agent_version", "event_id", "invocation_uuid", "model", "session_id", "skill_id"})
"""Names that agents make up: they look as random as secrets do."""


def redacted(table: pd.DataFrame, *, privacy: bool = False, snippets: bool = True) -> pd.DataFrame:
    """`table` with secrets and addresses masked and hidden characters written out, whatever log it comes from.

    Parameters
    ----------
    privacy
        Leave out all columns that may name a person, project, place or session, and what people said.
    snippets
        False leaves out what people said.
    """
    out = set() if snippets and not privacy else set(TEXT_COLUMNS)
    if privacy:
        out |= set(map(str, table.columns)) - OPEN_COLUMNS
    kept = table[[name for name in table.columns if name not in out]]
    if privacy and "event_id" in kept.columns:
        kept = kept.assign(event_id=kept["event_id"].map(_own_id))
    return kept.assign(
        **{str(name): _masked(kept[name], name=str(name)) for name in kept.columns if _has_text(kept[name])}
    )


def _own_id(event_id: str) -> str:
    """An id that says nothing: those of other tools may hold a session's name, and become a hash."""
    if _ID.fullmatch(event_id):
        return event_id
    return hashlib.sha256(event_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _has_text(column: "pd.Series[Any]") -> bool:
    """Whether there are texts in it, in whatever way pandas keeps them; those of categories are looked at, too."""
    kind = column.dtype
    if isinstance(kind, pd.CategoricalDtype):
        kind = kind.categories.dtype
    return bool(pd.api.types.is_string_dtype(kind) or kind == "object")


def _masked(column: "pd.Series[Any]", *, name: str) -> "pd.Series[Any]":
    """The column with each of its different texts masked once; a list becomes a tuple of masked texts."""
    mask = _name_shown if name in _IDS else shown
    known: dict[str, str] = {}
    values = [_value(value, mask=mask, known=known) for value in column]
    return pd.Series(values, index=column.index, dtype="object")


def _value(value: Any, *, mask: Callable[[str], str], known: dict[str, str]) -> Any:
    if isinstance(value, list | tuple | set | frozenset):
        return tuple(_value(each, mask=mask, known=known) for each in value)
    if not isinstance(value, str):
        return value
    if value not in known:
        known[value] = mask(value)
    return known[value]


def _name_shown(name: str) -> str:
    masked = mask_name(clean_text(name))
    return masked if masked.isprintable() else shown(masked)
