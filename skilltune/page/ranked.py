"""The skills, most corrected first: rate, interval, coverage, course and verdict in a row; too few data apart."""

from dataclasses import dataclass
from typing import Any, Final

import pandas as pd
from markupsafe import Markup

from skilltune.analysis.weekly import WEEKS, WeeklySummary
from skilltune.charts.rows import RowPoint, interval_axis, interval_row, sparkline
from skilltune.limits import FALSE_DISCOVERY_RATE
from skilltune.page.html import EMPTY, Section, render
from skilltune.page.rows import Row, rows_of
from skilltune.page.texts import EARLIER, OUTSIDE, text_name
from skilltune.page.words import (
    RARE,
    VERDICTS,
    Verdict,
    as_list,
    bound,
    count_of,
    interval,
    judged_words,
    long_date,
    nearest_share,
    number_word,
    percent,
    points,
    points_interval,
    short_date,
)

__all__ = ["skills_section"]

LONG_NAME: Final = 22
WIDE_NAME: Final = 26
"""Longest name with which a table of 800 pixels has room for all its columns."""
NAMES: Final = 12
"""Skills left out that are named."""
_KEY: Final = (
    "Dot: the rate. Line: its 95% interval, 0 to 100%. Tick: the rate that sets the order. Dotted: all skills."
)
_KEY_ALONE: Final = "Dot: the rate. Line: its 95% interval, 0 to 100%."
_JUDGED: Final = "Judged: uses whose outcome could be told from what the person wrote or did next."


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRow:
    """One ranked skill as it is shown."""

    skill: str
    version: str
    rate: str
    dot: Markup
    judged: str
    of_uses: str
    spark: Markup
    verdict: Verdict
    change: str
    weeks: list[dict[str, str]]

    @property
    def long(self) -> bool:
        """Whether the name has a line of its own where the row is a block."""
        return len(_shown(self.skill)) > LONG_NAME


@dataclass(frozen=True, slots=True)
class FewRow:
    """One skill with too few data as it is shown."""

    skill: str
    version: str
    what: str
    judged: str
    of_uses: str
    needed: str


def skills_section(summary: WeeklySummary) -> Section:
    """The ranked table, or, where no skill has enough data, the counts alone."""
    few = _few(summary)
    if summary.sufficient.empty and not few:
        return EMPTY
    return Section(_ranked(summary, few) if len(summary.sufficient) else _counts_only(summary, few))


def _shown(skill_id: str) -> str:
    """A skill's name without its plugin."""
    return skill_id.rpartition(":")[2] or skill_id


def _any_wide(*skills: str) -> bool:
    return any(len(_shown(skill)) > WIDE_NAME for skill in skills)


def _ranked(summary: WeeklySummary, few: list[FewRow]) -> Markup:
    overall = rows_of(summary.overall)[0]
    courses = _courses(summary)
    top = _top(courses, summary)
    rows = [
        _row(record, summary, course=courses[record["skill_id"]], top=top) for record in rows_of(summary.sufficient)
    ]
    alone = len(rows) == 1
    return render(
        "skills.html.j2",
        rail="The skill" if alone and not few else "Skills, most corrected first",
        note=_how_to_read(alone=alone),
        key=_KEY_ALONE if alone else _KEY,
        finding=_finding(overall, whose=_whose(summary)),
        caption=f"{'Correction rate' if alone else 'Skills by correction rate'} over the last {summary.days} days"
        f"{'' if alone else ', most corrected first'}",
        axis=interval_axis(),
        days=summary.days,
        rows=rows,
        few=few,
        few_note=_few_note(summary),
        foot=_foot(summary, top),
        weeks=_week_names(summary),
        long_names=_any_wide(*(row.skill for row in rows), *(row.skill for row in few)),
    )


def _counts_only(summary: WeeklySummary, few: list[FewRow]) -> Markup:
    return render(
        "skills.html.j2",
        rail="Skills",
        note=f"A rate needs {count_of(summary.min_invocations, 'judged use')} in {summary.days} days.",
        key="",
        finding="What was judged so far.",
        caption="Skills with too few judged uses for a rate",
        axis="",
        rows=[],
        few=few,
        few_note=_few_note(summary),
        foot=[f"{_JUDGED} {_plugin_note(summary)}".strip(), *_left_out(summary)],
        weeks=[],
        long_names=_any_wide(*(row.skill for row in few)),
    )


