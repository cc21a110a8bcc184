"""How well a judge answers, measured on a person's labels."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltune.errors import FrameError, InputError
from skilltune.judging.scoring import score_judge

WORDS = ["correction", "partial", "acceptance", "none"]


def _labels(pairs, *, judge="judge:mine", sessions=6, about=()):
    rows = []
    for number, (true, said) in enumerate(pairs):
        place = {"event_id": f"e{number}", "turn_id": f"t{number}", "session_id": f"s{number % sessions}"}
        ours, theirs = about[number] if number < len(about) else ("skill", "skill")
        rows += [
            place | {"outcome": true, "about": ours, "reader": "person"},
            place | {"outcome": said, "about": theirs, "reader": judge},
        ]
    return pd.DataFrame(rows)


def test_score_by_hand():
    """Agreement, kappa, precision and recall of complaints are those of the table of counts."""
    pairs = (
        [("correction", "correction")] * 8
        + [("correction", "none")] * 4
        + [("partial", "correction")] * 2
        + [("none", "correction")] * 5
        + [("none", "none")] * 16
        + [("acceptance", "acceptance")] * 5
    )
    (row,) = score_judge(_labels(pairs)).to_dict(orient="records")
    agreed = (8 + 16 + 5) / 40
    expected = (12 * 15 + 2 * 0 + 21 * 20 + 5 * 5) / 40**2
    assert row["scored"]
    assert (row["judge"], row["n_labels"], row["sessions"], row["reason"]) == ("mine", 40, 6, "")
    assert row["agreement"] == pytest.approx(agreed)
    assert row["kappa"] == pytest.approx((agreed - expected) / (1 - expected))
    assert (row["precision"], row["said"]) == (pytest.approx(10 / 15), 15)
    assert (row["recall"], row["found_of"]) == (pytest.approx(10 / 14), 14)
    for name in ("agreement", "kappa", "precision", "recall"):
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]


def test_score_tells_agreement_on_what_a_complaint_is_about():
    """Of the complaints both see, how many both hold to be about the skill or about something else."""
    pairs = [("correction", "correction")] * 4 + [("none", "none")] * 30
    about = [("skill", "skill"), ("other", "other"), ("skill", "other"), ("other", "skill")]
    (row,) = score_judge(_labels(pairs, about=about)).to_dict(orient="records")
    assert (row["about_agreement"], row["n_about"]) == (0.5, 4)


def test_score_needs_enough_labels():
    """With 29 turns a judge is not scored and says so; with 30 it is. Turns of one reader alone do not count."""
    pairs = [("none", "none")] * 30
    labels = _labels(pairs)
    row = score_judge(labels.iloc[:-1]).iloc[0]
    assert not row["scored"]
    assert "29 of the turns it answered are labelled by a person, 30 are needed" in row["reason"]
    assert "kept but not used" in row["reason"]
    assert score_judge(labels).iloc[0]["scored"]


def test_score_without_any_answer():
    """A judge that answered nothing has a row when it is asked for, and none otherwise."""
    labels = _labels([("none", "none")] * 3)
    row = score_judge(labels, judge="other").iloc[0]
    assert (row["n_labels"], row["scored"]) == (0, False)
    assert math.isnan(row["agreement"])
    assert len(score_judge(labels[labels["reader"] == "person"])) == 0
    assert len(score_judge(labels.iloc[:0])) == 0


def test_score_each_judge_by_itself():
    """Judges do not mix."""
    one = _labels([("none", "none")] * 30)
    two = _labels([("none", "correction")] * 30, judge="judge:other@small")
    table = score_judge(pd.concat([one, two[two["reader"] != "person"]]))
    assert table["judge"].tolist() == ["mine", "other@small"]
    assert table["agreement"].tolist() == [1.0, 0.0]
    assert math.isnan(table["kappa"].iloc[0]), "all alike by chance: kappa says nothing"


def test_score_kappa_interval_needs_two_sessions():
    """Turns of one session say nothing about the spread between sessions."""
    pairs = [("none", "none")] * 20 + [("correction", "correction")] * 20
    row = score_judge(_labels(pairs, sessions=1)).iloc[0]
    assert row["kappa"] == 1
    assert math.isnan(row["kappa_low"])


@pytest.mark.long
def test_score_kappa_interval_covers():
    """On sessions drawn at random the interval of kappa holds about as often as it says."""
    chance = np.random.default_rng(7)

    def draw(sessions):
        true = chance.choice(WORDS, size=sessions * 5, p=[0.2, 0.1, 0.2, 0.5])
        said = np.where(chance.random(sessions * 5) < 0.7, true, chance.choice(WORDS, size=sessions * 5))
        return _labels(list(zip(true, said, strict=True)), sessions=sessions)

    whole = score_judge(draw(4000)).iloc[0]["kappa"]
    rows = [score_judge(draw(20)).iloc[0] for _ in range(150)]
    held = np.mean([row["kappa_low"] <= whole <= row["kappa_high"] for row in rows])
    assert 0.88 <= held <= 0.99


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)), min_size=1, max_size=40), st.randoms())
def test_score_bounds_and_order(pairs, order):
    """Figures stay in their ranges, and the order of rows does not matter."""
    labels = _labels(pairs)
    table = score_judge(labels, judge="mine", min_labels=1)
    rows = list(range(len(labels)))
    order.shuffle(rows)
    pd.testing.assert_frame_equal(table, score_judge(labels.iloc[rows], judge="mine", min_labels=1))
    row = table.iloc[0]
    for name in ("agreement", "precision", "recall"):
        if not math.isnan(row[name]):
            assert 0 <= row[f"{name}_low"] <= row[name] <= row[f"{name}_high"] <= 1
    if not math.isnan(row["kappa"]):
        assert -1 <= row["kappa"] <= 1


def test_score_refuses_what_is_no_table_of_labels():
    """A missing column, an unknown word and a number below one are named."""
    labels = _labels([("none", "none")] * 3)
    with pytest.raises(FrameError, match="lacks the column 'reader'"):
        score_judge(labels.drop(columns="reader"))
    with pytest.raises(FrameError, match="holds 'angry'"):
        score_judge(labels.assign(outcome="angry"))
    with pytest.raises(InputError, match="min_labels is 0"):
        score_judge(labels, min_labels=0)
