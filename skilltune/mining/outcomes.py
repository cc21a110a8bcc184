"""What one turn of a person says about the agent's work, by rules alone (``classifier`` adds what was learned).

``judge_by_rules`` asks a row of deciders, the surest first: what the person clicked, then their words, then what
happened around them. Each gives a verdict with the rule behind it, or passes on. A verdict is about the *turn*; what
a use of a skill earned is decided over its window (``windows``).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from skilltune.limits import CONFIDENCE, IMPLICIT_MIN_CHARS
from skilltune.mining.dimensions import classify_dimension
from skilltune.mining.reading import Hit, read_message, without_refusal
from skilltune.mining.signals import NEGATIVE, POSITIVE, Signals, read_signals
from skilltune.mining.situation import Situation
from skilltune.records import CorrectionType, Dimension, Outcome

__all__ = ["RULES_VERSION", "Verdict", "classify_by_rules", "is_new_request", "judge_by_rules"]

RULES_VERSION = 6
"""Changes whenever the same lexicons would give other verdicts."""

_PICK_WIDTH = 160
_THANKS_WIDTH = 120
_BITTER_WIDTH = 160
_SAME_PROMPT = 0.6
_RETRIED_PROMPT = 0.4
_WORD = re.compile(r"\w{2,}")
_REASONS = (
    ("condition", "forward"),
    ("forward", "forward"),
    ("aside", "aside"),
    ("change", "change_request"),
    ("next", "new_task"),
    ("topic", "new_task"),
    ("making", "new_task"),
    ("task", "new_task"),
    ("take", "new_task"),
)
"""Kinds of phrases that explain why a turn judges nothing, the first that is there."""
_STRONG: tuple[CorrectionType, ...] = ("revert", "redo")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a turn says.

    `explicit` is true for acceptances in words or by a click. `reason` says why there is no outcome: ``question``,
    ``language``, ``own_mistake``, ``forward``, ``offer_declined``, ``reworded``, ``repeated``, ``relayed``, ``answer``,
    ``change_request``, ``changed_outside``, ``no_words``, ``new_task``, ``aside``, ``doubtful`` (a verdict by
    rule that the classifier does not believe) or ``no_signal``. `p_negative` and `p_acceptance` are the classifier's
    calibrated probabilities; None from the rules, and where they mean nothing. Where a rule decides for sure, they may
    say otherwise.
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


def classify_by_rules(text: str, **context: Any) -> Verdict:
    """The verdict of the rules on one turn; `context` as in ``classifier.classify_outcome``."""
    return judge_by_rules(Situation.of(text, **context))


def judge_by_rules(turn: Situation) -> Verdict:
    """The verdict of the rules, with the one that decided, and a reason where there is no outcome."""
    return next(verdict for decide in _DECIDERS if (verdict := decide(turn)) is not None)


def is_new_request(verdict: Verdict) -> bool:
    """Whether the turn asks for new work and says nothing about the work before it."""
    return verdict.reason == "new_task"


# Deciders, in the order they are asked


def _by_beginning(turn: Situation) -> Verdict | None:
    """A session's first message: whatever is wrong in it, the agent has done nothing yet."""
    return _none(turn, "new_task", "begin.session") if turn.begins and turn.signals.reading.sentences else None


def _by_click(turn: Situation) -> Verdict | None:
    if turn.channel == "denial" or (turn.channel == "plan" and turn.decision == "rejected"):
        return _refused(turn)
    if turn.channel == "plan" and turn.decision == "approved":
        return _accepted(turn, "channel.plan_approved")
    if turn.channel == "edit" and not turn.tool:
        return _none(turn, "changed_outside", "channel.edit_outside")
    if turn.channel == "edit":
        return _complaint(turn, "partial", "channel.edit")
    return None


def _refused(turn: Situation) -> Verdict:
    """A refused tool call or plan: a rejection, or what stronger thing its words ask for."""
    if not turn.signals.reading.prose.text:
        return _complaint(turn, "rejection", f"channel.{turn.channel}", confidence=CONFIDENCE["denial_without_words"])
    said = _by_strong_words(turn)
    if said is not None and said.reason != "relayed":
        return said
    return _complaint(turn, "rejection", f"channel.{turn.channel}")


def _by_missing_words(turn: Situation) -> Verdict | None:
    """Nothing the rules can read: a pasted failure speaks for itself, the rest says nothing."""
    reading = turn.signals.reading
    if reading.sentences:
        return None
    if reading.prose.failure and turn.channel != "answer":
        return _complaint(turn, "rejection", "paste.failure")
    if reading.language == "und":
        return _none(turn, "language", "language.no_lexicon")
    return _none(turn, "no_words", "empty.no_words")


