"""Which language a message is written in: by script, then by frequent words; no network, no model."""

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from skilltune.mining.lexicon import Lexicon

__all__ = ["foreign_digest", "guess_language"]

_SCRIPTS = (
    ("kana", re.compile(r"[\u3041-\u30fa]")),
    ("han", re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")),
    ("hangul", re.compile(r"[\uac00-\ud7af]")),
    ("cyrillic", re.compile(r"[\u0400-\u04ff]")),
    ("latin", re.compile(r"[a-z\u00df-\u024f\u1e00-\u1eff]")),
)
_SCRIPT_LETTERS = dict(_SCRIPTS)
_ANY_LETTER = re.compile(r"[^\W\d_]")
_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_EVERYWHERE = frozenset({"ok", "okay", "oke", "hm", "hmm", "ah", "oh", "lgtm"})
"""Words that tell no language from another."""
_SCAN_CHARS = 600
_SURE_SHARE = 0.25
_STRANGE_SHARE = 0.5
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
    A message with Chinese, Japanese or Korean letters is in that script's language however much Latin stands beside
    them. Elsewhere the language is the one that knows most of the words; letters alone never decide. Where a
    language without a lexicon (``foreign.toml``) knows more of them, or letters stand there that none of ours has,
    it is ``und``. Short words that nobody knows are taken for English.
    """
    head = prose[:_SCAN_CHARS]
    script = "latin" if head.isascii() else next((name for name, letters in _SCRIPTS if letters.search(head)), "")
    candidates = [lexicon for lexicon in lexicons.values() if lexicon.script == script]
    if not candidates:
        return "und" if _ANY_LETTER.search(head) else ""
    if script not in ("latin", "cyrillic"):
        return candidates[0].language
    words = [word for word in _WORDS.findall(head) if _SCRIPT_LETTERS[script].search(word)]
    telling = [word for word in words if word not in _EVERYWHERE]
    return _guess_by_words(telling or words, candidates, head) if words else ""


@cache
def foreign_digest() -> str:
    """A hash of the list of other languages' words."""
    return hashlib.sha256(_foreign_text().encode()).hexdigest()


def _guess_by_words(words: Sequence[str], candidates: Sequence[Lexicon], head: str) -> str:
    known, foreign = _count_known(words, candidates)
    marks = frozenset() if head.isascii() else frozenset(sign for sign in head if sign > "\x7f" and sign.isalpha())
    fits = {lexicon.language for lexicon in candidates if marks and marks <= lexicon.letters}
    best = max(known, key=lambda language: (known[language], language in fits, language == "en"))
    if foreign > known[best]:
        return "und"
    if known[best] == 0 and not marks and len(words) < _MIN_WORDS:
        return "en"
    least = _STRANGE_SHARE if marks and not fits else _SURE_SHARE if len(words) >= _MIN_WORDS else 0
    return best if known[best] and known[best] >= least * len(words) else "und"


def _count_known(words: Sequence[str], candidates: Sequence[Lexicon]) -> tuple[dict[str, int], int]:
    """How many of `words` each language knows, and how many the best of those without a lexicon."""
    foreign = _foreign_words(candidates[0].script)
    table = _who_knows((*(lexicon.vocabulary for lexicon in candidates), *foreign))
    counts = [0] * (len(candidates) + len(foreign))
    for word in words:
        for place in table.get(word, ()):
            counts[place] += 1
    own = len(candidates)
    return {lexicon.language: counts[at] for at, lexicon in enumerate(candidates)}, max(counts[own:], default=0)


@cache
def _who_knows(vocabularies: tuple[frozenset[str], ...]) -> dict[str, tuple[int, ...]]:
    """The places of the vocabularies that hold each word."""
    table: dict[str, list[int]] = {}
    for place, vocabulary in enumerate(vocabularies):
        for word in vocabulary:
            table.setdefault(word, []).append(place)
    return {word: tuple(places) for word, places in table.items()}


@cache
def _foreign_words(script: str) -> tuple[frozenset[str], ...]:
    """The frequent words of each language without a lexicon."""
    tables = tomllib.loads(_foreign_text()).values()
    return tuple(frozenset(table["words"].split()) for table in tables if table["script"] == script)


def _foreign_text() -> str:
    return (files(__package__) / "foreign.toml").read_text(encoding="utf-8")
