"""What further labels would bring."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.analysis.intervals import Counts, score_interval
from skilltune.analysis.precision_outlook import half_width_after, more_to_halve

COUNTS = st.integers(1, 200).flatmap(lambda labelled: st.tuples(st.integers(0, labelled), st.just(labelled)))


def width(right: int, labelled: int) -> float:
    """Width of the interval that is shown."""
    low, high = score_interval(Counts.of([right], [0], [labelled - right]))
    return float(high[0] - low[0])


@given(COUNTS)
def test_without_more_labels_it_is_the_interval_shown(counts: tuple[int, int]):
    """Both ways to the Wilson interval agree."""
    right, labelled = counts
    assert half_width_after(right, labelled, more=0) == pytest.approx(width(right, labelled) / 2, abs=1e-9)


@given(COUNTS)
def test_as_many_more_as_told_halve_it_and_one_less_does_not(counts: tuple[int, int]):
    """The smallest number for which it holds."""
    right, labelled = counts
    more = more_to_halve(right, labelled)
    assert more is not None
    goal = width(right, labelled) / 2
    assert 2 * half_width_after(right, labelled, more=more) <= goal + 1e-9
    assert 2 * half_width_after(right, labelled, more=more - 1) > goal - 1e-9


def test_nobody_is_told_to_label_for_ever():
    """A number beyond all labelling is none."""
    assert more_to_halve(40_000, 80_000) is None