def _by_strong_words(turn: Situation) -> Verdict | None:
    """Taking back and doing over, the person's own mistakes, and the words of others."""
    for kind in _STRONG:
        if hit := turn.signals.first(kind):
            return _complaint(turn, kind, hit.rule)
    if hit := turn.signals.first("own_mistake"):
        return _none(turn, "own_mistake", hit.rule)
    if hit := turn.signals.relayed:
        return _none(turn, "relayed", hit.rule)
    return None


def _by_refusal(turn: Situation) -> Verdict | None:
    """A bare no: declines an offer, answers a question, or rejects the work."""
    first = turn.signals.opening
    refusal = first.first("refusal") if first else None
    if refusal is None or not refusal.opens or turn.signals.first(*NEGATIVE):
        return None
    if turn.signals.names_what_not(refusal):
        return None
    polite, asked = refusal.rule.endswith("polite"), turn.asked
    if asked and asked.checks and not polite:
        return _complaint(turn, "rejection", refusal.rule)
    if (asked and asked.question) or turn.channel == "answer":
        return _none(turn, "offer_declined", refusal.rule)
    return None if polite or turn.signals.first(*POSITIVE) else _complaint(turn, "rejection", refusal.rule)


def _by_no_that_approves(turn: Situation) -> Verdict | None:
    """A no to a doubt or question, with approval after it: "no, it works"."""
    rest = without_refusal(turn.signals.reading) if turn.channel != "answer" else ""
    if not rest or (turn.declines_politely and turn.asked and turn.asked.question):
        return None
    said = read_signals(without_refusal(read_message(rest)) or rest)
    approval, first = said.first("approval", "go_on"), said.opening
    if approval is None or first is None or first.question or not approval.opens:
        return None
    if said.first("revert", "redo", *NEGATIVE) or said.compares(approval):
        return None
    contrast = said.limit(approval)
    return _complaint(turn, "partial", contrast.rule) if contrast else _accepted(turn, approval.rule)


def _by_words(turn: Situation) -> Verdict | None:
    """Complaint, acceptance, or both in one reply."""
    signals = turn.signals
    negative, positive = signals.first(*NEGATIVE), signals.first(*POSITIVE)
    if negative:
        return _complained(turn, negative, positive)
    if turn.channel == "answer":
        return _none(turn, "answer", "channel.answer")
    if positive is None:
        return _by_failure_or_argument(turn)
    if turn.interrupted and positive.kind == "go_on":
        return None
    contrast = signals.limit(positive)
    if contrast and turn.replies and positive.kind != "approval":
        return _none(turn, "answer", contrast.rule)
    return _complaint(turn, "partial", contrast.rule) if contrast else _accepted(turn, positive.rule)


def _complained(turn: Situation, negative: Hit, positive: Hit | None) -> Verdict:
    """Something is said to be wrong, or only what is wished for where the agent had asked."""
    if negative.kind == "wish" and turn.replies:
        return _none(turn, "answer", negative.rule)
    return _complaint(turn, _rejection_or_partial(turn.signals, negative, positive), negative.rule)


def _by_failure_or_argument(turn: Situation) -> Verdict | None:
    """A pasted failure, or a short message that opens with a but: the person objects without calling it wrong."""
    signals = turn.signals
    if signals.reading.prose.failure and not signals.asks and not signals.first("next"):
        return _complaint(turn, "rejection", "paste.failure")
    return _complaint(turn, "rejection", hit.rule) if (hit := signals.argument) else None


def _by_repetition(turn: Situation) -> Verdict | None:
    """The same prompt again: after an interrupt merely reworded, after a failed run a wish to have it done over.

    Word for word without either it may be a wish to have it done over, or a second piece of the same kind: none.
    """
    if not turn.previous_prompt:
        return None
    reading = turn.signals.reading
    if not (turn.interrupted or turn.ended_in_error or _may_repeat(reading.prose.text, turn.previous_prompt)):
        return None
    before = read_signals(turn.previous_prompt).reading
    likeness = _likeness(reading.prose.text, before.prose.text) if turn.interrupted or turn.ended_in_error else 0.0
    if turn.interrupted and likeness >= _SAME_PROMPT:
        return _none(turn, "reworded", "interrupt.reworded")
    if turn.ended_in_error and likeness >= _RETRIED_PROMPT:
        return _complaint(turn, "redo", "repeat.after_error")
    if reading.width > IMPLICIT_MIN_CHARS and not turn.signals.asks and reading.prose == before.prose:
        return _none(turn, "repeated", "repeat.same_words")
    return None


