"""What waits for a person, read from the disk: suggestions, open suggestions, contradictions, what was decided last."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from skilltune.analysis.rows import as_records
from skilltune.errors import ReadError, SkillNotFoundError, SkilltuneError
from skilltune.evolution.candidates import Candidate, in_queue_order, merge_candidates
from skilltune.evolution.complaints import Complaint, group_complaints, read_complaints
from skilltune.evolution.contradictions import Contradiction
from skilltune.evolution.corrections import Correction
from skilltune.evolution.openings import OpenSuggestion, open_suggestions
from skilltune.evolution.suggestions import Suggestion
from skilltune.refining.evidence import judge_eligibility, own_groups, read_evidence, say_complaints_elsewhere
from skilltune.refining.folders import divide_by_folder, say_elsewhere, used_folders
from skilltune.refining.state import SkillState, read_state, see_skill
from skilltune.refining.suggesting import suggest_from
from skilltune.stores.candidates import CandidateContents, find_candidate_log
from skilltune.stores.ledger import find_ledger
from skilltune.stores.ledger_rows import parse_moment
from skilltune.stores.workspace import find_workspace
from skilltune.workflow import as_time, read_events

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Dismissal", "Group", "Key", "Mined", "Queue", "Waiting", "read_again", "read_mined", "read_queue"]

Group = Literal["ready", "open", "held", "detected", "settled"]
"""Waits for a decision; for a person's words or choice; cannot be applied now; is to be confirmed; nothing waits."""
_DECISIONS: Final = ("refine", "reject", "defer", "rollback", "reopen")
_DECLINED: Final = ("reject", "defer")


class Key(NamedTuple):
    """What an item of the queue is about."""

    skill_id: str
    opening: str = ""
    """Id of the open suggestion; '' for the suggestion from recorded corrections."""
    detected: bool = False
    """The corrections that sessions show, which nobody has confirmed."""
    folder: str = ""
    """The skill's folder, as another agent's; '' where its name alone leads to it."""


class Dismissal(NamedTuple):
    """A detected correction, or a group of complaints, that a person took off the list."""

    id: str
    at: datetime
    words: str
    """What it was about, as somebody said it."""


@dataclass(frozen=True)
class Mined:
    """What the feedback log of the workspace tells."""

    complaints: Mapping[str, Sequence[Complaint]]
    rates: Mapping[str, Mapping[str, Any]]
    """Skill → the row of its correction rate."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """One item of the queue, as it is on disk at one time."""

    key: Key
    state: SkillState
    suggestion: Suggestion | None
    """None for an open suggestion, which has no words yet."""
    opening: OpenSuggestion | None
    findings: tuple[Contradiction, ...]
    """All contradictions of the skill; none for an open suggestion."""
    corrections: Mapping[str, Correction]
    complaints: Sequence[Complaint]
    """What people complained about in uses of the skill."""
    rate: Mapping[str, Any] | None
    candidates: tuple[Candidate, ...] = ()
    """Corrections that sessions show; only of an item of these."""
    dismissed: tuple[Dismissal, ...] = ()
    """What was taken off the list, the last first; only of the skill's own item."""
    notes: tuple[str, ...] = ()
    """What to know of the evidence: what of it is about another skill of this name, settings that are looser."""

    @property
    def skill_id(self) -> str:
        """The skill."""
        return self.key.skill_id

    @property
    def conflicts(self) -> int:
        """Conflicts that nobody released."""
        return sum(finding.holds for finding in self.findings)

    @property
    def weight(self) -> int:
        """Corrections or complaints it rests on."""
        return (
            self.suggestion.based_on_corrections if self.suggestion else self.opening.group.count if self.opening else 0
        )

    @cached_property
    def group(self) -> Group:
        """Where in the queue it stands."""
        if self.opening is not None or self.key.detected:
            return "open" if self.opening else "detected"
        found = self.suggestion
        if found is not None and found.ready:
            return "ready"
        if found is not None and {verdict.gate for verdict in found.failing} == {"effect"} and self.choosable:
            return "open"
        if self.conflicts or (found is not None and found.changes):
            return "held"
        return "settled"

    @property
    def choosable(self) -> tuple[int, ...]:
        """Numbers of the changes that a person may take."""
        return tuple(change.number for change in self.suggestion.changes if change.choosable) if self.suggestion else ()

    @cached_property
    def decided(self) -> Mapping[str, Any] | None:
        """The last decision in the audit log."""
        return next((row for row in reversed(self.state.record.entries) if row.get("type") in _DECISIONS), None)

    @property
    def decided_at(self) -> datetime | None:
        """When that was."""
        return parse_moment(self.decided.get("timestamp")) if self.decided else None

    @property
    def declined(self) -> str:
        """Digest of the suggestion that was rejected or deferred last; '' where something else was done since."""
        last = self.decided or {}
        return str(last.get("suggestionDigest") or "") if last.get("type") in _DECLINED else ""

    @property
    def undoable(self) -> int | None:
        """The version before the refinement that the file now is; None where it is none."""
        versions = self.state.record.versions
        if len(versions) < 2 or versions[-1].type != "refine" or self.state.outside_edit:
            return None
        return versions[-2].number


