"""Corrected rates as tables: own labels, pooled, transferred, refused; the quality of the verdicts."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.analysis.corrected import corrected_rate
from skilltune.analysis.corrected_summary import corrected_summary
from skilltune.analysis.judged_uses import COLUMNS
from skilltune.analysis.label_quality import outcome_quality, running_precision
from skilltune.analysis.transfer import transfer_corrected
from skilltune.errors import FrameError, InputError

OUTCOMES = ("correction", "partial", "acceptance", "none")
ELSEWHERE = {
    "correction": {"correction": 80, "none": 20},
    "acceptance": {"acceptance": 90, "none": 10},
    "none": {"none": 90, "correction": 10},
}


def invented(size: int = 400, *, seed: int = 1, labels: int = 80) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Uses of three skills, one of them rare, and labels of some of them drawn at random."""
    random = np.random.default_rng(seed)
    truth = random.choice(OUTCOMES, size, p=[0.2, 0.05, 0.3, 0.45])
    said = np.where(random.random(size) < 0.75, truth, random.choice(OUTCOMES, size, p=[0.1, 0, 0.2, 0.7]))
    uses = pd.DataFrame(
        {
            "event_id": [f"{number:04d}" for number in range(size)],
            "skill_id": random.choice(["docx", "commit", "rare"], size, p=[0.55, 0.4, 0.05]),
            "agent": random.choice(["claude-code", "codex"], size),
            "outcome": said,
            "explicit": random.random(size) < 0.5,
            "turns_seen": 1,
            "covered": True,
            "timestamp": pd.date_range("2026-10-01", periods=size, freq="h", tz="UTC"),
        }
    )
    chosen = np.sort(random.choice(size, labels, replace=False))
    labelled = uses.iloc[chosen][["event_id", "skill_id", "explicit"]].assign(
        outcome=truth[chosen],
        probability=labels / size,
        labelled_at=pd.date_range("2026-11-01", periods=labels, freq="min", tz="UTC"),
    )
    return uses, labelled


def only(table: pd.DataFrame) -> dict[str, Any]:
    """The one row of a table."""
    (row,) = table.to_dict("records")
    return row


def test_corrected_by_hand():
    """100 uses, half labelled: the verdicts miss 5 of 10 corrections, 25 acceptances are right; by hand."""
    said = ["correction"] * 10 + ["acceptance"] * 50 + ["none"] * 40
    truth = ["correction"] * 10 + ["acceptance"] * 50 + ["correction"] * 10 + ["none"] * 30
    uses = pd.DataFrame({"event_id": range(100), "outcome": said})
    labelled = uses.iloc[::2].assign(outcome=truth[::2], probability=0.5)
    row = only(corrected_rate(uses, labelled))
    # the sample has each kind in its true share, so the labels' own rate, 10 / 35, is left as it is
    assert row["raw_rate"] == pytest.approx(10 / 60)
    assert row["corrected_rate"] == pytest.approx(20 / 70)
    assert row["n_classified"] == pytest.approx(70)
    assert (row["n_uses"], row["n_labels"], row["method"]) == (100, 50, "sample")
    assert row["low"] < 20 / 70 < row["high"]
    assert row["labels_to_halve"] == 30


def test_corrected_takes_the_rest_from_the_verdicts():
    """Where verdicts are right on the sample, the rate is theirs on all uses, not the sample's."""
    said = ["correction"] * 30 + ["acceptance"] * 70
    uses = pd.DataFrame({"event_id": range(100), "outcome": said})
    labelled = uses.iloc[[*range(14), *range(60, 86)]].assign(probability=0.4)
    row = only(corrected_rate(uses, labelled))
    assert labelled["outcome"].eq("correction").mean() == 0.35
    assert row["corrected_rate"] == pytest.approx(0.3)


