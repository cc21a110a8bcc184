"""The verb: which turns to put to the person's judge, what that would send, and, agreed to, its answers as labels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from skilltune.errors import CollectionDisabled, InputError
from skilltune.judging.agents import AGENTS
from skilltune.judging.answers import Answer, Judged
from skilltune.judging.cache import AnswerCache
from skilltune.judging.command import CommandJudge, command_judge
from skilltune.judging.scoring import JUDGE_PREFIX
from skilltune.judging.turns import SendPlan, judge_turns, plan_sending
from skilltune.labelling.answering import Labelling
from skilltune.labelling.opening import open_sample
from skilltune.labelling.population import Population, read_population
from skilltune.labelling.questions import Question, questions_of
from skilltune.stores.config import Config, JudgeConfig
from skilltune.stores.privacy import check_collection
from skilltune.stores.workspace import find_workspace
from skilltune.workflow import Paths

__all__ = ["Judging", "check_may_send", "open_judging"]


@dataclass(frozen=True, kw_only=True)
class Judging:
    """A judge and the turns to put to it; nothing has been sent."""

    judge: CommandJudge
    settings: JudgeConfig
    labelling: Labelling
    questions: tuple[Question, ...]
    """Turns it has not labelled yet: those a person labelled first, then its random sample."""
    plan: SendPlan
    """What `send` would send of them."""
    cache: AnswerCache
    workspace: Path
    labelled_uses: frozenset[str] = frozenset()
    """Uses that a person labelled: on their turns it is scored."""

    @property
    def for_scoring(self) -> int:
        """How many of the turns of `plan` are there to score it, not of its random sample."""
        return sum(question.event_id in self.labelled_uses for question in self.plan.questions)

    @property
    def reader(self) -> str:
        """How its labels are signed."""
        return self.labelling.reader

    def send(self, *, consent: bool = False, progress: bool = False) -> Judged:
        """Put the turns to the judge; its answers are labels of their own, which override nobody's.

        Parameters
        ----------
        consent
            The person was told what is sent (`plan`) and agreed; else ``[judge] enabled = true`` must say so.
        progress
            Show a bar where standard error is a terminal.

        Raises
        ------
        CollectionDisabled
            The person switched collection off, or keeps no texts.
        InputError
            Nobody agreed; nothing was sent.
        LogError
            An answer cannot be written.
        """
        check_may_send(find_workspace(explicit=self.workspace).config)
        if not consent and not self.settings.enabled:
            raise InputError(
                "nothing was sent: nobody agreed to it; pass consent=True, or write enabled = true under [judge] in "
                "config.toml"
            )
        # its .gitignore first: what follows makes folders in it
        find_workspace(explicit=self.workspace).create()
        by_key = {(question.event_id, question.turn_id): question for question in self.questions}

        def keep(answers: Sequence[Answer]) -> None:
            for answer in answers:
                self.labelling.answer(
                    by_key[answer.event_id, answer.turn_id],
                    outcome=answer.outcome,
                    correction_type=answer.correction_type,
                    about=answer.about,
                )

        return judge_turns(
            self.questions,
            self.judge,
            cache=self.cache,
            max_turns=self.settings.max_turns,
            max_chars=self.settings.max_chars,
            batch_size=self.settings.batch_size,
            on_answers=keep,
            progress=progress,
        )


def open_judging(
    workspace: str | Path | None = None,
    *,
    sessions: Paths | None = None,
    sample_size: int | None = 50,
    skill_id: str | None = None,
    seed: int = 0,
    as_of: datetime | str | None = None,
    **settings: object,
) -> Judging:
    """The judge of a workspace's config, and the turns to put to it.

    Parameters
    ----------
    workspace
        Folder of the logs and the config; default the nearest ``.skilltune`` upwards, else the user's.
    sessions, skill_id, seed, as_of
        As in ``labelling.open_labelling``.
    sample_size
        Uses of its random sample; None for all uses. Besides them it is asked about all that a person labelled, so
        that it can be scored.
    **settings
        Keys of ``[judge]`` (agent, model, max_turns …) for this time.

    Raises
    ------
    CollectionDisabled
        The person switched collection off, or keeps no texts.
    InputError
        No judge is named, its program is not installed, or a setting is out of its range.
    ReadError
        None of `sessions` can be read.
    """
    place = find_workspace(explicit=workspace)
    config = place.config
    check_may_send(config)
    chosen = _settings(config.judge, settings)
    judge = command_judge(chosen, workspace=place.folder)
    population = read_population(workspace, sessions=sessions, as_of=as_of)
    size = max(1, len(population.frame)) if sample_size is None else sample_size
    if size < 1:
        raise InputError(f"sample_size is {size}; at least 1 use is needed")
    reader = JUDGE_PREFIX + judge.name
    labelling = open_sample(population, sample_size=size, seed=seed, skill_id=skill_id, reader=reader)
    of_person = _of_person(population, skill_id=skill_id)
    wanted = [*of_person, *labelling.questions]
    unique = {(question.event_id, question.turn_id): question for question in wanted}
    open_ones = tuple(question for question in unique.values() if labelling.label_of(question) is None)
    cache = AnswerCache.of_workspace(place.folder)
    plan = plan_sending(
        open_ones,
        key=judge.key,
        cache=cache,
        max_turns=chosen.max_turns,
        max_chars=chosen.max_chars,
        batch_size=chosen.batch_size,
    )
    return Judging(
        judge=judge,
        settings=chosen,
        labelling=labelling,
        questions=open_ones,
        plan=plan,
        cache=cache,
        workspace=place.folder,
        labelled_uses=frozenset(question.event_id for question in of_person),
    )


def check_may_send(config: Config) -> None:
    """Return if texts of sessions may be sent at all.

    Raises
    ------
    CollectionDisabled
        Collection is switched off, or ``[privacy] snippets = false`` keeps no texts.
    """
    check_collection()
    if not config.privacy.snippets:
        raise CollectionDisabled(
            "[privacy] snippets = false in config.toml keeps no text of sessions, so none is sent to a judge either; "
            "write snippets = true there if a judge may see them"
        )


def _of_person(population: Population, *, skill_id: str | None) -> list[Question]:
    """All turns of the uses that the person labelled and that can be asked about."""
    labels = population.log.read().of_reader("person")
    uses = dict.fromkeys(label.event_id for label in labels if label.event_id in population.asked)
    return [
        question
        for event_id in uses
        for question in questions_of(population.invocations[event_id], population.asked[event_id])
        if skill_id in (None, question.skill_id)
    ]


def _settings(base: JudgeConfig, changed: dict[str, object]) -> JudgeConfig:
    """The settings of the config with those given for this time; an agent given takes the place of a command."""
    given = {name: value for name, value in changed.items() if value is not None}
    unknown = [name for name in given if not hasattr(base, name)]
    if unknown:
        raise InputError(f"there is no setting {unknown[0]!r} of [judge]")
    if given.get("agent", "") not in ("", *AGENTS):
        raise InputError(f"agent is {given['agent']!r}; it must be one of {', '.join(AGENTS)}")
    if given.get("agent"):
        given = {"command": (), "model": base.model if given["agent"] == base.agent else "", **given}
    return replace(base, **given)  # type: ignore[arg-type]  # checked where they are used
