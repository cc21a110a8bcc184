"""Odd values as the ones that facts hold: moments, counts, words."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from skilltune.sources.session import Usage

__all__ = ["as_count", "as_moment", "as_text", "as_usage"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS: Final = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))
"""Below which size a stamp is in seconds, milliseconds, microseconds, nanoseconds: parts of a second in one."""
_MOST = 2**53
_ISO_CHARS = 40


def as_moment(value: Any) -> datetime | None:
    """The moment a stamp names: a number in any unit, told by its size, or an ISO date and time.

    What is missing, zero or no stamp is None, never 1970. Without a time zone it is UTC.
    """
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < _UNITS[-1][0]:
        return None
    parts = next(parts for limit, parts in _UNITS if value < limit)
    return _EPOCH + timedelta(seconds=value / parts)


def _of_text(text: str) -> datetime | None:
    if len(text) > _ISO_CHARS:
        return None
    try:
        if text.isascii() and text.isdigit():
            return as_moment(int(text))
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def as_text(value: Any) -> str:
    """The text, '' for anything else."""
    return value if isinstance(value, str) else ""


def as_count(value: Any) -> int:
    """The count, 0 for what is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= _MOST:
        return 0
    return int(value)


def as_usage(tokens: Mapping[str, Any]) -> Usage | None:
    """The tokens of an API message, None where it names none; what was thought counts as written."""
    cache = tokens.get("cache")
    cache = cache if isinstance(cache, dict) else {}
    usage = Usage(
        input_tokens=as_count(tokens.get("input")),
        output_tokens=min(as_count(tokens.get("output")) + as_count(tokens.get("reasoning")), _MOST),
        cache_read_input_tokens=as_count(cache.get("read")),
        cache_creation_input_tokens=as_count(cache.get("write")),
    )
    spent = usage.input_tokens or usage.output_tokens
    return usage if spent or usage.cache_read_input_tokens or usage.cache_creation_input_tokens else None
