"""Record types as tables."""

from datetime import UTC, datetime, timedelta, timezone
from typing import get_args

import pandas as pd
import pytest

from skilltune.errors import FrameError, InputError
from skilltune.frames import check_frame, columns, empty_frame, to_frame
from skilltune.records import Dimension, EventOutcome, FeedbackEvent, Invocation, Turn
from tests.analysis.invented import AS_OF, event, judged, table, use

RECORDS = pytest.mark.parametrize("record", [FeedbackEvent, Invocation, Turn])


@RECORDS
def test_empty_frame_keeps_columns(record: type) -> None:
    """A table without rows has every field of the record as column, in order."""
    frame = empty_frame(record)
    assert frame.columns.tolist() == list(columns(record))
    assert len(frame) == 0


def test_frame_dtypes_do_not_depend_on_rows() -> None:
    """A table has the same dtypes empty, with values, and with all that can be missing missing."""
    bare = event(at=None, dimension_hint=None, attribution=None)
    full = event("correction", agent="codex", channel="message", p_negative=0.5, correction_type="redo")
    expected = empty_frame(FeedbackEvent).dtypes.to_dict()
    for rows in ([bare], [full], [bare, full]):
        assert to_frame(rows, FeedbackEvent).dtypes.to_dict() == expected
    invocation = empty_frame(Invocation).dtypes.to_dict()
    for installed in (None, True, False):
        assert to_frame([use(installed=installed)], Invocation).dtypes.to_dict() == invocation


def test_frame_dtypes() -> None:
    """Text is str, times are microseconds in UTC, vocabularies categories with all of their words."""
    frame = table(judged(1, 0, 1))
    assert frame["skill_id"].dtype == "str"
    assert frame["timestamp"].dtype == "datetime64[us, UTC]"
    assert frame["outcome"].cat.categories.tolist() == list(get_args(EventOutcome))
    assert frame["dimension_hint"].cat.categories.tolist() == list(get_args(Dimension))
    assert [frame[name].dtype for name in ("turns_to_feedback", "confidence", "interrupted")] == [
        "int64",
        "float64",
        "bool",
    ]
    assert to_frame([use(installed=None)], Invocation)["installed"].dtype == "boolean"


def test_frame_keeps_values_and_order() -> None:
    """Rows stay in the order given; missing values stay missing; tuples stay tuples."""
    frame = to_frame([event(skill="b", ai_tools_used=("Edit", "Read")), event(skill="a", at=None)], FeedbackEvent)
    assert frame["skill_id"].tolist() == ["b", "a"]
    assert frame["ai_tools_used"].iloc[0] == ("Edit", "Read")
    assert frame["timestamp"].isna().tolist() == [False, True]
    assert frame["correction_type"].isna().all()


def test_frame_times_are_one_zone() -> None:
    """Times of different offsets are the same moments in UTC, to the microsecond."""
    moment = datetime(2026, 11, 20, 2, 0, 0, 123456, tzinfo=UTC)
    rows = [event(at=moment), event(at=moment.astimezone(timezone(timedelta(hours=8))))]
    assert to_frame(rows, FeedbackEvent)["timestamp"].tolist() == [moment, moment]


def test_frame_takes_any_iterable() -> None:
    """A generator of records will do."""
    assert len(to_frame((event() for _ in range(3)), FeedbackEvent)) == 3


def test_frame_refuses_unknown_words() -> None:
    """A word outside the vocabulary is named, before a category could turn it into a missing value."""
    with pytest.raises(FrameError, match=r"'great' is not one of correction, partial, acceptance"):
        to_frame([event("great")], FeedbackEvent)


def test_check_frame_names_what_is_missing() -> None:
    """A missing column is named with the record, and what there is."""
    with pytest.raises(FrameError, match=r"lacks the column 'outcome' of FeedbackEvent; it has skill_id"):
        check_frame(pd.DataFrame({"skill_id": ["a"]}), FeedbackEvent, needs=("skill_id", "outcome"))
    with pytest.raises(InputError, match="it has none"):
        check_frame(pd.DataFrame(), FeedbackEvent, needs=("outcome",))


@pytest.mark.parametrize("dtype", ["str", "object", "category"])
def test_check_frame_knows_words(dtype: str) -> None:
    """Words of the vocabulary pass in any dtype, missing ones too; others are named, unless nobody asked for them."""
    good = pd.DataFrame({"outcome": pd.Series(["correction", None], dtype=dtype)})
    check_frame(good, FeedbackEvent, needs=("outcome",))
    odd = pd.DataFrame({"outcome": pd.Series(["correction", "great"], dtype=dtype), "channel": ["pigeon", "pigeon"]})
    with pytest.raises(FrameError, match=r"column 'outcome' holds 'great'; known words are correction"):
        check_frame(odd, FeedbackEvent, needs=("outcome",))
    check_frame(odd.assign(outcome="partial"), FeedbackEvent, needs=("outcome",))


def test_check_frame_looks_at_rows_not_at_categories() -> None:
    """A category that no row has does no harm."""
    frame = pd.DataFrame({"outcome": pd.Categorical(["partial"], categories=["partial", "great"])})
    check_frame(frame, FeedbackEvent, needs=("outcome",))


def test_check_frame_welcomes_more() -> None:
    """Extra columns and any order of rows and columns pass."""
    frame = table(judged(2, 1, 3)).sample(frac=1, random_state=1).assign(note="x")
    check_frame(frame[frame.columns[::-1]], FeedbackEvent, needs=tuple(columns(FeedbackEvent)))
    assert frame["timestamp"].iloc[0] == AS_OF
