"""Which phrases of a message are meant: not asked, not supposed, not the topic of a task, not out of reach."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from skilltune.mining.reading import Hit, Reading, Sentence, read_message

__all__ = ["NEGATIVE", "POSITIVE", "TASKS", "Signals", "read_signals"]

NEGATIVE = ("harm", "rejection", "objection", "wish")
"""Kinds of phrases that complain."""
TASKS = ("task", "next", "making", "topic", "change", "take")
"""Kinds of phrases that ask for work."""
POSITIVE = ("approval", "ack", "okay", "go_on")
"""Kinds of phrases that accept."""

EARLY_SENTENCES = 3
"""Sentences from the beginning in which a reaction to the work is looked for, however long the message."""
LONG_WIDTH = 600
"""Width up to which clear words count wherever they stand."""
OBJECTION_WIDTH = 320
"""Width up to which an argument with the work counts as one."""
OKAY_WIDTH = 120
"""Width up to which an okay is more than a word to begin with."""

_TAKES_BACK = ("revert", "redo")
_REQUESTS = (*_TAKES_BACK, "go_on", "ack", "okay")
_NEXT_CLAUSE = re.compile(r" (?:and|then|but|und|et|y|e) ")
_SHORT_CHARS = 300
_DETERMINERS = frozenset({"no", "kein", "keine", "keinen", "sin", "sem", "pas"})
_CLAUSE_MARKS = ",:;-(，、"


@dataclass(frozen=True, slots=True)
class Signals:
    """A message's reading and the hits in it that are meant, in order."""

    reading: Reading
    meant: tuple[Hit, ...]

    def first(self, *kinds: str) -> Hit | None:
        """The first hit of one of `kinds` that is meant."""
        return next((hit for hit in self.meant if hit.kind in kinds), None)

    @property
    def opening(self) -> Sentence | None:
        """The first sentence."""
        return self.reading.sentences[0] if self.reading.sentences else None

    @property
    def asks(self) -> bool:
        """Whether the first or last sentence is a question."""
        sentences = self.reading.sentences
        return bool(sentences) and (sentences[0].question or sentences[-1].question)

    @property
    def relayed(self) -> Hit | None:
        """The words near the beginning that pass on what somebody else wrote."""
        return next((hit for sentence in self.reading.sentences[:2] if (hit := sentence.first("relayed"))), None)

    @property
    def argument(self) -> Hit | None:
        """The ``but`` that opens a short message which asks nothing."""
        first = self.opening
        if first is None or not first.hits or first.question or self.reading.width > OBJECTION_WIDTH:
            return None
        hit = first.hits[0]
        return hit if hit.kind == "contrast" and hit.start == first.start else None

    def contrast_between(self, first: Hit, second: Hit) -> bool:
        """Whether a ``but`` stands between two hits, or opens the later one."""
        early, late = sorted((first, second), key=lambda hit: hit.start)
        return any(hit.kind == "contrast" and early.end <= hit.start <= late.start for hit in self.reading.hits)

    def names_what_not(self, refusal: Hit) -> bool:
        """Whether a no stands before a thing rather than alone: "no spaces in file names"."""
        text = self.reading.prose.text
        if text[refusal.start : refusal.end] not in _DETERMINERS or text[refusal.end : refusal.end + 1] != " ":
            return False
        after = next((hit for hit in self.reading.hits if hit.start >= refusal.end), None)
        return text[refusal.end + 1 : refusal.end + 2].isalnum() and not (after and after.start == refusal.end + 1)

    def compares(self, approval: Hit) -> bool:
        """Whether an approval only says that something else is better."""
        return "better" in self.reading.prose.text[approval.start : approval.end]

    def limit(self, positive: Hit) -> Hit | None:
        """The contrast that takes part of an acceptance back; none where a question or next task follows."""
        for sentence in self.reading.sentences[:EARLY_SENTENCES]:
            contrast = sentence.first("contrast")
            if contrast is not None and contrast.start >= positive.end:
                return None if _moves_on(sentence, contrast) else contrast
        return None


def read_signals(text: str) -> Signals:
    """The signals of a person's message; those of a short one are kept for the next call with the same text."""
    return _read_short(text) if len(text) <= _SHORT_CHARS else _read(text)


@lru_cache(maxsize=4096)
def _read_short(text: str) -> Signals:
    return _read(text)


def _read(text: str) -> Signals:
    reading = read_message(text)
    return Signals(reading, tuple(hit for index, hit in _meant(reading) if _in_reach(reading, index, hit)))


