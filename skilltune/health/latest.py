"""``last``: the latest session that a person had: which skills it used, what became of them, what went wrong."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from skilltune.errors import ReadError
from skilltune.facts import SessionFacts, TurnFact
from skilltune.health.session_files import find_session_files
from skilltune.mining.origins import why_skipped
from skilltune.records import FeedbackEvent, Invocation
from skilltune.scan.sessions import Paths, read_sessions
from skilltune.stores.names import mask_name
from skilltune.workflow import Mined, mine

__all__ = ["LatestSession", "UsedSkill", "latest_session"]

_LOOKED_AT: Final = 20
"""Files that are read until one holds a session of a person, those that were written last."""
_MANY_ERRORS: Final = 5
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class UsedSkill:
    """One use of a skill, or one call that was none."""

    skill_id: str
    outcome: str
    """correction, partial, acceptance; none where nobody reacted; unknown_skill or refused for a call that failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestSession:
    """The latest session."""

    session_id: str
    agent: str
    path: str
    project: str
    ended: datetime | None
    turns: int
    """What a person typed or decided."""
    skills: tuple[UsedSkill, ...]
    """In order."""
    errors: int
    """Results of tools that were errors, less what a person refused."""
    missed: int | None
    """Prompts that should have triggered a skill and did not; None where nobody measured that."""
    recommendation: str
    """The one thing to do next."""

    def as_row(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return asdict(self) | {"ended": self.ended and self.ended.isoformat()}


def latest_session(
    places: Paths | None = None, *, as_of: datetime | None = None, missed: Mapping[str, int] | None = None
) -> LatestSession:
    """The session at `places`, or where the agents keep theirs, in which a person did something last.

    Parameters
    ----------
    places
        Files and folders of sessions.
    as_of
        What is dated later does not exist; default now.
    missed
        Session → prompts that should have triggered a skill; None where there are no eval sets.

    Raises
    ------
    ReadError
        There is no session of a person among the files that were written last.
    """
    for path in find_session_files(places).paths[:_LOOKED_AT]:
        read = read_sessions([path])
        found = max(_of_persons(facts for file in read.files() for facts in file.sessions), key=_ended, default=None)
        if found is not None:
            count = None if missed is None else missed.get(found.session_id, 0)
            return _told(found, mine(read, as_of=as_of), missed=count)
    raise ReadError(
        "there is no session of a person where the agents keep them; skilltune sources says what lies where"
    )


def _of_persons(sessions: Iterator[SessionFacts]) -> Iterator[SessionFacts]:
    for facts in sessions:
        if not why_skipped(facts) and any(isinstance(item, TurnFact) for item in facts.items):
            yield facts


def _ended(facts: SessionFacts) -> int:
    return facts.last_at or 0


def _told(facts: SessionFacts, mined: Mined, *, missed: int | None) -> LatestSession:
    name = mask_name(facts.session_id)
    events = {event.event_id: event for event in mined.records.events}
    uses = [use for use in mined.records.invocations if use.session_id == name]
    skills = tuple(UsedSkill(use.skill_id, _outcome(use, events)) for use in uses)
    errors = sum(work.errors for work in (facts.lead, *(item.work for item in facts.items)))
    return LatestSession(
        session_id=name,
        agent=facts.agent,
        path=facts.path,
        project=facts.project,
        ended=_EPOCH + timedelta(microseconds=facts.last_at) if facts.last_at is not None else None,
        turns=sum(isinstance(item, TurnFact) for item in facts.items),
        skills=skills,
        errors=errors,
        missed=missed,
        recommendation=_recommend(skills, errors=errors, missed=missed),
    )


def _outcome(use: Invocation, events: Mapping[str, FeedbackEvent]) -> str:
    event = events.get(use.event_id)
    return use.failed or (event.outcome if event else "none")


def _recommend(skills: tuple[UsedSkill, ...], *, errors: int, missed: int | None) -> str:
    """The most urgent thing: what a person said beats what a program noted."""
    corrected = next((used.skill_id for used in skills if used.outcome in ("correction", "partial")), "")
    unknown = next((used.skill_id for used in skills if used.outcome == "unknown_skill"), "")
    if corrected:
        return (
            f"{corrected} was corrected; keep that and see whether it repeats: skilltune mine, then skilltune metrics"
        )
    if unknown:
        return (
            f"{unknown} was called and is not installed where the agent ran: install it, or take its name out of texts"
        )
    if missed:
        return f"{missed} prompts should have triggered a skill; look at its description"
    if errors >= _MANY_ERRORS:
        return f"{errors} tool calls failed: look into the transcript for what a skill should say about them"
    return "skilltune mine keeps its feedback" if skills else "nothing: no skill was used"
