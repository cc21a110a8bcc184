"""A turn with what the agent asked before it."""

import pytest

from skilltune.mining.signals import read_signals
from skilltune.mining.situation import Situation

CHOICE, OFFER, CHECK = "Which cache do you prefer?", "Want me to add tests?", "Does this look right?"


def situation(text, said):
    """A typed message after a text of the agent."""
    return Situation(read_signals(text), said, "message", "", False, False, "", "")


@pytest.mark.parametrize(
    ("text", "said", "replies", "answers"),
    [
        ("the smaller one should do", CHOICE, True, True),
        ("write the docs", OFFER, False, False),
        ("write the tests", OFFER, False, True),
        ("yes, small ones", OFFER, True, False),
        ("it should be smaller", CHECK, False, False),
        ("the smaller one should do", "", False, False),
    ],
)
def test_situation_knows_whether_the_turn_answers(text, said, replies, answers):
    """A choice is answered by anything, an offer by a yes or by words it shares, a check by neither."""
    found = situation(text, said)
    assert (found.replies, found.answers) == (replies, answers)


@pytest.mark.parametrize(("text", "polite"), [("no thanks", True), ("no, it's fine", True), ("no", False), ("", False)])
def test_situation_knows_a_polite_no(text, polite):
    """A no with thanks or a kind word declines; a bare one may reject."""
    assert situation(text, OFFER).declines_politely is polite
