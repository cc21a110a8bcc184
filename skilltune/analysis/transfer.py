"""Rates corrected by the errors the rules made elsewhere: other projects' labels, no labels of one's own.

It rests on one assumption that nothing here can check: the rules err on these uses as they erred on those turns.

References
----------
- Rogan and Gladen (1978), American Journal of Epidemiology 107: a true prevalence from an apparent one.
- Buonaccorsi (2010), Measurement Error, chapter 3: the same for several classes, by the inverse of the matrix.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.judged_uses import Uses, as_table, by_group, check_options, groups_of, known_outcomes, read_uses
from skilltune.errors import InputError
from skilltune.limits import CONFIDENCE_LEVEL, MIN_INVOCATIONS
from skilltune.records import Outcome

__all__ = ["Confusion", "transfer_corrected"]

Confusion = Mapping[str, Mapping[str, int]]
"""True outcome → said outcome → how many labelled turns."""

CLASSES: Final = {"correction": 0, "partial": 0, "acceptance": 1, "none": 2}
"""Corrections and partials are one class: rules hardly tell them apart."""
DRAWS: Final = 4_000
ALIKE: Final = 0.1
"""How alike two labels of one session are taken to be (intra-class correlation)."""
LEAST_DETERMINANT: Final = 0.1
"""Of a matrix that can be inverted: below it a small error in the shares is a large one in the rate."""
MOST_OUTSIDE: Final = 0.25
"""Of the draws that may give an impossible share."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Errors:
    """How the rules err: counts of true and said classes, and what a complaint counts on average."""

    counts: Floats
    weight: float
    turns: int


def transfer_corrected(
    uses: pd.DataFrame,
    *,
    confusion: Confusion,
    sessions: int | None = None,
    by: str | Sequence[str] | None = None,
    level: float = CONFIDENCE_LEVEL,
    seed: int = 0,
) -> pd.DataFrame:
    """The correction rate behind the verdicts, if the rules err on `uses` as they did on other projects' turns.

    Parameters
    ----------
    uses : DataFrame
        Predicted uses, as for ``corrected_rate``.
    confusion : mapping
        Labelled turns of other projects: true outcome → said outcome → count.
    sessions : int, optional
        From how many sessions the turns are: turns of one session tell less than as many of different ones.
    by : str or sequence of str, optional
        Columns of `uses` to group by. Default: one row for all.
    level : float, default 0.95
        Confidence level.
    seed : int, default 0
        Of the draws behind the interval.

    Returns
    -------
    DataFrame
        As from ``corrected_rate``, with the method ``transfer`` or ``refused``; labels_to_halve is missing.

    Raises
    ------
    FrameError
        A column is missing, a use comes twice, or an outcome is unknown.
    InputError
        `confusion` has an unknown outcome, a negative count, or no turn of some class; `level` is out of its range.

    Notes
    -----
    With s the shares of what is said and M the chances of saying it given the truth, the true shares t solve
    ``s = Mᵀ t``. A complaint counts what it counted on average among the labelled turns (a partial ½). The interval has
    the percentiles of 4,000 draws: M from its Dirichlet posterior (Jeffreys' prior; counts divided by the design effect
    of sessions), s from the multinomial of as many uses. Not in it: that other people's sessions may differ.

    Examples
    --------
    >>> import pandas as pd
    >>> turns = {"correction": {"correction": 80, "none": 20}, "acceptance": {"acceptance": 90, "none": 10},
    ...          "none": {"none": 90, "correction": 10}}
    >>> said = ["correction"] * 30 + ["acceptance"] * 45 + ["none"] * 125
    >>> uses = pd.DataFrame({"event_id": range(200), "outcome": said})
    >>> transfer_corrected(uses, confusion=turns)[["raw_rate", "corrected_rate", "method"]].round(3)
       raw_rate  corrected_rate    method
    0       0.4             0.3  transfer
    """
    check_options(min_labels=2, level=level)
    errors = _errors(confusion, sessions=sessions)
    names = [by] if isinstance(by, str) else list(by or ())
    frame, everything = read_uses(uses)
    group, rows = groups_of(frame, names)
    said = known_outcomes(frame, "uses").map(CLASSES).to_numpy(dtype="int64")
    cells = (group * 3 + said)[everything.spoken]
    spoken = np.bincount(cells, minlength=3 * len(rows)).reshape(-1, 3).astype("float64")
    figures = [
        _figure(own, counts, errors, level=level, seed=seed)
        for own, counts in zip(by_group(everything, group, count=len(rows)), spoken, strict=True)
    ]
    return as_table(rows, figures)


