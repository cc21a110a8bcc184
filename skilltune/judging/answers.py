"""What a judge says of a turn, and what became of all turns it was asked about."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from skilltune.errors import InputError
from skilltune.labelling.questions import Question
from skilltune.records import About, CorrectionType, Outcome

__all__ = ["TYPES_OF", "Answer", "Judge", "Judged", "NotJudged", "check_answer"]

TYPES_OF: Final[dict[Outcome, tuple[CorrectionType | None, ...]]] = {
    "correction": ("revert", "redo", "rejection"),
    "partial": ("partial",),
    "acceptance": (None,),
    "none": (None,),
}
"""Which correction types go with which outcome."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a judge says of one turn."""

    event_id: str
    turn_id: str
    outcome: Outcome
    correction_type: CorrectionType | None = None
    about: About = "skill"
    """Whether a complaint is about the skill's work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotJudged:
    """A turn without an answer, and why."""

    event_id: str
    turn_id: str
    reason: str
    """One word for counting: refused, no_json, missing, twice, vocabulary, timeout, exit, budget …"""
    detail: str = ""
    """What the program said, secrets masked, at most 200 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """All turns a judge was asked about, each once: with an answer, or with the reason why there is none."""

    name: str
    answers: tuple[Answer, ...] = ()
    not_judged: tuple[NotJudged, ...] = ()
    cached: int = 0
    """Answers that were known from an earlier run."""
    sent: int = 0
    """Turns that were put to the judge."""
    unknown_ids: int = 0
    """Answers to turns nobody asked about; they are passed over."""

    @property
    def reasons(self) -> dict[str, int]:
        """Number of turns without an answer, by reason, the commonest first."""
        return dict(Counter(turn.reason for turn in self.not_judged).most_common())


Judge = Callable[[list[Question]], list[Answer]]
"""Anything that answers questions; it may leave some out, and raise `JudgeFailed` where it can answer none."""


def check_answer(answer: Answer) -> None:
    """Return if the words of an answer are known and go together.

    Raises
    ------
    InputError
        When they do not; the message names word and choice.

    Examples
    --------
    >>> check_answer(Answer(event_id="e", turn_id="t", outcome="partial", correction_type="partial"))
    """
    if answer.outcome not in TYPES_OF:
        raise InputError(f"outcome is {answer.outcome!r}; it must be one of {', '.join(TYPES_OF)}")
    types = TYPES_OF[answer.outcome]
    if answer.correction_type not in types:
        raise InputError(
            f"correction_type is {answer.correction_type!r}; with the outcome {answer.outcome} it must be "
            f"{' or '.join(map(str, types))}"
        )
    if answer.about not in ("skill", "other"):
        raise InputError(f"about is {answer.about!r}; it must be 'skill' or 'other'")
