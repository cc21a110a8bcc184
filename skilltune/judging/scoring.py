"""How well a judge answers, measured on the turns that a person labelled, too; and whether its answers may be used.

References
----------
- Cohen (1960), Educational and Psychological Measurement 20: kappa, agreement beyond chance.
- Efron and Tibshirani (1993), An Introduction to the Bootstrap: whole sessions are drawn again.
"""

from typing import Any, Final, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import t as student

from skilltune.analysis.intervals import Counts, score_interval
from skilltune.analysis.label_quality import outcome_quality
from skilltune.errors import FrameError, InputError
from skilltune.limits import CONFIDENCE_LEVEL
from skilltune.records import Outcome, TurnLabel

__all__ = ["JUDGE_PREFIX", "MIN_SCORED", "score_judge"]

JUDGE_PREFIX: Final = "judge:"
"""How the reader of a judge's labels begins."""
MIN_SCORED: Final = 30
"""Turns labelled by a person and the judge from which on the judge is scored."""

_OUTCOMES: Final[tuple[str, ...]] = get_args(Outcome)
_NEGATIVE: Final = ("correction", "partial")
_NEEDS: Final = ("event_id", "turn_id", "session_id", "outcome", "about", "reader")
_DRAWS: Final = 1_000
_FIGURES: Final = (
    *("agreement", "agreement_low", "agreement_high", "kappa", "kappa_low", "kappa_high"),
    *("precision", "precision_low", "precision_high", "recall", "recall_low", "recall_high", "about_agreement"),
)
_COLUMNS: Final = {
    "judge": "str",
    "scored": "bool",
    "reason": "str",
    "n_labels": "int64",
    "sessions": "int64",
    **dict.fromkeys(_FIGURES, "float64"),
    "said": "int64",
    "found_of": "int64",
    "n_about": "int64",
}

Floats = NDArray[np.float64]


def score_judge(
    labels: pd.DataFrame,
    *,
    judge: str | None = None,
    min_labels: int = MIN_SCORED,
    level: float = CONFIDENCE_LEVEL,
    seed: int = 0,
) -> pd.DataFrame:
    """How each judge's answers agree with a person's labels of the same turns.

    Parameters
    ----------
    labels : DataFrame
        Turn labels of all readers, as from ``labelling.read_labels``: event_id, turn_id, session_id, outcome, about,
        reader (``person``, ``judge:NAME``).
    judge : str, optional
        Only this judge (NAME); it has a row even where it answered nothing.
    min_labels : int, default 30
        Turns that both must have labelled; with fewer a judge is not scored.
    level : float, default 0.95
        Of every interval.
    seed : int, default 0
        Of the draws of sessions for the interval of kappa.

    Returns
    -------
    DataFrame
        One row per judge, by name: judge; scored (bool), reason (why not, in words); n_labels (turns both labelled),
        sessions (these come from); agreement (share of the four outcomes alike) and kappa, with low and high; precision
        and recall of complaints (correction or partial) with low and high; said (complaints by the judge), found_of
        (by the person); about_agreement (share of complaints seen by both in which they agree whether it is about the
        skill), n_about. Figures are missing where nothing can be said of them.

    Raises
    ------
    FrameError
        A column is missing, or an outcome is unknown.
    InputError
        `min_labels` or `level` is out of its range.

    Notes
    -----
    Shares have score intervals (Wilson), turns taken as independent. Kappa's is the estimate ± Student's t with
    sessions - 1 degrees of freedom times its standard error over 1,000 draws of whole sessions; missing with one
    session.

    Examples
    --------
    >>> import pandas as pd
    >>> row = {"session_id": "s", "about": "skill"}
    >>> person = [row | {"event_id": f"e{n}", "turn_id": "t", "outcome": "none", "reader": "person"} for n in range(40)]
    >>> same = [label | {"reader": "judge:mine"} for label in person]
    >>> score_judge(pd.DataFrame(person + same))[["judge", "scored", "n_labels", "agreement"]]
      judge  scored  n_labels  agreement
    0  mine    True        40        1.0
    """
    _check(labels, min_labels=min_labels)
    readers = labels["reader"].astype("str")
    person = labels[readers == "person"]
    names = sorted({name.removeprefix(JUDGE_PREFIX) for name in readers.unique() if name.startswith(JUDGE_PREFIX)})
    rows = [
        _row(name, person, labels[readers == JUDGE_PREFIX + name], min_labels=min_labels, level=level, seed=seed)
        for name in (names if judge is None else [judge])
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)


