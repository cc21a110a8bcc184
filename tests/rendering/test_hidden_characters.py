"""What cannot be seen in a text, in the words and marks of a terminal."""

import pytest

from skilltune.evolution.suggestions import suggest_refinement
from skilltune.rendering.hidden_characters import hidden_words, marked_line
from skilltune.rendering.suggestion import render_diff, render_suggestion
from tests.evolution.invented import BODY, answer, repeated


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("p\u0430y it", "p‹\u0430 U+0430›y it"),
        ("no\u00a0\u00a0break", "no‹U+00A0 ×2›break"),
        ("rm\u200d it", "rm‹U+200D› it"),
        ("a\u202eb\x1b[1m", "a\\u202eb\\u001b[1m"),
        ("tab\tnaïve — 不对，好 \U0001f468\u200d\U0001f4bb", "tab naïve — 不对，好 \U0001f468\u200d\U0001f4bb"),
    ],
)
def test_line_is_marked_where_something_hides(line: str, shown: str):
    """Look-alikes with their code; what a terminal would obey as everywhere; ordinary writing as it is."""
    assert marked_line(line) == shown


def test_diff_marks_and_names_what_new_lines_hide():
    """Only what is put in is named; what is taken out is marked, too."""
    text = render_diff("--- a/x\n+++ b/x\n-c\u0430t\n+d\u043eg\u200b\n")
    assert text.splitlines() == [
        "--- a/x",
        "+++ b/x",
        "-c‹\u0430 U+0430›t",
        "+d‹\u043e U+043E›g\\u200b",
        "Look at: the lines with + hold 1 zero width space and 1 Cyrillic letter inside a",
        "Latin word, written out above",
    ]
    assert render_diff("+plain\n", width=None) == "+plain"


def test_change_with_a_look_alike_says_so_beside_it():
    """In the change and below the diff, without Unicode marks where the terminal has none."""
    found = suggest_refinement(
        answer(repeated(("Use tabs", "Use sp\u0430ces", 3))), body=BODY, version=1, baseline=BODY
    )
    text = " ".join(render_suggestion(found).split())
    assert "+ Use sp‹\u0430 U+0430›ces" in text
    assert "Look at: this change holds 1 Cyrillic letter inside a Latin word, written out above" in text
    assert "Look at: the lines with + hold 1 Cyrillic letter inside a Latin word" in text
    assert "sp<\u0430 U+0430>ces" in render_suggestion(found, unicode=False)


def test_a_row_of_tabs_and_line_ends_hides_nothing():
    """As the panel reads texts."""
    assert hidden_words("a\tb\r\nc\rd") == ""
