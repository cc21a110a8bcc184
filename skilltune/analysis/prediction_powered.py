"""Predictions for all uses and labels for a random sample of them → the rate of all uses, with its interval.

The rules' (or a judge's) verdicts are the predictions. Their total over all uses is known; what they get wrong is
estimated on the labelled sample and taken off. The result is right on average however bad the predictions are, and its
interval is the narrower the better they are.

References
----------
- Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), Science 382; Angelopoulos, Duchi and Zrnic (2024),
  arXiv 2311.01453: prediction-powered inference, and its power tuning (PPI++).
- Särndal, Swensson and Wretman (1992), Model Assisted Survey Sampling, chapters 5, 6 and 9: the same as the difference
  and regression estimator of a finite population, of ratios, and in two phases.
- Agresti and Coull (1998), The American Statistician 52: two successes and two failures added.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from skilltune.analysis.intervals import Bounds, Counts, score_interval
from skilltune.errors import InputError
from skilltune.limits import CONFIDENCE_LEVEL

__all__ = [
    "RatioEstimate",
    "Sample",
    "Values",
    "effective_counts",
    "estimate_ratio",
    "labels_to_halve",
    "ratio_intervals",
]

Floats = NDArray[np.float64]

ADDED: Final = 4
"""Uses that are added, half of them corrected, where a spread is estimated."""
ERRORS: Final = 2
"""A sample is taken to hold at least so many errors of the predictions: few labels can't show that there are none."""
ROUNDS: Final = 3
"""Times that rate and tuning are found from each other."""
LEAST_JUDGED: Final = 0.2
"""A tuned denominator under this part of the labels' own is no use."""


@dataclass(frozen=True, slots=True)
class Values:
    """What each use adds to numerator and denominator of the rate: known, or expected by a prediction."""

    corrected: Floats
    """1 for a correction, ½ for a partial, else 0."""
    judged: Floats
    """1 for a correction, partial or acceptance, else 0."""

    def __len__(self) -> int:
        return len(self.corrected)

    def take(self, places: NDArray[np.int64]) -> "Values":
        """The values at `places`."""
        return Values(self.corrected[places], self.judged[places])

    def against(self, rate: float) -> Floats:
        """How far each use is from a `rate`: these sum to 0 over all uses at the true one."""
        return self.corrected - rate * self.judged


@dataclass(frozen=True, slots=True)
class Sample:
    """Uses drawn at random, and what they turned out to be."""

    places: NDArray[np.int64]
    """Where they stand in the population."""
    found: Values
    probability: Floats
    """With which each was drawn (0 to 1), as far as only proportions matter."""

    def __len__(self) -> int:
        return len(self.places)

    @property
    def size(self) -> float:
        """As many uses drawn with equal chances tell as much (Kish); 0 of none."""
        weights = 1 / self.probability
        return float(weights.sum() ** 2 / (weights**2).sum()) if len(self) else 0.0

    def where(self, taken: NDArray[np.bool_]) -> "Sample":
        """Only some of them."""
        return Sample(self.places[taken], self.found.take(np.flatnonzero(taken)), self.probability[taken])


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioEstimate:
    """An estimated rate; `ratio_intervals` makes its interval."""

    rate: float
    """0 to 1; NaN where no labelled use is judged."""
    judged: float
    """Estimated judged uses in the population."""
    effective: float
    """Judged uses that, drawn at random and labelled, would tell as much; infinite where all is known."""
    partial: float
    """Share of partials among the labelled judged uses."""
    labels: float
    """As many labels drawn with equal chances tell as much."""
    population: int
    tuning: float
    """How far the predictions are believed, from 0 (labels alone) to 1."""
    least: float
    most: float
    """What the rate can be at all, given the labels of this population."""


@dataclass(frozen=True, slots=True)
class _Phase:
    """One sample's differences: what was found less what was predicted."""

    found: Values
    predicted: Values
    weights: Floats
    """They sum to 1."""
    unseen: Floats
    """One minus the probability: the finite-population factor."""

    @classmethod
    def of(cls, predicted: Values, sample: Sample, population: int) -> "_Phase":
        weights = 1 / sample.probability
        total = weights.sum()
        # given how many were labelled, the probabilities add up to the population
        chance = np.minimum(sample.probability * total / population, 1.0)
        unseen = np.zeros(len(sample)) if len(sample) >= population else 1 - chance
        return cls(sample.found, predicted, weights / total, unseen)

    @property
    def size(self) -> float:
        """As many uses drawn with equal chances tell as much (Kish)."""
        return 1 / float((self.weights**2).sum())

    def mean(self, values: Floats) -> float:
        return float((self.weights * values).sum())

    def centred(self, values: Floats) -> Floats:
        return values - self.mean(values)

    def tuning(self, rate: float) -> float:
        """The factor of the predictions that leaves the least spread, within 0 and 1."""
        found, predicted = self.centred(self.found.against(rate)), self.centred(self.predicted.against(rate))
        spread = self.mean(predicted**2)
        return min(max(self.mean(found * predicted) / spread, 0.0), 1.0) if spread > 0 else 0.0

    def variance(self, differences: Floats, added: float, floor: float) -> float:
        """Of the weighted mean of `differences`, with a few uses of the variance `added`, and `floor` as least sum."""
        size = self.size
        spread = (size * self.centred(differences) ** 2 + ADDED * added) / (size + ADDED)
        mean, least = self.mean(spread), floor / size
        spread = spread * max(least / mean, 1.0) if mean > 0 else np.full(len(spread), least)
        return float((self.unseen * self.weights**2 * spread).sum() * size / max(size - 2, 1))