def test_probabilities_of_the_classifier_are_narrower_than_its_verdicts():
    """With p_negative and p_acceptance as predictions the interval shrinks; ``soft=False`` leaves them out."""
    random = np.random.default_rng(3)
    chance = random.beta(0.5, 2, 600)
    truth = np.where(random.random(600) < chance, "correction", "acceptance")
    uses = pd.DataFrame(
        {
            "event_id": range(600),
            "outcome": np.where(chance > 0.8, "correction", "acceptance"),
            "p_negative": chance,
            "p_acceptance": 1 - chance,
        }
    )
    labelled = uses.sample(60, random_state=1)
    labelled = labelled.assign(outcome=truth[labelled.index], probability=0.1)
    soft, hard = (only(corrected_rate(uses, labelled, soft=soft)) for soft in (True, False))
    assert soft["high"] - soft["low"] < hard["high"] - hard["low"]
    assert soft["raw_rate"] == hard["raw_rate"]


def test_skill_with_few_labels_borrows_and_says_so():
    """Own labels from 20 on, else those of all skills, marked; the interval of a rare skill is wide."""
    uses, labelled = invented()
    table = corrected_rate(uses, labelled, by="skill_id").set_index("skill_id")
    assert table["method"].to_dict() == {"docx": "sample", "commit": "sample", "rare": "pooled"}
    rare = table.loc["rare"]
    assert "by the errors in all 80 labels, taken to be alike here" in rare["reason"]
    assert pd.isna(rare["labels_to_halve"])
    assert rare["high"] - rare["low"] > table.loc["docx", "high"] - table.loc["docx", "low"]


def test_refusals_have_reasons():
    """Too few labels in all, a skill with hardly a use, labels of uses that were picked by hand: no figure, but why."""
    uses, labelled = invented(labels=12)
    assert only(corrected_rate(uses, labelled))["reason"] == "12 uses drawn at random are labelled; 20 are needed"
    picked = labelled.assign(probability=np.nan)
    row = only(corrected_rate(uses, picked))
    assert row["reason"].startswith(
        "12 uses are labelled, all of them picked, or labelled out of the sample’s order; 20"
    )
    assert (row["method"], row["n_labels"], row["n_uses"]) == ("refused", 0, 400)
    assert np.isnan(row["corrected_rate"])
    uses, labelled = invented()
    lone = uses["event_id"].isin(uses.loc[~uses["event_id"].isin(labelled["event_id"]), "event_id"].head(3))
    table = corrected_rate(uses.assign(skill_id=uses["skill_id"].mask(lone, "lone")), labelled, by="skill_id")
    reason = table.set_index("skill_id").loc["lone", "reason"]
    assert reason == "no label of its own, 20 are needed, and 3 uses are too few to borrow a correction for"


def test_few_uses_all_labelled_are_exact():
    """A skill with fewer uses than labels are needed, all of them labelled, has its true rate."""
    uses, labelled = invented()
    few = uses["skill_id"] == "rare"
    rest = uses[few & ~uses["event_id"].isin(labelled["event_id"])].assign(probability=0.2)
    both = pd.concat([labelled, rest])
    row = corrected_rate(uses, both, by="skill_id").set_index("skill_id").loc["rare"]
    assert (row["method"], row["low"], row["labels_to_halve"]) == ("sample", row["high"], 0)


def test_uses_after_the_last_draw_are_in_no_figure():
    """What no draw could have taken is counted apart: rates, uses and labels are of the others."""
    uses, labelled = invented()
    later = uses.tail(50).assign(event_id=lambda frame: "late" + frame["event_id"], covered=False, outcome="correction")
    both = only(corrected_rate(pd.concat([uses, later]), labelled))
    before = only(corrected_rate(uses, labelled))
    assert both["n_not_covered"] == 50
    assert {**both, "n_not_covered": 0} == before
    gone = uses.assign(skill_id="new", event_id="new" + uses["event_id"], covered=False)
    reasons = corrected_rate(pd.concat([uses, gone]), labelled, by="skill_id").set_index("skill_id")["reason"]
    assert reasons["new"] == "none of its uses was there when the sample was drawn"


