"""Drift against a baseline: net, path, what is left, and where it is not known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import InputError
from skilltune.evolution.drift import measure_drift, tenths
from skilltune.evolution.refusals import TextTooLongError
from skilltune.evolution.textdiff import Measure
from tests.evolution.test_textdiff import TEXTS

BASE = "warm the pot and pour the tea into two cups"


@pytest.mark.parametrize(
    ("changed", "shown", "reached"), [(5994, 59.9, False), (5995, 60.0, True), (5999, 60.0, True), (6000, 60.0, True)]
)
def test_drift_rounds_half_up_and_is_reached_at_the_limit(changed, shown, reached):
    """59.95 % counts as 60.0 %, which reaches the limit."""
    assert tenths(Measure(changed, 0, 10_000, 0).percent) == shown
    baseline = "x" * 9_999 + " "
    found = measure_drift(baseline + "y" * changed, baseline=baseline)
    assert (found.percent, found.exceeded, found.status == "exceeded") == (shown, reached, reached)


def test_drift_of_a_change_and_its_reversal_is_nothing_but_a_path():
    """Net drift is 0 where the body is back; the path keeps both steps."""
    found = measure_drift(BASE, baseline=BASE, versions=[BASE.replace("warm", "rinse"), BASE])
    assert (found.percent, found.retained, found.edit_ratio) == (0.0, 1.0, 0.0)
    assert found.path_percent == tenths(Measure(18, 0, len(BASE), 0).percent)
    assert found.average_percent == tenths(Measure(9, 0, len(BASE), 0).percent)


def test_drift_estimates_what_is_left():
    """What remains to the limit, divided by the average step, rounded down."""
    found = measure_drift(BASE.replace("warm", "rinse"), baseline=BASE)
    assert found.percent == 20.9
    assert found.remaining_percent == pytest.approx(39.1)
    assert found.refinements_remaining == 1


def test_drift_without_history_has_no_estimate():
    """A body that never changed has no average."""
    found = measure_drift(BASE, baseline=BASE)
    assert (found.average_percent, found.refinements_remaining, found.remaining_percent) == (None, None, 60.0)


def test_drift_looks_at_the_projected_body_too():
    """The body now may be within bounds while the one to come is not."""
    found = measure_drift(BASE, baseline=BASE, projected="pour it")
    assert (found.percent, found.status, found.exceeded) == (0.0, "within_bounds", True)
    assert found.projected_percent > 60


def test_drift_without_a_baseline_is_missing_and_not_zero():
    """No baseline and an empty baseline give no figure, with a note."""
    missing = measure_drift(BASE, baseline=None)
    assert (missing.percent, missing.status, missing.exceeded) == (None, "no_baseline", False)
    empty = measure_drift(BASE, baseline="")
    assert (empty.percent, empty.status, empty.exceeded) == (None, "undefined", False)
    assert "empty" in empty.note


def test_drift_limit_can_be_set_and_is_checked():
    """A limit of one's own is compared as it is written; a senseless one is refused; a long body by name."""
    assert measure_drift(BASE.replace("warm", "rinse"), baseline=BASE, limit_percent=20.9).exceeded
    assert not measure_drift(BASE.replace("warm", "rinse"), baseline=BASE, limit_percent=21).exceeded
    with pytest.raises(InputError, match="limit_percent is 0"):
        measure_drift(BASE, baseline=BASE, limit_percent=0)
    with pytest.raises(TextTooLongError, match="the body has"):
        measure_drift("a " * 100_001, baseline=BASE)


@given(TEXTS.filter(str.strip), st.lists(TEXTS, max_size=4), TEXTS)
def test_drift_figures_stay_in_their_ranges(baseline, versions, body):
    """Ratios lie between 0 and 1, percentages are never negative, a figure is there whenever there is a baseline."""
    found = measure_drift(body, baseline=baseline, versions=versions)
    assert 0 <= found.edit_ratio <= 1
    assert 0 <= found.retained <= 1
    assert min(found.percent, found.path_percent, found.remaining_percent) >= 0


@pytest.mark.parametrize("blank", ["", "\n", " \n\t"])
def test_drift_from_blanks_is_not_defined(blank):
    """From a text without a word every text is infinitely far; that is said, and is no figure."""
    found = measure_drift("Use tabs.", baseline=blank)
    assert (found.percent, found.status, found.exceeded) == (None, "undefined", False)
    assert found.note == "the baseline is empty: drift is not defined"
