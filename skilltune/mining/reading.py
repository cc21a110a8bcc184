"""A message read with the lexicons: which rules hit where, sentence by sentence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from skilltune.mining.folding import Prose, read_prose, width
from skilltune.mining.language import guess_language
from skilltune.mining.lexicon import Rule, find_lexicons, rules_by_head
from skilltune.mining.phrases import CJK, Phrase

__all__ = [
    "Hit",
    "Reading",
    "Sentence",
    "find_dimension_hits",
    "read_agent_prose",
    "read_message",
    "without_refusal",
]

_TOKEN = re.compile(rf"[{CJK}]|[^\W{CJK}]+(?:'[^\W{CJK}]+)?|[^\w\s]|\n")
_SENTENCE_END = frozenset(".!?。\n;…")
_END_MARK = re.compile(r"[.!?。\n;…]+")
_AGENT_ENDS = 8
"""Ends of sentences from the last, behind which everything lies that is looked at of what an agent said."""
_CLAUSE_END = frozenset(",:-()、/~")
_TRANSPARENT = frozenset({"filler", "ack", "okay", "thanks", "refusal", "contrast", "nothing", "approval"})
_WHOLE_TAIL = re.compile(r"(?: (?:please|then|now|too|so far|again|man|mate|all))?[ ,~]{0,3}(?=[.!?。\n;…,]|\W{0,6}\Z)")
_INSIDE_WORD = re.compile(r"\w[-'/]")
_PLACEHOLDER = "_"
_AGENT_KINDS = ("offer", "check", "open")
_SPELLED = re.compile(r"[a-z]+")
_FIRST_PREFIX_SIGN = "\uac00"
Index = dict[str, tuple[tuple[Phrase, Rule], ...]]


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that matched; `start` and `end` are places in the prose."""

    rule: str
    kind: str
    start: int
    end: int
    opens: bool
    """Nothing with a meaning of its own stands before it in its sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a message, with the hits in it in order."""

    start: int
    end: int
    question: bool
    hits: tuple[Hit, ...]

    def has(self, *kinds: str) -> bool:
        """Whether a hit of one of `kinds` is there."""
        return any(hit.kind in kinds for hit in self.hits)

    def first(self, *kinds: str) -> Hit | None:
        """The first hit of one of `kinds`."""
        return next((hit for hit in self.hits if hit.kind in kinds), None)


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything the rules see in one message."""

    prose: Prose
    language: str
    width: int
    sentences: tuple[Sentence, ...]

    @property
    def hits(self) -> tuple[Hit, ...]:
        """All hits in order."""
        return tuple(hit for sentence in self.sentences for hit in sentence.hits)


def read_message(text: str) -> Reading:
    """The reading of a person's message."""
    prose = read_prose(text, variants=_variants())
    language = guess_language(prose.text, lexicons=find_lexicons())
    if language == "und":
        return Reading(prose, language, width(prose.text), ())
    prose = replace(prose, text=_spelled(prose.text, language))
    sentences = _read_sentences(prose.text, _index(_spoken(language)))
    return Reading(prose, language, width(prose.text), sentences)


def read_agent_prose(said: str) -> tuple[str, tuple[Sentence, ...]]:
    """The prose of an agent's text and its sentences, read for questions and offers."""
    prose = read_prose(said, variants=_variants()).text
    language = guess_language(prose, lexicons=find_lexicons())
    end = _last_of(prose)
    return end, _read_sentences(end, _agent_index(_spoken(language)))


def _last_of(prose: str) -> str:
    """The end of `prose` in which its last sentences stand."""
    ends = [match.end() for match in _END_MARK.finditer(prose)]
    return prose[ends[-_AGENT_ENDS] :] if len(ends) >= _AGENT_ENDS else prose


def without_refusal(reading: Reading) -> str:
    """The prose after the no that opens it; '' where none does, or where it is part of the words after it.

    A no stands by itself before a comma, or where a rule knows that a sentence follows it ("no it works").
    """
    text, hits = reading.prose.text, reading.hits
    lexicons = find_lexicons()
    ends = [
        match.end()
        for language in _spoken(reading.language)
        for rule in lexicons[language].rules
        if rule.kind == "refusal" and rule.where == "message"
        for phrase in rule.phrases
        if (match := phrase.match(text, 0))
    ]
    if not ends or not hits:
        return ""
    rest = text[min(ends) :]
    parted = rest[:1] in _CLAUSE_END | _SENTENCE_END or (rest[:1] == " " and hits[0].end <= min(ends))
    return rest.lstrip(" ,.!;:-、。") if parted or hits[0].rule.endswith(".no_and") else ""


def find_dimension_hits(prose: str, *, language: str) -> Sequence[Hit]:
    """Hits of the dimension rules of `language` (and of English beside another script) in folded `prose`."""
    return _scan(prose, _dimension_index(_spoken(language)))


