"""What can be exported, each as one table: events, uses, metrics of a window, hotspots."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

import pandas as pd

from skilltune.analysis.metrics import correction_rate, hotspot_dimensions
from skilltune.analysis.windows import as_timestamps, days_before, microseconds, window_of
from skilltune.limits import MIN_INVOCATIONS
from skilltune.stores.tables import FeedbackTables

__all__ = ["KEYS", "TABLES", "Choice", "Content"]

Content = Literal["events", "uses", "metrics", "hotspots"]
KEYS: Final[dict[Content, tuple[str, ...]]] = {
    "events": ("event_id",),
    "uses": ("event_id",),
    "metrics": ("skill_id", "as_of", "days"),
    "hotspots": ("skill_id", "dimension", "as_of", "days"),
}
"""Columns that name a row: of two rows that are alike in them, a file to which rows are added keeps the later one."""
METRICS: Final = (
    *("skill_id", "correction_rate", "sample_size", "low", "high", "interval_method", "sufficient_data"),
    *("corrections", "partials", "acceptances", "implicit_acceptances", "n_invocations", "coverage", "weak"),
)
"""Columns of metrics, besides window and rules: the same in every version, so that a file can grow for years."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which part of a log is exported."""

    as_of: datetime
    """Later events and uses do not exist."""
    skill_id: str | None = None
    days: int | None = None
    """Length of the window that ends at ``as_of``; None for all time."""
    min_invocations: int = MIN_INVOCATIONS
    implicit: bool = True

    @property
    def since(self) -> pd.Timestamp | None:
        """The first moment of the window, None for all time."""
        return None if self.days is None else as_timestamps([days_before(self.as_of, days=self.days)])[0]

    def holds(self, table: pd.DataFrame) -> pd.DataFrame:
        """The rows of `table` in the window and of the skill, by time."""
        inside = window_of(since=self.since, as_of=self.as_of).holds(microseconds(table["timestamp"]))
        rows = table[inside & self.of_skill(table)]
        return rows.sort_values(["timestamp", "event_id"], na_position="last", ignore_index=True)

    def of_skill(self, table: pd.DataFrame) -> "pd.Series[bool]":
        """True where a row is of the skill, or no skill is named."""
        if self.skill_id is None:
            return pd.Series(data=True, index=table.index)
        return table["skill_id"] == self.skill_id


def _events(tables: FeedbackTables, choice: Choice) -> pd.DataFrame:
    return choice.holds(tables.events)


def _uses(tables: FeedbackTables, choice: Choice) -> pd.DataFrame:
    return choice.holds(tables.invocations)


def _metrics(tables: FeedbackTables, choice: Choice) -> pd.DataFrame:
    """One row per skill: the window, the rate, n, its interval, and the rules that the verdicts come from."""
    rates = correction_rate(
        tables.events,
        by=("skill_id",),
        invocations=tables.invocations,
        as_of=choice.as_of,
        since=choice.since,
        min_invocations=choice.min_invocations,
        implicit=choice.implicit,
    )
    # a skill of which no use is in the window has nothing to say of it
    seen = choice.of_skill(rates) & (rates["n_invocations"] > 0)
    table = rates.loc[seen, list(METRICS)].reset_index(drop=True)
    rules = choice.holds(tables.events).groupby("skill_id")["ruleset"].agg(_each_once)
    table = table.assign(ruleset=table["skill_id"].map(rules).fillna("").astype("str"))
    return _with_window(table, choice)


def _hotspots(tables: FeedbackTables, choice: Choice) -> pd.DataFrame:
    """One row per skill and dimension with complaints."""
    counts = hotspot_dimensions(tables.events, by=("skill_id",), as_of=choice.as_of, since=choice.since)
    table = counts[choice.of_skill(counts) & (counts["complaints"] > 0)]
    table = table.astype({"dimension": "str"}).sort_values(
        ["complaints", "skill_id", "dimension"], ascending=[False, True, True], ignore_index=True
    )
    return _with_window(table, choice)


def _with_window(table: pd.DataFrame, choice: Choice) -> pd.DataFrame:
    days = pd.Series([choice.days] * len(table), dtype="Int64")
    since = pd.Series([choice.since] * len(table), dtype="datetime64[us, UTC]")
    as_of = pd.Series([pd.Timestamp(choice.as_of)] * len(table)).astype("datetime64[us, UTC]")
    table = table.copy()
    for place, (name, column) in enumerate((("as_of", as_of), ("since", since), ("days", days)), start=1):
        table.insert(place, name, column)
    return table


def _each_once(words: "pd.Series[str]") -> str:
    return ", ".join(sorted({str(word) for word in words.dropna() if word}))


TABLES: Final[dict[Content, Callable[[FeedbackTables, Choice], pd.DataFrame]]] = {
    "events": _events,
    "uses": _uses,
    "metrics": _metrics,
    "hotspots": _hotspots,
}
"""What can be exported, by name."""
