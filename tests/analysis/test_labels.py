"""Labels beside the rules: which uses are labelled, and events in which a label beats the rule."""

from datetime import UTC, datetime

import pandas as pd
import pytest

from skilltune.analysis.labels import apply_labels, apply_labels_to_uses, labelled_by_skill, labelled_uses
from skilltune.analysis.metrics import correction_rate
from skilltune.analysis.sampling import draw_uses
from skilltune.errors import FrameError
from skilltune.frames import to_frame
from skilltune.records import FeedbackEvent, Invocation, LabelledUse
from tests.analysis.test_sampling import use as predicted
from tests.stores.makers import event, use
from tests.stores.test_labels import label

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def verdict(uuid: str, outcome: str, kind: str | None = None, **changes: object) -> LabelledUse:
    """What labels say of the use `uuid` of the makers."""
    values = {
        "event_id": event(uuid).event_id,
        "skill_id": "s1",
        "session_id": "S1",
        "outcome": outcome,
        "correction_type": kind,
        "explicit": outcome == "acceptance",
        "probability": None,
        "labelled_at": NOW,
        "turns": 1,
        "turns_seen": 3,
        "number": 2,
    }
    return LabelledUse(**(values | changes))


def frames(events=(), uses=(), labelled=()):
    """The three tables; each event is a use, too."""
    invocations = [use(one.invocation_uuid, reason="") for one in events]
    return (
        to_frame(list(events), FeedbackEvent),
        to_frame([*invocations, *uses], Invocation),
        to_frame(list(labelled), LabelledUse),
    )


def test_labelled_uses_need_all_turns():
    """A use counts as labelled when every turn of its window is."""
    half = label("e1", "t1", of=2)
    assert labelled_uses([half]) == []
    (found,) = labelled_uses([half, label("e1", "t2", of=2, number=2, outcome="correction", correction_type="redo")])
    assert (found.outcome, found.correction_type, found.number, found.turns) == ("correction", "redo", 2, 2)


def test_labelled_uses_newest_label_says_how_many_turns_there_are():
    """A window that was seen to grow needs its new turn labelled, too."""
    old = label("e1", "t1", of=1, labelled_at=datetime(2026, 11, 1, tzinfo=UTC))
    new = label("e1", "t2", of=3, labelled_at=NOW)
    assert labelled_uses([old, new]) == []
    assert len(labelled_uses([old, new, label("e1", "t3", of=3, labelled_at=NOW)])) == 1


def test_labelled_uses_probability_is_that_of_the_draws():
    """A use in a sample has its chance, one that was chosen by hand has none."""
    uses = [predicted(number) for number in range(20)]
    draw = draw_uses(uses, size=5, seed=0)
    taken = [event_id for event_id, _ in draw.sampled]
    other = next(one.event_id for one in uses if one.event_id not in taken)
    found = labelled_uses([label(event_id, "t") for event_id in [*taken, other]], draws=[draw])
    assert [one.probability for one in found] == [*(chance for _, chance in draw.sampled), None]


def test_apply_labels_beats_the_rule():
    """Outcome, type, confidence and rule are the label's; what else is known of the event stays."""
    events, invocations, labelled = frames([event("A1"), event("A2")], labelled=[verdict("A1", "correction", "redo")])
    found = apply_labels(events, labelled, invocations=invocations)
    first, _ = found.to_dict(orient="records")
    assert (first["outcome"], first["correction_type"], first["rule"]) == ("correction", "redo", "label")
    assert (first["confidence"], first["dimension_hint"]) == (1.0, "accuracy")
    assert first["user_message_snippet"] == "no, the totals are off"
    pd.testing.assert_frame_equal(found.iloc[[1]], events.iloc[[1]])
    assert dict(found.dtypes) == dict(events.dtypes)


def test_apply_labels_none_takes_the_event_away():
    """A use that says nothing by its labels is no event; as a use it stays, with the reason."""
    events, invocations, labelled = frames([event("A1"), event("A2")], labelled=[verdict("A1", "none")])
    found = apply_labels(events, labelled, invocations=invocations)
    assert found["invocation_uuid"].tolist() == ["A2"]
    uses = apply_labels_to_uses(invocations, labelled, events=events)
    assert uses["reason"].tolist() == ["label", ""]
    rate = correction_rate(found, invocations=uses)
    assert (rate["sample_size"].item(), rate["n_invocations"].item()) == (1, 2)


