"""An approved suggestion → the skill's file: every bound recomputed from what is on disk, under the lock."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from skilltune.evolution.approvals import Approval, check_approval
from skilltune.evolution.drift import Drift, measure_drift
from skilltune.evolution.stamping import Stamped, stamp_skill
from skilltune.evolution.suggestions import Suggestion
from skilltune.refining.clock import act_time
from skilltune.refining.notes import NOTE_MASKED
from skilltune.refining.places import find_place
from skilltune.refining.presence import check_presence
from skilltune.refining.rebuilding import rebuild_suggestion
from skilltune.refining.records import change_key
from skilltune.refining.refusing import check_gates, check_readable, check_state
from skilltune.refining.state import SkillState, read_state
from skilltune.refining.writing import write_skill
from skilltune.stores.history import CommitResult, commit_file
from skilltune.stores.skill_writing import check_skill_writable
from skilltune.stores.snapshots import content_digest

__all__ = ["Applied", "apply_refinement", "changes_row", "commit_act", "told_applied"]


@dataclass(frozen=True, kw_only=True)
class Applied:
    """What was written, and where."""

    skill_id: str
    path: Path
    version: int
    """The new one."""
    entry: Mapping[str, Any]
    """Of the audit log."""
    drift: Drift
    """Of the body as it is now."""
    commit: CommitResult | None
    """None where no commit was asked for."""
    notes: tuple[str, ...]


def apply_refinement(
    suggestion: Suggestion,
    *,
    approval: Approval,
    workspace: str | Path | None = None,
    base_directory: str | Path | None = None,
    allow_missing_baseline: bool = False,
    stamp: bool | None = None,
    commit: bool | None = None,
    as_of: datetime | str | None = None,
) -> Applied:
    """Write an approved suggestion to the skill's file, with an entry in the audit log.

    Parameters
    ----------
    suggestion
        What was approved; it is made anew from file, ledger, audit log and settings, and must come out the same.
    approval
        A person's decision on exactly this suggestion.
    workspace, base_directory
        Those the suggestion was made with.
    allow_missing_baseline
        A person's allowance to refine a skill whose drift is not known.
    stamp
        Whether version, date and count go into the front matter; default as the settings say (yes).
    commit
        Whether to commit the file, and nothing else, where there is git; default as the settings say (no).
    as_of
        Default now; not later than the clock by more than a day.

    Raises
    ------
    InputError
        `as_of` is to come.
    ApprovalError
        The approval is not one of this suggestion, the evidence is another one by now, or this runs in a notebook
        without a front end, where no person can have decided.
    StaleError
        The body changed since.
    CooldownError, ConflictError, EvidenceError, ChangeBoundError, DriftBoundError, MetadataBoundError, BaselineError,
    NoEffectError
        A bound refuses, with its numbers.
    SkillFileError, LogError, DamagedError
        The file, the log or a snapshot cannot be read or written.

    Notes
    -----
    Whatever is raised, the file is as it was.
    """
    check_presence()
    check_approval(approval, suggestion=suggestion)
    now = act_time(as_of)
    place = find_place(suggestion.skill_id, base_directory=base_directory)
    with place.log.locked():
        state = read_state(suggestion.skill_id, workspace=workspace, base_directory=base_directory)
        check_skill_writable(place.target)
        state = state.opened(at=now, by=approval.reviewer)
        check_state(state, suggestion=suggestion, as_of=now)
        fresh = rebuild_suggestion(suggestion, state=state, allow_missing_baseline=allow_missing_baseline, as_of=now)
        check_gates(fresh)
        check_approval(approval, suggestion=fresh)
        stamped = _stamped(state, fresh, at=now, stamp=stamp)
        after = stamped.doc.to_bytes()
        check_readable(after, fresh)
        entry = write_skill(
            place,
            before=state.content,
            after=after,
            kept=state.unsaved.values(),
            opening=(*state.opening, _decision_entry(state, fresh, approval=approval, at=now)),
            closing=_refine_entry(state, fresh, approval=approval, after=after, at=now),
        )
    done = commit_act(state, f"Refine the skill {place.skill_id}", commit=commit)
    return told_applied(state, entry, body=fresh.body_after, commit=done, note=stamped.note)


def told_applied(
    state: SkillState, entry: Mapping[str, Any], *, body: str, commit: CommitResult | None, note: str = ""
) -> Applied:
    """What was written, by the state before it, the entry of the act, and the body as it is now."""
    masked = NOTE_MASKED if entry.get("noteMasked") else ""
    return Applied(
        skill_id=state.skill_id,
        path=state.place.target,
        version=state.version + 1,
        entry=entry,
        drift=measure_drift(
            body,
            baseline=state.baseline_body,
            versions=state.version_bodies,
            limit_percent=state.settings.drift_limit,
        ),
        commit=commit,
        notes=tuple(told for told in (*state.notes, note, masked, commit.problem if commit else "") if told),
    )


def changes_row(suggestion: Suggestion, *, with_ids: bool = True) -> list[dict[str, Any]]:
    """The chosen changes as an entry holds them: digests of their texts, no text; their ids, or only how many."""
    return [
        {
            "number": change.number,
            "kind": change.kind,
            "key": change_key(suggestion.skill_id, change.original, change.suggested) if change.original else "",
            **({"ids": list(change.correction_ids)} if with_ids else {"count": len(change.correction_ids)}),
        }
        for change in suggestion.chosen
    ]


def commit_act(state: SkillState, message: str, *, commit: bool | None) -> CommitResult | None:
    """The commit of the skill's file, where one is asked for; None where none is."""
    wanted = _setting(state, "commit", given=commit, default=False)
    return commit_file(state.place.target, message) if wanted else None