def test_uses_without_a_word_change_no_rate():
    """Uses about which nobody said anything are none for certain: counted among the uses, not among the sampled."""
    uses, labelled = invented()
    silent = uses.assign(event_id="s" + uses["event_id"], outcome="none", turns_seen=0)
    both, alone = only(corrected_rate(pd.concat([uses, silent]), labelled)), only(corrected_rate(uses, labelled))
    assert both["n_uses"] == 800
    assert {**both, "n_uses": 400} == alone


def test_implicit_acceptances_can_be_left_out():
    """Only acceptances in words count then, in verdicts and labels alike: the rates go up."""
    uses, labelled = invented()
    every, words = (only(corrected_rate(uses, labelled, implicit=implicit)) for implicit in (True, False))
    assert words["raw_rate"] > every["raw_rate"]
    assert words["corrected_rate"] > every["corrected_rate"]
    assert words["n_classified"] < every["n_classified"]


def test_judge_of_all_uses_replaces_the_verdicts_and_of_some_stands_between():
    """Right answers everywhere give their own rate; right answers on a sample narrow the interval; raw stays raw."""
    uses, _ = invented(1_500)
    random = np.random.default_rng(5)
    truth = uses.assign(outcome=random.choice(OUTCOMES, 1_500, p=[0.2, 0.0, 0.4, 0.4]))
    labelled = truth.sample(60, random_state=2).assign(probability=0.04)
    everywhere = only(corrected_rate(uses, labelled, judged=truth.assign(probability=np.nan)))
    judged = truth["outcome"].ne("none")
    assert everywhere["corrected_rate"] == pytest.approx(truth["outcome"].eq("correction").sum() / judged.sum())
    asked = truth.sample(400, random_state=3).assign(probability=400 / 1_500)
    extra = labelled[~labelled["event_id"].isin(asked["event_id"])].assign(probability=np.nan)
    some = only(corrected_rate(uses, labelled, judged=pd.concat([asked, extra])))
    alone = only(corrected_rate(uses, labelled))
    assert some["high"] - some["low"] < 0.8 * (alone["high"] - alone["low"])
    assert some["raw_rate"] == everywhere["raw_rate"] == alone["raw_rate"]


Figures = Callable[[pd.DataFrame, pd.DataFrame], pd.DataFrame]
TABLES: dict[str, tuple[Figures, list[str]]] = {
    "overall": (corrected_rate, [*COLUMNS]),
    "by skill": (lambda u, lab: corrected_rate(u, lab, by="skill_id"), ["skill_id", *COLUMNS]),
    "crossed": (lambda u, lab: corrected_rate(u, lab, by=["skill_id", "agent"]), ["skill_id", "agent", *COLUMNS]),
    "transfer": (lambda u, _: transfer_corrected(u, confusion=ELSEWHERE, by="skill_id"), ["skill_id", *COLUMNS]),
    "quality": (
        outcome_quality,
        [
            *("outcome", "precision", "precision_low", "precision_high", "said"),
            *("recall", "recall_low", "recall_high", "found_of", "n_labels", "weighted"),
        ],
    ),
    "course": (running_precision, ["labels", "said", "right", "precision", "low", "high"]),
}
EVERY = pytest.mark.parametrize(("figures", "columns"), TABLES.values(), ids=TABLES)


@EVERY
def test_columns_are_declared_and_stay_without_rows(figures: Figures, columns: list[str]):
    """The columns are the declared ones, with the same dtypes where there is nothing."""
    uses, labelled = invented()
    full, empty = figures(uses, labelled), figures(uses.iloc[:0], labelled.iloc[:0])
    assert full.columns.tolist() == empty.columns.tolist() == columns
    assert len(full)
    figured = [name for name in columns if name not in ("skill_id", "agent")]
    assert full.dtypes[figured].to_dict() == empty.dtypes[figured].to_dict()


