"""What one turn of a person says about the agent's work: the rules, and the seam for a measured classifier.

``classify_outcome`` asks a row of deciders, the surest first: what the person clicked, then their words, then what
happened around them. Each gives a verdict with the rule behind it, or passes on. A verdict is about the *turn*; what
a use of a skill earned is decided over its window (``windows``).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from skilltune.limits import CONFIDENCE
from skilltune.mining.dimensions import classify_dimension
from skilltune.mining.reading import Hit, Reading, read_agent, read_message
from skilltune.records import Channel, CorrectionType, Dimension, Outcome

__all__ = ["RULES_VERSION", "Verdict", "classify_outcome", "is_new_request"]

RULES_VERSION = 1
"""Changes whenever the same lexicons would give other verdicts."""

_EARLY_SENTENCES = 3
_LONG_WIDTH = 600
_OBJECTION_WIDTH = 320
_PICK_WIDTH = 160
_THANKS_WIDTH = 120
_OKAY_WIDTH = 120
_SAME_PROMPT = 0.6
_RETRIED_PROMPT = 0.4
_NEGATIVE = ("harm", "rejection", "objection")
_POSITIVE = ("approval", "ack", "okay", "go_on")
_WORD = re.compile(r"\w{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a turn says.

    `explicit` is true for acceptances in words or by a click. `reason` says why there is no outcome: ``question``,
    ``language``, ``own_mistake``, ``forward``, ``offer_declined``, ``reworded``, ``relayed``, ``answer``, ``no_words``,
    ``new_task``, ``aside`` or ``no_signal``. `p_negative` and `p_acceptance` are for measured classifiers.
    """

    outcome: Outcome
    correction_type: CorrectionType | None = None
    explicit: bool = False
    confidence: float = 0.0
    dimension: Dimension | None = None
    rule: str = ""
    language: str = ""
    reason: str = ""
    p_negative: float | None = None
    p_acceptance: float | None = None

    @property
    def complains(self) -> bool:
        """Whether the turn is a correction or a partial acceptance."""
        return self.outcome in ("correction", "partial")


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn with its reading and what stood around it."""

    reading: Reading
    previous_agent: str
    channel: str
    decision: str
    interrupted: bool
    ended_in_error: bool
    previous_prompt: str


def classify_outcome(
    text: str,
    *,
    previous_agent: str = "",
    channel: Channel = "message",
    decision: str = "",
    tool: str = "",
    interrupted: bool = False,
    ended_in_error: bool = False,
    previous_prompt: str = "",
) -> Verdict:
    """The verdict on one turn, by rules.

    Parameters
    ----------
    text
        The person's words; may be empty.
    previous_agent
        The end of what the agent said before; by default nothing is known of it.
    channel
        How the turn came: typed, or one of the other channels of ``records.Channel``.
    decision
        ``approved`` or ``rejected`` where the person decided on a plan or a tool call.
    tool
        The tool that was decided on; kept for classifiers that learn from it, the rules do not look at it.
    interrupted
        The person stopped the agent just before.
    ended_in_error
        The agent's work before the turn ended in an error.
    previous_prompt
        The person's message before this one.

    Returns
    -------
    Verdict
        With the rule that decided, and a reason where the outcome is ``none``. Never raises, whatever the text.

    Examples
    --------
    >>> classify_outcome("No, use tabs, not spaces.").correction_type
    'rejection'
    >>> classify_outcome("Is this the correct branch?").reason
    'question'
    """
    del tool
    turn = _Turn(read_message(text), previous_agent, channel, decision, interrupted, ended_in_error, previous_prompt)
    return next(verdict for decide in _DECIDERS if (verdict := decide(turn)) is not None)


def is_new_request(verdict: Verdict) -> bool:
    """Whether the turn asks for new work and says nothing about the work before it."""
    return verdict.reason == "new_task"


# Deciders, in the order they are asked


def _by_click(turn: _Turn) -> Verdict | None:
    if turn.channel == "denial" or (turn.channel == "plan" and turn.decision == "rejected"):
        return _refused(turn)
    if turn.channel == "plan" and turn.decision == "approved":
        return _accepted(turn, "channel.plan_approved")
    if turn.channel == "edit":
        return _complaint(turn, "partial", "channel.edit")
    return None


def _refused(turn: _Turn) -> Verdict:
    """A refused tool call or plan: a rejection, or what stronger thing its words ask for."""
    if not turn.reading.prose.text:
        return _complaint(turn, "rejection", f"channel.{turn.channel}", confidence=CONFIDENCE["denial_without_words"])
    if _own_mistake(turn.reading):
        return _none(turn, "own_mistake", "channel.own_mistake")
    for kind in ("revert", "redo"):
        hit = _effective(turn.reading, kind)
        if hit:
            return _complaint(turn, kind, hit.rule)
    return _complaint(turn, "rejection", f"channel.{turn.channel}")


def _by_missing_words(turn: _Turn) -> Verdict | None:
    if turn.reading.sentences:
        return None
    if turn.reading.prose.failure and turn.channel != "answer":
        return _complaint(turn, "rejection", "paste.failure")
    if turn.reading.language == "und":
        return _none(turn, "language", "language.no_lexicon")
    return _none(turn, "no_words", "empty.no_words")


def _by_strong_words(turn: _Turn) -> Verdict | None:
    for kind in ("revert", "redo"):
        hit = _effective(turn.reading, kind)
        if hit:
            return _complaint(turn, kind, hit.rule)
    if hit := _own_mistake(turn.reading):
        return _none(turn, "own_mistake", hit.rule)
    if hit := _relayed(turn.reading):
        return _none(turn, "relayed", hit.rule)
    return None


def _by_refusal(turn: _Turn) -> Verdict | None:
    """A bare no: declines an offer, answers a question, or rejects the work."""
    first = turn.reading.sentences[0] if turn.reading.sentences else None
    refusal = first.first("refusal") if first else None
    if refusal is None or not refusal.opens or _effective(turn.reading, *_NEGATIVE):
        return None
    asked = read_agent(turn.previous_agent) if turn.previous_agent else None
    if asked and asked.question and asked.has("check") and not refusal.rule.endswith("polite"):
        return _complaint(turn, "rejection", refusal.rule)
    if (asked and asked.question) or turn.channel == "answer":
        return _none(turn, "offer_declined", refusal.rule)
    if refusal.rule.endswith("polite") or _effective(turn.reading, *_POSITIVE):
        return None
    return _complaint(turn, "rejection", refusal.rule)


def _by_words(turn: _Turn) -> Verdict | None:
    reading = turn.reading
    negative, positive = _effective(reading, *_NEGATIVE), _effective(reading, *_POSITIVE)
    if negative:
        return _complaint(turn, _rejection_or_partial(reading, negative, positive), negative.rule)
    if turn.channel == "answer":
        return _none(turn, "answer", "channel.answer")
    if reading.prose.failure and not _asks(reading):
        return _complaint(turn, "rejection", "paste.failure")
    if positive is None and (contrast := _argues(reading)):
        return _complaint(turn, "rejection", contrast.rule)
    if positive is None or (turn.interrupted and positive.kind == "go_on"):
        return None
    contrast = _limited(reading, positive)
    return _complaint(turn, "partial", contrast.rule) if contrast else _accepted(turn, positive.rule)


def _by_repetition(turn: _Turn) -> Verdict | None:
    """The same prompt again: after an interrupt merely reworded, after a failed run a wish to have it done over."""
    if not turn.previous_prompt or not (turn.interrupted or turn.ended_in_error):
        return None
    likeness = _likeness(turn.reading.prose.text, turn.previous_prompt)
    if turn.interrupted and likeness >= _SAME_PROMPT:
        return _none(turn, "reworded", "interrupt.reworded")
    if turn.ended_in_error and likeness >= _RETRIED_PROMPT:
        return _complaint(turn, "redo", "repeat.after_error")
    return None


def _by_interrupt(turn: _Turn) -> Verdict | None:
    if not turn.interrupted or _asks(turn.reading) or _effective(turn.reading, "go_on", "ack", "okay", "aside", "thanks"):
        return None
    return _complaint(turn, "rejection", "interrupt.redirect")


def _by_reply(turn: _Turn) -> Verdict | None:
    """Takes up what the agent asked or offered, or is only polite."""
    reading = turn.reading
    if pick := _picks(turn):
        return _accepted(turn, pick.rule)
    thanks = _effective(reading, "thanks")
    if thanks and (thanks.opens or reading.width <= _THANKS_WIDTH) and not _asks(reading):
        return _accepted(turn, thanks.rule)
    return None


def _by_default(turn: _Turn) -> Verdict:
    reading = turn.reading
    if _asks(reading):
        return _none(turn, "question", _rule_of(reading, "question", default="question.mark"))
    for kind, reason in (("forward", "forward"), ("aside", "aside"), ("task", "new_task")):
        hit = next((hit for hit in reading.hits if hit.kind == kind), None)
        if hit and (kind != "forward" or hit.opens):
            return _none(turn, reason, hit.rule)
    return _none(turn, "no_signal", "none.no_signal")


_DECIDERS: tuple[Callable[[_Turn], Verdict | None], ...] = (
    _by_click,
    _by_missing_words,
    _by_strong_words,
    _by_refusal,
    _by_words,
    _by_repetition,
    _by_interrupt,
    _by_reply,
    _by_default,
)


# What counts


def _effective(reading: Reading, *kinds: str) -> Hit | None:
    """The first hit of `kinds` that is meant: not asked, not conditional, not the topic of a task."""
    return next((hit for index, hit in _meant(reading) if hit.kind in kinds and _in_reach(reading, index, hit)), None)


def _meant(reading: Reading) -> Iterator[tuple[int, Hit]]:
    for index, sentence in enumerate(reading.sentences):
        opener = sentence.first("question") if sentence.question else None
        forward = sentence.first("forward")
        task = sentence.first("task")
        for hit in sentence.hits:
            if forward and hit.start > forward.start:
                break
            if sentence.question and not _meant_in_question(hit, opener):
                continue
            if task and hit.kind in _NEGATIVE and hit.start > task.start and not _separate(reading, task, hit):
                continue
            yield index, hit


def _meant_in_question(hit: Hit, opener: Hit | None) -> bool:
    """A request to take back or do over counts though asked; so does a yes or no before the question begins."""
    if hit.kind in ("revert", "redo", "harm"):
        return True
    return hit.kind != "okay" and opener is not None and hit.end <= opener.start


def _separate(reading: Reading, first: Hit, second: Hit) -> bool:
    return any(sign in reading.prose.text[first.end : second.start] for sign in ",:;-(，、")


def _in_reach(reading: Reading, index: int, hit: Hit) -> bool:
    """Whether `hit` stands where a reaction stands: early, or in a short message."""
    if hit.kind == "objection":
        return index < _EARLY_SENTENCES - 1 and reading.width <= _OBJECTION_WIDTH
    if hit.kind == "okay":
        return hit.opens and index == 0 and (reading.width <= _OKAY_WIDTH or any(h.kind == "contrast" for h in reading.hits))
    if hit.kind in ("ack", "go_on", "thanks"):
        return index < _EARLY_SENTENCES and hit.opens
    if hit.kind in ("rejection", "approval"):
        return index < _EARLY_SENTENCES or reading.width <= _LONG_WIDTH
    return index < _EARLY_SENTENCES or index == len(reading.sentences) - 1


def _own_mistake(reading: Reading) -> Hit | None:
    return _effective(reading, "own_mistake")


def _relayed(reading: Reading) -> Hit | None:
    return next((hit for sentence in reading.sentences[:2] for hit in sentence.hits if hit.kind == "relayed"), None)


def _rejection_or_partial(reading: Reading, negative: Hit, positive: Hit | None) -> CorrectionType:
    """Partial where the work is accepted in the same reply, save where praise is meant bitterly."""
    if positive is None or positive.kind == "go_on" or _effective(reading, "harm"):
        return "rejection"
    if positive.kind == "approval":
        return "partial"
    between = reading.prose.text[positive.end : negative.start]
    contrasted = any(hit.kind == "contrast" and hit.start >= positive.end for hit in reading.hits)
    return "partial" if contrasted and between else "rejection"


def _argues(reading: Reading) -> Hit | None:
    """The ``but`` that opens a short message which asks nothing."""
    first = reading.sentences[0] if reading.sentences else None
    hit = first.hits[0] if first and first.hits and not first.question else None
    short = reading.width <= _OBJECTION_WIDTH
    return hit if hit and hit.kind == "contrast" and hit.start == first.start and short else None


def _limited(reading: Reading, positive: Hit) -> Hit | None:
    """The contrast after an acceptance that takes part of it back, unless a question or next task follows."""
    for sentence in reading.sentences[:_EARLY_SENTENCES]:
        contrast = sentence.first("contrast")
        if contrast is None or contrast.start < positive.end:
            continue
        after = [hit for hit in sentence.hits if hit.start >= contrast.end]
        moves_on = any(hit.kind in ("task", "question", "go_on", "thanks", "forward", "approval") for hit in after)
        return None if sentence.question or moves_on or contrast.end >= sentence.end - 1 else contrast
    return None


def _picks(turn: _Turn) -> Hit | None:
    reading = turn.reading
    first = reading.sentences[0] if reading.sentences else None
    pick = first.first("pick") if first and not first.question else None
    if pick is None or not pick.opens or reading.width > _PICK_WIDTH or not turn.previous_agent:
        return None
    asked = read_agent(turn.previous_agent)
    return pick if asked and (asked.question or asked.has("offer")) else None


def _asks(reading: Reading) -> bool:
    """Whether the message asks: its first or last sentence is a question."""
    sentences = reading.sentences
    return bool(sentences) and (sentences[0].question or sentences[-1].question)


def _likeness(prose: str, previous: str) -> float:
    """Share of words that two prompts have in common (Dice), 0–1."""
    words, others = set(_WORD.findall(prose)), set(_WORD.findall(read_message(previous).prose.text))
    return 2 * len(words & others) / (len(words) + len(others)) if words and others else 0.0


def _rule_of(reading: Reading, kind: str, *, default: str) -> str:
    return next((hit.rule for hit in reading.hits if hit.kind == kind), default)


# Verdicts


def _complaint(turn: _Turn, kind: CorrectionType, rule: str, *, confidence: float | None = None) -> Verdict:
    return Verdict(
        outcome="partial" if kind == "partial" else "correction",
        correction_type=kind,
        confidence=CONFIDENCE[kind] if confidence is None else confidence,
        dimension=classify_dimension(turn.reading),
        rule=rule,
        language=turn.reading.language,
    )


def _accepted(turn: _Turn, rule: str) -> Verdict:
    return Verdict(
        outcome="acceptance",
        explicit=True,
        confidence=CONFIDENCE["explicit"],
        rule=rule,
        language=turn.reading.language,
    )


def _none(turn: _Turn, reason: str, rule: str) -> Verdict:
    return Verdict(outcome="none", reason=reason, rule=rule, language=turn.reading.language)
