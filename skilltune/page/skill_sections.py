"""The parts of a skill's own page that the weekly page has not: its rate, outcomes over weeks, use and drift."""

import math
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

import pandas as pd
from markupsafe import Markup

from skilltune.analysis.isoweeks import last_whole_week
from skilltune.analysis.weekly import WeeklySummary
from skilltune.charts import outcomes
from skilltune.charts.drawing import chart_svg
from skilltune.charts.drift import NARROW, WIDE, drift_steps, drift_steps_table, drift_words
from skilltune.charts.outcomes import outcome_mix_bars, outcome_mix_words
from skilltune.charts.rows import interval_axis, interval_row
from skilltune.page.headline import Link
from skilltune.page.html import Section, render, unbroken, visible
from skilltune.page.rows import Row, first_row
from skilltune.page.skill_summary import SkillDrift
from skilltune.page.words import (
    VERDICTS,
    count_of,
    date_range,
    interval,
    judged_words,
    last_days,
    local_day,
    long_date,
    of_judged,
    percent,
    points,
    points_interval,
    short_date,
)

__all__ = [
    "drift_section",
    "mix_section",
    "numbers_section",
    "skill_headline",
    "skill_headline_section",
    "usage_section",
]

_MIX: Final = {
    "correction": "corrected",
    "partial": "partly",
    "acceptance": "accepted in words",
    "moved_on": "moved on",
    "not_judged": "not judged",
}


def skill_headline(summary: WeeklySummary) -> str:
    """How often the skill is corrected, and whether that changed, in a sentence."""
    row = first_row(summary.ranking)
    name = summary.focus
    if row is None or not (row["sample_size"] or int(row["n_invocations"] or 0)):
        return f"{name} was not used in the last {summary.days} days."
    if not row["sufficient_data"]:
        return f"Too few data for a rate of {name}: {judged_words(row)}."
    often = of_judged(float(row["correction_rate"]))
    changed = {"got_worse": "; it got worse", "got_better": "; it got better"}.get(row["verdict"], "")
    return f"{name} is corrected in {often}{changed}."


def skill_headline_section(
    summary: WeeklySummary, *, links: Sequence[Link] = (), span: tuple[date, date] | None = None
) -> Section:
    """The sentence, the rate with its interval and n, and the change.

    Parameters
    ----------
    span
        The days that the parts below are about, where the last ones have too few judged uses.
    """
    row = first_row(summary.ranking)
    sentence = skill_headline(summary)
    known = row is not None and bool(row["sufficient_data"])
    days = last_days(summary.week.end, days=summary.days, time_zone=summary.week.time_zone)
    lede = " ".join(filter(None, [_lede(row, summary) if row is not None else "", _below(span)]))
    return Section(
        render(
            "skill_head.html.j2",
            headline=unbroken(sentence, summary.focus),
            lede=unbroken(lede, *(_intervals(row) if row is not None and known else [])),
            links=links,
            note=f"Rates are over the last {summary.days} days ({days}).",
            axis=interval_axis() if known else "",
            rate=percent(float(row["correction_rate"])) if row is not None and known else "",
            drawing=_drawing(row) if row is not None and known else None,
        ),
        headline=sentence,
    )


def _intervals(row: Row) -> list[str]:
    """What must not be broken in the sentences above."""
    bounds = interval(float(row["low"]), float(row["high"]))
    if row["verdict"] == "no_baseline":
        return [bounds]
    return [bounds, f"({points_interval(float(row['trend_low']), float(row['trend_high']))})"]


def _below(span: tuple[date, date] | None) -> str:
    """Which days the other parts are about."""
    if span is None:
        return ""
    years = span[0].year != span[1].year
    when = f"{long_date(span[0], year=years)}–{long_date(span[1], year=years)}" if years else date_range(*span)
    return f"What people said and what was wrong is shown for all that is known: {when}."


def _lede(row: Row, summary: WeeklySummary) -> str:
    known = not pd.isna(row["n_invocations"])
    uses: int = int(row["n_invocations"]) if known else 0
    judged = f"{row['sample_size']:,} of {count_of(uses, 'use')} were judged"
    if not uses and not row["sample_size"]:
        return ""
    if not row["sufficient_data"]:
        return f"{judged}; {count_of(int(row['needed']), 'more judged use')} needed for a rate."
    low, high = float(row["low"]), float(row["high"])
    told = f"{percent(float(row['correction_rate']))} (95% interval {interval(low, high)}); {judged}."
    if row["verdict"] == "no_baseline":
        return f"{told} Too few were judged in the {summary.days} days before to compare with."
    change = f"{points(float(row['trend']))} ({points_interval(float(row['trend_low']), float(row['trend_high']))})"
    return f"{told} Against the {summary.days} days before: {VERDICTS[row['verdict']].words}, {change}."


def _drawing(row: Row) -> Markup:
    rate, low, high = (float(row[name]) for name in ("correction_rate", "low", "high"))
    text = f"{percent(rate)}, 95% interval {interval(low, high)}, {row['sample_size']} judged uses"
    return interval_row(rate, low=low, high=high, text=text, tone=VERDICTS[row["verdict"]].tone)


