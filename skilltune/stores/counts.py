"""What a feedback log holds, what was done to it, and how far a run reached."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from skilltune.records import COST_FIELDS, FeedbackEvent, Invocation
from skilltune.stores.jsonl import LogProblem

__all__ = ["OF_BOTH", "LogContents", "OverwriteCounts", "Scope", "ScrubCounts", "UpdateCounts"]

OF_BOTH: Final = (
    "event_id",
    "timestamp",
    "session_id",
    "skill_id",
    "invocation_uuid",
    "skill_digest",
    "agent",
    "agent_version",
    "model",
    "project",
    "base_directory",
    "loaded",
    "retried",
    "via",
    *COST_FIELDS,
)
"""What an event tells of its use, too."""


@dataclass(frozen=True, slots=True)
class LogContents:
    """What a log says now, archive included: each use once, as an event or as a use without one.

    Among the latter are failed calls (``failed`` says why): trigger problems, which are no uses.
    """

    events: list[FeedbackEvent]
    uses: list[Invocation]
    problems: list[LogProblem]

    @property
    def invocations(self) -> list[Invocation]:
        """All uses, those that gave an event too, for coverage; what the log does not keep of the latter is empty."""
        return [_invocation(event) for event in self.events] + self.uses

    @property
    def problem_counts(self) -> dict[str, int]:
        """Number of lines that were not in order, by reason."""
        return dict(Counter(problem.reason for problem in self.problems))


@dataclass(frozen=True, slots=True)
class UpdateCounts:
    """What an update did with the events it was given."""

    new: int = 0
    """Events of uses that had none in the log."""
    updated: int = 0
    """Events that say something else than the log's line did."""
    unchanged: int = 0
    withdrawn: int = 0
    """Uses whose event no longer holds."""
    uses: int = 0
    """Lines added for uses without an event, the withdrawn ones left out."""
    kept_longer: int = 0
    """Uses of which the log saw more turns than the run did: what it says of them stays."""
    completed: int = 0
    """Lines added for a verdict that stays, with its cost or the skill's folder; such events are unchanged, too."""


@dataclass(frozen=True, slots=True)
class OverwriteCounts:
    """What a rebuild did."""

    new: int
    updated: int
    unchanged: int
    removed: int
    """Events in the run's reach that it no longer finds."""
    kept: int
    """Events out of the run's reach: their transcript is gone, or the filter leaves them out."""
    kept_longer: int = 0
    """Uses of which the log saw more turns than the run did: what it says of them stays."""


@dataclass(frozen=True, slots=True)
class ScrubCounts:
    """What a scrub did."""

    texts: int
    """Lines whose text was emptied."""
    damaged: int
    """Lines that nobody can read, taken out because they may hold text."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a run could have found: the uses that it met in what it read, of the skills it was asked for.

    Parameters
    ----------
    invocations
        The ids (``invocation_uuid``) of every sign of use in the sessions that counted, also of those that came to
        nothing. A file that holds only the end of a session says nothing of the uses before.
    skills
        The skill ids of the filter, or None for all.
    """

    invocations: frozenset[str]
    skills: frozenset[str] | None = None

    def covers(self, record: FeedbackEvent | Invocation) -> bool:
        """Whether the run would have found this use, were it still one."""
        asked = self.skills is None or record.skill_id in self.skills
        return asked and record.invocation_uuid in self.invocations


def _invocation(event: FeedbackEvent) -> Invocation:
    return Invocation(
        reason="",
        turns_seen=event.turns_seen or event.turns_to_feedback,
        **{name: getattr(event, name) for name in OF_BOTH},
    )
