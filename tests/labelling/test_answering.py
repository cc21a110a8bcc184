"""Labelling as a person or a panel does it: questions, answers, second thoughts."""

import pytest

from skilltune.errors import InputError
from skilltune.frames import check_frame
from skilltune.labelling.tables import labelled_uses, predicted_uses, read_labels
from skilltune.records import LabelledUse, PredictedUse, TurnLabel
from skilltune.sample import sample_end
from skilltune.stores.labels import LabelLog
from tests.labelling.conftest import PROJECTS


def answer_all(labelling, **changes):
    """Label every question as the rules judge it."""
    for question in labelling.questions:
        said = {"outcome": question.rule_outcome, "correction_type": question.rule_type} | changes
        labelling.answer(question, **said)


def test_labelling_nothing_is_written_before_the_first_answer(opened, workspace):
    """Opening and looking leave no trace; the first answer keeps the draw, and makes the workspace private."""
    labelling = opened(sample_size=5)
    assert labelling.current is not None
    assert labelling.predicted_uses()["covered"].sum() > 0
    assert not workspace.exists()
    labelling.answer(labelling.current, outcome="none")
    assert len(LabelLog(workspace / "labels.jsonl").read().draws) == 1
    assert "*" in (workspace / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_labelling_goes_through_the_questions(opened):
    """Each answer moves on to the next question; skipped ones are left for the next time."""
    labelling = opened(sample_size=5)
    first, second, third, *_ = labelling.questions
    assert labelling.current == first
    labelling.answer(first, outcome="acceptance")
    assert labelling.current == second
    labelling.skip(second)
    assert labelling.current == third
    assert labelling.done == 1
    assert opened(sample_size=5).current == second
    answer_all(labelling)
    assert labelling.current is None
    assert labelling.done == labelling.total
    assert labelling.uses_done == labelling.uses_total == 5


def test_labelling_turns_of_a_use_stand_together_in_order(opened):
    """All turns of a window are asked, one after the other, numbered."""
    questions = opened(sample_size=60).questions
    uses = list(dict.fromkeys(question.event_id for question in questions))
    assert len(uses) == 60
    expected = [
        (event_id, number)
        for event_id in uses
        for number in range(1, next(q.of for q in questions if q.event_id == event_id) + 1)
    ]
    assert [(question.event_id, question.number) for question in questions] == expected


def test_labelling_undo_takes_back_answer_by_answer(opened):
    """Undo gives the question of the last answer back, then of the one before; what was said earlier counts again."""
    labelling = opened(sample_size=5)
    first, second = labelling.questions[:2]
    labelling.answer(first, outcome="acceptance")
    labelling.answer(second, outcome="none")
    labelling.answer(first, outcome="correction", about="other")
    assert labelling.label_of(first) == ("correction", "rejection", "other")
    assert labelling.undo() == first
    assert labelling.label_of(first) == ("acceptance", None, "skill")
    assert labelling.undo() == second
    assert labelling.label_of(second) is None
    assert labelling.current == second
    assert labelling.undo() == first
    assert labelling.undo() is None
    assert labelling.done == 0


def test_labelling_same_answer_twice_is_one(opened):
    """The same answer again writes nothing, and one undo takes it back."""
    labelling = opened(sample_size=5)
    question = labelling.questions[0]
    assert labelling.answer(question, outcome="none") == labelling.answer(question, outcome="none")
    labelling.undo()
    assert labelling.label_of(question) is None


def test_labelling_two_at_once_see_each_other(opened):
    """Two open panels on one log: the draw is kept once, and each sees the other's answers with its own next one."""
    one, other = opened(sample_size=5), opened(sample_size=5)
    assert [question.turn_id for question in one.questions] == [question.turn_id for question in other.questions]
    one.answer(one.questions[0], outcome="none")
    other.answer(other.questions[1], outcome="none")
    assert other.done == 2
    one.answer(one.questions[2], outcome="none")
    assert one.done == 3
    assert one.undo() == one.questions[2]


def test_labelling_refuses_unknown_words_and_foreign_questions(opened):
    """A word that is not in the vocabulary, or a turn of other sessions, is an error, and nothing is written."""
    from dataclasses import replace

    labelling = opened(sample_size=5)
    question = labelling.questions[0]
    with pytest.raises(InputError, match="outcome is 'great'"):
        labelling.answer(question, outcome="great")
    with pytest.raises(InputError, match="not in the sessions"):
        labelling.answer(replace(question, turn_id="x"), outcome="none")
    assert labelling.done == 0


def test_labelling_tables_are_the_documented_ones(opened, workspace):
    """Labels, labelled and predicted uses have their columns, and agree with what the workspace gives later."""
    labelling = opened(sample_size=20)
    answer_all(labelling)
    labels, uses = read_labels(workspace), labelling.labelled_uses()
    check_frame(labels, TurnLabel, needs=["event_id", "turn_id", "outcome", "reader", "labelled_at"])
    check_frame(uses, LabelledUse, needs=["event_id", "outcome", "explicit", "probability"])
    assert len(labels) == labelling.total
    assert len(uses) == 20
    assert uses["probability"].between(0, 1, inclusive="right").all()
    assert uses.equals(labelled_uses(workspace))
    predicted = predicted_uses(workspace, sessions=PROJECTS, as_of=sample_end())
    check_frame(predicted, PredictedUse, needs=["event_id", "outcome", "covered"])
    assert predicted.equals(labelling.predicted_uses())


def test_labelling_sample_stands_for_the_covered_uses(opened):
    """The weights of the labelled uses add up to the number of uses of which somebody said something."""
    labelling = opened(sample_size=50)
    answer_all(labelling)
    predicted = labelling.predicted_uses()
    spoken = predicted[predicted["covered"] & (predicted["turns_seen"] > 0)]
    assert (1 / labelling.labelled_uses()["probability"]).sum() == pytest.approx(len(spoken))


def test_labelling_readers_are_apart(opened, workspace):
    """A judge has a sample and labels of its own; it may answer a person's question, too."""
    person, judge = opened(sample_size=5), opened(sample_size=8, reader="judge:tiny")
    judge.answer(person.questions[0], outcome="acceptance")
    assert person.label_of(person.questions[0]) is None
    assert judge.label_of(person.questions[0]) == ("acceptance", None, "skill")
    assert read_labels(workspace, reader="person").empty
    assert read_labels(workspace, reader="judge:tiny")["reader"].tolist() == ["judge:tiny"]


def test_labelling_log_holds_no_text(opened, workspace):
    """Not one sentence of a session is in the label log."""
    labelling = opened(sample_size=30)
    answer_all(labelling)
    labelling.ask_elsewhere()
    content = (workspace / "labels.jsonl").read_text(encoding="utf-8")
    texts = [text for q in labelling.questions for text in (q.text, q.previous_agent, q.previous_prompt) if " " in text]
    assert len(texts) > 30
    assert not [text for text in texts if text[:20] in content]


def test_labelling_and_question_show_no_text(opened):
    """What a notebook prints of them quotes nobody."""
    labelling = opened(sample_size=5)
    assert "0 of 5 uses" in repr(labelling)
    assert len(repr(labelling.questions[0])) < 120
