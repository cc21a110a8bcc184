"""Each text of a skill against the one before it: both rates on one line, and what that shows."""

import math
from typing import Any, Final

import pandas as pd

from skilltune.charts.limits import effect_axis
from skilltune.page.html import Section, render, visible
from skilltune.page.refined import drawn_effect, effect_ticks, missed_note
from skilltune.page.rows import Row, rows_of
from skilltune.page.words import Verdict, count_of, local_day, percent, points, points_interval, short_date

__all__ = ["versions_section"]

_VERDICTS: Final[dict[str, Verdict]] = {
    "helped": Verdict("▼", "lower than before", "better"),
    "made_worse": Verdict("▲", "higher than before", "worse"),
    "no_evidence": Verdict("＝", "no evidence of a change", "quiet"),
    "too_early": Verdict("·", "too early to say", "quiet"),
}

_OTHER_THAN_COURSE: Final = (
    "The course above compares days with the days before, whatever the text; here the uses of one text are compared "
    "with those of the text before it, with wider intervals. So the two may differ."
)


def versions_section(effects: pd.DataFrame, names: dict[str, str], *, time_zone: str) -> Section:
    """One row a new text, latest first; one line where there is nothing to compare.

    Parameters
    ----------
    effects
        ``before_after`` of the skill's texts.
    names
        What each text is called, by its digest.
    """
    rows = rows_of(effects)
    ticks = effect_ticks(rows)
    return Section(
        render(
            "versions.html.j2",
            note=(
                "Hollow dot: the text before. Full dot: the new one. Lines: 95% intervals, 0 to "
                f"{ticks[-1]:.0%}, widened for repeated looks."
            )
            if rows
            else "",
            finding=_finding(rows),
            axis=effect_axis(top=ticks[-1], ticks=ticks),
            rows=[_view(row, names, ticks=ticks, time_zone=time_zone) for row in rows],
            foot=[f"{_OTHER_THAN_COURSE} A change after a date is no proof of its cause.", *missed_note(rows)]
            if rows
            else [],
        )
    )


def _finding(rows: list[Row]) -> str:
    if not rows:
        return "One text only, or none that is known: nothing to compare."
    verdicts = [row["verdict"] for row in rows]
    moved = verdicts.count("helped") + verdicts.count("made_worse")
    if not moved:
        return f"{count_of(len(rows), 'new text')}, without evidence that the rate changed."
    if len(rows) == 1:
        return f"1 new text; after it the rate was {'lower' if verdicts[0] == 'helped' else 'higher'}."
    return f"{count_of(len(rows), 'new text')}; after {moved} of them the rate was another one."


def _view(row: Row, names: dict[str, str], *, ticks: list[float], time_zone: str) -> dict[str, Any]:
    """One text as it is shown; without both rates there is nothing to draw."""
    name, verdict = names.get(row["skill_digest"], "a text"), _VERDICTS[row["verdict"]]
    since: str = "" if pd.isna(row["at"]) else f"from {short_date(local_day(row['at'], time_zone))}"
    rates = [_rate(row, side) for side in ("before", "after")]
    known = not any(math.isnan(row[f"{side}_{part}"]) for side in ("before", "after") for part in ("low", "high"))
    return {
        "name": name,
        "since": since,
        "rates": " → ".join(rates),
        "n": f"n = {row['n_before']:,} → {row['n_after']:,}",
        "drawing": drawn_effect(row, name=visible(name), ticks=ticks, verdict=verdict) if known else None,
        "verdict": verdict,
        "change": _change(row),
    }


def _change(row: Row) -> str:
    if math.isnan(row["low"]):
        return ""
    return f"{points(row['difference'])} ({points_interval(row['low'], row['high'])})"


def _rate(row: Row, side: str) -> str:
    rate = row[f"rate_{side}"]
    return "not judged" if math.isnan(rate) else percent(rate)
