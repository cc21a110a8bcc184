"""Corrected rates with a judge between rules and people: right on average, whatever it was asked about."""

import numpy as np
import pandas as pd
import pytest

from skilltune.analysis.corrected import corrected_rate

SIZE = 900
DRAWS = 300
TRUTH = np.random.default_rng(7).permutation(np.repeat([0, 1, 2], [250, 350, 300]))
"""Corrections, acceptances, none."""


def taken_for(share: float, *, seed: int) -> np.ndarray:
    """The truth as somebody sees it who is right in this share of the uses, and else says none."""
    return np.where(np.random.default_rng(seed).random(SIZE) < share, TRUTH, 2)


WORDS = np.array(["correction", "acceptance", "none"])
RATE = 250 / 600


EASY = np.random.default_rng(3).random(SIZE) < np.where(TRUTH == 0, 0.25, 0.75)
"""What is drawn by; there are fewer corrections among these, and the judge is much better at them."""
RULES = taken_for(0.55, seed=1)
JUDGE = np.where(EASY, taken_for(0.97, seed=2), np.where(np.random.default_rng(4).random(SIZE) < 0.45, TRUTH, 1))
USES = pd.DataFrame({"event_id": np.arange(SIZE), "outcome": WORDS[RULES]})


def drawn(random: np.random.Generator, shares: tuple[float, float]) -> pd.Series:
    """The chance of each use drawn, by stratum without replacement."""
    found = {}
    for stratum, share in zip((EASY, ~EASY), shares, strict=True):
        places = np.flatnonzero(stratum)
        size = round(share * len(places))
        found |= dict.fromkeys(random.choice(places, size, replace=False), size / len(places))
    return pd.Series(found)


def table(chances: pd.Series, said: np.ndarray) -> pd.DataFrame:
    """Labelled uses, as from ``labelling.labelled_uses``."""
    return pd.DataFrame({"event_id": chances.index, "outcome": WORDS[said[chances.index]], "probability": chances})


def asked_about_the_labelled(random: np.random.Generator, labels: pd.Series) -> pd.Series:
    """A judge that was asked about all labelled uses, and left one in twenty of them out."""
    sample = drawn(random, (0.4, 0.25))
    rest = labels.index.difference(sample.index)
    kept = rest[random.random(len(rest)) < 0.95]
    return pd.concat([sample, pd.Series(np.nan, index=kept)])


def drawn_apart(random: np.random.Generator, _: pd.Series) -> pd.Series:
    """A judge that answered its own sample alone."""
    return drawn(random, (0.5, 0.9))


def half_labelled_later(random: np.random.Generator, labels: pd.Series) -> pd.Series:
    """A judge that was asked about the labelled uses when half of them were."""
    sample = drawn(random, (0.45, 0.95))
    before = random.choice(labels.index, len(labels) // 2, replace=False)
    return pd.concat([sample, pd.Series(np.nan, index=np.setdiff1d(before, sample.index))])


@pytest.mark.long
@pytest.mark.parametrize("asked", [asked_about_the_labelled, drawn_apart, half_labelled_later])
def test_two_levels_are_right_on_average_and_cover(asked):
    """However the judge came to its answers: no bias, and the interval holds the true rate about as often as told."""
    rates, held, used = [], 0, 0
    for seed in range(DRAWS):
        random = np.random.default_rng(seed)
        labels = drawn(random, (0.09, 0.06))
        row = corrected_rate(USES, table(labels, TRUTH), judged=table(asked(random, labels), JUDGE)).iloc[0]
        rates.append(row["corrected_rate"])
        held += row["low"] <= RATE <= row["high"]
        used += row["n_judged"] > 0
    assert used > DRAWS * 0.9
    assert abs(np.mean(rates) - RATE) < 3.5 * np.std(rates) / np.sqrt(DRAWS)
    assert held >= 0.92 * DRAWS


def test_labels_that_the_judge_hardly_answered_leave_it_out():
    """Few labelled uses among its answers check nothing: the labels alone make the figure, and the row says so."""
    random = np.random.default_rng(1)
    labels = drawn(random, (0.1, 0.1))
    judged = table(drawn(random, (0.2, 0.2)), JUDGE)
    row = corrected_rate(USES, table(labels, TRUTH), judged=judged).iloc[0]
    alone = corrected_rate(USES, table(labels, TRUTH)).iloc[0]
    assert row["n_judged"] == 0
    assert row["corrected_rate"] == alone["corrected_rate"]


def test_answers_to_all_uses_are_counted():
    """A judge of all uses stands in for the rules; where all uses are labelled nothing rests on it."""
    labels = drawn(np.random.default_rng(2), (0.1, 0.1))
    everywhere = table(pd.Series(np.nan, index=np.arange(SIZE)), JUDGE)
    assert corrected_rate(USES, table(labels, TRUTH), judged=everywhere)["n_judged"].iloc[0] == SIZE
    every = table(pd.Series(1.0, index=np.arange(SIZE)), TRUTH)
    row = corrected_rate(USES, every, judged=everywhere).iloc[0]
    assert (row["n_judged"], row["corrected_rate"]) == (0, pytest.approx(RATE))