@dataclass(frozen=True)
class Queue:
    """All items, those that are ready first, and what could not be read."""

    items: tuple[Waiting, ...]
    problems: tuple[str, ...]

    def count(self, group: Group, *, less: Container[Key] = ()) -> int:
        """How many items of a group there are, those of `less` left out."""
        return sum(item.group == group and item.key not in less for item in self.items)

    def with_item(self, item: Waiting) -> "Queue":
        """The queue with one of its items as it is now, in its place."""
        return replace(self, items=tuple(item if each.key == item.key else each for each in self.items))


def read_queue(
    workspace: str | Path | None = None, *, skill: str | None = None, as_of: datetime | str | None = None
) -> Queue:
    """What waits in a workspace.

    Parameters
    ----------
    workspace
        Default the nearest ``.skilltune`` upwards, else the user's.
    skill
        Only of this skill, which is shown whatever there is; default every skill that anything was recorded or
        complained about.
    as_of
        Default now.

    Raises
    ------
    SkillNotFoundError
        `skill` is not installed.
    """
    mined = read_mined(workspace)
    names = [skill] if skill else _names(workspace, mined)
    used = used_folders(find_workspace(explicit=workspace))
    items: list[Waiting] = []
    problems: list[str] = []
    for key in [Key(name, folder=folder) for name in names for folder in ("", *used.get(name, ()))]:
        name = key.skill_id
        try:
            found = _items(key, workspace=workspace, mined=mined, as_of=as_of)
        except SkillNotFoundError:
            if name in used:
                continue
            if skill:
                raise
            problems.append(f"{name} is not installed here; what was recorded about it is kept")
        except SkilltuneError as error:
            problems.append(f"{name} cannot be read: {error}")
        else:
            items += [item for item in found if skill or item.group != "settled" or item.decided or item.dismissed]
    order = ("ready", "open", "held", "detected", "settled")
    ranked = sorted(items, key=lambda item: (order.index(item.group), -item.weight))
    return Queue(tuple(ranked), tuple(problems))


def read_again(
    key: Key, *, workspace: str | Path | None, mined: Mined, as_of: datetime | str | None = None
) -> Waiting | None:
    """The item as it is on disk now; None where it is gone: an open suggestion that was decided on."""
    found = _items(key, workspace=workspace, mined=mined, as_of=as_of)
    return next((item for item in found if item.key == key), None)


def read_mined(workspace: str | Path | None = None) -> Mined:
    """What the workspace's feedback log tells of complaints and rates; nothing where there is no log."""
    try:
        events = read_events(workspace=workspace)
    except ReadError:
        return Mined({}, {})
    complaints: dict[str, list[Complaint]] = {}
    for item in read_complaints(events):
        complaints.setdefault(item.skill_id, []).append(item)
    return Mined(complaints, _rates(events))


