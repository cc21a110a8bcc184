"""Stamps and counts of any kind."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.sources.opencode.values import as_count, as_moment, as_text, as_usage

MOMENT = datetime(2026, 1, 5, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "stamp",
    [
        1767607200,
        1767607200.0,
        1767607200000,
        1767607200_000_000,
        1767607200_000_000_000,
        "1767607200000",
        "2026-01-05T10:00:00Z",
        "2026-01-05T19:00:00+09:00",
        "2026-01-05 10:00:00",
    ],
)
def test_moment_is_told_by_the_size_of_its_stamp(stamp):
    """Seconds, milliseconds, microseconds, nanoseconds and ISO dates are the same moment; naive ones are UTC."""
    assert as_moment(stamp) == MOMENT


@pytest.mark.parametrize(
    "stamp", [None, 0, -1, True, "", "0", "soon", [], {}, float("nan"), float("inf"), 1e25, "9" * 500]
)
def test_moment_that_is_missing_stays_missing(stamp):
    """What is no stamp is no moment, and never 1970."""
    assert as_moment(stamp) is None


@given(st.integers() | st.floats() | st.text() | st.none() | st.lists(st.integers()))
def test_values_take_anything(value):
    """Whatever a field holds, nothing is raised, and a count is none below zero."""
    moment = as_moment(value)
    assert moment is None or moment.tzinfo is not None
    assert as_count(value) >= 0
    assert isinstance(as_text(value), str)
    usage = as_usage({"input": value, "cache": value, "output": value})
    assert usage is None or usage.input_tokens + usage.output_tokens > 0
