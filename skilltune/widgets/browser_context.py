"""A turn with what stood around it, read from its transcript again: the agent's work, the answer, and why it was judged
as it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from skilltune.errors import ReadError
from skilltune.facts import SessionFacts, TurnFact, Work
from skilltune.labelling import Question
from skilltune.mining.classifier import describe_verdict
from skilltune.mining.features import read_features
from skilltune.mining.labelled import did_words
from skilltune.mining.model import read_model
from skilltune.mining.outcomes import Verdict, judge_by_rules
from skilltune.mining.rows import id_of_turn
from skilltune.mining.session_turns import SessionTurns
from skilltune.records import Turn
from skilltune.workflow import read_sessions

__all__ = ["Reasons", "TurnContext", "read_context"]

FEATURES: Final = 3
"""Features named for each side."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """What spoke for the verdict on a turn."""

    rules: Verdict
    """What the rules alone say."""
    for_complaint: Sequence[str] = ()
    """Features that speak most for a complaint in the model's eyes, the strongest first."""
    for_acceptance: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TurnContext:
    """A turn as it is shown."""

    question: Question
    reasons: Reasons | None
    """None where the transcript cannot be read any more."""


def read_context(turn: Turn, *, number: int, of: int) -> TurnContext:
    """The context of a turn; what its own row tells where the transcript is gone.

    Parameters
    ----------
    number, of
        Its place in its use's window, and how many turns that has.
    """
    found = _find(turn)
    if found is None:
        return TurnContext(_question(turn, number=number, of=of), None)
    session, at = found
    return TurnContext(_question(turn, number=number, of=of, session=session, at=at), _reasons(session, at))


def _find(turn: Turn) -> tuple[SessionFacts, int] | None:
    """The session that holds the turn, and its place among the session's items."""
    try:
        sessions = _read(turn.path, _stamp(turn.path))
    except (ReadError, OSError):
        return None
    for session in sessions:
        for at, item in enumerate(session.items):
            if isinstance(item, TurnFact) and item.line == turn.line and id_of_turn(session, item) == turn.turn_id:
                return session, at
    return None


def _stamp(path: str) -> int:
    return Path(path).stat().st_mtime_ns


@lru_cache(maxsize=4)
def _read(path: str, stamp: int) -> tuple[SessionFacts, ...]:
    """The sessions of a file as it was at `stamp`; the last few are kept, since one is read turn after turn."""
    del stamp
    return tuple(session for file in read_sessions(path).files() for session in file.sessions)


def _question(turn: Turn, *, number: int, of: int, session: SessionFacts | None = None, at: int = 0) -> Question:
    item = session.items[at] if session else None
    fact = item if isinstance(item, TurnFact) else None
    before = (session.items[at - 1].work if at else session.lead) if session else Work(said=turn.previous_agent)
    return Question(
        event_id=turn.event_id or "",
        turn_id=turn.turn_id,
        skill_id=turn.skill_id or "",
        session_id=turn.session_id,
        project=turn.project,
        agent=turn.agent,
        timestamp=turn.timestamp,
        number=number,
        of=of,
        channel=turn.channel,
        decision=fact.decision if fact else "",
        tool=fact.tool if fact else "",
        interrupted=turn.interrupted,
        text=turn.text,
        previous_prompt=_previous_prompt(session, at) if session else "",
        previous_agent=before.said,
        did=did_words(before),
        next_agent=fact.work.said if fact else "",
        rule_outcome=turn.outcome,
        rule_type=turn.correction_type,
        rule=turn.rule,
        line=turn.line,
        uuid=turn.uuid,
    )


def _previous_prompt(session: SessionFacts, at: int) -> str:
    """What the person had typed before."""
    earlier = (item for item in reversed(session.items[:at]) if isinstance(item, TurnFact))
    return next((item.text for item in earlier if item.text and item.channel in ("message", "queued")), "")


def _reasons(session: SessionFacts, at: int) -> Reasons:
    """What the rules say alone, and what speaks most for each side in the model that ships."""
    model = read_model()
    turn = SessionTurns(session, model=model).situation(at)
    said = judge_by_rules(turn)
    if model is None or turn.begins or not turn.signals.reading.prose.text or not model.speaks(said.language):
        return Reasons(said)
    features = read_features(turn, said=describe_verdict(said))
    sides = (model.reasons(features, column=column, number=FEATURES) for column in (0, 1))
    return Reasons(said, *sides)
