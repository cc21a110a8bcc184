"""A suggestion made anew from what is on disk, with the same changes chosen, or the reason why it cannot be."""

from datetime import datetime

from skilltune.errors import ConflictError, EvidenceError, NoEffectError
from skilltune.evolution.proposals import ProposedChange
from skilltune.evolution.suggestions import Suggestion, choose_changes
from skilltune.refining.evidence import find_openings
from skilltune.refining.state import SkillState
from skilltune.refining.suggesting import suggest_from, word_from

__all__ = ["rebuild_suggestion"]


def rebuild_suggestion(
    suggestion: Suggestion, *, state: SkillState, allow_missing_baseline: bool, as_of: datetime
) -> Suggestion:
    """The suggestion made anew from what is on disk, with the same changes chosen.

    Raises
    ------
    ConflictError, EvidenceError, NoEffectError
        A change that was chosen cannot be chosen any more.
    """
    chosen = suggestion.chosen
    if len(chosen) == 1 and not chosen[0].original and chosen[0].kind == "append":
        return _reworded(chosen[0], state=state, allow_missing_baseline=allow_missing_baseline, as_of=as_of)
    fresh = suggest_from(state, allow_missing_baseline=allow_missing_baseline, as_of=as_of)
    found = {(change.original, change.suggested): change for change in fresh.changes}
    taken = []
    for change in chosen:
        now = found.get((change.original, change.suggested))
        _check_choosable(change, now, skill_id=state.skill_id)
        if now is not None:
            taken.append((now.number, change))
    appended = {number: change for number, change in taken if change.kind == "append"}
    return choose_changes(
        fresh,
        numbers=[number for number, _ in taken],
        lines={number: change.line for number, change in appended.items()},
        sections={number: change.section for number, change in appended.items()},
    )


def _reworded(
    change: ProposedChange, *, state: SkillState, allow_missing_baseline: bool, as_of: datetime
) -> Suggestion:
    """The suggestion of a line for complaints, made anew."""
    same = [item for item in find_openings(state) if set(item.group.event_ids) == set(change.correction_ids)]
    if not same:
        raise EvidenceError(
            f"the complaints about {state.skill_id} that the line rests on are other ones by now; look at it again",
            skill_id=state.skill_id,
        )
    return word_from(
        state,
        same[0],
        line=change.line,
        section=change.section,
        allow_missing_baseline=allow_missing_baseline,
        as_of=as_of,
    )


def _check_choosable(change: ProposedChange, now: ProposedChange | None, *, skill_id: str) -> None:
    """Raise where a change that was chosen is gone, held or without effect."""
    told = f"change {change.number} of {skill_id}"
    if now is None or now.kind != change.kind:
        raise EvidenceError(
            f"the corrections for {told} were used up, taken back or changed since; look at the suggestion again",
            skill_id=skill_id,
            value=0 if now is None else now.count,
            limit=change.count,
        )
    holding = [item for item in now.contradictions if item.holds]
    if holding:
        raise ConflictError(
            f"{told} is held by {len(holding)} conflict{'' if len(holding) == 1 else 's'} "
            f"({', '.join(item.kind for item in holding)}); keep one side, or both",
            skill_id=skill_id,
            value=len(holding),
            limit=0,
        )
    if now.blocked:
        raise EvidenceError(
            f"{told}: {'; '.join(now.blocked)}",
            skill_id=skill_id,
            value=float(now.confidence),
            limit=float(change.confidence),
        )
    if now.kind == "replace" and now.status in ("already_applied", "no_op", "not_in_body"):
        raise NoEffectError(f"{told} changes nothing: {now.status}", skill_id=skill_id)
