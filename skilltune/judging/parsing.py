"""A judge's text → answers: the JSON in it is found whatever stands around it, and every word of it is checked."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from skilltune.errors import InputError, JudgeFailed
from skilltune.judging.answers import Answer, check_answer
from skilltune.labelling.questions import Question

__all__ = ["Parsed", "parse_answers"]

_STARTS: Final = 500
"""Opening brackets at which JSON is looked for."""
_CHARACTERS: Final = 1_000_000
"""Characters of a text that are looked at: a batch needs a few thousand."""
_IN_VAIN: Final = 4 * _CHARACTERS
"""Characters that may be read as JSON that is none, all attempts together."""
_REFUSAL: Final = re.compile(
    r"\b(?:I (?:can(?:no|')t|am unable|won['’]t|will not|must decline)|I['’]m (?:sorry|unable|not able)|as an AI)\b"
    r"|I can['’]t|抱歉|无法|lo siento|désolé|tut mir leid",
    re.IGNORECASE,
)


class Parsed(NamedTuple):
    """What a text says of the questions of a batch."""

    answers: dict[str, Answer]
    """By id."""
    faults: dict[str, str]
    """Why there is no answer for an id: missing, twice, vocabulary."""
    unknown_ids: int
    """Entries for ids nobody asked about."""


def parse_answers(text: str, *, ids: Mapping[str, Question]) -> Parsed:
    """The answers in a judge's text, one for each id or a reason why there is none.

    Parameters
    ----------
    text
        JSON, or prose with JSON in it; ``{"answers": [...]}``, or the list alone.
    ids
        What was asked, as in the prompt.

    Raises
    ------
    JudgeFailed
        When nothing in the text can be the answer: empty, refused, no_json.
    """
    entries = [entry for entries in _lists_of_entries(text[:_CHARACTERS]) for entry in entries]
    named = [(entry["id"], entry) for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
    known = [(name, entry) for name, entry in named if name in ids]
    if not known:
        raise JudgeFailed(_why_nothing(text))
    answers: dict[str, Answer] = {}
    faults: dict[str, str] = {}
    for name, question in ids.items():
        said = [entry for other, entry in known if other == name]
        answer = _answer(said[0], question) if said else None
        if not said:
            faults[name] = "missing"
        elif any(_answer(entry, question) != answer for entry in said[1:]):
            faults[name] = "twice"
        elif answer is None:
            faults[name] = "vocabulary"
        else:
            answers[name] = answer
    return Parsed(answers, faults, len({name for name, _ in named} - ids.keys()))


def _lists_of_entries(text: str) -> Iterator[list[Any]]:
    """Every list of answers in the text that does not lie inside of another one."""
    decoder, at, in_vain = json.JSONDecoder(), 0, 0
    for _ in range(_STARTS):
        start = re.compile(r"[\[{]").search(text, at)
        if start is None or in_vain > _IN_VAIN:
            return
        try:
            value, end = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError) as error:
            in_vain += _fault_at(error, text) - start.start()
            at = start.end()
            continue
        found = value.get("answers") if isinstance(value, dict) else value
        at = end
        if isinstance(found, list):
            yield found


def _fault_at(error: Exception, text: str) -> int:
    """How far a reader may have come before it gave up: to the end, where the error does not say it."""
    known = isinstance(error, json.JSONDecodeError) and not error.msg.startswith("Unterminated string")
    return error.pos if known and isinstance(error, json.JSONDecodeError) else len(text)


def _answer(entry: Mapping[str, Any], question: Question) -> Answer | None:
    """The answer an entry holds, None where its words are not those of the prompt."""
    kind = entry.get("correction_type")
    answer = Answer(
        event_id=question.event_id,
        turn_id=question.turn_id,
        outcome=entry.get("outcome", ""),
        correction_type=None if kind in ("", "null", "none") else kind,
        about=entry.get("about") or "skill",
    )
    try:
        check_answer(answer)
    except (InputError, TypeError):
        return None
    return answer


def _why_nothing(text: str) -> str:
    if not text.strip():
        return "empty"
    return "refused" if _REFUSAL.search(text[:2_000]) else "no_json"