def _check(labels: pd.DataFrame, *, min_labels: int) -> None:
    if min_labels < 1:
        raise InputError(f"min_labels is {min_labels}; it must be 1 or more")
    missing = [name for name in _NEEDS if name not in labels.columns]
    if missing:
        raise FrameError(
            f"the table lacks the column {missing[0]!r} of {TurnLabel.__name__}; make it with labelling.read_labels"
        )
    odd = sorted(set(labels["outcome"].astype("str")) - set(_OUTCOMES))
    if odd:
        raise FrameError(f"the column 'outcome' holds {odd[0]!r}; known are {', '.join(_OUTCOMES)}")


def _row(
    name: str, person: pd.DataFrame, judge: pd.DataFrame, *, min_labels: int, level: float, seed: int
) -> dict[str, Any]:
    keys = ["event_id", "turn_id"]
    both = person[[*keys, "session_id", "outcome", "about"]].merge(
        judge[[*keys, "outcome", "about"]], on=keys, suffixes=("", "_judge")
    )
    both = both.sort_values(keys, ignore_index=True)
    row: dict[str, Any] = dict.fromkeys(_FIGURES, np.nan) | {
        "judge": name,
        "scored": len(both) >= min_labels,
        "reason": "" if len(both) >= min_labels else _why_not(len(both), min_labels),
        "n_labels": len(both),
        "sessions": both["session_id"].nunique(),
    }
    true = both["outcome"].isin(_NEGATIVE).to_numpy(dtype=bool)
    said = both["outcome_judge"].isin(_NEGATIVE).to_numpy(dtype=bool)
    row |= {"said": int(said.sum()), "found_of": int(true.sum()), "n_about": int((said & true).sum())}
    return row | _figures(both, said & true, level=level, seed=seed) if len(both) else row


def _why_not(found: int, needed: int) -> str:
    return (
        f"not scored: {found} of the turns it answered are labelled by a person, {needed} are needed; its answers are "
        "kept but not used"
    )


def _figures(both: pd.DataFrame, negative: NDArray[np.bool_], *, level: float, seed: int) -> dict[str, float]:
    alike = int((both["outcome"].astype("str") == both["outcome_judge"].astype("str")).sum())
    low, high = score_interval(Counts.of([alike], [0], [len(both) - alike]), level=level)
    keys = both[["event_id", "turn_id"]]
    quality = outcome_quality(
        keys.assign(outcome=both["outcome_judge"].astype("str")),
        keys.assign(outcome=both["outcome"].astype("str")),
        level=level,
    ).iloc[0]
    kappa, kappa_low, kappa_high = _kappa(both, level=level, seed=seed)
    same_about = (both["about"].astype("str") == both["about_judge"].astype("str")).to_numpy(dtype=bool)
    ends = [f"{part}{end}" for part in ("precision", "recall") for end in ("", "_low", "_high")]
    return {
        "agreement": alike / len(both),
        "agreement_low": float(low[0]),
        "agreement_high": float(high[0]),
        "kappa": kappa,
        "kappa_low": kappa_low,
        "kappa_high": kappa_high,
        **{name: float(quality[name]) for name in ends},
        "about_agreement": float(same_about[negative].mean()) if negative.any() else np.nan,
    }


def _kappa(both: pd.DataFrame, *, level: float, seed: int) -> tuple[float, float, float]:
    """Kappa and its interval."""
    size = len(_OUTCOMES)
    places = [pd.Categorical(both[name].astype("str"), _OUTCOMES).codes for name in ("outcome", "outcome_judge")]
    session, sessions = pd.factorize(both["session_id"].astype("str"), sort=True)
    tables = np.zeros((len(sessions), size * size))
    np.add.at(tables, (session, places[0].astype("int64") * size + places[1]), 1)
    whole = float(_kappas(tables.sum(axis=0, keepdims=True))[0])
    if len(sessions) < 2 or np.isnan(whole):
        return whole, np.nan, np.nan
    chance = np.random.default_rng(seed)
    times = chance.multinomial(len(sessions), np.full(len(sessions), 1 / len(sessions)), size=_DRAWS)
    drawn = _kappas(times @ tables)
    spread = float(np.nanstd(drawn, ddof=1)) if np.isfinite(drawn).sum() > 1 else np.nan
    reach = float(student.isf((1 - level) / 2, len(sessions) - 1)) * spread
    return whole, max(whole - reach, -1.0), min(whole + reach, 1.0)


def _kappas(tables: Floats) -> Floats:
    """Kappa of each flat table of counts; missing where chance alone makes all agree."""
    size = len(_OUTCOMES)
    counts = tables.reshape(-1, size, size)
    total = counts.sum(axis=(1, 2))
    agreed = np.trace(counts, axis1=1, axis2=2) / total
    expected = (counts.sum(axis=1) * counts.sum(axis=2)).sum(axis=1) / total**2
    kappas: Floats = np.divide(agreed - expected, 1 - expected, out=np.full(len(counts), np.nan), where=expected < 1)
    return kappas
