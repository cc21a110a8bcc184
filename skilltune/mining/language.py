"""Which language a message is written in: by script, then by frequent words; no network, no model."""

import re
from collections.abc import Mapping

from skilltune.mining.lexicon import Lexicon

__all__ = ["guess_language"]

_SCRIPTS = (
    ("kana", re.compile(r"[\u3041-\u30fa]")),
    ("han", re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")),
    ("hangul", re.compile(r"[\uac00-\ud7af]")),
    ("cyrillic", re.compile(r"[\u0400-\u04ff]")),
    ("latin", re.compile(r"[a-z\u00df-\u024f]")),
)
_ANY_LETTER = re.compile(r"[^\W\d_]")
_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SCAN_CHARS = 600
_SURE_SHARE = 0.25
_FOREIGN_SHARE = 0.5
_MIN_WORDS = 4


def guess_language(prose: str, *, lexicons: Mapping[str, Lexicon]) -> str:
    """The language of folded `prose`: a key of `lexicons`, ``und`` for one without a lexicon, '' without letters.

    Parameters
    ----------
    prose
        Text as ``folding.read_prose`` gives it.
    lexicons
        The languages to choose from; the first wins a draw, English before it.

    Notes
    -----
    A message with Chinese, Japanese, Korean or Cyrillic letters is in that script's language however much Latin
    stands beside them. Under four words nothing speaks against English, unless other languages know the words.
    """
    head = prose[:_SCAN_CHARS]
    script = "latin" if head.isascii() else next((name for name, letters in _SCRIPTS if letters.search(head)), "")
    candidates = [lexicon for lexicon in lexicons.values() if lexicon.script == script]
    if not candidates:
        return "und" if _ANY_LETTER.search(head) else ""
    if script != "latin":
        return candidates[0].language
    words = _WORDS.findall(head)
    return _guess_latin(words, candidates, head) if words else ""


def _guess_latin(words: list[str], candidates: list[Lexicon], head: str) -> str:
    scores = {lexicon.language: sum(word in lexicon.vocabulary for word in words) for lexicon in candidates}
    marks = set() if head.isascii() else {sign for sign in head if sign > "\x7f" and sign.isalpha()}
    for lexicon in candidates:
        scores[lexicon.language] += 2 * len(marks & lexicon.letters)
    best = max(scores, key=lambda language: (scores[language], language == "en"))
    foreign = bool(marks) and not any(marks <= lexicon.letters for lexicon in candidates)
    if scores[best] < (_FOREIGN_SHARE if foreign else _SURE_SHARE) * len(words) and (
        len(words) >= _MIN_WORDS or foreign
    ):
        return "und"
    return best if scores[best] else "en"
