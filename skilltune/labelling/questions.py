"""A question: one turn of a use's window in its context, to be labelled by a person or a judge."""

from dataclasses import dataclass
from datetime import datetime

from skilltune.mining.labelled import AskedUse
from skilltune.records import Agent, Channel, CorrectionType, Invocation, Outcome

__all__ = ["Question", "questions_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a reader is shown of one turn; its texts come from sessions and are hostile until escaped."""

    event_id: str
    turn_id: str
    skill_id: str
    session_id: str
    project: str
    agent: Agent
    timestamp: datetime | None
    number: int
    """1-based place of the turn in its window."""
    of: int
    """Turns in the window."""
    channel: Channel
    decision: str
    tool: str
    interrupted: bool
    text: str
    previous_prompt: str
    previous_agent: str
    did: str
    """What the agent did before, in short words."""
    next_agent: str
    """What the agent said after, '' for nothing."""
    rule_outcome: Outcome
    """The verdict of the rules and the model that ships, also where a workspace has its own: it is what the labels
    correct. To be hidden until it is asked for; so are the next two."""
    rule_type: CorrectionType | None
    rule: str
    line: int
    uuid: str

    def __repr__(self) -> str:
        return f"Question({self.skill_id!r}, turn {self.number} of {self.of}, turn_id={self.turn_id!r})"


def questions_of(use: Invocation, asked: AskedUse) -> tuple[Question, ...]:
    """One question for each turn of a use's window, in order."""
    return tuple(
        Question(
            event_id=use.event_id,
            turn_id=turn.turn_id,
            skill_id=use.skill_id,
            session_id=use.session_id,
            project=use.project,
            agent=use.agent,
            timestamp=turn.timestamp,
            number=number,
            of=len(asked.turns),
            channel=turn.channel,
            decision=turn.decision,
            tool=turn.tool,
            interrupted=turn.interrupted,
            text=turn.text,
            previous_prompt=turn.previous_prompt,
            previous_agent=turn.previous_agent,
            did=turn.did,
            next_agent=turn.next_agent,
            rule_outcome=turn.outcome,
            rule_type=turn.correction_type,
            rule=turn.rule,
            line=turn.line,
            uuid=turn.uuid,
        )
        for number, turn in enumerate(asked.turns, start=1)
    )
