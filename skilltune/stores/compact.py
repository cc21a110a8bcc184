"""Rows as other tools write them: compact JSON in UTF-8, one object a line, non-ASCII as it is."""

import json
from collections.abc import Mapping
from typing import Any, Final

from skilltune.stores.jsonl import clean_text

__all__ = ["dump_compact"]

_LINE_ENDS_OF_OTHERS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""Characters at which some readers split lines; escaped, so that a line stays one line for everybody."""


def dump_compact(row: Mapping[str, Any]) -> bytes:
    """`row` as one line without newline; half surrogate pairs become U+FFFD.

    Examples
    --------
    >>> dump_compact({"type": "rating", "score": 4}).decode()
    '{"type":"rating","score":4}'
    """
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    return clean_text(text).translate(_LINE_ENDS_OF_OTHERS).encode("utf-8")
