"""The words that a change takes out and puts in, as HTML."""

import re

import pytest

from skilltune.page.html import plain_text
from skilltune.widgets.word_diff import after_side, before_side, drawn, whole_diff
from tests.widgets.labelled_home import HOSTILE


def test_sides_mark_words_and_leave_the_rest():
    """Struck through where they go, underlined where they come."""
    runs = drawn("Add a down migration where possible.", "Always add a down migration.")
    assert re.findall("<del[^>]*>(.*?)</del>", before_side(runs)) == ["Add", "where possible"]
    assert re.findall("<ins[^>]*>(.*?)</ins>", after_side(runs)) == ["Always add"]
    assert plain_text(after_side(runs)) == "Always add a down migration."


def test_white_space_alone_is_shown():
    """Otherwise nothing would be seen to change."""
    runs = drawn("Use tabs.", "Use  tabs.")
    assert "␣␣" in after_side(runs)
    assert "␣" in before_side(runs)


def test_white_space_beside_words_is_not():
    """It would only be noise."""
    assert "␣" not in after_side(drawn("Use  tabs.", "Use spaces."))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str):
    """On either side, and as a whole."""
    for shown in (before_side(drawn(text, "x")), after_side(drawn("x", text)), whole_diff("x " + text, text)):
        tags = {tag.lower() for tag in re.findall(r"</?([a-zA-Z]+)", shown)}
        assert tags <= {"pre", "del", "ins", "span", "p"}
        assert "\x1b" not in shown
        assert "\u202e" not in shown


def test_long_texts_are_cut_and_it_is_said():
    """A body of 10 MB fills no page."""
    shown = after_side(drawn("", "word " * 100_000))
    assert len(shown) < 10_000
    assert "more characters" in shown


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a" * 200_000, "a" * 199_999 + "b"),
        (" ".join(f"w{n}" for n in range(35_000)), " ".join(f"v{n}" for n in range(35_000))),
        ("word " * 39_000 + "x end", "word " * 39_000 + "y end"),
        ("\u202e" * 100_000, "x"),
        ("x", "\u202e\u200b" * 50_000),
    ],
)
def test_extreme_texts_make_a_bounded_picture_of_the_very_texts(before: str, after: str):
    """One line of 200,000 characters, 35,000 different words: little to draw, nothing lost, and it says what is cut."""
    runs = drawn(before, after)
    assert "".join(run.before for run in runs) == before
    assert "".join(run.after for run in runs) == after
    assert len(runs) < 10
    for shown in (before_side(runs), after_side(runs), whole_diff(before, after)):
        assert len(shown) < 900_000
    assert "characters" in whole_diff(before, after) + before_side(runs)


def test_long_texts_mark_the_words_that_differ():
    """The ends that long texts share are left out of the comparison, no word is torn."""
    runs = drawn("same " * 20_000 + "old tail", "same " * 20_000 + "odd tail")
    assert [(run.before, run.after) for run in runs if run.mark == "changed"] == [("old", "odd")]


def test_what_cannot_be_seen_is_marked_and_named():
    """A direction mark, look-alikes and a blank of no width; the same in a whole body."""
    runs = drawn("pay now", "p\u0430y n\u043ew\u202e \u200bnow")
    shown = after_side(runs)
    assert 'p<span class="stw-odd">\u0430 U+0430</span>y' in shown
    assert "1 right-to-left override, 1 zero width space and 2 Cyrillic letters inside Latin words" in plain_text(shown)
    assert "holds" not in before_side(runs)
    assert "2 Cyrillic letters" in plain_text(whole_diff("pay now", "p\u0430y n\u043ew"))


def test_unchanged_lines_are_folded_between_changes():
    """Two lines stay beside each change."""
    lines = [f"line {number}" for number in range(40)]
    shown = whole_diff("\n".join(lines), "\n".join([*lines[:20], "new words here", *lines[21:]]))
    text = plain_text(shown)
    assert "unchanged lines" in text
    assert "line 18" in text
    assert "line 10" not in text
    assert "new words here" in text
