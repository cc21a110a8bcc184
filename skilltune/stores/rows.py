"""Events and uses as rows of the feedback log, and back.

A row of ``feedback.jsonl`` has the 12 documented fields in their order, then ours; rows of other tools have only the
former, and may have fields nobody here knows, which are kept. A value that makes no sense in one of the 12 makes the
row unusable (``odd_<field>``); in one of ours, in the time or the dimension it counts as missing, and is reported all
the same.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, Literal, get_args, get_origin

from skilltune.frames import columns
from skilltune.limits import FIRST_YEAR, LAST_YEAR, MAX_TOKENS
from skilltune.records import COST_FIELDS, FeedbackEvent, Invocation
from skilltune.stores.jsonl import clean_text

__all__ = [
    "DOCUMENTED_FIELDS",
    "REQUIRED",
    "event_row",
    "largest",
    "plain_value",
    "read_event",
    "read_fields",
    "read_time",
    "read_use",
    "row_digest",
    "same_state",
    "same_verdict",
    "stand_ins",
    "use_row",
    "with_known",
]

Row = dict[str, Any]

DOCUMENTED_FIELDS: Final = tuple(field.name for field in fields(FeedbackEvent))[:12]
"""The fields that readers of the format know, in order."""
_DECISIVE: Final = frozenset(DOCUMENTED_FIELDS) - {"timestamp", "dimension_hint"}
"""Fields without which a row says nothing."""
_TEXT: Final = "user_message_snippet"
_LARGEST: Final = 10**6
"""A number above this is none of ours; far larger ones do not even fit into a table."""
_LARGEST_COST: Final = MAX_TOKENS
"""The same for tokens and seconds."""
_BESIDE: Final = frozenset({"agent_version", "base_directory", "loaded", "retried", "via", *COST_FIELDS})
"""What is told beside the verdict."""
_MAY_BE_UNTOLD: Final = _BESIDE | {"skill_digest"}
"""Fields that a log of an older skilltune lacks, and of which a run may know less than the one before."""
_SUBAGENTS: Final = "subagent_tokens"
_OWN_COST: Final = tuple(name for name in COST_FIELDS if name != _SUBAGENTS)
_VOLATILE: Final = frozenset({_TEXT, "installed", "path", "line"})
"""What may differ without the use having another state: text may be removed, files may move."""
_NO_STATE: Final = _VOLATILE | {"supersedes"}
_USE_FIELDS: Final = ("event_id", "timestamp", "session_id", "skill_id", "via", "reason", "turns_seen")
_USE_ROW: Final = (
    *_USE_FIELDS,
    *(field.name for field in fields(Invocation) if field.name not in _USE_FIELDS),
    "supersedes",
)


def event_row(event: FeedbackEvent, *, text: str = "", supersedes: str = "") -> Row:
    """The log's row for `event`, with `text` as its snippet."""
    row = {field.name: _clean(getattr(event, field.name)) for field in fields(FeedbackEvent)}
    return row | {
        "timestamp": _stamp(event.timestamp),
        _TEXT: text,
        "ai_tools_used": sorted({clean_text(tool) for tool in event.ai_tools_used}),
        "supersedes": supersedes,
    }


def use_row(use: Invocation, *, supersedes: str = "") -> Row:
    """The row of ``uses.jsonl`` for a use that gave no event, or for a failed call (``failed`` says why)."""
    row = {name: _clean(getattr(use, name, None)) for name in _USE_ROW}
    return row | {"timestamp": _stamp(use.timestamp), "supersedes": supersedes}


