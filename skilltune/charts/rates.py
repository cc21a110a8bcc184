"""Skills ranked by their correction rate: a dot on its interval, a tick at the shrunk rate, n."""

from typing import Final

import altair as alt
import pandas as pd

from skilltune.charts.layout import (
    FADED,
    counted,
    faded_under,
    heading,
    in_rows,
    names_at_left,
    percent_axis,
    placed,
    row_chart,
    row_places,
    sentence,
    whole_percent,
)
from skilltune.charts.theme import LIGHT

__all__ = ["correction_rate_dots", "correction_rate_table", "correction_rate_words"]

WIDTH: Final = 420
TABLE: Final = ("skill_id", "correction_rate", "low", "high", "sample_size", "shrunk_rate", "sufficient_data")
_TONES: Final = {"worsening": "worse", "improving": "better"}
_NONE: Final = "No skill has a judged use in this window."


def correction_rate_dots(rates: pd.DataFrame) -> alt.LayerChart | alt.Chart:
    """The chart of many skills' correction rates, in the order of the frame.

    Parameters
    ----------
    rates : DataFrame
        From `ranked_skills` or `correction_rate`, grouped by skill_id. With shrunk_rate there is a tick, with
        overall_rate a dotted line; colour only where direction and discovered say that a change is beyond chance.

    Returns
    -------
    Chart
        One row per skill with a judged use; a sentence where there is none.
    """
    rows = _rows(rates)
    if rows.empty:
        return sentence(_NONE)
    layers = [
        names_at_left(rows),
        *_overall(rows),
        _intervals(rows),
        *_ticks(rows),
        _dots(rows),
        counted(rows, "n", width=WIDTH),
        heading("judged uses", x=WIDTH + 14),
    ]
    words = correction_rate_words(rates)
    return row_chart(layers, names=rows["name"].tolist(), description=words, width=WIDTH, right=110)


def correction_rate_table(rates: pd.DataFrame) -> pd.DataFrame:
    """The chart's numbers, one row per skill that is drawn."""
    drawn = rates[rates["correction_rate"].notna()]
    return drawn[[name for name in TABLE if name in drawn.columns]].reset_index(drop=True)


def correction_rate_words(rates: pd.DataFrame) -> str:
    """The chart in a sentence or two: the highest rate of those with enough data, and of how many it is."""
    rows = _rows(rates)
    if rows.empty:
        return _NONE
    sure = rows[rows["opacity"] == 1]
    told = f"Correction rates of {len(rows)} {'skill' if len(rows) == 1 else 'skills'}, n = {rows['judged'].sum()}."
    if sure.empty:
        return f"{told} None has enough judged uses for its rate to say much."
    top = sure.sort_values("rate", ascending=False, kind="stable").iloc[0]
    bounds = f"{top['low'] * 100:.0f} to {whole_percent(top['high'])}"
    return f"{told} Most corrected: {top['name']}, {whole_percent(top['rate'])} ({bounds}, n = {top['judged']})."


def _rows(rates: pd.DataFrame) -> pd.DataFrame:
    """One row per skill with a rate: rate, low, high, shrunk, overall, judged, n in words, opacity, tone."""
    drawn = rates[rates["correction_rate"].notna()]
    rows = row_places(drawn)
    enough = rows["sufficient_data"] if "sufficient_data" in rows else faded_under(rows["sample_size"]) == 1
    missing = pd.Series(float("nan"), index=rows.index)
    told = [
        f"{name}: {whole_percent(rate)} ({low * 100:.0f} to {whole_percent(high)}), n = {n:,}"
        for name, rate, low, high, n in zip(
            *(rows[column] for column in ("name", "correction_rate", "low", "high", "sample_size")), strict=True
        )
    ]
    return rows.assign(
        told=pd.Series(told, dtype="str"),
        rate=rows["correction_rate"],
        shrunk=rows.get("shrunk_rate", missing),
        overall=rows.get("overall_rate", missing),
        judged=rows["sample_size"],
        n=rows["sample_size"].map("{:,}".format).astype("str")
        + enough.map({True: "", False: ", few data"}).astype("str"),
        opacity=enough.map({True: 1.0, False: FADED}).astype("float64"),
        tone=_tones(rows),
    )


def _tones(rows: pd.DataFrame) -> "pd.Series[str]":
    """The colour of each row: earned by a change that is beyond chance."""
    if not {"direction", "discovered"} <= set(rows.columns):
        return pd.Series(LIGHT["mark"], index=rows.index)
    tones = rows["direction"].astype("str").map(_TONES).where(rows["discovered"].astype("bool"))
    return tones.map(lambda tone: LIGHT[tone] if isinstance(tone, str) else LIGHT["mark"])


def _overall(rows: pd.DataFrame) -> list[alt.Chart]:
    """The dotted line of all skills and its label."""
    known = rows["overall"].dropna()
    if known.empty:
        return []
    line = pd.DataFrame({"rate": [float(known.iloc[0])], "text": [f"all skills {whole_percent(float(known.iloc[0]))}"]})
    rule = alt.Chart(line[["rate"]]).mark_rule(color=LIGHT["ink3"], strokeDash=[1.5, 2.5])
    text = alt.Chart(line).mark_text(color=LIGHT["ink3"], align="left", dx=-2)
    at = percent_axis("rate", title=_TITLE)
    return [placed(rule, x=at), placed(text, x=at, y=alt.value(-14), text="text:N")]


def _intervals(rows: pd.DataFrame) -> alt.Chart:
    lines = alt.Chart(rows[["place", "low", "high", "tone", "opacity"]]).mark_rule(strokeWidth=2)
    return placed(
        lines,
        x=percent_axis("low", title=_TITLE),
        x2="high:Q",
        y=in_rows(len(rows)),
        color=alt.Color("tone:N", scale=None),
        opacity=alt.Opacity("opacity:Q", scale=None),
    )


def _ticks(rows: pd.DataFrame) -> list[alt.Chart]:
    known = rows.loc[rows["shrunk"].notna(), ["place", "shrunk", "tone"]]
    if known.empty:
        return []
    ticks = alt.Chart(known).mark_tick(thickness=1.5, size=14)
    at = percent_axis("shrunk", title=_TITLE)
    return [placed(ticks, x=at, y=in_rows(len(rows)), color=alt.Color("tone:N", scale=None))]


def _dots(rows: pd.DataFrame) -> alt.Chart:
    dots = alt.Chart(rows[["place", "rate", "tone", "opacity", "told"]]).mark_point(
        shape="circle", filled=True, size=95, stroke=LIGHT["bg"], strokeWidth=1.5
    )
    return placed(
        dots,
        x=percent_axis("rate", title=_TITLE),
        y=in_rows(len(rows)),
        fill=alt.Fill("tone:N", scale=None),
        tooltip="told:N",
        opacity=alt.Opacity("opacity:Q", scale=None),
    )


_TITLE: Final = "correction rate with its 95% interval (upright tick: shrunk rate)"
