"""The nouns of skilltune: frozen records and the words their fields may hold."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

__all__ = [
    "COST_FIELDS",
    "INSTALLED_OF",
    "About",
    "Agent",
    "Attribution",
    "Channel",
    "CorrectionType",
    "Dimension",
    "Draw",
    "EventOutcome",
    "FeedbackEvent",
    "Invocation",
    "LabelledUse",
    "Outcome",
    "PredictedUse",
    "SessionCost",
    "Stratum",
    "Turn",
    "TurnLabel",
    "TurnPointer",
    "Via",
    "agent_title",
]

Agent = str
"""The name of an agent, as its source has it; see ``skilltune.sources``."""
INSTALLED_OF: Final = "claude-code"
"""The agent all of whose folders of skills are looked into: only of its skills it is known that they are not there."""
_AGENT_TITLES: Final = {"opencode": "OpenCode"}
"""Agents that write their names otherwise than with a capital for each word."""
Channel = Literal["message", "answer", "denial", "queued", "steering", "plan", "edit"]
Via = Literal["tool", "slash", "read"]
"""How a use began. ``slash``: the person named the skill (a slash command, ``$name`` in a prompt, a sub-task); ``tool``
and ``read``: the agent chose it, by calling it or by reading its file. A name of which nobody can tell whether it is
the skill's is no use; it is counted as ``use_ambiguous``."""
Outcome = Literal["correction", "partial", "acceptance", "none"]
EventOutcome = Literal["correction", "partial", "acceptance"]
CorrectionType = Literal["rejection", "revert", "redo", "partial"]
Dimension = Literal["accuracy", "coverage", "reliability", "efficiency", "security", "trigger_quality", "unknown"]
Attribution = Literal["direct", "likely", "weak"]
About = Literal["skill", "other"]

COST_FIELDS: Final = (
    "tokens_input",
    "tokens_output",
    "tokens_cache_read",
    "tokens_cache_write",
    "subagent_tokens",
    "wall_seconds",
    "idle_seconds",
)
"""What events and uses say of their cost."""


