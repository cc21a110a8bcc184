"""The nouns of skilltune: frozen records and the words their fields may hold."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

__all__ = [
    "Agent",
    "Attribution",
    "Channel",
    "CorrectionType",
    "Dimension",
    "EventOutcome",
    "FeedbackEvent",
    "Invocation",
    "Outcome",
    "Turn",
    "Via",
]

Agent = Literal["claude-code", "codex", "opencode"]
Channel = Literal["message", "answer", "denial", "queued", "steering", "plan", "edit"]
Via = Literal["tool", "slash", "read"]
Outcome = Literal["correction", "partial", "acceptance", "none"]
EventOutcome = Literal["correction", "partial", "acceptance"]
CorrectionType = Literal["rejection", "revert", "redo", "partial"]
Dimension = Literal["accuracy", "coverage", "reliability", "efficiency", "security", "trigger_quality", "unknown"]
Attribution = Literal["direct", "likely", "weak"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackEvent:
    """How a person reacted to one use of one skill; the first 12 fields are the log's documented format."""

    event_id: str
    timestamp: datetime | None
    session_id: str
    skill_id: str
    invocation_uuid: str
    outcome: EventOutcome
    confidence: float
    correction_type: CorrectionType | None
    user_message_snippet: str
    turns_to_feedback: int
    ai_tools_used: tuple[str, ...]
    dimension_hint: Dimension | None
    p_negative: float | None = None
    p_acceptance: float | None = None
    ruleset: str = ""
    attribution: Attribution | None = None
    channel: Channel | None = None
    rule: str = ""
    language: str = ""
    agent: Agent | None = None
    model: str = ""
    project: str = ""
    skill_digest: str = ""
    interrupted: bool = False
    self_reverted: bool = False
    rewound: bool = False
    """The person went back to an earlier point before the turn that decided."""
    weak_complaints: int = 0
    """Complaints in the window that may be about something else and so decided nothing."""
    turns_seen: int = 0
    """Turns of the window that had been said when the verdict was made; 0 where that is not known."""
    supersedes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One use of one skill, whether or not anybody reacted to it."""

    event_id: str
    timestamp: datetime | None
    session_id: str
    skill_id: str
    invocation_uuid: str
    via: Via | None
    reason: str
    """Why it gave no event ('' where it did): no_turn, no_signal, question, language, future, ended …"""
    turns_seen: int
    failed: str = ""
    """'' for a use; unknown_skill or refused for a trigger problem, which is no use."""
    installed: bool | None = None
    skill_digest: str = ""
    agent: Agent | None = None
    agent_version: str = ""
    model: str = ""
    project: str = ""
    path: str = ""
    line: int = 0
    weak_complaints: int = 0
    """Complaints in the window that may be about something else and so decided nothing."""
    interrupted: bool = False
    """A turn of the window came after an interrupt."""
    rewound: bool = False
    """A turn of the window came after the person went back to an earlier point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One thing a person typed or decided, with the verdict on what it says."""

    path: str
    line: int
    session_id: str
    uuid: str
    timestamp: datetime | None
    agent: Agent | None
    channel: Channel
    text: str
    previous_agent: str
    skill_id: str | None
    event_id: str | None
    """The use in whose window the turn stands, or None."""
    turn_in_window: int
    """1–3 in a window, 0 outside."""
    attribution: Attribution | None
    outcome: Outcome
    correction_type: CorrectionType | None
    dimension: Dimension | None
    p_negative: float | None
    p_acceptance: float | None
    rule: str
    language: str
    interrupted: bool
    project: str = ""
    rewound: bool = False
    """The person went back to an earlier point before it."""
