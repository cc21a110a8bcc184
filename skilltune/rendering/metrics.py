"""The metrics report, and the tables of rates and trends for a terminal."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

from skilltune.errors import FrameError
from skilltune.limits import MIN_INVOCATIONS, TREND_DAYS
from skilltune.page.words import bound, count_of, judged_words, of_judged, percent, points_interval, short_date
from skilltune.rendering.terminal import Paint, clean, columns, finished, fitted, painter, wrapped

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["format_metrics_report", "render_metrics", "render_trends"]

RULE: Final = "=" * 40
TOP_HOTSPOTS: Final = 3
_NEEDED: Final = (
    *("skill_id", "correction_rate", "corrections", "partials", "acceptances"),
    *("sample_size", "sufficient_data"),
)
"""Columns of the report."""
MISSING_RATE: Final = "missing"

AXIS: Final = 21
"""Columns of the axis from 0 to 100 %, one for each 5 %."""
NARROW_AXIS: Final = 9
NAME: Final = 17
"""Columns of a skill's name where the terminal is narrow."""


_INTERVALS: Final = {"score": "score intervals", "session_bootstrap": "intervals by session"}
_ORDER: Final = "Order: most corrected first, few uses pulled towards the rate of all skills"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A trend in a terminal: glyph, words, and tone."""

    glyph: str
    words: str
    tone: str


VERDICTS: Final = {
    ("worsening", True): Verdict("▲", "got worse", "worse"),
    ("worsening", False): Verdict("△", "no evidence yet", "plain"),
    ("stable", False): Verdict("=", "no clear change", "quiet"),
    ("improving", False): Verdict("▽", "no evidence yet", "plain"),
    ("improving", True): Verdict("▼", "got better", "better"),
    ("no_baseline", False): Verdict("·", "no baseline", "quiet"),
    ("insufficient_data", False): Verdict("·", "too few before", "quiet"),
}
"""By direction and whether the change was discovered."""


def format_metrics_report(
    metrics: "pd.DataFrame | Sequence[Mapping[str, Any]]", hotspots: "pd.DataFrame | None" = None
) -> str:
    """The report text of all skills, worst rate first.

    Parameters
    ----------
    metrics : DataFrame or sequence of mappings
        From `correction_rate` by skill, or from `skill_metrics`.
    hotspots : DataFrame, optional
        From `hotspot_dimensions` by skill; default: what `metrics` itself says of them.

    Returns
    -------
    str
        A title, a rule, a line per skill and a line of its three most frequent dimensions.

    Raises
    ------
    FrameError
        `metrics` is another table, such as one of events.

    Examples
    --------
    >>> row = {"skill_id": "cpp-expert", "correction_rate": 0.4, "sample_size": 20, "corrections": 6, "partials": 4,
    ...        "acceptances": 10, "sufficient_data": True, "hotspots": {"accuracy": 5, "coverage": 3}}
    >>> print(format_metrics_report([row]))
    Skill Feedback Metrics
    ========================================
      cpp-expert: correction_rate=0.40 (n=20, corrections=6, partials=4, acceptances=10)
        hotspots: accuracy=5, coverage=3
    """
    table: Any = metrics if isinstance(metrics, Sequence) else metrics.to_dict(orient="records")
    rows: list[dict[str, Any]] = [dict(row) for row in table]
    _check_metrics(rows)
    spots = _spots(rows, hotspots)
    lines = ["Skill Feedback Metrics", RULE]
    for row in sorted(rows, key=_worst_first):
        lines += [_skill_line(row), *_hotspot_line(spots.get(row["skill_id"], {}))]
    return "\n".join(lines if rows else [*lines, "  no feedback yet"])


def render_metrics(
    ranking: "pd.DataFrame",
    *,
    as_of: datetime,
    days: int = TREND_DAYS,
    min_invocations: int = MIN_INVOCATIONS,
    implicit: bool = True,
    width: int = 80,
    color: bool = False,
    unicode: bool = True,
    next_command: str = "skilltune report",
) -> str:
    """The ranked skills for a terminal: who is corrected most, with intervals and verdicts.

    Parameters
    ----------
    ranking : DataFrame
        From `ranked_skills`.
    as_of : datetime
        The end of the window, in the time zone that dates are shown in.
    days, min_invocations, implicit
        As `ranking` was made with.
    width : int, default 80
        Columns of the terminal.
    color, unicode : bool
        Whether the terminal shows colour, and characters beyond ASCII.
    next_command : str
        The command that the last line names.

    Returns
    -------
    str
        Sentence, dates, table, skills with too few data, next command.
    """
    rows: list[dict[str, Any]] = ranking.to_dict(orient="records")  # type: ignore[assignment]  # keys are names
    enough = [row for row in rows if row["sufficient_data"]]
    paint = painter(color=color)
    lines = [paint(line, "finding") for line in wrapped(_finding(enough, rows, days, min_invocations), width)]
    if rows and not enough and not implicit:
        lines += [paint(_dates(as_of, days, implicit=implicit), "quiet")]
    if enough:
        told = f"{_dates(as_of, days, implicit=implicit)}, against the {days} days before; {_interval_words(enough)}"
        texts = [told, _ORDER] if len(enough) > 1 else [told]
        lines += [*(paint(line, "quiet") for text in texts for line in wrapped(text, width)), ""]
        lines += _metric_lines(enough, width, paint)
    if few := [row for row in rows if not row["sufficient_data"]]:
        lines += ["", *([f"Too few data (under {count_of(min_invocations, 'judged use')})"] if enough else [])]
        lines += _few_lines(few, width, paint)
    lines += ["", f"Next: {next_command if rows else 'skilltune mine'}"]
    return finished(lines, unicode=unicode)


def render_trends(
    trends: "pd.DataFrame",
    *,
    as_of: datetime,
    days: int = TREND_DAYS,
    implicit: bool = True,
    width: int = 80,
    color: bool = False,
    unicode: bool = True,
    next_command: str = "skilltune metrics",
) -> str:
    """The trends of skills for a terminal: rate before and now, the change with its interval, the verdict.

    Parameters
    ----------
    trends : DataFrame
        From `correction_trend` by skill.
    as_of : datetime
        The end of the recent window, in the time zone that dates are shown in.
    days, implicit
        As `trends` was made with.
    width, color, unicode, next_command
        As in `render_metrics`.

    Returns
    -------
    str
        Sentence, dates, table, why others have no verdict, next command.
    """
    rows: list[dict[str, Any]] = trends.to_dict(orient="records")  # type: ignore[assignment]  # keys are names
    known = [row for row in rows if not _is_missing(row["trend"])]
    paint = painter(color=color)
    lines = [paint(line, "finding") for line in wrapped(_turns(known, rows), width)]
    if rows:
        span = (
            f"{_dates(as_of, days, implicit=implicit)}, against the {days} days before; points, with their 95% interval"
        )
        lines += [*(paint(line, "quiet") for line in wrapped(span, width)), ""]
    if known:
        lines += _trend_lines(known, width, paint)
    for row in rows:
        if _is_missing(row["trend"]):
            lines += wrapped(f"{clean(row['skill_id'])}: no verdict; {row['reason']}.", width)
    lines += ["", f"Next: {next_command if rows else 'skilltune mine'}"]
    return finished(lines, unicode=unicode)


def _spots(rows: list[dict[str, Any]], hotspots: "pd.DataFrame | None") -> dict[str, dict[str, int]]:
    if hotspots is None:
        return {row["skill_id"]: row.get("hotspots", {}) for row in rows}
    from skilltune.analysis.summary import hotspots_by_skill

    return hotspots_by_skill(hotspots)


def _worst_first(row: dict[str, Any]) -> tuple[bool, float, str]:
    rate = row["correction_rate"]
    missing = _is_missing(rate)
    return missing, 0.0 if missing else -rate, row["skill_id"]


def _check_metrics(rows: Sequence[Mapping[str, Any]]) -> None:
    missing = [name for name in _NEEDED if any(name not in row for row in rows)]
    if missing:
        raise FrameError(
            f"the table has no column {missing[0]!r}, so it holds no rates of skills; give what "
            "correction_rate(events) or skill_metrics(events) returns"
        )


def _skill_line(row: dict[str, Any]) -> str:
    rate = MISSING_RATE if _is_missing(row["correction_rate"]) else f"{row['correction_rate']:.2f}"
    counts = ", ".join(f"{name}={row[name]}" for name in ("corrections", "partials", "acceptances"))
    note = "" if row["sufficient_data"] else " (insufficient data)"
    return f"  {clean(row['skill_id'])}: correction_rate={rate} (n={row['sample_size']}, {counts}){note}"


def _hotspot_line(spots: Mapping[str, int]) -> list[str]:
    top = sorted(spots.items(), key=lambda item: -item[1])[:TOP_HOTSPOTS]
    return [f"    hotspots: {', '.join(f'{name}={count}' for name, count in top)}"] if top else []


def _is_missing(value: Any) -> bool:
    """Whether a number is None, NaN or pandas' NA (the only one that is no number)."""
    return not isinstance(value, Real) or math.isnan(value)