def agent_title(agent: Agent) -> str:
    """The name of an agent as people write it.

    Examples
    --------
    >>> agent_title("claude-code"), agent_title("opencode"), agent_title("quill")
    ('Claude Code', 'OpenCode', 'Quill')
    """
    return _AGENT_TITLES.get(agent) or " ".join(word[:1].upper() + word[1:] for word in agent.split("-"))


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
    agent: Agent = ""
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
    base_directory: str = ""
    """The folder of the skill's file as the transcript names it, '' where it names none."""
    tokens_input: int | None = None
    """Tokens from the use to the turn that decided, else to the end of its window, the next use or the session's end;
    None where the transcript counts none. These four leave sub-agents out."""
    tokens_output: int | None = None
    tokens_cache_read: int | None = None
    tokens_cache_write: int | None = None
    subagent_tokens: int | None = None
    """All tokens of the sub-agents that were started in that stretch."""
    wall_seconds: float | None = None
    """Length of that stretch, the person's pauses included."""
    idle_seconds: float | None = None
    """Of these, the pauses over 10 minutes between the agent's last word and the person's next turn."""
    retried: bool = False
    """One of the two turns after the use asks again for what led to it."""
    via: Via | None = None
    """How the use began; None in lines of older logs."""
    agent_version: str = ""
    """The version of the agent's program, '' where its records name none and in lines of older logs."""
    loaded: bool | None = None
    """The skill's text is known to have reached the agent: it was put in or read, or stood there already."""


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
    agent: Agent = ""
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
    base_directory: str = ""
    """The folder of the skill's file as the transcript names it, '' where it names none."""
    tokens_input: int | None = None
    """Tokens from the use to the turn that decided, else to the end of its window, the next use or the session's end;
    None where the transcript counts none. These four leave sub-agents out."""
    tokens_output: int | None = None
    tokens_cache_read: int | None = None
    tokens_cache_write: int | None = None
    subagent_tokens: int | None = None
    """All tokens of the sub-agents that were started in that stretch."""
    wall_seconds: float | None = None
    """Length of that stretch, the person's pauses included."""
    idle_seconds: float | None = None
    """Of these, the pauses over 10 minutes between the agent's last word and the person's next turn."""
    retried: bool = False
    """One of the two turns after the use asks again for what led to it."""
    loaded: bool | None = None
    """The skill's text is known to have reached the agent: it was put in or read, or stood there already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCost:
    """What one session cost in all, and what of it no use of a skill is charged with."""

    session_id: str
    agent: Agent
    project: str
    model: str
    """That of the last record that names one."""
    started: datetime | None
    """Stamp of its first record; of the first that is its own where it goes on with a copy of another session."""
    ended: datetime | None
    """Stamp of its last record."""
    turns: int
    """Turns of a person."""
    uses: int
    """Uses of skills, judged or not."""
    tokens_input: int | None
    """Without sub-agents, as are the next three; None where the transcript counts none."""
    tokens_output: int | None
    tokens_cache_read: int | None
    tokens_cache_write: int | None
    subagent_tokens: int | None
    """All tokens of its sub-agents whose transcripts are there."""
    tokens: int | None
    """The four kinds together: the session without its sub-agents."""
    tokens_with_subagents: int | None
    """The session with them."""
    unattributed_tokens: int | None
    """Those of `tokens` that no use is charged with."""
    unattributed_subagent_tokens: int | None
    """Those of `subagent_tokens` that no use is charged with."""
    subagents: int = 0
    """Sub-agents that have a file of their own."""
    wall_seconds: float | None = None
    """From its first to its last record, every pause included."""
    idle_seconds: float | None = None
    """Of these, the pauses over 10 minutes between the agent's last record and the person's next turn."""
    available: int | None = None
    """Skills that the agent's program listed as available; None where no record lists any. Listed is not used."""
    agent_version: str = ""
    forked_from: str = ""
    """The session that it is a fork or branch of, '' where it is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One thing a person typed or decided, with the verdict on what it says."""

    path: str
    line: int
    session_id: str
    uuid: str
    timestamp: datetime | None
    agent: Agent
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
    turn_id: str = ""
    """Its id in the label log: a hash of its record's uuid, so that copies of a session agree on it."""
    agent_version: str = ""
    model: str = ""
    """Model of the work it answers, of what came next where it answers none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPointer:
    """A turn that somebody was asked about: where it is, and what of its window a label needs to know."""

    event_id: str
    turn_id: str
    skill_id: str
    session_id: str
    uuid: str = ""
    line: int = 0
    """1-based line of the turn's record."""
    ruleset: str = ""
    number: int = 0
    """Full turns of the window up to this one (``Turn.turn_in_window``)."""
    of: int = 1
    """Turns in the window: the use is labelled when all of them are."""
    turns_seen: int = 0
    """Full turns in the window; a log that knows of more has seen the window grow."""
    goes_on: bool = False
    """By the rules it is a request that stands by itself, over 20 wide characters: where it says nothing of the work
    before, the person went on."""
    taken_back: bool = False
    """Work of the use was discarded by a command in its window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLabel:
    """What a reader says of one turn in the window of one use; it points at the turn and holds none of its text."""

    event_id: str
    turn_id: str
    skill_id: str
    session_id: str
    uuid: str
    outcome: Outcome
    correction_type: CorrectionType | None
    about: About
    reader: str
    """``person``, or ``judge:NAME``."""
    draw_id: str
    """The random draw that the use was in when it was labelled, '' where it was chosen otherwise."""
    labelled_at: datetime | None
    label_id: str = ""
    line: int = 0
    ruleset: str = ""
    number: int = 0
    of: int = 1
    turns_seen: int = 0
    goes_on: bool = False
    taken_back: bool = False
    """These as in ``TurnPointer``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """One part of the uses that a sample was drawn from, and how many of them were drawn."""

    key: str
    population: int
    """Uses that could be drawn: those of no earlier draw."""
    sampled: int
    probability: float
    """``sampled / population``; 0 where all had been drawn before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """How one random sample of uses was drawn, so that the chance of every use of its frame can be told."""

    draw_id: str
    seed: int
    size: int
    ruleset: str
    strata: tuple[Stratum, ...]
    sampled: tuple[tuple[str, float], ...]
    """Event id and probability of each use drawn, in the order to label them."""
    frame: dict[str, tuple[str, ...]]
    """Event ids by the stratum's key, those of earlier draws too."""
    reader: str = "person"
    """Who was to label it; the sample of one reader says nothing of another's."""
    drawn_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledUse:
    """The true outcome of a use all of whose turns a reader has labelled."""

    event_id: str
    skill_id: str
    session_id: str
    outcome: Outcome
    correction_type: CorrectionType | None
    explicit: bool
    """Accepted in words or by a click, not only by going on to other work."""
    probability: float | None
    """Chance of being in a random sample, over all draws; None where it was chosen otherwise."""
    labelled_at: datetime | None
    turns: int = 0
    """Turns of its window."""
    turns_seen: int = 0
    """Full turns of its window when it was labelled."""
    number: int = 1
    """Number in the window of the turn that decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedUse:
    """What the rules say of one use, labelled or not."""

    event_id: str
    skill_id: str
    agent: Agent
    model: str
    project: str
    session_id: str
    timestamp: datetime | None
    outcome: Outcome
    explicit: bool
    p_negative: float | None
    """The highest of its turns."""
    p_acceptance: float | None
    turns_seen: int
    covered: bool
    """Labels say something of it: its part of a draw is labelled, or nobody said anything about it."""
    left_out: str = ""
    """Why it is not covered: ``unlabelled`` (a draw could take it, but no label that counts is of its part),
    ``undrawn`` (no draw could, as it came later or is of a skill never drawn from), ``unaskable`` (its transcript is
    gone, or it was taken back without a word); empty where it is, or where that is not known."""