def _few_note(summary: WeeklySummary) -> str:
    needed = count_of(summary.min_invocations, "judged use")
    return f"Fewer than {needed} in the last {summary.days} days: no rate, no rank, no trend."


def _how_to_read(*, alone: bool) -> Markup:
    order = (
        "The small upright tick is the rate after small samples are pulled towards the overall rate (dotted line); it "
        "sets the order. "
    )
    return Markup(
        "<b>How to read it.</b> The dot is the rate, the line its 95% interval. {}Colour only where the interval of "
        "the change excludes zero."
    ).format("" if alone else order)


def _whose(summary: WeeklySummary) -> str:
    """Whose judged uses the finding is about: ``Over all skills, ``; '' where the page has one skill."""
    shown = summary.ranking[summary.ranking["sample_size"] > 0]
    if len(shown) == 1:
        return ""
    return f"Over these {number_word(len(shown))} skills, " if summary.only else "Over all skills, "


def _finding(overall: Row, *, whose: str) -> str:
    words = f"{whose}{_how_often(overall)}"
    return f"{words[0].upper()}{words[1:]}."


def _how_often(overall: Row) -> str:
    rate = float(overall["correction_rate"])
    if rate == 0:
        return f"no judged use is corrected (0 of {overall['sample_size']})"
    if rate == 1:
        words = "every judged use is"
    elif rate < RARE:
        words = "fewer than one judged use in 25 is"
    elif rate > 1 - RARE:
        words = "almost every judged use is"
    else:
        share = nearest_share(rate)
        parts = number_word(share.denominator)
        words = f"about one judged use in {parts} is"
        if share.numerator > 1:
            words = f"about {number_word(share.numerator)} judged uses in {parts} are"
    return f"{words} corrected ({percent(rate)})"


def _courses(summary: WeeklySummary) -> dict[str, pd.DataFrame]:
    """Each ranked skill's weeks."""
    shown = summary.shown_courses
    return {skill: shown[shown["skill_id"] == skill].sort_values("week") for skill in summary.sufficient["skill_id"]}


def _top(courses: dict[str, pd.DataFrame], summary: WeeklySummary) -> float:
    """The one upper edge of all sparklines: their highest bound."""
    highest = max(
        (float(course["high"].max()) for course in courses.values() if course["high"].notna().any()), default=1.0
    )
    return min(max(highest, 0.2), 1.0) if len(summary.courses) else 1.0


def _row(record: Row, summary: WeeklySummary, *, course: pd.DataFrame, top: float) -> RankedRow:
    verdict = VERDICTS[record["verdict"]]
    rate, low, high = (float(record[name]) for name in ("correction_rate", "low", "high"))
    return RankedRow(
        skill=record["skill_id"],
        version=text_name(summary, record["skill_id"]),
        rate=percent(rate),
        dot=interval_row(
            rate,
            low=low,
            high=high,
            text=f"{percent(rate)}, 95% interval {interval(low, high)}, {record['sample_size']} judged uses",
            tone=verdict.tone,
            **_order_marks(record, summary),
        ),
        judged=_judged(record),
        of_uses=_of_uses(record),
        spark=sparkline(
            [RowPoint(*point) for point in course[["rate", "low", "high"]].itertuples(index=False)],
            top=top,
            text=_course_text(course),
            tone=verdict.tone,
        ),
        verdict=verdict,
        change=_change(record),
        weeks=[
            {
                "rate": "too few" if pd.isna(week["rate"]) else percent(week["rate"]),
                "interval": "" if pd.isna(week["rate"]) else interval(week["low"], week["high"]),
                "n": f"n {week['sample_size']}",
            }
            for week in rows_of(course)
        ],
    )


def _order_marks(record: Row, summary: WeeklySummary) -> dict[str, Any]:
    """Tick and dotted line, which tell the order: a skill alone has none."""
    if len(summary.sufficient) == 1:
        return {}
    return {"tick": float(record["shrunk_rate"]), "reference": float(record["overall_rate"])}


def _judged(record: Row) -> str:
    return f"{record['sample_size']:,} judged"


