"""How people rated skills, and how often they did not take what a skill made."""

from dataclasses import dataclass
from typing import Final

import pandas as pd

from skilltune.page.diffs import shorten
from skilltune.page.html import Section, render
from skilltune.page.refinement_summary import RefinementSummary
from skilltune.page.rows import Row, rows_of
from skilltune.page.words import as_list, count_of, interval, percent

__all__ = ["ratings_section"]

ROWS: Final = 20
"""Skills that the table shows."""
REASONS: Final = 3
"""Reasons of a skill that are quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedView:
    """One skill as it is shown."""

    skill: str
    score: str
    n: str
    overrides: str
    rate: str
    reasons: list[str]
    later: str = ""
    """How many of them came after the page's week."""
    version: str = ""


def ratings_section(summary: RefinementSummary | None, *, days: int, privacy: bool) -> Section:
    """Mean score with n, overrides of uses with the interval, and reasons; without any one line."""
    rows = [] if summary is None or summary.ratings.empty else rows_of(summary.ratings)
    reasons = pd.DataFrame() if summary is None or privacy else summary.reasons
    left = len(rows) - ROWS
    return Section(
        render(
            "ratings.html.j2",
            note=_note(days, later=_came_later(rows)) if rows else "",
            finding=_finding(rows, days=days),
            rows=[_view(row, reasons) for row in rows[:ROWS]],
            foot=f"{count_of(left, 'more skill')} not shown." if left > 0 else "",
        ),
        bare=not rows,
    )


def _note(days: int, *, later: bool) -> str:
    since = " and since" if later else ""
    told = f"Scores from 1 to 5, and results that somebody did not take, in the last {days} days{since}."
    return f"{told} Nothing follows from them by itself."


def _came_later(rows: list[Row]) -> bool:
    return any(row.get("later") for row in rows)


def _finding(rows: list[Row], *, days: int) -> str:
    rated = sum(row["n_ratings"] > 0 for row in rows)
    overridden = sum(row["overrides"] > 0 for row in rows)
    if not rows:
        return f"Nobody rated a skill or overrode its result in the last {days} days."
    parts = []
    if rated:
        parts.append(f"{count_of(rated, 'skill')} {'was' if rated == 1 else 'were'} rated")
    if overridden:
        noun = f"results of {count_of(overridden, 'skill')}"
        parts.append(f"{noun} were not taken as they were")
    text = as_list(parts)
    return f"{text[0].upper()}{text[1:]}."


def _view(row: Row, reasons: pd.DataFrame) -> RatedView:
    rated, uses = int(row["n_ratings"]), row["n_invocations"]
    known = not pd.isna(row["override_rate"])
    overrides = int(row["overrides"])
    seen: int = 0 if pd.isna(uses) else int(uses)
    return RatedView(
        skill=row["skill_id"],
        score=f"{row['mean_score']:.1f}" if rated else "not rated",
        n=f"of 5, n = {rated}" if rated else "",
        overrides=f"{overrides} of {count_of(seen, 'use')}" if seen else count_of(overrides, "override"),
        rate=f"{percent(row['override_rate'])} ({interval(row['low'], row['high'])})" if known and overrides else "",
        reasons=_reasons(row["skill_id"], reasons),
        later=f"{int(row['later'])} after this week" if row.get("later") else "",
    )


def _reasons(skill_id: str, reasons: pd.DataFrame) -> list[str]:
    if reasons.empty:
        return []
    own = rows_of(reasons[(reasons["skill_id"] == skill_id) & (reasons["reason"] != "")].head(REASONS))
    return [f"“{shorten(row['reason'], most=120)}”{_times(row['times'])}" for row in own]


def _times(times: int) -> str:
    return f" ({times} times)" if times > 1 else ""
