"""From sessions and label log to the sample to label."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from skilltune.analysis.sampling import draw_uses
from skilltune.errors import InputError, UnknownSkillError
from skilltune.labelling.answering import Labelling
from skilltune.labelling.population import Population, read_population, whole_uses
from skilltune.records import Draw
from skilltune.workflow import Paths

__all__ = ["open_labelling", "open_sample"]


def open_labelling(
    workspace: str | Path | None = None,
    *,
    sessions: Paths | None = None,
    sample_size: int = 50,
    seed: int = 0,
    skill_id: str | None = None,
    reader: str = "person",
    as_of: datetime | str | None = None,
) -> Labelling:
    """A random sample of uses to label, the earlier answers in it.

    Parameters
    ----------
    workspace
        Folder of the logs; default the nearest ``.skilltune`` upwards, else the user's.
    sessions
        Files or folders of sessions; default as the config says, else where the agents keep them.
    sample_size
        Uses that the sample should hold. Those of earlier draws count, so that opening it again gives the same sample;
        a larger size adds uses to it. Uses about which nobody said anything are none for certain, and never in it.
    seed
        Of the random draw, for the uses that are added.
    skill_id
        Draw only uses of this skill.
    reader
        Who answers: ``person``, or ``judge:NAME``. Each has a sample of their own.
    as_of
        What is dated later is left out; default now.

    Raises
    ------
    CollectionDisabled
        The person switched collection off.
    InputError
        `sample_size` is below 1, or the skill is not in the sessions.
    ReadError
        None of `sessions` can be read.
    """
    if sample_size < 1:
        raise InputError(f"sample_size is {sample_size}; at least 1 use is needed")
    population = read_population(workspace, sessions=sessions, as_of=as_of)
    return open_sample(population, sample_size=sample_size, seed=seed, skill_id=skill_id, reader=reader)


def open_sample(
    population: Population,
    *,
    sample_size: int,
    seed: int = 0,
    skill_id: str | None = None,
    reader: str = "person",
    only_open: bool = False,
) -> Labelling:
    """The labelling of a population.

    Parameters
    ----------
    population
        The uses.
    sample_size, seed, skill_id, reader
        As in ``open_labelling``.
    only_open
        Leave out the uses that are labelled already; `sample_size` then counts those that are not.
    """
    known = {use.skill_id for use in population.uses}
    if skill_id is not None and skill_id not in known:
        raise UnknownSkillError(skill_id, known)
    frame = [use for use in population.frame if skill_id in (None, use.skill_id)]
    contents = population.log.read()
    earlier = contents.draws_for(reader)
    done = whole_uses(population.standing(contents, reader=reader)) if only_open else frozenset()
    chosen = _drawn(earlier, among={use.event_id for use in frame} - done)
    draw = None
    if len(chosen) < sample_size:
        draw = draw_uses(
            frame,
            size=sample_size - len(chosen),
            seed=seed,
            ruleset=population.ruleset,
            reader=reader,
            earlier=earlier,
        )
    chosen += [event_id for event_id, _ in draw.sampled] if draw else []
    return Labelling(population, contents=contents, chosen=chosen, draw=draw, reader=reader)


def _drawn(draws: Sequence[Draw], *, among: set[str]) -> list[str]:
    """The uses of earlier draws that can still be asked about, in order, each once."""
    ids = dict.fromkeys(event_id for draw in draws for event_id, _ in draw.sampled)
    return [event_id for event_id in ids if event_id in among]
