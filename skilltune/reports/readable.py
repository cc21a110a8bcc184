"""A metric's table as a person reads it: rates as percent, intervals in one cell, weeks by name, nothing cut off."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import pandas as pd

from skilltune.page.html import visible
from skilltune.page.words import interval, percent, points, points_interval
from skilltune.stores.names import mask_name

__all__ = ["ReadableTable", "readable"]

ROWS: Final = 100
"""Rows that are shown; the frame that the table is made from has them all."""
NOTHING: Final = "No row."
_STYLE: Final = "<style>.st-readable th, .st-readable td {white-space: nowrap}</style>"
"""A sentence among the columns would else make its row as high as a page."""
_CHARS: Final = 110
_NONE: Final = "–"
_RATES: Final = ("rate", "share", "coverage")
"""How the names of columns from 0 to 1 end or, before the name of a window, begin."""
_DIFFERENCES: Final = frozenset({"trend", "difference"})
_BOUNDS: Final = "low", "high"


@dataclass(frozen=True, slots=True)
class ReadableTable:
    """A table of texts, shown as a whole in a notebook; `more` rows are left out."""

    cells: pd.DataFrame
    more: int = 0

    def __repr__(self) -> str:
        if not len(self.cells):
            return NOTHING
        told = self.cells.to_string(index=False, line_width=_CHARS)
        return f"{told}\n{self._rest}" if self.more else told

    def _repr_html_(self) -> str:
        if not len(self.cells):
            return f"<p>{NOTHING}</p>"
        with pd.option_context("display.max_colwidth", None):
            told = self.cells.to_html(index=False, escape=True, border=0, na_rep=_NONE)
        rest = f"<p>{self._rest}</p>" if self.more else ""
        return f'<div class="st-readable">{_STYLE}{told}{rest}</div>'

    @property
    def _rest(self) -> str:
        return f"{self.more:,} more row{'' if self.more == 1 else 's'}."


def readable(table: pd.DataFrame, *, time_zone: str = "UTC") -> ReadableTable:
    """`table`, whatever metric it is of, for a person's eyes.

    Parameters
    ----------
    table
        From a metric.
    time_zone
        Whose weeks they are.

    Returns
    -------
    ReadableTable
        The first 100 rows. Rates and shares as percent, differences of rates in points, the two ends of an interval in
        one column, weeks by their names, times to the minute (UTC). Names as they are but for secrets, which are
        masked, and hidden characters, which are written out. Columns without any value are left out.

    Examples
    --------
    >>> import pandas as pd
    >>> readable(pd.DataFrame({"skill_id": ["a"], "correction_rate": [0.4], "low": [0.22], "high": [0.61]}))
    skill_id correction_rate interval
           a             40%   22–61%
    """
    rows, zone = table.head(ROWS), ZoneInfo(time_zone)
    texts: dict[str, list[str]] = {}
    for name in map(str, rows.columns):
        if name.endswith(_BOUNDS[1]) and _low_of(name) in rows.columns:
            continue
        if name.endswith(_BOUNDS[0]) and _high_of(name) in rows.columns:
            bounds = zip(rows[name], rows[_high_of(name)], strict=True)
            told = points_interval if _is_difference(name, list(rows.columns)) else interval
            texts[f"{name.removesuffix(_BOUNDS[0])}interval"] = [_span(low, high, told) for low, high in bounds]
        else:
            texts[name] = [_text(name, value, zone) for value in rows[name]]
    cells = pd.DataFrame({name: told for name, told in texts.items() if not len(rows) or set(told) != {""}})
    return ReadableTable(cells.replace("", _NONE), more=len(table) - len(rows))


def _low_of(high: str) -> str:
    return high.removesuffix(_BOUNDS[1]) + _BOUNDS[0]


def _high_of(low: str) -> str:
    return low.removesuffix(_BOUNDS[0]) + _BOUNDS[1]


def _is_difference(low: str, columns: list[str]) -> bool:
    """Whether an interval is that of a difference: of a trend, or of the rate after a change less that before it."""
    trend = "trend_low" if "trend_low" in columns else "low"
    return low == trend and any(name in columns for name in _DIFFERENCES)


def _span(low: Any, high: Any, told: Callable[[float, float], str]) -> str:
    return "" if pd.isna(low) or pd.isna(high) else told(float(low), float(high))


def _text(name: str, value: Any, zone: ZoneInfo) -> str:
    if isinstance(value, str):
        return visible(mask_name(value))
    if isinstance(value, list | tuple):
        return ", ".join(_text(name, each, zone) for each in value)
    if value is None or pd.isna(value):
        return ""
    if isinstance(value, datetime):
        return _moment(name, value, zone)
    if pd.api.types.is_bool(value):
        return "yes" if value else "no"
    return _number(name, float(value)) if isinstance(value, float) else f"{value:,}"


def _moment(name: str, value: datetime, zone: ZoneInfo) -> str:
    if name in ("week", "first", "last"):
        year, week, _ = value.astimezone(zone).isocalendar()
        return f"{year}-W{week:02}"
    return f"{value:%Y-%m-%d %H:%M}"


def _number(name: str, value: float) -> str:
    if name in _DIFFERENCES:
        return points(value)
    if name.endswith(_RATES) or name.startswith("rate_"):
        return percent(value)
    return f"{value:,.0f}" if value.is_integer() or abs(value) >= 100 else f"{value:,.3g}"
