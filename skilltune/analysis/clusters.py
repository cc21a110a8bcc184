"""How alike the uses of one session are, and by how much that widens the interval of a change.

References
----------
- Kish (1965), Survey Sampling: the design effect of samples that come in clusters.
- Donner (1986), International Statistical Review 54: the intra-class correlation by analysis of variance.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.counts import Judged, codes_of
from skilltune.analysis.intervals import Clusters

__all__ = ["Rows", "change_clusters", "session_numbers"]

MEASURED: Final = 0.12
"""Correlation of labelled uses of one session; less is never taken, as few sessions can't show that there is none."""
EXPECTED: Final = 0.2
"""Correlation that an estimate is pulled to: above the measured one, so that skills whose uses are more alike fit."""
PAIRS: Final = 100
"""Pairs of uses of one session that the expected correlation is worth."""
WEIGHTS: Final = np.array([1.0, 0.5, 0.0])

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Rows(NamedTuple):
    """Judged uses: 2 × group + side (0 recent or after, 1 prior or before), number of the session, and kind."""

    cells: Integers
    sessions: Integers
    kinds: NDArray[np.int8]


class _Spread(NamedTuple):
    """Per cell: judged uses, sessions, sum of squared sizes, squares between sessions and within."""

    uses: Integers
    sessions: Integers
    squared: Floats
    between: Floats
    within: Floats

    def pooled(self) -> "_Spread":
        """Both sides of each group together."""
        return _Spread(
            uses=self.uses.reshape(-1, 2).sum(axis=1),
            sessions=self.sessions.reshape(-1, 2).sum(axis=1),
            squared=self.squared.reshape(-1, 2).sum(axis=1),
            between=self.between.reshape(-1, 2).sum(axis=1),
            within=self.within.reshape(-1, 2).sum(axis=1),
        )


def session_numbers(judged: Judged) -> Integers:
    """A number for each row's session; a row whose session is not known is one of its own."""
    rows = np.arange(len(judged.frame), dtype="int64")
    if "session_id" not in judged.frame.columns:
        return rows
    codes, words = codes_of(judged.frame["session_id"])
    nameless = (words.isna() | np.asarray(words == "", dtype=bool))[codes]
    return np.where(nameless, len(words) + rows, codes)


def change_clusters(rows: Rows, *, groups: int) -> Clusters:
    """What sessions do to the interval of each group's change.

    Notes
    -----
    The correlation ρ of uses of one session is estimated by analysis of variance over both sides, pulled to 0.2 by
    100 pairs of uses, and no less than 0.12. A side of n uses in sessions of n_i has the design effect
    ``1 + ρ (Σ n_i² / n - 1)``: 1 exactly where no session has two. The degrees of freedom lie between those of as many
    independent uses as the effects leave and those of the sessions, by how far ρ rests on the estimate. Where nothing
    changed, trends then leave 0 out in at most 4.3 % where uses are alike by 0.12, and in up to about 5.4 % where they
    are by 0.3, which is more than labelled turns show (``benchmarks/intervals.py``).
    """
    spread = _spread(rows, cells=2 * groups)
    both = spread.pooled()
    pairs = (both.squared - both.uses) / 2
    trust = pairs / (pairs + PAIRS)
    alike = np.clip(trust * _estimate(spread) + (1 - trust) * EXPECTED, MEASURED, 1.0)
    size = np.divide(spread.squared, spread.uses, out=np.ones_like(spread.squared), where=spread.uses > 0)
    effects = 1 + np.repeat(alike, 2) * (size - 1)
    uses = np.maximum((spread.uses / effects).reshape(-1, 2).sum(axis=1) - 2, 1.0)
    sessions = np.maximum(both.sessions - 2, 1)
    freedom = np.minimum(1 / ((1 - trust) / uses + trust / sessions), uses)
    return Clusters(effects[0::2], effects[1::2], np.where(pairs > 0, freedom, uses))


def _spread(rows: Rows, *, cells: int) -> _Spread:
    weight = WEIGHTS[rows.kinds]
    numbers = int(rows.sessions.max(initial=0)) + 1
    places = rows.cells * numbers + rows.sessions
    # narrow integers are told apart in half the time
    which, pair = pd.factorize(places.astype(np.min_scalar_type(int(places.max(initial=0)))))
    owner = pair.astype("int64") // numbers
    size = np.bincount(which, minlength=len(pair))
    whole = _sums(which, weight, size=len(pair))
    uses = np.bincount(rows.cells, minlength=cells)
    rate = _sums(owner, whole, size=cells) / np.maximum(uses, 1)
    mean = whole / np.maximum(size, 1)
    return _Spread(
        uses,
        np.bincount(owner, minlength=cells),
        _sums(owner, size.astype("float64") ** 2, size=cells),
        _sums(owner, size * (mean - rate[owner]) ** 2, size=cells),
        _sums(rows.cells, (weight - mean[which]) ** 2, size=cells),
    )


def _sums(places: Integers, values: Floats, *, size: int) -> Floats:
    """The sum of the values at each place; numpy counts in integers where there are none."""
    return np.bincount(places, values, minlength=size).astype("float64")


def _estimate(spread: _Spread) -> Floats:
    """The intra-class correlation of each group within its two sides; 0 where nothing varies."""
    both = spread.pooled()
    typical = np.divide(spread.squared, spread.uses, out=np.zeros_like(spread.squared), where=spread.uses > 0)
    freedom = np.maximum(both.sessions - 2, 1)
    usual = (both.uses - typical.reshape(-1, 2).sum(axis=1)) / freedom
    between, within = both.between / freedom, both.within / np.maximum(both.uses - both.sessions, 1)
    whole = between + (usual - 1) * within
    estimate: NDArray[Any] = np.divide(between - within, whole, out=np.zeros_like(whole), where=whole > 1e-12)
    return estimate
