"""What people said about a skill in one workspace: its ledger and its mined complaints, as the pure core takes them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from skilltune.errors import ReadError
from skilltune.evolution.complaints import Complaint, ComplaintGroup, group_complaints, read_complaints
from skilltune.evolution.corrections import Correction
from skilltune.evolution.eligibility import Eligibility, check_eligibility
from skilltune.evolution.openings import OpenSuggestion, open_suggestions
from skilltune.evolution.settings import RefinementSettings
from skilltune.refining.folders import Divided, divide_by_folder, say_elsewhere
from skilltune.refining.state import SkillState
from skilltune.stores.candidates import find_candidate_log
from skilltune.stores.ledger import LedgerContents, find_ledger
from skilltune.stores.workspace import Workspace
from skilltune.workflow import read_events

__all__ = [
    "Evidence",
    "find_openings",
    "judge_eligibility",
    "own_groups",
    "read_evidence",
    "say_complaints_elsewhere",
    "unknown_skill",
]

_AHEAD: Final = timedelta(days=1)
"""How far ahead another machine's clock may be."""


@dataclass(frozen=True)
class Evidence:
    """The recorded corrections of one skill's name, whichever of several skills of it they are about."""

    corrections: tuple[Correction, ...]
    """In the order of the ledger, retracted ones among them."""
    retracted: frozenset[str]


def read_evidence(skill_id: str, *, workspace: Workspace, as_of: datetime) -> Evidence:
    """What the workspace's ledger says of a skill up to `as_of`."""
    return _evidence(find_ledger(workspace).read(), skill_id=skill_id, as_of=as_of)


def judge_eligibility(state: SkillState, *, evidence: Evidence, as_of: datetime) -> Eligibility:
    """Whether the skill may be refined at `as_of`, by ledger, audit log and file.

    Corrections that are about another skill of the name are left out, and a warning says how many.
    """
    divided = divide_by_folder(evidence.corrections, folder_of=lambda item: item.skill_folder, place=state.place)
    found = check_eligibility(
        state.skill_id,
        corrections=divided.own,
        as_of=as_of,
        refined_at=state.refined_at,
        consumed=state.record.consumed,
        retracted=evidence.retracted,
        released=state.record.released,
        rejections=state.record.rejections(evidence.corrections, skill_id=state.skill_id),
        settings=state.settings,
    )
    told = say_elsewhere(divided.elsewhere, noun="correction", skill_id=state.skill_id)
    return replace(found, warnings=(*found.warnings, *told))


def unknown_skill(skill_id: str, *, workspace: Workspace, as_of: datetime) -> Eligibility:
    """The answer for a skill that is not installed."""
    evidence = read_evidence(skill_id, workspace=workspace, as_of=as_of)
    return check_eligibility(
        skill_id,
        corrections=evidence.corrections,
        as_of=as_of,
        found=False,
        retracted=evidence.retracted,
        settings=RefinementSettings.of(workspace.config.refinement_for(skill_id)),
    )


def find_openings(state: SkillState) -> list[OpenSuggestion]:
    """The open suggestions that the workspace's mined complaints make, less what was decided on; [] without a log."""
    dismissed = find_candidate_log(state.workspace).read().dismissed_complaints
    groups = own_groups(state, complaints=_read_complaints(state), dismissed=dismissed)
    return open_suggestions(groups, body=state.doc.body)


def own_groups(
    state: SkillState, *, complaints: Iterable[Complaint], dismissed: Collection[str] = ()
) -> list[ComplaintGroup]:
    """The groups of complaints about the skill at hand, less what was decided on.

    Parameters
    ----------
    state
        The skill.
    complaints
        Those of its name; what is about another skill of it is left out.
    dismissed
        Ids of complaints whose group a person dismissed.
    """
    return group_complaints(_divided(state, complaints).own, decided={*state.record.decided, *dismissed})


def say_complaints_elsewhere(state: SkillState, *, complaints: Iterable[Complaint] | None = None) -> tuple[str, ...]:
    """``3 complaints are about another lint-on-save, in DIR``: those that are not this skill's evidence, by folder.

    Parameters
    ----------
    state
        The skill.
    complaints
        Those of its name; by default they are read from the workspace's feedback log.
    """
    found = _read_complaints(state) if complaints is None else complaints
    return say_elsewhere(_divided(state, found).elsewhere, noun="complaint", skill_id=state.skill_id)


def _evidence(contents: LedgerContents, *, skill_id: str, as_of: datetime) -> Evidence:
    corrections = tuple(
        event.as_correction()
        for event in contents.events
        if event.type == "correction" and event.skill_id == skill_id and event.timestamp <= as_of + _AHEAD
    )
    return Evidence(corrections, contents.retracted)


def _read_complaints(state: SkillState) -> list[Complaint]:
    try:
        return read_complaints(read_events(state.workspace.feedback_path), skill_id=state.skill_id)
    except ReadError:
        return []


def _divided(state: SkillState, complaints: Iterable[Complaint]) -> Divided[Complaint]:
    return divide_by_folder(complaints, folder_of=lambda item: item.base_directory, place=state.place)
