"""Answers out of whatever a model wrote."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import JudgeFailed
from skilltune.judging.answers import Answer, check_answer
from skilltune.judging.parsing import parse_answers
from tests.judging.standin import question

IDS = {"t-1": question(1), "t-2": question(2)}


def _entry(name, outcome="none", kind=None, about="skill"):
    return {"id": name, "outcome": outcome, "correction_type": kind, "about": about}


@pytest.mark.parametrize("kind", ["", "null", "none", None])
def test_parse_takes_words_for_nothing(kind):
    """A model may write "null" for null."""
    text = json.dumps({"answers": [_entry("t-1", kind=kind), _entry("t-2", "partial", "partial", "other")]})
    parsed = parse_answers(text, ids=IDS)
    assert parsed.answers["t-1"] == Answer(event_id="e1", turn_id="t1", outcome="none")
    assert parsed.answers["t-2"].about == "other"
    assert parsed.faults == {}


def test_parse_same_answer_twice_is_one():
    """Repeating oneself is no contradiction."""
    text = json.dumps([_entry("t-1"), _entry("t-1"), _entry("t-2")])
    assert set(parse_answers(text, ids=IDS).answers) == {"t-1", "t-2"}


def test_parse_partial_type_must_go_with_partial():
    """A correction has to say of which kind it is."""
    parsed = parse_answers(json.dumps([_entry("t-1", "correction"), _entry("t-2", "correction", "partial")]), ids=IDS)
    assert parsed.faults == {"t-1": "vocabulary", "t-2": "vocabulary"}


def test_parse_about_left_out_is_the_skill():
    """What a complaint is about may be left out."""
    entry = {"id": "t-1", "outcome": "correction", "correction_type": "redo"}
    assert parse_answers(json.dumps([entry]), ids=IDS).answers["t-1"].about == "skill"


def test_parse_endless_brackets_end():
    """A text made to be slow is not read to its end."""
    with pytest.raises(JudgeFailed, match="no_json"):
        parse_answers("[" * 3_000_000, ids=IDS)


@pytest.mark.parametrize("text", ["I can't do that.", "I cannot label these.", "Lo siento, no puedo.", "抱歉，我不能"])
def test_parse_refusal_is_told_apart(text):
    """A refusal is counted as one."""
    with pytest.raises(JudgeFailed, match="refused"):
        parse_answers(text, ids=IDS)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["t-1", "none", "skill"]),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["id", "outcome", "about"]), inner),
        max_leaves=12,
    ),
    st.text(max_size=20),
)
def test_parse_never_gives_an_odd_answer(value, prose):
    """Any JSON in any prose gives checked answers to the turns asked about, or a failure with a reason."""
    try:
        parsed = parse_answers(prose + json.dumps({"answers": value}) + prose, ids=IDS)
    except JudgeFailed:
        return
    for name, answer in parsed.answers.items():
        check_answer(answer)
        assert answer.turn_id == IDS[name].turn_id
    assert parsed.answers.keys() | parsed.faults.keys() == IDS.keys()
    assert parsed.answers.keys().isdisjoint(parsed.faults)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 499 + "1," * 490_000,
        '{"a":"' * 500 + "x" * 990_000,
        '{"a":' * 200_000,
        "[[],".join(["["] * 100) + "[1," * 10 + '"x",' * 240_000,
        ("[" + "9" * 5_000) * 190,
    ],
    ids=["numbers", "string", "objects", "lists", "digits"],
)
def test_parse_of_a_text_that_is_never_closed(text):
    """A text that is opened often and closed never holds no answer, which is said."""
    with pytest.raises(JudgeFailed, match="no_json"):
        parse_answers(text, ids=IDS)


@pytest.mark.parametrize("front", ["[" * 400 + "1," * 200_000, ("[" + "9" * 5_000) * 150], ids=["numbers", "digits"])
def test_parse_gives_up_what_is_read_in_vain(front):
    """After a few attempts that each read most of the text it is not read again: answers behind are not looked for."""
    with pytest.raises(JudgeFailed, match="no_json"):
        parse_answers(front + json.dumps([_entry("t-1")]), ids=IDS)


def test_parse_finds_answers_behind_many_loose_brackets():
    """Brackets of prose, a few hundred of them in front, do not hide the answers."""
    text = "see [a] and {b} [1, " * 80 + json.dumps({"answers": [_entry("t-1"), _entry("t-2")]})
    assert set(parse_answers(text, ids=IDS).answers) == {"t-1", "t-2"}
