"""Weights, calibration and thresholds to the file that the classifier reads."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from skilltune.mining.model import THRESHOLDS, Calibration, decode_model, read_model
from skilltune.training.calibrating import Calibrated
from skilltune.training.fitting import Weights
from skilltune.training.publishing import encode_model, make_model_file
from tests.conftest import ROOT

CALIBRATED = Calibrated(
    {"negative": Calibration(1.1, 0.2, 0.02, 0.9), "acceptance": Calibration(0.9, -0.2, 0.04, 0.98)},
    dict.fromkeys(sorted(THRESHOLDS), 0.5),
)


def made(weights, *, bias=(0.1, -0.2), calibrated=CALIBRATED, languages=("en",)):
    """The model file of weights."""
    return make_model_file(Weights(bias, weights), calibrated, languages=list(languages))


def test_publishing_rounds_and_leaves_out_what_weighs_nothing():
    """Weights are kept to three digits, sorted by name; those below 0.02 for both classes are left out."""
    file = made({"b": (0.12345, -0.0004), "a": (-0.0199, 0.0199), "c": (0.0, 0.02), "ä": (-1.0, 0.0)})
    assert list(file.weights.items()) == [("b", (0.123, -0.0)), ("c", (0.0, 0.02)), ("ä", (-1.0, 0.0))]
    assert file.bias == (0.1, -0.2)


def test_publishing_names_a_model_by_all_that_decides():
    """The same content has the same version, in whatever order it was learned; any change gives another."""
    version = made({"a": (1.0, 2.0), "b": (3.0, 4.0)}).version
    assert made({"b": (3.0, 4.0), "a": (1.0, 2.0)}).version == version
    assert made({"a": (1.0, 2.0), "b": (3.0, 4.0), "c": (0.001, 0.0)}).version == version
    others = [
        made({"a": (1.0, 2.0), "b": (3.0, 4.001)}),
        made({"a": (1.0, 2.0), "b": (3.0, 4.0)}, bias=(0.1, 0.0)),
        made({"a": (1.0, 2.0), "b": (3.0, 4.0)}, languages=("en", "zh")),
        made({"a": (1.0, 2.0), "b": (3.0, 4.0)}, calibrated=replace(CALIBRATED, thresholds={"veto": 0.1})),
        made(
            {"a": (1.0, 2.0), "b": (3.0, 4.0)},
            calibrated=replace(CALIBRATED, calibration={"negative": Calibration(1.0, 0.0, 0.0, 1.0)}),
        ),
    ]
    assert len({version, *(one.version for one in others)}) == 6


names = st.text(min_size=1, max_size=12).filter(lambda name: name.isprintable())


@given(st.dictionaries(names, st.tuples(st.floats(-9, 9), st.floats(-9, 9)), max_size=20))
def test_publishing_is_read_back_exactly(weights):
    """What is encoded decodes to the same model, one feature a line."""
    file = made(weights)
    content = encode_model(file)
    assert decode_model(content, source="x").file == file
    assert content.endswith(b"\n")
    lines = content.decode().split("\n")
    assert sum(line.startswith('"') for line in lines) == len(file.weights)


def test_publishing_gives_the_file_that_ships():
    """The shipped model, encoded again, is the shipped file byte for byte."""
    shipped = (ROOT / "skilltune" / "mining" / "model.json").read_bytes()
    assert encode_model(read_model().file) == shipped
    assert json.loads(shipped)["version"] == read_model().version
