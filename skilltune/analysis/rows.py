"""Shapes that metric tables share: the order of their rows, and one row as plain Python values."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["as_records", "as_row", "with_skills", "worst_first"]


def worst_first(table: pd.DataFrame, *, rate: str, names: Sequence[str]) -> pd.DataFrame:
    """Rows by falling rate, missing ones last, then by name."""
    ascending = [False] + [True] * len(names)
    return table.sort_values([rate, *names], ascending=ascending, na_position="last", ignore_index=True)


def with_skills(table: pd.DataFrame, skills: Sequence[str], **fill: Any) -> pd.DataFrame:
    """The rows of `skills`, in that order; one that is not there has counts of 0, flags False, and `fill`."""
    absent = [skill for skill in skills if skill not in set(table["skill_id"])]
    empty: dict[str, Any] = {name: False for name in table.columns if table[name].dtype in ("int64", "bool")}
    rows = pd.DataFrame([{**empty, **fill, "skill_id": skill} for skill in absent], columns=table.columns)
    both = pd.concat([table, rows.astype(table.dtypes.to_dict())]) if absent else table
    return both.set_index("skill_id", drop=False).loc[list(skills)].reset_index(drop=True)


def as_row(table: pd.DataFrame) -> "pd.Series[Any]":
    """The only row of `table` as plain Python values, missing ones None."""
    return pd.Series(as_records(table)[0], dtype="object")


def as_records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Each row as a dictionary of plain Python values, missing ones None, times as ISO 8601 text: ready for JSON."""
    return [{str(name): _plain(value) for name, value in row.items()} for row in table.to_dict(orient="records")]


def _plain(value: Any) -> Any:
    if isinstance(value, dict | list | tuple):
        return value
    if pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.isoformat()
    return value.item() if isinstance(value, np.generic) else value
