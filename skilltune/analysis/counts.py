"""Rows of events to counts per group: integers only, whatever the order of the rows.

Columns are turned into small integer codes once (categoricals have them already) and counted with ``bincount``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_origin

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.arguments import check_arguments
from skilltune.analysis.intervals import Counts
from skilltune.analysis.weeks import week_starts
from skilltune.analysis.windows import MISSING, Window, as_timestamps, microseconds
from skilltune.errors import FrameError
from skilltune.frames import check_frame, columns
from skilltune.limits import CONFIDENCE
from skilltune.records import EventOutcome, FeedbackEvent

__all__ = [
    "ALL_TIME",
    "OUTCOMES",
    "Groups",
    "Judged",
    "codes_of",
    "count_kinds",
    "group_rows",
    "judged_events",
    "outcome_counts",
]

OUTCOMES: Final = get_args(EventOutcome)
"""What a judged use can be: correction, partial, acceptance."""
ALL_TIME: Final = Window(None, None)

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Judged:
    """The events a metric looks at, and which of them it counts."""

    frame: pd.DataFrame
    kind: NDArray[np.int8]
    """Place in ``OUTCOMES``, or -1: left out by the filters, or undated where there is a window."""
    stamps: Integers
    """Microseconds in UTC, or ``MISSING``."""

    @property
    def counted(self) -> Flags:
        """The rows that count."""
        return self.kind >= 0

    @property
    def weak(self) -> Flags:
        """The rows that count and have a weak attribution."""
        return self.counted & _flag(self.frame, "attribution", lambda word: word == "weak")

    @property
    def implicit(self) -> Flags:
        """The rows that count and are acceptances by moving on."""
        flags: Flags = (self.kind == OUTCOMES.index("acceptance")) & _implicit(self.frame)
        return flags


@dataclass(frozen=True, slots=True)
class Groups:
    """Which group each row is in, and what the groups are called."""

    codes: Integers
    names: pd.DataFrame

    def __len__(self) -> int:
        return len(self.names)

    def all_rows(self) -> Integers:
        """Rows per group."""
        return np.bincount(self.codes, minlength=len(self)).astype("int64")

    def count(self, where: Flags) -> Integers:
        """Rows per group among the first ones, those `where` is true."""
        if not where.any():
            return np.zeros(len(self), dtype="int64")
        return np.bincount(self.codes[: len(where)][where], minlength=len(self)).astype("int64")


def judged_events(
    events: pd.DataFrame,
    *,
    keep: Sequence[str],
    window: Window = ALL_TIME,
    skill_id: str | None = None,
    attribution: Sequence[str] | None = None,
    implicit: bool = True,
) -> Judged:
    """The events of a window, and the undated ones; `keep` names the columns that are wanted of them."""
    check_arguments(attribution=attribution)
    needs = {"skill_id", "outcome", "timestamp", *keep} & columns(FeedbackEvent).keys()
    check_frame(events, FeedbackEvent, needs=sorted(needs | ({"attribution"} if attribution is not None else set())))
    stamps = microseconds(events["timestamp"])
    taken = window.holds(stamps) | (stamps == MISSING)
    if skill_id is not None:
        taken &= (events["skill_id"] == skill_id).to_numpy(dtype=bool)
    wanted = {"outcome", "rule", "confidence", "attribution", *keep}
    frame = events[[name for name in events.columns if name in wanted]]
    if not taken.all():
        rows = np.flatnonzero(taken)
        frame, stamps = frame.take(rows), stamps.take(rows)
    kind = _kinds(frame)
    if window.since is not None:
        kind[stamps == MISSING] = -1
    if attribution is not None:
        kind[~_flag(frame, "attribution", lambda word: word in attribution)] = -1
    if not implicit:
        kind[(kind == OUTCOMES.index("acceptance")) & _implicit(frame)] = -1
    return Judged(frame, kind, stamps)


def group_rows(frame: pd.DataFrame, *, by: Sequence[str], stamps: Integers, time_zone: str = "UTC") -> Groups:
    """Number the groups of `frame`: by any of its columns, and by ``week``, the ISO week of the stamps in a zone."""
    parts = [(name, *codes_of(_grouping(frame, name, stamps, time_zone))) for name in by]
    combined = np.zeros(len(frame), dtype="int64")
    for _, codes, words in parts:
        combined = combined * max(len(words), 1) + codes
    numbers, cells = pd.factorize(combined)
    names: dict[str, pd.Index[Any]] = {}
    for name, _, words in reversed(parts):
        cells, places = np.divmod(cells, max(len(words), 1))
        names[name] = _named(words, name).take(places)
    count = int(numbers.max()) + 1 if len(numbers) else 0
    return Groups(numbers.astype("int64"), pd.DataFrame({name: names[name] for name in by}, index=range(count)))


def count_kinds(groups: Groups, kind: NDArray[np.int8], *, bins: Integers | None = None, size: int = 1) -> Integers:
    """Counted rows per group, bin and kind: an array of shape (groups, `size`, 3).

    `bins` has a number below `size` for each row; rows with a negative bin or kind are left out.
    """
    codes = groups.codes[: len(kind)]
    counted = kind >= 0 if bins is None else (kind >= 0) & (bins >= 0)
    if not counted.all():
        codes, kind, bins = codes[counted], kind[counted], None if bins is None else bins[counted]
    cells = (codes if bins is None else codes * size + bins) * len(OUTCOMES) + kind
    totals = np.bincount(cells, minlength=len(groups) * size * len(OUTCOMES))
    return totals.reshape(len(groups), size, len(OUTCOMES)).astype("int64")


def outcome_counts(table: Integers) -> Counts:
    """The three outcomes of the rate from an array whose last axis is the kind."""
    return Counts(table[..., 0], table[..., 1], table[..., 2])


def codes_of(column: "pd.Series[Any]") -> "tuple[NDArray[np.integer], pd.Index[Any]]":
    """A column as small integers, and what they stand for; a missing value is a value like others."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        numbers, words = pd.factorize(column, use_na_sentinel=False)
        return numbers, pd.Index(words)
    codes, words = column.cat.codes.to_numpy(), column.cat.categories
    if len(codes) and codes.min() < 0:
        return np.where(codes < 0, len(words), codes), words.insert(len(words), None)
    return codes, words


