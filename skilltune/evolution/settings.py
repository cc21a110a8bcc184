"""The bounds of what may be proposed: defaults, what a person set, and where that is looser."""

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Literal, Self

from skilltune.errors import InputError
from skilltune.evolution.textdiff import round_half_up
from skilltune.limits import (
    CAUTIOUS_CONFIDENCE,
    COOLDOWN_DAYS,
    DOCUMENTED_MAX_CONFIDENCE,
    DOCUMENTED_MIN_CONFIDENCE,
    DRIFT_LIMIT,
    MAX_CHANGE_PERCENT,
    MAX_METADATA_CHANGES,
    MIN_CONFIDENCE,
    MIN_CORRECTIONS,
    MIN_SESSIONS,
    REJECTED_MEMORY,
)

__all__ = ["RefinementSettings", "exact", "show_confidence"]

ConfidenceKind = Literal["agreement", "documented"]
_DECIMALS = 7
_LOOSER_IF_LESS = ("min_corrections", "min_sessions", "cooldown_days", "rejected_memory")
_LOOSER_IF_MORE = ("max_change_percent", "max_metadata_changes", "drift_limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementSettings:
    """``[refinement]``, and ``[skill.NAME]`` for one skill.

    Approval is no setting: nothing is applied without a person.
    """

    min_corrections: int = MIN_CORRECTIONS
    min_confidence: float | None = None
    """None: 0.7, and 0.35 for the documented confidence."""
    min_sessions: int = MIN_SESSIONS
    cooldown_days: float = COOLDOWN_DAYS
    max_change_percent: float = MAX_CHANGE_PERCENT
    max_metadata_changes: int = MAX_METADATA_CHANGES
    drift_limit: float = DRIFT_LIMIT
    rejected_memory: int = REJECTED_MEMORY
    confidence: ConfidenceKind = "agreement"
    """``documented``: frequency ÷ (2 × corrections), which cannot exceed 0.5."""
    on_conflict: Literal["hold", "block"] = "hold"
    """``block``: one conflict holds the whole skill, not only the changes it touches."""

    def __post_init__(self) -> None:
        for name in (*_LOOSER_IF_LESS, *_LOOSER_IF_MORE):
            value = getattr(self, name)
            if not value >= 0:
                raise InputError(f"{name} is {value}; a bound is 0 or more")
        if not 0 <= self.threshold <= 1:
            raise InputError(f"min_confidence is {self.min_confidence}; it lies between 0 and 1")

    @classmethod
    def of(cls, config: Any, **more: Any) -> Self:
        """The settings that `config` has as attributes of the same names; `more` wins over them."""
        given = {item.name: getattr(config, item.name) for item in fields(cls) if hasattr(config, item.name)}
        return cls(**(given | more))

    @property
    def threshold(self) -> Fraction:
        """The exact confidence from which on a change is suggested."""
        return exact(self._default_confidence if self.min_confidence is None else self.min_confidence)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Settings that are allowed but unwise or pointless, in words."""
        if self.confidence == "agreement" and self.threshold < exact(CAUTIOUS_CONFIDENCE):
            told = (
                f"min_confidence is {float(self.threshold):g}, below {CAUTIOUS_CONFIDENCE:g}: changes pass that more "
                "people corrected otherwise"
            )
            return (told,)
        if self.confidence == "documented" and self.threshold > exact(DOCUMENTED_MAX_CONFIDENCE):
            told = (
                f"the documented confidence cannot exceed {DOCUMENTED_MAX_CONFIDENCE:g}, so with min_confidence "
                f"{float(self.threshold):g} nothing is ever suggested; "
                f"set it to {DOCUMENTED_MIN_CONFIDENCE:g} or use the agreement"
            )
            return (told,)
        return ()

    @property
    def looser(self) -> tuple[str, ...]:
        """The settings that allow more than the defaults, as ``name value (default value)``."""
        base = type(self)(confidence=self.confidence)
        found = [name for name in _LOOSER_IF_LESS if getattr(self, name) < getattr(base, name)]
        found += [name for name in _LOOSER_IF_MORE if getattr(self, name) > getattr(base, name)]
        told = [f"{name} {getattr(self, name):g} (default {getattr(base, name):g})" for name in found]
        if self.threshold < base.threshold:
            told.insert(0, f"min_confidence {float(self.threshold):g} (default {float(base.threshold):g})")
        return tuple(told)

    @property
    def _default_confidence(self) -> float:
        return DOCUMENTED_MIN_CONFIDENCE if self.confidence == "documented" else MIN_CONFIDENCE


def show_confidence(confidence: Fraction, *, threshold: Fraction | None = None) -> str:
    """Two decimals of the exact fraction, halves rounded upwards: the one way an agreement is shown.

    What misses the threshold is cut where it would print as the threshold, and has as many decimals as tell them apart.

    Examples
    --------
    >>> show_confidence(Fraction(171, 200)), show_confidence(Fraction(699, 1000), threshold=Fraction(7, 10))
    ('0.86', '0.69')
    """
    if threshold is None or confidence >= threshold or _rounded(confidence) != _rounded(threshold):
        return _rounded(confidence)
    for decimals in range(2, _DECIMALS):
        cut = f"{confidence.numerator * 10**decimals // confidence.denominator / 10**decimals:.{decimals}f}"
        if exact(float(cut)) < exact(float(_rounded(threshold))):
            return cut
    return f"less than {_rounded(threshold)}"


def _rounded(share: Fraction) -> str:
    return f"{round_half_up(100 * share) / 100:.2f}"


def exact(number: float) -> Fraction:
    """`number` as it is written: 0.7 is 7/10."""
    return Fraction(str(number))
