"""What a person is asked about a use, each turn of its window in context, and what their labels say of the use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from skilltune.facts import SessionFacts, Work
from skilltune.mining.rows import id_of_turn, time_of
from skilltune.mining.windows import Window, WindowTurn, goes_on
from skilltune.records import Attribution, Channel, CorrectionType, Outcome, TurnLabel

__all__ = ["AskedTurn", "AskedUse", "TrueOutcome", "ask_use", "did_words", "true_outcome"]

_STRONGEST: Final[tuple[CorrectionType, ...]] = ("rejection", "partial", "redo", "revert")
_TOOLS_SHOWN: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTurn:
    """One turn of a window as a question, with the rules' own verdict on it."""

    turn_id: str
    uuid: str
    line: int
    timestamp: datetime | None
    full: int
    """Full turns of the window up to this one."""
    channel: Channel
    decision: str
    tool: str
    interrupted: bool
    text: str
    previous_prompt: str
    """What the person had typed before, '' for nothing."""
    previous_agent: str
    """The end of what the agent said before."""
    did: str
    """What the agent did before, in short words."""
    next_agent: str
    """The end of what the agent said after, '' where the next thing came first."""
    outcome: Outcome
    correction_type: CorrectionType | None
    rule: str
    attribution: Attribution
    """How likely the turn is about the use, by the rules."""
    p_negative: float | None
    p_acceptance: float | None
    goes_on: bool
    """A request that stands by itself, so that the person went on where it says nothing of the work."""


@dataclass(frozen=True, slots=True)
class AskedUse:
    """The turns of a use's window in order, and what its labels alone cannot tell."""

    turns: tuple[AskedTurn, ...] = ()
    taken_back: bool = False
    """Work of the use was discarded by a command."""
    turns_seen: int = 0

    @property
    def p_negative(self) -> float | None:
        """The highest chance of a complaint among the turns; None where no classifier was asked."""
        return max((turn.p_negative for turn in self.turns if turn.p_negative is not None), default=None)

    @property
    def p_acceptance(self) -> float | None:
        """The highest chance of an acceptance among the turns."""
        return max((turn.p_acceptance for turn in self.turns if turn.p_acceptance is not None), default=None)


@dataclass(frozen=True, slots=True)
class TrueOutcome:
    """What the labels of a use's turns add up to."""

    outcome: Outcome
    correction_type: CorrectionType | None = None
    explicit: bool = False
    number: int = 1
    """Number in the window of the turn that decided."""


def ask_use(session: SessionFacts, *, window: Window, previous_prompts: Mapping[int, str]) -> AskedUse:
    """The questions about a use.

    Parameters
    ----------
    session
        The facts.
    window
        Of the use, with verdicts.
    previous_prompts
        The person's message before the turn at an index of the session's items.
    """
    return AskedUse(
        tuple(_asked(session, turn, previous_prompts.get(turn.at, "")) for turn in window.turns),
        taken_back=window.taken_back is not None,
        turns_seen=max((turn.number for turn in window.turns), default=0),
    )


def true_outcome(labels: Sequence[TurnLabel]) -> TrueOutcome:
    """The outcome of a use all of whose turns are labelled.

    Notes
    -----
    As in a window of verdicts, the strongest complaint counts, the earliest of equals, but only one about this skill.
    Work that a command discarded is a revert unless a turn is labelled an acceptance. Then come acceptance, and going
    on to other work with a turn that says nothing.
    """
    ordered = sorted(labels, key=lambda label: label.number)
    about = [label for label in ordered if label.about == "skill"]
    complaint = max((label for label in about if label.outcome in ("correction", "partial")), key=_rank, default=None)
    accepted = next((label for label in about if label.outcome == "acceptance"), None)
    discarded = accepted is None and any(label.taken_back for label in ordered)
    if discarded and (complaint is None or complaint.correction_type != "revert"):
        return TrueOutcome("correction", "revert", number=_number(complaint or ordered[-1]))
    if complaint is not None:
        return TrueOutcome(complaint.outcome, complaint.correction_type, number=_number(complaint))
    if accepted is not None:
        return TrueOutcome("acceptance", explicit=True, number=_number(accepted))
    onward = next((label for label in ordered if label.goes_on and label.outcome == "none"), None)
    return TrueOutcome("acceptance", number=_number(onward)) if onward else TrueOutcome("none")


def _asked(session: SessionFacts, turn: WindowTurn, previous_prompt: str) -> AskedTurn:
    fact, verdict = turn.fact, turn.verdict
    before = session.items[turn.at - 1].work if turn.at else session.lead
    return AskedTurn(
        turn_id=id_of_turn(session, fact),
        uuid=fact.uuid,
        line=fact.line,
        timestamp=time_of(fact.at),
        full=max(turn.number, 1),
        channel=fact.channel,
        decision=fact.decision,
        tool=fact.tool,
        interrupted=fact.interrupted,
        text=fact.text,
        previous_prompt=previous_prompt,
        previous_agent=before.said,
        did=did_words(before, since_use=turn.before),
        next_agent=fact.work.said,
        outcome=verdict.outcome,
        correction_type=verdict.correction_type,
        rule=verdict.rule,
        attribution=turn.attribution,
        p_negative=verdict.p_negative,
        p_acceptance=verdict.p_acceptance,
        goes_on=turn.decides and goes_on(turn),
    )


def did_words(work: Work, *, since_use: Work | None = None) -> str:
    """What the agent did before a turn, in short words: "2 files edited, Bash, Read, 1 error"."""
    edited = len(work.edited)
    names = [name for name in work.tools if name not in _EDITORS]
    parts = [f"{edited} file{'s' if edited != 1 else ''} edited"] if edited else []
    parts += names[:_TOOLS_SHOWN]
    parts += [f"{len(names) - _TOOLS_SHOWN} more tools"] if len(names) > _TOOLS_SHOWN else []
    parts += [f"{work.errors} error{'s' if work.errors != 1 else ''}"] if work.errors else []
    if not parts and since_use is not None and since_use.edited:
        return "nothing since the turn before"
    return ", ".join(parts) + (" (the last step failed)" if work.ended_in_error else "")


_EDITORS: Final = frozenset(
    {"Edit", "MultiEdit", "NotebookEdit", "Write", "apply_patch", "edit", "multiedit", "patch", "write"}
)
"""Tools whose work shows as files edited."""


def _rank(label: TurnLabel) -> int:
    return _STRONGEST.index(label.correction_type) if label.correction_type else 0


def _number(label: TurnLabel) -> int:
    return max(label.number, 1)
