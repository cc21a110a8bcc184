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
        ("non va bene, è ancora rotto", "und"),
        ("ok grazie, perfetto", "und"),
        ("perfetto", "und"),
        ("nee, dit klopt niet", "und"),
        ("nog een keer, maar nu zonder koppen", "und"),
        ("no, to jest źle", "und"),
        ("nie, zrób to jeszcze raz", "und"),
        ("ok tack, perfekt", "und"),
        ("det här är fel, ändra tillbaka", "und"),
        ("det er ikke riktig, prøv igjen", "und"),
        ("nej, det er forkert", "und"),
        ("ne, tohle je špatně", "und"),
        ("nem, ez rossz, csináld újra", "und"),
        ("nu, este greșit, fă din nou", "und"),
        ("hayır, bu yanlış olmuş", "und"),
        ("bu çok güzel oldu, teşekkürler", "und"),
        ("không, cái này sai rồi", "und"),
        ("tidak, ini salah, ulangi lagi", "und"),
        ("ei, tämä on väärin", "und"),
        ("no, això no és correcte", "und"),
        ("ні, це неправильно", "und"),
        ("не, това е грешно", "und"),
        ("не, ово је погрешно", "und"),
        ("сделай кнопку синей и добавь тест", "ru"),
        ("нет, это не то", "ru"),
        ("the café page is still broken", "en"),
        ("łukasz said that it's fine", "en"),
        ("is the naïve version in a file or not", "en"),
        ("c'est parfait, merci", "fr"),
        ("refais-le", "fr"),
        ("ótimo, obrigado", "pt"),
        ("vuelve a la versión anterior", "es"),
        ("perfecto, muchas gracias", "es"),
        ("gut, aber der titel fehlt", "de"),
        ("42 !", ""),
        ("", ""),
    ],
)
def test_language_is_guessed_by_script_and_frequent_words(prose, language):
    """Script decides first, then frequent words; an unknown language is said to be unknown."""
    assert guess_language(prose, lexicons=find_lexicons()) == language
