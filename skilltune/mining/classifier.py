"""What one turn of a person says about the agent's work: the rules first, then what was learned from labelled turns.

Clicks without words, and words that take work back or have it done over, are told by rule. Everything else that the
rules say, and what they pass over, is looked at again with the model's calibrated probabilities, in the languages that
it was measured in. Neutral is the rest: nothing is a complaint or an acceptance by default.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal

from skilltune.limits import CONFIDENCE
from skilltune.mining.dimensions import classify_dimension
from skilltune.mining.features import read_features
from skilltune.mining.model import Model, Probabilities, read_model
from skilltune.mining.outcomes import Verdict, judge_by_rules
from skilltune.mining.situation import Situation
from skilltune.records import Channel

__all__ = ["CERTAIN_REASONS", "Decision", "classify_outcome", "decide", "describe_verdict", "judge_turn"]

Decision = Literal["as_said", "negative", "acceptance", "vetoed"]

CERTAIN_REASONS: Final = frozenset(
    {"language", "own_mistake", "reworded", "repeated", "no_words", "changed_outside", "offer_declined", "relayed"}
)
"""Reasons for no outcome that words cannot overrule."""
CLEAR_ACCEPTANCE: Final = "nothing.no_need"
"""The rule for words such as "no need to change anything", whose single words mislead a model."""
OVERRULES: Final = 0.6
"""Probability of a complaint from which on it beats words of acceptance."""
DOUBTED: Final = 0.15
"""Probability of an acceptance below which words of acceptance are not believed where a complaint is likelier."""
_NEGATIVE, _ACCEPTANCE = 0, 1


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
    use_model: bool = True,
) -> Verdict:
    """The verdict on one turn.

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
        The tool that was decided on; an ``edit`` without one changed a file outside, which a formatter may have done.
    interrupted
        The person stopped the agent just before.
    ended_in_error
        The agent's work before the turn ended in an error.
    previous_prompt
        The person's message before this one.
    use_model
        Whether what was learned from labelled turns is asked too, or only the rules.

    Returns
    -------
    Verdict
        With the rule that decided (``model.…`` where the model did), and a reason where the outcome is ``none``.
        `p_negative` and `p_acceptance` are calibrated probabilities, None where nothing was measured (other languages,
        no words). Never raises, whatever the text.

    Examples
    --------
    >>> classify_outcome("No, use tabs, not spaces.").correction_type
    'rejection'
    >>> classify_outcome("Is this the correct branch?").reason
    'question'
    """
    turn = Situation.of(
        text,
        previous_agent=previous_agent,
        channel=channel,
        decision=decision,
        tool=tool,
        interrupted=interrupted,
        ended_in_error=ended_in_error,
        previous_prompt=previous_prompt,
    )
    return judge_turn(turn, model=read_model() if use_model else None)


def judge_turn(turn: Situation, *, model: Model | None) -> Verdict:
    """The verdict on `turn` by the rules and `model`; by the rules alone where there is none."""
    said = judge_by_rules(turn)
    nothing = turn.begins or not turn.signals.reading.prose.text
    if model is None or nothing or not model.speaks(said.language):
        return said
    features = read_features(turn, said=describe_verdict(said))
    chances = model.ask(features)
    decided = _reconsidered(turn, said, chances, model=model, features=features)
    return replace(decided, p_negative=round(chances.negative, 4), p_acceptance=round(chances.acceptance, 4))


def describe_verdict(said: Verdict) -> str:
    """A verdict of the rules as one word, the model's surest feature."""
    if said.outcome == "none":
        return f"none.{said.reason}"
    return said.correction_type or ("explicit" if said.explicit else "implicit")


def decide(said: Verdict, *, channel: str, chances: Probabilities, thresholds: Mapping[str, float]) -> Decision:
    """Whether a turn is what the rules say, or a complaint, an acceptance or nothing by the model's probabilities."""
    if said.correction_type in ("revert", "redo") or said.reason in CERTAIN_REASONS or channel in ("plan", "edit"):
        return "as_said"
    if said.complains:
        return "as_said" if chances.negative >= thresholds["veto"] else "vetoed"
    if said.rule.endswith(CLEAR_ACCEPTANCE):
        return "as_said"
    accepted = said.outcome == "acceptance"
    needed = max(thresholds["negative"], OVERRULES) if accepted else thresholds["negative"]
    if chances.negative >= needed and chances.negative > chances.acceptance:
        return "negative"
    if accepted:
        return "vetoed" if chances.acceptance < DOUBTED and chances.acceptance < chances.negative else "as_said"
    accepts = chances.acceptance >= thresholds["acceptance"] and chances.acceptance > chances.negative
    return "acceptance" if accepts else "as_said"


def _reconsidered(
    turn: Situation, said: Verdict, chances: Probabilities, *, model: Model, features: Mapping[str, float]
) -> Verdict:
    """`said`, or what the model makes of a turn that the rules pass over or take for an acceptance."""
    decision = decide(said, channel=turn.channel, chances=chances, thresholds=model.file.thresholds)
    if decision == "negative":
        return _complaint(turn, said, rule=_name(model, features, _NEGATIVE))
    if decision == "vetoed":
        return Verdict(outcome="none", reason="doubtful", rule=said.rule, language=said.language)
    if decision == "acceptance":
        return Verdict(
            outcome="acceptance",
            explicit=True,
            confidence=CONFIDENCE["explicit"],
            rule=_name(model, features, _ACCEPTANCE),
            language=said.language,
        )
    return said


def _complaint(turn: Situation, said: Verdict, *, rule: str) -> Verdict:
    return Verdict(
        outcome="correction",
        correction_type="rejection",
        confidence=CONFIDENCE["rejection"],
        dimension=classify_dimension(turn.signals.reading),
        rule=rule,
        language=said.language,
    )


def _name(model: Model, features: Mapping[str, float], column: int) -> str:
    """The name of the model's decision: what spoke most for it, so that a person can argue with it."""
    return f"model.{next(iter(model.reasons(features, column=column, number=1)), 'sum')}"
