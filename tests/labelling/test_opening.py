"""What is drawn: the same again, more on demand, only what can be asked, and only where it is allowed."""

import json
import shutil
from dataclasses import replace

import pytest

import skilltune as st
from skilltune.errors import CollectionDisabled, InputError, ReadError, UnknownSkillError
from skilltune.labelling.opening import open_labelling, open_sample
from skilltune.labelling.tables import predicted_uses
from skilltune.sample import sample_end
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.models import write_own_model
from skilltune.stores.workspace import find_workspace
from skilltune.training.publishing import encode_model
from skilltune.workflow import collect
from tests.labelling.conftest import PROJECTS
from tests.labelling.test_answering import answer_all
from tests.mining.models import make_file


def drawn(labelling):
    """The uses in a labelling's sample, in order."""
    return list(dict.fromkeys(question.event_id for question in labelling.questions))


def test_opening_again_gives_the_same_sample(opened):
    """The same seed draws the same uses; once kept, the sample stays whatever the seed."""
    first = opened(sample_size=10)
    assert drawn(opened(sample_size=10)) == drawn(first)
    assert drawn(opened(sample_size=10, seed=1)) != drawn(first)
    first.answer(first.questions[0], outcome="none")
    assert drawn(opened(sample_size=10, seed=1)) == drawn(first)


def test_opening_a_larger_sample_adds_uses(opened):
    """A larger size keeps the sample and adds to it; a smaller one takes nothing away."""
    first = opened(sample_size=10)
    answer_all(first)
    larger = opened(sample_size=25)
    assert drawn(larger)[:10] == drawn(first)
    assert (larger.uses_total, larger.uses_done) == (25, 10)
    answer_all(larger)
    assert drawn(opened(sample_size=5)) == drawn(larger)
    chances = larger.labelled_uses()["probability"]
    assert chances.between(0, 1, inclusive="right").all()
    assert len(chances) == 25


@pytest.mark.long
def test_opening_everything_takes_every_use_with_a_turn(opened):
    """More than there are: all of them, each for certain. Where nobody spoke there is none to ask: none for certain.

    One use of the sample was taken back by a command before anybody spoke: no label can be about it.
    """
    labelling = opened(sample_size=100_000)
    predicted = labelling.predicted_uses()
    silent = predicted[predicted["turns_seen"] == 0]
    assert labelling.uses_total == len(predicted) - len(silent)
    assert silent["covered"].equals(silent["outcome"] == "none")
    answer_all(labelling)
    assert set(labelling.labelled_uses()["probability"]) == {1.0}
    left = labelling.predicted_uses().query("not covered")
    assert (left["outcome"].tolist(), left["turns_seen"].tolist()) == (["correction"], [0])


def test_opening_one_skill(opened):
    """Only uses of the named skill are drawn; an unknown one is an error that lists the known."""
    labelling = opened(sample_size=12, skill_id="report-builder")
    assert {question.skill_id for question in labelling.questions} == {"report-builder"}
    with pytest.raises(UnknownSkillError, match="report-builder"):
        opened(skill_id="report-bilder")


def test_opening_predictions_are_those_of_mining(opened):
    """What the rules say of each use is what mining says, whatever was labelled."""
    labelling = opened(sample_size=30)
    answer_all(labelling, outcome="none", correction_type=None)
    mined = st.mine(st.read_sessions(PROJECTS), as_of=sample_end())
    verdicts = mined.events.set_index("event_id")["outcome"].astype("str")
    predicted = labelling.predicted_uses().set_index("event_id")
    said = predicted["outcome"].astype("str")
    assert said[said != "none"].sort_index().equals(verdicts[verdicts.index.isin(said.index)].sort_index())
    assert set(verdicts.index) <= set(predicted.index)


def test_opening_with_a_transcript_gone(tmp_path, workspace):
    """A use whose transcript is gone is known from the log, counted, and never drawn."""
    folder = tmp_path / "projects"
    shutil.copytree(PROJECTS, folder)
    collect(folder, workspace=workspace, as_of=sample_end())
    whole = predicted_uses(workspace, sessions=folder, as_of=sample_end())
    shutil.rmtree(folder / "-home-mira-work-ledger-api")
    labelling = open_labelling(workspace, sessions=folder, sample_size=100_000, as_of=sample_end())
    left = labelling.predicted_uses()
    assert set(left["event_id"]) == set(whole["event_id"])
    assert 0 < labelling.unread < len(left)
    gone = left[~left["event_id"].isin(drawn(labelling)) & (left["turns_seen"] > 0)]
    assert len(gone) > 0
    assert not gone["covered"].any()
    both = whole.merge(left, on="event_id")
    assert (both["outcome_x"].astype("str") == both["outcome_y"].astype("str")).all()
    assert (both["explicit_x"] == both["explicit_y"]).all()


def test_opening_new_uses_are_covered_by_the_next_draw(tmp_path, workspace):
    """Uses that came after a draw are not covered, until a larger sample is drawn."""
    folder = tmp_path / "projects"
    shutil.copytree(PROJECTS, folder)
    late = folder / "-home-mira-work-ledger-api"
    shutil.move(late, tmp_path / "later")
    options = {"sessions": folder, "as_of": sample_end()}
    first = open_labelling(workspace, sample_size=15, **options)
    answer_all(first)
    shutil.move(tmp_path / "later", late)
    again = open_labelling(workspace, sample_size=15, **options)
    assert drawn(again) == drawn(first)
    assert not again.predicted_uses()["covered"].all()
    more = open_labelling(workspace, sample_size=40, **options)
    answer_all(more)
    predicted = more.predicted_uses()
    assert predicted.loc[predicted["turns_seen"] > 0, "covered"].all()
    assert len(more.labelled_uses()) == 40


