"""Makers of labelled turns, examples and verdicts for the tests of training; and a few of the invented turns."""

from functools import cache

from skilltune.mining.outcomes import Verdict
from skilltune.mining.situation import Situation
from skilltune.training.evaluating import Judged
from skilltune.training.examples import Example, build_examples
from skilltune.training.turns import LabelledTurn, invented_turns

OUTCOMES = ("none", "correction", "acceptance")
CLASS_WORDS = {"none": "lamp", "correction": "rust", "acceptance": "moss"}
"""A word that gives each outcome away, and that neither rules nor cues know."""


def make_turn(outcome="none", text="The lamp hums.", **more) -> LabelledTurn:
    """A labelled turn of the project p1."""
    values = {
        "key": "k",
        "source": "p1",
        "session": "s1",
        "agent": "claude-code",
        "language": "en",
        "situation": Situation.of(text, previous_agent="I looked at it."),
        "outcome": outcome,
    }
    return LabelledTurn(**values | more)


def make_example(outcome="none", features=("here",), *, said=None, **more) -> Example:
    """An example with the features named."""
    verdict = said or Verdict(outcome="none", reason="no_signal", rule="none.no_signal", language="en")
    return Example(make_turn(outcome, **more), dict.fromkeys(features, 1.0), verdict)


def make_examples(*, sessions=12, sources=3) -> list[Example]:
    """In each session one turn of every outcome, given away by a word; sessions go round the sources."""
    return [
        make_example(
            outcome,
            ("bias", f"word={CLASS_WORDS[outcome]}"),
            session=f"s{number:02}",
            source=f"p{number % sources}",
            key=f"s{number:02}.{outcome}",
        )
        for number in range(sessions)
        for outcome in OUTCOMES
    ]


def make_judged(truth, said, *, negative=0.5, acceptance=0.5, rules="none", **more) -> Judged:
    """A turn with a verdict."""
    return Judged(make_turn(truth, **more), said, rules, negative, acceptance)


@cache
def english_turns(number=600) -> tuple[LabelledTurn, ...]:
    """The first invented turns in English of each file that something went before."""
    turns = [turn for turn in invented_turns() if turn.language == "en" and turn.situation.previous_agent]
    return tuple(turns[:: max(len(turns) // number, 1)][:number])


@cache
def english_examples(number=600) -> tuple[Example, ...]:
    """Their examples."""
    return tuple(build_examples(english_turns(number)))
