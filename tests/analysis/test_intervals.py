"""The score interval, the interval of a difference, and its p-value."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import binomtest, multinomial, norm, t

from skilltune.analysis.intervals import (
    Counts,
    difference_interval,
    difference_p_value,
    plain_difference_interval,
    score_interval,
    score_variance,
)
from skilltune.errors import InputError

small = st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40)).filter(any)


def of(*groups: tuple[int, int, int]) -> Counts:
    """Counts of one or more groups."""
    return Counts.of(*zip(*groups, strict=True))


@pytest.mark.parametrize(("corrections", "total"), [(0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (17, 60), (499, 1000)])
def test_score_interval_without_partials(corrections: int, total: int) -> None:
    """Without partials the interval is Wilson's, as scipy gives it."""
    low, high = score_interval(of((corrections, 0, total - corrections)))
    wilson = binomtest(corrections, total).proportion_ci(method="wilson")
    assert low[0] == pytest.approx(wilson.low, abs=1e-12)
    assert high[0] == pytest.approx(wilson.high, abs=1e-12)


@pytest.mark.parametrize("counts", [(6, 4, 10), (0, 3, 9), (5, 9, 0), (1, 1, 1), (20, 1, 2)])
def test_score_interval_with_partials(counts: tuple[int, int, int]) -> None:
    """With partials the bounds are where the score statistic, its likelihood maximized numerically, reaches 1.96."""
    rate, total = (counts[0] + counts[1] / 2) / sum(counts), sum(counts)

    def excess(mean: float) -> float:
        return total * (rate - mean) ** 2 - norm.isf(0.025) ** 2 * numeric_variance(counts, mean)

    low, high = score_interval(of(counts))
    assert low[0] == pytest.approx(brentq(excess, 1e-9, rate - 1e-6), abs=1e-6)
    assert high[0] == pytest.approx(brentq(excess, rate + 1e-6, 1 - 1e-9), abs=1e-6)


def numeric_variance(counts: tuple[int, int, int], mean: float) -> float:
    """The variance of one weight under the likeliest trinomial with this mean, found by a general optimizer."""

    def loss(half: float) -> float:
        chances = np.clip([mean - half, 2 * half, 1 - mean - half], 1e-300, 1)
        return -float(np.dot(counts, np.log(chances)))

    best = minimize_scalar(loss, bounds=(0, min(mean, 1 - mean)), method="bounded", options={"xatol": 1e-12})
    return mean * (1 - mean) - best.x / 2


def test_score_interval_of_partials_only() -> None:
    """Ten partials and nothing else still leave doubt, the same on both sides of one half."""
    low, high = score_interval(of((0, 10, 0)))
    assert low[0] == pytest.approx(1 - high[0])
    assert 0.3 < low[0] < 0.4


def test_score_interval_without_data() -> None:
    """A group without a judged use has no bounds, and spoils no other group."""
    low, high = score_interval(of((0, 0, 0), (6, 4, 10)))
    assert np.isnan(low[0])
    assert np.isnan(high[0])
    assert low[1] == score_interval(of((6, 4, 10))).low[0]
    assert high[1] == score_interval(of((6, 4, 10))).high[0]


@given(counts=small)
def test_score_interval_holds_the_rate(counts: tuple[int, int, int]) -> None:
    """The bounds lie within 0 and 1 and around the rate."""
    group = of(counts)
    low, high = score_interval(group)
    assert 0 <= low[0] <= group.rate[0] <= high[0] <= 1
    assert low[0] < high[0]


@given(counts=small)
def test_score_interval_moves_with_the_counts(counts: tuple[int, int, int]) -> None:
    """An acceptance that becomes a partial, and a partial that becomes a correction, never lower a bound."""
    corrections, partials, acceptances = counts
    groups = of(
        (corrections, partials, acceptances + 1),
        (corrections, partials + 1, acceptances),
        (corrections + 1, partials, acceptances),
    )
    low, high = score_interval(groups)
    assert (np.diff(low) > -1e-12).all()
    assert (np.diff(high) > -1e-12).all()


@given(counts=small)
def test_score_interval_mirrors(counts: tuple[int, int, int]) -> None:
    """Exchanging corrections and acceptances mirrors the interval at one half."""
    low, high = score_interval(of(counts))
    mirrored_low, mirrored_high = score_interval(of(counts[::-1]))
    assert low[0] == pytest.approx(1 - mirrored_high[0], abs=1e-12)
    assert high[0] == pytest.approx(1 - mirrored_low[0], abs=1e-12)


@given(counts=small, factor=st.integers(2, 9))
def test_score_interval_narrows(counts: tuple[int, int, int], factor: int) -> None:
    """More uses at the same rate give a narrower interval, a higher level a wider one."""
    one, many = score_interval(of(counts)), score_interval(of(tuple(factor * part for part in counts)))
    assert many.high[0] - many.low[0] < one.high[0] - one.low[0]
    wide = score_interval(of(counts), level=0.99)
    assert wide.low[0] <= one.low[0]
    assert one.high[0] <= wide.high[0]


