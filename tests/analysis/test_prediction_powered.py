"""Rates of all uses from predictions for all and labels for some: worked numbers, coverage, and what always holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.analysis.intervals import Counts, score_interval
from skilltune.analysis.prediction_powered import (
    RatioEstimate,
    Sample,
    Values,
    estimate_ratio,
    labels_to_halve,
    ratio_intervals,
)
from skilltune.errors import InputError


def values(text: str) -> Values:
    """One use a letter: c(orrection), p(artial), a(cceptance), and - for none."""
    corrected = [{"c": 1.0, "p": 0.5}.get(letter, 0.0) for letter in text]
    return Values(np.array(corrected), np.array([float(letter != "-") for letter in text]))


def simple(truth: Values, places: list[int]) -> Sample:
    """A simple random sample."""
    at = np.array(places, dtype="int64")
    return Sample(at, truth.take(at), np.full(len(at), len(at) / len(truth)))


def population(seed: int, *, size: int = 600, clustered: bool = False) -> tuple[Values, Values]:
    """Truth and verdicts of uses, a fifth of them complaints, of which the rules find six in ten."""
    random = np.random.default_rng(seed)
    chance = random.beta(1, 4, size // 5).repeat(5)[:size] if clustered else np.full(size, 0.2)
    negative = random.random(size) < chance
    accepted = ~negative & (random.random(size) < 0.4)
    said = random.random(size) < np.where(negative, 0.6, 0.04)
    agreed = ~said & (random.random(size) < np.where(accepted, 0.85, 0.08))
    return (
        Values(negative.astype(float), (negative | accepted).astype(float)),
        Values(said.astype(float), (said | agreed).astype(float)),
    )


def rate(truth: Values) -> float:
    """The rate that is to be found."""
    return float(truth.corrected.sum() / truth.judged.sum())


def held(estimates: list[RatioEstimate], true: float) -> float:
    """How often the interval holds the true rate."""
    low, high = ratio_intervals(estimates)
    return float(((low <= true) & (true <= high)).mean())


def test_rate_of_worked_example():
    """Ten uses, three of them called corrected; four labels, of which the rules missed one: by hand."""
    found = estimate_ratio(values("cccaaaaaaa"), simple(values("caacaaaaaa"), [0, 3, 4, 5]))
    # labels say 2 of 4, verdicts 1 of 4, so cov = 4/16 - 2/16 = 1/8 and var = 3/16: λ = 2/3; 1/2 + 2/3 (3/10 - 1/4)
    assert found.tuning == pytest.approx(2 / 3)
    assert found.rate == pytest.approx(8 / 15)
    assert found.judged == 10


def test_rate_counts_partials_half_and_estimates_judged_uses():
    """Labels of everything: (2 + ½) / 5 of the five that are judged, exactly."""
    truth = values("ccpaa-----")
    found = estimate_ratio(values("c-a--a----"), simple(truth, list(range(10))))
    assert (found.rate, found.judged, found.effective) == (0.5, 5, np.inf)
    assert found.partial == pytest.approx(1 / 5)
    assert [bound[0] for bound in ratio_intervals([found])] == [0.5, 0.5]


def test_weights_are_the_inverse_probabilities():
    """Two labels at probability ½ and one at ⅛ stand for 2, 2 and 8 uses."""
    truth = values("caaaaaaaaaaa")
    found = estimate_ratio(
        Values(np.zeros(12), np.ones(12)),
        Sample(np.array([0, 1, 5]), truth.take(np.array([0, 1, 5])), np.array([0.5, 0.5, 0.125])),
    )
    assert found.rate == pytest.approx(2 / 12)


def test_useless_predictions_are_not_believed():
    """Verdicts that go against the labels get no weight: the labels' own rate is left."""
    found = estimate_ratio(values("aaaacccc" * 4), simple(values("ccccaaaa" * 4), [0, 1, 2, 4, 8, 12, 20, 21]))
    assert found.tuning == 0
    assert found.rate == pytest.approx(4 / 8)


def test_no_correction_seen_gives_the_rule_of_three():
    """0 of 50 labelled uses: the rate is 0, and the interval goes up to what 50 cannot exclude."""
    found = estimate_ratio(values("a" * 5_000), simple(values("a" * 5_000), list(range(50))))
    low, high = ratio_intervals([found])
    assert (found.rate, low[0]) == (0, 0)
    assert 0.05 < high[0] < 0.1


def test_no_judged_use_has_no_rate():
    """Labels that are all none say nothing of a ratio."""
    found = estimate_ratio(values("ca--------"), simple(values("----------"), [0, 1, 2]))
    assert np.isnan(found.rate)
    assert np.isnan(ratio_intervals([found]).low[0])


@pytest.mark.parametrize("clustered", [False, True])
def test_intervals_hold_and_are_narrower_than_labels_alone(clustered: bool):
    """50 labels of 600 uses, whether or not sessions differ: 95 % intervals hold in 92 to 99 % of 800 samples."""
    truth, said = population(4, clustered=clustered)
    random, estimates, alone = np.random.default_rng(1), [], []
    for _ in range(800):
        sample = simple(truth, random.choice(600, 50, replace=False).tolist())
        estimates.append(estimate_ratio(said, sample))
        alone.append((sample.found.corrected.sum(), sample.found.judged.sum() - sample.found.corrected.sum()))
    corrected, accepted = np.array(alone).T
    low, high = ratio_intervals(estimates)
    wilson = score_interval(Counts.of(corrected, np.zeros(800), accepted))
    assert 0.92 <= held(estimates, rate(truth)) <= 0.99
    assert (high - low).mean() < 0.9 * (wilson.high - wilson.low).mean()
    assert np.mean([found.rate for found in estimates]) == pytest.approx(rate(truth), abs=0.01)