@EVERY
def test_any_row_order_extra_columns_and_no_change(figures: Figures, columns: list[str]):
    """Shuffled and widened tables give the same figures to the last bit, and stay as they were."""
    uses, labelled = invented()
    wider, before = uses.assign(note="x"), uses.copy(deep=True)
    shuffled = figures(wider.sample(frac=1, random_state=1), labelled.sample(frac=1, random_state=2))
    pd.testing.assert_frame_equal(shuffled, figures(uses, labelled), check_exact=True)
    pd.testing.assert_frame_equal(uses, before)


@given(st.integers(0, 10_000), st.integers(2, 60), st.sampled_from([None, "skill_id", "agent"]))
def test_rates_lie_in_their_intervals(seed: int, labels: int, by: str | None):
    """For any labels and groups, 0 ≤ low ≤ rate ≤ high ≤ 1, or all three are missing with a reason."""
    uses, labelled = invented(60, seed=seed, labels=labels)
    for row in corrected_rate(uses, labelled, by=by, min_labels=5).to_dict("records"):
        assert row["reason"]
        if row["method"] == "refused":
            assert np.isnan([row["corrected_rate"], row["low"], row["high"]]).all()
        else:
            assert 0 <= row["low"] <= row["corrected_rate"] <= row["high"] <= 1
    everything = invented(60, seed=seed, labels=60)
    for row in corrected_rate(*everything, by=by).to_dict("records"):
        assert row["low"] == row["high"] or row["method"] == "refused"


def test_pooled_intervals_hold_for_skills_that_differ():
    """12 skills, 60 labels, rules that find more in some: pooled intervals hold in 88 to 99 % of 300 skills."""
    random, held = np.random.default_rng(8), []
    for _ in range(30):
        skill = np.repeat(np.arange(12), random.integers(15, 80, 12))
        complaints, recall = random.beta(2, 7, 12)[skill], random.normal(0.5, 0.1, 12)[skill]
        negative = random.random(len(skill)) < complaints
        accepted = ~negative & (random.random(len(skill)) < 0.45)
        said = random.random(len(skill)) < np.where(negative, recall, 0.04)
        names = [
            np.where(one, "correction", np.where(accepted & ~one, "acceptance", "none")) for one in (said, negative)
        ]
        uses, truth = (
            pd.DataFrame({"event_id": np.arange(len(skill)), "skill_id": skill, "outcome": words}) for words in names
        )
        labelled = truth.sample(60, random_state=random).assign(probability=60 / len(truth))
        table = corrected_rate(uses, labelled, by="skill_id").query("method == 'pooled'").set_index("skill_id")
        groups = truth.groupby("skill_id")["outcome"]
        true = groups.agg(lambda words: (words == "correction").sum() / max((words != "none").sum(), 1))
        held += [*((table["low"] <= true[table.index]) & (true[table.index] <= table["high"]))]
    assert len(held) > 200
    assert 0.88 <= np.mean(held) <= 0.99


def test_transfer_by_hand():
    """Said 30, 45, 125 of 200; solved by hand from the errors made elsewhere: 0.107 / (0.107 + 0.25)."""
    said = ["correction"] * 30 + ["acceptance"] * 45 + ["none"] * 125
    row = only(transfer_corrected(pd.DataFrame({"event_id": range(200), "outcome": said}), confusion=ELSEWHERE))
    assert row["corrected_rate"] == pytest.approx(0.3)
    assert row["n_classified"] == pytest.approx(200 * (0.25 + 0.075 / 0.7))
    assert row["method"] == "transfer"
    assert "300 labelled turns of other projects: right as far as the rules err here as they did there" in row["reason"]
    assert row["low"] < 0.3 < row["high"]


def test_transfer_knows_how_sure_the_errors_are():
    """More labelled turns narrow the interval; the same number from few sessions widens it; partials count half."""
    uses, _ = invented(2_000)
    more = {true: {said: 10 * n for said, n in row.items()} for true, row in ELSEWHERE.items()}
    few, many, together = (
        only(transfer_corrected(uses, confusion=confusion, sessions=sessions))
        for confusion, sessions in ((ELSEWHERE, None), (more, None), (ELSEWHERE, 10))
    )
    assert many["high"] - many["low"] < few["high"] - few["low"] < together["high"] - together["low"]
    half = {**ELSEWHERE, "correction": {"correction": 40, "none": 10}, "partial": {"correction": 40, "none": 10}}
    halved = only(transfer_corrected(uses, confusion=half))
    assert halved["corrected_rate"] == pytest.approx(0.75 * few["corrected_rate"])


