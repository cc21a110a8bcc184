"""Whether the same request came again after a use."""

import pytest

from tests.mining.stories import dollar, mine, says, session, skill, slash, tools

ASK = "please tidy the imports in app.py"


def retried(*steps):
    """The flag of each use of a story."""
    return [use.retried for use in mine(session(*steps)).invocations]


@pytest.mark.parametrize(
    ("again", "expected"),
    [
        ([says(ASK)], True),
        ([says("Please tidy the  imports in app.py!")], True),
        ([says("what is this?"), says(ASK)], True),
        ([says("what?"), says("why?"), says(ASK)], False),
        ([says("please tidy the tests in shop.py")], False),
        ([says("no, wrong")], False),
        ([slash("s2", args=ASK)], True),
        ([slash("s2", args="all")], False),
        ([], False),
    ],
)
def test_retried_by_the_same_words(again, expected):
    """Nine tenths of the signs are the same, within two turns, of which a slash command is one."""
    assert retried(says(ASK), skill(), tools("Edit"), *again)[0] is expected


def test_retried_short_words_are_alike_by_chance():
    """Under twelve characters nothing is a retry."""
    assert retried(says("go on"), skill(), says("go on")) == [False]


@pytest.mark.parametrize(
    ("again", "expected"),
    [
        (slash("tidy", args="app.py"), True),
        (slash("tidy", args="shop.py"), False),
        (slash("other", args="app.py"), False),
        (says("app.py"), False),
    ],
)
def test_retried_by_the_same_command(again, expected):
    """A command is asked for again by the same name and arguments, however short."""
    assert retried(slash("tidy", args="app.py", body=True), tools("Edit"), again)[0] is expected


def test_retried_counts_a_prompt_with_a_dollar_name_once():
    """A prompt that names its skill is one request: the second after the use is still within two turns."""
    asked = [says(f"$tidy {ASK}"), dollar("tidy", body=True)]
    assert retried(*asked, says("what?"), *asked) == [True, False]
    assert retried(*asked, says("what?"), says("why?"), *asked) == [False, False]


def test_retried_passes_over_the_agents_own_commands():
    """``/compact`` is neither what led to a use nor a turn after it."""
    own = slash("compact", form="name_first")
    assert retried(says(ASK), own, skill(), own, own, says(ASK))[0] is True
    assert retried(own, skill(), own) == [False]


def test_retried_needs_a_request():
    """The first use of a session that nobody asked for is no retry's beginning."""
    assert retried(skill(), says(ASK)) == [False]


def test_retried_once_of_three_uses():
    """Used three times, asked for again once; what is decided about the uses stays (K28)."""
    other, third = "now write a test for the parser", "and the same for the reader, please"
    steps = [says(ASK), skill(), says(ASK), skill(), says(other), skill(), says(third)]
    found = mine(session(*steps))
    assert [use.retried for use in found.invocations] == [True, False, False]
    assert {event.retried for event in found.events if event.event_id == found.invocations[0].event_id} <= {True}
