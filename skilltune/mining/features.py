"""A turn in its situation to features of the classifier: names and values, the same for training and for use.

Flags of the situation and cues carry over to other projects, words carry acceptance. A feature's name begins with its
family; those of ``LEXICAL`` stand for single words and need more evidence in training than the others.
"""

import re
from collections.abc import Iterator, Sequence

from skilltune.mining.asking import Asked
from skilltune.mining.cues import find_cues
from skilltune.mining.reading import Reading
from skilltune.mining.situation import Situation

__all__ = ["FEATURES_VERSION", "LEXICAL", "read_features"]

FEATURES_VERSION = 1
"""Changes whenever the same turn would get other features; weights made for another version are refused."""
LEXICAL = ("word=", "first=")
"""Families of features that name single words."""

_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[?!]|<-|[^\W\d_a-z]+")
_WORDS_READ, _CUE_WORDS, _EARLY = 60, 120, 8
_SAID_CHARS, _QUESTION_CHARS = 700, 120
_LENGTHS = (1, 3, 6, 10, 18, 30, 50, 90)
_LONG = 18
_NUMBER = "0"
"""Stands for all numbers."""
_MAX_SENTENCES = 8
_ACKS = frozenset({"approval", "ack", "okay", "go_on", "thanks"})
_TASKS = frozenset({"task", "next", "change", "making"})
_COMPLAINING = frozenset({"persists", "odd", "lacks", "bad", "too", "negates_it", "reminds", "blames", "norm_past"})
_PERSONS = frozenset({"mine", "ours", "yours"})
_FILLER_WORDS = """
hm hmm hmmm ok okay so and oh ah um umm uh well also wait actually hey yeah yes no please
"""
_SUBJECT_WORDS = """
it this that these those there you we they i u he she the a an
"""
_POLITE = frozenset(["can", "could", "would", "will"])
_WHETHER = """
is are was were do does did should shouldn't isn't aren't doesn't don't didn't wouldn't couldn't have has
"""
_FILLERS, _SUBJECTS = frozenset(_FILLER_WORDS.split()), frozenset(_SUBJECT_WORDS.split())
_OPENERS = {
    "why": frozenset({"why"}),
    "but": frozenset({"but", "however", "though"}),
    "whether": frozenset(_WHETHER.split()),
    "what": frozenset(["what", "how", "where", "when", "which", "who", "what's", "where's", "how's"]),
}
_AGENT = {
    "done": re.compile(
        r"\b(?:done|completed?|fixed|added|updated|created|implemented|committed|pushed|removed|pass(?:es|ing)?|ready)\b"
    ),
    "failed": re.compile(r"\b(?:fail(?:s|ed|ing|ure)?|errors?|broken|couldn't|can't|unable|blocked|not found)\b"),
    "offer": re.compile(r"\b(?:would you like|want me to|shall i|should i|do you want|let me know|ready to|proceed)\b"),
    "plan": re.compile(r"\b(?:plan|approach|options?|recommend|proposal|propose|suggest)\b"),
}
_GOING = re.compile(r"\b(?:let me|i'll|i will|now i|going to|next i)\b[^.?!]{0,300}[.:…]?\s{0,20}\Z")


def read_features(turn: Situation, *, said: str) -> dict[str, float]:
    """The features of `turn` by name; one that is not named is 0. `said` is what the rules say of it."""
    words = _TOKEN.findall(turn.signals.reading.prose.text)
    end = turn.previous_agent[-_SAID_CHARS:].lower()
    asked = turn.asked
    form, state = _form(turn), _state(asked, end)
    found = dict.fromkeys(_flags(turn, asked, end), 1.0)
    found[f"said={said}"] = 1.0
    found[f"form={form}"] = found[f"state={state}"] = found[f"form+state={form}+{state}"] = 1.0
    if turn.interrupted:
        found[f"interrupted+form={form}"] = 1.0
    if turn.channel != "message":
        found[f"channel+form={turn.channel}+{form}"] = 1.0
    found.update({f"length>{limit}": 1.0 for limit in _LENGTHS if len(words) > limit})
    found["sentences"] = min(len(turn.signals.reading.sentences), _MAX_SENTENCES) / 4
    found.update(_cues(words))
    found.update(dict.fromkeys(_lexical(words[:_WORDS_READ]), 1.0))
    return found


