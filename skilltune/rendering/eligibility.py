"""Whether a skill may be refined, as text: the report on one skill."""

from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final

from skilltune.evolution.eligibility import Eligibility
from skilltune.evolution.outlook import Candidate
from skilltune.evolution.settings import RefinementSettings, show_confidence
from skilltune.rendering.next_step import Status, next_step, state_of
from skilltune.rendering.terminal import NAME_CHARS, command, count_words, cut, finished, painter, safe, titled, wrapped

__all__ = ["agreement_words", "iso_date", "render_eligibility", "status_words"]

PATTERNS: Final = 10
"""Patterns that are listed."""
TEXT_CHARS: Final = 160


def render_eligibility(
    found: Eligibility,
    *,
    unusable: int = 0,
    openings: int = 0,
    status: Status | None = None,
    folder: str = "",
    notes: Sequence[str] = (),
    width: int = 80,
    color: bool = False,
    unicode: bool = True,
) -> str:
    """The report on whether one skill may be refined now, and on the patterns in its corrections.

    Parameters
    ----------
    found : Eligibility
        From `check_eligibility`.
    unusable : int
        Recorded corrections that do not count: used up, of white space only, or with a text missing.
    openings : int
        Open suggestions that wait for words.
    status : str or None
        The skill's state by `state_of`, which names the next command; default as the eligibility alone tells it.
    folder : str
        The ``--skill-folder`` that was given, '' for none.
    notes : sequence of str
        What to look at.
    width, color, unicode
        As in `render_metrics`.

    Returns
    -------
    str
        Counts, dates, status, patterns with how often they were seen, next command.
    """
    paint = painter(color=color)
    lines = titled(f"Refinement Eligibility: {cut(found.skill_id, NAME_CHARS)}", beyond=2)
    lines += [
        f"Corrections recorded: {found.correction_count}",
        f"Minimum required: {found.min_corrections}",
        f"Last refined: {_last_refined(found)}",
        f"Cooldown period: {count_words_of_days(found.cooldown.cooldown_days)}",
        paint(f"Status: {status_words(found, status=status)}", "finding"),
    ]
    if found.cooldown.next_eligible is not None:
        lines.append(f"Next eligible: {iso_date(found.cooldown.next_eligible)}")
    lines += _pattern_lines(found, width=width)
    lines += ["", *wrapped(f"Next gates: {found.outlook}.", width)]
    lines += _beside_lines(openings=openings, unusable=unusable, width=width)
    lines += [
        line
        for warning in dict.fromkeys((*found.warnings, *notes))
        for line in wrapped(f"Look at: {safe(warning)}", width)
    ]
    state = status or state_of(found, openings=openings)
    return finished([*lines, "", *_next(found, state, folder=folder)], unicode=unicode)


def _beside_lines(*, openings: int, unusable: int, width: int) -> list[str]:
    """What waits besides, and what does not count."""
    lines: list[str] = []
    if openings:
        waits = "waits" if openings == 1 else "wait"
        lines.append(f"{count_words(openings, 'open suggestion')} from complaints {waits} for your words.")
    if unusable:
        told = f"{count_words(unusable, 'more correction')} {'is' if unusable == 1 else 'are'} not usable: used up by a"
        lines += wrapped(f"{told} refinement, white space only, or with a text missing.", width)
    return lines


def status_words(found: Eligibility, *, status: Status | None = None) -> str:
    """``ELIGIBLE``, ``IN COOLDOWN (5 days remaining)``, …; `status` tells more of a skill that is not installed."""
    match found.reason:
        case "eligible":
            return "ELIGIBLE"
        case "cooldown":
            return f"IN COOLDOWN ({count_words(found.days_remaining, 'day')} remaining)"
        case "insufficient_feedback":
            return f"INSUFFICIENT FEEDBACK ({count_words(found.corrections_needed, 'more correction')} needed)"
        case "contradictions":
            return f"HELD BY CONTRADICTIONS ({count_words(found.contradictions.conflicts, 'conflict')})"
        case "skill_not_found":
            return "USED FROM ANOTHER FOLDER" if status == "elsewhere" else "SKILL NOT FOUND"


def agreement_words(confidence: Fraction, *, count: int, rivals: int, threshold: Fraction | None = None) -> str:
    """``0.75 (2 of 2)``, rounded as in every table; what misses `threshold` never reads as if it reached it."""
    limit = RefinementSettings().threshold if threshold is None else threshold
    return f"{show_confidence(confidence, threshold=limit)} ({count} of {rivals})"


def iso_date(at: datetime | None) -> str:
    """The day of a time, in UTC."""
    if at is None:
        return "no date"
    return f"{(at.astimezone(UTC) if at.tzinfo else at):%Y-%m-%d}"


def count_words_of_days(days: float) -> str:
    """``7 days``."""
    return f"{days:g} day{'' if days == 1 else 's'}"


def _last_refined(found: Eligibility) -> str:
    cooldown = found.cooldown
    if cooldown.last_refined is None:
        return "never"
    return f"{iso_date(cooldown.last_refined)} ({count_words(cooldown.days_since or 0, 'day')} ago)"


def _pattern_lines(found: Eligibility, *, width: int) -> list[str]:
    if not found.patterns:
        return []
    repeated = {id(candidate.pattern): candidate for candidate in found.candidates}
    lines = ["", "Patterns:"]
    for pattern in found.patterns[:PATTERNS]:
        told = f'"{cut(pattern.original, TEXT_CHARS)}" -> "{cut(pattern.suggested, TEXT_CHARS)}"'
        lines += wrapped(f"{pattern.count}x {told}", width, indent="  ", hanging="     ")
        if (candidate := repeated.get(id(pattern))) is not None:
            lines += wrapped(_candidate_words(candidate), width, indent="     ")
    left = len(found.patterns) - PATTERNS
    return [*lines, *([f"  and {left:,} more"] if left > 0 else [])]


def _candidate_words(candidate: Candidate) -> str:
    pattern = candidate.pattern
    known = agreement_words(candidate.confidence, count=pattern.count, rivals=pattern.rivals)
    parts = [f"agreement {known}", count_words(len(pattern.sessions), "session")]
    parts += [safe(text) for text in (*candidate.blocked, *candidate.notes)]
    return ", ".join(parts)


def _next(found: Eligibility, status: Status, *, folder: str) -> list[str]:
    """The command that moves the skill on from where it is, and when."""
    name = found.skill_id
    if status == "not installed" and not found.patterns:
        return [f"Next: {command('refine', '--check')}"]
    call = next_step(name, status, folder=folder)
    if status == "in cooldown":
        return [f"Next, from {iso_date(found.cooldown.next_eligible)} on: {call}"]
    if status == "too few":
        record = command("feedback", "record", "correction", name, "--help")
        return [f"Next: {call}", f"Or record one: {record}"]
    return [f"Next: {call}"]
