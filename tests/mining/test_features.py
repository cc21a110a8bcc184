"""Features of a turn: each family by an example, and what holds for any text."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.mining.features import LEXICAL, read_features
from skilltune.mining.situation import Situation

FAMILIES = {
    *("said", "form", "state", "form+state", "interrupted", "interrupted+form", "channel", "channel+form", "length>"),
    *("sentences", "cue", "early", "cues", "mark", "meant", "opens", "agent", "first", "word"),
}
DONE, OFFER = "Done. The total is fixed.", "Shall I add the index?"
PASTE = 'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: b'
LONG_CHARS = 100_000
HOSTILE = [
    "let me ",
    "i'll x",
    "don't ",
    "a'",
    "a'b'",
    "?!",
    "<-",
    "\u200b",
    "\ud800",
    "\u202ea",
    "no, ",
    "why ",
    "…",
    "0",
    "x",
    "错",
    "é",
    "```\n",
    "> q\n",
    "\n",
    "not the right ",
    "you ",
    "_",
]


def features(text, **context):
    """The features of a typed message."""
    return read_features(Situation.of(text, **context), said="none.no_signal")


@pytest.mark.parametrize(
    ("text", "context", "there", "missing"),
    [
        ("No, it still fails!", {}, ["cue=persists", "early=bad", "first=no", "mark=exclaims", "word=no"], []),
        ("No, it still fails", {"previous_agent": DONE}, ["agent=done", "state=done"], ["state=silent"]),
        ("yes, do that", {"previous_agent": OFFER}, ["agent=offer", "agent=asks", "state=asks", "form=ack"], []),
        ("yes, do that", {"previous_agent": OFFER}, ["form+state=ack+asks", "meant=go_on", "opens=ack"], []),
        ("fine", {"previous_agent": "The build failed."}, ["agent=failed", "state=failed"], ["agent=done"]),
        ("fine", {"previous_agent": "Now I read the parser."}, ["state=going"], []),
        ("fine", {"previous_agent": "It is blue."}, ["state=talks"], []),
        ("fine", {"previous_agent": "Does this look right?"}, ["agent=checks", "state=checks"], []),
        ("the first", {"previous_agent": "Which one, A or B? I recommend A."}, ["agent=choice", "agent=plan"], []),
        ("fine", {}, ["state=silent"], ["agent=done"]),
        ("why did you remove the test?", {}, ["form=question.why", "mark=asks_first", "mark=asks_last"], []),
        ("ok so can you add a footer?", {}, ["form=question.request"], []),
        ("would that hold?", {}, ["form=question.whether"], ["form=question.request"]),
        ("what is this?", {}, ["form=question.what"], []),
        ("is it sorted?", {}, ["form=question.whether"], []),
        ("but is it?", {}, ["form=question.but"], []),
        ("the list is sorted?", {}, ["form=question.statement"], []),
        ("add a footer", {}, ["form=task"], ["interrupted"]),
        ("add a footer", {"interrupted": True}, ["interrupted", "interrupted+form=task"], []),
        ("the page is blank. add a footer", {}, ["form=statement+task"], []),
        ("but the list is unsorted", {}, ["form=contrast", "first=but"], []),
        ("the page is blank", {}, ["form=statement", "cue=lacks"], []),
        ("the page is blank", {"channel": "denial"}, ["channel=denial", "channel+form=denial+statement"], []),
        ("the page is blank", {}, ["channel=message"], ["channel+form=message+statement"]),
        ("", {}, ["form=empty"], ["length>1"]),
        (PASTE, {}, ["form=paste", "mark=failure"], []),
        ("the snake_case name\nis odd", {}, ["mark=names", "mark=lines"], ["mark=exclaims"]),
        ("x " * 19, {}, ["length>18", "mark=impersonal"], ["length>30"]),
        ("x " * 18, {}, ["length>10"], ["length>18", "mark=impersonal"]),
        ("we " * 19, {}, ["length>18", "cue=ours"], ["mark=impersonal"]),
        ("one two three four five six seven eight wrong", {}, ["cue=bad"], ["early=bad"]),
    ],
)  # fmt: skip
def test_features_of_a_family(text, context, there, missing):
    """A turn has the features of its words, its form and what stood around it, and no others of the family."""
    found = features(text, **context)
    assert [name for name in there if found.get(name) != 1.0] == []
    assert [name for name in missing if name in found] == []


def test_features_have_what_the_rules_say():
    """The verdict of the rules is a feature as it is given."""
    found = read_features(Situation.of("fine"), said="explicit")
    assert [name for name in found if name.startswith("said=")] == ["said=explicit"]


def test_features_count_sentences_and_complaining_cues():
    """Sentences count up to 8, in quarters; classes of complaining cues in thirds."""
    assert features("One. Two.")["sentences"] == 0.5
    assert features("One. " * 30)["sentences"] == 2.0
    assert features("It is still wrong and blank.")["cues=complaining"] == pytest.approx(1.0)
    assert features("The lamp hums.")["cues=complaining"] == 0.0


def test_features_read_the_end_of_what_the_agent_said():
    """Of a long text of the agent only the end counts."""
    assert "agent=failed" not in features("fine", previous_agent="It failed. " + "Blue. " * 200)
    assert "agent=failed" in features("fine", previous_agent="Blue. " * 200 + "It failed.")


def test_features_name_words_only_of_the_beginning():
    """Single words are named up to the sixtieth, so that a paste does not drown what is said."""
    found = features(" ".join("abcdefghij"[number // 10] + "abcdefghij"[number % 10] + "x" for number in range(100)))
    assert {"word=fjx", "word=gax"} & found.keys() == {"word=fjx"}


def test_features_take_all_numbers_for_one_word():
    """A number is a word, whichever it is."""
    assert {"first=0", "word=0"} <= features("17 please").keys() & features("2046 please").keys()


@given(
    st.text(max_size=300),
    st.sampled_from(["message", "answer", "denial", "queued", "steering", "plan", "edit"]),
    st.booleans(),
    st.text(max_size=100),
)
def test_features_of_any_text_are_few_kinds_of_small_numbers(text, channel, interrupted, said):
    """No text raises; the same turn has the same features; names belong to the families, values lie within 0 and 15."""
    turn = Situation.of(text, channel=channel, interrupted=interrupted, previous_agent=said)
    found = read_features(turn, said="x")
    again = Situation.of(text, channel=channel, interrupted=interrupted, previous_agent=said)
    assert list(found.items()) == list(read_features(again, said="x").items())
    assert {re.split(r"(?<=>)|=", name)[0] for name in found} <= FAMILIES
    assert all(0 <= value <= 15 for value in found.values())
    assert all(name.startswith(("word=", "first=")) == name.startswith(LEXICAL) for name in found)


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_features_of_a_hostile_text_are_bounded(piece):
    """A text of 100 kB as the person's and as the agent's words has no more features than a short one can have."""
    text = piece * (LONG_CHARS // len(piece))
    assert len(features(text, previous_agent=text, previous_prompt=text)) < 200


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_features_take_no_more_steps_for_a_longer_text(piece):
    """Twice the text takes at most about twice the calls: counted, not timed."""
    short, long = (_calls(piece * (size // len(piece))) for size in (LONG_CHARS // 2, LONG_CHARS))
    assert long <= 2.2 * short + 100


def _calls(text):
    """Number of calls, of Python functions and built-in ones, that reading a turn takes."""
    turn = Situation.of(text, previous_agent=text)
    calls = [0]

    def count(_frame, event, _what):
        calls[0] += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        read_features(turn, said="x")
    finally:
        sys.setprofile(before)
    return calls[0]
