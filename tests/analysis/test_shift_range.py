"""The range of sessions in which a rate shifted."""

import numpy as np
import pytest
from scipy.special import xlogy

from skilltune.analysis.shift_range import Series, shift_range

CLEAR = 4.5
"""A gain that few orders of the same sessions have by chance."""


def drawn(chance: np.random.Generator, *, sessions: int, alike: float) -> Series:
    """Sessions of one to five uses; half way the rate goes from 20 to 50 %, each session's own scatters around it."""
    mean, total = np.where(np.arange(sessions) < sessions // 2, 0.2, 0.5), 1 / alike - 1
    judged = chance.integers(1, 6, sessions)
    return made(chance.binomial(judged, chance.beta(mean * total, (1 - mean) * total)), judged)


def made(wrong: np.ndarray, judged: np.ndarray) -> Series:
    """One session after the other with so many corrections of so many uses."""
    return Series(np.arange(len(judged)), 2 * wrong, judged, judged**2)


def gains_of(series: Series) -> np.ndarray:
    """The log likelihood ratio of each split with five uses on both sides."""
    wrong, judged = series.halves / 2, series.judged

    def fit(hits: np.ndarray, uses: np.ndarray) -> np.ndarray:
        return xlogy(hits, hits) + xlogy(uses - hits, uses - hits) - xlogy(uses, uses)

    hits, uses = wrong.cumsum() - wrong, judged.cumsum() - judged
    gains = fit(hits, uses) + fit(wrong.sum() - hits, judged.sum() - uses) - fit(wrong.sum(), judged.sum())
    return np.where(np.minimum(uses, judged.sum() - uses) >= 5, gains, -np.inf)


def range_of(series: Series) -> tuple[int, int]:
    """The range of 90 % around the best split."""
    gains = gains_of(series)
    return shift_range(series, gains=gains, best=int(gains.argmax()), holds=0.9)


@pytest.mark.parametrize("sessions", [20, 60])
@pytest.mark.parametrize("alike", [0.01, 0.12, 0.3])
def test_range_holds_the_shift(sessions: int, alike: float) -> None:
    """In about nine of ten clear shifts or more, also where sessions are few and their uses much alike."""
    chance = np.random.default_rng(6)
    every = [drawn(chance, sessions=sessions, alike=alike) for _ in range(600)]
    ranges = [range_of(series) for series in every if gains_of(series).max() > CLEAR]
    held = [first <= sessions // 2 <= last for first, last in ranges]
    assert np.mean(held) >= 0.91
    assert np.mean([last - first + 1 for first, last in ranges]) <= 0.55 * sessions


def test_range_of_a_clean_step() -> None:
    """Many sessions without a correction and then as many with nothing else leave one place."""
    series = made(np.repeat([0, 3], 30), np.full(60, 3))
    assert range_of(series) == (30, 30)


def test_range_is_wider_where_uses_share_sessions() -> None:
    """The same outcomes are less sure the more of them one session has."""
    wrong = np.repeat([0, 1, 0, 1, 1], 6)
    few = [made(wrong * size, np.full(30, size)) for size in (1, 4)]
    gains = gains_of(few[0])
    first, wider = (shift_range(series, gains=gains, best=int(gains.argmax()), holds=0.9) for series in few)
    assert wider.first <= first.first <= first.last <= wider.last
    assert wider != first


def test_range_of_sessions_taken_together() -> None:
    """A block of sessions of one use each has the range of independent uses, not that of one long session."""
    chance = np.random.default_rng(2)
    judged = np.full(40, 12)
    block = made(chance.binomial(judged, np.where(np.arange(40) < 20, 0.3, 0.45)), judged)
    gains = gains_of(block)
    long, blocks = (
        shift_range(block._replace(squared=squared), gains=gains, best=int(gains.argmax()), holds=0.9)
        for squared in (judged**2, judged)
    )
    assert long.first <= blocks.first <= blocks.last <= long.last
    assert blocks != long
