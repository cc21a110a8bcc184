"""The course of one skill's rate over weeks: line, interval band, rings for single weeks, version marks, n per week."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import altair as alt
import pandas as pd

from skilltune.charts.theme import LIGHT, skilltune_theme

__all__ = ["NARROW", "WEEK", "WIDE", "Format", "course_table", "rate_course"]

GAPS: Final = "break-paths-show-path-domains"
"""Weeks without a rate interrupt lines and bands."""
N_ROW: Final = 40
"""How far the row of n lies under the axis."""
WEEK: Final = timedelta(days=7)
ABOVE: Final = 44
"""Room above the plot for the labels of version marks, clear of rings at its top."""
HEADING: Final = 22
"""Room above these for a heading."""


@dataclass(frozen=True, slots=True)
class Format:
    """Inner size of a chart in pixels, and what fits into it."""

    width: int
    height: int
    every: int
    """Each how many weeks have their date on the axis."""
    label_days: int
    """Version marks nearer together than this have one label, the last one's."""
    ring_area: int
    """Area of the largest ring, in square pixels."""
    right: int
    """Room for the last number."""
    bottom: int
    """Room for the dates, the row of n and its title."""
    narrow: bool = False
    """Version marks have no date, and the row of n has its title below it, in words."""


WIDE: Final = Format(width=800, height=230, every=1, label_days=8, ring_area=230, right=56, bottom=52)
NARROW: Final = Format(width=264, height=180, every=3, label_days=22, ring_area=130, right=52, bottom=66, narrow=True)


def rate_course(
    course: pd.DataFrame,
    *,
    versions: pd.DataFrame,
    time_zone: str,
    label: str,
    turned: pd.Timestamp | None = None,
    heading: tuple[str, str] | None = None,
    layout: Format = WIDE,
) -> alt.LayerChart:
    """The chart of one skill's course: a rate stands at its week's end, a week's ring and n in its middle.

    Parameters
    ----------
    course
        Rows of ``rate_over_time`` for one skill: ``week``, ``rate``, ``low``, ``high``, ``week_rate``, ``week_sample``.
    versions
        ``number`` and ``since`` of the texts that began in these weeks; where there is a column ``how``, how each came
        to be ("" for not known). A change that no use showed has no number.
    time_zone
        Whose Mondays the weeks are.
    label
        The last rate in words.
    turned
        From here on the line is drawn as got worse; None draws all of it in grey.
    heading
        Words over the chart, and their colour.
    """
    weeks = _weeks(course, time_zone=time_zone)
    marks = _version_marks(versions, weeks, time_zone=time_zone, layout=layout)
    begin = _local(turned, time_zone) if turned is not None else None
    layers = [
        _band(weeks),
        *_lines(weeks, begin=begin),
        *_version_rules(marks, begin=begin),
        _rings(weeks, layout=layout),
        *_version_names(marks, begin=begin, layout=layout),
        *_last(weeks, label=label, worse=begin is not None),
        _n_row(weeks, layout=layout),
    ]
    x = _x(weeks, layout=layout)
    still = [_n_title(layout=layout), *([_heading(*heading)] if heading else [])]
    chart = alt.LayerChart(layer=[*(layer.encode(x=x) for layer in layers), *still])
    sized: alt.LayerChart = chart.properties(
        width=layout.width,
        height=layout.height,
        autosize=alt.AutoSizeParams(type="none"),
        padding={"left": 40, "right": layout.right, "top": ABOVE + HEADING * bool(heading), "bottom": layout.bottom},
        config=skilltune_theme()["config"],
    )
    return sized


def course_table(course: pd.DataFrame, *, time_zone: str) -> pd.DataFrame:
    """The chart's numbers, one row a week; ``week`` is its local Monday as a date."""
    columns = ["week", "rate", "low", "high", "sample_size", "week_rate", "week_sample"]
    return course[columns].assign(week=course["week"].dt.tz_convert(time_zone).dt.date).reset_index(drop=True)


def _local(moment: pd.Timestamp, time_zone: str) -> pd.Timestamp:
    """The local wall clock, marked UTC: drawn the same wherever the chart is made."""
    return pd.Timestamp(moment).tz_convert(time_zone).tz_localize(None).tz_localize("UTC")


def _weeks(course: pd.DataFrame, *, time_zone: str) -> pd.DataFrame:
    monday = course["week"].dt.tz_convert(time_zone).dt.tz_localize(None).dt.tz_localize("UTC")
    frame = course[["rate", "low", "high", "week_rate", "week_sample"]]
    return frame.assign(monday=monday, at=monday + WEEK, middle=monday + WEEK / 2).sort_values("at", ignore_index=True)


