"""The weights: decoded or refused, and what they make of features."""

import hashlib
import json
import math
from importlib.resources import files

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import ConfigError
from skilltune.mining.features import FEATURES_VERSION
from skilltune.mining.model import THRESHOLDS, Calibration, decode_model, read_model
from tests.mining.models import PLAIN, make_file, make_model

SHIPPED = files("skilltune.mining").joinpath("model.json")


def encoded(**changes):
    """The JSON of a small model."""
    return msgspec.json.encode(make_file(**changes))


def test_model_is_decoded_as_it_was_made():
    """Every weight, threshold and calibration is read exactly."""
    made = make_file(bias=(0.1, -0.2), weights={"word=é": (1.5, -2.25)}, thresholds={"negative": 0.4})
    assert decode_model(msgspec.json.encode(made), source="m.json").file == made


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "is no model"),
        (b"not json", "is no model"),
        (b"\xff\xfe", "is no model"),
        (b"[1]", "is no model: Expected `object`"),
        (b"[" * 100_000, "is no model"),
        (b"{}", "`version`"),
        (encoded(bias=(0.0, "x")), "bias"),
        (encoded().replace(b'"bias":[0.0,0.0]', b'"bias":[0.0]'), "bias"),
        (encoded().replace(b'"bias":[0.0,', b'"bias":[1e999,'), "bias"),
        (encoded().replace(b'"bias"', b'"extra":1,"bias"'), "extra"),
        (encoded(weights={"a": (1.0, 2.0, 3.0)}), "weights"),
        (encoded(languages="en"), "languages"),
        (encoded(calibration={"negative": PLAIN}), "has no acceptance"),
        (encoded(calibration={}), "has no acceptance, negative"),
    ],
)
def test_model_that_is_damaged_is_named_with_the_field(content, complaint):
    """What is no model raises an error that names the file, what is wrong, and the next step."""
    with pytest.raises(ConfigError) as caught:
        decode_model(content, source="ws/model.json")
    assert "ws/model.json" in str(caught.value)
    assert complaint in str(caught.value)
    assert "skilltune train" in str(caught.value)


@pytest.mark.parametrize("name", sorted(THRESHOLDS))
def test_model_without_a_threshold_is_refused(name):
    """Each threshold is needed; the message names the one that is missing."""
    left = {other: 0.5 for other in THRESHOLDS if other != name}
    content = msgspec.json.encode(msgspec.structs.replace(make_file(), thresholds=left))
    with pytest.raises(ConfigError, match=f"has no {name}; train it again: skilltune train"):
        decode_model(content, source="m.json")


@pytest.mark.parametrize("version", [0, FEATURES_VERSION + 1])
def test_model_for_other_features_is_refused(version):
    """Weights made for features of another version say which, and that training again helps."""
    with pytest.raises(ConfigError, match=rf"of version {version}, .* version\s+{FEATURES_VERSION}; train it again"):
        decode_model(encoded(features=version), source="m.json")


@pytest.mark.parametrize(
    "calibration",
    [
        {"slope": 1.0, "offset": 0.0, "low": 5.0, "high": 7.0},
        {"slope": 1.0, "offset": 0.0, "low": -1.0, "high": 1.0},
        {"slope": 1.0, "offset": 0.0, "low": 0.9, "high": 0.1},
    ],
)
def test_model_with_impossible_caps_is_refused(calibration):
    """Caps that are no probabilities, or that cross, would give probabilities that are none."""
    kept = json.loads(encoded())
    content = json.dumps(kept | {"calibration": dict.fromkeys(kept["calibration"], calibration)}).encode()
    with pytest.raises(ConfigError, match=r"m\.json"):
        decode_model(content, source="m.json")


def test_model_with_deeply_nested_extras_is_refused():
    """Nesting that no model has is refused as damage, wherever it stands."""
    content = encoded().replace(b'"slope"', b'"x":' + b"[" * 100_000 + b"]" * 100_000 + b',"slope"', 1)
    with pytest.raises(ConfigError, match=r"m\.json"):
        decode_model(content, source="m.json")


def test_model_sums_weights_of_what_it_knows():
    """A turn's sum is the bias and each known feature's weight times its value; unknown features count nothing."""
    model = make_model(bias=(0.5, -0.5), weights={"a": (1.0, 2.0), "b": (-3.0, 0.25)})
    assert model.sums({}) == (0.5, -0.5)
    assert model.sums({"a": 1.0, "b": 2.0, "unknown": 99.0}) == (-4.5, 2.0)
    assert model.scores({"unknown": 5.0}) == model.scores({})
    assert "a" in model
    assert "unknown" not in model


def test_model_scores_are_a_softmax_against_none():
    """Probabilities are those of a multinomial regression with ``none`` as the reference."""
    model = make_model(bias=(math.log(2), math.log(3)))
    assert model.scores({}) == pytest.approx((2 / 6, 3 / 6))


