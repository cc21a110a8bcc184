"""How far a skill has moved from its first text: net drift and path over its versions, the steps below them."""

import math
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import altair as alt
import pandas as pd

from skilltune.charts.theme import LIGHT, skilltune_theme

__all__ = ["BESIDE_TEXT", "NARROW", "WIDE", "Format", "drift_steps", "drift_steps_table", "drift_words"]

Scale = Callable[[str], alt.Y]
"""A column on the scale that its plot shares."""
TABLE: Final = ["name", "told", "at", "net_percent", "path_percent", "step_percent"]
BESIDE: Final = 38
"""Least distance of the two labels at the end, in pixels: each has two lines."""
CLEAR: Final = 26
"""How far the lower one stays over the line of 0: its second line is below its place."""
STEPS_HEIGHT: Final = 92
DATED: Final = 52
"""Distance of two versions, in pixels, from which on each has its date."""
TOLD: Final = 70
"""The same, from which on what was done stands there too."""
LETTER: Final = 6.6
"""Width of a letter of these words, about."""
LINE: Final = 17
LINES: Final = 5
"""Height of a line of them, and the most lines there are."""
LEAST_TOP: Final = 1.25
"""The scale of steps ends this far over the bound, at least."""


@dataclass(frozen=True, slots=True)
class Format:
    """Inner size of the upper plot in pixels, and what fits beside and below it."""

    width: int
    height: int


WIDE: Final = Format(width=640, height=220)
BESIDE_TEXT: Final = Format(width=380, height=200)
NARROW: Final = Format(width=250, height=170)


def drift_steps(
    course: pd.DataFrame, *, limit_percent: float, max_change_percent: float, layout: Format = WIDE
) -> alt.VConcatChart:
    """The chart of a skill's drift.

    Parameters
    ----------
    course
        From ``drift_course``, its last row ``waiting`` where something waits for approval.
    limit_percent
        Net drift from which on nothing is refined.
    max_change_percent
        What one refinement may change at most.
    """
    frame = course.reset_index(drop=True).assign(place=range(len(course)))
    both: alt.VConcatChart = alt.vconcat(
        _upper(frame, limit=limit_percent, layout=layout),
        _lower(frame, limit=max_change_percent, layout=layout),
        spacing=34,
        bounds="flush",
    ).properties(config=skilltune_theme()["config"], padding={"left": 4, "right": 40, "top": 6, "bottom": 4})
    return both


def drift_steps_table(course: pd.DataFrame) -> pd.DataFrame:
    """The chart's numbers, one row a version; ``at`` as a date in UTC."""
    return course[TABLE].assign(at=course["at"].dt.date).reset_index(drop=True)


def drift_words(course: pd.DataFrame, *, skill: str, limit_percent: float) -> str:
    """The chart in a sentence or two, for those who cannot see it."""
    known = course[course["kind"] != "waiting"]
    waiting = course[course["kind"] == "waiting"]
    now = known["net_percent"].iloc[-1] if len(known) else math.nan
    if math.isnan(now):
        return f"How far {skill} has moved is not known: there is no first text to compare with."
    path = known["path_percent"].iloc[-1]
    if len(course) == 1:
        return f"{skill} has one version, its first text: there is no step yet. The limit is {limit_percent:g}%."
    moved = f"has moved {now:.1f}% from" if now else "is again as in"
    told = f"{skill} {moved} its first text; all steps added up are {path:.1f}% of that text."
    if len(waiting):
        told += f" What waits for approval would make it {waiting['net_percent'].iloc[-1]:.1f}%."
    steps = max(len(known) - 1, 0)
    return f"{told} The limit is {limit_percent:g}%. {steps} {'step' if steps == 1 else 'steps'} so far."


