"""Held-out scores to verdicts as a stranger would get them: calibrated and thresholded on other sessions, too."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from skilltune.training.calibrating import calibrate
from skilltune.training.examples import Example
from skilltune.training.holdout import Scores
from skilltune.training.turns import LabelledTurn

__all__ = ["Judged", "judge_held_out"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled turn with what rules and model say of it without having seen it."""

    turn: LabelledTurn
    outcome: str
    by_rules: str
    p_negative: float
    p_acceptance: float


def judge_held_out(
    examples: Sequence[Example],
    scores: Scores,
    *,
    folds: int = 10,
    group: Callable[[LabelledTurn], str] = lambda turn: turn.session,
) -> list[Judged]:
    """The verdicts on `examples` by held-out `scores`.

    Calibration and thresholds are found again for each bundle of groups (sessions, or whole projects), on the others.
    """
    names = sorted({group(example.turn) for example in examples})
    number = min(folds, len(names))
    fold_of = {name: place % number for place, name in enumerate(names)}
    judged: dict[int, Judged] = {}
    for fold in range(number):
        inside = [place for place, example in enumerate(examples) if fold_of[group(example.turn)] == fold]
        others = sorted(set(range(len(examples))) - set(inside))
        calibrated = calibrate([examples[place] for place in others], [scores[place] for place in others])
        for place in inside:
            example, chances = examples[place], calibrated.chances(scores[place])
            outcome = calibrated.outcome(example, scores[place])
            judged[place] = Judged(
                example.turn, outcome, example.said.outcome, round(chances.negative, 4), round(chances.acceptance, 4)
            )
    return [judged[place] for place in range(len(examples))]
