"""A message read with the lexicons, and which of its phrases are meant."""

import pytest

from skilltune.mining.reading import read_message, without_refusal
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
    ("text", "rest"),
    [
        ("no, it works", "it works"),
        ("no it works", "it works"),
        ("nah, fine", "fine"),
        ("不，可以", "可以"),
        ("no funciona", ""),
        ("no good", ""),
        ("不对", ""),
        ("it works", ""),
        ("no", ""),
        ("", ""),
    ],
)
def test_reading_without_the_no_that_opens_it(text, rest):
    """What follows a no that stands by itself; nothing where the no belongs to the words after it."""
    assert without_refusal(read_message(text)) == rest


@pytest.mark.parametrize(
    ("text", "prose"),
    [("Thats wrong, dont", "that's wrong, don't"), ("la page dont je parle", "la page dont je parle")],
)
def test_reading_knows_loose_spelling(text, prose):
    """Words that the language's lexicon lists are read in their usual spelling."""
    assert read_message(text).prose.text == prose


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
