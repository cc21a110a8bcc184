"""Examples to weights: a multinomial logistic regression over features that are seen often enough."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skilltune.errors import InputError
from skilltune.mining.features import LEXICAL
from skilltune.training.examples import CLASSES, Example

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["Fitting", "Weights", "check_extra", "fit_weights"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """How the regression is made.

    `strength` is scikit-learn's C; `invented_weight` what an invented turn counts against a real one; a feature must be
    seen in `min_sessions` sessions, one of ``LEXICAL`` in `min_sources` projects, too.
    """

    strength: float = 0.05
    invented_weight: float = 0.5
    min_sessions: int = 3
    min_sources: int = 2


@dataclass(frozen=True, slots=True)
class Weights:
    """Feature → (negative, acceptance) against none, and the bias."""

    bias: tuple[float, float]
    weights: Mapping[str, tuple[float, float]]


def check_extra() -> None:
    """Raise with what to install where scikit-learn is missing.

    Raises
    ------
    InputError
        The extra ``train`` is not installed.
    """
    try:
        import sklearn  # noqa: F401
    except ImportError as error:
        raise InputError("training needs scikit-learn; install it with: pip install 'skilltune[train]'") from error


def fit_weights(examples: Sequence[Example], *, fitting: Fitting) -> Weights:
    """The weights for `examples`; the same examples in the same order give the same weights.

    Where a second reader labelled a turn, it is learned from both at half weight.

    Raises
    ------
    InputError
        Not all of the three classes are there, or there are too few sessions.
    """
    import numpy as np
    from scipy.sparse import vstack
    from sklearn.linear_model import LogisticRegression

    missing = [name for place, name in enumerate(CLASSES) if all(example.label != place for example in examples)]
    if missing:
        raise InputError(f"no turn is labelled {missing[0]}; a classifier needs turns of every kind to learn from")
    names = _vocabulary(examples, fitting=fitting)
    if not names:
        raise InputError(
            f"nothing is seen in {fitting.min_sessions} sessions; a classifier needs turns of more sessions"
        )
    matrix = _matrix(examples, names)
    weight = np.array([fitting.invented_weight if example.turn.invented else 1.0 for example in examples]) / 2
    labels = np.array([example.label for example in examples] + [example.second for example in examples])
    regression = LogisticRegression(C=fitting.strength, max_iter=5000, tol=1e-5)
    regression.fit(vstack([matrix, matrix]), labels, sample_weight=np.concatenate([weight, weight]))
    none, negative, acceptance = regression.coef_
    bias = regression.intercept_
    pairs = zip(negative - none, acceptance - none, strict=True)
    return Weights(
        (float(bias[1] - bias[0]), float(bias[2] - bias[0])),
        {name: (float(one), float(two)) for name, (one, two) in zip(names, pairs, strict=True)},
    )


def _vocabulary(examples: Sequence[Example], *, fitting: Fitting) -> list[str]:
    """The features that are seen often enough, sorted."""
    sessions: dict[str, set[str]] = defaultdict(set)
    sources: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        for name in example.features:
            sessions[name].add(example.turn.session)
            sources[name].add(example.turn.source)
    return sorted(
        name
        for name, seen in sessions.items()
        if len(seen) >= fitting.min_sessions
        and (not name.startswith(LEXICAL) or len(sources[name]) >= fitting.min_sources)
    )


def _matrix(examples: Sequence[Example], names: Sequence[str]) -> "csr_matrix":
    from scipy.sparse import csr_matrix

    place = {name: at for at, name in enumerate(names)}
    rows, columns, values = [], [], []
    for row, example in enumerate(examples):
        for name, value in example.features.items():
            if name in place:
                rows.append(row)
                columns.append(place[name])
                values.append(value)
    return csr_matrix((values, (rows, columns)), shape=(len(examples), len(names)))
