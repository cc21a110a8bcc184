"""Scores of turns that the model has not seen: nothing of a group may reach its own score."""

from dataclasses import replace

import pytest

from skilltune.mining.features import FEATURES_VERSION
from skilltune.training.fitting import Fitting, Weights, fit_weights
from skilltune.training.holdout import bare_model, held_out_scores
from tests.training.invented import make_example, make_examples


def by_session(turn):
    """The group is the session."""
    return turn.session


def by_source(turn):
    """The group is the project."""
    return turn.source


def scored(examples, *, beside=(), group=by_session, folds=None, **fitting):
    """The scores, with a strong model that a leak would show in."""
    how = Fitting(strength=1.0, **fitting)
    return held_out_scores(examples, beside=beside, group=group, fitting=how, folds=folds)


@pytest.mark.parametrize(("group", "folds"), [(by_session, None), (by_session, 4), (by_source, None), (by_source, 2)])
def test_holdout_label_does_not_reach_its_own_score(group, folds):
    """A turn's score stays to the last digit when the labels of its own group are turned round."""
    examples = make_examples(sessions=9)
    mine = group(examples[0].turn)
    turned = [_turned_round(one) if group(one.turn) == mine else one for one in examples]
    before, after = scored(examples, group=group, folds=folds), scored(turned, group=group, folds=folds)
    own = [place for place, one in enumerate(examples) if group(one.turn) == mine]
    assert [before[place] for place in own] == [after[place] for place in own]
    assert before != after


def test_holdout_word_of_one_session_counts_nothing_there():
    """A word that only one session says does not move its score, even where one sighting is enough to learn it."""
    plain = make_examples(sessions=6)
    marked = [
        replace(one, features={**one.features, "word=quill": 1.0})
        if one.turn.session == "s00" and one.turn.outcome == "correction"
        else one
        for one in plain
    ]
    one, two = (scored(examples, min_sessions=1, min_sources=1) for examples in (plain, marked))
    assert one[:3] == two[:3]
    assert one[3:] != two[3:]
    assert "word=quill" in fit_weights(marked, fitting=Fitting(min_sessions=1, min_sources=1)).weights


def test_holdout_word_of_one_project_counts_nothing_there():
    """So it is with a project left out: what only it says, counts nothing for it."""
    plain = make_examples(sessions=6)
    marked = [
        replace(one, features={**one.features, "word=quill": 1.0}) if one.turn.source == "p0" else one for one in plain
    ]
    own = [place for place, one in enumerate(plain) if one.turn.source == "p0"]
    one, two = (scored(examples, group=by_source, min_sessions=1, min_sources=1) for examples in (plain, marked))
    assert [one[place] for place in own] == [two[place] for place in own]


def test_holdout_turns_beside_of_the_same_group_are_left_out():
    """Turns to learn from beside are left out, too, where they are of the group that is scored."""
    examples = make_examples(sessions=6)
    same = [make_example("none", ("bias", "word=rust"), session="s00", source="p0") for _ in range(50)]
    other = [make_example("none", ("bias", "word=rust"), session="elsewhere", source="p9") for _ in range(50)]
    plain = scored(examples)[:3]
    assert scored(examples, beside=same)[:3] == plain
    assert scored(examples, beside=other)[:3] != plain
    assert len(scored(examples, beside=other)) == len(examples)


def test_holdout_one_at_a_time_is_as_many_bundles_as_groups():
    """With as many bundles as groups, or more, each is left out alone; progress counts the fits."""
    examples = make_examples(sessions=6)
    seen = []
    alone = held_out_scores(
        examples, beside=[], group=by_session, fitting=Fitting(), progress=lambda done, of: seen.append((done, of))
    )
    assert seen == [(number, 6) for number in range(1, 7)]
    assert held_out_scores(examples, beside=[], group=by_session, fitting=Fitting(), folds=99) == alone


def test_holdout_scores_are_those_of_a_model_without_the_group():
    """A score equals that of a model fitted by hand to everything else."""
    examples = make_examples(sessions=6)
    rest = [one for one in examples if one.turn.session != "s02"]
    model = bare_model(fit_weights(rest, fitting=Fitting()))
    scores = held_out_scores(examples, beside=[], group=by_session, fitting=Fitting())
    for place, one in enumerate(examples):
        if one.turn.session == "s02":
            assert scores[place] == model.scores(one.features)


def test_bare_model_can_only_be_asked_for_scores():
    """A model of bare weights has no calibration and speaks no language."""
    model = bare_model(Weights((0.0, 0.0), {"a": (1.0, 0.0)}))
    assert model.file.features == FEATURES_VERSION
    assert not model.speaks("en")
    with pytest.raises(KeyError):
        model.ask({})


def _turned_round(example):
    """The example with another label."""
    other = "none" if example.turn.outcome == "correction" else "correction"
    return replace(example, turn=replace(example.turn, outcome=other))
