"""What the agent asked at the end of its text, and whether a reply takes it up."""

import re
from dataclasses import dataclass
from functools import lru_cache

from skilltune.mining.phrases import CJK
from skilltune.mining.reading import Sentence, read_agent_prose

__all__ = ["Asked", "read_agent"]

_AGENT_CHARS = 1_000
_SENTENCES = 3
_MIN_OPTIONS = 2
_FENCE = "```"
_ITEM = re.compile(r"[ \t]{0,12}(?:[-*•+]|\(?\d{1,2}[.):]|\(?[a-h][.):])[ \t]", re.IGNORECASE)
_OPTION = re.compile(
    r"[ \t]{0,12}(?:[-*•+][ \t])?(?:\(?[a-h][.):] |(?:option|variant|plan|方案|选项) ?[a-h1-9一二三四])", re.IGNORECASE
)
_MARKUP = re.compile(r"[*_#]{1,3}")
_CHOICE = re.compile(
    r"\b(?:which|what|how|where|when|who|or|cuál|qué|quel|quelle|ou|comment|welche[rs]?|oder|wie|qual|какой|или)\b"
    r"|还是|哪|什么|怎么|どれ|どちら|何|어떤|어느|무엇"
)
_WORD = re.compile(rf"[^\W\d_{CJK}]{{4,}}|[{CJK}]{{2}}")
_COMMON_WORDS = """
this that these those with want would like should have what which also them then from your please need make does next
shall some when will just here there before after into more
"""
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True, slots=True)
class Asked:
    """The end of an agent's text: whether it asks, and what for.

    `question`: something is asked. `choice`: the reply is free or one of several, no yes or no. `kinds`: the kinds of
    the lexicons' phrases for agents that stand in what is asked (in the last sentence where nothing is). `words`: the
    telling words of the question and its options.
    """

    question: bool
    choice: bool
    kinds: frozenset[str]
    words: frozenset[str]

    @property
    def checks(self) -> bool:
        """Whether the agent asks if the work is right."""
        return self.question and "check" in self.kinds

    @property
    def offers(self) -> bool:
        """Whether the agent asks or proposes something."""
        return self.question or "offer" in self.kinds

    def taken_up_by(self, prose: str) -> bool:
        """Whether a reply that asks for work answers the question rather than turning to other work.

        An open question ("anything else?") is answered by any new request; a choice by whatever is said; an offer by
        what shares a word with it.
        """
        if not self.question or (self.kinds & {"open"} and not self.kinds & {"check"}):
            return False
        return self.choice or bool(self.words & _telling_words(prose))


def read_agent(said: str) -> Asked | None:
    """What the end of an agent's text asks; None where it says nothing."""
    return _read_end(said[-_AGENT_CHARS:])


@lru_cache(maxsize=1024)
def _read_end(said: str) -> Asked | None:
    lines = _MARKUP.sub("", _after_cut_fence(said)).split("\n")
    items = [line for line in lines if _ITEM.match(line) or _OPTION.match(line)]
    text = "\n".join(line for line in lines if line not in items or line.rstrip().endswith(("?", "？")))
    prose, sentences = read_agent_prose(text)
    asked = [sentence for sentence in sentences[-_SENTENCES:] if _is_question(prose, sentence)]
    options = sum(bool(_OPTION.match(line)) for line in items) >= _MIN_OPTIONS
    if not sentences and not options:
        return None
    looked_at = asked or list(sentences[-1:])
    words = " ".join(prose[sentence.start : sentence.end] for sentence in looked_at)
    return Asked(
        question=bool(asked) or options,
        choice=options or (bool(asked) and (bool(items) or bool(_CHOICE.search(words)))),
        kinds=_kinds(looked_at),
        words=_telling_words(f"{words} {' '.join(items)}".lower()),
    )


def _is_question(prose: str, sentence: Sentence) -> bool:
    """Whether a sentence asks; one that only opens like a question and ends in a colon is a heading."""
    heading = prose[sentence.start : sentence.end].rstrip().endswith(":")
    return sentence.question and (not heading or sentence.has("offer", "check"))


def _after_cut_fence(said: str) -> str:
    """`said` without the end of a code block whose beginning was cut off."""
    return said.split(_FENCE, 1)[1] if said.count(_FENCE) % 2 else said


def _kinds(sentences: list[Sentence]) -> frozenset[str]:
    return frozenset(hit.kind for sentence in sentences for hit in sentence.hits)


def _telling_words(prose: str) -> frozenset[str]:
    return frozenset(_WORD.findall(prose)) - _COMMON