def _stamped(state: SkillState, fresh: Suggestion, *, at: datetime, stamp: bool | None) -> Stamped:
    """The file with the new body, and what the front matter says of it."""
    return stamp_skill(
        state.doc.with_body(fresh.body_after),
        version=state.version + 1,
        at=at,
        count=max(state.record.refinements, state.doc.refinements) + 1,
        stamp=_setting(state, "stamp", given=stamp, default=True),
    )


def _decision_entry(state: SkillState, fresh: Suggestion, *, approval: Approval, at: datetime) -> dict[str, Any]:
    return state.place.entry(
        approval.decision,
        at=at,
        by=approval.reviewer,
        note=approval.note,
        how=approval.how,
        decidedAt=approval.at.isoformat(),
        suggestionDigest=fresh.digest,
        changes=changes_row(fresh, with_ids=False),
        looser=list(fresh.basis.settings.looser),
    )


def _refine_entry(
    state: SkillState, fresh: Suggestion, *, approval: Approval, after: bytes, at: datetime
) -> dict[str, Any]:
    settings = fresh.basis.settings
    in_order = [id_ for change in fresh.chosen for id_ in change.correction_ids]
    return state.place.entry(
        "refine",
        at=at,
        by=approval.reviewer,
        note=approval.note,
        how=approval.how,
        version=state.version + 1,
        suggestionDigest=fresh.digest,
        correctionIds=list(fresh.correction_ids),
        changes=changes_row(fresh, with_ids=in_order != list(fresh.correction_ids)),
        changePercent=fresh.change_percent,
        driftBefore=fresh.drift.percent,
        driftAfter=fresh.drift.projected_percent,
        withoutBaseline=fresh.drift.status == "no_baseline",
        thresholds={
            "minCorrections": settings.min_corrections,
            "minConfidence": float(settings.threshold),
            "minSessions": settings.min_sessions,
            "cooldownDays": settings.cooldown_days,
            "maxChangePercent": settings.max_change_percent,
            "maxMetadataChanges": settings.max_metadata_changes,
            "driftLimit": settings.drift_limit,
        },
        looser=list(settings.looser),
        beforeDigest=state.digest,
        afterDigest=content_digest(after),
    )


def _setting(state: SkillState, name: str, *, given: bool | None, default: bool) -> bool:
    """What was said, else what the settings say."""
    if given is not None:
        return given
    return bool(getattr(state.workspace.config.refinement_for(state.skill_id), name, default))
