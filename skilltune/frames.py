"""Record types as tables: columns, dtypes and vocabularies are derived from the records, once.

str fields become ``str`` columns, datetimes ``datetime64[us, UTC]``, Literals categories, ``| None`` missing values,
bools ``bool``, ints ``int64``, floats ``float64``, tuples plain objects.
"""

import types
import typing
from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from skilltune.errors import FrameError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["check_frame", "columns", "empty_frame", "to_frame"]


@cache
def columns(record: type) -> dict[str, Any]:
    """Column name → type of a record class, in order; ``X | None`` counts as X."""
    return {name: _bare(hint) for name, hint in _hints(record).items()}


def empty_frame(record: type) -> "pd.DataFrame":
    """A frame without rows that has the record's columns and dtypes."""
    return to_frame([], record)


def to_frame(records: Iterable[Any], record: type) -> "pd.DataFrame":
    """One row per record, in the order given, with the record's columns and dtypes."""
    import pandas as pd

    rows = list(records)
    return pd.DataFrame(
        {name: _column([getattr(row, name) for row in rows], hint) for name, hint in _hints(record).items()}
    )


def check_frame(frame: "pd.DataFrame", record: type, *, needs: Sequence[str]) -> None:
    """Raise ``FrameError`` unless `frame` is one that has the columns `needs` of `record` with known words in them.

    Extra columns and any row order are welcome.
    """
    if not hasattr(frame, "columns"):
        raise FrameError(
            f"a {type(frame).__name__} is no table of {record.__name__}; give a pandas DataFrame, as "
            "skilltune.read_events or mine makes it"
        )
    known = columns(record)
    missing = [name for name in needs if name not in frame.columns]
    if missing:
        raise FrameError(
            f"the table lacks the column {missing[0]!r} of {record.__name__}; "
            f"it has {', '.join(map(str, frame.columns)) or 'none'}; make it with skilltune.read_events or mine"
        )
    for name in needs:
        if typing.get_origin(known[name]) is Literal:
            _check_words(frame, name, typing.get_args(known[name]))


def _check_words(frame: "pd.DataFrame", name: str, allowed: tuple[str, ...]) -> None:
    import pandas as pd

    column = frame[name]
    if isinstance(column.dtype, pd.CategoricalDtype) and set(column.cat.categories) <= set(allowed):
        return
    odd = [word for word in column.dropna().unique().tolist() if word not in allowed]
    if odd:
        raise FrameError(f"column {name!r} holds {odd[0]!r}; known words are {', '.join(allowed)}")


@cache
def _hints(record: type) -> dict[str, Any]:
    hints = typing.get_type_hints(record)
    return {field.name: hints[field.name] for field in fields(record)}


def _bare(hint: Any) -> Any:
    """`hint` without ``| None``."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        (hint,) = [arg for arg in typing.get_args(hint) if arg is not type(None)]
    return hint


def _column(values: list[Any], hint: Any) -> "pd.Series[Any]":
    import pandas as pd

    kind = _bare(hint)
    if typing.get_origin(kind) is Literal:
        allowed = typing.get_args(kind)
        odd = [value for value in values if value is not None and value not in allowed]
        if odd:
            raise FrameError(f"{odd[0]!r} is not one of {', '.join(allowed)}")
        return pd.Series(pd.Categorical(values, categories=list(allowed)))
    if kind is datetime:
        return pd.to_datetime(pd.Series(values, dtype="object"), utc=True).astype("datetime64[us, UTC]")
    return pd.Series(values, dtype=_dtype(kind, optional=kind is not hint))


def _dtype(kind: Any, *, optional: bool) -> str:
    if optional and kind in (bool, int):
        return "boolean" if kind is bool else "Int64"
    return {str: "str", bool: "bool", int: "int64", float: "float64"}.get(kind, "object")
