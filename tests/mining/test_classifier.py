"""The verdict by rules and model: what the model may change, and what it may not."""

import json
import math
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.limits import CONFIDENCE
from skilltune.mining.classifier import (
    CERTAIN_REASONS,
    DOUBTED,
    OVERRULES,
    classify_outcome,
    decide,
    describe_verdict,
    judge_turn,
)
from skilltune.mining.model import Calibration, Probabilities, read_model
from skilltune.mining.outcomes import Verdict, classify_by_rules, judge_by_rules
from skilltune.mining.situation import Situation
from tests.mining.models import make_model, sure_of

CHANNELS = ("message", "answer", "denial", "queued", "steering", "plan", "edit")
KINDS = ("none", "negative", "acceptance")
THRESHOLDS = {"negative": 0.5, "veto": 0.2, "acceptance": 0.6}
MESSAGES = Path(__file__).parent / "data" / "messages.jsonl"
REJECTED, ACCEPTED, NEUTRAL = "The total is wrong.", "Perfect, thanks.", "The lamp hums in the hall."
PASTE = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: y'


def judged(text, model, **context):
    """The verdict on a typed message."""
    return judge_turn(Situation.of(text, **context), model=model)


def chances(negative, acceptance):
    """A model that gives every turn these probabilities."""
    none = 1 - negative - acceptance
    return partial(make_model, bias=(math.log(negative / none), math.log(acceptance / none)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("text", "context", "correction"),
    [
        ("Undo that, please.", {}, "revert"),
        ("Start over with tabs.", {}, "redo"),
        ("Sort the list of ports by name", {"previous_prompt": "Sort the ports", "ended_in_error": True}, "redo"),
        ("Undo that", {"channel": "denial"}, "revert"),
    ],
)  # fmt: skip
def test_classifier_leaves_reverts_and_redos(text, context, correction, kind):
    """What takes work back, or has it done over, is told by rule, however sure the model is of something else."""
    verdict = judged(text, sure_of(kind), **context)
    assert (verdict.outcome, verdict.correction_type) == ("correction", correction)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("text", "context", "reason"),
    [
        ("Sorry, I gave you the wrong path, it is src/app.", {}, "own_mistake"),
        ("no", {"previous_agent": "Shall I add tests, too?"}, "offer_declined"),
        ("sort the ports by number", {"interrupted": True, "previous_prompt": "sort the ports by name"}, "reworded"),
        ("Sort all the ports by number.", {"previous_prompt": "Sort all the ports by number."}, "repeated"),
        ("", {}, "no_words"),
        ("", {"channel": "edit"}, "changed_outside"),
        ("The reviewer says: the lamp is wrong.", {}, "relayed"),
    ],
)  # fmt: skip
def test_classifier_leaves_certain_reasons(text, context, reason, kind):
    """A turn that certainly says nothing of the work stays none, and the reason stays."""
    said = judge_by_rules(Situation.of(text, **context))
    verdict = judged(text, sure_of(kind), **context)
    assert said.reason == reason
    assert (verdict.outcome, verdict.reason) == ("none", reason)


@pytest.mark.parametrize("reason", sorted(CERTAIN_REASONS))
def test_decide_by_certain_reasons(reason):
    """None of the certain reasons can be overruled by any probabilities."""
    said = Verdict(outcome="none", reason=reason)
    for sure in (Probabilities(1.0, 0.0), Probabilities(0.0, 1.0)):
        assert decide(said, channel="message", chances=sure, thresholds=THRESHOLDS) == "as_said"


@pytest.mark.parametrize("channel", ["plan", "edit"])
def test_decide_by_clicks(channel):
    """What a person clicked stays, whatever the words beside it weigh."""
    for outcome in ("acceptance", "correction", "none"):
        said = Verdict(outcome=outcome)
        for sure in (Probabilities(1.0, 0.0), Probabilities(0.0, 1.0), Probabilities(0.0, 0.0)):
            assert decide(said, channel=channel, chances=sure, thresholds=THRESHOLDS) == "as_said"


@pytest.mark.parametrize(
    ("outcome", "negative", "acceptance", "expected"),
    [
        ("correction", 0.2, 0.7, "as_said"),
        ("correction", 0.19, 0.0, "vetoed"),
        ("partial", 0.19, 0.8, "vetoed"),
        ("none", 0.5, 0.1, "negative"),
        ("none", 0.49, 0.1, "as_said"),
        ("none", 0.5, 0.5, "as_said"),
        ("none", 0.3, 0.6, "acceptance"),
        ("none", 0.55, 0.65, "acceptance"),
        ("none", 0.3, 0.59, "as_said"),
        ("none", 0.62, 0.61, "negative"),
        ("none", 0.61, 0.61, "as_said"),
        ("acceptance", 0.59, DOUBTED, "as_said"),
        ("acceptance", 0.59, DOUBTED - 0.01, "vetoed"),
        ("acceptance", 0.05, 0.06, "as_said"),
        ("acceptance", OVERRULES, 0.1, "negative"),
        ("acceptance", 0.7, 0.75, "as_said"),
    ],
)
def test_decide_by_thresholds(outcome, negative, acceptance, expected):
    """Each threshold counts from its value on; a complaint must also be likelier than an acceptance."""
    said = Verdict(outcome=outcome, correction_type="rejection" if outcome == "correction" else None)
    found = decide(said, channel="message", chances=Probabilities(negative, acceptance), thresholds=THRESHOLDS)
    assert found == expected


