"""The rate of a group with few labels of its own, by the errors that labels of all groups show.

What is assumed: a use of this group and one of another, for which the rules expect the same, turn out alike on average.
How far groups differ from that is estimated from the labels and goes into the interval.

References
----------
- Rao and Molina (2015), Small Area Estimation, chapters 3 and 4: synthetic estimators, and the error of their model.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skilltune.analysis.judged_uses import Uses
from skilltune.analysis.prediction_powered import ADDED, RatioEstimate, Values

__all__ = ["Pool", "pooled_estimate"]

Floats = NDArray[np.float64]

DIFFERENCE: Final = 0.08
"""Groups are taken to differ by at least this in what a verdict means: few labels can't show that they don't."""


class Line(NamedTuple):
    """A value expected for a prediction: mean + slope (prediction - centre), with the slope's variance per unit."""

    mean: float
    centre: float
    slope: float
    spread: float
    """Weighted variance of the predictions."""

    def at(self, prediction: float) -> float:
        return self.mean + self.slope * (prediction - self.centre)


class Pool(NamedTuple):
    """What all groups' labels show, made once for all groups."""

    found: Values
    predicted: Values
    labels_of: NDArray[np.int64]
    """The group of each label."""
    weights: Floats
    """They sum to 1."""
    corrected: Line
    judged: Line

    @classmethod
    def of(cls, everything: Uses, group: NDArray[np.int64]) -> "Pool":
        """Of covered and spoken uses of all groups, some of them labelled, and the number of each use's group."""
        labels = everything.labels()
        weights = 1 / labels.probability
        weights = weights / weights.sum()
        predicted = everything.expected().take(labels.places)
        return cls(
            labels.found,
            predicted,
            group[labels.places],
            weights,
            _line(labels.found.corrected, predicted.corrected, weights),
            _line(labels.found.judged, predicted.judged, weights),
        )


def pooled_estimate(pool: Pool, own: Uses, *, number: int) -> RatioEstimate:
    """The rate of one group of spoken uses from the labels of all.

    Parameters
    ----------
    pool : Pool
        What the labels show.
    own : Uses
        Covered and spoken uses of the group.
    number : int
        Of the group.

    Notes
    -----
    Corrections and judged uses are each a line over their predictions, fitted on all labels by their weights. Added to
    the variance of both lines at the group's mean prediction: the spread of single uses, since the group's own are few,
    and that between groups, estimated by moments from the labels' residuals and no less than `DIFFERENCE`². The group's
    own labels move its rate by their mean residual, as far as groups differ more than so few labels do by chance.
    """
    weights, corrected, judged = pool.weights, pool.corrected, pool.judged
    at_corrected, at_judged = float(own.expected_corrected.mean()), float(own.expected_judged.mean())
    share = min(max(judged.at(at_judged), 0.0), 1.0)
    if share <= 0:
        return _described(own, size=len(weights), rate=np.nan, share=0.0, variance=1.0)
    rate = min(max(corrected.at(at_corrected) / share, 0.0), 1.0)
    residuals = _residuals(pool.found, pool.predicted, corrected, judged, rate)
    within = _within(residuals, weights, rate=rate, share=share)
    between, mine = _between(residuals, pool.labels_of), residuals[pool.labels_of == number]
    believed = between / (between + within / len(mine)) if len(mine) else 0.0
    shift = believed * float(mine.mean()) if len(mine) else 0.0
    kish = 1 / float((weights**2).sum())
    variance = (
        within / max(kish - 3, 1) * (1 + _distance(corrected, judged, at_corrected, at_judged))
        + between * (1 - believed)
        + within * (len(own) - len(mine)) / len(own) ** 2
    )
    rate = min(max(rate + shift / share, 0.0), 1.0)
    return _described(own, size=len(weights), rate=rate, share=share, variance=variance)


def _line(values: Floats, predictions: Floats, weights: Floats) -> Line:
    mean, centre = float((weights * values).sum()), float((weights * predictions).sum())
    spread = float((weights * (predictions - centre) ** 2).sum())
    slope = float((weights * (values - mean) * (predictions - centre)).sum()) / spread if spread > 0 else 0.0
    return Line(mean, centre, min(max(slope, 0.0), 1.0), spread)


def _residuals(values: Values, predicted: Values, corrected: Line, judged: Line, rate: float) -> Floats:
    """How far each labelled use is from its lines, as it moves the rate."""
    above = values.corrected - corrected.mean - corrected.slope * (predicted.corrected - corrected.centre)
    seen = values.judged - judged.mean - judged.slope * (predicted.judged - judged.centre)
    return above - rate * seen


def _within(residuals: Floats, weights: Floats, *, rate: float, share: float) -> float:
    """The variance of single uses, with a few added as in ``prediction_powered``."""
    size = len(residuals)
    centre = (rate * size * share + ADDED / 2) / (size * share + ADDED)
    return (size * float((weights * residuals**2).sum()) + ADDED * share * centre * (1 - centre)) / (size + ADDED)


def _distance(corrected: Line, judged: Line, at_corrected: float, at_judged: float) -> float:
    """How far the group's predictions lie from the labels' centre, in their spreads."""
    parts = ((corrected, at_corrected), (judged, at_judged))
    return sum((at - line.centre) ** 2 / line.spread for line, at in parts if line.spread > 0)


def _described(own: Uses, *, size: int, rate: float, share: float, variance: float) -> RatioEstimate:
    labels, population = own.labels(), len(own)
    unknown = population - len(labels)
    seen, found = float(labels.found.judged.sum()), float(labels.found.corrected.sum())
    possible = seen + unknown
    least, most = (found / possible, (found + unknown) / possible) if possible else (0.0, 1.0)
    centre = (np.nan_to_num(rate) * size * share + ADDED / 2) / (size * share + ADDED)
    return RatioEstimate(
        rate=min(max(rate, least), most) if np.isfinite(rate) else np.nan,
        judged=share * population,
        effective=share**2 * centre * (1 - centre) / variance,
        partial=0.0,
        labels=size,
        population=population,
        tuning=1.0,
        least=least,
        most=most,
    )


def _between(residuals: Floats, labels_of: NDArray[np.int64]) -> float:
    """The variance of groups' mean residuals beyond that of their uses, by moments; at least `DIFFERENCE`²."""
    sizes = np.bincount(labels_of)
    sums = np.bincount(labels_of, residuals)
    seen = sizes > 0
    groups, total = int(seen.sum()), int(sizes.sum())
    if groups < 2 or total <= groups:
        return DIFFERENCE**2
    means = sums[seen] / sizes[seen]
    mean = residuals.mean()
    within = (float((residuals**2).sum()) - float((sizes[seen] * means**2).sum())) / (total - groups)
    among = float((sizes[seen] * (means - mean) ** 2).sum()) / (groups - 1)
    typical = (total - float((sizes[seen] ** 2).sum()) / total) / (groups - 1)
    return max((among - within) / typical if typical > 0 else 0.0, DIFFERENCE**2)
