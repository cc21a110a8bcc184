"""Labelled turns to examples: features by name, and what the rules say."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from skilltune.mining.classifier import describe_verdict
from skilltune.mining.features import read_features
from skilltune.mining.outcomes import Verdict, judge_by_rules
from skilltune.training.turns import LabelledTurn

__all__ = ["CLASSES", "Example", "build_examples", "class_of"]

CLASSES = ("none", "negative", "acceptance")
"""What the model tells apart; corrections and partials are negative."""


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled turn as the model sees it."""

    turn: LabelledTurn
    features: Mapping[str, float]
    said: Verdict

    @property
    def label(self) -> int:
        """The class of the first reader's label."""
        return class_of(self.turn.outcome)

    @property
    def second(self) -> int:
        """The class of the second reader's label, the first's where there is none."""
        return class_of(self.turn.second or self.turn.outcome)


def class_of(outcome: str) -> int:
    """The place of an outcome in ``CLASSES``."""
    return {"acceptance": 2, "correction": 1, "partial": 1}.get(outcome, 0)


def build_examples(turns: Iterable[LabelledTurn]) -> list[Example]:
    """One example a turn."""
    found = []
    for turn in turns:
        said = judge_by_rules(turn.situation)
        found.append(Example(turn, read_features(turn.situation, said=describe_verdict(said)), said))
    return found
