"""How far a skill has come from its baseline, as text."""

from datetime import datetime
from math import floor
from typing import Final

from skilltune.evolution.drift import Drift, DriftStatus
from skilltune.rendering.eligibility import iso_date
from skilltune.rendering.terminal import NAME_CHARS, command, cut, finished, numbered, painter, safe, titled, wrapped

__all__ = ["render_drift"]

COMMIT_CHARS: Final = 7
_STATUS: Final[dict[DriftStatus, str]] = {
    "within_bounds": "WITHIN BOUNDS",
    "exceeded": "THRESHOLD EXCEEDED",
    "no_baseline": "NO BASELINE",
    "undefined": "UNDEFINED",
}


def render_drift(
    drift: Drift,
    *,
    skill_id: str,
    version: int,
    source: str = "",
    commit: str = "",
    since: datetime | None = None,
    notes: tuple[str, ...] = (),
    width: int = 80,
    color: bool = False,
    unicode: bool = True,
) -> str:
    """The report on one skill's drift.

    Parameters
    ----------
    drift : Drift
        From `measure_drift`.
    skill_id, version
        The skill, and the version it is at.
    source : str
        Where the baseline comes from: ``git``, ``file``, ``reset``; '' for none.
    commit, since
        Its commit and its time.
    notes : tuple of str
        What to look at.
    width, color, unicode
        As in `render_metrics`.

    Returns
    -------
    str
        Figure, threshold and status, then what is left, or the ways out where the threshold is reached.
    """
    paint = painter(color=color)
    lines = titled(f"Drift Report: {cut(skill_id, NAME_CHARS)}")
    lines += [
        f"Current version: {version}",
        _origin(source, commit=commit, since=since),
        f"Cumulative drift: {'not known' if drift.percent is None else f'{drift.percent:.1f}%'}",
        f"Threshold: {drift.limit_percent:g}%",
        paint(f"Status: {_STATUS[drift.status]}", "held" if drift.status == "exceeded" else "finding"),
        "",
    ]
    lines += (
        _exceeded(skill_id, width=width)
        if drift.status == "exceeded"
        else _remaining(drift, skill_id=skill_id, width=width)
    )
    told = [_beside(drift), drift.note, *notes]
    beside = [line for text in told if text for line in wrapped(safe(_sentence(text)), width)]
    lines += [""] * bool(beside) + [paint(line, "quiet") for line in beside]
    return finished(lines, unicode=unicode).rstrip("\n")


def _origin(source: str, *, commit: str, since: datetime | None) -> str:
    if source == "git" and commit:
        return f"Original commit: {safe(commit[:COMMIT_CHARS])} ({iso_date(since)})"
    if source in ("file", "reset"):
        words = "as first seen" if source == "file" else "baseline taken anew"
        return f"Original: {words} ({iso_date(since)})"
    return "Original: no baseline"


def _remaining(drift: Drift, *, skill_id: str, width: int) -> list[str]:
    if drift.remaining_percent is None:
        if drift.status != "no_baseline":
            return []
        why = "Without a baseline a refinement needs an explicit allowance:"
        return [*wrapped(why, width), f"  {command('refine', skill_id, '--allow-missing-baseline')}"]
    lines = [f"Remaining capacity: {drift.remaining_percent:.1f}% before automatic refinements are halted."]
    if drift.refinements_remaining is not None:
        average = f"average {_whole(drift.average_percent)}% per refinement"
        lines += ["", f"Estimated refinements remaining: ~{drift.refinements_remaining} (at {average})"]
    return lines


def _whole(percent: float | None) -> str:
    """Whole percent, rounded half up; ``under 1`` for what would read as nothing."""
    return f"{floor((percent or 0) + 0.5) or 'under 1'}"


def _exceeded(skill_id: str, *, width: int) -> list[str]:
    note = ("--note", "WHY")
    ways = [
        f"raise the limit for this skill: {command('drift', skill_id, '--set-limit', 'N', *note)}",
        f"take the current body as the baseline: {command('drift', skill_id, '--reset-baseline', *note)}",
        f"go on as a new skill: {command('refine', skill_id, '--as-new', 'NAME')}",
    ]
    return ["Automatic refinement is halted for this skill.", "", "Ways out:", *numbered(ways, width, indent="  ")]


def _beside(drift: Drift) -> str:
    if drift.path_percent is None or drift.retained is None or not drift.percent:
        went = drift.path_percent if drift.retained is not None else None
        return f"All versions' changes added up: {went:.1f}%." if went else ""
    kept = f"{drift.retained:.0%} of the baseline is still there"
    return f"{kept}; all versions' changes added up: {drift.path_percent:.1f}%."


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"Look at: {text}."
