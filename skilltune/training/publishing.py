"""Weights, calibration and thresholds to the JSON that the classifier reads."""

import hashlib
import json

import msgspec

from skilltune.mining.features import FEATURES_VERSION
from skilltune.mining.model import ModelFile
from skilltune.training.calibrating import Calibrated
from skilltune.training.fitting import Weights

__all__ = ["encode_model", "make_model_file"]

_SMALLEST = 0.02
_DIGITS = 3


def make_model_file(weights: Weights, calibrated: Calibrated, *, languages: list[str]) -> ModelFile:
    """The model as a file: weights that matter, rounded; its version is a hash of all that decides."""
    kept = {
        name: (round(pair[0], _DIGITS), round(pair[1], _DIGITS))
        for name, pair in sorted(weights.weights.items())
        if max(abs(pair[0]), abs(pair[1])) >= _SMALLEST
    }
    unnamed = ModelFile(
        "",
        FEATURES_VERSION,
        (round(weights.bias[0], _DIGITS), round(weights.bias[1], _DIGITS)),
        kept,
        dict(calibrated.calibration),
        dict(calibrated.thresholds),
        languages,
    )
    digest = hashlib.sha256(msgspec.json.encode(unnamed)).hexdigest()[:8]
    return msgspec.structs.replace(unnamed, version=f"model-{digest}")


def encode_model(file: ModelFile) -> bytes:
    """The JSON text, one feature a line."""
    fields = msgspec.to_builtins(file)
    features = ",\n".join(f"{json.dumps(name)}:{json.dumps(pair)}" for name, pair in fields.pop("weights").items())
    head = json.dumps(fields, indent=1)
    return f'{head[:-2]},\n "weights": {{\n{features}\n}}\n}}\n'.encode()