@pytest.mark.parametrize(
    ("confusion", "said", "reason"),
    [
        ({**ELSEWHERE, "correction": {"correction": 12, "none": 88}}, "c" * 30 + "a" * 45 + "-" * 125, "too badly"),
        (ELSEWHERE, "c" * 2 + "a" * 45 + "-" * 153, "do not fit your sessions"),
        ({true: {said: max(n // 20, 1) for said, n in row.items()} for true, row in ELSEWHERE.items()},
         "c" * 7 + "a" * 5 + "-" * 18, "known too roughly"),
        (ELSEWHERE, "cca", "3 uses only; 5 are needed"),
    ],
)  # fmt: skip
def test_transfer_is_refused_where_errors_cannot_carry_it(confusion: dict, said: str, reason: str):
    """A matrix near singular, an impossible share, errors hardly known, hardly a use: a reason in place of a rate."""
    words = {"c": "correction", "a": "acceptance", "-": "none"}
    uses = pd.DataFrame({"event_id": range(len(said)), "outcome": [words[letter] for letter in said]})
    row = only(transfer_corrected(uses, confusion=confusion))
    assert row["method"] == "refused"
    assert reason in row["reason"]
    assert np.isnan(row["corrected_rate"])


def test_transfer_of_odd_counts_is_an_input_error():
    """An unknown word, a negative count, a class that was never labelled, no session."""
    uses, _ = invented(20, labels=5)
    for confusion, words in (
        ({"correction": {"yes": 1}}, "'yes'"),
        ({"correction": {"correction": -1}}, "-1"),
        ({"correction": {"correction": 1}}, "no turn that is truly acceptance"),
    ):
        with pytest.raises(InputError, match=words):
            transfer_corrected(uses, confusion=confusion)
    with pytest.raises(InputError, match="sessions is 0"):
        transfer_corrected(uses, confusion=ELSEWHERE, sessions=0)


def test_recall_is_weighted_by_probabilities():
    """Two corrections seen at probability 1, one missed at ¼ that stands for four: 2 of 6, never 2 of 3."""
    uses = pd.DataFrame({"event_id": range(12), "outcome": ["correction"] * 2 + ["none"] * 10})
    labelled = pd.DataFrame(
        {
            "event_id": [0, 1, 2, 3],
            "outcome": ["correction", "correction", "correction", "none"],
            "probability": [1, 1, 0.25, 0.25],
        }
    )
    negative = outcome_quality(uses, labelled).iloc[0]
    assert negative["recall"] == pytest.approx(2 / 6)
    assert (negative["found_of"], negative["precision"], negative["said"]) == (3, 1, 2)
    assert negative["recall_low"] < 1 / 3 < negative["recall_high"]
    assert bool(negative["weighted"])


def test_quality_of_turns_and_of_what_was_never_said():
    """Turns are told by use and turn, and count alike; an outcome that was never said has no precision."""
    turns = pd.DataFrame(
        {"event_id": ["a", "a", "b"], "turn_id": ["1", "2", "1"], "outcome": ["none", "correction", "none"]}
    )
    labels = turns.assign(outcome=["none", "correction", "correction"])
    table = outcome_quality(turns, labels).set_index("outcome")
    assert table.loc["negative", ["precision", "recall"]].tolist() == [1, 0.5]
    assert not table["weighted"].any()
    assert np.isnan(table.loc["acceptance", "precision"])
    assert table.loc["acceptance", "said"] == 0


def test_running_precision_counts_up_in_the_order_of_labelling():
    """One row a label in the order given; nothing is known until the rules have said it once."""
    uses = pd.DataFrame({"event_id": list("abcd"), "outcome": ["none", "correction", "correction", "correction"]})
    labelled = pd.DataFrame(
        {
            "event_id": list("dcba"),
            "outcome": ["correction", "none", "correction", "none"],
            "probability": 0.5,
            "labelled_at": pd.to_datetime(["2026-11-04", "2026-11-03", "2026-11-02", "2026-11-01"], utc=True),
        }
    )
    course = running_precision(uses, labelled)
    assert course["said"].tolist() == [0, 1, 2, 3]
    assert course["right"].tolist() == [0, 1, 1, 2]
    assert np.isnan(course["precision"].iloc[0])
    assert course["precision"].iloc[1:].tolist() == pytest.approx([1, 1 / 2, 2 / 3])
    width = course["high"] - course["low"]
    assert width.iloc[3] < width.iloc[1]
    with pytest.raises(InputError, match="'praise'"):
        running_precision(uses, labelled, outcome="praise")
    with pytest.raises(FrameError, match="labelled_at"):
        running_precision(uses, labelled.drop(columns="labelled_at"))


def test_summary_prefers_own_labels_to_others():
    """Own labels carry the overall rate from 20 on; before, other projects' do, marked; before the moment, only."""
    uses, labelled = invented()
    own = corrected_summary(uses, labelled, confusion=ELSEWHERE)
    assert (only(own.overall)["method"], own.labels, len(own.course)) == ("sample", 80, 80)
    few = corrected_summary(uses, labelled.head(5), confusion=ELSEWHERE)
    assert (only(few.overall)["method"], few.labels) == ("transfer", 5)
    assert only(corrected_summary(uses, labelled.head(5)).overall)["method"] == "refused"
    picked = labelled.assign(probability=labelled["probability"].where(labelled.index != labelled.index[0]))
    assert corrected_summary(uses, picked).chosen == 1
    early = corrected_summary(uses, labelled, before=uses["timestamp"].iloc[100], skills=["docx"])
    shown = (uses["timestamp"] < uses["timestamp"].iloc[100]) & (uses["skill_id"] == "docx")
    assert only(early.overall)["n_uses"] == shown.sum()
    assert early.skills["skill_id"].tolist() == ["docx"]
    assert corrected_summary(uses.iloc[:0], labelled, confusion=ELSEWHERE).overall.empty


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda u, lab: (u.drop(columns="outcome"), lab), "lacks the column 'outcome'"),
        (lambda u, lab: (u, lab.drop(columns="probability")), "lacks the column 'probability'"),
        (lambda u, lab: (pd.concat([u, u]), lab), "twice"),
        (lambda u, lab: (u.assign(outcome="fine"), lab), "'fine'"),
        (lambda u, lab: (u, lab.assign(probability=1.5)), "probability 1.5"),
        (lambda u, lab: (u.assign(p_negative=2.0, p_acceptance=0.0), lab), "p_negative"),
    ],
)
def test_odd_tables_are_frame_errors(change: Callable[..., Any], words: str):
    """A table that lacks, repeats or misspells something says what."""
    with pytest.raises(FrameError, match=words):
        corrected_rate(*change(*invented()))


