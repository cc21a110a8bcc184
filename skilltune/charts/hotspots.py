"""What was wrong with which skill: a heat map with the count in each cell, kinds not told hatched and apart, sums."""

import math
from typing import Any, Final

import altair as alt
import pandas as pd

from skilltune.charts.layout import (
    ROW,
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

__all__ = ["NOT_TOLD", "UNKNOWN", "hotspot_heatmap", "hotspot_table", "hotspot_words"]

COLUMNS: Final = {
    "accuracy": "accuracy",
    "coverage": "coverage",
    "reliability": "reliability",
    "efficiency": "efficiency",
    "security": "security",
    "trigger_quality": "trigger",
}
UNKNOWN: Final = "unknown"
NOT_TOLD: Final = "kind not told"
"""What people read in place of ``unknown``."""
CELL: Final = 76
APART: Final = 18
INSET: Final = 0.46
"""How far a cell reaches from the middle of its row, in rows."""
HATCH: Final = 7
"""Distance of the lines of a hatched cell in pixels."""
ALL: Final = "all skills"
STEPS: Final = 5
WIDTH: Final = CELL * len(COLUMNS) + APART + CELL
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
        One row per skill with complaints, and their sums below where there are several; a sentence where there is
        none.
    """
    table = hotspot_table(hotspots)
    if table.empty:
        return sentence(_NONE)
    skills = row_places(table)
    rows = row_places(pd.concat([table, _sums(table)], ignore_index=True)) if len(table) > 1 else skills
    rows = rows.assign(sum=rows["complaints"].map("{:,}".format))
    cells = _cells(rows, skills=len(skills))
    layers = [
        names_at_left(rows),
        *_grounds(cells[cells["skill"]], count=len(rows)),
        *_counts(cells, count=len(rows)),
        counted(rows, "sum", width=WIDTH),
        *(heading(word, x=CELL * (at + 0.5), align="center") for at, word in enumerate(COLUMNS.values())),
        heading(NOT_TOLD, x=WIDTH - CELL / 2, align="center"),
        heading("all", x=WIDTH + 14),
    ]
    words = hotspot_words(hotspots)
    return row_chart(layers, names=rows["name"].tolist(), description=words, width=WIDTH, right=60, below=12)


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
    return f"{told} Most: {where}, {most['count']}. Kind not told: {unknown}."


def _sums(table: pd.DataFrame) -> pd.DataFrame:
    """The row of all skills together."""
    return table.drop(columns="skill_id").sum().to_frame().T.assign(skill_id=ALL)


def _cells(rows: pd.DataFrame, *, skills: int) -> pd.DataFrame:
    """One row per cell: place, where it begins and ends, its count, its ground and the colour of its number."""
    names = [*COLUMNS, UNKNOWN]
    long = rows.melt(id_vars=["place", "name"], value_vars=names, var_name="dimension", value_name="count")
    long = long.astype({"count": "int64"})
    at = long["dimension"].map(names.index)
    known, skill = long["dimension"] != UNKNOWN, long["place"] < skills
    largest = max(int(long.loc[known & skill, "count"].max()), STEPS)
    step = long["count"].map(lambda count: min(math.ceil(count * STEPS / largest), STEPS))
    ink = step.map(lambda each: LIGHT["ink"] if each <= _LAST_INK else LIGHT["heat-text"])
    told = (
        long["name"] + ", " + long["dimension"].map({**COLUMNS, UNKNOWN: NOT_TOLD}) + ": " + long["count"].astype("str")
    )
    return long.assign(
        told=told,
        begin=at * CELL + (~known) * APART + 1,
        end=(at + 1) * CELL + (~known) * APART - 1,
        middle=(at + 0.5) * CELL + (~known) * APART,
        top=long["place"] - INSET,
        bottom=long["place"] + INSET,
        known=known,
        skill=skill,
        ground=step.map(lambda each: LIGHT[f"heat{each}"]).where(known, LIGHT["well"]),
        ink=ink.where(known & skill, LIGHT["ink2"]).mask(long["count"] == 0, LIGHT["ink3"]),
    )


def _grounds(cells: pd.DataFrame, *, count: int) -> list[alt.Chart]:
    """Cells by their count; those whose kind nobody told hatched."""
    rects = alt.Chart(cells[["begin", "end", "top", "bottom", "ground", "told"]]).mark_rect()
    at = {"x": _across("begin"), "x2": "end:Q", "y": in_rows(count, "top"), "y2": "bottom:Q"}
    hatched = _hatches(cells.loc[~cells["known"]])
    lines = alt.Chart(hatched).mark_rule(color=LIGHT["rule"], strokeWidth=1)
    return [placed(rects, **at, fill=alt.Fill("ground:N", scale=None), tooltip="told:N"), placed(lines, **at)]


def _hatches(cells: pd.DataFrame) -> pd.DataFrame:
    """Slanting lines inside of each cell, from its lower or left edge to its upper or right one, in its scales."""
    pairs = []
    for left, right, top, bottom in cells[["begin", "end", "top", "bottom"]].itertuples(index=False):
        high = (bottom - top) * ROW
        for place in range(HATCH, int(right - left + high), HATCH):
            begin, end = max(place - high, 0), min(place, right - left)
            pairs.append(
                {
                    "begin": left + begin,
                    "end": left + end,
                    "top": top + min(place, high) / ROW if begin == 0 else bottom,
                    "bottom": top + (place - end) / ROW,
                }
            )
    return pd.DataFrame(pairs, columns=["begin", "end", "top", "bottom"])


def _counts(cells: pd.DataFrame, *, count: int) -> list[alt.Chart]:
    """Each cell's number, haloed where lines are under it."""
    at: dict[str, Any] = {"x": _across("middle"), "y": in_rows(count)}
    number = alt.Text("count:Q", format=",d")
    under = cells.loc[~cells["known"] & cells["skill"], ["place", "middle", "count"]]
    halo = alt.Chart(under).mark_text(fontSize=13, color=LIGHT["well"], stroke=LIGHT["well"], strokeWidth=4)
    text = alt.Chart(cells[["place", "middle", "count", "ink"]]).mark_text(fontSize=13)
    return [
        placed(halo, **at, text=number),
        placed(text, **at, text=number, color=alt.Color("ink:N", scale=None)),
    ]


def _across(field: str) -> alt.X:
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0, WIDTH], nice=False), axis=None)


def _plural(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun}s"
