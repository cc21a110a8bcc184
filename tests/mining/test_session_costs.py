"""Sessions as a whole: totals, and what no use is charged with."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from skilltune.frames import to_frame
from skilltune.records import SessionCost
from tests.mining.stories import MINUTE, START, mine, says, session, skill, slash, spends, typed

STEPS = st.one_of(
    st.builds(spends, st.integers(0, 99), aside=st.integers(0, 9)),
    st.sampled_from(["a", "b"]).map(skill),
    st.sampled_from(["a", "b"]).map(lambda name: slash(name, body=True)),
    st.sampled_from(["no, wrong", "what is this?", "perfect", "now write the tests for the whole parser"]).map(says),
    st.just(typed("git checkout -- .")),
)


@given(st.lists(STEPS, max_size=25), st.integers(0, 8), st.booleans())
def test_sums_over_skills_never_exceed_the_session(steps, copied, turned):
    """Each token belongs to one use or to none, whatever was copied from where (K25)."""
    whole, copy = session(*steps, session_id="one"), session(*steps, session_id="two", copied_until=copied)
    owner = session(*steps[: len(steps) // 2], session_id="one") if copied else whole
    found = mine(*((copy, owner) if turned else (owner, copy)))
    for row in found.sessions:
        uses = [use for use in found.invocations if use.session_id == row.session_id and use.tokens_input is not None]
        assert sum(use.tokens_input for use in uses) + (row.unattributed_tokens or 0) == (row.tokens or 0)
        below = sum(use.subagent_tokens for use in uses)
        assert below + (row.unattributed_subagent_tokens or 0) == (row.subagent_tokens or 0)


def test_session_of_ten_turns_is_not_charged_to_every_skill():
    """Skills at turns 2 and 8, corrections at 3 and 5: each gets its own stretch, the rest is unattributed (K25)."""
    steps = []
    for number in range(1, 11):
        steps += [says("no, wrong" if number in (3, 5) else f"what is {number}?"), spends(100)]
        steps += [skill("a"), spends(7)] if number == 2 else [skill("b"), spends(9)] if number == 8 else []
    found = mine(session(*steps))
    assert [(use.skill_id, use.tokens_input) for use in found.invocations] == [("a", 7), ("b", 209)]
    (row,) = found.sessions
    assert (row.tokens, row.unattributed_tokens, row.turns, row.uses) == (1016, 800, 10, 2)


def test_session_says_when_and_where():
    """First and last record, the pauses, the folder, the model, and the skills that were listed (K26)."""
    told = session(
        spends(1, ended=1),
        says("go", at=START + 30 * MINUTE),
        spends(2, ended=31),
        skill(at=START + 32 * MINUTE),
        spends(ended=33),
        first_at=START,
        last_at=START + 40 * MINUTE,
        project="/home/dev/shop",
        available=12,
    )
    (row,) = mine(told).sessions
    assert row.started is not None
    assert row.ended == row.started + timedelta(minutes=40)
    assert (row.wall_seconds, row.idle_seconds) == (2400, 29 * 60)
    assert (row.project, row.available, row.uses, row.turns) == ("/home/dev/shop", 12, 1, 1)


def test_session_without_any_number_is_unknown():
    """A transcript that counts no tokens has missing totals, not zero."""
    (row,) = mine(session(says("go"))).sessions
    assert (row.tokens, row.tokens_with_subagents, row.unattributed_tokens, row.available) == (None,) * 4


def test_session_that_is_a_copy_throughout_has_no_row():
    """What another file owns is told there; a second file of the same session adds what is its own."""
    steps = [says("go"), spends(5), skill(), spends(6)]
    later = [says("no, wrong"), spends(7)]
    whole, more = session(*steps), session(*steps, *later, copied_until=2, path="/logs/more.jsonl")
    copy = session(*steps, session_id="copy", copied_until=2)
    found = mine(whole, more, copy)
    assert [(row.session_id, row.tokens, row.turns) for row in found.sessions] == [("s", 18, 2)]


def test_session_left_out_has_no_row():
    """Scripted sessions are nobody's work."""
    assert mine(session(says("go"), spends(5), entrypoint="sdk-cli")).sessions == []


def test_sessions_make_a_table():
    """Even numbers that nobody ever spent fit."""
    frame = to_frame(mine(session(says("go"), spends(10**12, aside=10**12))).sessions, SessionCost)
    assert frame.loc[0, "tokens_with_subagents"] == 2 * 10**12


def test_sessions_say_what_they_are_forked_from():
    """A fork's row names the session that its records name, and the version of the program."""
    (row,) = mine(session(says("hm"), forked_from="S0", agent_version="1.2")).sessions
    assert (row.forked_from, row.agent_version) == ("S0", "1.2")