def test_odd_options_are_input_errors():
    """One label has no spread, a level of 0 no interval, and what is not there cannot be grouped by."""
    uses, labelled = invented()
    with pytest.raises(InputError, match="min_labels is 1"):
        corrected_rate(uses, labelled, min_labels=1)
    with pytest.raises(InputError, match="level is 0"):
        corrected_rate(uses, labelled, level=0)
    with pytest.raises(FrameError, match="cannot group by 'mood'"):
        corrected_rate(uses, labelled, by="mood")


def test_one_label_of_many_uses_is_not_exact():
    """Thirty uses, the one complaint labelled whole as a stratum of its own: one label, and twenty are needed."""
    uses = pd.DataFrame({"event_id": range(30), "outcome": ["correction"] + ["acceptance"] * 29, "skill_id": "a"})
    uses = uses.assign(covered=uses["event_id"] == 0, left_out=["", *["unlabelled"] * 29])
    labelled = uses.head(1).assign(probability=1.0)
    for by in (None, "skill_id"):
        row = only(corrected_rate(uses, labelled, by=by))
        assert (row["method"], row["n_labels"]) == ("refused", 1)
        assert row["reason"] == "1 use drawn at random is labelled; 20 are needed"


def test_all_that_could_be_drawn_is_not_all():
    """Exact is a rate only where every use that somebody spoke of is labelled; labels of picked uses complete it."""
    uses, labelled = invented(60, labels=60)
    later = uses.tail(10)["event_id"]
    drawn = labelled[~labelled["event_id"].isin(later)]
    some = uses.assign(covered=~uses["event_id"].isin(later), left_out="undrawn")
    row = only(corrected_rate(some, drawn))
    assert row["low"] == row["high"]
    assert pd.isna(row["labels_to_halve"])
    assert row["reason"] == "all 50 uses that could be drawn are labelled, others are not"
    picked = labelled.assign(probability=labelled["probability"].where(~labelled["event_id"].isin(later)))
    whole = only(corrected_rate(some, picked))
    assert (whole["labels_to_halve"], whole["n_uses"], whole["n_labels"]) == (0, 60, 60)


