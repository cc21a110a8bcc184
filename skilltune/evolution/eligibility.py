"""Whether a skill may be refined now, as a value with its reason and numbers; no exception, nothing written."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from skilltune.evolution.contradictions import Contradictions, find_contradictions
from skilltune.evolution.corrections import Correction, Pattern, find_patterns, usable_corrections
from skilltune.evolution.outlook import Candidate, Rejection, find_candidates, say_outlook
from skilltune.evolution.settings import RefinementSettings

__all__ = ["Cooldown", "Eligibility", "check_cooldown", "check_eligibility"]

Reason = Literal["skill_not_found", "cooldown", "insufficient_feedback", "contradictions", "eligible"]
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cooldown:
    """How long ago a skill was last refined, and how long it still rests."""

    last_refined: datetime | None
    days_since: int | None
    """Whole days."""
    days_remaining: int
    """Rounded up; 0 where it is over."""
    next_eligible: datetime | None
    cooldown_days: float
    warning: str = ""


@dataclass(frozen=True, kw_only=True)
class Eligibility:
    """The answer, with what it rests on."""

    skill_id: str
    reason: Reason
    correction_count: int
    """Usable corrections."""
    min_corrections: int
    cooldown: Cooldown
    patterns: tuple[Pattern, ...]
    """All, the most frequent first."""
    candidates: tuple[Candidate, ...]
    """The patterns that repeat, with what blocks them."""
    contradictions: Contradictions
    held_whole: bool
    """Conflicts hold every candidate, or by ``on_conflict="block"`` the skill, whatever the reason."""
    outlook: str
    """What the later gates would answer: ``would suggest 1 change``, or none and why."""
    warnings: tuple[str, ...] = ()

    @property
    def eligible(self) -> bool:
        """Whether a suggestion may be made."""
        return self.reason == "eligible"

    @property
    def days_remaining(self) -> int:
        """Days until the cooldown is over, rounded up."""
        return self.cooldown.days_remaining

    @property
    def corrections_needed(self) -> int:
        """Usable corrections that are missing."""
        return max(0, self.min_corrections - self.correction_count)

    @property
    def held(self) -> tuple[Candidate, ...]:
        """The candidates that a conflict holds."""
        return tuple(candidate for candidate in self.candidates if candidate.held)

    @property
    def told(self) -> str:
        """The reason in words, with its numbers."""
        match self.reason:
            case "skill_not_found":
                return f"no skill {self.skill_id!r} was found"
            case "cooldown":
                return f"in cooldown, {_count(self.days_remaining, 'day')} remaining"
            case "insufficient_feedback":
                return f"{self.correction_count} of {_count(self.min_corrections, 'usable correction')}"
            case "contradictions":
                return f"held by {_count(self.contradictions.conflicts, 'conflict')}"
            case "eligible":
                return "eligible"


def check_eligibility(
    skill_id: str,
    *,
    corrections: Iterable[Correction],
    as_of: datetime,
    found: bool = True,
    refined_at: Sequence[datetime | None] = (),
    consumed: Collection[str] = (),
    retracted: Collection[str] = (),
    released: Collection[str] = (),
    rejections: Collection[Rejection] = (),
    settings: RefinementSettings | None = None,
) -> Eligibility:
    """Whether the skill may be refined at `as_of`.

    Parameters
    ----------
    skill_id
        The skill.
    corrections
        Its recorded corrections; those of other skills are passed over.
    as_of
        The time of the question, aware (or UTC).
    found
        Whether its SKILL.md is there.
    refined_at
        When it was last refined, by the audit log and by the file's own stamps: the latest counts.
    consumed, retracted
        Ids of corrections that an applied refinement used, and that were taken back.
    released
        Ids of contradictions of which a person keeps all sides.
    rejections
        Changes that a person rejected or rolled back.
    settings
        The bounds; by default the published ones.

    Returns
    -------
    Eligibility
        The first that holds of: skill not found, cooldown, insufficient feedback, contradictions (every candidate
        change is held by a conflict, or with ``on_conflict="block"`` there is one at all), eligible.
    """
    settings = settings or RefinementSettings()
    own = [item for item in corrections if item.skill_id == skill_id]
    usable = usable_corrections(own, consumed=consumed, retracted=retracted)
    patterns = find_patterns(usable)
    contradictions = find_contradictions(own, retracted=retracted, released=released)
    candidates = find_candidates(patterns, contradictions=contradictions, settings=settings, rejections=rejections)
    held = _is_held(candidates, contradictions=contradictions, settings=settings)
    cooldown = check_cooldown(refined_at, as_of=as_of, cooldown_days=settings.cooldown_days)
    return Eligibility(
        skill_id=skill_id,
        reason=_reason(
            found=found,
            resting=cooldown.days_remaining > 0,
            enough=len(usable) >= settings.min_corrections,
            held=held,
        ),
        correction_count=len(usable),
        min_corrections=settings.min_corrections,
        cooldown=cooldown,
        patterns=tuple(patterns),
        candidates=tuple(candidates),
        contradictions=contradictions,
        held_whole=held,
        outlook=say_outlook(
            candidates,
            count=len(usable),
            needed=settings.min_corrections,
            resting=cooldown.days_remaining > 0,
        ),
        warnings=(*((cooldown.warning,) if cooldown.warning else ()), *settings.warnings),
    )


def check_cooldown(refined_at: Iterable[datetime | None], *, as_of: datetime, cooldown_days: float) -> Cooldown:
    """How long a skill that was refined at the latest of `refined_at` still rests.

    A time more than a day after `as_of` counts as `as_of`, with a warning. Exactly the cooldown's length is over.
    """
    now = _utc(as_of)
    last = max((_utc(at) for at in refined_at if at is not None), default=None)
    if last is None:
        return Cooldown(
            last_refined=None, days_since=None, days_remaining=0, next_eligible=None, cooldown_days=cooldown_days
        )
    warning = ""
    counted = last
    if last - now > _DAY:
        warning = (
            f"the last refinement is stamped {last:%Y-%m-%d}, in the future; it counts as now, every day anew, until "
            "that date in the front matter is corrected"
        )
        counted = now
    over = counted + timedelta(days=cooldown_days)
    remaining = over - now if cooldown_days else timedelta(0)
    return Cooldown(
        last_refined=last,
        days_since=max(0, (now - counted) // _DAY),
        days_remaining=max(0, -(-remaining // _DAY)),
        next_eligible=over if remaining > timedelta(0) else None,
        cooldown_days=cooldown_days,
        warning=warning,
    )


def _is_held(candidates: Sequence[Candidate], *, contradictions: Contradictions, settings: RefinementSettings) -> bool:
    if settings.on_conflict == "block" and contradictions.has_conflicts:
        return True
    return bool(candidates) and all(candidate.held for candidate in candidates)


def _reason(*, found: bool, resting: bool, enough: bool, held: bool) -> Reason:
    if not found:
        return "skill_not_found"
    if resting:
        return "cooldown"
    if not enough:
        return "insufficient_feedback"
    return "contradictions" if held else "eligible"


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
