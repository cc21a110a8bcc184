"""A person's decision on one suggestion, as a value; it fits that suggestion only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from skilltune.errors import InputError
from skilltune.evolution.refusals import ApprovalError
from skilltune.evolution.suggestions import Suggestion

__all__ = ["Approval", "Decision", "How", "check_approval", "decide"]

Decision = Literal["approve", "reject", "defer"]
How = Literal["panel", "terminal"]
"""Where a person decided: in a notebook before a front end, or at a terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What somebody decided, when, and about exactly what."""

    suggestion_digest: str
    decision: Decision
    changes: tuple[int, ...]
    """Numbers of the changes that were chosen."""
    reviewer: str
    at: datetime
    """Aware."""
    how: How
    """Where the person decided; the audit log keeps it."""
    note: str = ""

    def __post_init__(self) -> None:
        if self.decision not in get_args(Decision):
            raise InputError(f"decision is {self.decision!r}; it is one of {', '.join(get_args(Decision))}")
        if self.how not in get_args(How):
            raise InputError(f"how is {self.how!r}; a person decides in a {' or at a '.join(get_args(How))}")
        if not self.reviewer.strip():
            raise InputError("reviewer is empty; an approval names who decided")
        if self.at.tzinfo is None:
            raise InputError(f"at is {self.at.isoformat()}, without a zone; give an aware time")


def decide(
    suggestion: Suggestion, *, decision: Decision, reviewer: str, at: datetime, how: How, note: str = ""
) -> Approval:
    """The decision on `suggestion` with the changes that are chosen in it; `how` says where a person took it."""
    return Approval(
        suggestion_digest=suggestion.digest,
        decision=decision,
        changes=tuple(change.number for change in suggestion.chosen),
        reviewer=reviewer,
        at=at,
        how=how,
        note=note,
    )


def check_approval(approval: Approval, *, suggestion: Suggestion, decisions: Sequence[Decision] = ("approve",)) -> None:
    """Raise unless `approval` is a decision on exactly this suggestion.

    Parameters
    ----------
    approval
        The decision.
    suggestion
        The suggestion as it is now, recomputed from the file on disk, with the changes chosen.
    decisions
        The decisions that are asked for; by default only an approval.

    Raises
    ------
    ApprovalError
        When the decision is another one, or the digest or the changes differ: the body, the corrections or the choice
        changed since.
    """
    if approval.decision not in decisions:
        raise ApprovalError(f"the decision is {approval.decision}, not {' or '.join(decisions)}; nothing is written")
    if approval.suggestion_digest != suggestion.digest:
        raise ApprovalError(
            f"the approval is of {approval.suggestion_digest[:12]}, the suggestion for {suggestion.skill_id} is now "
            f"{suggestion.digest[:12]}; look at it again"
        )
    chosen = tuple(change.number for change in suggestion.chosen)
    if tuple(sorted(approval.changes)) != tuple(sorted(chosen)):
        raise ApprovalError(
            f"the approval is of the changes {_told(approval.changes)}, the suggestion makes {_told(chosen)}; "
            "look at it again"
        )


def _told(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"
