"""Small models with weights made up for a test."""

from skilltune.mining.features import FEATURES_VERSION
from skilltune.mining.model import THRESHOLDS, Calibration, Model, ModelFile

PLAIN = Calibration(slope=1.0, offset=0.0, low=0.0, high=1.0)
"""Leaves probabilities as they are."""
NEVER = 1.1
"""A threshold that no probability reaches."""


def make_file(**changes) -> ModelFile:
    """A model that weighs nothing, for English; its thresholds change no verdict unless `thresholds` says so."""
    wanted = changes.pop("thresholds", {})
    values = {
        "version": "model-00000000",
        "features": FEATURES_VERSION,
        "bias": (0.0, 0.0),
        "weights": {},
        "calibration": {"negative": PLAIN, "acceptance": PLAIN},
        "thresholds": {name: 0.0 if name == "veto" else NEVER for name in THRESHOLDS} | wanted,
        "languages": ["en"],
    }
    return ModelFile(**values | changes)


def make_model(**changes) -> Model:
    """The model of ``make_file``."""
    return Model(make_file(**changes))


def sure_of(kind: str, **changes) -> Model:
    """A model that is nearly sure that every turn is ``none``, ``negative`` or ``acceptance``."""
    bias = {"none": (-9.0, -9.0), "negative": (9.0, -9.0), "acceptance": (-9.0, 9.0)}[kind]
    return make_model(bias=bias, **({"thresholds": dict.fromkeys(THRESHOLDS, 0.5)} | changes))