def _rates(events: "pd.DataFrame") -> dict[str, Mapping[str, Any]]:
    from skilltune.analysis.metrics import correction_rate  # scipy, which a panel without a log does not need

    table = correction_rate(events, by=["skill_id"])
    return {str(row["skill_id"]): row for row in as_records(table)}


def _names(workspace: str | Path | None, mined: Mined) -> list[str]:
    """Skills with recorded corrections, groups of complaints, or detected corrections, dismissed ones too."""
    recorded = {event.skill_id for event in find_ledger(find_workspace(explicit=workspace)).corrections()}
    grouped = {name for name, found in mined.complaints.items() if group_complaints(found)}
    detected = {item.skill_id for item in _candidate_log(workspace).candidates.values()}
    return sorted(recorded | grouped | detected)


def _candidate_log(workspace: str | Path | None) -> CandidateContents:
    return find_candidate_log(find_workspace(explicit=workspace)).read()


def _candidates(contents: CandidateContents) -> list[Candidate]:
    """The corrections that sessions show and nobody has decided on, in the order of the queue."""
    known = merge_candidates(contents.candidates.values())
    return in_queue_order(item for item in known if item.id not in contents.decisions and item.noise is None)


def _dismissed(contents: CandidateContents, skill_id: str) -> tuple[Dismissal, ...]:
    found = []
    for decision in contents.decisions.values():
        candidate = contents.candidates.get(decision.candidate)
        if decision.decision == "dismiss" and (candidate.skill_id if candidate else decision.skill_id) == skill_id:
            words = (candidate.quote or candidate.corrected or "") if candidate else ""
            words = words or f"{len(decision.complaints) or 'some'} complaints"
            found.append(Dismissal(decision.candidate, decision.at, words))
    return tuple(sorted(found, key=lambda each: each.at, reverse=True))


def _items(key: Key, *, workspace: str | Path | None, mined: Mined, as_of: datetime | str | None) -> list[Waiting]:
    """What waits of the skill that a key is about."""
    now, skill_id = as_time(as_of), key.skill_id
    state = see_skill(read_state(skill_id, workspace=workspace, base_directory=key.folder or None), at=now)
    evidence = read_evidence(skill_id, workspace=state.workspace, as_of=now)
    complaints = mined.complaints.get(skill_id, ())
    log = _candidate_log(workspace)
    detected = divide_by_folder(
        [item for item in _candidates(log) if item.skill_id == skill_id],
        folder_of=lambda item: item.best.base_directory,
        place=state.place,
    )
    where = (f"its file is in {key.folder}",) if key.folder else ()
    elsewhere = (*where, *say_complaints_elsewhere(state, complaints=complaints))
    found = judge_eligibility(state, evidence=evidence, as_of=now)
    groups = own_groups(state, complaints=complaints, dismissed=log.dismissed_complaints)
    first = Waiting(
        key=Key(skill_id, folder=key.folder),
        state=state,
        suggestion=suggest_from(state, allow_missing_baseline=False, as_of=now, eligibility=found),
        opening=None,
        findings=found.contradictions.findings,
        corrections={item.id: item for item in evidence.corrections},
        complaints=complaints,
        rate=mined.rates.get(skill_id),
        dismissed=_dismissed(log, skill_id),
        notes=(*found.warnings, *elsewhere),
    )
    opened = open_suggestions(groups, body=state.doc.body)
    bare = replace(first, suggestion=None, findings=(), corrections={}, dismissed=(), notes=elsewhere)
    others = say_elsewhere(detected.elsewhere, noun="detected correction", skill_id=skill_id)
    return [
        first,
        *(replace(bare, key=Key(skill_id, each.id, folder=key.folder), opening=each) for each in opened),
        *(
            [
                replace(
                    bare,
                    key=Key(skill_id, detected=True, folder=key.folder),
                    candidates=detected.own,
                    notes=(*where, *others),
                )
            ]
            if detected.own
            else []
        ),
    ]
