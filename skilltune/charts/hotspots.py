"""What was wrong with which skill: a heat map with the count in each cell, the unknown set apart, sums."""

import math
from typing import Final

import altair as alt
import pandas as pd

from skilltune.charts.layout import (
    counted,
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

__all__ = ["hotspot_heatmap", "hotspot_table", "hotspot_words"]

COLUMNS: Final = {
    "accuracy": "accuracy",
    "coverage": "coverage",
    "reliability": "reliability",
    "efficiency": "efficiency",
    "security": "security",
    "trigger_quality": "trigger",
}
UNKNOWN: Final = "unknown"
CELL: Final = 76
APART: Final = 18
STEPS: Final = 5
_LAST_INK: Final = 3
"""The last step of colour on which ink is read."""
_NONE: Final = "Nobody complained in this window."


def hotspot_heatmap(hotspots: pd.DataFrame) -> alt.LayerChart | alt.Chart:
    """The heat map of complaints, skill × dimension; most complaints first.

    Parameters
    ----------
    hotspots : DataFrame
        From `hotspot_dimensions`, grouped by skill_id.

    Returns
    -------
    Chart
        One row per skill with complaints; a sentence where there is none.
    """
    table = hotspot_table(hotspots)
    if table.empty:
        return sentence(_NONE)
    rows = row_places(table).assign(sum=table["complaints"].map("{:,}".format))
    cells = _cells(rows)
    width = CELL * len(COLUMNS) + APART + CELL
    layers = [
        names_at_left(rows),
        *_grounds(cells, count=len(rows)),
        *_counts(cells, count=len(rows)),
        counted(rows, "sum", width=width),
        *(heading(word, x=CELL * (at + 0.5), align="center") for at, word in enumerate(COLUMNS.values())),
        heading(UNKNOWN, x=width - CELL / 2, align="center"),
        heading("all", x=width + 14),
    ]
    words = hotspot_words(hotspots)
    return row_chart(layers, names=rows["name"].tolist(), description=words, width=width, right=60, below=12)


def hotspot_table(hotspots: pd.DataFrame) -> pd.DataFrame:
    """The chart's numbers: one row per skill, a column per dimension, ``unknown``, and ``complaints`` in all."""
    wide = hotspots.astype({"dimension": "str"}).pivot_table(
        index="skill_id", columns="dimension", values="complaints", aggfunc="sum", fill_value=0, observed=True
    )
    wide = wide.reindex(columns=[*COLUMNS, UNKNOWN], fill_value=0).astype("int64")
    table = wide.assign(complaints=wide.sum(axis=1)).reset_index().rename_axis(columns=None)
    table = table[table["complaints"] > 0]
    return table.sort_values(["complaints", "skill_id"], ascending=[False, True], ignore_index=True)


def hotspot_words(hotspots: pd.DataFrame) -> str:
    """The chart in a sentence or two: how many complaints, and where most of one kind are."""
    table = hotspot_table(hotspots)
    if table.empty:
        return _NONE
    n, skills, unknown = int(table["complaints"].sum()), len(table), int(table[UNKNOWN].sum())
    told = f"{n} {_plural('complaint', n)} about {skills} {_plural('skill', skills)}, by dimension."
    known = table.melt(id_vars="skill_id", value_vars=list(COLUMNS), var_name="dimension", value_name="count")
    most = known.sort_values("count", ascending=False, kind="stable").iloc[0]
    if most["count"] == 0:
        return f"{told} For none of them can the rules tell what was wrong."
    where = f"{COLUMNS[str(most['dimension'])]} of {shown_name(most['skill_id'])}"
    return f"{told} Most: {where}, {most['count']}. Unknown: {unknown}."


def _cells(rows: pd.DataFrame) -> pd.DataFrame:
    """One row per cell: place, where it begins and ends, its count, its ground and the colour of its number."""
    names = [*COLUMNS, UNKNOWN]
    long = rows.melt(id_vars=["place", "name"], value_vars=names, var_name="dimension", value_name="count")
    at = long["dimension"].map(names.index)
    known = long["dimension"] != UNKNOWN
    largest = max(int(long.loc[known, "count"].max()), STEPS)
    step = long["count"].map(lambda count: min(math.ceil(count * STEPS / largest), STEPS))
    ink = step.map(lambda each: LIGHT["ink"] if each <= _LAST_INK else LIGHT["heat-text"])
    told = (
        long["name"] + ", " + long["dimension"].map({**COLUMNS, UNKNOWN: UNKNOWN}) + ": " + long["count"].astype("str")
    )
    return long.assign(
        told=told,
        begin=at * CELL + (~known) * APART + 1,
        end=(at + 1) * CELL + (~known) * APART - 1,
        middle=(at + 0.5) * CELL + (~known) * APART,
        top=long["place"] - 0.46,
        bottom=long["place"] + 0.46,
        known=known,
        ground=step.map(lambda each: LIGHT[f"heat{each}"]).where(known, LIGHT["bg"]),
        ink=ink.where(known, LIGHT["ink2"]).mask(long["count"] == 0, LIGHT["ink3"]),
    )


def _grounds(cells: pd.DataFrame, *, count: int) -> list[alt.Chart]:
    """Known cells by their count; unknown ones only outlined, in dashes."""
    width = CELL * len(COLUMNS) + APART + CELL
    drawn = ["begin", "end", "top", "bottom", "ground", "told"]
    known = alt.Chart(cells.loc[cells["known"], drawn]).mark_rect()
    unknown = alt.Chart(cells.loc[~cells["known"], drawn]).mark_rect(
        stroke=LIGHT["edge"], strokeDash=[3, 3], strokeWidth=1
    )
    at = {"x": _across("begin", width), "x2": "end:Q", "y": in_rows(count, "top"), "y2": "bottom:Q"}
    return [placed(part, **at, fill=alt.Fill("ground:N", scale=None), tooltip="told:N") for part in (known, unknown)]


def _counts(cells: pd.DataFrame, *, count: int) -> list[alt.Chart]:
    width = CELL * len(COLUMNS) + APART + CELL
    text = alt.Chart(cells[["place", "middle", "count", "ink"]]).mark_text(fontSize=13)
    at = {"x": _across("middle", width), "y": in_rows(count)}
    return [placed(text, **at, text=alt.Text("count:Q", format=",d"), color=alt.Color("ink:N", scale=None))]


def _across(field: str, width: int) -> alt.X:
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, width], nice=False), axis=None)


def _plural(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun}s"