def estimate_ratio(
    predicted: Values, labels: Sample, *, judge: Sample | None = None, answers: Values | None = None
) -> RatioEstimate:
    """The rate of a population of uses from predictions for all of them and labels for some.

    Parameters
    ----------
    predicted : Values
        Of every use of the population, 0 to 1: verdicts, or expected values.
    labels : Sample
        At least one use drawn at random, with what a person says of it.
    judge, answers : Sample and Values, optional
        A larger sample, with what a better but fallible judge says of it, and its answers on the labelled uses.
        `predicted` is then checked on the judge's answers, and these on the labels.

    Returns
    -------
    RatioEstimate
        The labels' rate is exact, with an infinite effective size, where they are of all uses.

    Raises
    ------
    InputError
        No labels, more labels than uses, a probability outside of (0, 1], or labels without the judge's answers.

    Notes
    -----
    With A what a use adds to the corrections, B to the judged uses, a and b their predictions and λ the tuning, both
    totals are ``N (λ mean(a) + Σ w (A - λ a))`` with w the inverse probabilities, scaled to sum 1 (Hájek). The variance
    of the rate is that of ``A - rate B - λ (a - rate b)`` over the sample, times 1 - probability (draws without
    replacement). `ADDED` uses that no prediction knew of are among them, and at least `ERRORS` errors: chosen by
    simulation (``benchmarks/corrected_rates.py``), without them intervals are too short where errors are rare. Uses,
    not sessions, are drawn: the interval is about this population, and holds however alike a session's uses are.

    Examples
    --------
    Ten uses, of which the rules call three corrected; four are labelled, and the rules missed one of them.

    >>> rules = Values(np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0.0]), np.ones(10))
    >>> people = Values(np.array([1, 1, 0, 0.0]), np.ones(4))
    >>> found = estimate_ratio(rules, Sample(np.array([0, 3, 4, 5]), people, np.full(4, 0.4)))
    >>> round(found.tuning, 3), round(found.rate, 3)
    (0.667, 0.533)
    """
    population = len(predicted)
    _check(labels, population)
    last = _Phase.of(predicted.take(labels.places), labels, population)
    phases = [last]
    if judge is not None and len(labels) < population:
        _check(judge, population)
        if answers is None or len(answers) != len(labels):
            raise InputError("a labelled use has no answer of the judge; leave it out, or let the judge answer it")
        middle = _Phase.of(predicted.take(judge.places), judge, population)
        phases = [middle, _Phase(last.found, answers, last.weights, last.unseen)]
    rate, tunings = _solve(predicted, phases)
    return _described(predicted, labels, phases, rate, tunings)


def ratio_intervals(estimates: Sequence[RatioEstimate], *, level: float = CONFIDENCE_LEVEL) -> Bounds:
    """The interval of each estimate: the score interval of as many judged uses as its effective size.

    Within 0 and 1, and within what the labels leave possible; at a rate of 0 the upper end is that of none in so many.
    The critical value is Student's, with the labels less 2 as degrees of freedom.
    """
    if not 0 < level < 1:
        raise InputError(f"level is {level}; a confidence level lies between 0 and 1")
    rate, effective, partial, labels, least, most = (
        np.array([getattr(each, name) for each in estimates], dtype="float64")
        for name in ("rate", "effective", "partial", "labels", "least", "most")
    )
    known = np.isfinite(rate)
    estimated = known & np.isfinite(effective)
    size, share = np.where(estimated, effective, 0.0), np.where(known, rate, 0.0)
    critical = student.isf((1 - level) / 2, np.maximum(labels - 2, 1))
    low, high = score_interval(effective_counts(share, partial, size), z=critical)
    return Bounds(
        np.where(estimated, np.minimum(np.maximum(low, least), rate), np.where(known, rate, np.nan)),
        np.where(estimated, np.maximum(np.minimum(high, most), rate), np.where(known, rate, np.nan)),
    )


