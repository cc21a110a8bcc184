"""What a use is charged with: its own stretch, to the turn that decided, and no token of another use."""

import pytest

from skilltune.facts import Tokens
from skilltune.limits import MAX_TOKENS
from skilltune.mining.costs import add_tokens, seconds_between, total
from tests.mining.stories import MINUTE, START, mine, says, session, skill, spends, typed

AGAIN = "and rename the constants as well"


def costs(*steps, **fields):
    """(skill, input tokens, tokens of sub-agents, seconds, idle seconds) of each use of a story."""
    return [
        (use.skill_id, use.tokens_input, use.subagent_tokens, use.wall_seconds, use.idle_seconds)
        for use in mine(session(*steps, **fields)).invocations
    ]


def test_cost_goes_to_the_turn_that_decided():
    """What the agent does after the person's verdict is charged to nobody; an event says the same as its use."""
    told = session(skill(), spends(100), says("what is that?"), spends(20), says("no, wrong"), spends(7))
    found = mine(told)
    (event,), (use,) = found.events, found.invocations
    assert (use.tokens_input, use.tokens_output, use.tokens_cache_read, use.tokens_cache_write) == (120, 0, 0, 0)
    assert use.wall_seconds == 4 * 60
    names = ("tokens_input", "tokens_output", "subagent_tokens", "wall_seconds", "idle_seconds")
    assert [getattr(event, name) for name in names] == [getattr(use, name) for name in names]


def test_cost_of_an_undecided_use_ends_with_its_window():
    """Three questions decide nothing: the work before the fourth turn still belongs to the use."""
    questions = [step for number in range(4) for step in (says(f"what is {number}?"), spends(10))]
    assert costs(skill(), spends(1), *questions)[0][1:4] == (31, 0, 8 * 60)


def test_cost_of_an_undecided_use_ends_with_the_next_use():
    """Two skills after one another share no token."""
    assert [row[:4] for row in costs(skill("a"), spends(5), skill("b"), spends(6, ended=9))] == [
        ("a", 5, 0, 120.0),
        ("b", 6, 0, 360.0),
    ]


def test_cost_at_the_end_of_a_session_ends_with_the_agents_last_record():
    """Without a turn or a use after it, the time ends when the agent last wrote."""
    assert costs(skill(), spends(5, ended=3.5))[0][1:4] == (5, 0, 150.0)
    assert costs(skill(), spends(5))[0][1:4] == (5, 0, None)


def test_cost_counts_what_a_command_of_the_person_leads_to():
    """A shell command typed in the window is no turn and ends nothing."""
    assert costs(skill(), spends(5), typed("ls"), spends(6), says("perfect, thanks"))[0][1] == 11


def test_cost_of_a_transcript_without_tokens_is_unknown():
    """No number is not zero; time is known all the same."""
    assert costs(skill(), says("wrong"))[0][1:4] == (None, None, 60.0)
    assert costs(skill(), says("wrong"), spends(3))[0][1:3] == (0, 0)


def test_cost_without_stamps_has_no_time():
    """A use without a time has no length; a clock that went back makes none below 0."""
    assert costs(skill(at=None), spends(1), says("wrong"))[0][3:] == (None, None)
    assert costs(skill(at=START + 90 * MINUTE), spends(1), says("wrong"))[0][3] == 0


def test_cost_knows_the_persons_pauses():
    """Only pauses over ten minutes count, those before turns, up to the one that decided."""
    steps = [skill(), spends(1, ended=2), says("what?", at=START + 13 * MINUTE), spends(1, ended=14)]
    after = [says("wrong", at=START + 24 * MINUTE), spends(1, ended=25), says("ok", at=START + 99 * MINUTE)]
    assert costs(*steps, *after)[0][3:] == (23 * 60, 11 * 60)


def test_cost_counts_sub_agents_of_the_stretch_apart():
    """Records of sub-agents in the session's own file are no tokens of the use itself (K52)."""
    assert costs(skill(), spends(100, aside=900), says("wrong"), spends(1, aside=50))[0][1:3] == (100, 900)


def test_cost_that_another_file_owns_is_counted_there():
    """A copy charges nothing for work that was copied; the owner's figures stay when the copy decides the use."""
    steps = [skill(), spends(10), says("what is this?"), spends(20)]
    owner = session(*steps, session_id="one")
    copy = session(*steps, says("undo it"), spends(99), session_id="two", copied_until=2)
    for order in ([owner, copy], [copy, owner]):
        found = mine(*order)
        (event,), (use,) = found.events, found.invocations
        assert (event.correction_type, event.session_id, event.tokens_input) == ("revert", "one", 30)
        assert use.tokens_input == 30
        assert {row.session_id: row.tokens for row in found.sessions} == {"one": 30, "two": 99}


def test_cost_of_failed_calls_is_unknown():
    """A call that named no skill is no use and costs nothing of its own."""
    found = mine(session(skill("nope", failed="unknown_skill"), spends(5), says("hm?")))
    assert [(use.failed, use.tokens_input, use.wall_seconds) for use in found.invocations] == [
        ("unknown_skill", None, None)
    ]


@pytest.mark.parametrize(
    ("start", "end", "seconds"), [(0, 1_500_000, 1.5), (5, 4, 0), (None, 1, None), (1, None, None)]
)
def test_seconds_between(start, end, seconds):
    """Microseconds to seconds, never below 0, unknown where a stamp is."""
    assert seconds_between(start, end) == seconds


def test_tokens_are_bounded():
    """Numbers that no model ever spent do not break a table of whole numbers."""
    sums = add_tokens([Tokens(MAX_TOKENS, 1, 2, 3), Tokens(MAX_TOKENS, 1, 2, 3)])
    assert sums == Tokens(MAX_TOKENS, 2, 4, 6)
    assert total(sums) == MAX_TOKENS + 12
