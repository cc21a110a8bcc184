"""What the charts of many rows share: names at the left, one axis, numbers at the right, words in place of no rows."""

import unicodedata
from collections.abc import Sequence
from typing import Any, Final, Literal

import altair as alt
import pandas as pd

from skilltune.charts.cleaning import visible_text
from skilltune.charts.showing import use_charts_in_notebook
from skilltune.charts.theme import LIGHT, skilltune_theme

__all__ = [
    "ABOVE",
    "FADED",
    "ROW",
    "THIN",
    "counted",
    "faded_under",
    "haloed",
    "heading",
    "in_rows",
    "key",
    "names_at_left",
    "percent_axis",
    "placed",
    "row_chart",
    "row_places",
    "sentence",
    "shown_name",
    "whole_percent",
]

ROW: Final = 28
"""Height of a row in pixels."""
ABOVE: Final = 30
"""Room above the first row for headings."""
FADED: Final = 0.4
"""Opacity of what rests on too little."""
THIN: Final = 5
"""Judged uses under which a figure is drawn faded where its frame does not say whether they suffice."""
NAME_CHARS: Final = 44
"""Columns of the longest name that is shown whole; wide letters take two."""
_LETTER: Final = 7.9
_GAP: Final = 14
_ELLIPSIS: Final = "…"


def shown_name(name: str, *, chars: int = NAME_CHARS) -> str:
    r"""`name` on one line with hidden characters written out, its middle left out where it is long.

    Examples
    --------
    >>> shown_name("a\u202eb" + "x" * 120, chars=12)
    'a\\u202e…xxxx'
    """
    line = " ".join(visible_text(str(name)).split())
    if _columns(line) <= chars:
        return line
    head, tail = line, line
    while _columns(head) > chars * 3 // 5:
        head = head[:-1]
    while _columns(tail) > chars - chars * 3 // 5 - 1:
        tail = tail[1:]
    return f"{head}{_ELLIPSIS}{tail}"


def sentence(words: str) -> alt.Chart:
    """`words` in place of a picture that would be empty; ``charts.showing`` shows them as text."""
    text = alt.Chart(pd.DataFrame({"words": [words]})).mark_text(align="left", color=LIGHT["ink2"], fontSize=15)
    use_charts_in_notebook()
    chart: alt.Chart = placed(text, x=alt.value(0), y=alt.value(12), text="words:N").properties(
        width=8.0 * len(words), height=24, description=words, usermeta={"sentence": words}
    )
    return chart.properties(config=skilltune_theme()["config"])


def row_places(frame: pd.DataFrame, *, names: str = "skill_id") -> pd.DataFrame:
    """`frame` with its row's ``place`` from the top and its ``name`` as shown."""
    shown = [shown_name(name) for name in frame[names]]
    return frame.reset_index(drop=True).assign(place=range(len(frame)), name=pd.Series(shown, dtype="str"))


def row_chart(
    layers: Sequence[alt.Chart], *, names: Sequence[str], description: str, width: int, right: int, below: int = 46
) -> alt.LayerChart:
    """`layers` as one picture, with room for the names, the headings and the numbers at the right."""
    use_charts_in_notebook()
    left = max([_columns(name) for name in names], default=0) * _LETTER + _GAP + 6
    chart: alt.LayerChart = alt.LayerChart(layer=list(layers)).properties(
        width=width,
        height=ROW * len(names),
        autosize=alt.AutoSizeParams(type="none"),
        padding={"left": round(left), "right": right, "top": ABOVE, "bottom": below},
        description=description,
        config=skilltune_theme()["config"],
    )
    return chart


def percent_axis(field: str, *, title: str, top: float = 1.0, step: float = 0.25) -> alt.X:
    """Shares from 0 to `top` as percent, the sign on the last number only."""
    count = round(top / step)
    values = [round(step * number, 6) for number in range(count + 1)]
    return alt.X(
        f"{field}:Q",
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(
            values=values,
            labelExpr=f"format(datum.value * 100, 'd') + (datum.value >= {values[-1]} ? '%' : '')",
            title=title,
            titleAnchor="start",
            titlePadding=8,
            labelFlush=False,
            gridColor=LIGHT["rule"],
        ),
    )


def in_rows(count: int, field: str = "place") -> alt.Y:
    """The rows from the top down."""
    return alt.Y(f"{field}:Q", scale=alt.Scale(domain=[count - 0.5, -0.5], nice=False), axis=None)


def names_at_left(rows: pd.DataFrame) -> alt.Chart:
    """Each row's name, right-aligned before the axis."""
    text = alt.Chart(rows[["place", "name"]]).mark_text(align="right", color=LIGHT["ink"], fontSize=13)
    return placed(text, x=alt.value(-_GAP), y=in_rows(len(rows)), text="name:N")


def counted(rows: pd.DataFrame, column: str, *, width: int) -> alt.Chart:
    """A text at the right of each row."""
    text = alt.Chart(rows[["place", column]]).mark_text(align="left", color=LIGHT["ink2"])
    return placed(text, x=alt.value(width + _GAP), y=in_rows(len(rows)), text=f"{column}:N")


def heading(words: str, *, x: float, align: Literal["left", "center", "right"] = "left", y: float = -14) -> alt.Chart:
    """A word or two over a column."""
    text = alt.Chart(pd.DataFrame({"text": [words]})).mark_text(align=align, color=LIGHT["ink3"])
    return placed(text, x=alt.value(x), y=alt.value(y), text="text:N")


def key(entries: Sequence[tuple[str, str]], *, y: float = -14) -> list[alt.Chart]:
    """What the grounds of bars mean: a square and a word each, in a line above the picture."""
    layers: list[alt.Chart] = []
    at = 0.0
    for words, colour in entries:
        square = alt.Chart(pd.DataFrame({"text": [words]})).mark_point(
            shape="square", filled=True, size=110, fill=LIGHT[colour], stroke=LIGHT["edge"], strokeWidth=1, opacity=1
        )
        layers.append(placed(square, x=alt.value(at + 6), y=alt.value(y)))
        layers.append(heading(words, x=at + 17, y=y))
        at += 17 + 6.6 * len(words) + 18
    return layers


def haloed(rows: pd.DataFrame, *, text: str, colour: str, style: dict[str, Any], **at: Any) -> list[alt.Chart]:
    """A text over a halo of the background."""
    halo = alt.Chart(rows).mark_text(**style, color=LIGHT["bg"], stroke=LIGHT["bg"], strokeWidth=4, strokeJoin="round")
    words = alt.Chart(rows).mark_text(**style, color=LIGHT[colour])
    return [placed(part, text=f"{text}:N", **at) for part in (halo, words)]


def placed(chart: alt.Chart, **channels: Any) -> alt.Chart:
    """`chart` with its channels."""
    encoded: alt.Chart = chart.encode(**channels)
    return encoded


def faded_under(sample: "pd.Series[int]", *, enough: int = THIN) -> "pd.Series[float]":
    """The opacity of each figure: faded where it rests on fewer than `enough`."""
    return (sample >= enough).map({True: 1.0, False: FADED}).astype("float64")


def whole_percent(share: float) -> str:
    """A share as whole percent; one that is not 0 or 1 never reads so."""
    if 0 < share < 0.005:
        return "under 1%"
    return f"{share * 100:.0f}%"


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else not unicodedata.combining(char) for char in text)