def mix_section(mix: pd.DataFrame, *, time_zone: str) -> Section:
    """What became of the uses of each week."""
    weeks = mix.dropna(subset=["week"]) if len(mix) else mix
    rows = [
        [
            short_date(local_day(pd.Timestamp(str(week)), time_zone)),
            *(_count(number) for number in group["n"]),
            f"{group['n'].sum():,}",
        ]
        for week, group in weeks.groupby("week", sort=True)
    ]
    told = outcome_mix_words(weeks)
    charts: dict[str, Any] = {
        name: chart_svg(outcome_mix_bars(weeks, layout=layout), name=f"mix-{name}", description=told) if rows else None
        for name, layout in (("wide", outcomes.WIDE), ("narrow", outcomes.NARROW))
    }
    return numbers_section(
        place="outcomes",
        rail="Outcomes over time",
        note="Uses by week (its Monday) and what became of them. Moved on: accepted by going on to other work.",
        finding=_mix_finding(weeks, number=len(rows)),
        caption="Uses by week and outcome",
        columns=["week of", *_MIX.values(), "all"],
        rows=rows,
        folded=True,
        **charts,
    )


def _mix_finding(weeks: pd.DataFrame, *, number: int) -> str:
    if not number:
        return "No use in these weeks."
    sums = weeks.groupby("outcome", observed=False)["n"].sum()
    told = ", ".join(f"{int(sums[name]):,} {words}" for name, words in _MIX.items() if int(sums[name]))
    return f"Of {count_of(int(sums.sum()), 'use')} in {count_of(number, 'week')}: {told}."


def usage_section(usage: Row | None, *, days: int, time_zone: str, until: datetime) -> Section:
    """When the skill was first and last used, and how often `until` a moment."""
    if usage is None or not int(usage["uses"]):
        return numbers_section(place="usage", rail="Usage", finding="No use of it is known.")
    dated = not pd.isna(usage["first_used"])
    first, last = ((_day(usage[name], time_zone) if dated else "not dated") for name in ("first_used", "last_used"))
    rows = [
        ["uses so far", f"{int(usage['uses']):,}"],
        [f"in the last {days} days", f"{int(usage['uses_in_window']):,}"],
        [_week_until(until, time_zone=time_zone), f"{int(usage['uses_in_week']):,}"],
        ["first used", first],
        ["last used", last],
    ]
    finding = f"Used {count_of(int(usage['uses_in_window']), 'time')} in the last {days} days."
    if dated and int(usage["days_unused"]) >= days:
        finding = f"Not used for {count_of(int(usage['days_unused']), 'day')}."
    return numbers_section(
        place="usage",
        rail="Usage",
        finding=finding,
        caption="Use of the skill",
        columns=["when", "uses, or the day"],
        rows=rows,
    )


def _week_until(until: datetime, *, time_zone: str) -> str:
    """The week of the moment before `until`: ``in week 48 (23–29 November)``, or ``so far``."""
    week = last_whole_week(until - timedelta(microseconds=1) + timedelta(days=7), time_zone=time_zone)
    number = int(week.name.partition("-W")[2])
    if until < week.end:
        return f"in week {number} so far (from {long_date(week.monday)})"
    return f"in week {number} ({date_range(week.monday, week.sunday)})"


def _day(moment: pd.Timestamp, time_zone: str) -> str:
    day: date = local_day(moment, time_zone)
    return long_date(day, year=True)


def drift_section(drift: SkillDrift | None) -> Section:
    """How far the skill on this machine is from its first text."""
    if drift is None or drift.course.empty:
        words = (
            "The skill is not installed here, so its drift is not known."
            if drift is None
            else ("skilltune has not seen its first text yet, so its drift is not known.")
        )
        return numbers_section(place="drift", rail="Drift", finding=words)
    if len(drift.course) == 1:
        # its uses may have had other texts before: "first" would be another one there
        words = "It is as skilltune first saw its file: there is no step yet."
        return numbers_section(place="drift", rail="Drift", finding=f"{words} The limit is {drift.limit_percent:g}%.")
    text = drift_words(drift.course, skill=visible(drift.skill_id), limit_percent=drift.limit_percent)
    limits = {"limit_percent": drift.limit_percent, "max_change_percent": drift.max_change_percent}
    charts: dict[str, Any] = {
        name: chart_svg(drift_steps(drift.course, layout=layout, **limits), name=f"drift-{name}", description=text)
        for name, layout in (("wide", WIDE), ("narrow", NARROW))
    }
    rows = [
        [f"{name} · {told}", short_date(at) if not pd.isna(at) else "", *(_share(value) for value in (net, path, step))]
        for name, told, at, net, path, step in drift_steps_table(drift.course).itertuples(index=False)
    ]
    return numbers_section(
        place="drift",
        rail="Drift",
        note=(
            "Net: its text against the first one. Path: all steps added up. Both are percent of the first text’s "
            "length, and only net is bounded. Step: percent of the length of the text just before it, so steps do not "
            "add up to the path."
        ),
        finding=text.partition(". ")[0].removesuffix(".") + f"; the limit is {drift.limit_percent:g}%.",
        caption="Drift of each version",
        columns=["version", "day", "net, of the first text", "path, of the first text", "step, of the text before"],
        rows=rows,
        folded=True,
        **charts,
    )


def _share(value: float) -> str:
    return "not known" if math.isnan(value) else f"{value:.1f}%"


def _count(number: Any) -> str:
    return "not known" if pd.isna(number) else f"{int(number):,}"


def numbers_section(
    *,
    place: str,
    rail: str,
    finding: str,
    note: str = "",
    caption: str = "",
    columns: Sequence[str] = (),
    rows: Sequence[Sequence[str]] = (),
    foot: Sequence[str] = (),
    wide: Markup | None = None,
    narrow: Markup | None = None,
    folded: bool = False,
) -> Section:
    """A part made of a sentence and one table, with a chart or without; `folded` puts the table away below it."""
    return Section(
        render(
            "numbers.html.j2",
            place=place,
            rail=rail,
            note=note if rows else "",
            finding=finding,
            caption=caption,
            columns=columns,
            rows=rows,
            foot=foot,
            wide=wide,
            narrow=narrow,
            folded=folded,
        )
    )
