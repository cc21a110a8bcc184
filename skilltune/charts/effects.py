"""Whether changes of skills helped: a hollow dot before and a full one after, each on its interval."""

from typing import Final

import altair as alt
import pandas as pd

from skilltune.charts.layout import (
    FADED,
    counted,
    heading,
    in_rows,
    names_at_left,
    percent_axis,
    placed,
    row_chart,
    row_places,
    sentence,
    shown_name,
    whole_percent,
)
from skilltune.charts.theme import LIGHT

__all__ = ["before_after_dots", "before_after_table", "before_after_words"]

WIDTH: Final = 420
TABLE: Final = (
    *("skill_id", "at", "verdict", "rate_before", "before_low", "before_high", "n_before"),
    *("rate_after", "after_low", "after_high", "n_after"),
)
_TONES: Final = {"helped": "better", "made_worse": "worse"}
_WORDS: Final = {
    "helped": "helped",
    "made_worse": "made it worse",
    "no_evidence": "no evidence yet",
    "too_early": "too early to say",
}
_TITLE: Final = "correction rate with its interval: hollow before, full after"
_NONE: Final = "No skill was changed in this time."
_APART: Final = 0.17
"""How far the two dots stand from the middle of their row."""


def before_after_dots(effects: pd.DataFrame) -> alt.LayerChart | alt.Chart:
    """The chart of rates before and after changes of skills, in the order of the frame.

    Parameters
    ----------
    effects : DataFrame
        From `before_after`. Colour only where the verdict is helped or made_worse; faded where it is too early.

    Returns
    -------
    Chart
        One row per change; a sentence where there is none.
    """
    if effects.empty:
        return sentence(_NONE)
    rows = _rows(effects)
    layers = [
        names_at_left(rows),
        *_side(rows, "before", shift=-_APART),
        *_side(rows, "after", shift=_APART),
        counted(rows, "told", width=WIDTH),
        heading("judged uses before → after", x=WIDTH + 14),
    ]
    words = before_after_words(effects)
    return row_chart(layers, names=rows["name"].tolist(), description=words, width=WIDTH, right=230)


def before_after_table(effects: pd.DataFrame) -> pd.DataFrame:
    """The chart's numbers, one row per change."""
    return effects[list(TABLE)].astype({"verdict": "str"}).reset_index(drop=True)


def before_after_words(effects: pd.DataFrame) -> str:
    """The chart in a sentence or two: how many changes helped or made it worse, and the latest one's rates."""
    if effects.empty:
        return _NONE
    verdicts = effects["verdict"].astype("str")
    known = [f"{(verdicts == name).sum()} {words}" for name, words in _WORDS.items() if (verdicts == name).any()]
    told = f"{len(effects)} {'change' if len(effects) == 1 else 'changes'} of skills: {', '.join(known)}."
    first = effects.iloc[0]
    if pd.isna(first["rate_before"]) or pd.isna(first["rate_after"]):
        return told
    sizes = f"n = {first['n_before']} and {first['n_after']}"
    rates = f"{whole_percent(first['rate_before'])} before, {whole_percent(first['rate_after'])} after"
    return f"{told} Latest: {shown_name(first['skill_id'])}, {rates} ({sizes})."


def _rows(effects: pd.DataFrame) -> pd.DataFrame:
    rows = row_places(effects)
    verdict = rows["verdict"].astype("str")
    day = [f", {at.day} {at:%b}" if not pd.isna(at) else "" for at in rows["at"]]
    sizes = rows["n_before"].map("{:,}".format) + " → " + rows["n_after"].map("{:,}".format)
    return rows.assign(
        name=rows["name"] + pd.Series(day, dtype="str"),
        told=sizes + "  " + verdict.map(_WORDS).fillna("").astype("str"),
        tone=verdict.map(lambda name: LIGHT[_TONES.get(name, "mark")]),
        opacity=(verdict == "too_early").map({True: FADED, False: 1.0}).astype("float64"),
    )


def _side(rows: pd.DataFrame, side: str, *, shift: float) -> list[alt.Chart]:
    """The intervals and dots before (hollow, grey) or after (full, in the colour of the verdict)."""
    after = side == "after"
    drawn = pd.DataFrame(
        {
            "at": rows["place"] + shift,
            "rate": rows[f"rate_{side}"],
            "low": rows[f"{side}_low"].clip(0, 1),
            "high": rows[f"{side}_high"].clip(0, 1),
            "tone": rows["tone"] if after else LIGHT["mark"],
            "ground": rows["tone"] if after else LIGHT["bg"],
            "opacity": rows["opacity"],
            "told": _told(rows, side),
        }
    ).dropna(subset=["rate"])
    spans = drawn[["at", "low", "high", "tone", "opacity"]].dropna()
    look = {"y": in_rows(len(rows), "at"), "opacity": alt.Opacity("opacity:Q", scale=None)}
    lines = placed(
        alt.Chart(spans).mark_rule(strokeWidth=2),
        x=percent_axis("low", title=_TITLE),
        x2="high:Q",
        color=alt.Color("tone:N", scale=None),
        **look,
    )
    dots = placed(
        alt.Chart(drawn[["at", "rate", "tone", "ground", "opacity", "told"]]).mark_point(
            shape="circle", filled=True, size=80, strokeWidth=1.5
        ),
        x=percent_axis("rate", title=_TITLE),
        fill=alt.Fill("ground:N", scale=None),
        stroke=alt.Stroke("tone:N", scale=None),
        tooltip="told:N",
        **look,
    )
    return [lines, dots] if len(spans) else [dots]


def _told(rows: pd.DataFrame, side: str) -> "pd.Series[str]":
    """What a dot says when it is pointed at."""
    told = [
        f"{name}, {side}: {whole_percent(rate)}, n = {n:,}"
        for name, rate, n in zip(rows["name"], rows[f"rate_{side}"], rows[f"n_{side}"], strict=True)
    ]
    return pd.Series(told, index=rows.index, dtype="str")