@dataclass(frozen=True, slots=True)
class _Frame:
    """What else stands in a sentence and so decides whether a phrase in it is meant."""

    reading: Reading
    question: bool
    supposes: Hit | None
    """The condition or forward instruction that opens first."""
    condition: Hit | None
    topic: Hit | None
    making: Hit | None
    task: Hit | None
    opener: Hit | None
    """What opens the question or the task."""

    @classmethod
    def of(cls, reading: Reading, sentence: Sentence) -> "_Frame":
        """The frame that `sentence` of `reading` gives its phrases."""
        return cls(
            reading,
            sentence.question,
            supposes=sentence.first("condition", "forward"),
            condition=sentence.first("condition"),
            topic=sentence.first("topic"),
            making=sentence.first("making"),
            task=sentence.first(*TASKS),
            opener=sentence.first("question", *TASKS),
        )

    def lets_mean(self, hit: Hit) -> bool:
        """Whether `hit` is said rather than asked, supposed, or named as the topic of a task."""
        if self._is_supposed(hit) or self._is_topic(hit):
            return False
        return not self.question or self._is_meant_though_asked(hit)

    def _is_supposed(self, hit: Hit) -> bool:
        """Whether `hit` hangs on a condition: it follows one, or is a request that one follows."""
        if self.supposes and hit.start > self.supposes.start:
            return True
        return self.condition is not None and hit.kind in _REQUESTS

    def _is_topic(self, hit: Hit) -> bool:
        """Whether `hit` names what a task is about rather than what is wrong with the work."""
        if hit.kind not in (*NEGATIVE, *_TAKES_BACK):
            return False
        if self.topic and hit.start > self.topic.start:
            return True
        if hit.kind in _TAKES_BACK:
            return bool(self.making and hit.start > self.making.start and not self._goes_on(self.making, hit))
        task = self.task
        if task is None or hit.start <= task.start or (task.kind == "next" and hit.start <= task.end + 1):
            return False
        return not _separate(self.reading, task, hit)

    def _goes_on(self, first: Hit, second: Hit) -> bool:
        """Whether another clause begins between two hits."""
        between = self.reading.prose.text[first.end : second.start]
        return _separate(self.reading, first, second) or bool(_NEXT_CLAUSE.search(between))

    def _is_meant_though_asked(self, hit: Hit) -> bool:
        """A request to take back or do over counts though asked; so does a yes or no before the question begins."""
        if hit.kind in (*_TAKES_BACK, "harm"):
            return True
        opener = self.opener
        if opener is None or not opener.opens or hit.kind == "okay" or hit.end > opener.start:
            return False
        return any(sign in self.reading.prose.text[hit.end : opener.start + 1] for sign in f" {_CLAUSE_MARKS}")


def _meant(reading: Reading) -> Iterator[tuple[int, Hit]]:
    """The hits that are meant, with the index of their sentence."""
    for index, sentence in enumerate(reading.sentences):
        frame = _Frame.of(reading, sentence)
        yield from ((index, hit) for hit in sentence.hits if frame.lets_mean(hit))


def _separate(reading: Reading, first: Hit, second: Hit) -> bool:
    return any(sign in reading.prose.text[first.end : second.start] for sign in _CLAUSE_MARKS)


def _in_reach(reading: Reading, index: int, hit: Hit) -> bool:
    """Whether `hit` stands where a reaction stands: early, or in a short message."""
    early = index < EARLY_SENTENCES
    if hit.kind in ("objection", "wish"):
        return index < EARLY_SENTENCES - 1 and reading.width <= OBJECTION_WIDTH
    if hit.kind == "okay":
        return index == 0 and hit.opens and (reading.width <= OKAY_WIDTH or _has_contrast(reading))
    if hit.kind == "thanks":
        return early
    if hit.kind in ("ack", "go_on"):
        return early and (hit.opens or (hit.kind == "go_on" and _closes_short(reading, index, hit)))
    if hit.kind in ("rejection", "approval"):
        return early or reading.width <= LONG_WIDTH
    return early or index == len(reading.sentences) - 1


def _closes_short(reading: Reading, index: int, hit: Hit) -> bool:
    """Whether `hit` is a later clause of a short message, with no task or but before it: "all green, merge it"."""
    sentence = reading.sentences[index]
    earlier = sentence.first(*TASKS, "forward", "condition", "contrast")
    return reading.width <= OKAY_WIDTH and not sentence.question and not (earlier and earlier.start < hit.start)


def _has_contrast(reading: Reading) -> bool:
    return any(hit.kind == "contrast" for hit in reading.hits)


def _moves_on(sentence: Sentence, contrast: Hit) -> bool:
    """Whether what follows a contrast is a question, another task or more praise, or nothing."""
    after = [hit for hit in sentence.hits if hit.start >= contrast.end]
    kinds = ("next", "question", "go_on", "thanks", "forward", "approval")
    return sentence.question or contrast.end >= sentence.end - 1 or any(hit.kind in kinds for hit in after)
