"""The guess of a message's language."""

import pytest

from skilltune.mining.language import guess_language
from skilltune.mining.lexicon import find_lexicons


@pytest.mark.parametrize(
    ("prose", "language"),
    [
        ("the button is still grey", "en"),
        ("no", "en"),
        ("ok", "en"),
        ("rename the column", "en"),
        ("不对", "zh"),
        ("这里的naming不consistent", "zh"),
        ("違います", "ja"),
        ("틀렸어요", "ko"),
        ("no, así no. usa comillas simples", "es"),
        ("non, ce n'est pas ça du tout", "fr"),
        ("não, está errado", "pt"),
        ("das ist leider immer noch falsch", "de"),
        ("это неправильно", "ru"),
        ("to nie działa, popraw to proszę", "und"),
        ("non funziona, rifallo per favore", "und"),
        ("αυτό είναι λάθος", "und"),
        ("هذا خطأ", "und"),
        ("42 !", ""),
        ("", ""),
    ],
)
def test_language_is_guessed_by_script_and_frequent_words(prose, language):
    """Script decides first, then frequent words; an unknown language is said to be unknown."""
    assert guess_language(prose, lexicons=find_lexicons()) == language
