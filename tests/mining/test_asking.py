"""What the agent asks at the end of its text, and whether a reply takes it up."""

import pytest

from skilltune.mining.asking import read_agent
from skilltune.mining.outcomes import classify_by_rules
from tests.mining.stories import agent, mine, says, session, skill, verdict_of

LETTERS = "There are three ways to go on.\n\nA. Redis\nB. Memcached\nC. no cache\n"
NUMBERS = (
    "Which cache do you prefer?\n\n1. Redis, which keeps its data.\n2. Memcached. It is smaller.\n3. None. Slow.\n"
)
BULLETS = (
    "How should errors be shown?\n- **A toast.** It goes away.\n- **A page.** It stays.\n\nBoth are quick to build."
)
OFFER = "All is done. Want me to add tests for the importer as well?"
CHECK = "The page is there. Does this look right?"
OPEN = "All done! Anything else?"
DONE = "The importer is in place and all tests pass."


@pytest.mark.parametrize(
    ("said", "question", "choice", "checks"),
    [
        (DONE, False, False, False),
        (OFFER, True, False, False),
        (f"{OFFER} Otherwise we are done.", True, False, False),
        (CHECK, True, False, True),
        (LETTERS, True, True, False),
        (NUMBERS, True, True, False),
        (BULLETS, True, True, False),
        ("**Which one?**", True, True, False),
        ("Some questions:\n1. Is the file sorted?\n2. Should names be unique?", True, True, False),
        ("What I did:\n1. Sorted the file.\n2. Made names unique.", False, False, False),
        ("of the code\n```\n\nShall I go on?", True, False, False),
        ("要我继续添加测试吗？", True, False, False),
        ("用哪个方案？\n方案一：缓存\n方案二：不缓存", True, True, False),
    ],
)
def test_agent_asks_at_its_end_or_above_its_options(said, question, choice, checks):
    """A question counts near the end, above a list of options, and where only lettered options stand."""
    asked = read_agent(said)
    assert (asked.question, asked.choice, asked.checks) == (question, choice, checks)


def test_agent_that_says_nothing_asks_nothing():
    """An agent that wrote only code asked nothing."""
    assert read_agent("```\ncode\n```") is None


@pytest.mark.parametrize(
    ("said", "reply", "reason"),
    [
        (LETTERS, "Use the second one for the session store", "answer"),
        (NUMBERS, "Write the keys to a file in the data folder", "answer"),
        (BULLETS, "Show a page with the title of the record", "answer"),
        (OFFER, "Write some for the importer and some for the exporter", "answer"),
        (OFFER, "Create a login page with a password field", "new_task"),
        (OPEN, "Create a login page with a password field", "new_task"),
        (DONE, "Create a login page with a password field", "new_task"),
        (NUMBERS, "Next up: the login page needs a password field", "new_task"),
        (LETTERS, "no spaces in file names please", "answer"),
        (NUMBERS, "it should be the smaller one", "answer"),
        (OFFER, "yeah that should be enough", "answer"),
        (OFFER, "sure, but only for the parser", "answer"),
        (OFFER, "No, don't", "offer_declined"),
        (OFFER, "nope, don't do that", "offer_declined"),
        (OFFER, "no, that's fine", "offer_declined"),
        (OFFER, "no, it's good", "offer_declined"),
    ],
)
def test_reply_that_answers_is_no_new_task(said, reply, reason):
    """What answers the agent's question judges nothing and asks for nothing new."""
    verdict = classify_by_rules(reply, previous_agent=said)
    assert (verdict.outcome, verdict.reason) == ("none", reason)


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        (CHECK, "it should be the smaller one"),
        (OFFER, "no, that's wrong"),
        (NUMBERS, "none of them, you broke the cache"),
        (OFFER, "yes, but the title is wrong"),
    ],
)
def test_reply_that_complains_complains(said, reply):
    """A complaint stays one, whatever was asked."""
    assert classify_by_rules(reply, previous_agent=said).complains


@pytest.mark.parametrize("said", [LETTERS, NUMBERS, BULLETS, OFFER])
def test_reply_that_answers_leaves_the_window_full(said):
    """A complaint after an answer is about the work and decides."""
    told = [skill(), agent(said), says("Add them for the importer, the exporter can wait"), says("that's wrong")]
    assert verdict_of(*told).startswith("correction/rejection")
    assert [turn.attribution for turn in mine(session(*told)).turns] == ["likely", "likely"]


def test_reply_with_other_work_moves_on():
    """After an offer that is passed over, a complaint may be about the new work."""
    told = [skill(), agent(OFFER), says("Create a login page with a password field"), says("that's wrong")]
    assert verdict_of(*told) == "acceptance/implicit@1"