@given(counts=small, mean=st.floats(0, 1))
def test_score_variance_bounds(counts: tuple[int, int, int], mean: float) -> None:
    """The variance lies between those of a coin that never gives halves and of one that gives as many as it can."""
    variance = score_variance(of(counts), np.array([mean]))[0]
    assert mean * (1 - mean) - min(mean, 1 - mean) / 2 - 1e-12 <= variance <= mean * (1 - mean) + 1e-12


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((0, 10), (0, 10), -0.2775, 0.2775),
        ((10, 10), (0, 20), 0.6791, 1.0),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_plain_difference_interval_published(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    """Without partials the interval is Newcombe's method 10, as in the table of his paper."""
    recent, prior = (of((hits, 0, total - hits)) for hits, total in (first, second))
    bounds = plain_difference_interval(recent, prior, z=float(norm.isf(0.025)))
    assert bounds.low[0] == pytest.approx(low, abs=5e-5)
    assert bounds.high[0] == pytest.approx(high, abs=5e-5)


@pytest.mark.parametrize(
    ("recent", "prior"),
    [((6, 4, 10), (3, 2, 25)), ((9, 0, 11), (2, 0, 18)), ((4, 1, 1), (1, 2, 3)), ((18, 4, 21), (8, 6, 30))],
)
def test_difference_interval_by_numeric_search(recent: tuple[int, int, int], prior: tuple[int, int, int]) -> None:
    """Each rate's bounds are where its statistic, a quarter of a use nearer, reaches the t value; then MOVER."""
    critical = t.ppf(0.975, sum(recent) + sum(prior) - 2)

    def ends(counts: tuple[int, int, int]) -> tuple[float, float, float]:
        total = sum(counts)
        rate = (counts[0] + counts[1] / 2) / total

        def excess(mean: float) -> float:
            return np.sqrt(total / numeric_variance(counts, mean)) * (abs(rate - mean) - 0.25 / total) - critical

        return brentq(excess, 1e-9, rate - 1e-6), rate, brentq(excess, rate + 1e-6, 1 - 1e-9)

    (now_low, now, now_high), (before_low, before, before_high) = ends(recent), ends(prior)
    low, high = difference_interval(of(recent), of(prior))
    assert low[0] == pytest.approx(now - before - np.hypot(now - now_low, before_high - before), abs=1e-5)
    assert high[0] == pytest.approx(now - before + np.hypot(now_high - now, before - before_low), abs=1e-5)


@pytest.mark.parametrize(
    ("recent", "prior", "partial"),
    [(5, 5, 0.5), (10, 10, 0.5), (5, 15, 0.5), *((n, n, 0.0) for n in (5, 7, 30, 50, 70)), (5, 30, 0.0), (10, 60, 0.0)],
)
def test_difference_interval_false_alarms(recent: int, prior: int, partial: float) -> None:
    """Where nothing changed, 0 is left out in at most 5 % of all possible outcomes, whatever the rate."""
    now, before = every_count(recent, partial=bool(partial)), every_count(prior, partial=bool(partial))
    first, second = np.meshgrid(np.arange(len(now.judged)), np.arange(len(before.judged)), indexing="ij")
    sides = (Counts(*(part[at.ravel()] for part in side)) for side, at in ((now, first), (before, second)))
    told = (difference_p_value(*sides) < 0.05).reshape(first.shape)
    for rate in (0.02, 0.05, 0.1, 0.2, 0.3, 0.36, 0.4, 0.44, 0.5):
        half = partial * rate / 2
        chances = [rate - half, 2 * half, 1 - rate - half]
        one, other = (multinomial.pmf(np.stack(side, axis=-1), side.judged[0], chances) for side in (now, before))
        assert one @ told @ other <= 0.05


def every_count(size: int, *, partial: bool) -> Counts:
    """Every way in which `size` uses can turn out."""
    most = size if partial else 0
    return of(*((c, p, size - c - p) for c in range(size + 1) for p in range(min(most, size - c) + 1)))


@given(recent=small, prior=small)
def test_difference_interval_bounds(recent: tuple[int, int, int], prior: tuple[int, int, int]) -> None:
    """The bounds lie within -1 and 1 and around the difference; exchanging the sides changes the sign."""
    now, before = of(recent), of(prior)
    low, high = difference_interval(now, before)
    assert -1 <= low[0] <= now.rate[0] - before.rate[0] <= high[0] <= 1
    assert difference_interval(before, now).low[0] == pytest.approx(-high[0], abs=1e-12)


@given(recent=small, prior=small, level=st.sampled_from([0.5, 0.8, 0.95, 0.99]))
def test_difference_p_value_agrees(recent: tuple[int, int, int], prior: tuple[int, int, int], level: float) -> None:
    """The p-value is under 1 - level exactly where the interval of that level leaves 0 out."""
    now, before = of(recent), of(prior)
    p_value = difference_p_value(now, before)[0]
    low, high = difference_interval(now, before, level=level)
    assert 0 <= p_value <= 1
    if abs(p_value - (1 - level)) > 1e-9:
        assert (p_value < 1 - level) == (low[0] > 0 or high[0] < 0)


def test_difference_p_value_of_no_difference() -> None:
    """Equal rates have p-value 1; a side without data has none."""
    values = difference_p_value(of((2, 0, 8), (0, 0, 0)), of((4, 0, 16), (1, 0, 1)))
    assert values[0] == 1
    assert np.isnan(values[1])


@pytest.mark.parametrize("level", [0, 1, -0.5, 95])
def test_score_interval_level_out_of_range(level: float) -> None:
    """A level that is no share between 0 and 1 is refused."""
    with pytest.raises(InputError, match="between 0 and 1"):
        score_interval(of((1, 0, 1)), level=level)


def test_counts_rate_is_exact() -> None:
    """Rates are one division of integers: 0.20 and 0.15 are the floats one writes."""
    assert of((4, 0, 16)).rate[0] == 0.2
    assert of((4, 4, 32)).rate[0] == 0.15
    assert np.isnan(of((0, 0, 0)).rate[0])
