"""Verdicts against labels: precision, recall, F1 with intervals, agreement of readers, calibration, attribution."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from skilltune.training.evaluating import Judged

if TYPE_CHECKING:
    import numpy as np

__all__ = ["GROUPS", "attribution", "calibration_curve", "confusion", "quality", "reader_agreement"]

GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "negative": frozenset({"correction", "partial"}),
    "correction": frozenset({"correction"}),
    "partial": frozenset({"partial"}),
    "acceptance": frozenset({"acceptance"}),
}
"""Outcomes, and complaints of both kinds together."""
DRAWS, SEED = 1000, 1
WINDOWS = (1, 3, 5)
_EDGES = (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 1.0)
Figures = dict[str, Any]
Of = Callable[[Judged], str]


def quality(judged: Iterable[Judged], group: str, *, second: bool = False, said: Of | None = None) -> Figures:
    """Precision, recall and F1 of a group of outcomes, each with counts and a 95 % interval.

    Intervals are percentiles of 1,000 bootstrap draws of whole sessions: turns of one session are not independent.

    Parameters
    ----------
    judged
        The turns.
    group
        A key of ``GROUPS``.
    second
        Score against the second reader (turns that have one).
    said
        Gives the outcome to score; default the verdict of rules and model.
    """
    import numpy as np

    classes, say = GROUPS[group], said or (lambda row: row.outcome)
    sessions: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in judged:
        truth = row.turn.second if second else row.turn.outcome
        if not truth:
            continue
        true, predicted = truth in classes, say(row) in classes
        for place, hit in enumerate((true and predicted, predicted, true)):
            sessions[row.turn.session][place] += hit
    counts = np.array([sessions[name] for name in sorted(sessions)] or [[0, 0, 0]], dtype=float)
    even = np.full(len(counts), 1 / len(counts))
    draws = np.random.default_rng(SEED).multinomial(len(counts), even, DRAWS) @ counts
    hits, predicted_all, true_all = counts.sum(axis=0)
    return {
        "precision": _share(hits, predicted_all, draws[:, 0], draws[:, 1]),
        "recall": _share(hits, true_all, draws[:, 0], draws[:, 2]),
        "f1": _share(2 * hits, predicted_all + true_all, 2 * draws[:, 0], draws[:, 1] + draws[:, 2]),
    }


def confusion(judged: Iterable[Judged]) -> dict[str, dict[str, int]]:
    """Number of turns by the first reader's outcome and by the verdict."""
    outcomes = ("correction", "partial", "acceptance", "none")
    counts = Counter((row.turn.outcome, row.outcome) for row in judged)
    return {truth: {said: counts[truth, said] for said in outcomes} for truth in outcomes}


def reader_agreement(judged: Iterable[Judged]) -> Figures:
    """How far two readers agree: share, Cohen's kappa, and F1 of the second's complaints against the first's."""
    pairs = [(row.turn.outcome, row.turn.second) for row in judged if row.turn.second]
    if not pairs:
        return {"turns": 0, "agreement": None, "kappa": None, "negative_f1": None}
    number = len(pairs)
    agreed = sum(one == two for one, two in pairs) / number
    ones, twos = Counter(one for one, _ in pairs), Counter(two for _, two in pairs)
    by_chance = sum(ones[outcome] * twos[outcome] for outcome in ones) / number**2
    negative = GROUPS["negative"]
    both = sum(one in negative and two in negative for one, two in pairs)
    either = sum(one in negative for one, _ in pairs) + sum(two in negative for _, two in pairs)
    return {
        "turns": len(pairs),
        "agreement": round(agreed, 4),
        "kappa": round((agreed - by_chance) / (1 - by_chance), 4) if by_chance < 1 else None,
        "negative_f1": round(2 * both / either, 4) if either else None,
    }


def calibration_curve(judged: Sequence[Judged], group: str) -> list[Figures]:
    """Mean probability against the observed share, in bins of the probability; empty bins are left out."""
    classes = GROUPS[group]
    rows = [
        (row.p_negative if group == "negative" else row.p_acceptance, row.turn.outcome in classes) for row in judged
    ]
    curve = []
    for low, high in pairwise(_EDGES):
        inside = [(chance, true) for chance, true in rows if low <= chance < high or (high == 1.0 == chance)]
        if inside:
            curve.append({
                "low": low,
                "high": high,
                "mean": round(sum(chance for chance, _ in inside) / len(inside), 4),
                "observed": round(sum(true for _, true in inside) / len(inside), 4),
                "n": len(inside),
            })  # fmt: skip
    return curve


def attribution(judged: Iterable[Judged]) -> list[Figures]:
    """By size of the window in turns: complaints about the skill that are found, and how many found ones are about it.

    `of` counts all complaints of people who had used a skill, however late, that a reader called about the skill.
    """
    rows = [row for row in judged if row.turn.turn_after_skill and row.turn.about_skill]
    negative = GROUPS["negative"]
    about = [row for row in rows if row.turn.outcome in negative and row.turn.about_skill == "yes"]
    curve = []
    for window in WINDOWS:
        said = [row for row in rows if row.outcome in negative and row.turn.turn_after_skill <= window]
        found = sum(row.turn.about_skill == "yes" and row.turn.outcome in negative for row in said)
        curve.append({
            "turns": window,
            "found": found,
            "of": len(about),
            "said": len(said),
            "about_the_skill": sum(row.turn.about_skill == "yes" for row in said),
        })  # fmt: skip
    return curve


def _share(
    hits: float, total: float, drawn_hits: "np.ndarray[Any, Any]", drawn_total: "np.ndarray[Any, Any]"
) -> dict[str, float | int | None]:
    import numpy as np

    rates = drawn_hits[drawn_total > 0] / drawn_total[drawn_total > 0]
    low, high = np.percentile(rates, [2.5, 97.5]) if len(rates) else (None, None)
    return {
        "rate": round(float(hits / total), 4) if total else None,
        "k": int(hits),
        "n": int(total),
        "low": None if low is None else round(float(low), 4),
        "high": None if high is None else round(float(high), 4),
    }