def _may_repeat(prose: str, previous: str) -> bool:
    """Whether `previous` could have the same prose: the beginning of its last word stands in it."""
    return prose[prose.rfind(" ") + 1 :][:3].strip("_.!?") in previous.lower()


def _by_interrupt(turn: Situation) -> Verdict | None:
    """A new direction after an interrupt."""
    harmless = turn.signals.asks or turn.signals.first("go_on", "ack", "okay", "aside", "thanks")
    return None if harmless or not turn.interrupted else _complaint(turn, "rejection", "interrupt.redirect")


def _by_reply(turn: Situation) -> Verdict | None:
    """Takes up what the agent asked or offered, or is only polite."""
    if pick := _picks(turn):
        return _accepted(turn, pick.rule)
    thanks = turn.signals.first("thanks")
    if thanks and (thanks.opens or turn.signals.reading.width <= _THANKS_WIDTH) and not turn.signals.asks:
        return _accepted(turn, thanks.rule)
    return None


def _by_default(turn: Situation) -> Verdict:
    """Nothing about the work: why."""
    hits = turn.signals.reading.hits
    if turn.signals.asks:
        rule = next((hit.rule for hit in hits if hit.kind == "question"), "question.mark")
        return _none(turn, "question", rule)
    for kind, reason in _REASONS:
        hit = next((hit for hit in hits if hit.kind == kind), None)
        if hit and (kind != "forward" or hit.opens):
            answers = reason == "new_task" and hit.kind != "next" and turn.answers
            return _none(turn, "answer" if answers else reason, hit.rule)
    return _none(turn, "answer" if turn.answers else "no_signal", "none.no_signal")


_DECIDERS: tuple[Callable[[Situation], Verdict | None], ...] = (
    _by_beginning,
    _by_click,
    _by_missing_words,
    _by_strong_words,
    _by_no_that_approves,
    _by_refusal,
    _by_words,
    _by_repetition,
    _by_interrupt,
    _by_reply,
    _by_default,
)


def _rejection_or_partial(signals: Signals, negative: Hit, positive: Hit | None) -> CorrectionType:
    """Partial where the work is accepted in the same reply, save where praise is meant bitterly."""
    if positive is None or positive.kind == "go_on" or signals.first("harm") or _is_bitter(signals):
        return "rejection"
    if positive.kind == "approval" and positive.start < negative.start:
        return "partial"
    return "partial" if signals.contrast_between(positive, negative) else "rejection"


def _is_bitter(signals: Signals) -> bool:
    """Whether a short message names a failure beside praise, without a but: "great, it crashed again"."""
    reading = signals.reading
    if reading.width > _BITTER_WIDTH or any(hit.kind == "contrast" for hit in reading.hits):
        return False
    return classify_dimension(reading) == "reliability"


def _picks(turn: Situation) -> Hit | None:
    """The words that take up an option or offer of the agent."""
    first = turn.signals.opening
    pick = first.first("pick", "take") if first and not first.question else None
    if pick is None or not pick.opens or turn.signals.reading.width > _PICK_WIDTH:
        return None
    if turn.signals.reading.prose.text.startswith("-"):
        return None
    asked = turn.asked
    return pick if asked and asked.offers else None


def _likeness(prose: str, previous: str) -> float:
    """Share of words that two prompts have in common (Dice), 0–1."""
    words, others = set(_WORD.findall(prose)), set(_WORD.findall(previous))
    return 2 * len(words & others) / (len(words) + len(others)) if words and others else 0.0


def _complaint(turn: Situation, kind: CorrectionType, rule: str, *, confidence: float | None = None) -> Verdict:
    return Verdict(
        outcome="partial" if kind == "partial" else "correction",
        correction_type=kind,
        confidence=CONFIDENCE[kind] if confidence is None else confidence,
        dimension=classify_dimension(turn.signals.reading),
        rule=rule,
        language=turn.signals.reading.language,
    )


def _accepted(turn: Situation, rule: str) -> Verdict:
    return Verdict(
        outcome="acceptance",
        explicit=True,
        confidence=CONFIDENCE["explicit"],
        rule=rule,
        language=turn.signals.reading.language,
    )


def _none(turn: Situation, reason: str, rule: str) -> Verdict:
    return Verdict(outcome="none", reason=reason, rule=rule, language=turn.signals.reading.language)
