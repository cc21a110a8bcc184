"""Skills in order of their shrunk rates."""

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.analysis.intervals import Counts
from skilltune.analysis.metrics import correction_rate
from skilltune.analysis.ranking import overall_rate, prior_uses, ranked_skills, shrunk_rates
from skilltune.analysis.trends import correction_trend
from tests.analysis.invented import AS_OF, history, judged, table, use, uses

RECENT, LONG_AGO = AS_OF - timedelta(days=5), AS_OF - timedelta(days=80)
groups = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=8)


def of(*each: tuple[int, int, int]) -> Counts:
    """Counts of some groups."""
    return Counts.of(*zip(*each, strict=True))


@given(each=groups)
def test_shrunk_rates_lie_between(each: list[tuple[int, int, int]]) -> None:
    """A shrunk rate lies between the skill's own rate and that of all."""
    counts = of(*each)
    shrunk, overall = shrunk_rates(counts), overall_rate(counts)
    for own, rate in zip(counts.rate, shrunk, strict=True):
        assert np.isnan(own) == np.isnan(rate)
        if not np.isnan(own):
            assert min(own, overall) - 1e-9 <= rate <= max(own, overall) + 1e-9


def test_shrunk_rates_pull_small_samples() -> None:
    """Of two skills with the same rate, the one with fewer uses is pulled further."""
    shrunk = shrunk_rates(of((4, 0, 6), (40, 0, 60), (5, 0, 95), (60, 0, 40)))
    assert abs(shrunk[1] - 0.4) < abs(shrunk[0] - 0.4)


def test_shrunk_rates_are_a_beta_posterior() -> None:
    """Without partials they are the means of beta posteriors with one common prior."""
    counts = of((9, 0, 1), (1, 0, 9), (5, 0, 15))
    weight, overall = prior_uses(counts), overall_rate(counts)
    expected = (counts.corrections + weight * overall) / (counts.judged + weight)
    np.testing.assert_allclose(shrunk_rates(counts), expected)


def test_shrunk_rates_recover_the_spread() -> None:
    """Rates drawn from a beta distribution give back, on average, how many uses its prior is worth."""
    chance = np.random.default_rng(3)
    found = []
    for _ in range(200):
        rates, sizes = chance.beta(6, 14, 60), chance.integers(5, 80, 60)
        hits = chance.binomial(sizes, rates)
        found.append(prior_uses(Counts.of(hits, np.zeros(60), sizes - hits)))
    assert 17 < np.median(found) < 24


def test_shrunk_rates_beat_raw_ones() -> None:
    """Over many skills they lie nearer to the true rates than the raw rates do."""
    chance = np.random.default_rng(4)
    rates, sizes = chance.beta(4, 12, 400), chance.integers(1, 20, 400)
    hits = chance.binomial(sizes, rates)
    counts = Counts.of(hits, np.zeros(400), sizes - hits)
    assert ((shrunk_rates(counts) - rates) ** 2).mean() < 0.6 * ((counts.rate - rates) ** 2).mean()


def test_shrunk_rates_without_others() -> None:
    """One skill keeps its rate; skills that differ no more than by chance all get the common one."""
    assert shrunk_rates(of((4, 0, 6), (0, 0, 0))).tolist()[0] == 0.4
    np.testing.assert_allclose(shrunk_rates(of((2, 0, 8), (4, 0, 16), (1, 0, 4))), 0.2)
    assert np.isnan(overall_rate(of((0, 0, 0))))


@pytest.mark.parametrize("each", [((1, 0, 0), (0, 0, 1)), ((3, 0, 0), (0, 0, 3)), ((0, 2, 0), (0, 2, 0))])
def test_shrunk_rates_of_tiny_samples(each: tuple[tuple[int, int, int], ...]) -> None:
    """One use each, no variance within, or none at all: rates stay numbers between 0 and 1."""
    shrunk = shrunk_rates(of(*each))
    assert ((shrunk >= 0) & (shrunk <= 1)).all()


def test_ranking_order() -> None:
    """Enough data first by shrunk rate, which may differ from the rates' order; the others behind, without a rank."""
    events = table(
        judged(3, 0, 3, skill="few-bad", at=RECENT),
        judged(40, 0, 60, skill="many-bad", at=RECENT),
        judged(25, 0, 75, skill="good", at=RECENT),
        judged(2, 0, 1, skill="too-few", at=RECENT),
        judged(1, 0, 1, skill="fewer", at=RECENT),
        judged(9, 0, 0, skill="long-ago", at=LONG_AGO),
    )
    rows = ranked_skills(events, as_of=AS_OF, invocations=uses(use(skill="unjudged", at=LONG_AGO)))
    assert rows["skill_id"].tolist() == ["many-bad", "few-bad", "good", "too-few", "fewer", "long-ago", "unjudged"]
    assert rows["rank"].tolist()[:3] == [1, 2, 3]
    assert rows["rank"].isna().tolist() == [False] * 3 + [True] * 4
    assert rows["needed"].tolist() == [0, 0, 0, 2, 3, 5, 5]
    assert rows["n_invocations"].tolist() == [100, 6, 100, 3, 2, 0, 0]
    assert (rows["overall_rate"] == 71 / 211).all()


def test_ranking_joins_rate_and_trend() -> None:
    """Rates are those of the window, trends those of the whole history."""
    events = history()
    rows = ranked_skills(events, as_of=AS_OF).set_index("skill_id").sort_index()
    since = AS_OF - timedelta(days=30)
    rates = correction_rate(events, as_of=AS_OF, since=since).set_index("skill_id").sort_index()
    trends = correction_trend(events, as_of=AS_OF).set_index("skill_id").sort_index()
    assert rows[rates.columns].equals(rates)
    assert rows["trend"].equals(trends["trend"])
    assert rows["trend_low"].tolist() == trends["low"].tolist()
    assert rows["correction_rate"].tolist() == trends["recent_rate"].tolist()
