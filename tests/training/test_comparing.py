"""Whether a model is better than chance would make it look."""

from skilltune.mining.situation import Situation
from skilltune.training.comparing import SURE, share_of_gains
from skilltune.training.evaluating import Judged
from skilltune.training.turns import LabelledTurn


def judged(*, wrong: set[int], turns: int = 190) -> list[Judged]:
    """Verdicts on turns, two a session, every second a complaint; those numbered are wrong."""
    rows = []
    for number in range(turns):
        truth = ("correction", "none")[number % 2]
        turn = LabelledTurn(
            key=f"k{number}",
            source="own",
            session=f"s{number // 2}",
            agent="claude-code",
            language="en",
            situation=Situation.of(""),
            outcome=truth,
            uuid="",
        )
        said = truth if number not in wrong else ("none" if truth == "correction" else "correction")
        rows.append(Judged(turn, said, said, 0.5, 0.5))
    return rows


def test_gain_of_one_turn_is_chance():
    """Two errors mended and one made of 190: higher F1, but not in 95 % of the draws."""
    before, after = judged(wrong=set(range(0, 40, 2))), judged(wrong={*range(4, 40, 2), 100})
    assert 0.3 < share_of_gains(before, after) < SURE


def test_gain_of_many_turns_is_none_of_chance():
    """Half of the errors gone is better in nearly every draw; the other way round in none; the same is no gain."""
    before, after = judged(wrong=set(range(0, 60, 2))), judged(wrong=set(range(0, 30, 2)))
    assert share_of_gains(before, after) > SURE
    assert share_of_gains(after, before) < 0.01
    assert share_of_gains(before, before) == 0
    assert share_of_gains(before, after) == share_of_gains(before, after), "the draws are seeded"


def test_nothing_to_compare_is_no_gain():
    """Without a verdict nobody is better."""
    assert share_of_gains([], []) == 0