def row_digest(row: Mapping[str, Any]) -> str:
    """What ``supersedes`` names a row by: first 16 hex digits of the SHA-256 of its JSON.

    The JSON is UTF-8 with sorted keys, ``,`` and ``:`` without spaces, nothing escaped beyond need, and without
    ``user_message_snippet``, ``installed``, ``path`` and ``line``: these may change while the verdict stands.
    """
    kept = {name: value for name, value in row.items() if name not in _VOLATILE}
    text = json.dumps(kept, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def same_state(row: Row, other: Mapping[str, Any]) -> bool:
    """Whether `row`, as it would be written now, says what the log's row `other` says.

    A version, a folder or a cost that can no longer be told takes none back, and what a row of an older log does not
    know says nothing against it.
    """
    told = with_known(row, other)
    return all(_says_same(name, told[name], other.get(name)) for name in told.keys() - _NO_STATE)


def same_verdict(row: Row, other: Mapping[str, Any]) -> bool:
    """Whether the two differ at most in what is told beside the verdict: the skill's folder, the cost, a retry."""
    told = with_known(row, other)
    return all(_says_same(name, told[name], other.get(name)) for name in told.keys() - _NO_STATE - _BESIDE)


def with_known(row: Row, other: Mapping[str, Any]) -> Row:
    """`row` with what only the log's row `other` can still tell: the skill's version and folder, the cost.

    Where the use itself cost the same, fewer tokens of sub-agents mean that their files are gone.
    """
    untold = {name for name in _MAY_BE_UNTOLD & row.keys() if _says_nothing(row[name])}
    if all(row.get(name) == other.get(name) for name in _OWN_COST):
        untold.add(_SUBAGENTS)
    known = {name: value for name in untold if (value := _known(name, other.get(name))) is not None}
    more = known.get(_SUBAGENTS)
    if more is not None and more < (row.get(_SUBAGENTS) or 0):
        del known[_SUBAGENTS]
    return row | known


def read_event(row: Mapping[str, Any]) -> tuple[FeedbackEvent | None, list[str]]:
    """The event of a row, None where it can't be understood, and what was odd about it."""
    values, odd = read_fields(FeedbackEvent, row)
    if _DECISIVE & set(odd) or not _has_ids(values):
        return None, [f"odd_{name}" for name in odd] or ["odd_event_id"]
    return FeedbackEvent(**values), [f"odd_{name}" for name in odd]


def read_use(row: Mapping[str, Any]) -> tuple[Invocation | None, list[str]]:
    """The use of a row, None where it can't be understood, and what was odd about it."""
    values, odd = read_fields(Invocation, row)
    if any(name in odd for name in ("event_id", "session_id", "skill_id")) or not _has_ids(values):
        return None, [f"odd_{name}" for name in odd] or ["odd_event_id"]
    return Invocation(**values), [f"odd_{name}" for name in odd]


def read_fields(record: type, row: Mapping[str, Any]) -> tuple[Row, list[str]]:
    """Field → its value in a row, or what stands in for it; and the fields whose value makes no sense or lacks."""
    values, odd = {}, []
    for name, (read, default) in _readers(record).items():
        value = row.get(name)
        missing = value is None or (value == "" and default is None)
        values[name] = None if default is REQUIRED else default
        try:
            if not missing:
                values[name] = read(value)
            elif default is REQUIRED:
                odd.append(name)
        except (ValueError, OverflowError):
            odd.append(name)
    return values, odd


def plain_value(value: Any) -> Any:
    """A value of a record as JSON has it: clean text, times in UTC."""
    return _stamp(value) if isinstance(value, datetime) else _clean(value)


def stand_ins(record: type) -> dict[str, Any]:
    """Field → what stands in for a missing value; ``REQUIRED`` where a row must have one."""
    defaults = {field.name: field.default for field in fields(record)}
    return {
        name: _MAY_BE_NULL.get(name, REQUIRED) if default is MISSING else default for name, default in defaults.items()
    }


def largest(name: str, kind: type) -> int:
    """The largest number that a field may hold; the least is 0."""
    if name in COST_FIELDS:
        return _LARGEST_COST
    return 1 if kind is float else _LARGEST


def read_time(text: str) -> datetime:
    """An ISO 8601 time in UTC; one without a zone is UTC already.

    Raises
    ------
    ValueError, OverflowError
        When it is none, or in a year that no clock of today gives: weeks and zones around it have no calendar.
    """
    parsed = datetime.fromisoformat(text.strip())
    time = parsed if parsed.tzinfo is UTC else (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    if not FIRST_YEAR <= time.year <= LAST_YEAR:
        raise ValueError
    return time


def _says_same(name: str, one: Any, other: Any) -> bool:
    return bool(one == other) or (name in _MAY_BE_UNTOLD and _says_nothing(one) and _says_nothing(other))


def _says_nothing(value: Any) -> bool:
    return value is None or value is False or value == ""


def _known(name: str, value: Any) -> Any:
    """What the log's row says in a field, None where that is nothing or makes no sense."""
    read, _ = _readers(Invocation)[name]
    try:
        return None if _says_nothing(value) else read(value)
    except (ValueError, OverflowError):
        return None


def _clean(value: Any) -> Any:
    return clean_text(value) if isinstance(value, str) else value


def _has_ids(values: Mapping[str, Any]) -> bool:
    return bool(values["event_id"] and values["skill_id"])


REQUIRED: Final = object()
"""Stands for a field that a row must have."""
_MAY_BE_NULL: Final = {
    "timestamp": None,
    "correction_type": None,
    "dimension_hint": None,
    "via": None,
    _TEXT: "",
    "ai_tools_used": (),
    "invocation_uuid": "",
    "reason": "",
    "turns_seen": 0,
    **dict.fromkeys((*_OWN_COST, _SUBAGENTS, "started", "ended")),
    **dict.fromkeys(("tokens", "tokens_with_subagents", "unattributed_tokens", "unattributed_subagent_tokens")),
    **dict.fromkeys(("agent", "project", "model"), ""),
    **dict.fromkeys(("turns", "uses"), 0),
}


@cache
def _readers(record: type) -> dict[str, tuple[Callable[[Any], Any], Any]]:
    """Field → how its value is read, and what stands in for a missing one."""
    known = stand_ins(record)
    return {name: (_reader_of(name, kind), known[name]) for name, kind in columns(record).items()}


def _reader_of(name: str, kind: Any) -> Callable[[Any], Any]:
    if kind in (int, float):
        read = _whole if kind is int else float
        return lambda value: read(_number(value, most=largest(name, kind)))
    return _reader(kind)


def _reader(kind: Any) -> Callable[[Any], Any]:
    if get_origin(kind) is Literal:
        words = get_args(kind)
        return lambda value: _word(value, words)
    if get_origin(kind) is tuple:
        return _words
    return {str: _text, bool: _bool, datetime: _time}[kind]


def _word(value: Any, words: tuple[str, ...]) -> str:
    if value not in words:
        raise ValueError
    return str(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError  # noqa: TRY004 - one kind of error for all odd values
    return value


def _words(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError  # noqa: TRY004
    return tuple(_text(item) for item in value)


def _bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError  # noqa: TRY004
    return value


def _number(value: Any, *, most: int) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise ValueError
    return value


def _whole(value: float) -> int:
    if value != int(value):
        raise ValueError
    return int(value)


def _time(value: Any) -> datetime:
    return read_time(_text(value))


def _stamp(time: datetime | None) -> str | None:
    """`time` as ISO 8601 in UTC, with ``Z``."""
    if time is None:
        return None
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat().replace("+00:00", "Z")
