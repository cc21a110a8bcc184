"""The skill in focus: its course, when it shifted, and what people said."""

from datetime import date
from typing import Any, Final

import pandas as pd

from skilltune.analysis.changepoints import RANGE
from skilltune.analysis.weekly import WEEKS, WeeklySummary
from skilltune.charts.course import NARROW, WIDE, course_table, rate_course
from skilltune.charts.drawing import chart_svg
from skilltune.page.headline import most_corrected, seen_skills, text_beside, turning_version
from skilltune.page.html import EMPTY, Section, render, unbroken
from skilltune.page.quotes import quotes_of
from skilltune.page.rows import Row, first_row, rows_of
from skilltune.page.texts import text_words, version_marks
from skilltune.page.words import count_of, date_range, interval, long_date, percent, short_date

__all__ = ["closeup_section", "complaints_section"]

QUOTES: Final = 6
COMPLAINTS: Final = 40


def closeup_section(
    summary: WeeklySummary,
    *,
    privacy: bool,
    marks: pd.DataFrame | None = None,
    rail: str = "",
    span: tuple[date, date] | None = None,
) -> Section:
    """Chart, shift and quotes of the skill in focus; one line without one, or where none of its uses was judged.

    Parameters
    ----------
    marks
        ``skill_id``, ``at``, ``skill_digest`` and ``kind`` of the changes that the audit logs have.
    rail
        What the part is called before the skill's name; default why it is looked at closely.
    span
        The days that the quotes are of, where these are not the last ones.
    """
    name = unbroken(f"{rail or _rail(summary)}: {summary.focus}", summary.focus) if summary.focus else "Worst skill"
    course = _course(summary)
    if not course["week_sample"].sum():
        return Section(render("numbers.html.j2", **_without_course(summary), rail=name), bare=not summary.focus)
    row = first_row(summary.sufficient[summary.sufficient["skill_id"] == summary.focus])
    turned = turning_version(summary)
    finding = _earlier(course, summary) if row is None else _finding(row, summary)
    worse = row is not None and row["verdict"] == "got_worse"
    shift = _shift_sentence(summary, turned)
    said = summary.complaints[summary.complaints["skill_id"] == summary.focus]
    worded = said[said["user_message_snippet"].fillna("") != ""]
    quotes = [] if privacy else quotes_of(worded, time_zone=summary.week.time_zone, privacy=False)[:QUOTES]
    return Section(
        render(
            "closeup.html.j2",
            rail=name,
            note=(
                f"Line: rate over {summary.days} days at each week’s end; gaps have too few data. Band: its 95% "
                "interval. Rings: single weeks, area by n. Dashed: a new text of the skill was first used, or "
                "the skill was changed."
            ),
            finding=finding,
            shift=shift,
            skill=summary.focus,
            days=summary.days,
            table=_table(summary),
            quotes=quotes,
            shown=sum(quote.times for quote in quotes),
            all=f"{len(said):,}{f', {date_range(*span)}' if span else ''}",
            quotes_note=_no_quotes(len(said), privacy=privacy),
            **_drawings(
                summary, worse=worse, turned=turned, finding=f"{finding} {_last_rate(course, summary)}", marks=marks
            ),
        )
    )


def complaints_section(summary: WeeklySummary, *, privacy: bool) -> Section:
    """All complaints, newest first: what the page is where no skill has enough data and somebody complained."""
    if len(summary.sufficient) or summary.complaints.empty:
        return EMPTY
    quotes = quotes_of(summary.complaints, time_zone=summary.week.time_zone, privacy=privacy, with_skill=True)
    left = sum(quote.times for quote in quotes[COMPLAINTS:])
    return Section(
        render(
            "complaints.html.j2",
            note=f"Corrections and partials of the last {summary.days} days, newest first.",
            finding=f"{count_of(len(summary.complaints), 'complaint')} in the last {summary.days} days.",
            quotes=quotes[:COMPLAINTS],
            foot=f"{count_of(left, 'older complaint')} not shown." if left else "",
        )
    )


def _drawings(
    summary: WeeklySummary, *, worse: bool, turned: Row | None, finding: str, marks: pd.DataFrame | None
) -> dict[str, Any]:
    course = _course(summary)
    versions = _versions(summary, marks)
    begin = _turn(summary, turned) if worse else None
    known = first_row(course[course["rate"].notna()].sort_values("week").tail(1))
    text = f"Course of {summary.focus} over {WEEKS} weeks. {finding}"
    return {
        name: chart_svg(
            rate_course(
                course,
                versions=versions,
                time_zone=summary.week.time_zone,
                label="" if known is None else percent(known["rate"]),
                turned=begin,
                layout=layout,
            ),
            name=f"course-{name}",
            description=text,
        )
        for name, layout in (("wide", WIDE), ("narrow", NARROW))
    }


def _versions(summary: WeeklySummary, marks: pd.DataFrame | None) -> pd.DataFrame:
    """The new texts of the skill in focus, and the changes of its audit log until the week's end."""
    texts = summary.versions[summary.versions["skill_id"] == summary.focus]
    if marks is None or marks.empty:
        return version_marks(texts, None)
    return version_marks(texts, marks[(marks["skill_id"] == summary.focus) & (marks["at"] < summary.week.end)])