@pytest.mark.parametrize(
    ("left_out", "uses_left", "reason"),
    [
        ("unlabelled", 120, "the labels that count speak for 280 of 400 uses drawn from; label what is open"),
        ("undrawn", 250, "only 150 of 400 uses that somebody said something about were drawn from; draw from all"),
    ],
)
def test_a_part_that_was_chosen_carries_no_rate_of_all(left_out: str, uses_left: int, reason: str):
    """Where labels speak for too few of the uses, all together are refused with the reason; a few may be left out."""
    uses, labelled = invented(labels=160)
    gone = np.arange(400) >= 400 - uses_left
    some = uses.assign(covered=~gone, left_out=np.where(gone, left_out, ""))
    known = labelled[~labelled["event_id"].isin(some.loc[gone, "event_id"])]
    row = only(corrected_rate(some, known))
    assert row["method"] == "refused"
    assert row["reason"].startswith(reason)
    assert only(corrected_rate(some.assign(left_out=np.where(gone, "unaskable", "")), known))["method"] == "sample"


def test_what_rules_decided_against_the_model_is_rather_as_they_say():
    """A complaint that the model doubts predicts a complaint; without a verdict the model's own chance stands."""
    from skilltune.analysis.judged_uses import read_uses

    uses = pd.DataFrame({"event_id": [1, 2, 3], "outcome": ["correction", "acceptance", "none"]})
    _, read = read_uses(uses.assign(p_negative=[0.15, 0.02, 0.15], p_acceptance=[0.1, 0.2, 0.1]))
    assert read.expected_corrected.tolist() == [0.65, 0.02, 0.15]
    assert read.expected_judged.tolist() == pytest.approx([0.75, 0.87, 0.25])


def test_groups_are_those_of_each_alone():
    """Grouped rows in any order of the uses have the figures that each group's uses give by themselves."""
    chance = np.random.default_rng(11)
    size = 600
    uses = pd.DataFrame(
        {
            "event_id": [f"use-{number}" for number in chance.permutation(size)],
            "skill_id": pd.Categorical(chance.choice(["c", "a", "b"], size)),
            "outcome": pd.Categorical(chance.choice(["correction", "partial", "acceptance", None], size)),
        }
    )
    drawn = uses.sample(240, random_state=1).assign(probability=0.4)
    truth = drawn.assign(outcome=chance.choice(["correction", "acceptance", "none"], len(drawn)))
    table = corrected_rate(uses, truth, by="skill_id").set_index("skill_id")
    assert set(table["method"]) == {"sample"}
    for skill in ("a", "b", "c"):
        alone = corrected_rate(uses[uses["skill_id"] == skill], truth[truth["skill_id"] == skill]).iloc[0]
        pd.testing.assert_series_equal(table.loc[skill], alone, check_names=False)