def _upper(frame: pd.DataFrame, *, limit: float, layout: Format) -> alt.LayerChart:
    top = _top([*frame["net_percent"], *frame["path_percent"], limit * LEAST_TOP], step=20)
    y = partial(_axis, top=top, step=20 if top <= 120 else 10 * math.ceil(top / 50))
    layers = [
        _limit_rule(limit, y=y),
        *_way(frame, "path_percent", scale=y, colour="ink3", width=1.5, area=34),
        *_way(frame, "net_percent", scale=y, colour="better", width=3, area=84),
        *_limit_words(limit, y=y, words=f"{limit:g}%: no refinement from here on (net drift)", x=0),
        *_values(frame, y=y),
        *_ends(frame, top=top, layout=layout),
    ]
    return _plot(layers, height=layout.height, layout=layout)


def _lower(frame: pd.DataFrame, *, limit: float, layout: Format) -> alt.LayerChart:
    top = _top([*frame["step_percent"].iloc[1:], limit * LEAST_TOP], step=5)
    y = partial(_axis, top=top, step=limit / 2 if top <= 2 * limit else _round_step(top))
    layers = [
        _limit_rule(limit, y=y),
        *_limit_words(limit, y=y, words=f"{limit:g}% a refinement", x=layout.width),
        *_bars(frame.iloc[1:], y=y, top=top, layout=layout),
        *_below(frame, layout=layout),
        _title(),
    ]
    return _plot(layers, height=STEPS_HEIGHT, layout=layout)


def _plot(layers: list[alt.Chart], *, height: int, layout: Format) -> alt.LayerChart:
    plot: alt.LayerChart = alt.LayerChart(layer=layers).properties(width=layout.width, height=height)
    return plot


def _x(count: int) -> alt.X:
    """The places of so many versions."""
    last = max(count - 1, 1)
    return alt.X("place:Q", scale=alt.Scale(domain=[-0.45, last + 0.45], nice=False), axis=None)


def _axis(column: str, *, top: float, step: float) -> alt.Y:
    ticks = [round(step * n, 6) for n in range(int(top / step + 1e-9) + 1)]
    return alt.Y(
        f"{column}:Q",
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(
            values=ticks,
            labelExpr=f"format(datum.value, 'd') + (datum.value >= {ticks[-1]} ? '%' : '')",
            title=None,
            gridColor=alt.condition("datum.value == 0", alt.value(LIGHT["rule2"]), alt.value(LIGHT["rule"])),
        ),
    )


def _limit_rule(limit: float, *, y: Scale) -> alt.Chart:
    row = alt.Chart(pd.DataFrame({"limit": [limit]}))
    rule = row.mark_rule(color=LIGHT["worse-text"], strokeDash=[6, 4], strokeWidth=1.5)
    return _placed(rule, y=y("limit"))


def _limit_words(limit: float, *, y: Scale, words: str, x: int) -> list[alt.Chart]:
    """What the dashed line is, above its beginning or right of its end."""
    row = pd.DataFrame({"limit": [limit], "words": [words]})
    style: dict[str, Any] = {"align": "left", "fontWeight": 600}
    style |= {"baseline": "middle", "dx": 8} if x else {"baseline": "bottom", "dx": 5, "dy": -4}
    at = y("limit")
    return _haloed(row, text="words", colour="worse-text", style=style, x=alt.value(x), y=at)


def _way(frame: pd.DataFrame, column: str, *, scale: Scale, colour: str, width: float, area: int) -> list[alt.Chart]:
    """A line through the versions there are, its dots, and dotted on to the one that waits, which is hollow."""
    y = scale(column)
    points = frame[["place", column, "kind"]].dropna()
    there, ahead = points[points["kind"] != "waiting"], points[points["kind"] == "waiting"]
    bridge = pd.concat([there.tail(1), ahead]) if len(ahead) else ahead
    line: dict[str, Any] = {"color": LIGHT[colour], "strokeWidth": width, "strokeJoin": "round", "strokeCap": "round"}
    dot: dict[str, Any] = {"filled": True, "size": area, "opacity": 1, "shape": "circle"}
    parts = [
        (there, alt.Chart(there[["place", column]]).mark_line(**line)),
        (bridge, alt.Chart(bridge[["place", column]]).mark_line(**line | {"strokeDash": [1, 5]})),
        (there, alt.Chart(there[["place", column]]).mark_point(**dot, color=LIGHT[colour])),
        (
            ahead,
            alt.Chart(ahead[["place", column]]).mark_point(
                **dot, fill=LIGHT["bg"], stroke=LIGHT[colour], strokeWidth=min(width, 2)
            ),
        ),
    ]
    return [_placed(chart, x=_x(len(frame)), y=y) for rows, chart in parts if len(rows)]


