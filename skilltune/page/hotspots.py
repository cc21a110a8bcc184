"""What was wrong: complaints by skill and dimension."""

import math
from dataclasses import dataclass
from datetime import date
from typing import Final

import pandas as pd

from skilltune.analysis.weekly import WeeklySummary
from skilltune.charts.hotspots import COLUMNS, NOT_TOLD, STEPS
from skilltune.page.html import Section, render
from skilltune.page.words import count_of, date_range, long_date, percent

__all__ = ["hotspots_section"]

ROWS: Final = 20
NARROW_NAME: Final = 18
"""Longest name that stands beside its counts on a narrow screen; longer ones stand above them."""
_PHRASES: Final = {
    "accuracy": "wrong content",
    "coverage": "missing parts",
    "reliability": "things that break",
    "efficiency": "wasted effort",
    "security": "unsafe steps",
    "trigger_quality": "running when not wanted",
}
_FEW: Final = 10


@dataclass(frozen=True, slots=True)
class Cell:
    """A count and its step of colour; a sum has none."""

    count: int
    step: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One skill's complaints."""

    skill: str
    cells: list[Cell]
    unknown: int
    all: int


def hotspots_section(summary: WeeklySummary, *, span: tuple[date, date] | None = None) -> Section:
    """The heat map with its finding; one line where nobody complained.

    Parameters
    ----------
    span
        The days that the complaints are of; default the last ones.
    """
    of, then = f"of the last {summary.days} days", f"in the last {summary.days} days"
    if span:
        of, then = f"of {date_range(*span)}", f"from {long_date(span[0])} to {long_date(span[1])}"
    table = _table(summary)
    known = table[list(COLUMNS)]
    listed = known.index.isin(summary.ranking["skill_id"])
    largest = max(int(known[listed].to_numpy().max(initial=0)), STEPS)
    rows = [
        HeatRow(
            str(skill),
            [
                Cell(int(counts[name]), _step(int(counts[name]), largest=largest) if alone else "-sum")
                for name in COLUMNS
            ],
            int(counts["unknown"]),
            int(counts.sum()),
        )
        for (skill, counts), alone in zip(table.iterrows(), listed, strict=True)
    ]
    totals = table.sum()
    return Section(
        render(
            "hotspots.html.j2",
            note=(
                f"Corrections and partials {of} by dimension. The stronger the colour, the more. Coverage: parts "
                "were missing. Efficiency: wasted effort. Trigger: run when not wanted, or not run when wanted. Kind "
                "not told: the person did not say what was wrong, or no rule could tell."
            )
            if rows
            else "",
            finding=_finding(totals, when=then)
            if span or summary.ranking["sample_size"].sum()
            else f"No use was judged {then}, so nothing is known of it.",
            dimensions=list(COLUMNS.values()),
            not_told=NOT_TOLD,
            whole="all skills" if len(rows) > 1 else "",
            rows=rows,
            long_names=any(len(row.skill.rpartition(":")[2]) > NARROW_NAME for row in rows),
            sums={
                "cells": [int(totals[name]) for name in COLUMNS],
                "unknown": int(totals["unknown"]),
                "all": int(totals.sum()),
            },
        )
    )


def _table(summary: WeeklySummary) -> pd.DataFrame:
    """Skills with complaints × dimensions, in the order of the ranking; from 21 skills on the rest is one row."""
    counts = summary.hotspots.astype({"dimension": "str"}).pivot_table(
        index="skill_id", columns="dimension", values="complaints", aggfunc="sum", fill_value=0
    )
    counts = counts.reindex(columns=[*COLUMNS, "unknown"], fill_value=0)
    order = [skill for skill in summary.ranking["skill_id"] if skill in counts.index and counts.loc[skill].sum()]
    table = counts.loc[order]
    if len(table) <= ROWS:
        return table
    rest = table.iloc[ROWS - 1 :]
    return pd.concat([table.iloc[: ROWS - 1], rest.sum().to_frame(f"{len(rest)} other skills").T])


def _step(count: int, *, largest: int) -> str:
    return str(math.ceil(count * STEPS / largest))


def _finding(totals: "pd.Series[int]", *, when: str) -> str:
    everything, unknown = int(totals.sum()), int(totals["unknown"])
    if not everything:
        return f"Nobody complained {when}."
    known = totals[list(COLUMNS)].sort_values(ascending=False, kind="stable")
    top = [name for name in known.index[:2] if known[name]]
    if not top:
        subject = "the one complaint" if everything == 1 else f"all {everything} complaints"
        return f"For {subject} the rules cannot tell what was wrong."
    named = " and ".join(f"{_PHRASES[name]} ({COLUMNS[name]})" for name in top)
    verb = "make" if len(top) > 1 or _PHRASES[top[0]].endswith("s") else "makes"
    part = int(known[top].sum())
    if everything < _FEW:
        share, rest = f"{part} of {count_of(everything, 'complaint')}", f"for {unknown} the rules cannot tell"
    else:
        share, rest = (
            f"{percent(part / everything)} of all complaints",
            f"for {percent(unknown / everything)} the rules cannot tell",
        )
    return f"{named[0].upper()}{named[1:]} {verb} up {share}{f'; {rest}' if unknown else ''}."
