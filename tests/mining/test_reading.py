"""A message read with the lexicons, and which of its phrases are meant."""

import pytest

from skilltune.mining.reading import read_agent, read_message
from skilltune.mining.signals import read_signals


def kinds(text):
    """Kinds of the hits in a text, in order, without fillers."""
    return [hit.kind for hit in read_message(text).hits if hit.kind != "filler"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no problem", ["approval"]),
        ("没有问题", ["approval"]),
        ("不错", ["approval"]),
        ("错了", ["rejection"]),
        ("error handling", ["nothing"]),
        ("good catch, undo it", ["approval", "revert"]),
    ],
)
def test_reading_takes_the_longest_phrase(text, found):
    """The longest phrase wins, so a negated one hides the word in it."""
    assert kinds(text) == found


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("Is it done? Yes.", [True, False]),
        ("what is that", [True]),
        ("fine.\nand now?", [False, True]),
        ("这样对吗", [True]),
        ("これでいいですか", [True]),
        ("really?!", [True]),
    ],
)
def test_reading_knows_questions(text, questions):
    """A question is known by its mark, its first words or its last sign."""
    assert [sentence.question for sentence in read_message(text).sentences] == questions


def test_reading_mixes_english_into_other_scripts():
    """English words count among Chinese ones."""
    assert kinds("LGTM，合并吧") == ["approval", "go_on"]


@pytest.mark.parametrize(
    ("said", "question", "kind"),
    [
        ("All done. Does this look right?", True, "check"),
        ("All done. Want me to push?", True, "offer"),
        ("Want me to push? Otherwise all is done.", True, "offer"),
        ("All done.", False, None),
    ],
)
def test_reading_of_the_agent_finds_its_last_question(said, question, kind):
    """The last question near the end of the agent's text, and what it asks for."""
    sentence = read_agent(said)
    assert sentence.question is question
    assert kind is None or sentence.has(kind)


def test_reading_of_a_silent_agent_is_nothing():
    """An agent that said nothing asked nothing."""
    assert read_agent("```\ncode\n```") is None


@pytest.mark.parametrize(
    ("text", "kind", "meant"),
    [
        ("this is wrong", "rejection", True),
        ("is this wrong?", "rejection", False),
        ("if this is wrong, say so", "rejection", False),
        ("add a check that the name is wrong", "rejection", False),
        ("add it, this is wrong", "rejection", True),
        ("can you undo that?", "revert", True),
        ("yes, can you add one?", "ack", True),
        ("can you say yes?", "ack", False),
        (
            "Build it. Test it. Ship it later. " + "Write more words here. " * 40 + "The last is wrong.",
            "rejection",
            False,
        ),
    ],
)
def test_signals_are_what_is_meant(text, kind, meant):
    """What is asked, supposed, a task's topic or far down in a long message is not meant."""
    assert (read_signals(text).first(kind) is not None) is meant
