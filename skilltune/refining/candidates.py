"""The queue of detected corrections: found in sessions, kept with their evidence, decided on by a person.

Nothing that was detected is a correction before somebody accepts it and names the skill.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final, Literal

from skilltune.errors import InputError, ReadError, SkillNotFoundError
from skilltune.evolution.candidates import Candidate, Sighting, in_queue_order, merge_candidates
from skilltune.evolution.complaints import Complaint, ComplaintGroup, group_complaints, read_complaints
from skilltune.evolution.corrections import content_key
from skilltune.evolution.noise import NOISE, Noise
from skilltune.limits import CANDIDATE_CHARS
from skilltune.refining.detecting import detect_candidates
from skilltune.refining.folders import other_folder
from skilltune.refining.places import find_place, user_name
from skilltune.refining.records import SkillRecord
from skilltune.refining.reopening import reopen_candidate
from skilltune.scan import Scan
from skilltune.stores.candidates import CandidateContents, CandidateLog, Decision, find_candidate_log
from skilltune.stores.jsonl import LogProblem
from skilltune.stores.ledger import FeedbackLedger, LedgerEvent, find_ledger
from skilltune.stores.privacy import check_collection
from skilltune.stores.workspace import Workspace, find_workspace
from skilltune.workflow import Paths, as_time, read_events

__all__ = ["CandidateQueue", "decide_candidate", "find_candidates", "reopen_candidate", "waiting_complaints"]

_GIVE_BOTH: Final = "give the part that matters as --original and --corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateQueue:
    """What waits for a person to decide."""

    path: Path
    """The log of the queue."""
    candidates: tuple[Candidate, ...]
    """Those not decided on: in the most sessions first, then the latest; at most as many as were asked for."""
    complaints: tuple[ComplaintGroup, ...]
    """Groups of complaints not decided on."""
    new: int
    """Candidates that no earlier run had found."""
    decided: int
    """How many were accepted or dismissed before."""
    unreadable: tuple[str, ...]
    """What is said of sessions in which a skill was used, and that were not read a second time."""
    problems: tuple[LogProblem, ...]
    """Lines of the log that could not be used."""
    noise: Mapping[Noise, int] = field(default_factory=dict)
    """How many are not shown because no rule could come of them, by reason."""
    more: int = 0
    """How many wait beyond the limit."""

    def counts(self) -> dict[str, int]:
        """How many wait, by kind."""
        kinds = [candidate.kind for candidate in self.candidates]
        by_kind = {kind: kinds.count(kind) for kind in ("modified", "re_edit", "revert")}
        return by_kind | {"complaints": len(self.complaints)}


def find_candidates(
    workspace: str | Path | None = None,
    *,
    sessions: Scan | Paths | None = None,
    skill_id: str | None = None,
    limit: int | None = None,
) -> CandidateQueue:
    """The corrections that sessions show and the complaints that repeat, less what was decided on.

    What is new is added to the workspace's queue, so that it stays when its transcript is gone.

    Parameters
    ----------
    workspace
        Default the nearest ``.skilltune`` upwards, else the user's.
    sessions
        Files or folders, or what ``read_sessions`` gave; default as the config says, else where the agents keep them.
    skill_id
        Show only what followed a use of this skill; all is looked for.
    limit
        Show at most so many candidates; default all.

    Raises
    ------
    CollectionDisabled
        The person switched collection off.
    ReadError
        None of `sessions` can be read.
    LogError
        The queue cannot be locked or written.
    InputError
        `limit` is less than 0.

    Notes
    -----
    What differs in generated content only, is a rewrite of many lines, or has no three letters is counted as noise
    and not shown; it can be decided on by its id all the same. Only transcripts in which a skill was used are read, and
    of Claude Code only; ``unreadable`` says how many of other agents are left out.
    Complaints are those of the feedback log (``skilltune mine``).
    """
    if limit is not None and limit < 0:
        raise InputError(f"limit is {limit}; it is 0 or more")
    check_collection()
    place = find_workspace(explicit=workspace)
    found, unreadable = detect_candidates(place, sessions=sessions)
    log = find_candidate_log(place)
    new = log.add(found, texts=place.config.privacy.snippets)
    contents = log.read()
    known = merge_candidates([*contents.candidates.values(), *found])
    undecided = [item for item in known if item.id not in contents.decisions and skill_id in (None, *item.skills)]
    waiting = in_queue_order(item for item in undecided if item.noise is None)
    reasons = [item.noise for item in undecided]
    return CandidateQueue(
        path=log.path,
        candidates=tuple(waiting[:limit]),
        complaints=tuple(_groups(place, contents, skill_id=skill_id)),
        new=new,
        decided=len(contents.decisions),
        unreadable=tuple(unreadable),
        problems=tuple(contents.problems),
        noise={reason: reasons.count(reason) for reason in NOISE if reason in reasons},
        more=len(waiting) - len(waiting[:limit]),
    )


def waiting_complaints(workspace: str | Path | None = None) -> list[ComplaintGroup]:
    """The groups of complaints that wait for a decision; no session is read."""
    place = find_workspace(explicit=workspace)
    return list(_groups(place, find_candidate_log(place).read(), skill_id=None))


def decide_candidate(
    candidate_id: str,
    *,
    decision: Literal["accept", "dismiss"],
    skill_id: str | None = None,
    original: str | None = None,
    corrected: str | None = None,
    workspace: str | Path | None = None,
    sessions: Scan | Paths | None = None,
    reviewer: str | None = None,
    as_of: datetime | str | None = None,
) -> tuple[LedgerEvent, ...]:
    """Accept a candidate as a correction of a skill, or dismiss it; it is not shown again.

    Parameters
    ----------
    candidate_id
        Its id, or that of a group of complaints, which can be dismissed here.
    decision
        ``accept`` records it in the ledger, ``dismiss`` records nothing there.
    skill_id
        The skill that it corrects, needed to accept: the one used before, or another.
    original, corrected
        The texts as the person wants them; default the candidate's.
    sessions
        As for ``find_candidates``; read where the queue does not hold the texts.
    reviewer
        Who decides; default the name of the person at the machine.
    as_of
        When; default now.

    Returns
    -------
    tuple of LedgerEvent
        The corrections recorded, one for each session that showed it; none for a dismissal.

    Raises
    ------
    InputError
        There is no such candidate, it is decided on, no skill is named, or its texts are not whole and were not given.
    LogError
        The queue or the ledger cannot be written.
    """
    if decision not in ("accept", "dismiss"):
        raise InputError(f"decision is {decision!r}; it is accept or dismiss")
    check_collection()
    place = find_workspace(explicit=workspace)
    log, who, moment = find_candidate_log(place), reviewer or user_name(), as_time(as_of)
    fresh = None
    if decision == "accept" and (original is None or corrected is None):
        fresh = _read_again(log.read().candidates.get(candidate_id), place, sessions)
    with log.locked():
        contents = log.read()
        _check_open(contents, candidate_id)
        candidate = fresh or contents.candidates.get(candidate_id)
        if candidate is None:
            _dismiss_group(log, place, contents, candidate_id, decision=decision, by=who, at=moment)
            return ()
        made = Decision(candidate=candidate.id, decision=decision, by=who, at=moment, skill_id=(skill_id or "").strip())
        if decision == "dismiss":
            log.decide(made)
            return ()
        chosen = _choose_texts(candidate, original=original, corrected=corrected)
        return _accept(chosen, before=candidate, decision=made, log=log, ledger=find_ledger(place))


def _accept(
    chosen: Candidate, *, before: Candidate, decision: Decision, log: CandidateLog, ledger: FeedbackLedger
) -> tuple[LedgerEvent, ...]:
    """Record the correction, then that it was decided: a run killed between the two is completed by the next."""
    if not decision.skill_id:
        raise InputError(f"name the skill that this corrects, as --skill {before.skill_id}")
    events = _record(ledger, chosen, skill_id=decision.skill_id, at=decision.at)
    edited = (chosen.original, chosen.corrected) != (before.original, before.corrected)
    log.decide(replace(decision, edited=edited, ledger_ids=tuple(event.id for event in events)))
    return events


def _groups(place: Workspace, contents: CandidateContents, *, skill_id: str | None) -> Iterator[ComplaintGroup]:
    """The groups of complaints in the feedback log that nobody decided on."""
    try:
        complaints = read_complaints(read_events(place.feedback_path), skill_id=skill_id)
    except ReadError:
        return
    gone = set(contents.dismissed_complaints)
    for skill in sorted({item.skill_id for item in complaints}):
        gone |= _decided_complaints(skill)
    for one_skill in _by_folder(complaints).values():
        yield from group_complaints(one_skill, decided=gone)


def _by_folder(complaints: Iterable[Complaint]) -> dict[tuple[str, str], list[Complaint]]:
    """The complaints of each skill; those of several skills of one name apart, '' for the folder that counts for it."""
    other = cache(lambda skill_id, folder: other_folder(skill_id, named=folder))
    found: dict[tuple[str, str], list[Complaint]] = {}
    for item in complaints:
        folder = other(item.skill_id, item.base_directory)
        found.setdefault((item.skill_id, folder), []).append(replace(item, base_directory=folder))
    return dict(sorted(found.items()))


def _decided_complaints(skill_id: str) -> frozenset[str]:
    """Ids of complaints of a skill that the audit log knows as used up or rejected."""
    try:
        place = find_place(skill_id)
    except (SkillNotFoundError, InputError):
        return frozenset()
    return SkillRecord.of(place.log.read(), file=place.key).decided


def _check_open(contents: CandidateContents, candidate_id: str) -> None:
    before = contents.decisions.get(candidate_id)
    if before is not None:
        done = "accepted" if before.decision == "accept" else "dismissed"
        raise InputError(f"{candidate_id} was {done} on {before.at:%Y-%m-%d}; it is decided once")


def _dismiss_group(
    log: CandidateLog,
    place: Workspace,
    contents: CandidateContents,
    group_id: str,
    *,
    decision: str,
    by: str,
    at: datetime,
) -> None:
    """Dismiss a group of complaints; accepting one takes a line in a person's words."""
    group = next((item for item in _groups(place, contents, skill_id=None) if item.id == group_id), None)
    if group is None:
        raise InputError(f"there is no candidate {group_id[:64]!r}; list them with: skilltune feedback candidates")
    if decision == "accept":
        raise InputError(
            f"{group_id} is a group of complaints: it becomes a change by a line that you word, with: "
            f'skilltune refine {group.skill_id} --open {group_id} --word "..."'
        )
    log.decide(
        Decision(
            candidate=group_id, decision="dismiss", by=by, at=at, skill_id=group.skill_id, complaints=group.event_ids
        )
    )