def test_opening_is_refused_where_collection_is_switched_off(tmp_path, workspace):
    """The person's switch stops labelling, too: nothing is read."""
    switch = tmp_path / "home" / ".claude" / "feedback-config.json"
    switch.parent.mkdir(parents=True)
    switch.write_text(json.dumps({"enabled": False}), encoding="utf-8")
    with pytest.raises(CollectionDisabled):
        open_labelling(workspace, sessions=PROJECTS)


def test_opening_odd_arguments_are_errors(workspace, tmp_path):
    """A size below 1, or sessions that are not there, are errors that say so."""
    with pytest.raises(InputError, match="sample_size is 0"):
        open_labelling(workspace, sessions=PROJECTS, sample_size=0)
    with pytest.raises(ReadError):
        open_labelling(workspace, sessions=tmp_path / "nowhere")


def test_opening_without_a_session_has_nothing_to_ask(workspace):
    """A machine without sessions has an empty sample, and empty tables with all columns."""
    labelling = open_labelling(workspace)
    assert labelling.current is None
    assert (labelling.total, labelling.uses_total, labelling.done) == (0, 0, 0)
    assert list(labelling.predicted_uses().columns)[:2] == ["event_id", "skill_id"]
    assert labelling.labelled_uses().empty


def test_opening_only_open_uses_leaves_out_the_labelled(opened, population):
    """A sheet of open uses counts only those: earlier ones not labelled yet come first."""
    first = opened(sample_size=10)
    for question in [q for q in first.questions if q.event_id in drawn(first)[:4]]:
        first.answer(question, outcome="none")
    sheet = open_sample(population, sample_size=8, only_open=True)
    assert drawn(sheet)[:6] == drawn(first)[4:]
    assert sheet.uses_total == 8


def test_opening_explicit_and_implicit_acceptance_are_told_apart(population):
    """Going on to other work is an acceptance, though not an explicit one."""
    accepted = [use for use in population.uses if use.outcome == "acceptance"]
    assert {use.explicit for use in accepted} == {True, False}
    assert not any(use.explicit for use in population.uses if use.outcome != "acceptance")
    assert replace(accepted[0], covered=True) != accepted[0]


def test_opening_a_use_whose_window_grew_is_open_again(told, workspace):
    """A session that went on brings a new turn: the use is not labelled any more until that one is, too."""
    first = open_labelling(workspace, sessions=told("What is this?"))
    first.answer(first.questions[0], outcome="none")
    assert (first.uses_done, first.predicted_uses()["covered"].tolist()) == (1, [True])
    folder = told("What is this?", "No, undo that.")
    grown = open_labelling(workspace, sessions=folder)
    assert (grown.uses_done, grown.uses_total, grown.done, grown.total) == (0, 1, 1, 2)
    assert grown.current == grown.questions[1]
    assert grown.labelled_uses().empty
    assert grown.predicted_uses()["covered"].tolist() == [False]
    grown.answer(grown.questions[1], outcome="correction", correction_type="revert")
    assert grown.labelled_uses()["correction_type"].tolist() == ["revert"]
    assert grown.labelled_uses()["probability"].tolist() == [1.0]
    assert st.read_labels(workspace)["of"].tolist() == [1, 2]


def test_opening_turns_without_uuids_are_told_apart(told, workspace):
    """Records without ids have their place as one; answers come back to the same turns."""
    folder = told("What is this?", "No, undo that.")
    path = folder / "one.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    path.write_text("".join(json.dumps(row | {"uuid": None}) + "\n" for row in rows), encoding="utf-8")
    first = open_labelling(workspace, sessions=folder)
    assert len({question.turn_id for question in first.questions}) == first.total == 2
    first.answer(first.questions[1], outcome="none")
    again = open_labelling(workspace, sessions=folder)
    assert again.label_of(again.questions[1]) == ("none", None, "skill")


def test_opening_predicts_with_the_model_that_ships(tmp_path, workspace):
    """A model trained on these very labels judges what is mined, but predicts nothing: read or remembered."""
    folder = tmp_path / "projects"
    shutil.copytree(PROJECTS, folder)
    options = {"sessions": folder, "as_of": sample_end()}
    collect(folder, workspace=workspace, as_of=sample_end())
    before = predicted_uses(workspace, **options)
    own = make_file(version="model-0000abcd")
    write_own_model(find_workspace(explicit=workspace), encode_model(own))
    collect(folder, workspace=workspace, as_of=sample_end(), overwrite=True)
    assert any("model-0000abcd" in event.ruleset for event in FeedbackLog(workspace / "feedback.jsonl").read().events)
    assert predicted_uses(workspace, **options).equals(before)
    shutil.rmtree(folder / "-home-mira-work-ledger-api")
    gone = predicted_uses(workspace, **options).query("left_out == 'unaskable' and turns_seen > 0")
    assert len(gone) > 0
    assert gone["p_negative"].isna().all()
    assert set(gone["outcome"].astype("str")) == {"none"}
    assert open_labelling(workspace, **options).has_own_model


def test_opening_uses_left_out_have_their_reason(opened):
    """Half a skill's draw labelled: its open part, and the skills that were not drawn from, are told apart."""
    labelling = opened(sample_size=12, skill_id="report-builder")
    for event_id in drawn(labelling)[:1]:
        for question in labelling.questions:
            if question.event_id == event_id:
                labelling.answer(question, outcome="none")
    predicted = labelling.predicted_uses()
    assert (predicted.loc[predicted["covered"], "left_out"] == "").all()
    why = predicted[~predicted["covered"]].groupby("skill_id")["left_out"].agg(set)
    assert "unlabelled" in why.pop("report-builder")
    assert set().union(*why) <= {"undrawn", "unaskable"}