def test_apply_labels_use_without_an_event_becomes_one():
    """A complaint that the rules missed is an event with the use's own fields; a failed call never is."""
    cost = {"tokens_output": 7, "wall_seconds": 1.5, "base_directory": "/skills/s1", "retried": True}
    uses = [use("B1", model="m", agent="codex", skill_digest="d", **cost), use("B2", failed="refused")]
    verdicts = [verdict("B1", "partial", "partial"), verdict("B2", "acceptance")]
    events, invocations, labelled = frames([event("A1")], uses, verdicts)
    found = apply_labels(events, labelled, invocations=invocations)
    assert found["invocation_uuid"].tolist() == ["A1", "B1"]
    row = found.iloc[1]
    assert (row["outcome"], row["rule"], row["dimension_hint"], row["turns_to_feedback"]) == (
        "partial",
        "label",
        "unknown",
        2,
    )
    assert (row["model"], row["agent"], row["skill_digest"], row["project"]) == ("m", "codex", "d", "/work/shop")
    assert {name: row[name] for name in cost} == cost
    assert pd.isna(row["tokens_input"])
    assert row["timestamp"] == uses[0].timestamp
    assert dict(found.dtypes) == dict(events.dtypes)
    assert apply_labels(events, labelled)["invocation_uuid"].tolist() == ["A1"]
    assert len(apply_labels(events.iloc[:0], labelled, invocations=invocations)) == 1


def test_apply_labels_acceptance_has_no_dimension_and_no_foreign_quote():
    """An acceptance says nothing was wrong; the complaint's quote goes where another turn may have decided."""
    events, invocations, labelled = frames([event("A1")], labelled=[verdict("A1", "acceptance", turns=2)])
    (row,) = apply_labels(events, labelled, invocations=invocations).to_dict(orient="records")
    assert pd.isna(row["dimension_hint"])
    assert pd.isna(row["correction_type"])
    assert row["user_message_snippet"] == ""


def test_apply_labels_going_on_is_implicit_still():
    """An acceptance by going on can be left out of a rate, labelled or not."""
    events, invocations, labelled = frames([event("A1")], labelled=[verdict("A1", "acceptance", explicit=False)])
    found = apply_labels(events, labelled, invocations=invocations)
    assert found["rule"].tolist() == ["implicit.label"]
    assert correction_rate(found, implicit=False)["sample_size"].tolist() in ([], [0])
    assert correction_rate(found)["sample_size"].tolist() == [1]


def test_apply_labels_of_a_window_that_grew_wait():
    """Labels that saw fewer turns than the log knows of decide nothing until the new turns are labelled."""
    grown = [event("A1", turns_seen=2)]
    events, invocations, labelled = frames(grown, labelled=[verdict("A1", "none", turns_seen=1)])
    assert len(apply_labels(events, labelled, invocations=invocations)) == 1
    assert labelled_by_skill(labelled, events=events, invocations=invocations) == {}
    _, _, seen = frames(labelled=[verdict("A1", "none", turns_seen=2)])
    assert apply_labels(events, seen, invocations=invocations).empty
    assert labelled_by_skill(seen, events=events, invocations=invocations) == {"s1": 1}


def test_apply_labels_changes_no_table_it_is_given():
    """The tables that go in stay as they are; extra columns come out again; nothing labelled, nothing changed."""
    events, invocations, labelled = frames([event("A1")], labelled=[verdict("A1", "acceptance")])
    events = events.assign(mine=1)
    before = events.copy()
    assert "mine" in apply_labels(events, labelled, invocations=invocations).columns
    pd.testing.assert_frame_equal(events, before)
    pd.testing.assert_frame_equal(apply_labels(events, labelled.iloc[:0], invocations=invocations), before)


def test_apply_labels_row_order_never_matters():
    """The same rows in another order give the same events."""
    some = [event(f"A{n}") for n in range(6)]
    verdicts = [verdict(f"A{n}", word) for n, word in enumerate(["none", "acceptance", "none", "acceptance"])]
    events, invocations, labelled = frames(some, [use("B1")], [*verdicts, verdict("B1", "acceptance")])
    one = apply_labels(events, labelled, invocations=invocations)
    other = apply_labels(
        events.sample(frac=1, random_state=1),
        labelled.sample(frac=1, random_state=2),
        invocations=invocations.sample(frac=1, random_state=3),
    )
    order = {"by": "event_id", "ignore_index": True}
    pd.testing.assert_frame_equal(one.sort_values(**order), other.sort_values(**order))


def test_apply_labels_unknown_word_is_an_error():
    """A table with another outcome than the known ones is refused, naming them."""
    events, _, labelled = frames([event("A1")], labelled=[verdict("A1", "none")])
    with pytest.raises(FrameError, match="known words"):
        apply_labels(events, labelled.assign(outcome="great"))
    with pytest.raises(FrameError, match="labels of turns"):
        apply_labels(events, labelled.assign(turn_id="t"))
    with pytest.raises(FrameError, match="turns_seen"):
        apply_labels(events, labelled.drop(columns="turns_seen"))


def test_labelled_uses_draw_labelled_in_part_counts_as_the_smaller_one():
    """The chance of a use in a half labelled draw is that of a draw half the size."""
    uses = [predicted(number, skill_id="lint", outcome="none") for number in range(40)]
    draw = draw_uses(uses, size=10, seed=0)
    found = labelled_uses([label(event_id, "t") for event_id, _ in draw.sampled[:5]], draws=[draw])
    assert [one.probability for one in found] == [pytest.approx(5 / 40)] * 5
