"""Pointers: verdicts without a text, and the way back from a pointer to its turn in the sessions."""

import json

import pytest

from skilltune.errors import InputError, ReadError
from skilltune.training.pointers import pointer_lines, read_pointed_turns, read_pointers
from skilltune.workflow import read_sessions
from tests.training.invented import make_judged
from tests.training.persons import ODD, tell

SAID = "What somebody said in private"


@pytest.fixture
def sessions(tmp_path, monkeypatch):
    """The facts of three sessions, with the uuids of their turns."""
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tell(tmp_path / "told", sessions=3, words=ODD)
    return list(read_sessions(folder).files())


def uuids(files):
    """Uuid → text of all turns."""
    return {
        item.uuid: item.text
        for file in files
        for session in file.sessions
        for item in session.items
        if hasattr(item, "channel")
    }


def write(path, *rows):
    """Write JSON lines; a string is a line as it is."""
    path.write_text(
        "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8"
    )
    return path


def test_pointers_hold_ids_and_verdicts_and_no_text(tmp_path):
    """What was said is in no line; what counts is read back: labels, rules, and both verdicts with probabilities."""
    one = make_judged(
        "correction", "none", negative=0.25, acceptance=0.125, rules="acceptance", second="partial", text=SAID,
        key="k1", uuid="u1", skill="tidy", turn_after_skill=2, about_skill="yes",
    )  # fmt: skip
    two = make_judged("correction", "correction", negative=0.75, acceptance=0.0625, rules="acceptance", text=SAID)
    lines = pointer_lines([one], [two])
    assert SAID not in lines
    assert "I looked at it" not in lines
    path = tmp_path / "p.jsonl"
    path.write_text(lines, encoding="utf-8")
    (by_session,), (by_source,) = read_pointers(path)
    assert (by_session.outcome, by_session.p_negative, by_session.p_acceptance) == ("none", 0.25, 0.125)
    assert (by_source.outcome, by_source.p_negative) == ("correction", 0.75)
    assert by_session.by_rules == by_source.by_rules == "acceptance"
    turn = by_session.turn
    assert (turn.key, turn.uuid, turn.outcome, turn.second, turn.skill) == ("k1", "u1", "correction", "partial", "tidy")
    assert (turn.turn_after_skill, turn.about_skill) == (2, "yes")
    assert pointer_lines([by_session], [by_source]) == lines


def test_pointers_of_two_sets_of_unlike_length_are_refused():
    """Verdicts that do not belong together are no pointers."""
    with pytest.raises(ValueError, match="shorter"):
        pointer_lines([make_judged("none", "none")], [])


def test_pointed_turns_are_found_in_their_situation(tmp_path, sessions):
    """A pointer's turn comes with the words and the situation that the sessions hold, and the pointer's labels."""
    known = uuids(sessions)
    (uuid,) = [one for one, text in known.items() if text == f"{ODD['acceptance'][0]} 0"]
    row = {"uuid": uuid, "outcome": "acceptance", "second": "none", "source": "me/shop", "session": "s000", "key": "k"}
    (turn,) = read_pointed_turns(write(tmp_path / "p.jsonl", row, ""), sessions)
    assert (turn.key, turn.outcome, turn.second, turn.source) == ("k", "acceptance", "none", "me/shop")
    assert turn.agent == "claude-code"
    assert "plum" in turn.situation.signals.reading.prose.text
    assert turn.situation.previous_agent == "I looked at c0."
    assert turn.situation.previous_prompt == f"{ODD['correction'][0]} 0"


def test_pointed_turns_keep_the_order_of_the_pointers_and_come_once(tmp_path, sessions):
    """However often the sessions are named, each turn is there once, in the order of the pointers."""
    rows = [{"uuid": uuid, "outcome": "none"} for uuid in reversed(uuids(sessions))]
    path = write(tmp_path / "p.jsonl", *rows, {"uuid": "gone", "outcome": "none"}, {"uuid": "", "outcome": "none"})
    turns = read_pointed_turns(path, [*sessions, *sessions])
    assert [turn.uuid for turn in turns] == [row["uuid"] for row in rows]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2: "),
        ("[" * 100_000, "line 2: "),
        ("[1]", "line 2: a pointer needs uuid and outcome"),
        ({"uuid": "u"}, "line 2: a pointer needs uuid and outcome"),
        ({"uuid": 3, "outcome": "none"}, "line 2: a pointer needs uuid and outcome"),
        ({"uuid": "u", "outcome": "great"}, "line 2: label 'great' is unknown"),
        ({"uuid": "u", "outcome": "none", "second": "great"}, "is unknown"),
    ],
)
def test_pointed_turns_of_a_wrong_line_are_refused(tmp_path, line, complaint):
    """A line that is no pointer is named by file and number."""
    path = write(tmp_path / "p.jsonl", {"uuid": "u", "outcome": "none"}, line)
    with pytest.raises(InputError) as caught:
        read_pointed_turns(path, [])
    assert str(path) in str(caught.value)
    assert complaint in str(caught.value)


def test_pointed_turns_that_no_session_holds_are_refused(tmp_path, sessions):
    """Where none is found it is said how many were looked for, and what to name."""
    path = write(tmp_path / "p.jsonl", {"uuid": "gone", "outcome": "none"})
    with pytest.raises(InputError, match=r"none of the 1 turns of .* is in these sessions; name their folder"):
        read_pointed_turns(path, sessions)


def test_pointed_turns_of_a_missing_file_are_refused(tmp_path):
    """A file that is not there is named."""
    with pytest.raises(ReadError, match=r"nowhere\.jsonl cannot be read"):
        read_pointed_turns(tmp_path / "nowhere.jsonl", [])
    with pytest.raises(ReadError, match="cannot be read"):
        read_pointed_turns(tmp_path, [])