def _errors(confusion: Confusion, *, sessions: int | None) -> _Errors:
    words = get_args(Outcome)
    counts, raw = np.zeros((3, 3)), dict.fromkeys(words, 0)
    for true, row in confusion.items():
        for said, number in row.items():
            if true not in words or said not in words or number < 0:
                raise InputError(
                    f"the confusion has {number} of {true!r} said to be {said!r}; known are {', '.join(words)}"
                )
            counts[CLASSES[true], CLASSES[said]] += number
            raw[true] += number
    for name, place in (("correction", 0), ("acceptance", 1), ("none", 2)):
        if not counts[place].sum():
            raise InputError(f"the confusion has no turn that is truly {name}; a correction needs some of each")
    turns = int(counts.sum())
    if sessions is not None and sessions < 1:
        raise InputError(f"sessions is {sessions}; at least 1 is needed")
    effect = 1 + max(turns / (sessions or turns) - 1, 0.0) * ALIKE
    return _Errors(counts / effect, 1 - raw["partial"] / (raw["correction"] + raw["partial"]) / 2, turns)


def _figure(own: Uses, counts: Floats, errors: _Errors, *, level: float, seed: int) -> dict[str, Any]:
    covered, spoken = int(own.covered.sum()), int(own.spoken.sum())
    row: dict[str, Any] = {
        "raw_rate": own.raw_rate,
        "n_uses": covered,
        "n_labels": int(own.labelled.sum()),
        "n_judged": 0,
        "n_not_covered": len(own) - covered,
        "n_unlabelled": int(own.unlabelled.sum()),
        "n_unaskable": int(own.unaskable.sum()),
        "method": "refused",
    }
    if spoken < MIN_INVOCATIONS:
        uses = "1 use" if spoken == 1 else f"{spoken} uses"
        return row | {"reason": f"somebody said something about {uses} only; {MIN_INVOCATIONS} are needed"}
    chances = errors.counts / errors.counts.sum(axis=1, keepdims=True)
    if abs(np.linalg.det(chances)) < LEAST_DETERMINANT:
        return row | {"reason": "the rules tell the outcomes apart too badly for their errors to be taken back"}
    true = np.linalg.solve(chances.T, counts / spoken)
    if true.min() < 0 or true[:2].sum() <= 0:
        return row | {"reason": "the mistakes measured elsewhere do not fit your sessions, so no hint can be given"}
    low, high, outside = _bounds(errors, counts, level=level, seed=seed)
    if outside > MOST_OUTSIDE:
        return row | {
            "reason": f"the mistakes measured elsewhere are known too roughly to correct {spoken} uses by them"
        }
    rate = errors.weight * float(true[0] / true[:2].sum())
    return row | {
        "method": "transfer",
        "corrected_rate": rate,
        "low": min(low, rate),
        "high": max(high, rate),
        "n_classified": float(true[:2].sum() * spoken),
        "reason": (
            f"by the errors on {errors.turns:,} labelled turns of other projects: right as far as the rules err here "
            "as they did there"
        ),
    }


def _bounds(errors: _Errors, counts: Floats, *, level: float, seed: int) -> tuple[float, float, float]:
    """Ends of the interval, and the part of the draws that gave an impossible share."""
    random = np.random.default_rng(seed)
    chances = np.stack([random.dirichlet(row + 0.5, DRAWS) for row in errors.counts], axis=1)
    size = int(counts.sum())
    shares = random.multinomial(size, counts / size, DRAWS) / size
    # a drawn matrix may be singular to the last bit; its draw is impossible like one outside of [0, 1]
    usable = np.abs(np.linalg.det(chances)) > 1e-9
    true = np.linalg.solve(chances[usable].transpose(0, 2, 1), shares[usable][..., None])[..., 0]
    outside = 1 - float((true.min(axis=1) >= 0).sum()) / DRAWS
    possible = np.clip(true, 0, 1)
    judged = possible[:, :2].sum(axis=1)
    rates = errors.weight * possible[judged > 0, 0] / judged[judged > 0]
    if not len(rates):
        return 0.0, 1.0, 1.0
    low, high = np.quantile(rates, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high), outside
