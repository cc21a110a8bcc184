"""Rows as other tools write them: compact JSON in UTF-8, one object a line, non-ASCII as it is."""

from collections.abc import Mapping
from typing import Any

from skilltune.stores.jsonl import dump_row

__all__ = ["dump_compact"]


def dump_compact(row: Mapping[str, Any]) -> bytes:
    """`row` as ``dump_row`` has it, but without spaces between items.

    Examples
    --------
    >>> dump_compact({"type": "rating", "score": 4}).decode()
    '{"type":"rating","score":4}'
    """
    return dump_row(row, separators=(",", ":"))