def _x(weeks: pd.DataFrame, *, layout: Format) -> alt.X:
    first, last = weeks["monday"].min(), weeks["at"].max()
    shown = weeks["monday"].iloc[:: -layout.every][::-1]
    return alt.X(
        "at:T",
        scale=alt.Scale(type="utc", domain=[first.isoformat(), last.isoformat()], nice=False),
        axis=alt.Axis(
            values=[moment.isoformat() for moment in shown],
            labelExpr="utcFormat(datum.value, '%-d %b')",
            labelOverlap=False,
            labelFlush=False,
            labelBound=False,
            grid=False,
            ticks=True,
            tickSize=5,
            tickColor=LIGHT["rule2"],
            labelPadding=4,
            title=None,
        ),
    )


def _y(weeks: pd.DataFrame, column: str) -> alt.Y:
    highest = weeks[["high", "rate", "week_rate"]].fillna(0).to_numpy().max(initial=0.3)
    top = min(-(-round(highest * 100, 6) // 20) * 20, 100)
    ticks = [share / 100 for share in range(0, int(top) + 1, 20 if top > 40 else 10)]
    return alt.Y(
        f"{column}:Q",
        scale=alt.Scale(domain=[0, top / 100], nice=False),
        axis=alt.Axis(
            values=ticks,
            labelExpr=f"format(datum.value * 100, 'd') + (datum.value >= {ticks[-1]} ? '%' : '')",
            title=None,
            gridColor=alt.condition("datum.value == 0", alt.value(LIGHT["rule2"]), alt.value(LIGHT["rule"])),
        ),
    )


def _band(weeks: pd.DataFrame) -> alt.Chart:
    area = alt.Chart(weeks[["at", "low", "high"]]).mark_area(color=LIGHT["band"], invalid=GAPS)
    return _placed(area, y=_y(weeks, "low"), y2="high:Q")


def _lines(weeks: pd.DataFrame, *, begin: pd.Timestamp | None) -> list[alt.Chart]:
    """The whole course in grey and, from `begin` on, in the colour of "got worse"."""
    parts = [(weeks, "mark")]
    if begin is not None:
        line = _with_point(weeks[["at", "rate"]], begin)
        parts = [(line[line["at"] <= begin], "mark"), (line[line["at"] >= begin], "worse")]
    return [
        _placed(
            alt.Chart(part[["at", "rate"]]).mark_line(
                color=LIGHT[colour], strokeWidth=2.25, strokeJoin="round", strokeCap="round", invalid=GAPS
            ),
            y=_y(weeks, "rate"),
        )
        for part, colour in parts
        if part["rate"].notna().any()
    ]


def _with_point(line: pd.DataFrame, at: pd.Timestamp) -> pd.DataFrame:
    """`line` with a point on it at `at`, where that lies between two weeks with a rate."""
    before, after = line[line["at"] < at].tail(1), line[line["at"] >= at].head(1)
    ends = pd.concat([before, after])
    if len(ends) < 2 or ends["rate"].isna().any():
        return line
    share = (at - ends["at"].iloc[0]) / (ends["at"].iloc[1] - ends["at"].iloc[0])
    rate = ends["rate"].iloc[0] + share * (ends["rate"].iloc[1] - ends["rate"].iloc[0])
    point = pd.DataFrame({"at": [at], "rate": [rate]})
    return pd.concat([line[line["at"] < at], point, line[line["at"] >= at]], ignore_index=True)


def _rings(weeks: pd.DataFrame, *, layout: Format) -> alt.Chart:
    drawn = weeks.loc[weeks["week_rate"].notna(), ["middle", "week_rate", "week_sample"]].rename(
        columns={"middle": "at"}
    )
    largest = max(float(drawn["week_sample"].max() or 1), 1.0) if len(drawn) else 1.0
    scale = alt.Scale(domain=[0, largest], range=[0, layout.ring_area])
    rings = alt.Chart(drawn).mark_point(
        shape="circle", filled=True, fill=LIGHT["bg"], stroke=LIGHT["mark"], strokeWidth=1.4, opacity=1
    )
    return _placed(rings, y=_y(weeks, "week_rate"), size=alt.Size("week_sample:Q", scale=scale, legend=None))


def _last(weeks: pd.DataFrame, *, label: str, worse: bool) -> list[alt.Chart]:
    """The dot on the last known rate and its number, over a halo."""
    last = weeks.loc[weeks["rate"].notna(), ["at", "rate"]].tail(1)
    if last.empty:
        return []
    last = last.assign(label=label)
    dot = alt.Chart(last[["at", "rate"]]).mark_circle(color=LIGHT["worse" if worse else "mark"], size=70, opacity=1)
    number: dict[str, Any] = {"text": "label:N", "y": _y(weeks, "rate")}
    style: dict[str, Any] = {"align": "left", "dx": 9, "fontSize": 14, "fontWeight": 600}
    halo = alt.Chart(last).mark_text(**style, stroke=LIGHT["bg"], strokeWidth=4, strokeJoin="round", color=LIGHT["bg"])
    text = alt.Chart(last).mark_text(**style, color=LIGHT["worse-text" if worse else "ink"])
    return [_placed(dot, y=_y(weeks, "rate")), _placed(halo, **number), _placed(text, **number)]


def _version_marks(versions: pd.DataFrame, weeks: pd.DataFrame, *, time_zone: str, layout: Format) -> pd.DataFrame:
    """``at``, ``label``, ``since``, ``late`` of the marks in the drawn weeks; of a crowd only the last has a label."""
    first, last = weeks["monday"].min(), weeks["at"].max()
    at = versions["since"].dt.tz_convert(time_zone).dt.tz_localize(None).dt.tz_localize("UTC")
    marks = versions.assign(at=at)[(at > first) & (at < last)].sort_values("at")
    gap = marks["at"].shift(-1) - marks["at"]
    crowded = gap.notna() & (gap < timedelta(days=layout.label_days))
    late = marks["at"] > last - timedelta(days=layout.label_days + 5)
    day = marks["at"].dt.strftime("%d %b").str.lstrip("0")
    how = marks["how"].astype("str") if "how" in marks.columns else pd.Series("", index=marks.index, dtype="str")
    near = timedelta(days=2 * layout.label_days)
    cramped = (gap < near) | ((marks["at"] - marks["at"].shift() < near) & late)
    came = (how + ", ").mask((how == "") | cramped, "")
    nameless = marks["number"].isna()
    name = ("v" + marks["number"].astype("str")).mask(nameless, how)
    return pd.DataFrame(
        {
            "at": marks["at"],
            "label": name.where(~crowded, ""),
            "since": (came + "from " + day).mask(nameless, day).where(~crowded, ""),
            "late": late,
        }
    )


def _version_rules(marks: pd.DataFrame, *, begin: pd.Timestamp | None) -> list[alt.Chart]:
    """Dashed marks; the one where the rate turned has its colour."""
    layers = []
    for here, colour in zip(_by_turn(marks, begin=begin), ("ink3", "worse-text"), strict=True):
        rule = alt.Chart(here[["at"]]).mark_rule(strokeDash=[4, 3], strokeWidth=1.25, color=LIGHT[colour])
        layers += [_placed(rule, y=alt.value(6 - ABOVE), y2=alt.value("height"))] if len(here) else []
    return layers


def _version_names(marks: pd.DataFrame, *, begin: pd.Timestamp | None, layout: Format) -> list[alt.Chart]:
    """The labels above the marks: the version and, where there is room, since when."""
    layers = []
    for here, colour in zip(_by_turn(marks, begin=begin), ("ink2", "worse-text"), strict=True):
        for late, side in here.groupby("late"):
            layers += _mark_text(side, "label", late=bool(late), dy=0, fontWeight=600, color=LIGHT[colour])
            if not layout.narrow:
                layers += _mark_text(side, "since", late=bool(late), dy=14, fontWeight=400, color=LIGHT["ink3"])
    return layers


def _by_turn(marks: pd.DataFrame, *, begin: pd.Timestamp | None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The marks without the one where the rate turned, and that one."""
    turned = marks["at"] == begin if begin is not None else pd.Series(data=False, index=marks.index)
    return marks[~turned], marks[turned]


def _mark_text(marks: pd.DataFrame, column: str, *, late: bool, color: str, **style: Any) -> list[alt.Chart]:
    """A label over its halo, above its mark and at the right of it; at the left near the end."""
    style |= {"align": "right" if late else "left", "dx": -6 if late else 6}
    words = alt.Chart(marks[["at", column]])
    halo = words.mark_text(**style, stroke=LIGHT["bg"], strokeWidth=4, strokeJoin="round", color=LIGHT["bg"])
    place: dict[str, Any] = {"y": alt.value(12 - ABOVE), "text": f"{column}:N"}
    return [_placed(halo, **place), _placed(words.mark_text(**style, color=color), **place)]


def _n_row(weeks: pd.DataFrame, *, layout: Format) -> alt.Chart:
    row = alt.Chart(weeks[["middle", "week_sample"]].rename(columns={"middle": "at"})).mark_text(color=LIGHT["ink2"])
    return _placed(row, y=alt.value(layout.height + N_ROW), text="week_sample:Q")


def _n_title(*, layout: Format) -> alt.Chart:
    """What the row of n is, once."""
    title = alt.Chart(pd.DataFrame({"label": ["n judged each week" if layout.narrow else "n"]}))
    if layout.narrow:
        below = alt.value(layout.height + N_ROW + 17)
        return _placed(title.mark_text(align="left"), x=alt.value(0), y=below, text="label:N")
    return _placed(title.mark_text(align="right"), x=alt.value(-8), y=alt.value(layout.height + N_ROW), text="label:N")


def _heading(words: str, colour: str) -> alt.Chart:
    title = alt.Chart(pd.DataFrame({"label": [words]})).mark_text(
        align="left", color=colour, fontSize=13, fontWeight=600
    )
    return _placed(title, x=alt.value(0), y=alt.value(-ABOVE - HEADING / 2), text="label:N")


def _placed(chart: alt.Chart, **channels: Any) -> alt.Chart:
    placed: alt.Chart = chart.encode(**channels)
    return placed
