"""The recipe: labelled turns in, model and card out; the same input gives the same output."""

import json

import pytest

from skilltune.errors import InputError
from skilltune.mining.model import Model, decode_model
from skilltune.training.publishing import encode_model
from skilltune.training.recipe import helpful_turns, train
from tests.training.invented import make_turn
from tests.training.persons import PLAIN, labelled_lines


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    """Two files of labelled turns, of two projects and of one."""
    folder = tmp_path_factory.mktemp("labelled")
    paths = [folder / "a.jsonl", folder / "b.jsonl"]
    paths[0].write_text(labelled_lines(sessions=8, sources=2, name="a"), encoding="utf-8")
    paths[1].write_text(labelled_lines(sessions=4, sources=1, name="b"), encoding="utf-8")
    return paths


@pytest.fixture(scope="module")
def trained(labelled):
    """What the recipe makes of them, without the invented turns."""
    return train(labelled, invented=False)


def test_train_gives_a_model_that_can_be_asked(trained):
    """The model decodes, speaks the language of its labels, and reads plain words right."""
    model = decode_model(encode_model(trained.model), source="x")
    assert model == Model(trained.model)
    assert trained.model.languages == ["en"]
    assert trained.card["model"] == trained.model.version


def test_train_measures_on_unseen_turns_in_the_order_of_the_files(trained):
    """There is a verdict for each turn, with its session and with its project unseen, and the card counts them."""
    keys = [row.turn.key for row in trained.by_session]
    assert keys == [row.turn.key for row in trained.by_source]
    assert keys == [f"a{at}" for at in range(24)] + [f"b{at}" for at in range(12)]
    card = trained.card
    assert (card["turns"], card["sessions"], card["projects"], card["folds"]) == (36, 12, 3, 20)
    assert card["invented"] == {"turns": 0, "sources": 0}
    assert (card["largest_project_unseen"]["turns"], card["other_projects"]["turns"]) == (12, 24)
    assert card["one_project"]["turns"] == 24, "the set that others measure on is the first file"
    assert card["outcomes"]["negative"]["f1"]["rate"] > 0.9


def test_train_again_gives_the_same(trained, labelled):
    """The same labels give the same model and card."""
    again = train(labelled, invented=False)
    assert encode_model(again.model) == encode_model(trained.model)
    assert json.dumps(again.card) == json.dumps(trained.card)


def test_train_on_one_project_leaves_unseen_projects_open(tmp_path):
    """One project, and nothing else to learn from: measured with sessions unseen, other projects unknown."""
    path = tmp_path / "one.jsonl"
    path.write_text(labelled_lines(sessions=12, sources=1), encoding="utf-8")
    card = train([path], invented=False).card
    assert (card["projects"], card["turns"], card["other_projects"]["turns"]) == (1, 36, 0)
    assert card["outcomes"]["negative"]["f1"]["rate"] is not None
    assert card["largest_project_unseen"]["outcomes"]["negative"]["f1"]["rate"] is None


@pytest.mark.parametrize("missing", ["correction", "acceptance", "none"])
def test_train_needs_every_kind(tmp_path, missing):
    """Where a kind was never labelled it is said which."""
    words = {outcome: texts for outcome, texts in PLAIN.items() if outcome != missing}
    path = tmp_path / "turns.jsonl"
    path.write_text(labelled_lines(sessions=12, sources=3, words=words), encoding="utf-8")
    with pytest.raises(InputError, match="no turn is labelled"):
        train([path], invented=False)


def test_train_of_too_few_sessions_is_refused(tmp_path):
    """Three labelled turns make no model, and the reason is said."""
    path = tmp_path / "turns.jsonl"
    path.write_text(labelled_lines(sessions=1, sources=1), encoding="utf-8")
    with pytest.raises(InputError, match=r"labelled|sessions"):
        train([path], invented=False)


def test_helpful_turns_are_those_that_can_judge_something():
    """Of invented turns those count that something went before, in the languages of the labels."""
    known = make_turn(key="known")
    foreign = make_turn(key="foreign", language="zh")
    first = make_turn(key="first", situation=make_turn(text="hi").situation.of("hi"))
    second = make_turn(key="second", situation=first.situation.of("hi", previous_prompt="Sort it."))
    assert helpful_turns([known, foreign, first, second], languages=["en"]) == [known, second]
    assert helpful_turns([known, foreign], languages=["zh", "en"]) == [known, foreign]
