"""The interval of a rate where events of one session go together: whole sessions are drawn again.

References
----------
- Rao and Scott (1992), Biometrics 48: clustered counts as independent ones of a smaller effective number.
- Efron and Tibshirani (1993), An Introduction to the Bootstrap: resampling of whole clusters.

The plain percentile interval holds too seldom with few sessions or low rates (68 to 91 % of the time with ten of them),
so the draws give the variance only, and the score interval its shape.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import t as student

from skilltune.analysis.counts import Groups, Judged, codes_of
from skilltune.analysis.intervals import Counts, score_interval
from skilltune.limits import CONFIDENCE_LEVEL

__all__ = ["session_bootstrap"]

DRAWS: Final = 1_000
"""How many times the sessions of a group are drawn again."""
FEW_SESSIONS: Final = 20
"""Sessions below which the variance between them is itself too unsure to rely on."""
CELLS: Final = 2_000_000
"""Sessions drawn at once, so that memory stays small."""
WEIGHTS: Final = np.array([2, 1, 0])
"""Halves of a correction that each kind counts."""


class Sessions(NamedTuple):
    """Per session the numerator of the rate in halves and the judged uses."""

    halves: NDArray[np.int64]
    judged: NDArray[np.int64]


def session_bootstrap(judged: Judged, groups: Groups, counts: Counts, *, seed: int) -> dict[str, Any]:
    """Columns low, high, interval_method, sessions and few_sessions of each group; one session only gives no bounds.

    Notes
    -----
    The design effect is the variance of the rate over 1,000 draws of the group's m sessions, times m / (m - 1), over
    that of as many independent events, but no less than 1. The critical value of the score interval is its square
    root times Student's t with m - 1 degrees of freedom. Each group is drawn with the same seed and in an order of
    its own sessions, so that neither other groups nor the order of rows matter.
    """
    by_group = _sessions(judged, groups)
    sizes = np.array([len(sessions.judged) for sessions in by_group], dtype="int64")
    drawn = np.array([_drawn_variance(sessions, seed) for sessions in by_group], dtype="float64")
    uses, several = np.maximum(counts.judged, 1), sizes > 1
    alone = ((counts.corrections + counts.partials / 4) / uses - np.nan_to_num(counts.rate) ** 2) / uses
    scale = np.divide(sizes, sizes - 1, out=np.ones(len(sizes)), where=several)
    effect = np.maximum(np.divide(drawn * scale, alone, out=np.ones(len(sizes)), where=alone > 0), 1.0)
    critical = student.isf((1 - CONFIDENCE_LEVEL) / 2, np.where(several, sizes - 1, 1)) * np.sqrt(effect)
    low, high = score_interval(counts, z=critical)
    return {
        "low": np.where(several, low, np.nan),
        "high": np.where(several, high, np.nan),
        "interval_method": pd.Series("session_bootstrap", index=groups.names.index, dtype="str"),
        "sessions": pd.array(sizes, dtype="Int64"),
        "few_sessions": sizes < FEW_SESSIONS,
    }


def _sessions(judged: Judged, groups: Groups) -> list[Sessions]:
    """The sessions of each group, in an order that depends on their counts only."""
    counted = judged.counted
    codes, names = codes_of(judged.frame["session_id"])
    cells, pairs = pd.factorize((groups.codes[: len(counted)] * len(names) + codes)[counted])
    halves = np.bincount(cells, WEIGHTS[judged.kind[counted]], minlength=len(pairs)).astype("int64")
    uses = np.bincount(cells, minlength=len(pairs)).astype("int64")
    owner = pairs // max(len(names), 1)
    order = np.lexsort((uses, halves, owner))
    ends = np.searchsorted(owner[order], np.arange(1, len(groups)))
    return [Sessions(*both) for both in zip(np.split(halves[order], ends), np.split(uses[order], ends), strict=True)][
        : len(groups)
    ]


def _drawn_variance(sessions: Sessions, seed: int) -> float:
    """The variance of the rate over draws of as many sessions as there are."""
    size = len(sessions.judged)
    if size < 2:
        return 0.0
    chance = np.random.default_rng(seed)
    step = max(1, CELLS // size)
    rates = [
        sessions.halves[places].sum(axis=1) / (2 * sessions.judged[places].sum(axis=1))
        for start in range(0, DRAWS, step)
        for places in [chance.integers(0, size, (min(step, DRAWS - start), size))]
    ]
    return float(np.concatenate(rates).var(ddof=1))
