"""What a text is about: its words without those that say nothing about it."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from skilltune.mining.folding import read_prose
from skilltune.mining.lexicon import find_lexicons

__all__ = ["content_words", "generic_words", "stem"]

_RUN: Final = re.compile(
    r"(?P<han>[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)|(?P<katakana>[\u30a1-\u30fa\u30fc]+)"
    r"|(?P<hangul>[\uac00-\ud7af]+)|[\u3040-\u309f]+|(?P<word>[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:'\w+)?)"
)
_MASK: Final = re.compile(r"\[(?:secret|email)\]")
_MIN_LETTERS: Final = 3
_VOWEL: Final = re.compile("[aeiouy]")


def content_words(text: str) -> frozenset[str]:
    """The words of `text` that say what it is about.

    Code, quotations, paths, pasted logs and the marks of masked secrets are left out; words are lower case and
    singular where that is a mere ``s``; Chinese signs come in pairs, in simplified form.

    Examples
    --------
    >>> sorted(content_words("the down steps are still missing, as in `001.sql`"))
    ['down', 'step']
    """
    return frozenset(_words(read_prose(_MASK.sub(" ", text), variants=_variants()).text))


@cache
def generic_words() -> frozenset[str]:
    """Content words that complaints about different things share (``generic_words.toml``), as ``content_words`` has
    them.
    """
    table = tomllib.loads((files(__package__) / "generic_words.toml").read_text(encoding="utf-8"))
    lists = (text for entry in table["words"] for language, text in entry.items() if language != "reason")
    return frozenset(_singular(word) for text in lists for word in text.split())


@cache
def stem(word: str) -> str:
    """What a content word has in common with its other forms: ``bump`` of "bumped" and "bumping".

    Examples
    --------
    >>> [stem(word) for word in ("committed", "sorting", "merge", "merging", "string", "索引")]
    ['commit', 'sort', 'merg', 'merg', 'string', '索引']
    """
    if not word.isascii():
        return word
    if word.endswith("is"):  # of emojis a plural, of basis none: its forms meet either way
        word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _MIN_LETTERS and _VOWEL.search(rest):
            doubled = len(rest) > _MIN_LETTERS and rest[-1] == rest[-2] and rest[-1] not in "ls"
            word = rest[:-1] if doubled else rest
            break
    return word[:-1] if word.endswith("e") and len(word) > _MIN_LETTERS else word


def _words(prose: str) -> Iterator[str]:
    stop, signs = _stop_words()
    for match in _RUN.finditer(prose):
        kind, run = match.lastgroup, match[0]
        if kind == "han":
            pairs = (run[at : at + 2] for at in range(len(run) - 1))
            yield from (pair for pair in pairs if not signs & set(pair))
        elif kind == "katakana" and len(run) > 1:
            yield run
        elif kind == "hangul" and run not in stop and len(run) > 1:
            yield run[:2]
        elif kind == "word" and len(run) >= _MIN_LETTERS and run not in stop:
            singular = _singular(run)
            if singular not in stop:
                yield singular


def _singular(word: str) -> str:
    word = word.removesuffix("'s")
    ends = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if ends and len(word) > _MIN_LETTERS else word


@cache
def _stop_words() -> tuple[frozenset[str], frozenset[str]]:
    """Words, and CJK signs."""
    table = tomllib.loads((files(__package__) / "function_words.toml").read_text(encoding="utf-8"))
    signs = frozenset(table.pop("signs"))
    return frozenset(word for words in table.values() for word in words.split()), signs


@cache
def _variants() -> Mapping[int, str]:
    return {sign: plain for lexicon in find_lexicons().values() for sign, plain in lexicon.variants.items()}
