"""Sessions in order of time, and the range of them in which a rate shifted, around the split that fits best.

References
----------
- McCullagh and Nelder (1989), Generalized Linear Models: quasi-likelihood with a dispersion that is estimated.
- Pawitan (2001), In All Likelihood: likelihoods with an estimated variance are Student densities.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skilltune.analysis.clusters import EXPECTED

__all__ = ["Range", "Series", "shift_range"]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

FITTED: Final = 4
"""What a split takes from the sessions that tell how they scatter: two rates, and a place that was searched for."""


class Series(NamedTuple):
    """Sessions in order of time: when each began, the rate's numerator in halves, and the judged uses.

    Where sessions are taken together, `squared` tells their sizes: the sum of the squared uses of each.
    """

    began: Integers
    halves: Integers
    judged: Integers
    squared: Integers


class Range(NamedTuple):
    """Places of the first and last session before which the rate may have shifted."""

    first: int
    last: int


def shift_range(series: Series, *, gains: Floats, best: int, holds: float) -> Range:
    """The run of splits around the best one that takes the greater neighbour until it has the share `holds`.

    Parameters
    ----------
    series : Series
        The sessions.
    gains : array
        The log likelihood ratio of a split before each session; -inf where there can be none.
    best : int
        The place of the greatest.
    holds : float
        The share of all splits' likelihood that is enough, 0 to 1.

    Returns
    -------
    Range
        Places in the series, both included.

    Notes
    -----
    The likelihood of a split is a Student density of as many degrees of freedom as there are sessions less four. Its
    scale is the dispersion between sessions around the best split, but no less than uses of one session have that are
    alike by 0.2, more than labelled ones are: few sessions show less than there is, and those that the split was
    fitted to less still.
    """
    weights = _weights(series, gains, best)
    share = weights / weights.sum()
    first = last = best
    while share[first : last + 1].sum() < holds:
        left = share[first - 1] if first else -1.0
        right = share[last + 1] if last + 1 < len(share) else -1.0
        first, last = (first - 1, last) if left >= right else (first, last + 1)
    return Range(first, last)


def _weights(series: Series, gains: Floats, best: int) -> Floats:
    """How likely each split is beside the best: less sharp the more sessions scatter, and the fewer tell it."""
    freedom = max(len(series.judged) - FITTED, 1)
    size = series.squared.sum() / series.judged.sum()
    dispersion = max(1 + EXPECTED * (size - 1), _squares(series, best) / freedom)
    weights: Floats = (1 + 2 * (gains[best] - gains) / (freedom * dispersion)) ** (-(freedom + 1) / 2)
    return weights


def _squares(series: Series, best: int) -> float:
    """How far sessions are from the rates on both sides of the split, in variances of independent uses."""
    squares = 0.0
    for side in (slice(None, best), slice(best, None)):
        halves, judged = series.halves[side], series.judged[side]
        rate = halves.sum() / (2 * judged.sum())
        if 0 < rate < 1:
            squares += float(((halves / 2 - judged * rate) ** 2 / (judged * rate * (1 - rate))).sum())
    return squares
