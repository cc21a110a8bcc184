"""What a reader would not see, or would take for something else."""

import pytest

from skilltune.page.html import plain_text
from skilltune.rendering.hidden_characters import hidden_words
from skilltune.widgets.hidden_marks import marked_lines


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\u200fb", "1 right-to-left mark"),
        ("a\u200bb\u200bc", "2 zero width spaces"),
        ("no\u00a0break", "1 no-break space"),
        ("soft\u00adhyphen", "1 soft hyphen"),
        ("bell\x07", "1 control character U+0007"),
        ("half\ud800", "1 control character U+D800"),
        ("hidden\U000e0041", "1 tag latin capital letter a"),
        ("a\ufe01b", "1 variation selector-2"),
        ("\u3164", "1 hangul filler"),
        ("gr\u03bfup", "1 Greek letter inside a Latin word"),
        ("\uff43url", "1 Fullwidth letter inside a Latin word"),
        ("a\u200d", "1 zero width joiner"),
    ],
)
def test_hidden_characters_have_names(text: str, words: str):
    """Each by Unicode's own name, counted; the text shows where."""
    assert hidden_words(text) == words
    assert "stw-odd" in marked_lines(text)


@pytest.mark.parametrize(
    "text",
    [
        "Plain words, with — dashes, “quotes” and naïve café.",
        "不对，索引也要 CONCURRENTLY。\u3000好",
        "Это русский текст and an English one.",
        "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
        "\U0001f468\u200d\U0001f4bb and \u2764\ufe0f",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "1\ufe0f\u20e3 tab\tand\r\nline",
    ],
)
def test_ordinary_writing_of_any_script_is_left_alone(text: str):
    """Joiners between letters of their scripts and between emoji belong there."""
    assert hidden_words(text) == ""
    assert "stw-odd" not in marked_lines(text)


def test_a_row_of_the_same_is_one_mark():
    """A hundred thousand of them fill no page."""
    shown = marked_lines("x" + "\u200b" * 100_000 + "y")
    assert plain_text(shown) == "x U+200B ×100,000 y"


def test_many_kinds_are_counted_not_listed():
    """Four by name."""
    words = hidden_words("\u200b\u200c\u200d\u200e\u200f\u00ad")
    assert words.endswith(" and 2 more")
    assert words.count(",") == 3


def test_a_very_long_word_is_read_once():
    """Neither quadratic nor cut."""
    assert hidden_words("a" * 200_000 + "\u0430") == "1 Cyrillic letter inside a Latin word"


def test_markup_around_marks_is_escaped():
    """The text is hostile everywhere."""
    assert "<b>" not in marked_lines("<b>\u200b<b>")