def _finding(enough: list[dict[str, Any]], rows: list[dict[str, Any]], days: int, needed: int) -> str:
    if not rows:
        return "No feedback yet."
    if not enough:
        return f"Too few data: no skill has {needed} judged uses in the last {days} days."
    worse = [row for row in enough if _verdict(row).tone == "worse"]
    seen = sum(map(_is_seen, rows))
    lead = f"{len(worse)} of {count_of(seen, 'skill')} got worse" if worse else "No skill got worse"
    if all(_is_missing(row["trend"]) for row in enough):
        lead = f"No earlier {days} days to compare with"
    worst = (worse or enough)[0]
    if not worst["correction_rate"]:
        return f"{lead}; none was corrected."
    return f"{lead}; {clean(worst['skill_id'])}: {of_judged(worst['correction_rate'])} corrected."


def _interval_words(rows: list[dict[str, Any]]) -> str:
    """How the intervals were found, of which all are found alike."""
    return f"lines: 95% {_INTERVALS[rows[0]['interval_method']]}"


def _turns(known: list[dict[str, Any]], rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "No feedback yet."
    if not known:
        return "No verdict on any skill yet."
    tones = [_verdict(row).tone for row in known]
    worse, better = tones.count("worse"), tones.count("better")
    lead = f"{worse} of {count_of(len(rows), 'skill')} got worse" if worse else "No skill got worse"
    return f"{lead}, {better or 'none'} got better."


def _verdict(row: Mapping[str, Any]) -> Verdict:
    return VERDICTS[row["direction"], bool(row["discovered"])]


def _metric_lines(rows: list[dict[str, Any]], width: int, paint: Paint) -> list[str]:
    name, axis = _name_and_axis(rows, width)
    judged = max(len("judged"), *(len(_judged(row)) for row in rows))
    head = f"{'skill':{name}}  rate  {_scale(axis)}  {'judged':>{judged}}  trend, points"
    return [paint(head.rstrip(), "quiet"), *(_metric_line(row, name, axis, judged, paint) for row in rows)]


def _metric_line(row: Mapping[str, Any], name: int, axis: int, judged: int, paint: Paint) -> str:
    loud = (verdict := _verdict(row)).tone in ("worse", "better")
    parts = [
        paint(fitted(row["skill_id"], name), "finding" if loud else "plain"),
        f"{percent(row['correction_rate']):>4}",
        paint(_dot_and_interval(row, axis), verdict.tone if loud else "plain"),
        f"{_judged(row):>{judged}}",
        paint(f"{verdict.glyph} {verdict.words:15} {_points(row['trend']):>4}".rstrip(), verdict.tone),
    ]
    return "  ".join(part for part in parts if part)


def _few_lines(rows: list[dict[str, Any]], width: int, paint: Paint) -> list[str]:
    """What was judged of each skill in words, and how many judged uses a rate still needs."""
    name = min(max(columns(clean(row["skill_id"])) for row in rows), max(NAME, width - 60))
    lines: list[str] = []
    for row in rows:
        told = textwrap.wrap(_few_words(row), width - name - 2)
        lines += [f"{' ' * name if at else fitted(row['skill_id'], name)}  {line}" for at, line in enumerate(told)]
    return [paint(line, "quiet") for line in lines]


def _few_words(row: Mapping[str, Any]) -> str:
    """``1 corrected, 1 accepted; 3 more judged uses needed (2 of 7 judged)``."""
    if not _is_seen(row):
        return "not used in these days"
    counted = "" if _is_missing(row["n_invocations"]) else f" ({row['sample_size']} of {row['n_invocations']} judged)"
    return f"{judged_words(row)}; {count_of(int(row['needed']), 'more judged use')} needed{counted}"


def _is_seen(row: Mapping[str, Any]) -> bool:
    """Whether a skill was used or judged in these days."""
    return bool(row["sample_size"]) or (not _is_missing(row["n_invocations"]) and bool(row["n_invocations"]))


def _name_and_axis(rows: list[dict[str, Any]], width: int) -> tuple[int, int]:
    """Columns for the names and for the axis, which goes first where the terminal is narrow."""
    room = width - len("  rate  " + "  " + "judged_" + "  " + "= no clear change +100") - 2
    longest = max(len("skill"), *(columns(clean(row["skill_id"])) for row in rows))
    name = min(longest, max(NAME, room - AXIS))
    axis = min(AXIS, room - name)
    return (name, axis) if axis >= NARROW_AXIS else (min(longest, room), 0)


def _scale(axis: int) -> str:
    """The numbers above the axis, each over its place."""
    if not axis:
        return ""
    text = [" "] * (axis + 2)
    for mark in (0, 25, 50, 75, 100) if axis >= AXIS else (0, 50, 100):
        place = round(mark / 100 * (axis - 1))
        text[place : place + len(str(mark))] = str(mark)
    return "".join(text)


def _dot_and_interval(row: Mapping[str, Any], axis: int) -> str:
    if not axis:
        return ""
    low, rate, high = (round(row[name] * (axis - 1)) for name in ("low", "correction_rate", "high"))
    marks = ["─" if low <= place <= high else " " for place in range(axis)]
    marks[rate] = "●"
    return "".join(marks) + "  "


def _trend_lines(rows: list[dict[str, Any]], width: int, paint: Paint) -> list[str]:
    changes = [f"{_points(row['trend'])} ({points_interval(row['low'], row['high'])})" for row in rows]
    judged = [f"{row['prior_sample']} → {row['recent_sample']}" for row in rows]
    change, sample = max(len("change"), *map(len, changes)), max(len("judged"), *map(len, judged))
    longest = max(len("skill"), *(columns(clean(row["skill_id"])) for row in rows))
    room = width - len("  before   now  ") - change - sample - len("    = no clear change")
    wordless = room < min(longest, NAME)
    name = min(longest, room + len("no clear change") if wordless else room)
    head = f"{'skill':{name}}  before   now  {'change':{change}}  {'judged':>{sample}}"
    lines = [paint(head, "quiet")]
    for row, moved, counts in zip(rows, changes, judged, strict=True):
        verdict = _verdict(row)
        loud = verdict.tone in ("worse", "better")
        lines.append(
            f"{paint(fitted(row['skill_id'], name), 'finding' if loud else 'plain')}  "
            f"{percent(row['prior_rate']):>6}  {percent(row['recent_rate']):>4}  {moved:{change}}  {counts:>{sample}}  "
            + paint(verdict.glyph if wordless else f"{verdict.glyph} {verdict.words}", verdict.tone)
        )
    return lines


def _points(difference: float) -> str:
    """A difference in points with its sign and without the word; '' where there is none."""
    if _is_missing(difference):
        return ""
    shown = bound(difference)
    return f"+{shown}" if difference > 0 and shown != "0" else shown


def _judged(row: Mapping[str, Any]) -> str:
    """Judged of all uses, or the judged alone where uses were not counted."""
    uses = row["n_invocations"]
    return f"{row['sample_size']}" if _is_missing(uses) else f"{row['sample_size']}/{uses}"


def _dates(as_of: datetime, days: int, *, implicit: bool) -> str:
    """``1–30 Nov 2026``, and what is left out of the figures of these days."""
    first, last = as_of - timedelta(days=days), as_of - timedelta(microseconds=1)
    left_out = "" if implicit else ", acceptances by going on left out"
    return f"{short_date(first.date())}–{short_date(last.date())} {last.year}{left_out}"
