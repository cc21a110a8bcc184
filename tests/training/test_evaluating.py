"""Held-out scores to verdicts: calibrated without the sessions that are judged."""

from dataclasses import replace

import numpy as np
import pytest

from skilltune.training.evaluating import judge_held_out
from tests.training.invented import make_examples


def test_judge_held_out_keeps_the_order_and_the_rules():
    """One verdict for each example, in their order, with the outcome of the rules beside."""
    examples = make_examples()
    chance = {"none": (0.1, 0.1), "correction": (0.9, 0.05), "acceptance": (0.05, 0.9)}
    judged = judge_held_out(examples, [chance[one.turn.outcome] for one in examples])
    assert [one.turn.key for one in judged] == [one.turn.key for one in examples]
    assert [one.outcome for one in judged] == [one.turn.outcome for one in examples]
    assert {one.by_rules for one in judged} == {"none"}
    assert all(0 <= one.p_negative <= 1 and 0 <= one.p_acceptance <= 1 for one in judged)


def test_judge_held_out_calibrates_without_the_sessions_judged():
    """The labels of a tenth of the sessions do not reach their own probabilities."""
    examples = make_examples(sessions=20)
    draw = np.random.default_rng(2)
    scores = [(float(one), float(two)) for one, two in draw.random((60, 2)) / 2]
    turned = [
        replace(one, turn=replace(one.turn, outcome="correction")) if one.turn.session == "s00" else one
        for one in examples
    ]
    before, after = judge_held_out(examples, scores), judge_held_out(turned, scores)
    assert [one.p_negative for one in before[:3]] == [one.p_negative for one in after[:3]]
    assert [one.p_negative for one in before[3:6]] != [one.p_negative for one in after[3:6]]


@pytest.mark.parametrize("sessions", [1, 2, 5])
def test_judge_held_out_of_few_sessions(sessions):
    """Fewer sessions than folds are judged one by one; a single one by what a model says before it has seen any."""
    examples = make_examples(sessions=sessions)
    assert len(judge_held_out(examples, [(0.3, 0.3)] * len(examples))) == len(examples)
