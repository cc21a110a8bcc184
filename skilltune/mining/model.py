"""The classifier's weights: features of a turn to calibrated probabilities, in plain Python.

A multinomial logistic regression (classes none, negative, acceptance; ``none`` is the reference), trained by
``skilltune train`` and read from JSON. Its probabilities are calibrated on turns that it had not seen, and capped where
that calibration ends.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from skilltune.errors import ConfigError
from skilltune.mining.features import FEATURES_VERSION

__all__ = ["THRESHOLDS", "Calibration", "Model", "ModelFile", "Probabilities", "decode_model", "read_model"]

THRESHOLDS: Final = frozenset({"negative", "acceptance", "veto"})
"""Names of the thresholds that a model has."""
_LIMIT = 30.0
_WHOLE = ("said=", "form", "state=", "channel", "length", "sentences", "interrupted+")
"""Families of features that tell what a message as a whole is like."""
_LARGEST: Final = 100.0
"""No weight that was fitted comes near it; sums of far larger ones are no numbers any more."""


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calibrated probability = logistic(slope × logit + offset), kept within `low` and `high`."""

    slope: float
    offset: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= 1:
            raise ValueError(f"low {self.low} and high {self.high} are no probabilities in order")
        for name in ("slope", "offset"):
            if not abs(getattr(self, name)) <= _LARGEST:
                raise ValueError(f"{name} is {getattr(self, name):g}, more than {_LARGEST:g} either way")

    def of(self, probability: float) -> float:
        """The calibrated value of a probability of the regression."""
        logit = math.log(max(probability, 1e-9) / max(1 - probability, 1e-9))
        return min(max(_logistic(self.slope * logit + self.offset), self.low), self.high)


class ModelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``model.json`` holds. `weights`: feature → (negative, acceptance) against none.

    `thresholds`: from which calibrated probability on a turn that the rules pass over is a complaint (``negative``) or
    an acceptance (``acceptance``), and below which what the rules call a complaint is none (``veto``).
    """

    version: str
    features: int
    bias: tuple[float, float]
    weights: dict[str, tuple[float, float]]
    calibration: dict[str, Calibration]
    thresholds: dict[str, float]
    languages: list[str]


@dataclass(frozen=True, slots=True)
class Probabilities:
    """Calibrated probabilities that a turn complains, and that it accepts."""

    negative: float
    acceptance: float


@dataclass(frozen=True, slots=True)
class Model:
    """A model that can be asked."""

    file: ModelFile

    @property
    def version(self) -> str:
        """Its version: the same weights have the same."""
        return self.file.version

    def speaks(self, language: str) -> bool:
        """Whether it was measured in a language; numbers and signs ('') belong to each."""
        return not language or language in self.file.languages

    def sums(self, features: Mapping[str, float]) -> tuple[float, float]:
        """Logits (negative, acceptance) against none."""
        negative, acceptance = self.file.bias
        weights = self.file.weights
        for name, value in features.items():
            pair = weights.get(name)
            if pair is not None:
                negative += value * pair[0]
                acceptance += value * pair[1]
        return negative, acceptance

    def scores(self, features: Mapping[str, float]) -> tuple[float, float]:
        """Probabilities (negative, acceptance) before calibration."""
        negative, acceptance = self.sums(features)
        top = max(negative, acceptance, 0.0)
        parts = math.exp(negative - top), math.exp(acceptance - top), math.exp(-top)
        total = sum(parts)
        return parts[0] / total, parts[1] / total

    def ask(self, features: Mapping[str, float]) -> Probabilities:
        """The calibrated probabilities of a turn."""
        negative, acceptance = self.scores(features)
        calibration = self.file.calibration
        return Probabilities(calibration["negative"].of(negative), calibration["acceptance"].of(acceptance))

    def reasons(self, features: Mapping[str, float], *, column: int, number: int = 3) -> Sequence[str]:
        """Names of the features that speak most for a class (0 negative, 1 acceptance), the strongest first.

        Words and cues come before what the whole message is like: a person can argue with them.
        """
        known = ((self.file.weights[name][column] * value, name) for name, value in features.items() if name in self)
        speaking = [(not name.startswith(_WHOLE), weight, name) for weight, name in known if weight > 0]
        return [name for _, _, name in sorted(speaking, reverse=True)[:number]]

    def __contains__(self, name: str) -> bool:
        return name in self.file.weights


def decode_model(content: bytes, *, source: str) -> Model:
    """The model in the JSON `content`; `source` names it in messages.

    Raises
    ------
    ConfigError
        The content is no model, one for other features, or one with a weight beyond 100 either way.
    """
    try:
        file = msgspec.json.decode(content, type=ModelFile)
    except msgspec.DecodeError as error:
        raise ConfigError(f"{source} is no model: {error}; make one with: skilltune train") from error
    if file.features != FEATURES_VERSION:
        raise ConfigError(
            f"{source} was trained on features of version {file.features}, this skilltune reads version "
            f"{FEATURES_VERSION}; train it again: skilltune train"
        )
    missing = {"negative", "acceptance"} - set(file.calibration) | THRESHOLDS - set(file.thresholds)
    if missing:
        raise ConfigError(f"{source} has no {', '.join(sorted(missing))}; train it again: skilltune train")
    _check_weights(file, source=source)
    return Model(file)


def _check_weights(file: ModelFile, *, source: str) -> None:
    for name, pair in (("bias", file.bias), *file.weights.items()):
        for value in pair:
            if not abs(value) <= _LARGEST:  # so that what is no number fails, too
                raise ConfigError(
                    f"{source} weighs {name!r} with {value:g}, more than {_LARGEST:g} either way; "
                    "train it again: skilltune train"
                )


@cache
def read_model() -> Model | None:
    """The model that ships with the package; None where there is none."""
    place = files("skilltune.mining").joinpath("model.json")
    return decode_model(place.read_bytes(), source="skilltune/mining/model.json") if place.is_file() else None


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-min(max(value, -_LIMIT), _LIMIT)))
