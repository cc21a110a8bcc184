"""The rows of a frame as plain dictionaries, for the parts that put them into words."""

from typing import Any

import pandas as pd

__all__ = ["Row", "first_row", "rows_of"]

Row = dict[str, Any]


def rows_of(frame: pd.DataFrame) -> list[Row]:
    """One dictionary a row, in order."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def first_row(frame: pd.DataFrame) -> Row | None:
    """The first row, or None where there is none."""
    return next(iter(rows_of(frame.head(1))), None)
