"""The course of a correction rate as one picture that stands by itself: line, band, rings, version marks, n."""

import math
from typing import Any, Final

import altair as alt
import pandas as pd

from skilltune.analysis.weekly import verdict_of
from skilltune.charts.course import WEEK, course_table, rate_course
from skilltune.charts.layout import sentence, shown_name, whole_percent
from skilltune.charts.showing import use_charts_in_notebook
from skilltune.charts.theme import LIGHT
from skilltune.errors import InputError
from skilltune.limits import TREND_DAYS

__all__ = ["rate_over_time_line", "rate_over_time_table", "rate_over_time_words"]

_NONE: Final = "No use was judged in these weeks."
_RECENT: Final = pd.Timedelta(days=TREND_DAYS)
_VERDICTS: Final = {
    "got_worse": ("▲ got worse", "worse-text"),
    "looks_worse": ("△ looks worse, no evidence yet", "ink2"),
    "no_change": ("＝ no clear change", "ink2"),
    "looks_better": ("▽ looks better, no evidence yet", "ink2"),
    "got_better": ("▼ got better", "better-text"),
    "no_baseline": ("· too few data to compare with the days before", "ink2"),
}
"""What stands over the line for each verdict, and its colour."""


def rate_over_time_line(
    course: pd.DataFrame,
    *,
    versions: pd.DataFrame | None = None,
    trend: "pd.DataFrame | pd.Series[Any] | None" = None,
    time_zone: str = "UTC",
) -> alt.LayerChart | alt.Chart:
    """The chart of one skill's rate over the last weeks: at each week's end with its interval, single weeks as rings.

    Parameters
    ----------
    course : DataFrame
        From `rate_over_time`, for one skill.
    versions : DataFrame, optional
        From `skill_versions`: a dashed mark where a text was first used, but for the skill's first one.
    trend : DataFrame or Series, optional
        From `correction_trend`: its verdict stands over the line and in the description. Where the rate got worse the
        line is orange from the last new text of these 30 days on, else over all of them.
    time_zone : str, default "UTC"
        As the course was made with.

    Returns
    -------
    Chart
        A sentence where no use was judged.

    Raises
    ------
    InputError
        The frame holds several skills.
    """
    skills = sorted(set(course["skill_id"]))
    if len(skills) > 1:
        raise InputError(f"the table has {len(skills)} skills and the chart shows one: choose it with skill_id")
    known = course[course["rate"].notna()]
    if known.empty:
        return sentence(_NONE)
    use_charts_in_notebook()
    marks = _marks(versions, skill=skills[0])
    verdict = _verdict(trend, skill=skills[0])
    words, colour = _VERDICTS.get(verdict, ("", "ink2"))
    chart = rate_course(
        course,
        versions=marks,
        time_zone=time_zone,
        label=whole_percent(known["rate"].iloc[-1]),
        turned=_turn(course, marks) if verdict == "got_worse" else None,
        heading=(words, LIGHT[colour]) if words else None,
    )
    said = words.partition(" ")[2]
    described = f"{rate_over_time_words(course)} Against the days before: {said}." if said else ""
    told: alt.LayerChart = chart.properties(description=described or rate_over_time_words(course))
    return told


def rate_over_time_table(course: pd.DataFrame, *, time_zone: str = "UTC") -> pd.DataFrame:
    """The chart's numbers, one row a week; ``week`` is its local Monday as a date."""
    return course_table(course, time_zone=time_zone)


def rate_over_time_words(course: pd.DataFrame) -> str:
    """The chart in a sentence: the first and the last rate, and n of the last."""
    known = course[course["rate"].notna()]
    if known.empty:
        return _NONE
    first, last = known.iloc[0], known.iloc[-1]
    span = "1 week" if len(course) == 1 else f"{len(course)} weeks"
    told = f"Correction rate of {shown_name(last['skill_id'])} over {span}:"
    now = f"{whole_percent(last['rate'])} (n = {last['sample_size']})"
    if len(known) == 1 or math.isnan(first["rate"]):
        return f"{told} {now}."
    return f"{told} {whole_percent(first['rate'])} at first, {now} at last."


def _verdict(trend: "pd.DataFrame | pd.Series[Any] | None", *, skill: str) -> str:
    """The verdict that a trend gives the skill; '' without one."""
    if trend is None:
        return ""
    table = trend.to_frame().T if isinstance(trend, pd.Series) else trend
    own = table[table["skill_id"] == skill] if "skill_id" in table.columns else table
    if own.empty:
        return ""
    row = own.iloc[0]
    return verdict_of(sufficient=True, direction=str(row["direction"]), discovered=bool(row["discovered"]))


def _turn(course: pd.DataFrame, marks: pd.DataFrame) -> pd.Timestamp:
    """Where the recent days began, or the last new text in them was first used."""
    begin = pd.Timestamp(course["week"].max()) + WEEK - _RECENT
    since = marks.loc[marks["since"] >= begin, "since"]
    return pd.Timestamp(since.max()) if len(since) else begin


def _marks(versions: pd.DataFrame | None, *, skill: str) -> pd.DataFrame:
    """``number`` and ``since`` of the skill's texts but for its first and those whose number is not known."""
    if versions is None:
        return pd.DataFrame({"number": pd.Series(dtype="int64"), "since": pd.Series(dtype="datetime64[us, UTC]")})
    own = versions[(versions["skill_id"] == skill) & (versions["version"] != "") & versions["first_used"].notna()]
    number = own["version"].str.removeprefix("v").astype("int64")
    return pd.DataFrame({"number": number, "since": own["first_used"]})[number > 1].reset_index(drop=True)