def _values(frame: pd.DataFrame, *, y: Scale) -> list[alt.Chart]:
    """Net drift in numbers below its dots, but for the first, which is 0, and the last, which has its label."""
    rows = frame.iloc[1:-1].dropna(subset=["net_percent"])
    if rows.empty or len(frame) > 14:
        return []
    rows = rows.assign(label=rows["net_percent"].map("{:.1f}".format))[["place", "net_percent", "label"]]
    style: dict[str, Any] = {"dy": 18, "fontSize": 13, "fontWeight": 600}
    at = y("net_percent")
    return _haloed(rows, text="label", colour="better-text", style=style, x=_x(len(frame)), y=at)


def _ends(frame: pd.DataFrame, *, top: float, layout: Format) -> list[alt.Chart]:
    """What the lines are and where they end, right of them; kept apart where they end together."""
    last = frame.iloc[-1]
    if math.isnan(last["net_percent"]):
        return []
    path, net = (layout.height * (1 - last[name] / top) for name in ("path_percent", "net_percent"))
    net = min(net, layout.height - CLEAR)
    if net - path < BESIDE:
        middle = min(max((path + net) / 2, BESIDE / 2), layout.height - CLEAR - BESIDE / 2)
        path, net = middle - BESIDE / 2, middle + BESIDE / 2
    words = [
        (path - 6, f"path {last['path_percent']:.1f}", "ink2", 600),
        (path + 10, "all steps added up", "ink3", 400),
        (net - 6, f"net drift {last['net_percent']:.1f}", "better-text", 600),
        (net + 10, "from the first text", "ink3", 400),
    ]
    right = layout.width * (len(frame) - 0.55 if len(frame) > 1 else 0.45) / (max(len(frame) - 1, 1) + 0.9) + 14
    layers = []
    for at, text, colour, weight in words:
        row = pd.DataFrame({"text": [text]})
        style: dict[str, Any] = {"align": "left", "fontSize": 13 if weight == 600 else 12, "fontWeight": weight}
        layers += _haloed(row, text="text", colour=colour, style=style, x=alt.value(right), y=alt.value(at))
    return layers


def _bars(frame: pd.DataFrame, *, y: Scale, top: float, layout: Format) -> list[alt.Chart]:
    """Steps: full for refinements, hollow for what the bound does not hold, dotted for what waits."""
    wide = max(6, min(44, 0.42 * layout.width / (len(frame) + 1)))
    looks: list[tuple[pd.Series, dict[str, Any]]] = [
        (frame["kind"] == "refine", {"color": LIGHT["better"]}),
        (frame["kind"] == "waiting", {"fill": LIGHT["bg"], "stroke": LIGHT["better"], "strokeDash": [3, 3]}),
        (~frame["kind"].isin(["refine", "waiting"]), {"fill": LIGHT["bg"], "stroke": LIGHT["ink3"]}),
    ]
    layers = []
    whole = len(frame) + 1
    for which, look in looks:
        rows = frame.loc[which, ["place", "step_percent"]].dropna()
        if rows.empty:
            continue
        bars = alt.Chart(rows).mark_bar(size=wide, **({"strokeWidth": 1.5} | look if "stroke" in look else look))
        layers.append(_placed(bars, x=_x(whole), y=y("step_percent")))
        layers += _bar_values(rows, full="color" in look, whole=whole, wide=wide, y=y, top=top)
    return layers


