"""Putting turns to a judge: redacted, in batches, within a budget, each once; and what that would send."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from skilltune.errors import InputError, JudgeFailed
from skilltune.judging.answers import Answer, Judge, Judged, NotJudged, check_answer
from skilltune.judging.cache import AnswerCache
from skilltune.judging.command import BatchAnswers, CommandJudge
from skilltune.judging.redaction import redact_question, sent_characters
from skilltune.labelling.questions import Question

__all__ = ["SendPlan", "judge_turns", "plan_sending"]

FAILURES_IN_A_ROW: Final = 2
"""Batches without any answer after which no more are sent: the program is not logged in, or the like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SendPlan:
    """What a run would send, with nothing sent."""

    questions: tuple[Question, ...]
    """The turns to send, redacted."""
    cached: int
    """Turns whose answers are known."""
    over_budget: int
    """Turns left out because the budget ends before them."""
    batches: int
    characters: int
    """Characters of session text in all prompts together."""


def judge_turns(
    questions: Iterable[Question],
    judge: Judge,
    *,
    name: str | None = None,
    cache: AnswerCache | None = None,
    max_turns: int = 200,
    max_chars: int = 2_000,
    batch_size: int = 10,
    on_answers: Callable[[Sequence[Answer]], None] | None = None,
    progress: bool = False,
) -> Judged:
    """The answers of a judge to questions, each with an answer or with the reason why there is none.

    What the judge is given is redacted first: secrets, e-mail addresses, home folders, projects and sessions are not
    in it, nor the verdict of the rules.

    Parameters
    ----------
    questions
        Turns to judge, as ``labelling.open_labelling`` gives them.
    judge
        Any callable from a list of questions to a list of answers (`skilltune.judging.command.command_judge` makes
        one of a program). It may leave questions out, and raise `JudgeFailed`.
    name
        What it is called in labels; default its own ``name`` or ``__name__``.
    cache
        Answers of earlier runs; None for none.
    max_turns
        Turns that may be put to it; what is in the cache is free.
    max_chars
        Characters of each turn that it sees; each piece of context gets half of that.
    batch_size
        Turns it is given at once.
    on_answers
        Called with the answers of each batch as they come in, and first with those of the cache.
    progress
        Show a bar where standard error is a terminal.

    Raises
    ------
    InputError
        A number is not positive, or the judge has no name.
    LogError
        The cache cannot be written.

    Examples
    --------
    >>> judge_turns([], lambda questions: [], name="nobody").answers
    ()
    """
    called = name or getattr(judge, "name", None) or getattr(judge, "__name__", "")
    if not called:
        raise InputError("the judge has no name; give it one with name=")
    key = getattr(judge, "key", called)
    plan, known = _planned(
        questions, key=key, cache=cache, max_turns=max_turns, max_chars=max_chars, batch_size=batch_size
    )
    result = _Result([_not_judged(question, "budget") for question in known.over_budget], on_answers=on_answers)
    result.take(known.answers)
    failures = 0
    for batch in _shown(_batches(plan.questions, batch_size), count=plan.batches, progress=progress):
        if failures >= FAILURES_IN_A_ROW:
            result.not_judged += [_not_judged(question, "stopped") for question in batch]
            continue
        answered = result.ask(judge, batch)
        failures = failures + 1 if answered is None else 0
        if answered and cache is not None:
            cache.keep(answered, judge=key)
        result.take([answer for _, answer in answered or ()])
    return Judged(
        name=called,
        answers=tuple(result.answers),
        not_judged=tuple(result.not_judged),
        cached=plan.cached,
        sent=result.sent,
        unknown_ids=result.unknown_ids,
    )


def plan_sending(
    questions: Iterable[Question],
    *,
    key: str,
    cache: AnswerCache | None = None,
    max_turns: int = 200,
    max_chars: int = 2_000,
    batch_size: int = 10,
) -> SendPlan:
    """What `judge_turns` would send of these questions; arguments as there.

    Parameters
    ----------
    key
        What the judge's answers depend on: `CommandJudge.key`.
    """
    return _planned(questions, key=key, cache=cache, max_turns=max_turns, max_chars=max_chars, batch_size=batch_size)[0]


