"""Scores, overrides and their reasons, per skill and window."""

from datetime import timedelta

import pandas as pd
import pytest

from skilltune.analysis.ratings import override_reasons, skill_ratings
from skilltune.errors import FrameError, InputError
from tests.analysis.invented import AS_OF, use, uses

COLUMNS = ["skill_id", "mean_score", "n_ratings", "overrides", "n_invocations", "override_rate", "low", "high"]


def ledger(*rows: tuple) -> pd.DataFrame:
    """Rows of kind, skill, days ago, score or reason."""
    frame = pd.DataFrame(
        [
            {
                "type": kind,
                "skill_id": skill,
                "timestamp": AS_OF - timedelta(days=ago),
                "score": value if kind == "rating" else None,
                "reason": value if kind == "override" else "",
                "retracted": False,
            }
            for kind, skill, ago, value in rows
        ],
        columns=["type", "skill_id", "timestamp", "score", "reason", "retracted"],
    )
    return frame.assign(timestamp=pd.to_datetime(frame["timestamp"], utc=True), score=frame["score"].astype("float64"))


LEDGER = ledger(
    ("rating", "a", 1, 4),
    ("rating", "a", 2, 5),
    ("override", "a", 3, "too long"),
    ("override", "b", 4, "wrong  tone"),
    ("override", "b", 5, "wrong tone"),
    ("override", "b", 6, ""),
    ("rating", "c", 7, 1),
    ("correction", "d", 7, None),
    ("rating", "a", 40, 1),
)
USES = uses(*(use(skill="a") for _ in range(10)), use(skill="a", failed="refused"), use(skill="b"))


def test_scores_and_override_rates():
    """Mean with n, overrides ÷ uses with Wilson's interval, failed calls left out, highest rate first."""
    seen = USES.assign(timestamp=pd.to_datetime(AS_OF - timedelta(days=1)))
    told = skill_ratings(LEDGER, as_of=AS_OF, invocations=seen)
    assert told.columns.tolist() == COLUMNS
    assert told[["skill_id", "n_ratings", "overrides", "n_invocations"]].to_numpy().tolist() == [
        ["a", 2, 1, 10],
        ["c", 1, 0, 0],
        ["b", 0, 3, 1],
    ]
    assert told["mean_score"].fillna(-1).tolist() == [4.5, 1, -1]
    assert told.loc[0, ["override_rate", "low", "high"]].round(3).tolist() == [0.1, 0.018, 0.404]
    assert told.loc[1:, ["override_rate", "low", "high"]].isna().all(axis=None)


def test_windows_are_half_open():
    """The last days up to, not with, `as_of`; or all time; later rows do not exist."""
    assert skill_ratings(LEDGER, as_of=AS_OF, days=None).set_index("skill_id").loc["a", "n_ratings"] == 3
    assert skill_ratings(LEDGER, as_of=AS_OF, days=2)["skill_id"].tolist() == ["a"]
    assert skill_ratings(LEDGER, as_of=AS_OF - timedelta(days=20), days=1).empty
    assert skill_ratings(ledger(("rating", "a", 0, 4)), as_of=AS_OF).empty
    assert skill_ratings(LEDGER, as_of=AS_OF, skill_id="c")["skill_id"].tolist() == ["c"]


def test_reasons_are_counted_by_their_words():
    """White space folds; one without words stands as such."""
    told = override_reasons(LEDGER, as_of=AS_OF)
    assert told[["skill_id", "reason", "times"]].to_numpy().tolist() == [
        ["a", "too long", 1],
        ["b", "wrong tone", 2],
        ["b", "", 1],
    ]
    assert told["last"].iloc[1] == AS_OF - timedelta(days=4)


def test_taken_back_does_not_count():
    """A retracted rating or override is none."""
    gone = LEDGER.assign(retracted=True)
    assert skill_ratings(gone, as_of=AS_OF).empty
    assert override_reasons(gone, as_of=AS_OF).empty


@pytest.mark.parametrize("metric", [skill_ratings, override_reasons])
def test_any_order_and_nothing_at_all(metric):
    """Shuffled rows give the same table; an empty ledger an empty one of the same columns and kinds."""
    told = metric(LEDGER, as_of=AS_OF)
    pd.testing.assert_frame_equal(metric(LEDGER.sample(frac=1, random_state=1), as_of=AS_OF), told)
    none = metric(LEDGER.iloc[:0], as_of=AS_OF)
    assert none.dtypes.to_dict() == told.dtypes.to_dict()
    assert none.empty


def test_odd_arguments_are_refused():
    """The missing column and the odd number are named."""
    with pytest.raises(FrameError, match="'score'"):
        skill_ratings(LEDGER.drop(columns="score"), as_of=AS_OF)
    with pytest.raises(InputError, match="days is 0"):
        skill_ratings(LEDGER, as_of=AS_OF, days=0)
