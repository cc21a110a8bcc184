"""Labelling as a plain object: the questions of a sample in order, the answers, undo, and how far one is."""

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from skilltune.analysis.labels import labelled_uses
from skilltune.errors import InputError
from skilltune.frames import to_frame
from skilltune.labelling.population import Population
from skilltune.labelling.questions import Question, questions_of
from skilltune.records import About, CorrectionType, Draw, LabelledUse, Outcome, PredictedUse, TurnLabel, TurnPointer
from skilltune.stores.labels import LabelContents

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Labelling", "draws_by_use", "label_at"]

_Key = tuple[str, str]


class Labelling:
    """A sample of uses to label; made by ``open_labelling``.

    Nothing is written before the first answer: with it the draw is kept, too, so that the chance of every use to be in
    the sample is known. Other processes may label at the same time.

    Parameters
    ----------
    population
        The uses, and what can be asked.
    contents
        What the label log says now.
    chosen
        Event ids of the sample in the order to label them.
    draw
        The draw that is new and not kept yet, if any.
    reader
        Who answers.
    """

    def __init__(
        self, population: Population, *, contents: LabelContents, chosen: Sequence[str], draw: Draw | None, reader: str
    ) -> None:
        self._population, self._contents, self._draw = population, contents, draw
        self.reader = reader
        self.questions: tuple[Question, ...] = tuple(
            question
            for event_id in chosen
            for question in questions_of(population.invocations[event_id], population.asked[event_id])
        )
        """All turns of the uses drawn, use by use."""
        self._skipped: set[_Key] = set()
        self._answered: list[tuple[Question, str]] = []
        self._refresh(contents)

    def __repr__(self) -> str:
        return (
            f"Labelling({self.uses_done} of {self.uses_total} uses, {self.done} of {self.total} turns labelled "
            f"by {self.reader!r})"
        )

    @property
    def current(self) -> Question | None:
        """The first question that is neither labelled nor skipped, None when there is none left."""
        taken = self._skipped | self._labels.keys()
        return next((question for question in self.questions if _key(question) not in taken), None)

    @property
    def total(self) -> int:
        """Number of questions (turns)."""
        return len(self.questions)

    @property
    def done(self) -> int:
        """How many of the questions are labelled."""
        return sum(_key(question) in self._labels for question in self.questions)

    @property
    def uses_total(self) -> int:
        """Number of uses in the sample."""
        return len({question.event_id for question in self.questions})

    @property
    def uses_done(self) -> int:
        """How many of the uses are labelled whole."""
        return len({question.event_id for question in self.questions} & {use.event_id for use in self._whole()})

    @property
    def has_own_model(self) -> bool:
        """Whether mining judges with the workspace's own model; the verdicts here are of the one that ships."""
        return self._population.has_own_model

    @property
    def unread(self) -> int:
        """Uses that cannot be labelled: their transcript is gone, or was not among the sessions."""
        return self._population.unread

    def answer(
        self,
        question: Question,
        *,
        outcome: Outcome,
        correction_type: CorrectionType | None = None,
        about: About = "skill",
    ) -> str:
        """Label a turn; the label's id. It is on disk before this returns.

        Parameters
        ----------
        question
            Of this labelling, or any other of the same sessions.
        outcome
            What the turn says of the agent's work: correction, partial, acceptance or none.
        correction_type
            revert, redo or rejection for a correction (default rejection).
        about
            ``skill``, or ``other`` where the turn speaks of something else than this skill's work.

        Raises
        ------
        InputError
            A word is not in the vocabulary, or the question is not one of these sessions.
        LogError
            The log cannot be written.
        """
        standing = self._labels.get(_key(question))
        label = label_at(
            self._pointer(question),
            outcome=outcome,
            correction_type=correction_type,
            about=about,
            reader=self.reader,
            draw_id=self._draw_of(question.event_id),
        )
        (label_id,) = self._population.append([label], draws=[self._draw] if self._draw else ())
        if standing is None or standing.label_id != label_id:
            self._answered.append((question, label_id))
        self._skipped.discard(_key(question))
        self._refresh(self._population.log.read())
        return label_id

    def skip(self, question: Question) -> None:
        """Leave a question for now; it is open again the next time."""
        self._skipped.add(_key(question))

    def undo(self) -> Question | None:
        """Take back the last answer given here; its question, or None where there is nothing to take back."""
        while self._answered:
            question, label_id = self._answered.pop()
            standing = self._labels.get(_key(question))
            if standing is not None and standing.label_id == label_id:
                self._population.log.retract([label_id])
                self._refresh(self._population.log.read())
                return question
        return None

    def label_of(self, question: Question) -> tuple[Outcome, CorrectionType | None, About] | None:
        """Outcome, correction type and what it is about as labelled now; None where it is not labelled."""
        label = self._labels.get(_key(question))
        return None if label is None else (label.outcome, label.correction_type, label.about)

    def ask_elsewhere(self) -> None:
        """Keep the draw and where its turns are, for a sheet that is filled in elsewhere."""
        pointers = [self._pointer(question) for question in self.questions]
        self._population.append([], draws=[self._draw] if self._draw else (), asked=pointers)
        self._refresh(self._population.log.read())

    def labelled_uses(self) -> "pd.DataFrame":
        """One row per use that is labelled whole by this reader (columns of ``LabelledUse``)."""
        return to_frame(self._whole(), LabelledUse)

    def predicted_uses(self) -> "pd.DataFrame":
        """One row per use, with what the rules say of it (columns of ``PredictedUse``)."""
        return to_frame(self._population.covered_by(self._contents, reader=self.reader), PredictedUse)

    def _whole(self) -> list[LabelledUse]:
        labels = self._population.standing(self._contents, reader=self.reader)
        return labelled_uses(labels, draws=self._contents.draws_for(self.reader))

    def _refresh(self, contents: LabelContents) -> None:
        self._contents = contents
        self._labels: dict[_Key, TurnLabel] = {
            (label.event_id, label.turn_id): label for label in contents.of_reader(self.reader)
        }
        if self._draw and any(draw.draw_id == self._draw.draw_id for draw in contents.draws):
            self._draw = None

    def _pointer(self, question: Question) -> TurnPointer:
        asked = self._population.asked.get(question.event_id)
        turn = next((turn for turn in asked.turns if turn.turn_id == question.turn_id), None) if asked else None
        if asked is None or turn is None:
            raise InputError(
                f"turn {question.turn_id} of use {question.event_id} is not in the sessions that were read"
            )
        return TurnPointer(
            event_id=question.event_id,
            turn_id=question.turn_id,
            skill_id=question.skill_id,
            session_id=question.session_id,
            uuid=question.uuid,
            line=question.line,
            ruleset=self._population.ruleset,
            number=turn.full,
            of=len(asked.turns),
            turns_seen=asked.turns_seen,
            goes_on=turn.goes_on,
            taken_back=asked.taken_back,
        )

    def _draw_of(self, event_id: str) -> str:
        draws = [*self._contents.draws_for(self.reader), *([self._draw] if self._draw else [])]
        return draws_by_use(draws).get(event_id, "")


def draws_by_use(draws: Sequence[Draw]) -> dict[str, str]:
    """Event id → id of the draw that took the use, the first one."""
    return {event_id: draw.draw_id for draw in reversed(draws) for event_id, _ in draw.sampled}


def label_at(
    turn: TurnPointer,
    *,
    outcome: Outcome,
    correction_type: CorrectionType | None,
    about: About,
    reader: str,
    draw_id: str,
) -> TurnLabel:
    """A label of the turn that is pointed at; words are checked when it is written."""
    return TurnLabel(
        outcome=outcome,
        correction_type=correction_type,
        about=about,
        reader=reader,
        draw_id=draw_id,
        labelled_at=None,
        **{field.name: getattr(turn, field.name) for field in fields(TurnPointer)},
    )


def _key(question: Question) -> _Key:
    return question.event_id, question.turn_id