@dataclass(frozen=True, slots=True)
class _Known:
    """What needs no sending."""

    answers: list[Answer]
    over_budget: list[Question]


def _planned(
    questions: Iterable[Question],
    *,
    key: str,
    cache: AnswerCache | None,
    max_turns: int,
    max_chars: int,
    batch_size: int,
) -> tuple[SendPlan, _Known]:
    for option, value in (("max_turns", max_turns), ("max_chars", max_chars), ("batch_size", batch_size)):
        if value < 1:
            raise InputError(f"{option} is {value}; it must be 1 or more")
    unique = {(question.event_id, question.turn_id): question for question in questions}
    redacted = [redact_question(question, max_chars=max_chars) for question in unique.values()]
    answers = [(question, cache.find(question, judge=key) if cache else None) for question in redacted]
    wanted = [question for question, answer in answers if answer is None]
    sent = wanted[:max_turns]
    plan = SendPlan(
        questions=tuple(sent),
        cached=len(redacted) - len(wanted),
        over_budget=len(wanted) - len(sent),
        batches=-(-len(sent) // batch_size),
        characters=sum(map(sent_characters, sent)),
    )
    return plan, _Known([answer for _, answer in answers if answer is not None], wanted[max_turns:])


class _Result:
    """Answers and failures while they come in."""

    def __init__(self, not_judged: list[NotJudged], *, on_answers: Callable[[Sequence[Answer]], None] | None) -> None:
        self.answers: list[Answer] = []
        self.not_judged, self._on_answers = not_judged, on_answers
        self.sent = self.unknown_ids = 0

    def take(self, answers: Sequence[Answer]) -> None:
        """Keep answers, and hand them on."""
        self.answers += answers
        if answers and self._on_answers is not None:
            self._on_answers(answers)

    def ask(self, judge: Judge, batch: Sequence[Question]) -> list[tuple[Question, Answer]] | None:
        """Put one batch to the judge; the answers that hold, None where it failed as a whole."""
        self.sent += len(batch)
        try:
            said = judge.ask(batch) if isinstance(judge, CommandJudge) else _checked(judge(list(batch)), batch)
        except JudgeFailed as error:
            self.not_judged += [_not_judged(question, error.reason, detail=error.detail) for question in batch]
            return None
        self.unknown_ids += said.unknown_ids
        answered = []
        for question in batch:
            place = (question.event_id, question.turn_id)
            if place in said.answers:
                answered.append((question, said.answers[place]))
            else:
                self.not_judged.append(_not_judged(question, said.faults.get(place, "missing")))
        return answered


def _checked(answers: Any, batch: Sequence[Question]) -> BatchAnswers:
    """What a callable gave, as if a program had: unknown turns, double and odd answers are faults."""
    asked = {(question.event_id, question.turn_id) for question in batch}
    found: dict[tuple[str, str], Answer] = {}
    faults: dict[tuple[str, str], str] = {}
    unknown = 0
    if not isinstance(answers, list | tuple) or not all(isinstance(answer, Answer) for answer in answers):
        raise JudgeFailed("format", detail=f"a judge returns a list of Answer, not {type(answers).__name__}")
    for answer in answers:
        place = (answer.event_id, answer.turn_id)
        if place not in asked:
            unknown += 1
        elif found.get(place, answer) != answer:
            faults[place] = "twice"
        else:
            found[place] = answer
            try:
                check_answer(answer)
            except (InputError, TypeError):
                faults[place] = "vocabulary"
    return BatchAnswers({place: answer for place, answer in found.items() if place not in faults}, faults, unknown)


def _shown(batches: Iterable[Sequence[Question]], *, count: int, progress: bool) -> Iterable[Sequence[Question]]:
    if not progress or not sys.stderr.isatty():
        return batches
    from tqdm import tqdm

    return tqdm(batches, total=count, desc="judging", unit="prompt", file=sys.stderr, leave=False)


def _batches(questions: Sequence[Question], size: int) -> Iterator[Sequence[Question]]:
    for start in range(0, len(questions), size):
        yield questions[start : start + size]


def _not_judged(question: Question, reason: str, *, detail: str = "") -> NotJudged:
    return NotJudged(event_id=question.event_id, turn_id=question.turn_id, reason=reason, detail=detail)
