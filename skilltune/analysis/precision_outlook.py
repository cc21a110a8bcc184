"""What further labels would bring: how narrow the interval of a precision gets, and how many of them halve it."""

from typing import Final

import numpy as np
from scipy.stats import norm

from skilltune.limits import CONFIDENCE_LEVEL

__all__ = ["half_width_after", "more_to_halve"]

MOST: Final = 100_000
"""Labels beyond which nobody is told to go on."""


def half_width_after(right: int, labelled: int, *, more: int) -> float:
    """Half of the Wilson interval (0–1) to be expected after `more` labels of the same kind, as often right as so far.

    Examples
    --------
    >>> round(half_width_after(23, 27, more=23), 3)
    0.098
    """
    return _width(right / labelled, labelled + more) / 2


def more_to_halve(right: int, labelled: int) -> int | None:
    """How many further labels of the same kind halve the interval; None where no sensible number does.

    Examples
    --------
    >>> more_to_halve(23, 27)
    83
    """
    share, wanted = right / labelled, _width(right / labelled, labelled) / 2
    low, high = labelled, MOST
    if _width(share, high) > wanted:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _width(share, middle) <= wanted else (middle, high)
    return high - labelled


def _width(share: float, labelled: int) -> float:
    """Width of the Wilson interval of `share` of `labelled`, which need not make a whole number."""
    z = float(norm.isf((1 - CONFIDENCE_LEVEL) / 2))
    spread = share * (1 - share) / labelled + z**2 / (4 * labelled**2)
    return float(2 * z * np.sqrt(spread) / (1 + z**2 / labelled))