def _flags(turn: Situation, asked: Asked | None, end: str) -> Iterator[str]:
    yield f"channel={turn.channel}"
    if turn.interrupted:
        yield "interrupted"
    for hit in turn.signals.meant:
        yield f"meant={hit.kind}"
        if hit.opens:
            yield f"opens={hit.kind}"
    yield from (f"mark={name}" for name, holds in _marks(turn.signals.reading).items() if holds)
    yield from (f"agent={name}" for name, pattern in _AGENT.items() if pattern.search(end))
    if asked is not None:
        kinds = {"asks": asked.question, "checks": asked.checks, "offers": asked.offers, "choice": asked.choice}
        yield from (f"agent={name}" for name, holds in kinds.items() if holds)


def _marks(reading: Reading) -> dict[str, bool]:
    text, sentences = reading.prose.text, reading.sentences
    return {
        "failure": reading.prose.failure,
        "asks_first": bool(sentences) and sentences[0].question,
        "asks_last": bool(sentences) and sentences[-1].question,
        "names": "_" in text,
        "exclaims": "!" in text,
        "lines": "\n" in text,
    }


def _form(turn: Situation) -> str:
    """What kind of message it is: a question, an acknowledgement, a task, a statement …"""
    reading = turn.signals.reading
    sentences = reading.sentences
    if not sentences:
        return "paste" if reading.prose.failure else "empty"
    kind = _asked(reading.prose.text)
    if turn.signals.asks or kind in ("request", "why", "whether", "what"):
        return f"question.{kind}"
    first = sentences[0].hits[0] if sentences[0].hits else None
    if first is not None and first.opens:
        if first.kind in _ACKS:
            return "ack"
        if first.kind in _TASKS or first.kind in ("take", "pick"):
            return "task"
        if first.kind in ("refusal", "contrast", "filler"):
            return first.kind
    later = any(hit.opens and hit.kind in _TASKS for hit in reading.hits)
    return "statement+task" if later else "statement"


def _asked(prose: str) -> str:
    """What kind of question: a request, why, whether, what, or a statement with a question behind it."""
    words = [word for word in _TOKEN.findall(prose[:_QUESTION_CHARS]) if word not in _FILLERS][:2]
    if not words:
        return "other"
    if words[0] in _POLITE:
        return "request" if words[-1] in ("you", "we", "u", "i") else "whether"
    kind = next((kind for kind, openers in _OPENERS.items() if words[0] in openers), "statement")
    if kind == "whether" and "?" not in prose:
        subjects = {"you", "we", "they", "i", "u"} if words[0] in ("do", "don't", "have") else _SUBJECTS
        return "whether" if words[-1] in subjects and len(words) > 1 else "statement"
    return kind


def _state(asked: Asked | None, end: str) -> str:
    """What the agent was at when the person wrote."""
    if not end:
        return "silent"
    if asked is not None and asked.offers:
        return "checks" if asked.checks else "asks" if asked.question else "offers"
    if _GOING.search(end):
        return "going"
    return next((name for name in ("failed", "done") if _AGENT[name].search(end)), "talks")


def _cues(words: Sequence[str]) -> dict[str, float]:
    cues = find_cues(words[:_CUE_WORDS])
    found = {f"cue={cue}": 1.0 for cue in cues}
    found.update({f"early={cue}": 1.0 for cue, at in cues.items() if at < _EARLY})
    found["cues=complaining"] = len(_COMPLAINING.intersection(cues)) / 3
    if len(words) > _LONG and not _PERSONS.intersection(cues):
        found["mark=impersonal"] = 1.0
    return found


def _lexical(words: Sequence[str]) -> Iterator[str]:
    plain = [_NUMBER if word.isdigit() else word for word in words]
    if plain:
        yield f"first={plain[0]}"
    yield from (f"word={word}" for word in plain)
