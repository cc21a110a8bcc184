"""Every use once: those with an event and those without, told apart by ``event_id``."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.windows import MISSING, Window, as_timestamps, microseconds
from skilltune.frames import check_frame, columns
from skilltune.records import FeedbackEvent, Invocation

__all__ = ["every_use", "uses_only", "uses_without_event"]

_ALL_TIME = Window(None, None)


def uses_without_event(
    invocations: pd.DataFrame,
    *,
    events: pd.DataFrame,
    keep: Sequence[str],
    window: Window,
    skill_id: str | None = None,
) -> pd.DataFrame:
    """The rows of `invocations` in a window that are a use and have no row in `events`; columns `keep`.

    Failed calls (trigger problems) are no uses. Undated uses are in no window. ``week`` may be in `keep`: it is made of
    the timestamp later.
    """
    needs = {"event_id", "skill_id", "timestamp", *keep} & columns(Invocation).keys()
    check_frame(invocations, Invocation, needs=sorted(needs))
    check_frame(events, FeedbackEvent, needs=("event_id",))
    stamps = microseconds(invocations["timestamp"])
    taken = window.holds(stamps)
    if window.since is not None:
        taken &= stamps != MISSING
    taken &= ~invocations["event_id"].isin(events["event_id"]).to_numpy()
    taken &= ~_failed(invocations)
    if skill_id is not None:
        taken &= (invocations["skill_id"] == skill_id).to_numpy(dtype=bool)
    wanted = [name for name in dict.fromkeys([*keep, "timestamp"]) if name != "week" or name in invocations.columns]
    return invocations.loc[taken, wanted]


def every_use(events: pd.DataFrame, invocations: pd.DataFrame | None, *, keep: Sequence[str]) -> pd.DataFrame:
    """Every use once, those with an event first: its timestamp in UTC and the columns of `keep` that are there."""
    check_frame(events, FeedbackEvent, needs=("event_id", "skill_id", "timestamp"))
    tables = [events]
    if invocations is not None:
        there = [name for name in dict.fromkeys(keep) if name in invocations.columns]
        tables.append(uses_without_event(invocations, events=events, keep=there, window=_ALL_TIME))
    chosen = [table[[name for name in dict.fromkeys(keep) if name in table.columns]] for table in tables]
    dated = [
        part.assign(timestamp=as_timestamps(microseconds(table["timestamp"])))
        for part, table in zip(chosen, tables, strict=True)
    ]
    return pd.concat(dated, ignore_index=True)


def uses_only(invocations: pd.DataFrame) -> pd.DataFrame:
    """`invocations` without the failed calls."""
    failed = _failed(invocations)
    return invocations[~failed] if failed.any() else invocations


def _failed(invocations: pd.DataFrame) -> NDArray[np.bool_]:
    if "failed" not in invocations.columns:
        return np.zeros(len(invocations), dtype=bool)
    return (invocations["failed"].fillna("") != "").to_numpy(dtype=bool)
