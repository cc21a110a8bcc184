"""Refinements that were applied, and whether they helped."""

import math
from dataclasses import dataclass
from typing import Final

import pandas as pd
from markupsafe import Markup

from skilltune.analysis.weekly import WEEKS
from skilltune.charts.limits import Span, effect_axis, effect_row
from skilltune.limits import TREND_DAYS
from skilltune.page.html import Section, render, visible
from skilltune.page.refinement_summary import RefinementSummary
from skilltune.page.rows import Row, rows_of
from skilltune.page.words import (
    Verdict,
    as_list,
    command_for,
    count_of,
    interval,
    local_day,
    percent,
    points,
    points_interval,
    short_date,
)

__all__ = ["EFFECTS", "drawn_effect", "effect_ticks", "missed_note", "refined_section", "worse_sentence"]

ROWS: Final = 20
"""Refinements that the table shows, the latest first."""
EFFECTS: Final[dict[str, Verdict]] = {
    "helped": Verdict("▼", "helped", "better"),
    "made_worse": Verdict("▲", "made it worse", "worse"),
    "no_evidence": Verdict("＝", "no evidence yet", "quiet"),
    "too_early": Verdict("·", "too early to say", "quiet"),
}
"""What each verdict of ``before_after`` is called."""
FEW: Final = 100
"""Judged uses on a side below which a change by half is missed more often than found."""
_MISSED: Final = (
    "No evidence is no proof that nothing changed: with 30 judged uses before and 60 after, a rate that falls from 30% "
    "to 15% is found in about one case of four."
)
"""Measured: `benchmarks/before_after.py`."""
_TOP: Final = 0.8
_FIFTHS: Final = (0, 0.2, 0.4, 0.6, 0.8, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinedView:
    """One refinement as it is shown."""

    skill: str
    version: str
    applied: str
    before: str
    after: str
    n: str
    drawing: Markup | None
    instead: str
    """What stands in place of a drawing."""
    verdict: Verdict
    change: str


def refined_section(summary: RefinementSummary | None, *, time_zone: str, min_invocations: int) -> Section:
    """One row a refinement: both rates with their intervals, and the verdict; what made it worse has its way back."""
    rows = [] if summary is None or summary.effects.empty else rows_of(summary.effects)
    shown = rows[:ROWS]
    ticks = effect_ticks(shown)
    return Section(
        render(
            "refined.html.j2",
            note=(
                f"Applied in the last {WEEKS} weeks{_as_of(summary, time_zone)}. Hollow dot: before. Full dot: "
                f"after. Lines: 95% intervals, 0 to "
                f"{ticks[-1]:.0%}, widened for repeated looks."
            )
            if rows
            else "",
            finding=_finding(rows),
            axis=effect_axis(top=ticks[-1], ticks=ticks),
            rows=[_view(row, ticks=ticks, time_zone=time_zone, needed=min_invocations) for row in shown],
            rollbacks=[_rollback(row) for row in rows if _still_worse(row)],
            foot=_foot(rows) if rows else [],
        ),
        bare=not rows,
    )


def effect_ticks(rows: list[Row]) -> list[float]:
    """The axis of rates before and after: 0 to 80 %, to 100 % where an interval needs it."""
    highest = max(
        (row[name] for row in rows for name in ("before_high", "after_high") if not _missing(row[name])), default=0
    )
    return [tick for tick in _FIFTHS if tick <= _TOP or highest > _TOP]


def drawn_effect(row: Row, *, name: str, ticks: list[float], verdict: Verdict) -> Markup:
    """Both rates of a row of ``before_after`` with their intervals, as a drawing that says them."""
    before, after = (_span(row, side) for side in ("before", "after"))
    told = [f"{percent(side.rate)} ({interval(side.low, side.high)})" for side in (before, after)]
    text = f"{name}: corrected {told[0]} before, {told[1]} after; {verdict.words}"
    return effect_row(before, after, text=text, top=ticks[-1], ticks=ticks, tone=verdict.tone)


def missed_note(rows: list[Row]) -> list[str]:
    """What no evidence means where uses are few; nothing where it does not occur."""
    few = any(row["verdict"] == "no_evidence" and min(row["n_before"], row["n_after"]) < FEW for row in rows)
    return [_MISSED] if few else []


def worse_sentence(summary: RefinementSummary | None) -> str:
    """How many refinements made a skill worse, for the lede; '' for none."""
    rows = [] if summary is None or summary.effects.empty else rows_of(summary.effects)
    worse = [row for row in rows if _still_worse(row)]
    if not worse:
        return ""
    if len(worse) == 1:
        return f"a refinement of {worse[0]['skill_id']} made it worse"
    return f"{len(worse)} refinements made it worse"


def _finding(rows: list[Row]) -> str:
    if not rows:
        return f"No refinement was applied in the last {WEEKS} weeks."
    counts = {name: sum(_state(row) == name for row in rows) for name in (*EFFECTS, "ended")}
    if len(rows) == 1:
        row = rows[0]
        words = {
            "helped": f"The refinement of {row['skill_id']} helped.",
            "made_worse": f"The refinement of {row['skill_id']} made it worse.",
            "no_evidence": f"There is no evidence yet that the refinement of {row['skill_id']} changed anything.",
            "too_early": f"It is too early to say whether the refinement of {row['skill_id']} helped.",
            "ended": f"The refinement of {row['skill_id']} was taken back before it could be judged."
            if _taken_back(row)
            else f"Another text came before the refinement of {row['skill_id']} could be judged.",
        }
        return words[_state(row)]
    told = {
        "made_worse": "made it worse",
        "helped": "helped",
        "no_evidence": "shows no evidence yet" if counts["no_evidence"] == 1 else "show no evidence yet",
        "too_early": "is too recent" if counts["too_early"] == 1 else "are too recent",
        "ended": "ended before it could be judged" if counts["ended"] == 1 else "ended before they could be judged",
    }
    parts = [f"{counts[name]} {words}" for name, words in told.items() if counts[name]]
    return f"Of {len(rows)} refinements, {as_list(parts)}."


def _view(row: Row, *, ticks: list[float], time_zone: str, needed: int) -> RefinedView:
    verdict = _ended_words(row, time_zone) if _state(row) == "ended" else EFFECTS[row["verdict"]]
    before, after = (None if _missing(row[name]) else percent(row[name]) for name in ("rate_before", "rate_after"))
    early = row["verdict"] == "too_early" or row["n_before"] < needed
    return RefinedView(
        skill=row["skill_id"],
        version=f"v{row['version']}",
        applied=_applied(row, time_zone),
        before="not judged" if before is None else f"{before} before" if early else f"{before} → ",
        after="" if early or after is None else after,
        n=f"n = {row['n_before']}" if early else f"n = {row['n_before']} → {row['n_after']}",
        drawing=None if early else drawn_effect(row, name=visible(row["skill_id"]), ticks=ticks, verdict=verdict),
        instead=_instead(row, needed=needed) if early else "",
        verdict=verdict,
        change="" if _state(row) == "ended" else _change(row, needed=needed),
    )


def _instead(row: Row, *, needed: int) -> str:
    """What is said where there is nothing to draw."""
    if row["n_after"] < needed:
        when = "of it" if _state(row) == "ended" else "since"
        return f"{count_of(row['n_after'], 'judged use')} {when}: too few to compare"
    return "too few before to compare"


def _applied(row: Row, time_zone: str) -> str:
    told = f"applied {_day(row['at'], time_zone)}{', after this week' if row['later'] else ''}"
    if not _taken_back(row) or _state(row) == "ended":
        return told
    return f"{told}, rolled back {_day(row['rolled_back'], time_zone)}"


def _day(moment: pd.Timestamp, time_zone: str) -> str:
    return short_date(moment.tz_convert(time_zone).date())


def _as_of(summary: RefinementSummary | None, time_zone: str) -> str:
    """Until when the table knows of refinements and uses."""
    if summary is None or summary.made is None:
        return ""
    return f" and since, as of {short_date(local_day(summary.made, time_zone))}"


def _state(row: Row) -> str:
    """The verdict; ``ended`` where the text went before there was one, so that none will come."""
    gone = _taken_back(row) or not pd.isna(row["replaced"])
    return "ended" if gone and row["verdict"] == "too_early" else str(row["verdict"])


def _ended_words(row: Row, time_zone: str) -> Verdict:
    """What ended a refinement, and when."""
    if _taken_back(row):
        return Verdict("·", f"rolled back on {_day(row['rolled_back'], time_zone)}", "quiet")
    return Verdict("·", f"replaced on {_day(row['replaced'], time_zone)}", "quiet")


def _still_worse(row: Row) -> bool:
    return bool(row["verdict"] == "made_worse" and not _taken_back(row))


def _taken_back(row: Row) -> bool:
    return not bool(pd.isna(row["rolled_back"]))


def _span(row: Row, side: str) -> Span:
    return Span(float(row[f"rate_{side}"]), float(row[f"{side}_low"]), float(row[f"{side}_high"]))


def _change(row: Row, *, needed: int) -> str:
    if row["verdict"] == "too_early":
        return f"{count_of(row['needed'], 'more judged use')} needed"
    if row["n_before"] < needed:
        return str(row["reason"])
    return f"{points(row['difference'])} ({points_interval(row['low'], row['high'])})"


def _rollback(row: Row) -> dict[str, str]:
    return {
        "words": f"To go back to v{row['former']} of",
        "skill": row["skill_id"],
        "command": command_for("rollback", row["skill_id"], "--to", str(row["former"])),
    }


def _foot(rows: list[Row]) -> list[str]:
    lines = [
        " ".join(
            [
                f"Before: judged uses of the text before, {TREND_DAYS} days at most. After: all of the new text, until",
                "the next change. Whoever looks every week sees a difference by chance sooner or later; here the",
                "intervals are wide enough for all looks together: of 20 refinements that change nothing, about one is",
                "ever called helpful or harmful. Uses count as independent. A change after a date is no proof of its",
                "cause.",
            ]
        )
    ]
    other = sum(int(row["n_other"]) for row in rows)
    if other:
        were = "use" if other == 1 else "uses"
        lines.append(f"{other:,} judged {were} after a refinement still had another text; no rate here counts them.")
    lines += missed_note(rows[:ROWS])
    if len(rows) > ROWS:
        lines.append(f"{count_of(len(rows) - ROWS, 'earlier refinement')} not shown.")
    return lines


def _missing(value: float) -> bool:
    return math.isnan(value)
