"""The verdict table of a suggestion: every gate with its value, its threshold, and what would make it pass."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from skilltune.evolution.drift import Drift
from skilltune.evolution.eligibility import Cooldown
from skilltune.evolution.settings import RefinementSettings, exact, show_confidence
from skilltune.evolution.textdiff import Measure

__all__ = [
    "GATES",
    "Gate",
    "GateWords",
    "Verdict",
    "judge_agreement",
    "judge_bounds",
    "judge_cooldown",
    "judge_count",
    "say_looser",
]

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


@dataclass(frozen=True, slots=True)
class GateWords:
    """What a gate is called wherever it is shown, and what it asks."""

    name: str
    """In lower case, at most 12 letters."""
    asks: str
    """A sentence without numbers: those are in the verdict."""

    @property
    def title(self) -> str:
        """The name as the first word of a line."""
        return self.name[0].upper() + self.name[1:]


GATES: Final[Mapping[Gate, GateWords]] = {
    "skill": GateWords("skill", "The skill is installed."),
    "corrections": GateWords("corrections", "Enough corrections of the skill can be used."),
    "complaints": GateWords("complaints", "Enough complaints are about the same."),
    "agreement": GateWords("agreement", "Those who corrected the same text agree on what it should be."),
    "sessions": GateWords("sessions", "The evidence comes from enough sessions."),
    "change": GateWords("change", "What is added and removed is a small part of the body."),
    "drift": GateWords("drift now", "The body is not too far from its baseline."),
    "drift_after": GateWords("drift after", "With the change it would not be too far from its baseline."),
    "cooldown": GateWords("cooldown", "The last refinement is long enough ago."),
    "conflicts": GateWords("conflicts", "No contradiction holds every change."),
    "effect": GateWords("chosen", "A change is chosen, and the body is another one with it."),
    "baseline": GateWords("baseline", "There is a text to measure drift against, or a person allowed to do without."),
    "metadata": GateWords("front matter", "Few fields of the front matter change at once."),
}
"""Every gate in the order it is shown; the one place for these words."""


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


_WAYS_OUT: Final = "take the current body as the baseline, or go on as a new skill"


def judge_cooldown(cooldown: Cooldown, *, settings: RefinementSettings) -> Verdict:
    """At most one refinement a cooldown."""
    days = f"{cooldown.days_since} day{'' if cooldown.days_since == 1 else 's'} ago"
    since = "never refined" if cooldown.last_refined is None else days
    passed = not cooldown.days_remaining
    return Verdict(
        gate="cooldown",
        value=since,
        threshold=f"{settings.cooldown_days:g} days",
        passed=passed,
        remedy="" if passed else f"wait {cooldown.days_remaining} day{'' if cooldown.days_remaining == 1 else 's'}",
        note=cooldown.warning or say_looser(settings, "cooldown_days"),
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


def judge_agreement(
    confidence: Fraction | None,
    *,
    settings: RefinementSettings,
    held: Sequence[int] = (),
    missing: int | None = None,
) -> Verdict:
    """Whether the least confidence of the changes chosen reaches the threshold; passes where none is chosen.

    Parameters
    ----------
    confidence
        The least one.
    settings
        The bounds.
    held
        Numbers of the changes that are not chosen because too few agree.
    missing
        Corrections that would lift it to the threshold; None where more do not help.
    """
    told = f"held: {'change' if len(held) == 1 else 'changes'} {', '.join(map(str, held))}" if held else ""
    looser = say_looser(settings, "min_confidence")
    more = f"{missing} more correction{'' if missing == 1 else 's'}" if missing else "more corrections"
    passed = confidence is None or confidence >= settings.threshold
    return Verdict(
        gate="agreement",
        value="-" if confidence is None else show_confidence(confidence, threshold=settings.threshold),
        threshold=f"at least {show_confidence(settings.threshold)}",
        passed=passed,
        remedy="" if passed else f"{more} that say the same, or leave the change out",
        note="; ".join(text for text in (told, looser, *settings.warnings) if text),
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
            note=say_looser(settings, "max_change_percent"),
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
        remedy="" if percent is None or passed else f"raise the limit for this skill above {percent:.1f}%, {_WAYS_OUT}",
        note=drift.note or say_looser(settings, "drift_limit"),
    )


def _judge_metadata(changes: int, *, settings: RefinementSettings) -> Verdict:
    passed = changes <= settings.max_metadata_changes
    return Verdict(
        gate="metadata",
        value=str(changes),
        threshold=f"at most {settings.max_metadata_changes}",
        passed=passed,
        remedy="" if passed else f"leave {_count(changes - settings.max_metadata_changes, 'field')} as they are",
        note=say_looser(settings, "max_metadata_changes"),
    )


def say_looser(settings: RefinementSettings, *names: str) -> str:
    """How settings of these names are looser than the defaults, if they are."""
    found = [told for name in names for told in settings.looser if told.startswith(f"{name} ")]
    return f"looser: {', '.join(found)}" if found else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
