"""What people said about a skill in one workspace: its ledger and its mined complaints, as the pure core takes them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from skilltune.errors import ReadError
from skilltune.evolution.complaints import Complaint, group_complaints, read_complaints
from skilltune.evolution.corrections import Correction
from skilltune.evolution.eligibility import Eligibility, check_eligibility
from skilltune.evolution.openings import OpenSuggestion, open_suggestions
from skilltune.evolution.settings import RefinementSettings
from skilltune.refining.state import SkillState
from skilltune.stores.candidates import find_candidate_log
from skilltune.stores.ledger import LedgerContents, find_ledger
from skilltune.stores.workspace import Workspace
from skilltune.workflow import read_events

__all__ = ["Evidence", "find_openings", "judge_eligibility", "read_evidence", "unknown_skill"]

_AHEAD: Final = timedelta(days=1)
"""How far ahead another machine's clock may be."""


@dataclass(frozen=True)
class Evidence:
    """The recorded corrections of one skill."""

    corrections: tuple[Correction, ...]
    """In the order of the ledger, retracted ones among them."""
    retracted: frozenset[str]


def read_evidence(skill_id: str, *, workspace: Workspace, as_of: datetime) -> Evidence:
    """What the workspace's ledger says of a skill up to `as_of`."""
    return _evidence(find_ledger(workspace).read(), skill_id=skill_id, as_of=as_of)


def judge_eligibility(state: SkillState, *, evidence: Evidence, as_of: datetime) -> Eligibility:
    """Whether the skill may be refined at `as_of`, by ledger, audit log and file."""
    return check_eligibility(
        state.skill_id,
        corrections=evidence.corrections,
        as_of=as_of,
        refined_at=state.refined_at,
        consumed=state.record.consumed,
        retracted=evidence.retracted,
        released=state.record.released,
        rejections=state.record.rejections(evidence.corrections, skill_id=state.skill_id),
        settings=state.settings,
    )


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
    groups = group_complaints(_complaints(state), decided=state.record.decided | dismissed)
    return open_suggestions(groups, body=state.doc.body)


def _evidence(contents: LedgerContents, *, skill_id: str, as_of: datetime) -> Evidence:
    corrections = tuple(
        event.as_correction()
        for event in contents.events
        if event.type == "correction" and event.skill_id == skill_id and event.timestamp <= as_of + _AHEAD
    )
    return Evidence(corrections, contents.retracted)


def _complaints(state: SkillState) -> list[Complaint]:
    home = state.workspace
    try:
        events = read_events(home.feedback_path)
    except ReadError:
        return []
    return read_complaints(events, skill_id=state.skill_id)