def _of_uses(record: Row) -> str:
    """``of 76 · 57%``: what the judged uses are part of; '' where uses were not counted."""
    uses, share = record["n_invocations"], record["coverage"]
    part: str = "" if pd.isna(share) else f" · {percent(float(share))}"
    return "" if pd.isna(uses) else f"of {uses:,}{part}"


def _change(record: Row) -> str:
    if record["verdict"] == "no_baseline":
        return f"{count_of(int(record['prior_sample']), 'judged use')} then"
    low, high = float(record["trend_low"]), float(record["trend_high"])
    return f"{points(float(record['trend']))} ({points_interval(low, high)})"


def _course_text(course: pd.DataFrame) -> str:
    known = course[course["rate"].notna()]
    if known.empty:
        return "Too few data for a course"
    first, last = known.iloc[0], known.iloc[-1]
    least, most = percent(known["rate"].min()), percent(known["rate"].max())
    return f"12 weeks: from {percent(first['rate'])} to {percent(last['rate'])}, between {least} and {most}"


def _foot(summary: WeeklySummary, top: float) -> list[str]:
    """How the table is to be read, for somebody who is no statistician."""
    return [
        (
            f"Corrected: a correction counts 1, a partial ½. {_JUDGED} Under it: the share judged. 12 weeks: the rate "
            f"over {summary.days} days at each week’s end, with its 95% interval, 0 to {bound(top)}%; gaps have too "
            f"few data. {_version_note(summary)} {_plugin_note(summary)}"
        ),
        (
            "95% interval: 19 of 20 ranges made like this hold the true rate. Of ten coloured verdicts "
            f"{_about(FALSE_DISCOVERY_RATE * 10)} may be chance. Differences are computed before rounding."
        ),
        *_left_out(summary),
    ]


def _left_out(summary: WeeklySummary) -> list[str]:
    """The skills of the log that the table has no row of, by name."""
    unused = summary.long_unused
    if not unused:
        return []
    names = as_list([*unused[:NAMES], *([f"{len(unused) - NAMES:,} more"] if len(unused) > NAMES else [])])
    verb = "is" if len(unused) == 1 else "are"
    return [f"{count_of(len(unused), 'skill')} not used in {WEEKS} weeks {verb} left out: {names}."]


def _about(number: float) -> str:
    return f"about {number_word(round(number))}"


def _version_note(summary: WeeklySummary) -> str:
    """What a version's number means: of skills whose changes are logged that log's, else a count of texts seen."""
    several = summary.versions[summary.versions.groupby("skill_id")["number"].transform("max") > 1]
    counted = (several["name"] == "v" + several["number"].astype("str")).all()
    if several.empty:
        return ""
    if counted:
        return "v2: the second text of a skill seen in these sessions."
    outside = f" “{OUTSIDE}” and “{EARLIER}”: texts that are not in it." if _has_unknown(several) else ""
    return (
        "v2: the second version in the audit log of the skill’s changes, or, where it has none, the second text seen "
        f"in these sessions.{outside}"
    )


def _has_unknown(texts: pd.DataFrame) -> bool:
    return bool(texts["name"].isin([OUTSIDE, EARLIER]).any())


def _plugin_note(summary: WeeklySummary) -> str:
    plugins = summary.ranking["skill_id"].astype("str").str.contains(":").any()
    return "Grey under a name: the plugin that the skill comes with." if plugins else ""


def _week_names(summary: WeeklySummary) -> list[str]:
    mondays = summary.courses["week"].drop_duplicates().sort_values().dt.tz_convert(summary.week.time_zone)
    return [short_date(monday.date()) for monday in mondays]


def _few(summary: WeeklySummary) -> list[FewRow]:
    rows = summary.too_few
    used = rows[(rows["n_invocations"].fillna(0) > 0) | (rows["sample_size"] > 0)]
    rows_shown = [
        FewRow(
            record["skill_id"],
            text_name(summary, record["skill_id"]),
            judged_words(record),
            _judged(record),
            _of_uses(record),
            f"{count_of(int(record['needed']), 'more judged use')} needed",
        )
        for record in rows_of(used)
    ]
    zone = summary.week.time_zone
    quiet = [
        FewRow(
            record["skill_id"],
            text_name(summary, record["skill_id"]),
            f"not used since {long_date(record['last_used'].tz_convert(zone).date())}",
            "0 uses",
            "",
            "",
        )
        for record in rows_of(summary.silent)
    ]
    return rows_shown + quiet