def _read_again(candidate: Candidate | None, place: Workspace, sessions: Scan | Paths | None) -> Candidate | None:
    """A candidate whose texts the queue does not hold, with those of its transcript; None where nothing is gained."""
    if candidate is None or candidate.has_texts:
        return None
    try:
        found, _ = detect_candidates(place, sessions=sessions)
    except ReadError:
        return None
    same = next((item for item in found if item.id == candidate.id), None)
    return replace(candidate, original=same.original, corrected=same.corrected, cut=same.cut) if same else None


def _choose_texts(candidate: Candidate, *, original: str | None, corrected: str | None) -> Candidate:
    """`candidate` with the texts that are to be recorded."""
    whole = original is not None and corrected is not None
    if not whole and not candidate.has_texts:
        raise InputError(f"the texts of {candidate.id} are not kept, and its transcript is gone; {_GIVE_BOTH}")
    if not whole and candidate.cut:
        raise InputError(
            f"a text of {candidate.id} is longer than {CANDIDATE_CHARS:,} characters and was cut; {_GIVE_BOTH}"
        )
    return replace(
        candidate,
        original=candidate.original if original is None else original,
        corrected=candidate.corrected if corrected is None else corrected,
    )


def _record(ledger: FeedbackLedger, candidate: Candidate, *, skill_id: str, at: datetime) -> tuple[LedgerEvent, ...]:
    """Record it once for each session; what a run that was killed has recorded already is not recorded again."""
    key = _key(candidate.original, candidate.corrected)
    there = {event.session_id: event for event in _matching(ledger.corrections(skill_id), key)}
    first: dict[str, Sighting] = {}
    for seen in candidate.sightings:
        first.setdefault(seen.session_id, seen)
    return tuple(
        there.get(session_id)
        or ledger.record_correction(
            skill_id,
            original=candidate.original,
            corrected=candidate.corrected,
            session_id=session_id,
            skill_folder=other_folder(skill_id, named=seen.base_directory) if skill_id == seen.skill_id else "",
            at=seen.timestamp or at,
        )
        for session_id, seen in first.items()
    )


def _matching(events: Iterable[LedgerEvent], key: tuple[str, str]) -> Iterator[LedgerEvent]:
    return (event for event in events if _key(event.original, event.corrected) == key)


def _key(original: str | None, corrected: str | None) -> tuple[str, str]:
    return content_key(original or ""), content_key(corrected or "")
