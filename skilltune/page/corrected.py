"""What people would say beside what the rules say: corrected rates with their intervals, in words."""

import math
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import pandas as pd
from markupsafe import Markup

from skilltune.analysis.corrected_summary import CorrectedSummary
from skilltune.charts.precision_course import precision_course
from skilltune.charts.quality import corrected_row
from skilltune.charts.rows import interval_axis
from skilltune.limits import TREND_DAYS
from skilltune.page.corrected_words import (
    NOTHING,
    bounds_of,
    corrected_finding,
    what_is_counted,
    what_is_left_out,
    what_it_rests_on,
    what_next,
)
from skilltune.page.html import Section, render, visible
from skilltune.page.rows import Row, first_row, rows_of
from skilltune.page.words import as_list, count_of, interval, long_date, percent, times_in

__all__ = ["corrected_section"]

ROWS: Final = 20
"""Skills that the table shows; those with the most labels first where there are more."""
NAMES: Final = 5
"""Skills that a note names."""
COURSE_LABELS: Final = 10
"""Labelled uses that the rules call a complaint, from which on their precision is drawn."""
WIDTHS: Final = {"wide": 860, "narrow": 340}
"""Of the drawing of that precision, in pixels."""
ALL: Final = "all skills"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedRow:
    """One skill, or all of them, as it is shown."""

    skill: str
    raw: str
    rate: str
    interval: str
    dot: Markup
    labels: str
    basis: str
    all: bool = False
    version: str = ""


def corrected_section(
    summary: CorrectedSummary | None, *, span: tuple[date, date] | None = None, days: int = TREND_DAYS
) -> Section:
    """Raw rate, corrected rate and interval of all skills and of each that labels can carry; what to do next.

    Parameters
    ----------
    span
        The first and the last day of the uses that it is about.
    days
        Which the other rates of the page are about, for comparison.
    """
    overall = None if summary is None else first_row(summary.overall)
    if summary is None or overall is None:
        return Section(_without_figures(NOTHING, []), bare=True)
    carried = summary.skills[summary.skills["method"].isin(["sample", "pooled"])]
    refused = overall["method"] == "refused"
    if refused and carried.empty:
        return Section(_without_figures(corrected_finding(overall), _lines(summary, overall)))
    only = str(summary.skills["skill_id"].iloc[0]) if len(summary.skills) == 1 else ""
    whole = [] if refused else [_row(overall, name=only or ALL, all_skills=not only)]
    rows = [*whole, *(_row(row, name=row["skill_id"]) for row in _shown(carried) if not (only and whole))]
    return Section(
        render(
            "corrected.html.j2",
            note=f"{_how_to_read(overall)} {_span_words(span, days=days)}".strip(),
            finding=corrected_finding(overall, carried=len(carried)),
            lines=_lines(summary, overall),
            axis=interval_axis(),
            rows=rows,
            foot=[*_foot(summary, overall), *_left_out(summary, len(carried))],
            course=_course(summary),
        )
    )


def _lines(summary: CorrectedSummary, overall: Row) -> list[str]:
    return [what_it_rests_on(overall), *what_is_counted(summary), *what_next(summary)]


def _without_figures(finding: str, lines: list[str]) -> Markup:
    return render("corrected.html.j2", note="", finding=finding, lines=lines, axis="", rows=[], foot=[], course=None)


def _shown(carried: pd.DataFrame) -> list[Row]:
    """The skills of the table, highest corrected rate first."""
    if len(carried) > ROWS:
        most = carried.sort_values(["n_labels", "skill_id"], ascending=[False, True]).head(ROWS)
        carried = carried.loc[carried.index.isin(most.index)]
    return rows_of(carried)


def _row(row: Row, *, name: str, all_skills: bool = False) -> CorrectedRow:
    rate, low, high = row["corrected_rate"], row["low"], row["high"]
    raw = None if math.isnan(row["raw_rate"]) else float(row["raw_rate"])
    said = "none judged" if raw is None else percent(raw)
    bounds = bounds_of(row)
    basis = {"sample": "own labels", "pooled": "all labels", "transfer": "other projects"}[row["method"]]
    return CorrectedRow(
        skill=name,
        raw=said,
        rate=percent(rate),
        interval=bounds,
        dot=corrected_row(
            raw,
            rate=rate,
            low=low,
            high=high,
            text=f"{visible(name)}: corrected {percent(rate)}, 95% interval {bounds}; the rules say {said}",
            borrowed=row["method"] != "sample",
        ),
        labels=f"{int(row['n_labels']):,} of {int(row['n_uses']):,}",
        basis="" if all_skills and row["method"] == "sample" else basis,
        all=all_skills,
    )


