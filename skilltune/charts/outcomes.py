"""What became of uses, week by week, and after how many turns people answered: shares as bars in steps of grey."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

import altair as alt
import pandas as pd

from skilltune.charts.layout import (
    counted,
    faded_under,
    heading,
    in_rows,
    key,
    names_at_left,
    percent_axis,
    placed,
    row_chart,
    row_places,
    sentence,
    whole_percent,
)
from skilltune.charts.showing import use_charts_in_notebook
from skilltune.charts.theme import LIGHT, skilltune_theme
from skilltune.errors import InputError

__all__ = [
    "NARROW",
    "WIDE",
    "MixFormat",
    "outcome_mix_bars",
    "outcome_mix_table",
    "outcome_mix_words",
    "turns_to_feedback_bars",
    "turns_to_feedback_table",
    "turns_to_feedback_words",
]

OUTCOMES: Final = {
    "correction": ("corrected", "ink2"),
    "partial": ("partly", "edge"),
    "acceptance": ("accepted in words", "rule2"),
    "moved_on": ("moved on", "rule"),
    "not_judged": ("not judged", "bg"),
}
"""Each outcome's words and ground, from the bottom of a bar up; no colour, as a share alone is no change."""
HEIGHT: Final = 190
_LINE: Final = 19
"""Height of a line of the key."""


@dataclass(frozen=True, slots=True)
class MixFormat:
    """Sizes in pixels of the chart of what became of uses, and what stands around it."""

    week: int
    bar: int
    left: int
    least: int
    """Width of the plot, at least."""
    every: int
    """A day stands under each so many weeks, the last one among them."""
    lines: tuple[int, ...]
    """How many words each line of the key has."""
    weeks: str
    judged: str
    """What stands before the days and the numbers."""

    @property
    def top(self) -> int:
        """Room for the key."""
        return 15 + _LINE * len(self.lines)


WIDE: Final = MixFormat(54, 32, 92, 490, 1, (5,), "week of", "judged uses")
NARROW: Final = MixFormat(24, 16, 58, 240, 3, (2, 2, 1), "week", "judged")
WIDTH: Final = 420
_INSIDE: Final = 0.08
"""Share from which on a bar's part has its number inside."""
_GREYS: Final = ("ink2", "rule2", "band", "well")
"""Grounds of the first turn, the second and so on; on the first stands bg, on the others ink."""
_NO_MIX: Final = "No use is dated in these weeks."
_NO_TURNS: Final = "No use was judged in this window."


def outcome_mix_bars(mix: pd.DataFrame, *, layout: MixFormat = WIDE) -> alt.LayerChart | alt.Chart:
    """The chart of what became of uses: one bar a week, shares from 0 to 100 %, n under each.

    Parameters
    ----------
    mix : DataFrame
        From `outcome_mix`, by week alone or of one skill.
    layout : MixFormat
        `WIDE`, or `NARROW` for a telephone.

    Returns
    -------
    Chart
        A sentence where there is no dated week.

    Raises
    ------
    InputError
        The frame holds several skills.
    """
    weeks = _weeks(mix)
    if weeks.empty:
        return sentence(_NO_MIX)
    use_charts_in_notebook()
    places = weeks.drop_duplicates("place")
    layers = [
        *_mix_key(layout),
        _stacks(weeks, count=len(places), bar=layout.bar),
        _under(places, "n", y=HEIGHT + 38, count=len(places)),
        _under(places.iloc[::-1].iloc[:: layout.every], "day", y=HEIGHT + 18, count=len(places)),
        heading(layout.judged, x=-10, align="right", y=HEIGHT + 38),
        heading(layout.weeks, x=-10, align="right", y=HEIGHT + 18),
    ]
    chart: alt.LayerChart = alt.LayerChart(layer=layers).properties(
        width=max(layout.week * len(places), layout.least),
        height=HEIGHT,
        autosize=alt.AutoSizeParams(type="none"),
        padding={"left": layout.left, "right": 24, "top": layout.top, "bottom": 52},
        description=outcome_mix_words(mix),
        config=skilltune_theme()["config"],
    )
    return chart


def outcome_mix_table(mix: pd.DataFrame) -> pd.DataFrame:
    """The chart's numbers: one row per week, a column per outcome, and the judged uses."""
    dated = _dated(mix)
    wide = dated.pivot_table(index="week", columns="outcome", values="n", aggfunc="sum", observed=True)
    wide = wide.reindex(columns=[name for name in OUTCOMES if name in wide.columns])
    judged = dated.groupby("week")["sample_size"].max()
    return wide.assign(sample_size=judged).reset_index().rename_axis(columns=None)


