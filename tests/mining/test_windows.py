"""The influence window, attribution, and what a window adds up to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.mining.windows import TAKEN_BACK
from tests.mining.stories import agent, dollar, mine, says, session, shell, skill, slash, tools, typed, verdict_of

NEXT = "Next please add the pagination to the orders page"


@pytest.mark.parametrize(
    ("steps", "outcome"),
    [
        ([skill(), says("what is this?"), says("and that?"), says("wrong")], "correction/rejection@3"),
        ([skill(), says("what?"), says("why?"), says("how?"), says("wrong")], "none"),
        ([skill(), says("perfect"), says("no, that's wrong")], "correction/rejection@2"),
        ([skill(), says("no, that's wrong"), says("perfect")], "correction/rejection@1"),
        ([skill(), says("that's wrong"), says("undo it")], "correction/revert@2"),
        ([skill(), says("redo it"), says("undo it all")], "correction/revert@2"),
        ([skill(), says("wrong"), says("fine, but rename it")], "partial/partial@2"),
        ([skill(), says("wrong"), says("still wrong")], "correction/rejection@1"),
        ([skill(), says(NEXT)], "acceptance/implicit@1"),
        ([skill(), says("what is this?"), says(NEXT)], "acceptance/implicit@2"),
        ([skill(), says(NEXT), says("looks good")], "acceptance/implicit@1"),
        ([skill(), says("Add a page")], "none"),
        ([skill(), says("make it blue"), says("that's wrong")], "correction/rejection@2"),
        ([says("list the open orders"), skill(), agent("Done."), says("list the open orders")], "none"),
        ([skill(), says("", channel="denial", decision="rejected")], "correction/rejection@1"),
        ([skill(), says("", channel="edit", tool="Edit"), says("perfect")], "partial/partial@1"),
        ([skill(), says("", channel="edit"), says("perfect")], "acceptance/explicit@1"),
        ([skill(), says("", channel="edit")], "none"),
        ([skill(), says("", channel="plan", decision="approved")], "acceptance/explicit@1"),
        ([skill(), says("not this plan", channel="plan", decision="rejected")], "correction/rejection@1"),
        ([skill(), says("", image=True), says("wrong")], "correction/rejection@2"),
        ([skill(), says("请加一个登录页面吧谢")], "none"),
        ([skill(), says("接下来给登录页面加一个记住我")], "acceptance/implicit@1"),
        ([skill(), says("can you add the pagination to the orders page?")], "none"),
        ([skill(), says("To nie działa, popraw to proszę"), says(NEXT)], "none"),
        ([skill(), slash("s2"), says("wrong")], "none"),
        ([skill(), slash("clear", form="name_first"), says("wrong")], "correction/rejection@1"),
    ],
)
def test_window_outcome(steps, outcome):
    """The strongest signal of the window counts, the earliest of equals; silence and questions judge nothing."""
    assert verdict_of(*steps) == outcome


def test_window_length_is_an_argument():
    """Fewer turns see less."""
    told = session(skill(), says("what?"), says("wrong"))
    assert [len(mine(told, window_turns=turns).events) for turns in (1, 2)] == [0, 1]


def test_window_answer_without_complaint_uses_up_no_turn():
    """An answer that does not complain leaves the window as it was; one that complains is a turn."""
    answer = {"channel": "answer", "tool": "AskUserQuestion"}
    steps = [skill(), says("blue", **answer), says("what?"), says("why?"), says("wrong")]
    assert verdict_of(*steps) == "correction/rejection@3"
    assert verdict_of(skill(), says("No, that is wrong", **answer), says("perfect")) == "correction/rejection@1"


@pytest.mark.parametrize(
    ("complaint", "attributed", "outcome", "attribution"),
    [
        ("that's wrong", "", "acceptance/implicit@1", "weak"),
        ("the tidy-up skill got it wrong", "", "correction/rejection@2", "direct"),
        ("report.md is wrong", "", "correction/rejection@2", "direct"),
        ("other.md is wrong", "", "acceptance/implicit@1", "weak"),
        ("that's wrong", "tidy-up", "correction/rejection@2", "direct"),
        ("that's wrong", "plugin:tidy-up", "correction/rejection@2", "direct"),
        ("that's wrong", "other", "acceptance/implicit@1", "weak"),
    ],
)
def test_window_after_a_new_request_is_weak(complaint, attributed, outcome, attribution):
    """After a request that stands by itself a turn decides only where it or the record names the skill or its files."""
    steps = [
        skill("tidy-up"),
        tools("Write", edited=("/home/me/docs/report.md",)),
        says(NEXT),
        agent("ok", attributed=attributed),
        says(complaint),
    ]
    assert verdict_of(*steps, skill_id="tidy-up") == outcome
    assert mine(session(*steps)).turns[1].attribution == attribution


@pytest.mark.parametrize(
    ("attributed", "outcome"), [("", "correction/rejection@1"), ("s1", "correction/rejection@1"), ("other", "none")]
)
def test_window_turn_about_another_skill_does_not_decide(attributed, outcome):
    """The agent's record says whose output is answered: another skill's does not count here."""
    assert verdict_of(skill("s1"), agent("Done.", attributed=attributed), says("that's wrong")) == outcome


def test_window_plain_word_is_no_skill_name():
    """A skill called like an everyday word is named only as such."""
    told = [skill("commit"), says(NEXT), says("the commit is wrong")]
    assert verdict_of(*told, skill_id="commit") == "acceptance/implicit@1"
    told[2] = says("the commit skill is wrong")
    assert verdict_of(*told, skill_id="commit") == "correction/rejection@2"


EDIT = tools("Edit", edited=("/home/me/app/a.py",))


@pytest.mark.parametrize(
    ("steps", "outcome"),
    [
        ([skill(), EDIT, says("hm, let me think"), shell("git checkout -- a.py")], "correction/revert@1"),
        ([skill(), EDIT, says("hm, let me think"), shell("git checkout -- b.py")], "none"),
        ([skill(), EDIT, says("hm, let me think"), shell("git reset --hard")], "correction/revert@1"),
        ([skill(), EDIT, says("perfect"), shell("git stash && npm test && git stash pop")], "acceptance/explicit@1"),
        ([skill(), EDIT, says("what?"), says("hm"), shell("git restore a.py"), says("perfect")], "correction/revert@2"),
        ([skill(), EDIT, typed("git checkout -- a.py"), says("perfect")], "correction/revert@1"),
        ([skill(), EDIT, typed("git checkout -- b.py"), says("perfect")], "acceptance/explicit@1"),
        ([skill(), EDIT, typed("git status"), says("perfect")], "acceptance/explicit@1"),
        ([skill(), EDIT, says("what?"), says("why?"), says("how?"), says("hm"), shell("git restore a.py")], "none"),
        ([skill(), EDIT, says("perfect"), shell("git stash"), says("and now?")], "correction/revert@1"),
        (
            [skill(), EDIT, says("perfect"), shell("git stash"), says("hm"), shell("git stash pop")],
            "acceptance/explicit@1",
        ),
        ([skill(), EDIT, says("perfect"), typed("git stash"), typed("git stash pop")], "acceptance/explicit@1"),
        (
            [skill(), EDIT, says("perfect"), shell("git stash"), skill("s2"), says("hm"), shell("git stash apply")],
            "acceptance/explicit@1",
        ),
        (
            [skill(), EDIT, says("perfect"), shell("cat > notes.md <<'EOF'\ngit reset --hard\nEOF")],
            "acceptance/explicit@1",
        ),
        ([skill(), EDIT, says("hm"), shell("bash -c 'git checkout -- a.py'")], "correction/revert@1"),
        ([skill(), EDIT, says("perfect"), skill("s2"), shell("git restore a.py")], "acceptance/explicit@1"),
    ],
)
def test_window_revert_by_command(steps, outcome):
    """Discarding what the skill edited is a revert after a turn, or when the person types it themselves."""
    assert verdict_of(*steps) == outcome


@pytest.mark.parametrize(
    ("steps", "outcome"),
    [
        ([says("tidy up"), skill(), EDIT, typed("/undo"), says("hm")], "correction/revert@1"),
        ([says("tidy up"), skill(), agent("Done."), typed("/undo 1")], "correction/revert@1"),
        ([slash("s1"), EDIT, typed("/undo")], "correction/revert@1"),
        ([says("$s1"), dollar("s1", body=True), EDIT, typed("/undo")], "correction/revert@1"),
        ([says("go"), skill(), EDIT, says("perfect"), EDIT, typed("/undo")], "acceptance/explicit@1"),
        ([says("go"), skill(), EDIT, says("perfect"), EDIT, typed("/undo 2")], "correction/revert@1"),
        ([says("go"), skill(), EDIT, says("perfect"), typed("/undo 9")], "correction/revert@1"),
        ([says("go"), skill(), EDIT, says("perfect, $x"), dollar("x"), typed("/undo 2")], "correction/revert@1"),
        ([says("go"), skill(), EDIT, says("perfect"), typed("/undo 0x1")], "acceptance/explicit@1"),
        ([says("go"), skill(), EDIT, says("perfect"), typed("echo /undo 2")], "acceptance/explicit@1"),
        ([says("go"), skill(), EDIT, skill("s2"), EDIT, typed("/undo")], "none"),
    ],
)
def test_window_revert_by_the_agents_own_undo(steps, outcome):
    """Taking back the last prompts is a revert of the uses that they led to, and of no use before them."""
    assert verdict_of(*steps) == outcome


@pytest.mark.parametrize(("said", "snippet"), [("perfect", ""), ("that's wrong", "that's wrong")])
def test_window_taken_back_is_not_quoted_by_praise(said, snippet):
    """Where a command decided, what was said before it is quoted only if it complains (N22)."""
    (event,) = mine(session(skill(), EDIT, says(said), EDIT, typed("/undo 2"))).events
    assert (event.rule, event.user_message_snippet) == (TAKEN_BACK, snippet)


def test_window_revert_typed_before_any_turn_has_no_text():
    """A command before any turn decides without words."""
    (event,) = mine(session(skill(), EDIT, typed("git checkout -- a.py"))).events
    assert (event.user_message_snippet, event.rule, event.channel) == ("", "command.revert", None)
    assert (event.turns_to_feedback, event.dimension_hint, event.attribution) == (1, "unknown", "direct")


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([skill()], "no_turn"),
        ([skill(), skill("s2"), says("perfect")], "ended"),
        ([skill(), says("what is this?")], "question"),
        ([skill(), says("Sorry, I pasted the old file")], "own_mistake"),
        ([skill(), says("Αυτό είναι λάθος")], "language"),
        ([skill(), says("the second column holds dates")], "no_signal"),
        ([skill(), agent("", attributed="other"), says("wrong")], "weak"),
        ([skill(), says("perfect")], ""),
    ],
)
def test_window_without_event_says_why(steps, reason):
    """Every use has a row; one without an event says why."""
    (use,) = [use for use in mine(session(*steps)).invocations if use.skill_id == "s1"]
    assert use.reason == reason


TURNS = ["wrong", "perfect", "what?", NEXT, "undo it", "redo it", "fine, but rename it", "hm", "不对", "42"]


@given(st.lists(st.sampled_from(TURNS), max_size=7), st.integers(1, 5))
def test_window_is_bounded(texts, turns):
    """No turn past the window decides, each turn's place is within it, and later turns change nothing."""
    steps = [skill(), *(says(text) for text in texts)]
    found = mine(session(*steps), window_turns=turns)
    assert all(1 <= turn.turn_in_window <= turns for turn in found.turns)
    assert len(found.turns) <= turns
    assert all(1 <= event.turns_to_feedback <= turns for event in found.events)
    assert found.events == mine(session(*steps[: turns + 1]), window_turns=turns).events