@given(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
def test_model_scores_are_probabilities_however_large_the_weights(one, two):
    """No weight makes a score overflow or leave 0–1, and the classes never add up to more than 1."""
    negative, acceptance = make_model(bias=(one, two)).scores({})
    assert 0 <= negative <= 1
    assert 0 <= acceptance <= 1
    assert negative + acceptance <= 1 + 1e-12


def test_model_names_what_speaks_most_for_a_class():
    """Reasons are the features with the largest positive share, the strongest first; what speaks against is none."""
    model = make_model(weights={"a": (1.0, -1.0), "b": (0.25, 2.0), "c": (-5.0, 0.0), "zero": (0.0, 0.0)})
    turn = {"a": 1.0, "b": 8.0, "c": 1.0, "zero": 1.0, "unknown": 3.0}
    assert model.reasons(turn, column=0) == ["b", "a"]
    assert model.reasons(turn, column=1, number=1) == ["b"]
    assert model.reasons({"c": 1.0}, column=0) == []


@given(
    st.floats(0, 1),
    st.floats(-5, 5),
    st.floats(-5, 5),
    st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted),
)
def test_calibration_stays_within_its_caps(probability, slope, offset, caps):
    """Whatever the probability, also 0 and 1, the calibrated one lies within the caps."""
    low, high = caps
    assert low <= Calibration(slope, offset, low, high).of(probability) <= high


def test_calibration_by_hand():
    """The logistic of slope × logit + offset, worked by hand; the caps cut both ends."""
    assert PLAIN.of(0.3) == pytest.approx(0.3)
    assert Calibration(2.0, 0.0, 0.0, 1.0).of(0.75) == pytest.approx(0.9)  # odds 3 squared are 9
    assert Calibration(1.0, math.log(3), 0.0, 1.0).of(0.5) == pytest.approx(0.75)
    assert Calibration(1.0, 0.0, 0.02, 0.9).of(0.999) == 0.9
    assert Calibration(1.0, 0.0, 0.02, 0.9).of(0.0) == 0.02


def test_shipped_model_is_whole_and_small():
    """The model that ships decodes, is under 60 KiB, and speaks English."""
    content = SHIPPED.read_bytes()
    model = decode_model(content, source="model.json")
    assert len(content) < 60 * 1024
    assert model.speaks("en")
    assert not model.speaks("zh")
    assert model.speaks("")
    assert read_model() == model
    assert read_model() is read_model()


def test_shipped_model_is_named_by_its_content():
    """Its version is the hash of all that decides, so that a changed weight cannot keep the name."""
    shipped = read_model().file
    unnamed = msgspec.structs.replace(shipped, version="")
    digest = hashlib.sha256(msgspec.json.encode(unnamed)).hexdigest()
    assert shipped.version == f"model-{digest[:8]}"


def test_shipped_model_is_in_order():
    """Features stand once and sorted, weights are finite, thresholds and caps are probabilities."""
    pairs = json.loads(SHIPPED.read_bytes(), object_pairs_hook=lambda found: found)
    names = [name for name, _ in dict(pairs)["weights"]]
    assert names == sorted(set(names))
    shipped = read_model().file
    assert all(math.isfinite(weight) for pair in shipped.weights.values() for weight in pair)
    assert set(shipped.thresholds) == THRESHOLDS
    assert all(0 < value < 1 for value in shipped.thresholds.values())
    assert all(0 < one.low < one.high < 1 and one.slope > 0 for one in shipped.calibration.values())


@pytest.mark.parametrize("weight", [1e308, -1e308, 100.5, -101.0])
@pytest.mark.parametrize("column", [0, 1])
def test_model_with_a_weight_beyond_reason_is_refused(weight, column):
    """Such weights make sums that are no number; the message names the file, the feature, the value and the limit."""
    pair = (weight, 0.0) if column == 0 else (0.0, weight)
    for changes, named in (({"weights": {"word=undo": pair}}, "word=undo"), ({"bias": pair}, "bias")):
        with pytest.raises(ConfigError) as caught:
            decode_model(encoded(**changes), source="ws/model.json")
        for part in ("ws/model.json", named, f"{weight:g}", "100", "skilltune train"):
            assert part in str(caught.value)


def test_model_with_weights_at_the_limit_is_taken():
    """100 itself is within it."""
    made = decode_model(encoded(bias=(100.0, -100.0), weights={"a": (-100.0, 100.0)}), source="m.json")
    assert made.ask({"a": 1.0}).negative is not None


@pytest.mark.parametrize("name", ["slope", "offset"])
def test_model_with_a_calibration_beyond_reason_is_refused(name):
    """So is a calibration of that kind."""
    kept = {"slope": 1.0, "offset": 0.0, "low": 0.0, "high": 1.0} | {name: 1e308}
    raw = json.loads(encoded())
    content = json.dumps(raw | {"calibration": dict.fromkeys(raw["calibration"], kept)}).encode()
    with pytest.raises(ConfigError, match=rf"m\.json.*{name}"):
        decode_model(content, source="m.json")