def test_decide_overrules_acceptance_no_sooner_than_its_threshold():
    """Where the threshold of complaints is above that of overruling, words of acceptance need it, too."""
    said = Verdict(outcome="acceptance", explicit=True)
    ask = partial(decide, said, channel="message", thresholds=THRESHOLDS | {"negative": 0.8})
    assert ask(chances=Probabilities(0.79, 0.2)) == "as_said"
    assert ask(chances=Probabilities(0.8, 0.2)) == "negative"


def test_classifier_vetoes_a_complaint():
    """A complaint by rule that the model finds unlikely is none, doubtful, and keeps the rule that is doubted."""
    said = judged(REJECTED, None)
    verdict = judged(REJECTED, chances(0.1, 0.1)(thresholds={"veto": 0.2}))
    assert (verdict.outcome, verdict.reason, verdict.rule) == ("none", "doubtful", said.rule)
    assert (verdict.p_negative, verdict.p_acceptance) == (0.1, 0.1)
    assert verdict.correction_type is None
    assert verdict.confidence == 0.0


def test_classifier_keeps_a_complaint_that_is_likely_enough():
    """At the threshold the verdict is the rules', with probabilities beside it."""
    verdict = judged(REJECTED, chances(0.25, 0.1)(thresholds={"veto": 0.2}))
    said = judged(REJECTED, None)
    assert (verdict.correction_type, verdict.rule, verdict.dimension) == ("rejection", said.rule, said.dimension)
    assert verdict.p_negative == 0.25


def test_classifier_finds_a_complaint():
    """A turn that the rules pass over is a rejection, named by the feature that spoke most for it."""
    model = sure_of("negative", weights={"word=hums": (2.0, 0.0), "word=lamp": (0.5, 0.0)})
    verdict = judged(NEUTRAL, model)
    assert (verdict.outcome, verdict.correction_type, verdict.rule) == ("correction", "rejection", "model.word=hums")
    assert (verdict.confidence, verdict.reason, verdict.language) == (CONFIDENCE["rejection"], "", "en")
    assert verdict.dimension == "unknown"
    assert verdict.p_negative > 0.99


def test_classifier_finds_an_acceptance():
    """So is an acceptance, which is explicit; where no single feature speaks for it the sum does."""
    verdict = judged(NEUTRAL, sure_of("acceptance"))
    assert (verdict.outcome, verdict.explicit, verdict.rule) == ("acceptance", True, "model.sum")
    assert verdict.confidence == CONFIDENCE["explicit"]
    assert verdict.correction_type is None


def test_classifier_overrules_an_acceptance():
    """Words of acceptance fall to a likely complaint, and to nothing else."""
    assert judged(ACCEPTED, chances(0.7, 0.2)(thresholds={"negative": 0.5})).outcome == "correction"
    assert judged(ACCEPTED, chances(0.55, 0.2)(thresholds={"negative": 0.5})).outcome == "acceptance"
    assert judged(ACCEPTED, sure_of("none")).outcome == "acceptance"


def test_classifier_doubts_an_acceptance():
    """Words of acceptance that the model does not believe, a complaint being likelier, say nothing."""
    verdict = judged(ACCEPTED, chances(0.55, 0.1)(thresholds={"negative": 0.5}))
    assert (verdict.outcome, verdict.reason) == ("none", "doubtful")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "text", ["这样不对", "好的，继续", "no funciona", "Das ist falsch", "間違っています", "Ez teljesen rossz lett"]
)
def test_classifier_is_not_asked_in_other_languages(text, kind):
    """In a language that was not measured the rules stand, and there are no probabilities."""
    verdict = judged(text, sure_of(kind))
    assert verdict == judged(text, None)
    assert (verdict.p_negative, verdict.p_acceptance) == (None, None)


def test_classifier_is_asked_in_the_languages_of_its_model():
    """A model that was measured in another language is asked there."""
    verdict = judged("明天再看报表", sure_of("negative", languages=["zh"]))
    assert (verdict.outcome, verdict.language) == ("correction", "zh")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("text", ["", "   ", "```\nx = 1\n```", PASTE])
def test_classifier_is_not_asked_where_nothing_is_said(text, channel, kind):
    """Clicks without words, and pastes alone, are told by rule, without probabilities."""
    for decision in ("", "approved", "rejected"):
        verdict = judged(text, sure_of(kind), channel=channel, decision=decision)
        assert verdict == judged(text, None, channel=channel, decision=decision)
        assert verdict.p_negative is None


@pytest.mark.parametrize("kind", KINDS)
def test_classifier_is_not_asked_where_nothing_came_before(kind):
    """The first words of a session can judge nothing: no model makes them a complaint or an acceptance."""
    verdict = judged(NEUTRAL, sure_of(kind), begins=True)
    assert (verdict.outcome, verdict.p_negative) == ("none", None)


