"""Two models on the same turns: whether one is better than chance would make it look."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from skilltune.training.evaluating import Judged
from skilltune.training.figures import DRAWS, GROUPS, SEED

__all__ = ["SURE", "share_of_gains"]

SURE: Final = 0.95
"""Share of draws in which a model must be the better one."""


def share_of_gains(old: Sequence[Judged], new: Sequence[Judged], group: str = "negative") -> float:
    """In which share of 1,000 paired bootstrap draws of sessions `new` has the higher F1 of a group than `old`.

    Both are scored on the same draws; a draw in which neither is higher is no gain.

    Parameters
    ----------
    old, new
        Verdicts of two models on the same turns.
    group
        A key of ``figures.GROUPS``.
    """
    import numpy as np

    classes = GROUPS[group]
    sessions: dict[str, list[int]] = defaultdict(lambda: [0] * 6)
    for start, judged in ((0, old), (3, new)):
        for row in judged:
            true, said = row.turn.outcome in classes, row.outcome in classes
            for place, hit in enumerate((true and said, said, true)):
                sessions[row.turn.session][start + place] += hit
    if not sessions:
        return 0.0
    counts = np.array([sessions[name] for name in sorted(sessions)], dtype=float)
    even = np.full(len(counts), 1 / len(counts))
    draws = np.random.default_rng(SEED).multinomial(len(counts), even, DRAWS) @ counts
    before, after = (2 * draws[:, at] / np.maximum(draws[:, at + 1] + draws[:, at + 2], 1) for at in (0, 3))
    return float(np.mean(after > before))
