"""Precision, recall, F1, kappa, calibration and attribution against numbers worked by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.training.figures import (
    GROUPS,
    attribution,
    calibration_curve,
    confusion,
    quality,
    reader_agreement,
)
from tests.training.invented import make_judged

OUTCOMES = ("correction", "partial", "acceptance", "none")
EMPTY = {"rate": None, "k": 0, "n": 0, "low": None, "high": None}


def pairs(*told, spread=True):
    """Verdicts of (truth, said, how many); each in a session of its own, or all in one."""
    found = [(truth, said) for truth, said, number in told for _ in range(number)]
    return [make_judged(truth, said, session=f"s{at if spread else 0}") for at, (truth, said) in enumerate(found)]


def test_quality_by_hand():
    """Of 8 true complaints 6 are found, with 3 wrong ones: precision 6/9, recall 6/8, F1 12/17."""
    found = quality(
        pairs(
            ("correction", "correction", 4),
            ("correction", "partial", 1),
            ("partial", "correction", 1),
            ("correction", "none", 2),
            ("none", "correction", 2),
            ("acceptance", "partial", 1),
            ("none", "none", 9),
            ("acceptance", "acceptance", 5),
        ),
        "negative",
    )
    assert {name: (one["k"], one["n"]) for name, one in found.items()} == {
        "precision": (6, 9),
        "recall": (6, 8),
        "f1": (12, 17),
    }
    assert [found[name]["rate"] for name in ("precision", "recall", "f1")] == [0.6667, 0.75, 0.7059]
    assert all(one["low"] < one["rate"] < one["high"] for one in found.values())


def test_quality_tells_kinds_of_complaints_apart():
    """A partial called a correction is a hit among complaints, and a miss among partials."""
    judged = pairs(("partial", "correction", 1), ("partial", "partial", 1), ("none", "none", 1))
    assert quality(judged, "negative")["f1"]["rate"] == 1.0
    assert (quality(judged, "partial")["recall"]["k"], quality(judged, "partial")["recall"]["n"]) == (1, 2)
    assert (quality(judged, "correction")["precision"]["k"], quality(judged, "correction")["precision"]["n"]) == (0, 1)
    assert set(GROUPS) == {"negative", "correction", "partial", "acceptance"}


def test_quality_against_the_second_reader():
    """Against the second reader only turns that have one count, by what that reader says."""
    judged = [
        make_judged("correction", "correction", second="none", session="a"),
        make_judged("none", "correction", second="partial", session="b"),
        make_judged("correction", "correction", session="c"),
    ]
    assert quality(judged, "negative", second=True)["precision"]["k"] == 1
    assert quality(judged, "negative", second=True)["precision"]["n"] == 2


def test_quality_of_another_verdict():
    """What is scored can be named: the rules' verdict instead of the model's."""
    judged = [make_judged("correction", "none", rules="correction"), make_judged("none", "correction", session="b")]
    found = quality(judged, "negative", said=lambda row: row.by_rules)
    assert found["f1"]["rate"] == 1.0


@pytest.mark.parametrize("judged", [[], pairs(("none", "none", 5))])
def test_quality_of_nothing_is_not_known(judged):
    """Where nothing is said and nothing is true there is no share and no interval."""
    assert quality(judged, "negative") == {"precision": EMPTY, "recall": EMPTY, "f1": EMPTY}


def test_quality_intervals_are_the_same_each_time():
    """Intervals are drawn with a fixed seed, and do not depend on the order of the turns."""
    judged = pairs(("correction", "correction", 20), ("correction", "none", 11), ("none", "correction", 7))
    assert quality(judged, "negative") == quality(judged, "negative") == quality(judged[::-1], "negative")


def test_quality_intervals_are_those_of_a_bootstrap_over_sessions():
    """For a recall of 20 of 30, each its own session, the interval is that of the binomial, give or take a draw."""
    found = quality(pairs(("correction", "correction", 20), ("correction", "none", 10)), "negative")["recall"]
    draws = np.random.default_rng(9).binomial(30, 2 / 3, 20_000) / 30
    assert found["low"] == pytest.approx(np.percentile(draws, 2.5), abs=0.04)
    assert found["high"] == pytest.approx(np.percentile(draws, 97.5), abs=0.04)


def test_quality_intervals_are_wider_where_turns_share_sessions():
    """Turns of one session are not independent: in few sessions the same counts have a wider interval."""
    apart = pairs(("correction", "correction", 20), ("correction", "none", 20))
    together = [replace(one, turn=replace(one.turn, session=f"s{at // 10}")) for at, one in enumerate(apart)]
    wide, narrow = (quality(judged, "negative")["recall"] for judged in (together, apart))
    assert wide["high"] - wide["low"] > 1.5 * (narrow["high"] - narrow["low"])
    single = quality(pairs(("correction", "correction", 3), ("correction", "none", 1), spread=False), "negative")
    assert single["recall"]["low"] == single["recall"]["high"] == 0.75


@given(st.lists(st.tuples(st.sampled_from(OUTCOMES), st.sampled_from(OUTCOMES), st.integers(0, 5)), max_size=30))
def test_quality_counts_agree_with_the_confusion(told):
    """Counts of every group are sums over the table of confusion; shares lie within 0 and 1."""
    judged = [make_judged(truth, said, session=f"s{session}") for truth, said, session in told]
    table = confusion(judged)
    assert sum(sum(row.values()) for row in table.values()) == len(told)
    for group, classes in GROUPS.items():
        found = quality(judged, group)
        assert found["precision"]["k"] == sum(table[one][two] for one in classes for two in classes)
        assert found["precision"]["n"] == sum(table[truth][two] for truth in OUTCOMES for two in classes)
        assert found["recall"]["n"] == sum(table[one][said] for one in classes for said in OUTCOMES)
        for share in found.values():
            assert share["rate"] is None or 0 <= share["low"] <= share["high"] <= 1


def test_confusion_has_every_pair():
    """The table has a row for each label and a column for each verdict, zeros included."""
    table = confusion([make_judged("partial", "correction"), make_judged("partial", "correction")])
    assert table["partial"]["correction"] == 2
    assert sum(sum(row.values()) for row in table.values()) == 2
    assert [tuple(row) for row in table.values()] == [OUTCOMES] * 4


def test_reader_agreement_by_hand():
    """20 + 15 + 5 of 50 agree: 0.8; by chance 0.4; kappa (0.8 - 0.4) / 0.6 = 0.6667; F1 of complaints 30/38."""
    told = (
        ("none", "none", 20),
        ("correction", "correction", 15),
        ("acceptance", "acceptance", 5),
        ("none", "correction", 4),
        ("correction", "none", 4),
        ("acceptance", "none", 2),
    )
    judged = [make_judged(one, "none", second=two) for one, two, number in told for _ in range(number)]
    # first reader: 24 none, 19 correction, 7 acceptance; second: 26, 19, 5; chance (624 + 361 + 35) / 2500 = 0.408
    assert reader_agreement([*judged, make_judged("none", "none")]) == {
        "turns": 50,
        "agreement": 0.8,
        "kappa": round((0.8 - 0.408) / (1 - 0.408), 4),
        "negative_f1": round(30 / 38, 4),
    }


def test_reader_agreement_takes_both_kinds_of_complaints_for_one():
    """A correction for one reader and a partial for the other are a complaint for both, but no agreement."""
    found = reader_agreement(
        [make_judged("correction", "none", second="partial"), make_judged("none", "x", second="none")]
    )
    assert (found["agreement"], found["negative_f1"]) == (0.5, 1.0)


@pytest.mark.parametrize(("judged", "agreement"), [([], None), ([make_judged("none", "none", second="none")] * 3, 1.0)])
def test_reader_agreement_of_nothing_to_tell_apart(judged, agreement):
    """Without a second reader, or with one class for both, what cannot be told is not known."""
    expected = {"turns": len(judged), "agreement": agreement, "kappa": None, "negative_f1": None}
    assert reader_agreement(judged) == expected


def test_calibration_curve_by_hand():
    """Bins hold their lower edge and not the upper, but the last holds 1, too; empty ones are left out."""
    rows = [(0.0, "none"), (0.09, "correction"), (0.1, "none"), (0.8, "correction"), (1.0, "none")]
    judged = [make_judged(truth, "none", negative=chance) for chance, truth in rows]
    assert calibration_curve(judged, "negative") == [
        {"low": 0.0, "high": 0.1, "mean": 0.045, "observed": 0.5, "n": 2},
        {"low": 0.1, "high": 0.2, "mean": 0.1, "observed": 0.0, "n": 1},
        {"low": 0.75, "high": 1.0, "mean": 0.9, "observed": 0.5, "n": 2},
    ]
    (only,) = calibration_curve([make_judged("acceptance", "none", acceptance=0.5, negative=0.0)], "acceptance")
    assert (only["mean"], only["observed"]) == (0.5, 1.0)


@given(st.lists(st.floats(0, 1), max_size=50))
def test_calibration_curve_loses_no_turn(chances):
    """Every probability from 0 to 1 is in one bin."""
    judged = [make_judged("none", "none", negative=chance) for chance in chances]
    assert sum(one["n"] for one in calibration_curve(judged, "negative")) == len(chances)


def test_attribution_by_hand():
    """By window: complaints about the skill that are found, of all there are, and what the verdicts are about."""

    def after(turns, truth, said, about):
        return make_judged(truth, said, turn_after_skill=turns, about_skill=about)

    judged = [
        after(1, "correction", "correction", "yes"),
        after(1, "none", "correction", "no"),
        after(2, "partial", "correction", "yes"),
        after(3, "correction", "none", "yes"),
        after(4, "correction", "correction", "no"),
        after(6, "correction", "correction", "yes"),
        after(1, "none", "none", "yes"),
        make_judged("correction", "correction"),
    ]
    assert attribution(judged) == [
        {"turns": 1, "found": 1, "of": 4, "said": 2, "about_the_skill": 1},
        {"turns": 3, "found": 2, "of": 4, "said": 3, "about_the_skill": 2},
        {"turns": 5, "found": 2, "of": 4, "said": 4, "about_the_skill": 2},
    ]
