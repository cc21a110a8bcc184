"""What speaks for and against each pattern of a skill's corrections before anything is compared with its text."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf

from skilltune.evolution.contradictions import Contradiction, Contradictions
from skilltune.evolution.corrections import Pattern, content_key
from skilltune.evolution.settings import RefinementSettings, show_confidence
from skilltune.limits import MIN_REPEATS

__all__ = ["Candidate", "Rejection", "agreement_needs", "find_candidates", "say_outlook"]


@dataclass(frozen=True, slots=True)
class Rejection:
    """A change that a person rejected or rolled back, and the corrections that were known then."""

    original: str
    suggested: str
    correction_ids: frozenset[str]


@dataclass(frozen=True)
class Candidate:
    """A pattern that repeats, and what keeps it from being suggested."""

    pattern: Pattern
    confidence: Fraction
    contradictions: tuple[Contradiction, ...]
    """Findings it is a side of, warnings among them."""
    blocked: tuple[str, ...]
    """Reasons with numbers; empty where nothing speaks against it."""
    missing: int | None
    """Matching corrections that would lift what blocks it; None where more of them do not help."""

    @property
    def held(self) -> bool:
        """Whether a conflict holds it."""
        return any(finding.holds for finding in self.contradictions)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to look at."""
        return ("look at: one session",) if len(self.pattern.sessions) == 1 else ()


def find_candidates(
    patterns: Iterable[Pattern],
    *,
    contradictions: Contradictions,
    settings: RefinementSettings,
    rejections: Collection[Rejection] = (),
) -> list[Candidate]:
    """The patterns that repeat, in the order given, each with what blocks it."""
    return [
        _candidate(pattern, contradictions=contradictions, settings=settings, rejections=rejections)
        for pattern in patterns
        if pattern.count >= MIN_REPEATS
    ]


def say_outlook(candidates: Sequence[Candidate], *, count: int, needed: int, resting: bool = False) -> str:
    """What the gates after eligibility would answer, in words.

    Parameters
    ----------
    candidates
        The patterns that repeat.
    count, needed
        Usable corrections there are, and that a suggestion takes.
    resting
        The skill is in cooldown, whatever else holds.
    """
    return f"{'after the cooldown: ' if resting else ''}{_said(candidates, short=needed - count, any_there=count > 0)}"


def _said(candidates: Sequence[Candidate], *, short: int, any_there: bool) -> str:
    ready = sum(not candidate.blocked for candidate in candidates)
    if ready:
        return f"would suggest {ready} change{'' if ready == 1 else 's'}"
    if not any_there:
        return f"none: no usable correction is there, {_more(MIN_REPEATS, total=short)} would do"
    if not candidates:
        return f"none: no correction repeats yet, {_more(1, total=short)} would do"
    nearest = min(candidates, key=lambda candidate: inf if candidate.missing is None else candidate.missing)
    remedy = f", {_more(nearest.missing, total=short)} would do" if nearest.missing else ""
    return f"none: {nearest.blocked[0]}{remedy}"


def _candidate(
    pattern: Pattern,
    *,
    contradictions: Contradictions,
    settings: RefinementSettings,
    rejections: Collection[Rejection],
) -> Candidate:
    touching = contradictions.touching(pattern.original, pattern.suggested)
    confidence = pattern.confidence(settings.confidence)
    blocked = [f"held by a {finding.kind}" for finding in touching if finding.holds]
    needed: list[int | None] = [None for _ in blocked]
    if confidence < settings.threshold:
        blocked.append(
            f"{pattern.count} of {pattern.rivals} agree ({show_confidence(confidence, threshold=settings.threshold)}, "
            f"needs {show_confidence(settings.threshold)})"
        )
        needed.append(agreement_needs(pattern.count, pattern.rivals, settings=settings))
    if len(pattern.sessions) < settings.min_sessions:
        blocked.append(f"from {len(pattern.sessions)} of {settings.min_sessions} sessions")
        needed.append(settings.min_sessions - len(pattern.sessions))
    new = _new_since_rejection(pattern, rejections=rejections)
    if new is not None and new < settings.rejected_memory:
        blocked.append(f"rejected before, {new} of {settings.rejected_memory} new corrections since")
        needed.append(settings.rejected_memory - new)
    missing = None if None in needed else max((need for need in needed if need), default=0)
    return Candidate(pattern, confidence, touching, tuple(blocked), missing)


def agreement_needs(count: int, rivals: int, *, settings: RefinementSettings) -> int | None:
    """Matching corrections until the threshold is reached: the least n with (k + n + 1) / (m + n + 2) at it.

    None where more of them do not help.
    """
    threshold = settings.threshold
    if settings.confidence == "documented" or threshold >= 1:
        return None
    short = threshold * (rivals + 2) - (count + 1)
    return max(1, ceil(short / (1 - threshold)))


def _new_since_rejection(pattern: Pattern, *, rejections: Collection[Rejection]) -> int | None:
    """Corrections of the pattern that its latest rejection did not know; None where it never was rejected."""
    known = [
        rejection.correction_ids
        for rejection in rejections
        if (content_key(rejection.original), content_key(rejection.suggested)) == pattern.key
    ]
    return len(set(pattern.ids) - frozenset().union(*known)) if known else None


def _more(count: int, *, total: int) -> str:
    """So many matching ones, and as many more as are missing in all."""
    if total > count:
        return f"{total} more corrections, {count} of them matching,"
    return "one more matching correction" if count == 1 else f"{count} more matching corrections"
