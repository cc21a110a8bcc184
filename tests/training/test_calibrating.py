"""Held-out scores to calibrated probabilities and thresholds."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.mining.classifier import judge_turn
from skilltune.mining.model import Probabilities, read_model
from skilltune.mining.outcomes import Verdict, judge_by_rules
from skilltune.training.calibrating import calibrate, choose_thresholds, decided_outcome
from skilltune.training.examples import Example, build_examples
from skilltune.training.turns import invented_turns
from tests.training.invented import make_example, make_examples, make_turn

NAMES = ("none", "correction", "acceptance")
THRESHOLDS = {"negative": 0.5, "veto": 0.2, "acceptance": 0.6}


def logistic(value):
    """The logistic function."""
    return 1 / (1 + np.exp(-value))


def simulated(number, *, slope, offset, seed=1):
    """Turns labelled by true chances of a complaint, and scores whose logits are distorted by slope and offset."""
    draw = np.random.default_rng(seed)
    logits = draw.normal(-1, 1.5, number)
    labels = draw.random(number) < logistic(logits)
    examples = [make_example("correction" if label else "none", key=str(place)) for place, label in enumerate(labels)]
    given_logits = (logits - offset) / slope
    return examples, [(float(logistic(value)), 0.1) for value in given_logits], logistic(logits)


@pytest.mark.parametrize(("slope", "offset"), [(1.0, 0.0), (2.0, 0.0), (0.5, 0.0), (1.0, 1.0), (1.5, -0.8)])
def test_calibrate_recovers_a_known_distortion(slope, offset):
    """Scores that were flattened, sharpened or shifted become the chances that the labels were drawn with."""
    examples, scores, truth = simulated(1500, slope=slope, offset=offset)
    found = calibrate(examples, scores)
    assert found.calibration["negative"].slope == pytest.approx(slope, rel=0.15)
    assert found.calibration["negative"].offset == pytest.approx(offset, abs=0.2)
    chances = np.array([found.chances(score).negative for score in scores])
    assert np.abs(chances - truth).mean() < 0.03


def test_calibrate_caps_where_too_few_lie_beyond():
    """The caps are the observed shares among the 25 lowest and the 25 highest scores, and leave one in fifty."""
    labels = ["none"] * 80 + ["correction"] * 5 + ["none"] * 15 + ["correction"] * 20 + ["none"] * 5
    examples = [make_example(label, key=str(place)) for place, label in enumerate(labels)]
    scores = [(0.01 + 0.007 * place, 0.1) for place in range(len(labels))]
    found = calibrate(examples, scores).calibration["negative"]
    assert found.low == pytest.approx(0.02)
    assert found.high == pytest.approx(20 / 25)
    assert found.of(0.0) == found.low
    assert found.of(1.0) <= found.high


@pytest.mark.parametrize("number", [1, 3, 30, 200])
def test_calibrate_survives_scores_that_part_the_labels(number):
    """Where scores tell the labels apart without an error, slope and offset stay finite and the order is kept."""
    labels = ["none"] * number + ["correction"] * number
    examples = [make_example(label, key=str(place)) for place, label in enumerate(labels)]
    scores = [(0.001, 0.1)] * number + [(0.999, 0.1)] * number
    found = calibrate(examples, scores).calibration["negative"]
    assert math.isfinite(found.slope)
    assert math.isfinite(found.offset)
    assert 0 <= found.low <= found.high <= 1
    assert found.of(0.999) >= found.of(0.001)


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.floats(0, 1)), max_size=40))
def test_calibrate_of_any_scores_gives_probabilities(pairs):
    """Whatever the scores, 0 and 1 among them, probabilities are finite and within the caps."""
    examples = [make_example(name, key=str(place)) for place, (name, _) in enumerate(pairs)]
    scores = [(score, 1 - score) for _, score in pairs]
    found = calibrate(examples, scores)
    for score in (0.0, 0.5, 1.0):
        chances = found.chances((score, score))
        assert 0 <= found.calibration["negative"].low <= chances.negative <= found.calibration["negative"].high <= 1
        assert 0 <= chances.acceptance <= 1


def test_calibrate_uses_both_readers():
    """A turn that the readers call differently counts half: the chance is between the labels."""
    half = [make_example("correction", key=str(place), second="none") for place in range(200)]
    found = calibrate(half, [(0.5, 0.1)] * 200)
    assert found.chances((0.5, 0.1)).negative == pytest.approx(0.5, abs=0.02)


# Thresholds


def test_thresholds_part_what_probabilities_part():
    """Where the probabilities are clear, the thresholds give every label back."""
    labels = ["none"] * 60 + ["correction"] * 20 + ["acceptance"] * 20
    examples = [make_example(label, key=str(place)) for place, label in enumerate(labels)]
    chances = [
        Probabilities(*{"none": (0.1, 0.1), "correction": (0.9, 0.05), "acceptance": (0.05, 0.9)}[x]) for x in labels
    ]
    found = choose_thresholds(examples, chances)
    said = [decided_outcome(one, chance, thresholds=found) for one, chance in zip(examples, chances, strict=True)]
    assert said == labels


def test_thresholds_respect_the_limit_of_the_rate():
    """The share said to complain is within 2 points of the labelled share wherever a threshold can do that.

    The best F1 alone would be elsewhere: at a threshold that says far too many.
    """
    draw = np.random.default_rng(3)
    chances, labels = [], []
    for _ in range(1000):
        chance = float(draw.beta(1, 3))
        labels.append("correction" if draw.random() < chance else "none")
        chances.append(Probabilities(chance, 0.05))
    examples = [make_example(label, key=str(place)) for place, label in enumerate(labels)]
    found = choose_thresholds(examples, chances)
    rates = _rates(examples, chances, found)
    assert abs(rates["said"] - rates["true"]) <= 0.02
    free = max(
        (place / 100 for place in range(30, 66, 3)),
        key=lambda value: _f1(examples, chances, THRESHOLDS | {"negative": value}),
    )
    wild = _rates(examples, chances, found | {"negative": free})
    assert abs(wild["said"] - wild["true"]) > 0.02


def test_thresholds_come_as_near_to_the_rate_as_they_can():
    """Where no threshold comes within 2 points, the nearest is taken."""
    examples = [make_example("correction" if place < 50 else "none", key=str(place)) for place in range(100)]
    chances = [Probabilities(0.4 if place < 30 else 0.05, 0.05) for place in range(100)]
    found = choose_thresholds(examples, chances)
    assert found["negative"] <= 0.4
    assert _rates(examples, chances, found)["said"] == 0.3


def test_thresholds_veto_what_the_rules_get_wrong():
    """Complaints of the rules that are none, and that the probabilities tell, fall to the veto; true ones stay."""
    said = Verdict(outcome="correction", correction_type="rejection", rule="en.reject.x", language="en")
    wrong = [make_example("none", said=said, key=f"w{place}") for place in range(30)]
    right = [make_example("correction", said=said, key=f"r{place}") for place in range(30)]
    chances = [Probabilities(0.12, 0.1)] * 30 + [Probabilities(0.7, 0.1)] * 30
    found = choose_thresholds([*wrong, *right], chances)
    assert 0.12 < found["veto"] <= 0.7


def test_thresholds_are_those_of_a_model():
    """The names are those that a model needs, and all lie within the grid."""
    found = choose_thresholds(make_examples(), [Probabilities(0.3, 0.3)] * 36)
    assert set(found) == set(read_model().file.thresholds)
    assert all(0 < value < 1 for value in found.values())


# Verdicts as they would be given


def test_decided_outcome_is_the_verdict_that_a_person_gets():
    """On invented turns of all channels training judges as mining does with the same model."""
    model = read_model()
    odd = [
        (example.turn.key, example.said.outcome)
        for example in build_examples([turn for turn in invented_turns() if turn.language == "en"][::2])
        if decided_outcome(example, model.ask(example.features), thresholds=model.file.thresholds)
        != judge_turn(example.turn.situation, model=model).outcome
    ]
    assert odd == []


@pytest.mark.parametrize(
    ("said", "negative", "acceptance", "outcome"),
    [
        ({"outcome": "none"}, 0.6, 0.1, "correction"),
        ({"outcome": "none"}, 0.1, 0.7, "acceptance"),
        ({"outcome": "none", "reason": "own_mistake"}, 0.9, 0.05, "none"),
        ({"outcome": "partial", "correction_type": "partial"}, 0.6, 0.1, "partial"),
        ({"outcome": "partial", "correction_type": "partial"}, 0.1, 0.1, "none"),
        ({"outcome": "correction", "correction_type": "revert"}, 0.0, 0.9, "correction"),
        ({"outcome": "acceptance", "explicit": True}, 0.9, 0.05, "correction"),
    ],
)
def test_decided_outcome_by_rules_and_probabilities(said, negative, acceptance, outcome):
    """Decisions become outcomes; what stays as said keeps the outcome of the rules."""
    example = make_example(said=Verdict(language="en", **said))
    assert decided_outcome(example, Probabilities(negative, acceptance), thresholds=THRESHOLDS) == outcome


def test_decided_outcome_is_the_rules_where_no_model_is_asked():
    """In another language, and for clicks without words, the verdict is that of the rules whatever the chances."""
    sure = Probabilities(0.99, 0.0)
    silent = make_turn(text="")
    assert decided_outcome(Example(silent, {}, judge_by_rules(silent.situation)), sure, thresholds=THRESHOLDS) == "none"
    spanish = make_example(said=Verdict(outcome="none", language="es"))
    assert decided_outcome(spanish, sure, thresholds=THRESHOLDS) == "none"


def _rates(examples, chances, thresholds):
    said = [decided_outcome(one, chance, thresholds=thresholds) for one, chance in zip(examples, chances, strict=True)]
    return {
        "said": sum(one == "correction" for one in said) / len(said),
        "true": sum(one.turn.outcome == "correction" for one in examples) / len(examples),
    }


def _f1(examples, chances, thresholds):
    said = [decided_outcome(one, chance, thresholds=thresholds) for one, chance in zip(examples, chances, strict=True)]
    hits = sum(one == two.turn.outcome == "correction" for one, two in zip(said, examples, strict=True))
    both = sum(one == "correction" for one in said) + sum(one.turn.outcome == "correction" for one in examples)
    return 2 * hits / both
