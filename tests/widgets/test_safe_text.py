"""Session text as HTML of a panel."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.widgets.safe_text import LONG_TEXT, MOST_SHOWN, folded_text, readable_lines, text_block
from tests.widgets.labelled_home import HOSTILE

TEXTS = st.text(st.characters(codec=None), max_size=700)
TAGS = re.compile(r"</?(?:pre|details|summary|span|b|code)\b[^<>]*>")


@given(TEXTS)
def test_text_never_becomes_markup(text: str):
    """Besides our own tags nothing is left that a browser reads as one, and it begins with one of ours."""
    for shown in (text_block(text), folded_text(text, limit=20)):
        assert shown.startswith("<")
        assert "<" not in TAGS.sub("", shown)
        shown.encode("utf-8")


@given(TEXTS)
def test_text_hides_nothing(text: str):
    """Control, direction and surrogate characters are written out; lines stay lines."""
    shown = readable_lines(text)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)
    assert shown.count("\n") == text.replace("\r\n", "\n").replace("\r", "\n").count("\n")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_as_it_is(text: str):
    """A reader sees the very characters."""
    seen = html.unescape(TAGS.sub("", text_block(text)))
    assert seen.replace("`", "") == readable_lines(text).replace("`", "")


def test_indents_are_kept():
    """Code stays readable; a tab is four blanks."""
    assert readable_lines("if x:\r\n\tgo()\r  y") == "if x:\n    go()\n  y"


def test_backticks_are_code():
    """As agents write file names; over a line's end they are not."""
    assert "<code>a&lt;b.py</code>" in text_block("I wrote `a<b.py` now")
    assert "<code>" not in text_block("`a\nb`")


def test_long_text_shows_both_ends_and_all_of_it():
    """The beginning, the end that the next speaker answers, and everything inside."""
    text = "Begin " + "middle words " * 100 + "shall I go on?"
    shown = folded_text(text)
    brief = shown.partition("</summary>")[0]
    assert shown.startswith("<details")
    assert "Begin" in brief
    assert brief.count("shall I go on?") == 1
    assert len(TAGS.sub("", brief)) < LONG_TEXT + 20
    assert text in html.unescape(TAGS.sub("", shown.partition("</summary>")[2]))


def test_short_text_is_not_folded():
    """Up to the limit all of it stands there."""
    assert folded_text("x" * LONG_TEXT).startswith("<pre")


def test_huge_text_is_cut_and_says_so():
    """A pasted log does not stop the browser."""
    shown = text_block("x" * (MOST_SHOWN + 1234))
    assert len(shown) < MOST_SHOWN + 200
    assert "1,234 more characters" in shown
