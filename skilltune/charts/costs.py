"""What a use of each skill costs: tokens and time, the typical use as a dot, nine in ten uses up to the line's end."""

import math
from typing import Final

import altair as alt
import pandas as pd

from skilltune.charts.layout import (
    counted,
    faded_under,
    heading,
    in_rows,
    names_at_left,
    placed,
    row_chart,
    row_places,
    sentence,
    shown_name,
)
from skilltune.charts.theme import LIGHT

__all__ = ["skill_cost_dots", "skill_cost_table", "skill_cost_words"]

WIDTH: Final = 290
APART: Final = 90
TABLE: Final = (
    *("skill_id", "uses", "measured", "with_subagents_median", "with_subagents_p90"),
    *("timed", "seconds_median", "seconds_p90"),
)
_NONE: Final = "No use has a known number of tokens, nor a known time."
_TICKS: Final = 4


def skill_cost_dots(cost: pd.DataFrame) -> alt.LayerChart | alt.Chart:
    """The chart of tokens (with those of sub-agents) and time per use, in the order of the frame.

    Parameters
    ----------
    cost : DataFrame
        From `skill_cost`, grouped by skill_id. What no use is charged with is left out: it is no use.

    Returns
    -------
    Chart
        One row per skill with a known cost; a sentence where there is none.
    """
    table = skill_cost_table(cost)
    if table.empty:
        return sentence(_NONE)
    rows = row_places(table)
    rows = rows.assign(
        n=[f"{measured:,} / {timed:,}" for measured, timed in zip(rows["measured"], rows["timed"], strict=True)]
    )
    width = 2 * WIDTH + APART
    layers = [
        names_at_left(rows),
        *_panel(
            rows,
            "with_subagents",
            known="measured",
            start=0,
            title="tokens a use with sub-agents (line: to 9 in 10 uses)",
        ),
        *_panel(
            rows.assign(**_minutes(rows)),
            "minutes",
            known="timed",
            start=WIDTH + APART,
            title="minutes a use (line: to 9 in 10 uses)",
        ),
        counted(rows, "n", width=width),
        heading("uses measured / timed", x=width + 14),
    ]
    words = skill_cost_words(cost)
    return row_chart(layers, names=rows["name"].tolist(), description=words, width=width, right=170, below=52)


def skill_cost_table(cost: pd.DataFrame) -> pd.DataFrame:
    """The chart's numbers, one row per skill with a known cost."""
    known = (cost["measured"] > 0) | (cost["timed"] > 0)
    if "attributed" in cost.columns:
        known &= cost["attributed"].astype("bool")
    return cost.loc[known, list(TABLE)].reset_index(drop=True)


def skill_cost_words(cost: pd.DataFrame) -> str:
    """The chart in a sentence or two: the skill whose typical use takes most tokens."""
    table = skill_cost_table(cost)
    if table.empty:
        return _NONE
    told = (
        f"Cost of a use of {len(table)} {'skill' if len(table) == 1 else 'skills'}, n = {int(table['measured'].sum())}."
    )
    known = table.dropna(subset=["with_subagents_median"])
    if known.empty:
        return told
    top = known.sort_values("with_subagents_median", ascending=False, kind="stable").iloc[0]
    return f"{told} Most tokens: {shown_name(top['skill_id'])}, typically {top['with_subagents_median']:,.0f} a use."


def _minutes(rows: pd.DataFrame) -> dict[str, "pd.Series[float]"]:
    return {f"minutes_{part}": rows[f"seconds_{part}"].astype("float64") / 60 for part in ("median", "p90")}


def _panel(rows: pd.DataFrame, figure: str, *, known: str, start: int, title: str) -> list[alt.Chart]:
    """One figure in its own part of the width: its scale drawn by hand, as two axes of one picture share theirs."""
    median, high = (rows[f"{figure}_{part}"].astype("float64") for part in ("median", "p90"))
    drawn = pd.DataFrame(
        {"place": rows["place"], "name": rows["name"], "median": median, "p90": high, "uses": rows[known]}
    ).assign(opacity=faded_under(rows[known]))
    drawn = drawn[drawn["median"].notna()]
    top, step = _scale(float(drawn[["median", "p90"]].max().max()) if len(drawn) else 0.0)
    per = WIDTH / top
    drawn = drawn.assign(dot=start + drawn["median"] * per, end=start + drawn["p90"].fillna(drawn["median"]) * per)
    drawn = drawn.assign(told=_told(drawn, unit=title.partition(" ")[0]))
    look = {"y": in_rows(len(rows)), "opacity": alt.Opacity("opacity:Q", scale=None)}
    lines = alt.Chart(drawn[["place", "dot", "end", "opacity"]]).mark_rule(strokeWidth=2, color=LIGHT["mark"])
    dots = alt.Chart(drawn[["place", "dot", "opacity", "told"]]).mark_point(
        shape="circle", filled=True, size=95, fill=LIGHT["mark"], stroke=LIGHT["bg"], strokeWidth=1.5
    )
    marks = [
        placed(lines, x=_pixels("dot"), x2="end:Q", **look),
        placed(dots, x=_pixels("dot"), tooltip="told:N", **look),
    ]
    return [*_grid(top, step, start=start, title=title, count=len(rows)), *(marks if len(drawn) else [])]


def _told(drawn: pd.DataFrame, *, unit: str) -> "pd.Series[str]":
    """What a dot says when it is pointed at."""
    told = [
        f"{name}: {median:,.3g} {unit}, n = {uses:,}"
        if median < 1000
        else f"{name}: {median:,.0f} {unit}, n = {uses:,}"
        for name, median, uses in zip(drawn["name"], drawn["median"], drawn["uses"], strict=True)
    ]
    return pd.Series(told, index=drawn.index, dtype="str")


def _grid(top: float, step: float, *, start: int, title: str, count: int) -> list[alt.Chart]:
    ticks = [step * number for number in range(round(top / step) + 1)]
    grid = pd.DataFrame({"x": [start + tick * WIDTH / top for tick in ticks], "text": [_short(tick) for tick in ticks]})
    rules = placed(
        alt.Chart(grid[["x"]]).mark_rule(color=LIGHT["rule"]),
        x=_pixels("x"),
        y=alt.value(0),
        y2=alt.value("height"),
    )
    labels = alt.Chart(grid).mark_text(color=LIGHT["ink3"], baseline="top")
    name = alt.Chart(pd.DataFrame({"x": [start], "text": [title]})).mark_text(
        color=LIGHT["ink3"], align="left", baseline="top"
    )
    row = 28 * count
    return [
        rules,
        placed(labels, x=_pixels("x"), y=alt.value(row + 8), text="text:N"),
        placed(name, x=_pixels("x"), y=alt.value(row + 27), text="text:N"),
    ]


def _pixels(field: str) -> alt.X:
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, 2 * WIDTH + APART], nice=False), axis=None)


def _scale(largest: float) -> tuple[float, float]:
    """The end of a scale from 0 and its step: 1, 2 or 5 times a power of ten."""
    rough = max(largest, 1e-9) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * each for each in (1, 2, 5, 10) if power * each >= rough * 0.999999)
    return step * max(math.ceil(largest / step - 1e-9), 1), step


def _short(value: float) -> str:
    """A number as an axis has it: 0, 0.5, 20k, 1.5M."""
    for size, sign in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{sign}"
    return f"{value:g}"
