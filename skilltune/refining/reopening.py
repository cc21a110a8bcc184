"""A decision on a candidate or a group of complaints taken back: it waits again, what it recorded counts no more."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from skilltune.errors import InputError
from skilltune.refining.clock import act_time
from skilltune.refining.places import user_name
from skilltune.stores.candidates import Decision, Reopening, find_candidate_log
from skilltune.stores.ledger import find_ledger
from skilltune.stores.privacy import check_collection
from skilltune.stores.workspace import find_workspace

__all__ = ["Reopened", "reopen_candidate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reopened:
    """A decision that was taken back."""

    decision: Decision
    """The one that no longer counts."""
    retracted: tuple[str, ...]
    """Ids of the corrections it had recorded, which no longer count either."""


def reopen_candidate(
    candidate_id: str,
    *,
    note: str = "",
    workspace: str | Path | None = None,
    reviewer: str | None = None,
    as_of: datetime | str | None = None,
) -> Reopened:
    """Take back that a candidate was accepted or dismissed; it waits for a decision again.

    Parameters
    ----------
    candidate_id
        Its id, or that of a group of complaints that was dismissed.
    note
        Why; it stands in the ledger with the corrections that are taken back.
    workspace
        Default the nearest ``.skilltune`` upwards, else the user's.
    reviewer
        Who does it; default the name of the person at the machine.
    as_of
        When; default now.

    Raises
    ------
    InputError
        Nothing was decided on it, or `as_of` is to come.
    LogError
        The queue or the ledger cannot be written.
    """
    check_collection()
    place = find_workspace(explicit=workspace)
    log, who, moment = find_candidate_log(place), reviewer or user_name(), act_time(as_of)
    with log.locked():
        decision = log.read().decisions.get(candidate_id)
        if decision is None:
            raise InputError(
                f"nothing was decided on {candidate_id[:64]!r}; list what waits with: skilltune feedback candidates"
            )
        ledger = find_ledger(place)
        gone = ledger.read().retracted
        standing = tuple(id_ for id_ in decision.ledger_ids if id_ not in gone)
        for id_ in standing:
            ledger.retract(id_, by=who, reason=note or "undone: the candidate was opened again", at=moment)
        log.reopen(Reopening(candidate=candidate_id, by=who, at=moment))
    return Reopened(decision=decision, retracted=standing)