@given(st.text(max_size=200), st.sampled_from(CHANNELS), st.booleans(), st.booleans(), st.text(max_size=80))
def test_classifier_without_a_model_is_the_rules(text, channel, interrupted, failed, said):
    """With no model, or ``use_model=False``, the verdict is exactly that of the rules."""
    context = {"channel": channel, "interrupted": interrupted, "ended_in_error": failed, "previous_agent": said}
    expected = classify_by_rules(text, **context)
    assert judged(text, None, **context) == expected
    assert classify_outcome(text, use_model=False, **context) == expected


def words():
    """Messages of words that rules and model know."""
    known = ["no", "yes", "wrong", "still", "but", "thanks", "undo", "why", "again", "it", "is", "not", "错", "?", "\n"]
    return st.lists(st.sampled_from(known), max_size=30).map(" ".join) | st.text(max_size=100)


@given(words(), st.sampled_from(CHANNELS), st.booleans(), words())
def test_classifier_probabilities_lie_within_the_caps(text, channel, interrupted, said):
    """Probabilities are both there or both missing, within 0–1 and within the caps of the model that ships."""
    verdict = classify_outcome(text, channel=channel, interrupted=interrupted, previous_agent=said)
    assert (verdict.p_negative is None) == (verdict.p_acceptance is None)
    if verdict.p_negative is not None:
        caps = read_model().file.calibration
        assert caps["negative"].low <= verdict.p_negative <= caps["negative"].high
        assert caps["acceptance"].low <= verdict.p_acceptance <= caps["acceptance"].high


@given(words(), st.sampled_from(CHANNELS), st.booleans())
def test_classifier_verdicts_are_whole(text, channel, interrupted):
    """Whatever is said, a verdict has the fields of its outcome: a type, a reason, a confidence, a rule."""
    verdict = classify_outcome(text, channel=channel, interrupted=interrupted)
    assert (verdict.correction_type is not None) == verdict.complains
    assert (verdict.outcome == "none") == bool(verdict.reason)
    assert (verdict.confidence > 0) == (verdict.outcome != "none")
    assert verdict.explicit == (verdict.outcome == "acceptance")
    assert verdict.rule


def test_classifier_caps_are_those_of_the_model():
    """The probabilities of a verdict are calibrated and capped."""
    capped = {"negative": Calibration(1.0, 0.0, 0.1, 0.8), "acceptance": Calibration(1.0, 0.0, 0.05, 0.9)}
    verdict = judged(NEUTRAL, sure_of("negative", calibration=capped))
    assert (verdict.p_negative, verdict.p_acceptance) == (0.8, 0.05)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Undo that", "revert"),
        (REJECTED, "rejection"),
        ("Great, but rename the flag", "partial"),
        (ACCEPTED, "explicit"),
        ("What is this?", "none.question"),
    ],
)
def test_describe_verdict_is_one_word(text, word):
    """A verdict of the rules is one word, with the reason where it is none."""
    assert describe_verdict(classify_by_rules(text)) == word


@pytest.mark.parametrize(
    "text",
    [
        "There is no need to change anything.",
        "no need to change anything here",
        "You don't need to change anything",
        "Nothing needs to change.",
        "nothing wrong here, merge",
        "no changes needed",
        "No need to change it, it is right as it is.",
    ],
)
def test_classifier_takes_no_need_to_change_for_acceptance(text):
    """Words that say nothing has to change accept the work: their no is not a complaint."""
    assert classify_outcome(text, previous_agent="I sorted the imports.").outcome == "acceptance"
    assert classify_outcome(text).outcome == "acceptance"


def test_classifier_stays_with_the_rules_on_the_invented_messages():
    """On clear invented messages the model that ships changes next to nothing."""
    cases = [json.loads(line) for line in MESSAGES.read_text(encoding="utf-8").splitlines()]
    changed = [
        case["message"]
        for case in cases
        if classify_outcome(case["message"]).outcome != classify_by_rules(case["message"]).outcome
    ]
    assert len(changed) <= 0.02 * len(cases), changed


AFTER = "Done: the orders page now sorts by date. All tests pass."


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Why did you delete the file? Also, by the way, the weather in the office is fine today.", "none"),
        ("Are you kidding me? Also, by the way, the weather in the office is fine today.", "none"),
        ("thanks, but it deletes my data", "correction"),
        ("I can't say this is good", "correction"),
        ("terrible, thanks", "correction"),
        ("what a mess", "correction"),
        ("Good morning", "none"),
        ("@claude LGTM", "acceptance"),
        ("@src/orders.py looks good", "acceptance"),
    ],
)
def test_classifier_is_not_turned_by_stray_praise(text, outcome):
    """A word of praise beside something else, or a name before the words, does not turn a verdict around."""
    assert classify_outcome(text, previous_agent=AFTER).outcome == outcome


def test_classifier_sees_a_revert_behind_a_name():
    """A message addressed to the agent by name says what it says without the name."""
    assert classify_outcome("@claude undo that", previous_agent=AFTER).correction_type == "revert"
