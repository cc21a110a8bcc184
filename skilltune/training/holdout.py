"""Scores for turns that the model has not seen: it is trained again without them, whole groups at a time."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from skilltune.mining.features import FEATURES_VERSION
from skilltune.mining.model import Model, ModelFile
from skilltune.training.examples import Example
from skilltune.training.fitting import Fitting, Weights, fit_weights
from skilltune.training.turns import LabelledTurn

__all__ = ["Scores", "bare_model", "held_out_scores"]

Scores = list[tuple[float, float]]
"""(negative, acceptance) before calibration, one pair a turn."""


def held_out_scores(
    examples: Sequence[Example],
    *,
    beside: Sequence[Example],
    group: Callable[[LabelledTurn], str],
    fitting: Fitting,
    folds: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Scores:
    """The scores of `examples`, each from a model that has seen nothing of its group.

    Parameters
    ----------
    examples
        The turns to score.
    beside
        Turns that are only learned from (of other groups).
    group
        What must not be torn apart: the session or the source of a turn.
    fitting
        How the regression is made.
    folds
        Groups are left out in so many bundles; None leaves out one at a time.
    progress
        Called with the number of fits done and to do.
    """
    members: dict[str, list[int]] = defaultdict(list)
    for place, example in enumerate(examples):
        members[group(example.turn)].append(place)
    names = sorted(members)
    number = len(names) if folds is None else min(folds, len(names))
    scores: Scores = [(0.0, 0.0)] * len(examples)
    for fold in range(number):
        left_out = {place for name in names[fold::number] for place in members[name]}
        groups = {group(examples[place].turn) for place in left_out}
        seen = [example for place, example in enumerate(examples) if place not in left_out]
        others = [example for example in beside if group(example.turn) not in groups]
        model = bare_model(fit_weights([*seen, *others], fitting=fitting))
        for place in left_out:
            scores[place] = model.scores(examples[place].features)
        progress(fold + 1, number)
    return scores


def bare_model(weights: Weights) -> Model:
    """A model of `weights` that can only be asked for scores."""
    file = ModelFile("bare", FEATURES_VERSION, weights.bias, dict(weights.weights), {}, {}, [])
    return Model(file)
