"""Held-out scores to calibration and thresholds."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from skilltune.mining.classifier import decide
from skilltune.mining.model import Calibration, Probabilities
from skilltune.training.examples import Example, class_of
from skilltune.training.holdout import Scores

__all__ = ["Calibrated", "calibrate", "choose_thresholds", "decided_outcome"]

_BIN = 25
"""Turns at either end of the scores whose observed share caps the probabilities."""
_STEPS = 60
_STEEPEST = 50.0
"""Scores that part the classes cleanly would make the slope endless."""
_MAX_RATE_ERROR = 0.02
_GRID = {
    "negative": [place / 100 for place in range(30, 66, 3)],
    "veto": [place / 100 for place in range(10, 41, 5)],
    "acceptance": [0.4, 0.5, 0.6, 0.7, 0.8],
}


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Calibrations by class and thresholds by name."""

    calibration: Mapping[str, Calibration]
    thresholds: Mapping[str, float]

    def chances(self, score: tuple[float, float]) -> Probabilities:
        """The calibrated probabilities of one score."""
        return Probabilities(self.calibration["negative"].of(score[0]), self.calibration["acceptance"].of(score[1]))

    def outcome(self, example: Example, score: tuple[float, float]) -> str:
        """The outcome that rules and model give `example`."""
        return decided_outcome(example, self.chances(score), thresholds=self.thresholds)


def calibrate(examples: Sequence[Example], scores: Scores) -> Calibrated:
    """What makes of held-out `scores` the probabilities and verdicts that fit the labels best.

    Calibration is Platt's: a logistic regression of the label on the logit of the score, by both readers' labels. It
    ends where fewer than 25 turns lie beyond: their observed share caps it.
    """
    calibration = {
        "negative": _platt([score[0] for score in scores], [_shares(example, 1) for example in examples]),
        "acceptance": _platt([score[1] for score in scores], [_shares(example, 2) for example in examples]),
    }
    bare = Calibrated(calibration, {})
    chances = [bare.chances(score) for score in scores]
    return Calibrated(calibration, choose_thresholds(examples, chances))


def choose_thresholds(examples: Sequence[Example], chances: Sequence[Probabilities]) -> dict[str, float]:
    """Thresholds by measured trade-off.

    Of those whose share of complaints is within 2 points of the labelled share, the one with the best F1 of complaints
    (the mean over both readers); then the one with the best F1 of acceptances.
    """
    best = {"negative": 0.5, "veto": 0.2, "acceptance": 0.6}
    for names, column in ((("negative", "veto"), 1), (("acceptance",), 2)):
        best.update(_best(examples, chances, names=names, column=column, start=best))
    return best


def decided_outcome(example: Example, chances: Probabilities, *, thresholds: Mapping[str, float]) -> str:
    """The outcome of a turn, by the rules and by probabilities; by the rules alone where nobody would ask a model."""
    situation = example.turn.situation
    spoken = example.said.language in ("", example.turn.language)
    if situation.begins or not spoken or not situation.signals.reading.prose.text:
        return example.said.outcome
    decision = decide(example.said, channel=situation.channel, chances=chances, thresholds=thresholds)
    return {"negative": "correction", "acceptance": "acceptance", "vetoed": "none"}.get(decision, example.said.outcome)


def _best(
    examples: Sequence[Example],
    chances: Sequence[Probabilities],
    *,
    names: tuple[str, ...],
    column: int,
    start: Mapping[str, float],
) -> dict[str, float]:
    tried = []
    for values in product(*(_GRID[name] for name in names)):
        chosen = dict(zip(names, values, strict=True))
        said = [
            class_of(decided_outcome(example, chance, thresholds={**start, **chosen})) == column
            for example, chance in zip(examples, chances, strict=True)
        ]
        tried.append((*_quality(examples, said, column=column), chosen))
    near = [entry for entry in tried if entry[1] <= _MAX_RATE_ERROR] or [min(tried, key=lambda entry: entry[1])]
    return max(near, key=lambda entry: (entry[0], -entry[1]))[2]


def _quality(examples: Sequence[Example], said: Sequence[bool], *, column: int) -> tuple[float, float]:
    """Mean F1 over both readers, and how far the share said is from the first reader's."""
    scores = []
    for truth in ([e.label == column for e in examples], [e.second == column for e in examples]):
        hits = sum(one and two for one, two in zip(said, truth, strict=True))
        scores.append(2 * hits / max(sum(said) + sum(truth), 1))
    labelled = sum(example.label == column for example in examples)
    return sum(scores) / 2, abs(sum(said) - labelled) / max(len(examples), 1)


def _shares(example: Example, column: int) -> float:
    """The share of the readers who called it so."""
    return ((example.label == column) + (example.second == column)) / 2


def _platt(scores: Sequence[float], truths: Sequence[float]) -> Calibration:
    """Slope and offset by Newton's method, and the caps."""
    logits = [math.log(max(score, 1e-9) / max(1 - score, 1e-9)) for score in scores]
    slope, offset = 1.0, 0.0
    for _ in range(_STEPS):
        slope, offset = _newton_step(logits, truths, slope, offset)
    slope, offset = (min(max(value, -_STEEPEST), _STEEPEST) for value in (slope, offset))
    ordered = sorted(zip(scores, truths, strict=True))
    ends = [sum(truth for _, truth in part) / max(len(part), 1) for part in (ordered[:_BIN], ordered[-_BIN:])]
    low, high = max(ends[0], 1 / (2 * _BIN)), min(ends[1], 1 - 1 / (2 * _BIN))
    return Calibration(round(slope, 4), round(offset, 4), round(min(low, high), 4), round(max(low, high), 4))


def _newton_step(logits: Sequence[float], truths: Sequence[float], slope: float, offset: float) -> tuple[float, float]:
    """One step, with a little shrinkage toward slope 1 so that separable scores stay finite."""
    g0 = g1 = h00 = h01 = 0.0
    h11 = 1e-3
    g1 = (1.0 - slope) * 1e-3
    h00 = 1e-3
    g0 = -offset * 1e-3
    for logit, truth in zip(logits, truths, strict=True):
        chance = 1 / (1 + math.exp(-max(min(slope * logit + offset, 30.0), -30.0)))
        weight = chance * (1 - chance)
        g0 += truth - chance
        g1 += (truth - chance) * logit
        h00 += weight
        h01 += weight * logit
        h11 += weight * logit * logit
    determinant = h00 * h11 - h01 * h01
    return slope + (h00 * g1 - h01 * g0) / determinant, offset + (h11 * g0 - h01 * g1) / determinant
