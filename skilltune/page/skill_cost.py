"""What a use of one skill costs: tokens and time, the typical use as a dot, nine in ten up to the line's end."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import pandas as pd
from markupsafe import Markup

from skilltune.charts.rows import spread_row
from skilltune.page.html import Section, render
from skilltune.page.rows import Row
from skilltune.page.words import count_of

__all__ = ["cost_section"]

_NOT_KNOWN: Final = "not known"
_MINUTE: Final = 60
_HOUR: Final = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """One figure as it is shown."""

    name: str
    typical: str
    high: str
    whole: str
    n: str
    drawing: Markup | None


def cost_section(cost: Row | None, *, days: int, until: str = "") -> Section:
    """Tokens and time of a use, typical and at most; one line where no transcript tells.

    Parameters
    ----------
    cost
        The skill's row of ``skill_cost``.
    until
        The day with which these days end, where it is not the page's.
    """
    measured, timed, uses = (0 if cost is None else int(cost[name]) for name in ("measured", "timed", "uses"))
    rows = [] if cost is None else _rows(cost, measured=measured, timed=timed)
    span = f"in the {days} days until {until}" if until else f"in the last {days} days"
    known = f"Tokens are known of {measured:,}, time of {timed:,} of {count_of(uses, 'use')}."
    return Section(
        render(
            "cost.html.j2",
            note=(
                f"From a use to the turn that decided on it, {span}. Time includes the person’s own. Dot: half of the "
                "uses cost at most this. Line: nine in ten uses. Tokens share one scale, time has its own, both from 0."
            )
            if rows
            else "",
            finding=_finding(rows, uses=uses, span=span, measured=bool(measured)),
            rows=rows,
            foot=[f"{known} Where a cost arose does not say that the skill caused it."] if rows else [],
        )
    )


def _finding(rows: list[CostRow], *, uses: int, span: str, measured: bool) -> str:
    if rows:
        return f"Half of the uses cost at most {rows[0].typical}{' tokens' if measured else ''}."
    return "The sessions do not say what the uses cost." if uses else f"No use {span}."


def _rows(cost: Row, *, measured: int, timed: int) -> list[CostRow]:
    names = [("tokens", "tokens"), ("tokens with sub-agents", "with_subagents")] if measured else []
    top = max([_value(cost, f"{name}_p90") for _, name in names], default=0.0)
    rows = [_row(cost, shown, name, words=_tokens, n=measured, top=top) for shown, name in names]
    if timed:
        rows.append(_row(cost, "time", "seconds", words=_time, n=timed, top=_value(cost, "seconds_p90")))
    return rows


def _row(cost: Row, shown: str, name: str, *, words: Callable[[float], str], n: int, top: float) -> CostRow:
    columns = (f"{name}_median", f"{name}_p90", name)
    told: list[str] = [_NOT_KNOWN if pd.isna(cost[column]) else words(float(cost[column])) for column in columns]
    typical, high, whole = told
    text = f"{shown} of a use: half at most {typical}, nine in ten at most {high}, n = {n:,}"
    at, reach = _value(cost, f"{name}_median"), _value(cost, f"{name}_p90")
    drawing = spread_row(at, high=reach, top=top, text=text) if top > 0 and typical != _NOT_KNOWN else None
    return CostRow(name=shown, typical=typical, high=high, whole=whole, n=f"n = {n:,}", drawing=drawing)


def _value(cost: Row, name: str) -> float:
    return 0.0 if pd.isna(cost[name]) else float(cost[name])


def _tokens(number: float) -> str:
    return f"{round(number):,}"


def _time(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE:.0f} min" if seconds < 2 * _HOUR else f"{seconds / _HOUR:.0f} h"