def effective_counts(rate: Floats, partial: Floats, size: Floats) -> Counts:
    """Counts (whole or not) of this rate and size, with as many partials as fit."""
    size = np.maximum(size, 0.5)
    halves = np.minimum(partial, 2 * np.minimum(rate, 1 - rate)) * size
    corrections = np.maximum(rate * size - halves / 2, 0.0)
    # the score interval only adds and divides: parts of a use are as good to it as whole ones
    return Counts(corrections, halves, np.maximum(size - corrections - halves, 0.0))


def labels_to_halve(labels: int, *, population: float = np.inf) -> int:
    """How many more labels make an interval about half as wide; 0 where all uses are labelled.

    The squared width goes with 1 / labels - 1 / population.

    Examples
    --------
    >>> labels_to_halve(50), labels_to_halve(50, population=200)
    (150, 65)
    """
    if labels < 1:
        raise InputError(f"there are {labels} labels; at least 1 is needed")
    if labels >= population:
        return 0
    wanted = 1 / (1 / population + (1 / labels - 1 / population) / 4)
    return int(np.ceil(round(wanted, 9))) - labels


def _check(sample: Sample, population: int) -> None:
    if not len(sample):
        raise InputError("no use is labelled; label some that were drawn at random")
    if len(sample) > population:
        raise InputError(f"{len(sample)} uses are labelled of {population}; each counts once")
    odd = sample.probability[~((sample.probability > 0) & (sample.probability <= 1))]
    if len(odd):
        raise InputError(f"a probability is {odd[0]}; that of a use drawn at random lies in (0, 1]")


def _solve(predicted: Values, phases: Sequence[_Phase]) -> tuple[float, list[float]]:
    """The rate, and the tuning of each phase's predictions at that rate."""
    last = phases[-1]
    rate = _ratio(last.mean(last.found.corrected), last.mean(last.found.judged))
    tunings = [0.0] * len(phases)
    if not np.isfinite(rate):
        return rate, tunings
    for _ in range(ROUNDS):
        tunings = [phase.tuning(rate) for phase in phases]
        # a first phase is only of use as far as the second believes in its answers
        if len(tunings) > 1:
            tunings[0] *= tunings[1]
        judged = _total(predicted.judged, phases, tunings, "judged")
        if judged <= LEAST_JUDGED * last.mean(last.found.judged):
            tunings = [0.0] * len(phases)
            judged = _total(predicted.judged, phases, tunings, "judged")
        corrected = _total(predicted.corrected, phases, tunings, "corrected")
        rate = min(max(_ratio(corrected, judged), 0.0), 1.0)
    return rate, tunings


def _total(everywhere: Floats, phases: Sequence[_Phase], tunings: Sequence[float], name: str) -> float:
    """The estimated mean over the population of one of the two values."""
    total = tunings[0] * float(everywhere.mean())
    for phase, tuning, believed in zip(phases, tunings, [*tunings[1:], 1.0], strict=True):
        total += phase.mean(believed * getattr(phase.found, name) - tuning * getattr(phase.predicted, name))
    return total


def _described(
    predicted: Values, labels: Sample, phases: Sequence[_Phase], rate: float, tunings: Sequence[float]
) -> RatioEstimate:
    last, population = phases[-1], len(predicted)
    found = last.found
    seen = float(found.judged.sum())
    corrected, unknown = float(found.corrected.sum()), population - len(labels)
    halves = last.mean(found.judged - (found.corrected == 1) - ((found.corrected == 0) & (found.judged > 0)))
    judged = _total(predicted.judged, phases, tunings, "judged") if np.isfinite(rate) else 0.0
    least = corrected / (seen + unknown) if seen + unknown else 0.0
    most = (corrected + unknown) / (seen + unknown) if seen + unknown else 1.0
    return RatioEstimate(
        rate=min(max(rate, least), most),
        judged=min(max(judged, 0.0), 1.0) * population,
        effective=_effective(phases, rate, tunings, judged) if np.isfinite(rate) else 0.0,
        partial=halves / last.mean(found.judged) if seen else 0.0,
        labels=last.size,
        population=population,
        tuning=tunings[-1],
        least=least,
        most=most,
    )


def _effective(phases: Sequence[_Phase], rate: float, tunings: Sequence[float], judged: float) -> float:
    """The spread of one judged use over the variance of the rate."""
    last = phases[-1]
    size = last.size
    seen = size * last.mean(last.found.judged)
    centre = (rate * seen + ADDED / 2) / (seen + ADDED)
    added = judged * centre * (1 - centre)
    floor = ERRORS * max(rate, 1 - rate) ** 2
    alone = (size * last.mean(last.centred(last.found.against(rate)) ** 2) + ADDED * added) / (size + ADDED)
    alone = max(alone, floor / size)
    variance = 0.0
    for phase, tuning, believed in zip(phases, tunings, [*tunings[1:], 1.0], strict=True):
        differences = believed * phase.found.against(rate) - tuning * phase.predicted.against(rate)
        variance += phase.variance(differences, added, floor)
    return alone * judged / variance if variance > 0 else np.inf


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else np.nan