def outcome_mix_words(mix: pd.DataFrame) -> str:
    """The chart in a sentence: the first and the last week's share of corrected uses, and n."""
    weeks = _weeks(mix)
    if weeks.empty:
        return _NO_MIX
    wrong = weeks[weeks["outcome"] == "correction"].dropna(subset=["share"])
    judged = int(weeks.drop_duplicates("place")["sample_size"].sum())
    told = f"What became of uses in {weeks['place'].nunique()} weeks, n = {judged} judged."
    if wrong.empty:
        return told
    first, last = wrong.iloc[0], wrong.iloc[-1]
    if len(wrong) == 1:
        return f"{told} Corrected in the week of {last['day']}: {whole_percent(last['share'])} of uses."
    return (
        f"{told} Corrected: {whole_percent(first['share'])} of uses in the week of {first['day']}, "
        f"{whole_percent(last['share'])} in the week of {last['day']}."
    )


def turns_to_feedback_bars(turns: pd.DataFrame) -> alt.LayerChart | alt.Chart:
    """The chart of how many turns it took until the verdict: one bar a skill, parts for the first, second, third turn.

    Parameters
    ----------
    turns : DataFrame
        From `turns_to_feedback`, grouped by skill_id.

    Returns
    -------
    Chart
        Most judged uses first; a sentence where there is none.
    """
    table = turns_to_feedback_table(turns)
    if table.empty:
        return sentence(_NO_TURNS)
    rows = row_places(table).assign(sum=table["sample_size"].map("{:,}".format))
    numbers = sorted(turns["turns"].unique().tolist())
    parts = _parts(turns, rows)
    width = WIDTH
    layers = [
        *key([(_ordinal(number), _GREYS[at % len(_GREYS)]) for at, number in enumerate(numbers)]),
        names_at_left(rows),
        *_row_bars(parts, count=len(rows)),
        counted(rows, "sum", width=width),
        heading("judged uses", x=width + 14),
    ]
    words = turns_to_feedback_words(turns)
    return row_chart(layers, names=rows["name"].tolist(), description=words, width=width, right=100)


def turns_to_feedback_table(turns: pd.DataFrame) -> pd.DataFrame:
    """The chart's numbers: one row per skill, a column per number of turns, and the judged uses."""
    wide = turns.pivot_table(index="skill_id", columns="turns", values="n", aggfunc="sum", fill_value=0, observed=True)
    wide = wide.astype("int64")
    table = wide.assign(sample_size=wide.sum(axis=1)).reset_index().rename_axis(columns=None)
    table = table[table["sample_size"] > 0]
    return table.sort_values(["sample_size", "skill_id"], ascending=[False, True], ignore_index=True)


def turns_to_feedback_words(turns: pd.DataFrame) -> str:
    """The chart in a sentence: which part of all judged uses was decided in the first turn."""
    n = int(turns["n"].sum()) if len(turns) else 0
    if not n:
        return _NO_TURNS
    first = int(turns.loc[turns["turns"] == 1, "n"].sum())
    skills = turns.loc[turns["n"] > 0, "skill_id"].nunique()
    told = f"Turns until a use was judged, {skills} {'skill' if skills == 1 else 'skills'}, n = {n}."
    return f"{told} In the first turn: {whole_percent(first / n)}."


def _mix_key(layout: MixFormat) -> Iterator[alt.Chart]:
    """What the grounds mean, in as many lines as the width takes."""
    entries = iter(OUTCOMES.values())
    for number, words in enumerate(layout.lines):
        yield from key(list(islice(entries, words)), y=-14 - _LINE * (len(layout.lines) - 1 - number))


def _dated(mix: pd.DataFrame) -> pd.DataFrame:
    skills = set(mix["skill_id"]) if "skill_id" in mix.columns else set()
    if len(skills) > 1:
        raise InputError(
            f"the table has {len(skills)} skills and the chart shows one: choose it, or group by week only"
        )
    return mix[mix["week"].notna()]


def _weeks(mix: pd.DataFrame) -> pd.DataFrame:
    """One row per week and outcome with a share: place, day in words, share, ground, order, opacity, n."""
    dated = _dated(mix)
    moments = sorted(dated["week"].unique())
    places = {moment: at for at, moment in enumerate(moments)}
    known = dated[dated["share"].notna()].astype({"outcome": "str"})
    order = list(OUTCOMES)
    return known.assign(
        place=known["week"].map(places).astype("int64"),
        day=[_day(moment) for moment in known["week"]],
        ground=known["outcome"].map(lambda name: LIGHT[OUTCOMES[name][1]]),
        order=known["outcome"].map(order.index),
        opacity=faded_under(known["sample_size"]),
        n=known["sample_size"].map("{:,}".format),
    ).sort_values(["place", "order"], ignore_index=True)


