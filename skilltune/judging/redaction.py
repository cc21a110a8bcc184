"""What of a question may leave the machine: secrets, e-mail addresses, home folders, the user's name and invisible
characters out, everything cut to size, and nothing that tells who, where or which session.
"""

import unicodedata
from dataclasses import replace
from typing import Final

from skilltune.judging.persons import without_persons
from skilltune.labelling.questions import Question
from skilltune.limits import AGENT_TEXT_CHARS, TURN_TEXT_CHARS
from skilltune.stores.jsonl import clean_text
from skilltune.stores.secrets import mask_secrets

__all__ = ["redact_question", "redact_text", "sent_characters"]

SENT_FIELDS: Final = ("skill_id", "tool", "text", "previous_prompt", "previous_agent", "did", "next_agent")
"""Fields of a question that hold text and are sent; with channel, decision, interrupted and the turn's number."""

_CUT: Final = " […] "
_KEPT_FORMAT: Final = frozenset("\u200c\u200d")
"""Joiners, without which some scripts and emoji read otherwise."""


def redact_question(question: Question, *, max_chars: int) -> Question:
    """`question` as a judge sees it: texts redacted and cut, project, session, record, stamp and the rules' verdict
    taken out, its two ids kept.

    Parameters
    ----------
    max_chars
        Characters of what the person said; each piece of context gets half of that.
    """
    half = max_chars // 2
    return replace(
        question,
        skill_id=redact_text(question.skill_id, max_chars=200),
        tool=redact_text(question.tool, max_chars=200),
        text=redact_text(question.text, max_chars=max_chars),
        previous_prompt=redact_text(question.previous_prompt, max_chars=half),
        previous_agent=redact_text(question.previous_agent, max_chars=half),
        did=redact_text(question.did, max_chars=half),
        next_agent=redact_text(question.next_agent, max_chars=half),
        session_id="",
        project="",
        timestamp=None,
        line=0,
        uuid="",
        rule_outcome="none",
        rule_type=None,
        rule="",
    )


def redact_text(text: str, *, max_chars: int) -> str:
    r"""`text` less secrets, addresses, home folders, user name and invisible characters, its middle left out if long.

    Examples
    --------
    >>> redact_text("see /home/ana/shop/a.py, mail ana@example.org", max_chars=100)
    'see ~/shop/a.py, mail [email]'
    """
    visible = "".join(char for char in clean_text(_whole_words(text)) if _may_stay(char))
    return _shorten(without_persons(mask_secrets(visible)), max_chars)


def sent_characters(question: Question) -> int:
    """Characters of a redacted question that are sent."""
    return sum(len(getattr(question, name)) for name in SENT_FIELDS)


def _whole_words(text: str) -> str:
    """`text` less a word at an end where the reader may have cut it: half a secret is not known for one."""
    if len(text) == AGENT_TEXT_CHARS:
        text = text[len(text.split(maxsplit=1)[0]) :] if text.strip() else ""
    if len(text) >= TURN_TEXT_CHARS:
        text = text[:TURN_TEXT_CHARS].rpartition(" ")[0]
    return text


def _may_stay(char: str) -> bool:
    return char in "\n\t" or char in _KEPT_FORMAT or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn"}


def _shorten(text: str, limit: int) -> str:
    """The two ends of `text`, at most `limit` characters in all."""
    if len(text) <= limit:
        return text
    room = limit - len(_CUT)
    return text[: room - room // 2] + _CUT + text[len(text) - room // 2 :]
