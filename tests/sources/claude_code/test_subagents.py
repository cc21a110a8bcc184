"""What sub-agents spent: whose they are, when they began, each message once."""

import pytest

from skilltune.facts import Tokens
from tests.sources.claude_code.building import Transcript, turns

TOKENS = {"input_tokens": 1, "output_tokens": 20, "cache_read_input_tokens": 300, "cache_creation_input_tokens": 4000}


@pytest.mark.parametrize(
    ("session", "name", "parent"),
    [
        ("S1", "agent-a1.jsonl", "S1"),
        ("S1", "S1/subagents/agent-a1.jsonl", "S1"),
        ("S1", "S1/subagents/workflows/w/agent-a1.jsonl", "S1"),
        ("S1", "S2/subagents/agent-a1.jsonl", "S1"),
        ("agent-a1", "S1/subagents/agent-a1.jsonl", "S1"),
        (None, "S1/subagents/agent-a1.jsonl", "S1"),
        (None, "agent-a1.jsonl", ""),
        ("agent-a1", "agent-a1.jsonl", ""),
    ],
)
def test_subagent_belongs_to_the_session_that_it_names(read, session, name, parent):
    """Its records say so, unless they name the sub-agent itself; else the folder does."""
    (run,) = read(Transcript(session).user("look").agent("done", usage=TOKENS), name=name).subagents
    assert (run.session_id, run.uuid, run.tokens) == (parent, "u0", Tokens(1, 20, 300, 4000))
    assert run.path.endswith(name)


def test_subagent_began_with_its_first_message(read):
    """Records beside the conversation and messages without a stamp do not tell."""
    log = Transcript().add({"type": "progress"}).user("look", timestamp=None).agent("a", usage=TOKENS).agent("b")
    (run,) = read(log, name="agent-a1.jsonl").subagents
    (later,) = read(Transcript(start=2).user("look"), name="agent-a1.jsonl").subagents
    assert run.started == later.started


def test_subagent_messages_count_once(read):
    """Lines of one API message, and copies of one record, are one; the last line counts."""
    first, last = TOKENS | {"output_tokens": 1}, TOKENS
    log = Transcript().user("look").agent("a", message_id="m", usage=first).agent("b", message_id="m", usage=last)
    log.agent("c", usage=TOKENS, uuid="same").agent("c", usage=TOKENS, uuid="same").agent("d", message_id="n")
    (run,) = read(log, name="agent-a1.jsonl").subagents
    assert run.tokens == Tokens(2, 40, 600, 8000)


def test_subagents_in_the_sessions_file_count_apart(read):
    """Side chains are no work of the session; their tokens stand in the stretch in which they are written."""
    log = Transcript().user("go").agent("a", usage=TOKENS).user("look", isSidechain=True)
    log.agent("b", usage=TOKENS, message_id="m", isSidechain=True)
    log.agent("c", usage=TOKENS, message_id="m", isSidechain=True).user("next").agent("d", usage=TOKENS)
    facts = read(log)
    assert [turn.work.aside for turn in turns(facts)] == [Tokens(1, 20, 300, 4000), Tokens()]
    assert [turn.work.tokens for turn in turns(facts)] == [Tokens(1, 20, 300, 4000)] * 2
    assert facts.subagents == ()


def test_subagents_by_their_messages_have_a_file_of_their_own(read):
    """A file of side chains only is a sub-agent's, for each session that it names."""
    log = Transcript("S1").user("look", isSidechain=True).agent("a", usage=TOKENS, isSidechain=True)
    log.agent("b", usage=TOKENS, isSidechain=True, sessionId="S2")
    facts = read(log)
    assert (facts.skipped, facts.sessions) == ("subagent", ())
    assert [(run.session_id, run.tokens.output) for run in facts.subagents] == [("S1", 20), ("S2", 20)]


def test_subagent_file_without_a_message_is_none(read):
    """A journal of a workflow holds no sub-agent."""
    log = Transcript().add({"type": "started"}).add({"type": "result"})
    assert read(log, name="S1/subagents/workflows/w/journal.jsonl").subagents == ()


def test_numbers_that_nobody_spent_are_bounded(read):
    """Sums stay in what a table of whole numbers holds."""
    log = Transcript().user("go")
    for _ in range(3):
        log.agent("a", usage={"input_tokens": 2**53}).agent("b", usage={"input_tokens": 2**53}, isSidechain=True)
    (turn,) = turns(read(log))
    assert (turn.work.tokens, turn.work.aside) == (Tokens(10**12), Tokens(10**12))


def test_subagents_of_two_sessions_with_one_message_id_do_not_mix(read):
    """Each session has its own count of the message, whatever a later line of another says."""
    log = Transcript("S1").user("go").agent("a", message_id="m", usage=TOKENS, isSidechain=True)
    log.agent("b", message_id="m", usage=TOKENS | {"output_tokens": 7}, isSidechain=True, sessionId="S2")
    facts = read(log.user("go", sessionId="S2"))
    outputs = [
        sum(work.aside.output for work in (session.lead, *(item.work for item in session.items)))
        for session in facts.sessions
    ]
    assert outputs == [20, 7]
