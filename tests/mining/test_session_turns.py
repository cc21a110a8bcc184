"""The turns of one session: each in its situation, judged when it is asked for."""

import pytest
from msgspec import structs

from skilltune.mining.session_turns import SessionTurns
from tests.mining.models import sure_of
from tests.mining.stories import Step, agent, mine, says, session, skill, tools, typed

NEUTRAL = "The lamp hums in the hall."


def test_turns_stand_in_what_came_before():
    """A turn's situation has the agent's last words, its errors, and the person's message before."""
    told = session(
        says("Sort the ports."), agent("Sorted."), tools("Bash", failed=True), says("Sort the ports, please.")
    )
    turns = SessionTurns(told, model=None)
    (first, _), (second, _) = turns.turns()
    begin, then = turns.situation(first), turns.situation(second)
    assert (begin.previous_agent, begin.previous_prompt, begin.ended_in_error) == ("", "", False)
    assert (then.previous_agent, then.previous_prompt, then.ended_in_error) == ("Sorted.", "Sort the ports.", True)
    assert turns.classify(second).correction_type == "redo"


def test_turns_begin_a_session_only_where_nothing_came_before():
    """The first words after which nothing had been done can judge nothing; those after work can."""
    told = session(says("Sort the ports by name."), skill(), says(NEUTRAL))
    turns = SessionTurns(told, model=sure_of("negative"))
    first, second = (turns.classify(at) for at, _ in turns.turns())
    assert (first.outcome, first.p_negative) == ("none", None)
    assert second.outcome == "correction"


def test_turns_do_not_take_a_click_for_the_message_before():
    """The message before is what the person typed, not the words of a refusal or of an answer."""
    told = session(says("Sort the ports."), says("no", channel="denial"), says("", channel="message"), says("Again"))
    turns = SessionTurns(told, model=None)
    assert [turns.situation(at).previous_prompt for at, _ in turns.turns()] == ["", *["Sort the ports."] * 3]


def test_turns_carry_channel_decision_tool_and_interrupt():
    """What the person clicked and stopped reaches the situation."""
    told = session(skill(), says("fine", channel="plan", decision="approved", tool="ExitPlanMode", interrupted=True))
    ((at, _),) = SessionTurns(told, model=None).turns()
    turn = SessionTurns(told, model=None).situation(at)
    assert (turn.channel, turn.decision, turn.tool, turn.interrupted) == ("plan", "approved", "ExitPlanMode", True)


def test_turns_are_judged_once():
    """A second question for the same turn gives the same verdict object."""
    turns = SessionTurns(session(skill(), says("wrong")), model=None)
    ((at, _),) = turns.turns()
    assert turns.classify(at) is turns.classify(at)


@pytest.mark.parametrize(("which", "count"), [("all", 2), ("window", 0), ("none", 0)])
def test_turns_give_rows_by_choice(which, count):
    """Rows are those of all own turns, of those in a window, or none; copies and commands have none."""
    told = session(says("hi"), typed("ls"), says("wrong"), says("thanks"), copied_until=1)
    assert len(list(SessionTurns(told, model=None).rows({}, which=which))) == count


def test_turns_of_other_sessions_are_told_by_the_facts():
    """A session whose first item is a turn has what was said before it from the lead."""
    told = session(agent("The tests failed."), says("fix it"))
    assert SessionTurns(told, model=None).situation(0).previous_agent == "The tests failed."
    bare = structs.replace(told, items=())
    assert list(SessionTurns(bare, model=None).turns()) == []


def test_turns_say_which_model_and_version_they_answer():
    """Each turn names the model of the work before it, the first that of the work that came next."""
    spoke = Step("", {"model": "m1"})
    told = session(says("Sort."), spoke, says("Go on."), says("Well."), Step("", {"model": "m2"}), says("So."))
    found = mine(structs.replace(told, agent_version="1.2", project="/work/shop"), turns="all").turns
    assert [turn.model for turn in found] == ["m1", "m1", "m1", "m2"]
    assert {(turn.agent_version, turn.project) for turn in found} == {("1.2", "/work/shop")}
