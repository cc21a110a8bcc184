"""A metric's table as a person reads it: rates as percent, intervals in one cell, weeks by name, nothing cut off."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from textwrap import wrap
from typing import Any, Final
from zoneinfo import ZoneInfo

import pandas as pd
from markupsafe import Markup

from skilltune.limits import MIN_INVOCATIONS
from skilltune.page.html import visible
from skilltune.page.words import count_of, interval, percent, points, points_interval
from skilltune.reports.readable_columns import by_outcome, few_words, head_of, left_out, words_for
from skilltune.stores.names import mask_name

__all__ = ["ROWS", "ReadableTable", "readable"]

ROWS: Final = 100
"""Rows that are shown unless told otherwise; the frame that the table is made from has them all."""
NOTHING: Final = "No row."
_STYLE: Final = "<style>.st-readable th, .st-readable td {white-space: nowrap}</style>"
"""A sentence among the columns would else make its row as high as a page."""
_CHARS: Final = 110
_SENTENCE, _FOLD = 61, 44
"""A cell with more characters than the first is folded into lines of the second."""
_NONE: Final = "–"
_RATES: Final = ("rate", "share", "coverage")
"""How the names of columns from 0 to 1 end or, before the name of a window, begin."""
_DIFFERENCES: Final = frozenset({"trend", "difference"})
_BOUNDS: Final = "low", "high"
_BEHIND: Final = tuple(
    (head_of(one), head_of(other))
    for one, other in (
        ("interval", "difference"),
        ("interval", "trend"),
        ("interval", "rate"),
        ("interval", "correction_rate"),
        ("trend_interval", "trend"),
        ("before_interval", "rate_before"),
        ("after_interval", "rate_after"),
    )
)
"""Intervals, and what they are of; of several, the last that is there."""


@dataclass(frozen=True, slots=True)
class ReadableTable:
    """A table of texts, shown as a whole in a notebook; `more` rows are left out."""

    cells: pd.DataFrame
    more: int = 0
    all_rows: int = 0

    def __repr__(self) -> str:
        if not len(self.cells):
            return NOTHING
        told = self.cells.to_string(index=False, line_width=_CHARS)
        return f"{told}\n{self._rest}" if self.more else told

    def _repr_html_(self) -> str:
        if not len(self.cells):
            return f"<p>{NOTHING}</p>"
        cells = self.cells.map(_folded).rename(columns=lambda name: str(_folded(visible(name))))
        with pd.option_context("display.max_colwidth", None):
            told = cells.to_html(index=False, escape=False, border=0, na_rep=_NONE)
        rest = f"<p>{self._rest}</p>" if self.more else ""
        return f'<div class="st-readable">{_STYLE}{told}{rest}</div>'

    @property
    def _rest(self) -> str:
        return f"{count_of(self.more, 'more row')}; with rows={self.all_rows} all are shown."


def readable(
    table: pd.DataFrame, *, time_zone: str = "UTC", min_invocations: int = MIN_INVOCATIONS, rows: int = ROWS
) -> ReadableTable:
    """`table`, whatever metric it is of, for a person's eyes.

    Parameters
    ----------
    table
        From a metric.
    time_zone
        Whose weeks they are.
    min_invocations
        A rate of fewer judged uses is told in words.
    rows
        How many are shown; of more it is said how many there are.

    Returns
    -------
    ReadableTable
        Rates and shares as percent, differences of rates in points, the two ends of an interval in one column, weeks by
        their names, times to the minute (UTC), verdicts and too few data in words, outcomes side by side. Names as they
        are but for secrets, which are masked, and hidden characters, which are written out. Columns without any value,
        and those that only a calculation needs, are left out; the table itself has them.

    Examples
    --------
    >>> import pandas as pd
    >>> readable(pd.DataFrame({"skill_id": ["a"], "correction_rate": [0.4], "low": [0.22], "high": [0.61]}))
    skill correction rate 95% interval
        a             40%       22–61%
    """
    whole = by_outcome(table)
    shown, texts = whole.head(rows), dict[str, list[str]]()
    unseen = left_out(shown)
    for name, cells in _columns(shown, zone=ZoneInfo(time_zone)):
        if name not in unseen and (not len(shown) or set(cells) != {""}):
            few = few_words(shown, name, needed=min_invocations)
            texts[_free(head_of(name), texts)] = [words or cell for words, cell in zip(few, cells, strict=True)]
    told = pd.DataFrame(_in_order(texts)).replace("", _NONE)
    return ReadableTable(told, more=len(whole) - len(shown), all_rows=len(whole))


def _in_order(texts: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """An interval stands behind what it is the interval of, reasons in the end."""
    names = sorted(texts, key=head_of("reason").__eq__)
    for interval_head, head in _BEHIND:
        if interval_head in names and head in names:
            names.remove(interval_head)
            names.insert(names.index(head) + 1, interval_head)
    return {name: texts[name] for name in names}


def _columns(rows: pd.DataFrame, *, zone: ZoneInfo) -> Iterator[tuple[str, list[str]]]:
    """Each column's name and texts; the two ends of an interval are one column."""
    for name in map(str, rows.columns):
        if name.endswith(_BOUNDS[1]) and _low_of(name) in rows.columns:
            continue
        if name.endswith(_BOUNDS[0]) and _high_of(name) in rows.columns:
            bounds = zip(rows[name], rows[_high_of(name)], strict=True)
            told = points_interval if _is_difference(name, list(rows.columns)) else interval
            yield f"{name.removesuffix(_BOUNDS[0])}interval", [_span(low, high, told) for low, high in bounds]
        else:
            words = words_for(rows, name)
            yield name, [_text(name, value, zone) for value in (rows[name] if words is None else words)]


def _free(head: str, taken: Collection[str]) -> str:
    """`head`, or with a number where another column is called so."""
    return head if head not in taken else f"{head} ({sum(each.startswith(head) for each in taken) + 1})"


def _folded(text: str) -> Markup:
    """`text` escaped; a sentence that is longer than a line is on several."""
    lines = wrap(text, _FOLD, break_long_words=False, break_on_hyphens=False) if len(text) > _SENTENCE else [text]
    return Markup("<br>").join(lines)


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