def _foot(summary: CorrectedSummary, overall: Row) -> list[str]:
    lines = []
    if (summary.skills["method"] == "pooled").any():
        lines.append(
            f"“All labels”: the skill has fewer than {summary.min_labels} labels of its own, so the mistakes found on "
            "all skills together are taken to be the same here. That may be wrong for one skill; its range is drawn "
            "dashed."
        )
    if summary.chosen:
        count = "counts" if summary.chosen == 1 else "count"
        lines.append(
            f"{count_of(summary.chosen, 'labelled use')} {count} in no figure here: uses that somebody picked, or "
            "labelled out of the sample’s order, say nothing about the others."
        )
    when = "The rates here are of all uses up to the last draw, so they may differ from those of the last days above."
    if overall["method"] == "transfer":
        when = "The rates here are of all uses so far, so they may differ from those of the last days above."
    left_out = "" if overall["method"] == "refused" else what_is_left_out(overall)
    return [*lines, " ".join(filter(None, (when, left_out)))]


def _left_out(summary: CorrectedSummary, carried: int) -> list[str]:
    """The skills that no label can correct, and those the table has no room for."""
    if first_row(summary.overall) is None or not carried:
        return []
    refused = summary.skills.loc[summary.skills["method"] == "refused", "skill_id"].sort_values().tolist()
    lines = []
    if refused:
        named = [*refused[:NAMES], *([f"{len(refused) - NAMES} more"] if len(refused) > NAMES else [])]
        lines.append(f"Too few labels or uses to correct: {as_list(named)}.")
    if carried > ROWS:
        lines.append(f"{carried - ROWS} more skills with fewer labels are not shown.")
    return lines


def _how_to_read(overall: Row) -> str:
    whose = "the mistakes they made elsewhere" if overall["method"] == "transfer" else "your labels"
    return (
        f"Hollow dot: what the rules say. Full dot: the same rate corrected by {whose}. Line: its 95% interval, "
        "dashed where it rests on labels of other skills or projects."
    )


def _span_words(span: tuple[date, date] | None, *, days: int) -> str:
    """Which uses the figures are about, and that the others are not."""
    if span is None:
        return ""
    first, last = span
    years = first.year != last.year
    when = f"{long_date(first, year=years)}–{long_date(last, year=years)}" if first < last else long_date(last)
    return f"All uses of {when}; the other rates of this page are of the last {days} days."


def _course(summary: CorrectedSummary) -> dict[str, Any] | None:
    """The precision of complaints over the labels given; None while it rests on hardly any."""
    last = first_row(summary.course.tail(1))
    if last is None or last["said"] < COURSE_LABELS:
        return None
    precision, bounds = percent(last["precision"]), interval(last["low"], last["high"])
    labels, said = count_of(int(last["labels"]), "labelled use"), count_of(int(last["said"]), "use")
    title = f"When the rules say “complaint”, they are right {times_in(last['precision'])} ({precision}, {bounds})"
    text = f"{title}; {said} of {labels}. The line is that share after each such use, the band its 95% interval."
    rows = [
        {
            "labels": str(row["labels"]),
            "said": str(row["said"]),
            "right": str(row["right"]),
            "precision": "none yet" if pd.isna(row["precision"]) else percent(row["precision"]),
            "interval": "" if pd.isna(row["precision"]) else interval(row["low"], row["high"]),
        }
        for row in rows_of(_every(summary.course, count=COURSE_LABELS))
    ]
    charts = {
        name: precision_course(summary.course, expected=0, label=precision, text=text, width=width)
        for name, width in WIDTHS.items()
    }
    return {"title": title, "n": f"{said} of {labels}", "rows": rows, **charts}


def _every(course: pd.DataFrame, *, count: int) -> pd.DataFrame:
    """The course after each `count` labels, and after the last one."""
    number = course["labels"]
    shown: pd.DataFrame = course[(number % count == 0) | (number == number.max())]
    return shown