def _turn(summary: WeeklySummary, turned: Row | None) -> pd.Timestamp:
    """Where the span that got worse begins: the version, else the shift, else the last days."""
    if turned is not None:
        return pd.Timestamp(turned["since"])
    if len(summary.shift):
        return pd.Timestamp(summary.shift["week"].iloc[0])
    return pd.Timestamp(summary.week.end) - pd.Timedelta(days=summary.days)


def _course(summary: WeeklySummary) -> pd.DataFrame:
    courses = summary.shown_courses
    return courses[courses["skill_id"] == summary.focus]


def _without_course(summary: WeeklySummary) -> dict[str, Any]:
    """The part as one line."""
    finding = f"No judged use was corrected in the last {summary.days} days, so none is looked at closely."
    if summary.sufficient.empty:
        finding = "No skill has enough judged uses to be looked at closely."
    if summary.focus:
        finding = "None of its uses was judged, so it has no course."
    empty: dict[str, Any] = {"columns": (), "rows": (), "foot": (), "wide": None, "narrow": None, "folded": False}
    return {"place": "closeup", "note": "", "finding": finding, "caption": "", **empty}


def _earlier(course: pd.DataFrame, summary: WeeklySummary) -> str:
    """What the course says of a skill that has too few judged uses now."""
    weeks = course[course["week_sample"] > 0].sort_values("week")
    first, last = (_day(moment, summary) for moment in (weeks["week"].iloc[0], weeks["week"].iloc[-1]))
    judged = count_of(int(weeks["week_sample"].sum()), "judged use")
    told = f"{judged} in the weeks of {long_date(first)} to {long_date(last)}"
    if first == last:
        told = f"{judged} in the week of {long_date(first)}"
    row = first_row(summary.ranking[summary.ranking["skill_id"] == summary.focus])
    if row is None or not row["sample_size"]:
        return f"{told}; none in the last {summary.days} days."
    return f"{told}; too few in the last {summary.days} days for a rate."


def _last_rate(course: pd.DataFrame, summary: WeeklySummary) -> str:
    """The last rate there is, with its interval and n, for those who cannot see the chart."""
    last = first_row(course[course["rate"].notna()].sort_values("week").tail(1))
    if last is None:
        return "No week’s end has enough judged uses for a rate."
    until = _day(last["week"] + pd.Timedelta(days=6, hours=12), summary)
    return (
        f"At last, by {long_date(until)}, {percent(last['rate'])} ({interval(last['low'], last['high'])}), "
        f"{last['sample_size']} judged uses in {summary.days} days."
    )


def _rail(summary: WeeklySummary) -> str:
    row = first_row(summary.ranking[summary.ranking["skill_id"] == summary.focus])
    if len(seen_skills(summary)) == 1:
        return "The skill"
    if row is not None and row["verdict"] == "got_worse":
        return "Worst skill"
    return "Most corrected" if len(most_corrected(summary)) == 1 else "Among the most corrected"


def _finding(row: Row, summary: WeeklySummary) -> str:
    text = text_beside(summary)
    if row["verdict"] == "got_worse" and text is not None:
        began = f"{text_words(text)} began on {long_date(_day(text['since'], summary))}"
        return f"Corrections rose from {percent(row['prior_rate'])} to {percent(row['correction_rate'])}; {began}."
    if row["verdict"] == "got_worse":
        return f"Corrections rose from {percent(row['prior_rate'])} to {percent(row['correction_rate'])}."
    course = {
        "looks_worse": "it looks worse than before, without evidence yet",
        "no_change": "no clear change against the days before",
        "looks_better": "it looks better than before, without evidence yet",
        "got_better": "it got better",
    }.get(row["verdict"], "too few data before to compare with")
    return f"{percent(row['correction_rate'])} of its judged uses are corrected; {course}."


def _shift_sentence(summary: WeeklySummary, turned: Row | None) -> str:
    shift = first_row(summary.shift)
    if shift is None:
        return "No week stands out as the moment of a shift."
    first, last = _day(shift["first"], summary), _day(shift["last"] + pd.Timedelta(days=6, hours=12), summary)
    sentence = f"A shift is dated to the week of {long_date(_day(shift['week'], summary))}"
    sentence += f"; its most likely range ({percent(RANGE)}) is {date_range(first, last)}."
    if turned is None:
        return f"{sentence} No new text of the skill began then."
    name, since = text_words(turned), turned["since"]
    if shift["week"] <= since < shift["week"] + pd.Timedelta(days=7):
        return f"{sentence} That is when {name} began; it does not prove that {name} is the cause."
    began = long_date(_day(since, summary))
    return f"{sentence} Near it, on {began}, {name} began; that does not prove that {name} is the cause."


def _day(moment: pd.Timestamp, summary: WeeklySummary) -> date:
    return pd.Timestamp(moment).tz_convert(summary.week.time_zone).date()


def _no_quotes(number: int, *, privacy: bool) -> str:
    if privacy:
        return "Quotes are left out of this page."
    return "No words are kept of these complaints." if number else "Nobody complained."


def _table(summary: WeeklySummary) -> list[dict[str, str]]:
    return [
        {
            "week": short_date(row["week"]),
            "rate": "too few" if pd.isna(row["rate"]) else percent(row["rate"]),
            "interval": "" if pd.isna(row["rate"]) else interval(row["low"], row["high"]),
            "n": str(row["sample_size"]),
            "week_rate": "none judged" if pd.isna(row["week_rate"]) else percent(row["week_rate"]),
            "week_n": str(row["week_sample"]),
        }
        for row in rows_of(course_table(_course(summary), time_zone=summary.week.time_zone))
    ]