def _kinds(frame: pd.DataFrame) -> NDArray[np.int8]:
    """Place in ``OUTCOMES`` of each row, -1 where the outcome is missing."""
    codes, words = codes_of(frame["outcome"])
    places = [OUTCOMES.index(word) if word in OUTCOMES else -1 for word in words]
    kind: NDArray[np.int8] = np.array([*places, -1], dtype="int8")[codes]
    return kind


def _implicit(frame: pd.DataFrame) -> Flags:
    """Where the rule says so; rows without a rule (logs of other tools) by the documented confidence."""
    implicit = _flag(frame, "rule", lambda word: str(word).startswith("implicit"))
    if "confidence" not in frame.columns:
        return implicit
    without_rule = _flag(frame, "rule", lambda word: pd.isna(word) or word == "", absent=True)
    if not without_rule.any():
        return implicit
    return implicit | (without_rule & (frame["confidence"] == CONFIDENCE["implicit"]).to_numpy(dtype=bool))


def _flag(frame: pd.DataFrame, name: str, holds: Callable[[Any], bool], *, absent: bool = False) -> Flags:
    """Whether `holds` is true of each row's word, asked once per word; `absent` where there is no such column."""
    if name not in frame.columns:
        return np.full(len(frame), absent)
    codes, words = codes_of(frame[name])
    flags: Flags = np.array([*(holds(word) for word in words), absent], dtype=bool)[codes]
    return flags


def _grouping(frame: pd.DataFrame, name: str, stamps: Integers, time_zone: str) -> "pd.Series[Any]":
    if name in frame.columns:
        return frame[name]
    if name == "week":
        return pd.Series(as_timestamps(week_starts(stamps, time_zone=time_zone)), index=frame.index)
    raise FrameError(f"cannot group by {name!r}: the table has no such column; week is made from the timestamp")


def _named(values: "pd.Index[Any]", name: str) -> "pd.Index[Any]":
    """Names of groups: text as str, words of a vocabulary as its category, all else as it is."""
    hint = columns(FeedbackEvent).get(name)
    if get_origin(hint) is Literal:
        return pd.CategoricalIndex(values, categories=list(get_args(hint)))
    return values.astype("str") if hint is str else values
