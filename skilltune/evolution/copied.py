"""What a line takes over from its evidence word by word: numbers, names, long runs of words.

A rule for all sessions must not carry one session's particulars: a line that the tool makes is left for a person to
word where it has any, a person's own line is taken as it is and what it has is said.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final

from skilltune.evolution.tokens import tokenize
from skilltune.limits import COPIED_WORDS

__all__ = ["find_copied", "find_particulars", "tell_copied", "tell_particulars"]

_WORD: Final = re.compile(r"[^\s\"'`“”‘’«»()\[\]{}<>,;:!?。，、；：！？「」『』（）]+")
_EDGES: Final = ".…-–—*_#|"
_MIXED: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2}|\d|[/\\@=]|\w[._]\w")
_SENTENCE_ENDS: Final = frozenset(".!?:;。！？")
_MARKER: Final = re.compile(r"(?<!\S)(?:[-*+]|\d{1,9}[.)])\s+")
_CJK_WORDS: Final = 2
"""CJK signs that count as one word."""


def find_copied(line: str, *, evidence: Iterable[str], known: str) -> tuple[str, ...]:
    """What `line` has from `evidence` and not from `known`, in order.

    Parameters
    ----------
    line
        The line.
    evidence
        What people wrote.
    known
        The skill's own text: what stands there is no secret of the evidence.

    Examples
    --------
    >>> find_copied("Always write 14 rows for ACME-7.", evidence=["for ACME-7 always write 14 rows"], known="")
    ('14', 'ACME-7')
    """
    texts = list(evidence)
    particulars = find_particulars(line, evidence=texts, known=known)
    return (*particulars, *_long_runs(line, evidence=texts, known=known))


def tell_copied(line: str, *, said: Iterable[tuple[str, str]], known: str) -> tuple[str, ...]:
    """What a person should look at in a line of theirs: what it has from one session only, in words.

    Parameters
    ----------
    line
        The line.
    said
        Session and text of each piece of the evidence.
    known
        The skill's own text.

    Examples
    --------
    >>> tell_copied("Write 14 rows for ACME-7.", said=[("s1", "14 rows for ACME-7"), ("s2", "14 rows!")], known="")
    ('look at: "ACME-7" is in no other session',)
    """
    by_session: defaultdict[str, list[str]] = defaultdict(list)
    for session, text in said:
        by_session[session].append(text)
    texts = [text for said_there in by_session.values() for text in said_there]
    parts = find_copied(_MARKER.sub("", line), evidence=texts, known=known)
    where = Counter(part for said_there in by_session.values() for part in parts if _has(said_there, part))
    return tuple(_look_at(part) for part in parts if where[part] == 1)


def tell_particulars(suggested: str, *, original: str, sessions: Collection[str], known: str) -> tuple[str, ...]:
    """What a person should look at in a text that replaces another one: particulars that one session only has.

    Parameters
    ----------
    suggested, original
        What people wrote, and what they changed.
    sessions
        Where they did.
    known
        The skill's own text.

    Examples
    --------
    >>> tell_particulars("for ACME-7", original="for all", sessions=["s1"], known="Write rows for all.")
    ('look at: "ACME-7" is in no other session',)
    """
    if len(set(sessions)) > 1:
        return ()
    return tuple(map(_look_at, find_particulars(suggested, evidence=[original, suggested], known=known)))


def find_particulars(line: str, *, evidence: Iterable[str], known: str) -> tuple[str, ...]:
    """The numbers, names, paths and codes of `line` that stand in `evidence` and not in `known`."""
    said = {word.casefold() for text in evidence for word, _ in _words(text)}
    own = _known_words(known)
    found = (word for word, opens in _words(line) if _is_particular(word, opens=opens))
    return tuple(dict.fromkeys(word for word in found if word.casefold() in said - own))


def _look_at(part: str) -> str:
    return f'look at: "{part}" is in no other session'


def _has(texts: Iterable[str], part: str) -> bool:
    """Whether one of `texts` has a word, or a run of words as ``_plain`` joins them."""
    return any(
        part.casefold() in {word.casefold() for word, _ in _words(text)} or f" {part} " in f" {' '.join(_plain(text))} "
        for text in texts
    )


@lru_cache(maxsize=2)
def _known_words(text: str) -> frozenset[str]:
    """The words of a skill's text, which is asked for once for each of its changes."""
    return frozenset(word.casefold() for word, _ in _words(text))


def _words(text: str) -> list[tuple[str, bool]]:
    """Words with signs inside, and whether each opens a sentence."""
    found = ((match, match[0].strip(_EDGES)) for match in _WORD.finditer(text))
    return [(word, _opens(text, match.start())) for match, word in found if word]


def _opens(text: str, at: int) -> bool:
    """Whether nothing but white space lies between `at` and the end of a sentence or line, or the beginning."""
    while at > 0 and text[at - 1].isspace():
        at -= 1
        if text[at] == "\n":
            return True
    return at == 0 or text[at - 1] in _SENTENCE_ENDS


def _is_particular(word: str, *, opens: bool) -> bool:
    return bool(_MIXED.search(word)) or (
        word[0].isupper() and word[0] != word[0].lower() and not opens and len(word) > 1
    )


def _long_runs(line: str, *, evidence: Sequence[str], known: str) -> list[str]:
    """Runs of six words (a CJK sign is half a word) of `line` that the evidence has too; the first one."""
    tokens = _plain(line)
    said = [" ".join(_plain(text)) for text in evidence]
    own = " ".join(_plain(known))
    for at in range(len(tokens)):
        run = _run(tokens[at:])
        text = f" {' '.join(run)} "
        if run and any(text in f" {words} " for words in said) and text not in f" {own} ":
            return [text.strip()]
    return []


def _run(tokens: Sequence[str]) -> list[str]:
    """The first six words of `tokens`, or none if there are fewer."""
    weight, run = 0.0, []
    for token in tokens:
        run.append(token)
        weight += 1 / _CJK_WORDS if len(token) == 1 and ord(token) >= 0x3000 else 1
        if weight >= COPIED_WORDS:
            return run
    return []


def _plain(text: str) -> list[str]:
    return [token for token in tokenize(text.casefold()) if token[0].isalnum() or token[0] == "_"]
