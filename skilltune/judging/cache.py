"""Answers of earlier runs, by content: a hash of judge, prompt and question is the key; no text is kept.

The file is disposable: without it the same turns are sent again.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from skilltune.errors import InputError
from skilltune.judging.answers import Answer, check_answer
from skilltune.judging.prompt import PROMPT_VERSION, shown_fields
from skilltune.labelling.questions import Question
from skilltune.stores.jsonl import AppendOnlyLog, dump_row

__all__ = ["AnswerCache"]

_WORDS: Final = ("outcome", "correction_type", "about")


class _Words(NamedTuple):
    outcome: Any
    correction_type: Any
    about: Any


class AnswerCache:
    """The answers kept in a file of a workspace's ``cache`` folder; lines nobody can read are passed over.

    Parameters
    ----------
    path
        The file; it and its folder are made when there is something to keep.
    """

    def __init__(self, path: Path) -> None:
        self._log = AppendOnlyLog(path)
        self._known: dict[str, _Words] | None = None

    @classmethod
    def of_workspace(cls, folder: Path) -> "AnswerCache":
        """The cache of the workspace at `folder`."""
        return cls(folder / "cache" / "judge.jsonl")

    def find(self, question: Question, *, judge: str) -> Answer | None:
        """The answer to a redacted question that `judge` (what its answers depend on) gave before, or None."""
        words = self._read().get(_key(question, judge))
        if words is None:
            return None
        answer = Answer(event_id=question.event_id, turn_id=question.turn_id, **words._asdict())
        try:
            check_answer(answer)
        except (InputError, TypeError):
            return None
        return answer

    def keep(self, answers: Iterable[tuple[Question, Answer]], *, judge: str) -> None:
        """Keep answers to redacted questions, in one write.

        Raises
        ------
        LogError
            When the file cannot be written.
        """
        known = self._read()
        fresh = {
            _key(question, judge): _Words(answer.outcome, answer.correction_type, answer.about)
            for question, answer in answers
        }
        self._log.append([dump_row({"key": key, **words._asdict()}) for key, words in fresh.items()])
        known |= fresh

    def _read(self) -> dict[str, _Words]:
        if self._known is None:
            rows = self._log.read().rows
            self._known = {str(row.get("key")): _words(row) for row in rows}
        return self._known


def _words(row: Mapping[str, Any]) -> _Words:
    return _Words(*(row.get(name) for name in _WORDS))


def _key(question: Question, judge: str) -> str:
    """The key of an answer: all that the judge saw, hashed."""
    seen = json.dumps([judge, PROMPT_VERSION, shown_fields(question)], sort_keys=True)
    return hashlib.sha256(seen.encode()).hexdigest()
