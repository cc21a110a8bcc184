"""Arguments that metrics share: each metric refuses what makes no sense, in the same words."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from skilltune.analysis.arguments import check_arguments
from skilltune.analysis.catalogue import Metric, find_metrics
from skilltune.errors import FrameError, InputError
from tests.analysis.invented import AS_OF, history

METRICS = find_metrics()
NAN = float("nan")
WRONG = [
    *(("min_invocations", value, "give a whole number from 0") for value in (-1, NAN, 2.5, "5", True)),
    *(("days", value, "give a whole number from 1 to 36,525") for value in (0, NAN, "30", 10**9)),
    *(("weeks", value, "give a whole number from 1 to 5,200") for value in (0, NAN, "3", 10**9)),
    *(("seed", value, "give a whole number from 0") for value in (-1, "x")),
    *(("attribution", value, "give a list of direct, likely, weak") for value in (["bogus"], "direct", 5)),
    *(("false_discovery_rate", value, "give a share from 0 to 1") for value in (NAN, -0.1, 2, "x")),
    *(("as_of", value, "write it as 2026-11-30") for value in ([1], 5, "0001-01-01", pd.NaT)),
    *(("since", value, "2026-11-30|earlier") for value in ([1], "garbage", "2027-06-01")),
]


@pytest.mark.parametrize(("name", "value", "told"), WRONG)
def test_wrong_argument_is_named_by_every_metric(name: str, value: Any, told: str) -> None:
    """With its value and what it may be, by each metric that has the argument."""
    events, asked = history(), [metric for metric in METRICS if name in metric.options]
    assert asked
    for metric in asked:
        with pytest.raises(InputError, match=rf"^{name} (is|has) .*({told})"):
            metric.function(events, **{"as_of": AS_OF, name: value})


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_what_is_no_table_is_named(metric: Metric) -> None:
    """A list, or nothing, in place of the events: the error says where tables come from."""
    for events in ([1], None):
        with pytest.raises(FrameError, match=rf"a {type(events).__name__} is no table of FeedbackEvent; .*read_events"):
            metric.function(events, as_of=AS_OF)
    with pytest.raises(FrameError, match="timestamp"):
        metric.function(history().assign(timestamp="garbage"), as_of=AS_OF)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_stamps_at_the_ends_of_the_calendar_break_nothing(metric: Metric) -> None:
    """Rows of the years 1 and 9999 count as undated ones do, in weeks of a zone west of UTC, too."""
    events = history()
    stamps = events["timestamp"].dt.tz_localize(None).to_numpy(dtype="datetime64[us]").copy()
    undated = stamps.copy()
    stamps[:2], undated[:2] = np.array(["0001-01-01", "9999-12-31"], dtype="datetime64[us]"), np.datetime64("NaT", "us")
    options = {"time_zone": "America/New_York"} if "time_zone" in metric.options else {}
    tables = [
        metric.function(events.assign(timestamp=pd.DatetimeIndex(column, tz="UTC")), as_of=AS_OF, **options)
        for column in (stamps, undated)
    ]
    pd.testing.assert_frame_equal(*tables)


def test_numbers_of_numpy_are_numbers() -> None:
    """As they come out of a table."""
    check_arguments(min_invocations=np.int64(5), days=np.float64(30), seed=np.uint8(1), attribution=("direct", "weak"))
    with pytest.raises(InputError, match=re.escape("…")):
        check_arguments(seed="x" * 500)