def _day(moment: pd.Timestamp) -> str:
    """The Monday of a week, which begins up to 14 hours before or after that of UTC."""
    day = moment.floor("D")
    monday = day if day.weekday() == 0 else day + pd.Timedelta(days=1)
    return f"{monday.day} {monday:%b}"


def _stacks(weeks: pd.DataFrame, *, count: int, bar: int) -> alt.Chart:
    told = [
        f"{OUTCOMES[outcome][0]}, week of {day}: {whole_percent(share)}, n = {n} judged"
        for outcome, day, share, n in zip(*(weeks[name] for name in ("outcome", "day", "share", "n")), strict=True)
    ]
    drawn = weeks[["place", "share", "ground", "order", "opacity"]].assign(told=pd.Series(told, dtype="str"))
    drawn = drawn[drawn["share"] > 0]
    bars = alt.Chart(drawn).mark_bar(size=bar, stroke=LIGHT["edge"], strokeWidth=0.75)
    y = alt.Y(
        "share:Q",
        stack="zero",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(
            values=[0, 0.25, 0.5, 0.75, 1],
            labelExpr="format(datum.value * 100, 'd') + (datum.value >= 1 ? '%' : '')",
            title="share of uses",
            gridColor=LIGHT["rule"],
        ),
    )
    return placed(
        bars,
        x=_by_week(count),
        y=y,
        fill=alt.Fill("ground:N", scale=None),
        order="order:Q",
        tooltip="told:N",
        opacity=alt.Opacity("opacity:Q", scale=None),
    )


def _by_week(count: int) -> alt.X:
    return alt.X("place:Q", scale=alt.Scale(domain=[-0.6, count - 0.4], nice=False), axis=None)


def _under(places: pd.DataFrame, column: str, *, y: int, count: int) -> alt.Chart:
    text = alt.Chart(places[["place", column]]).mark_text(color=LIGHT["ink2" if column == "n" else "ink3"])
    return placed(text, x=_by_week(count), y=alt.value(y), text=f"{column}:N")


def _parts(turns: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """One row per skill and number of turns: begin, end and middle as shares, its ground, ink and count."""
    numbers = sorted(turns["turns"].unique())
    known = turns[turns["skill_id"].isin(rows["skill_id"])].sort_values(["skill_id", "turns"])
    end = known.groupby("skill_id")["share"].cumsum()
    order = known["turns"].map(numbers.index)
    place = known["skill_id"].map(rows.set_index("skill_id")["place"])
    enough = known["skill_id"].map(faded_under(rows.set_index("skill_id")["sample_size"]))
    told = [
        f"{name}, {_ordinal(number)}: {n:,}"
        for name, number, n in zip(
            known["skill_id"].map(rows.set_index("skill_id")["name"]), known["turns"], known["n"], strict=True
        )
    ]
    return known.assign(
        told=pd.Series(told, index=known.index, dtype="str"),
        begin=(end - known["share"]).clip(0, 1),
        end=end.clip(0, 1),
        middle=end - known["share"] / 2,
        place=place,
        top=place - 0.3,
        bottom=place + 0.3,
        opacity=enough,
        ground=order.map(lambda at: LIGHT[_GREYS[at % len(_GREYS)]]),
        ink=order.map(lambda at: LIGHT["bg" if at % len(_GREYS) == 0 else "ink"]),
    )


def _row_bars(parts: pd.DataFrame, *, count: int) -> list[alt.Chart]:
    title = "share of judged uses, by the turn that decided"
    bars = alt.Chart(parts[["begin", "end", "top", "bottom", "ground", "opacity", "told"]]).mark_rect(
        stroke=LIGHT["bg"], strokeWidth=1
    )
    wide = parts.loc[(parts["share"] >= _INSIDE) & (parts["opacity"] == 1), ["middle", "place", "n", "ink"]]
    numbers = alt.Chart(wide).mark_text()
    return [
        placed(
            bars,
            x=percent_axis("begin", title=title),
            x2="end:Q",
            y=in_rows(count, "top"),
            y2="bottom:Q",
            fill=alt.Fill("ground:N", scale=None),
            tooltip="told:N",
            opacity=alt.Opacity("opacity:Q", scale=None),
        ),
        placed(
            numbers,
            x=percent_axis("middle", title=title),
            y=in_rows(count),
            text=alt.Text("n:Q", format=",d"),
            color=alt.Color("ink:N", scale=None),
        ),
    ]


def _ordinal(number: int) -> str:
    return {1: "first turn", 2: "second", 3: "third"}.get(number, f"turn {number}")