def _bar_values(rows: pd.DataFrame, *, full: bool, whole: int, wide: float, y: Scale, top: float) -> list[alt.Chart]:
    """The size of each step: in its bar where there is room, else above it."""
    if wide < 26:
        return []
    shown = rows.assign(label=rows["step_percent"].map("{:.1f}".format))
    inside = shown["step_percent"] / top * STEPS_HEIGHT >= 24
    at: dict[str, Any] = {"x": _x(whole), "y": y("step_percent")}
    layers = []
    if inside.any():
        colour = LIGHT["bg" if full else "ink2"]
        layers.append(_placed(alt.Chart(shown[inside]).mark_text(dy=13, color=colour), text="label:N", **at))
    if (~inside).any():
        layers += _haloed(shown[~inside], text="label", colour="ink2", style={"dy": -8}, **at)
    return layers


def _below(frame: pd.DataFrame, *, layout: Format) -> list[alt.Chart]:
    """Version, what was done, and when, under the bars; less where they stand close."""
    apart = layout.width / (max(len(frame) - 1, 1) + 0.9)
    every = max(1, math.ceil(34 / apart))
    named = frame.iloc[::-1].iloc[::every].iloc[::-1]
    bold = {"fontSize": 13, "fontWeight": 600, "color": LIGHT["ink"]}
    layers = [_line(named["name"], named, under=18, whole=len(frame), **bold)]
    if apart < DATED:
        return layers
    days = [[f"{at.day} {at:%b}"] if not pd.isna(at) else [] for at in frame["at"]]
    done = [textwrap.wrap(words, max(1, int(apart / LETTER))) if apart >= TOLD else [] for words in frame["told"]]
    for parts, colour in ((done, "ink2"), (days, "ink3")):
        first = [len(before) if parts is days else 0 for before in done]
        for row in range(LINES):
            words = [
                part[row - begin] if 0 <= row - begin < len(part) else ""
                for part, begin in zip(parts, first, strict=True)
            ]
            if any(words):
                under = 36 + LINE * row
                layers.append(_line(pd.Series(words), frame, under=under, whole=len(frame), color=LIGHT[colour]))
    return layers


def _line(words: pd.Series, frame: pd.DataFrame, *, under: int, whole: int, **style: Any) -> alt.Chart:
    """One line of words under the bars."""
    marks = alt.Chart(frame[["place"]].assign(text=words.to_numpy())).mark_text(**style)
    return _placed(marks, x=_x(whole), y=alt.value(STEPS_HEIGHT + under), text="text:N")


def _title() -> alt.Chart:
    title = alt.Chart(pd.DataFrame({"text": ["size of each step, in % of the text before it"]}))
    return _placed(
        title.mark_text(align="left", fontWeight=600, color=LIGHT["ink2"]),
        x=alt.value(-36),
        y=alt.value(-14),
        text="text:N",
    )


def _haloed(rows: pd.DataFrame, *, text: str, colour: str, style: dict[str, Any], **at: Any) -> list[alt.Chart]:
    """A text over a halo of the background."""
    halo = alt.Chart(rows).mark_text(**style, color=LIGHT["bg"], stroke=LIGHT["bg"], strokeWidth=4, strokeJoin="round")
    words = alt.Chart(rows).mark_text(**style, color=LIGHT[colour])
    return [_placed(part, text=f"{text}:N", **at) for part in (halo, words)]


def _top(values: list[float], *, step: int) -> float:
    return step * math.ceil(max((value for value in values if not math.isnan(value)), default=step) / step)


def _round_step(top: float) -> float:
    return 10 * math.ceil(top / 40)


def _placed(chart: alt.Chart, **channels: Any) -> alt.Chart:
    placed: alt.Chart = chart.encode(**channels)
    return placed
