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
        assert tags <= {"pre", "del", "ins", "span"}
        assert "\x1b" not in shown
        assert "\u202e" not in shown


def test_long_texts_are_cut_and_it_is_said():
    """A body of 10 MB fills no page."""
    shown = after_side(drawn("", "word " * 100_000))
    assert len(shown) < 10_000
    assert "more characters" in shown


def test_unchanged_lines_are_folded_between_changes():
    """Two lines stay beside each change."""
    lines = [f"line {number}" for number in range(40)]
    shown = whole_diff("\n".join(lines), "\n".join([*lines[:20], "new words here", *lines[21:]]))
    text = plain_text(shown)
    assert "unchanged lines" in text
    assert "line 18" in text
    assert "line 10" not in text
    assert "new words here" in text
