"""Which use started a sub-agent that has a file of its own."""

from skilltune.facts import FileFacts, SubagentFacts, Tokens
from skilltune.mining import mine_sessions
from tests.mining.stories import AS_OF, MINUTE, START, says, session, skill, spends


def ran(number, *, minute=None, session_id="s", uuid=""):
    """The file of a sub-agent."""
    at = None if minute is None else START + int(minute * MINUTE)
    path = f"/logs/{session_id}/subagents/agent-{number}.jsonl"
    run = SubagentFacts(session_id, path, uuid, at, Tokens(output=number))
    return FileFacts(path, skipped="subagent", subagents=(run,))


def mined(*files):
    """What is mined of files; a story is a file of its own."""
    facts = [file if isinstance(file, FileFacts) else FileFacts(file.path, sessions=(file,)) for file in files]
    return mine_sessions(lambda: facts, as_of=AS_OF)


def charged(found):
    """Tokens of sub-agents by skill, then what is left of each session."""
    return [use.subagent_tokens for use in found.invocations], [
        row.unattributed_subagent_tokens for row in found.sessions
    ]


STORY = (says("go"), spends(1), skill("a"), spends(10), says("wrong"), spends(2), skill("b"), spends(20))
"""Items at minutes 1, 3, 5 and 7."""


def test_sub_agents_belong_to_the_use_that_was_running():
    """One before any use, one in each, one after the verdict on the first (K52)."""
    files = [ran(1, minute=1.5), ran(2, minute=3.5), ran(4, minute=5.5), ran(8, minute=9)]
    found = mined(session(*STORY), *files)
    assert charged(found) == ([2, 8], [5])
    (row,) = found.sessions
    assert (row.tokens, row.tokens_with_subagents, row.subagents) == (33, 48, 4)


def test_sub_agents_of_a_session_two_totals():
    """A session of 100 tokens whose sub-agent took 900: 100, and 1000 (K52)."""
    (row,) = mined(session(says("go"), spends(100)), ran(900, minute=2)).sessions
    assert (row.tokens, row.tokens_with_subagents) == (100, 1000)


def test_sub_agents_without_a_stamp_belong_to_the_session_alone():
    """When it began is not known: no use is charged."""
    assert charged(mined(session(*STORY), ran(7))) == ([0, 0], [7])


def test_sub_agents_that_were_copied_count_once():
    """Two files that begin with the same record are one sub-agent."""
    files = [ran(2, minute=3.5, uuid="x"), ran(2, minute=3.5, uuid="x"), ran(4, minute=3.6, uuid="y")]
    assert charged(mined(session(*STORY), *files)) == ([6, 0], [0])


def test_sub_agents_of_copied_work_are_left_to_its_owner():
    """In whatever order the files are read, the file that owns the use is charged."""
    owner, copy = session(*STORY[:4]), session(*STORY, copied_until=2, path="/logs/later.jsonl")
    for order in ([owner, copy], [copy, owner]):
        found = mined(*order, ran(3, minute=3.5), ran(5, minute=8))
        assert {use.skill_id: use.subagent_tokens for use in found.invocations} == {"a": 3, "b": 5}
        assert [row.subagent_tokens for row in found.sessions] == [8]


def test_sub_agents_are_known_where_the_session_counts_nothing():
    """Without tokens in the transcript those of the sub-agents stand alone."""
    found = mined(session(skill("a"), says("wrong")), ran(7, minute=1.5))
    (use,), (row,) = found.invocations, found.sessions
    assert (use.tokens_input, use.subagent_tokens) == (None, 7)
    assert (row.tokens, row.tokens_with_subagents, row.unattributed_tokens) == (None, 7, None)


def test_sub_agents_of_another_session_are_not_charged():
    """A sub-agent whose session is not there is in no row."""
    assert charged(mined(session(*STORY), ran(7, minute=3.5, session_id="gone"))) == ([0, 0], [0])
