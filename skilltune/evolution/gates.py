"""The verdict table of a suggestion: every gate with its value, its threshold, and what would make it pass."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from skilltune.evolution.drift import Drift
from skilltune.evolution.eligibility import Cooldown
from skilltune.evolution.settings import RefinementSettings, exact, show_confidence
from skilltune.evolution.textdiff import Measure

__all__ = ["Gate", "Verdict", "judge_agreement", "judge_bounds", "judge_cooldown", "judge_count"]

Gate = Literal[
    "skill",
    "cooldown",
    "corrections",
    "complaints",
    "conflicts",
    "agreement",
    "sessions",
    "effect",
    "change",
    "drift",
    "drift_after",
    "baseline",
    "metadata",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One line of the table."""

    gate: Gate
    value: str
    threshold: str
    passed: bool
    remedy: str = ""
    """What would make it pass; '' where it does."""
    note: str = ""


_WAYS_OUT: Final = "raise the limit for this skill, take the current body as the baseline, or go on as a new skill"


def judge_cooldown(cooldown: Cooldown, *, settings: RefinementSettings) -> Verdict:
    """At most one refinement a cooldown."""
    since = "never refined" if cooldown.last_refined is None else f"{cooldown.days_since} days ago"
    passed = not cooldown.days_remaining
    return Verdict(
        gate="cooldown",
        value=since,
        threshold=f"{settings.cooldown_days:g} days",
        passed=passed,
        remedy="" if passed else f"wait {cooldown.days_remaining} day{'' if cooldown.days_remaining == 1 else 's'}",
        note=cooldown.warning or _looser(settings, "cooldown_days"),
    )


def judge_count(gate: Gate, *, count: int, needed: int, noun: str, note: str = "") -> Verdict:
    """Whether there are `needed` of something."""
    missing = max(0, needed - count)
    return Verdict(
        gate=gate,
        value=str(count),
        threshold=f"at least {needed}",
        passed=not missing,
        remedy="" if not missing else f"{missing} more {noun}{'' if missing == 1 else 's'}",
        note=note,
    )


def judge_agreement(confidence: Fraction | None, *, settings: RefinementSettings, held: Sequence[int] = ()) -> Verdict:
    """Whether the least confidence of the changes chosen reaches the threshold; passes where none is chosen.

    `held` are the numbers of the changes that are not chosen because too few agree.
    """
    told = f"held: {'change' if len(held) == 1 else 'changes'} {', '.join(map(str, held))}" if held else ""
    looser = _looser(settings, "min_confidence") or "; ".join(settings.warnings)
    passed = confidence is None or confidence >= settings.threshold
    return Verdict(
        gate="agreement",
        value="-" if confidence is None else show_confidence(confidence, threshold=settings.threshold),
        threshold=f"at least {float(settings.threshold):.2f}",
        passed=passed,
        remedy="" if passed else "more corrections that say the same, or leave the change out",
        note="; ".join(text for text in (told, looser) if text),
    )


def judge_bounds(
    measure: Measure,
    *,
    drift: Drift,
    metadata_changes: int,
    allow_missing_baseline: bool,
    settings: RefinementSettings,
    smaller: str = "",
) -> list[Verdict]:
    """The change bound, both drift bounds, the baseline and the metadata changes.

    `smaller` says which fewer changes would fit, if any.
    """
    percent = measure.rounded_percent
    fits = percent <= settings.max_change_percent
    return [
        Verdict(
            gate="change",
            value=f"{percent}%",
            threshold=f"at most {settings.max_change_percent:g}%",
            passed=fits,
            remedy="" if fits else smaller or "change less of the body at once",
            note=_looser(settings, "max_change_percent"),
        ),
        _judge_drift("drift", drift.percent, drift=drift, settings=settings),
        _judge_drift("drift_after", drift.projected_percent, drift=drift, settings=settings),
        Verdict(
            gate="baseline",
            value="none" if drift.status == "no_baseline" else "there",
            threshold="there, or allowed without",
            passed=drift.status != "no_baseline" or allow_missing_baseline,
            remedy=""
            if drift.status != "no_baseline" or allow_missing_baseline
            else "take a baseline, or allow this refinement without one",
            note=drift.note,
        ),
        _judge_metadata(metadata_changes, settings=settings),
    ]


def _judge_drift(gate: Gate, percent: float | None, *, drift: Drift, settings: RefinementSettings) -> Verdict:
    passed = percent is None or exact(percent) < exact(drift.limit_percent)
    return Verdict(
        gate=gate,
        value="-" if percent is None else f"{percent:.1f}%",
        threshold=f"below {drift.limit_percent:g}%",
        passed=passed,
        remedy="" if passed else _WAYS_OUT,
        note=drift.note or _looser(settings, "drift_limit"),
    )


def _judge_metadata(changes: int, *, settings: RefinementSettings) -> Verdict:
    passed = changes <= settings.max_metadata_changes
    return Verdict(
        gate="metadata",
        value=str(changes),
        threshold=f"at most {settings.max_metadata_changes}",
        passed=passed,
        remedy="" if passed else "change fewer fields of the front matter at once",
        note=_looser(settings, "max_metadata_changes"),
    )


def _looser(settings: RefinementSettings, name: str) -> str:
    """How the setting is looser than the default, if it is."""
    return next((f"looser: {told}" for told in settings.looser if told.startswith(f"{name} ")), "")
