"""The bounds of refinement as refusals: what does not pass is raised, with its numbers, before anything is written."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from skilltune.errors import (
    BaselineError,
    ChangeBoundError,
    ConflictError,
    CooldownError,
    DriftBoundError,
    EvidenceError,
    MetadataBoundError,
    NoEffectError,
    RefusedError,
    StaleError,
)
from skilltune.evolution.eligibility import check_cooldown
from skilltune.evolution.gates import Gate
from skilltune.evolution.skilldoc import SkillDoc, body_digest
from skilltune.evolution.suggestions import Suggestion
from skilltune.refining.state import SkillState

__all__ = ["check_gates", "check_readable", "check_state"]

_KINDS: Final[Mapping[Gate, type[RefusedError]]] = {
    "cooldown": CooldownError,
    "conflicts": ConflictError,
    "baseline": BaselineError,
    "metadata": MetadataBoundError,
    "corrections": EvidenceError,
    "complaints": EvidenceError,
    "sessions": EvidenceError,
    "agreement": EvidenceError,
    "effect": NoEffectError,
}


def check_state(state: SkillState, *, suggestion: Suggestion, as_of: datetime) -> None:
    """Raise for what holds the whole skill, whatever is to change."""
    skill = state.skill_id
    now = body_digest(state.doc.body)
    version = state.record.version_of(suggestion.digest)
    if version is not None:
        raise StaleError(
            f"this suggestion for {skill} is already applied: it made version {version}; nothing was written",
            skill_id=skill,
            value=now,
            limit=suggestion.base_digest,
        )
    if now != suggestion.base_digest:
        raise StaleError(
            f"the body of {skill} was changed since: it is {now[:12]}, the suggestion is for "
            f"{suggestion.base_digest[:12]}; look at the suggestion as it is now",
            skill_id=skill,
            value=now,
            limit=suggestion.base_digest,
        )
    days = state.settings.cooldown_days
    cooldown = check_cooldown(state.refined_at, as_of=as_of, cooldown_days=days)
    left = cooldown.days_remaining
    if left:
        raise CooldownError(
            f"{skill} was refined less than {days:g} days ago; {left} day{'' if left == 1 else 's'} remain"
            f"{_way_out(state) if cooldown.warning else ''}",
            skill_id=skill,
            value=left,
            limit=days,
        )
    drift = state.measure()
    if drift.exceeded:
        raise _drifted(skill, "has drifted", drift.percent, drift.limit_percent)


def check_gates(fresh: Suggestion) -> None:
    """Raise the first gate that does not pass, with its numbers."""
    failing = {verdict.gate: verdict for verdict in fresh.failing}
    if {"drift", "drift_after"} & failing.keys():
        drift = fresh.drift
        percent = drift.percent if "drift" in failing else drift.projected_percent
        verb = "has drifted" if "drift" in failing else "would drift"
        raise _drifted(fresh.skill_id, verb, percent, drift.limit_percent)
    if "change" in failing:
        limit = fresh.basis.settings.max_change_percent
        raise ChangeBoundError(
            f"{fresh.skill_id} would change by {fresh.change_percent} %, limit {limit:g} %: {failing['change'].remedy}",
            skill_id=fresh.skill_id,
            value=fresh.change_percent,
            limit=limit,
        )
    for gate, kind in _KINDS.items():
        if gate in failing:
            verdict = failing[gate]
            raise kind(
                f"{fresh.skill_id}: {gate} is {verdict.value}, needed {verdict.threshold}: {verdict.remedy}",
                skill_id=fresh.skill_id,
                value=verdict.value,
                limit=verdict.threshold,
            )
    if failing:
        raise RefusedError(f"{fresh.skill_id} is refused: {', '.join(failing)}", skill_id=fresh.skill_id)


def check_readable(after: bytes, fresh: Suggestion) -> None:
    """Raise where the new file would be read as another body than was approved, as one that begins with a fence."""
    if SkillDoc.of(after).body != fresh.body_after:
        raise RefusedError(
            f"the new body of {fresh.skill_id} would be read as front matter in part; leave out the change that makes "
            "it begin with ---",
            skill_id=fresh.skill_id,
        )


def _way_out(state: SkillState) -> str:
    """What ends a cooldown that a date to come begins every day anew, in words."""
    file, log = state.doc.last_refined, state.record.last_refined
    if file is not None and (log is None or file > log):
        return (
            f"; the front matter of {state.place.target} says that it was refined on {file:%Y-%m-%d}, which is to come "
            "and counts as today, every day anew: correct that date there"
        )
    told = f"{log:%Y-%m-%d}" if log else "a day to come"
    return (
        f"; its audit log says that it was refined on {told}, by a clock that was ahead, which counts as today, every "
        "day anew: go on as a new skill once that day is over, or restore the log from a backup"
    )


def _drifted(skill_id: str, verb: str, percent: float | None, limit: float) -> DriftBoundError:
    return DriftBoundError(
        f"{skill_id} {verb} {percent:.1f} %, limit {limit:g} %: set another limit for it, take the current body as the "
        "baseline, or go on as a new skill",
        skill_id=skill_id,
        value=percent,
        limit=limit,
    )