def _spoken(language: str) -> tuple[str, ...]:
    """The lexicons to read with: English words stand among those of other scripts, and serve where none is known."""
    lexicons = find_lexicons()
    if language not in lexicons:
        return ("en",)
    return (language, "en") if lexicons[language].script != "latin" else (language,)


def _spelled(prose: str, language: str) -> str:
    """`prose` in the usual spelling of words that the language's lexicon lists as spelled loosely."""
    spellings = find_lexicons()[language].spellings if language in find_lexicons() else {}
    if not spellings:
        return prose
    return _SPELLED.sub(lambda match: spellings.get(match[0], match[0]), prose)


@cache
def _variants() -> dict[int, str]:
    return {code: sign for lexicon in find_lexicons().values() for code, sign in lexicon.variants.items()}


@cache
def _index(languages: tuple[str, ...]) -> Index:
    lexicons = find_lexicons()
    rules = [rule for language in languages for rule in lexicons[language].rules]
    return rules_by_head(rule for rule in rules if rule.kind not in _AGENT_KINDS)


@cache
def _agent_index(languages: tuple[str, ...]) -> Index:
    lexicons = find_lexicons()
    rules = [rule for language in languages for rule in lexicons[language].rules]
    return rules_by_head(rule for rule in rules if rule.kind in (*_AGENT_KINDS, "question"))


@cache
def _dimension_index(languages: tuple[str, ...]) -> Index:
    lexicons = find_lexicons()
    return rules_by_head(rule for language in languages for rule in lexicons[language].dimensions)


def _read_sentences(prose: str, index: Index) -> tuple[Sentence, ...]:
    """`prose` in sentences; empty ones are left out."""
    hits, ends = _Scanner(prose, index).run()
    sentences: list[Sentence] = []
    start = at = 0
    for end, mark in ends:
        inside = at
        while at < len(hits) and hits[at].start < end:
            at += 1
        if prose[start:end].strip(" .!?。\n;…"):
            found = tuple(hits[inside:at])
            asks = mark == "?" or any(hit.kind == "question" for hit in found)
            sentences.append(Sentence(start, end, asks, found))
        elif mark == "?" and sentences and start == sentences[-1].end:
            sentences[-1] = replace(sentences[-1], end=end, question=True)
        start = end
    return tuple(sentences)


def _scan(prose: str, index: Index) -> list[Hit]:
    return _Scanner(prose, index).run()[0]


class _Scanner:
    """Walks over a text once, from the left, always taking the longest phrase that matches."""

    def __init__(self, prose: str, index: Index) -> None:
        self.prose, self.index = prose, index
        self.message_opens = self.sentence_opens = self.clause_opens = True

    def run(self) -> tuple[list[Hit], list[tuple[int, str]]]:
        """The hits, and the end and end mark of every sentence."""
        hits: list[Hit] = []
        ends: list[tuple[int, str]] = []
        index, done = self.index, 0
        for token in _TOKEN.finditer(self.prose):
            start = token.start()
            if start < done:
                continue
            word = token[0]
            candidates = index.get(word) or (index.get(word[0]) if word > _FIRST_PREFIX_SIGN else None)
            hit = self._longest(candidates, start) if candidates else None
            if hit is not None:
                hits.append(hit)
                done = hit.end
                self._pass(hit.kind)
            elif word in _SENTENCE_END:
                ends.append((token.end(), word))
                self.sentence_opens = self.clause_opens = True
            elif word in _CLAUSE_END:
                self.clause_opens = True
            elif word != _PLACEHOLDER:
                self.message_opens = self.sentence_opens = self.clause_opens = False
        ends.append((len(self.prose), ""))
        return hits, ends

    def _pass(self, kind: str) -> None:
        """Note that a hit of `kind` was read: some kinds leave the start of a sentence open."""
        if kind not in _TRANSPARENT:
            self.message_opens = self.sentence_opens = False
        self.clause_opens = kind in ("contrast", "pick", "take") or (kind in _TRANSPARENT and self.clause_opens)

    def _longest(self, candidates: tuple[tuple[Phrase, Rule], ...], start: int) -> Hit | None:
        if _INSIDE_WORD.match(self.prose, max(start - 2, 0), start):
            return None
        best: Rule | None = None
        end = start
        for phrase, rule in candidates:
            match = phrase.match(self.prose, start)
            if match and match.end() > end and self._counts(rule.where, match.end()):
                best, end = rule, match.end()
        return Hit(best.id, best.kind, start, end, self.sentence_opens) if best else None

    def _counts(self, where: str, end: int) -> bool:
        if where == "anywhere":
            return True
        if where == "clause":
            return self.clause_opens
        if where == "message":
            return self.message_opens
        if where == "sentence":
            return self.sentence_opens
        return (where == "end" or self.clause_opens) and bool(_WHOLE_TAIL.match(self.prose, end))