def test_intervals_hold_for_unequal_probabilities():
    """Half of the labels among what the rules call a complaint: still right on average, still held."""
    truth, said = population(5)
    complaints, others = np.flatnonzero(said.corrected), np.flatnonzero(said.corrected == 0)
    random, estimates = np.random.default_rng(2), []
    for _ in range(800):
        places = [random.choice(stratum, 30, replace=False) for stratum in (complaints, others)]
        chances = [np.full(30, 30 / len(stratum)) for stratum in (complaints, others)]
        at = np.concatenate(places)
        estimates.append(estimate_ratio(said, Sample(at, truth.take(at), np.concatenate(chances))))
    assert held(estimates, rate(truth)) >= 0.92
    assert np.mean([found.rate for found in estimates]) == pytest.approx(rate(truth), abs=0.015)


def test_judge_in_the_middle_narrows_and_holds():
    """A fair judge of 300 uses between verdicts on 2,000 and labels of 50: narrower, and it holds."""
    truth, said = population(6, size=2_000)
    random = np.random.default_rng(3)
    wrong = random.random(2_000) < 0.05
    answers = Values(np.where(wrong, 1 - truth.corrected, truth.corrected), np.where(wrong, 1.0, truth.judged))
    plain, with_judge = [], []
    for _ in range(400):
        labels = simple(truth, random.choice(2_000, 50, replace=False).tolist())
        asked = simple(answers, random.choice(2_000, 300, replace=False).tolist())
        plain.append(estimate_ratio(said, labels))
        with_judge.append(estimate_ratio(said, labels, judge=asked, answers=answers.take(labels.places)))
    assert held(with_judge, rate(truth)) >= 0.92
    widths = [np.mean(np.subtract(*ratio_intervals(each)[::-1])) for each in (plain, with_judge)]
    assert widths[1] < 0.9 * widths[0]


@st.composite
def drawn(draw: st.DrawFn) -> tuple[Values, Values, Sample]:
    """Verdicts, truth, and a sample of it with any probabilities."""
    size = draw(st.integers(1, 40))
    truth, said = (values(draw(st.text("cpa-", min_size=size, max_size=size))) for _ in range(2))
    places = sorted(draw(st.sets(st.integers(0, size - 1), min_size=1)))
    chances = draw(st.lists(st.floats(0.01, 1), min_size=len(places), max_size=len(places)))
    at = np.array(places)
    return said, truth, Sample(at, truth.take(at), np.array(chances))


@given(drawn())
def test_rate_lies_in_its_interval_within_zero_and_one(case: tuple[Values, Values, Sample]):
    """Whatever is labelled, 0 ≤ low ≤ rate ≤ high ≤ 1; and no bound is impossible given the labels."""
    said, truth, sample = case
    found = estimate_ratio(said, sample)
    low, high = (float(ends[0]) for ends in ratio_intervals([found]))
    if np.isnan(found.rate):
        assert not sample.found.judged.any()
        return
    assert 0 <= low <= found.rate <= high <= 1
    assert 0 <= found.judged <= len(truth) + 1e-9
    assert found.least - 1e-12 <= low
    assert high <= found.most + 1e-12


@given(drawn())
def test_labels_of_everything_are_exact(case: tuple[Values, Values, Sample]):
    """With every use labelled the rate is the true one, without any width, whatever the rules said."""
    said, truth, _ = case
    found = estimate_ratio(said, simple(truth, list(range(len(truth)))))
    if truth.judged.any():
        assert found.rate == pytest.approx(rate(truth))
        assert ratio_intervals([found]).low[0] == ratio_intervals([found]).high[0] == found.rate


@given(st.integers(0, 200))
def test_perfect_predictions_shrink_the_interval(seed: int):
    """Verdicts that are right make the interval narrower than verdicts that say nothing."""
    truth, _ = population(seed)
    sample = simple(truth, np.random.default_rng(seed).choice(600, 60, replace=False).tolist())
    nothing = Values(np.zeros(600), np.ones(600))
    (low, worse_low), (high, worse_high) = ratio_intervals(
        [estimate_ratio(truth, sample), estimate_ratio(nothing, sample)]
    )
    assert high - low < worse_high - worse_low


@pytest.mark.parametrize(
    ("population", "labels", "more"), [(np.inf, 50, 150), (100, 100, 0), (200, 50, 65), (60, 50, 8)]
)
def test_labels_to_halve(population: float, labels: int, more: int):
    """Four times as many in all, fewer where the population is small: 1/n - 1/N becomes a quarter."""
    assert labels_to_halve(labels, population=population) == more


def test_impossible_input_is_refused():
    """No labels, more labels than uses, a probability of 0, a level of 1, labels that the judge did not see."""
    truth = values("ca")
    with pytest.raises(InputError, match="no use is labelled"):
        estimate_ratio(truth, simple(truth, []))
    with pytest.raises(InputError, match="3 uses are labelled of 2"):
        estimate_ratio(truth, Sample(np.array([0, 1, 1]), values("caa"), np.ones(3)))
    with pytest.raises(InputError, match=r"probability is 0\.0"):
        estimate_ratio(truth, Sample(np.array([0]), values("c"), np.zeros(1)))
    with pytest.raises(InputError, match="level is 1"):
        ratio_intervals([], level=1)
    with pytest.raises(InputError, match="no answer of the judge"):
        estimate_ratio(truth, simple(truth, [0]), judge=simple(truth, [0]))
    with pytest.raises(InputError, match="0 labels"):
        labels_to_halve(0)