@given(st.lists(st.sampled_from(["S:a", "S:b", *TURNS]), max_size=9))
def test_window_events_do_not_depend_on_which_skill_is_looked_at(script):
    """Selecting one skill's rows afterwards gives what it has among all: other uses end its windows either way."""
    steps = [skill(step[2:]) if step.startswith("S:") else says(step) for step in script]
    found = mine(session(*steps))
    ids = [use.event_id for use in found.invocations]
    assert len(set(ids)) == len(ids)
    assert {event.event_id for event in found.events} == {use.event_id for use in found.invocations if not use.reason}
    assert len(found.invocations) == sum(step.startswith("S:") for step in script)


def test_window_counts_complaints_that_do_not_decide():
    """A complaint that may be about other work decides nothing, and the use and its event say that it was there."""
    found = mine(session(skill(), says(NEXT), says("that's wrong"), says("perfect")))
    (event,), (use,) = found.events, found.invocations
    assert (event.outcome, event.weak_complaints, use.weak_complaints) == ("acceptance", 1, 1)
    (use,) = mine(session(skill(), agent("", attributed="other"), says("wrong"))).invocations
    assert (use.reason, use.weak_complaints) == ("weak", 1)
    assert mine(session(skill(), says("that's wrong"))).events[0].weak_complaints == 0


@pytest.mark.parametrize("flag", ["interrupted", "rewound"])
def test_window_carries_the_flags_of_its_turns(flag):
    """An interrupt or a step back before a turn is a flag of the turn and the use, and of the event it decided."""
    found = mine(session(skill(), says("what is that?", **{flag: True}), says("perfect")))
    assert [getattr(turn, flag) for turn in found.turns] == [True, False]
    assert [getattr(use, flag) for use in found.invocations] == [True]
    assert [getattr(event, flag) for event in found.events] == [False]
    (event,) = mine(session(skill(), says("no, that's wrong", **{flag: True}))).events
    assert getattr(event, flag)
