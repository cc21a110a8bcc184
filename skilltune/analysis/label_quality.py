"""How good the verdicts are, measured on labels: precision and recall by outcome, and how sure that is by now."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.intervals import score_interval
from skilltune.analysis.judged_uses import check_options, known_outcomes
from skilltune.analysis.prediction_powered import Sample, Values, effective_counts, estimate_ratio, ratio_intervals
from skilltune.errors import FrameError, InputError
from skilltune.limits import CONFIDENCE_LEVEL

__all__ = ["KINDS", "outcome_quality", "running_precision"]

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "negative": ("correction", "partial"),
    "correction": ("correction",),
    "partial": ("partial",),
    "acceptance": ("acceptance",),
}
"""What is measured: each outcome, and complaints of both kinds as ``negative``."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def outcome_quality(uses: pd.DataFrame, labelled: pd.DataFrame, *, level: float = CONFIDENCE_LEVEL) -> pd.DataFrame:
    """Precision and recall of the verdicts on labelled uses, or turns.

    Parameters
    ----------
    uses : DataFrame
        Predicted uses (event_id, outcome), or turns (also turn_id), all of them: those without a label count as the
        population of the finite-population factor.
    labelled : DataFrame
        Labels of some: the same ids and outcome; probability where they were drawn at random.
    level : float, default 0.95
        Confidence level.

    Returns
    -------
    DataFrame
        One row each for negative (correction or partial), correction, partial and acceptance: outcome; precision,
        precision_low, precision_high (0 to 1, missing where the rules said it of no labelled use), said (labelled ones
        of which they said it); recall, recall_low, recall_high (missing where no label is one), found_of (labelled ones
        that truly are); n_labels; weighted (whether the labels have probabilities). With probabilities only labels that
        have one count, each by its inverse: a share of 5 of 8 labels need not be 5/8.

    Raises
    ------
    FrameError
        A column is missing, an id comes twice, or an outcome is unknown.
    InputError
        `level` is out of its range.

    Notes
    -----
    Each is the ratio of two weighted totals (`skilltune.analysis.prediction_powered`, without predictions), its
    interval the score interval of as many labels as tell as much. Without probabilities the labels are taken as a
    simple random sample of more than there are.

    Examples
    --------
    >>> import pandas as pd
    >>> uses = pd.DataFrame({"event_id": range(8), "outcome": ["correction"] * 4 + ["none"] * 4})
    >>> truth = ["correction"] * 3 + ["none"] * 4 + ["correction"]
    >>> table = outcome_quality(uses, uses.assign(outcome=truth))
    >>> table.loc[0, ["precision", "said", "recall", "found_of"]].tolist()
    [0.75, 4.0, 0.75, 4.0]
    """
    check_options(min_labels=2, level=level)
    pairs, population, weighted = _pairs(uses, labelled)
    rows = []
    for name, outcomes in KINDS.items():
        said, true = _among(pairs["said"], outcomes), _among(pairs["true"], outcomes)
        rows.append(
            {
                "outcome": name,
                **_share(pairs, said & true, of=said, name="precision", population=population, level=level),
                "said": int(said.sum()),
                **_share(pairs, said & true, of=true, name="recall", population=population, level=level),
                "found_of": int(true.sum()),
                "n_labels": len(pairs),
                "weighted": weighted,
            }
        )
    return pd.DataFrame(rows).astype({"outcome": "str"})


def running_precision(
    uses: pd.DataFrame, labelled: pd.DataFrame, *, outcome: str = "negative", level: float = CONFIDENCE_LEVEL
) -> pd.DataFrame:
    """The precision of one verdict after each label given, in the order they were given: it shows when to stop.

    Parameters
    ----------
    uses, labelled : DataFrame
        As for ``outcome_quality``; `labelled` has labelled_at too.
    outcome : {"negative", "correction", "partial", "acceptance"}
        Whose precision.
    level : float, default 0.95
        Of the band.

    Returns
    -------
    DataFrame
        One row per label that counts, in order: labels (given so far, from 1), said (of these the rules said it),
        right (of those, how many are), precision, low, high (missing until the rules said it once).

    Raises
    ------
    FrameError, InputError
        As ``outcome_quality``; an unknown `outcome`.

    Notes
    -----
    Weighted by the inverse probabilities; the band is the score interval of (Σ w)² / Σ w² labels (Kish).
    """
    check_options(min_labels=2, level=level)
    if outcome not in KINDS:
        raise InputError(f"outcome is {outcome!r}; choose {', '.join(KINDS)}")
    if "labelled_at" not in labelled.columns:
        raise FrameError("the table labelled lacks the column 'labelled_at': when each label was given")
    pairs, _, _ = _pairs(uses, labelled)
    pairs = pairs.sort_values(["at", *_keys(uses, labelled)], kind="stable", na_position="last", ignore_index=True)
    said = _among(pairs["said"], KINDS[outcome])
    right = said & _among(pairs["true"], KINDS[outcome])
    weights = 1 / pairs["probability"].to_numpy(dtype="float64")
    total, squares, hits = (np.cumsum(part) for part in (weights * said, weights**2 * said, weights * right))
    known = total > 0
    rate = np.divide(hits, total, out=np.zeros(len(pairs)), where=known)
    size = np.divide(total**2, squares, out=np.zeros(len(pairs)), where=known)
    low, high = score_interval(effective_counts(rate, np.zeros(len(pairs)), size), level=level)
    return pd.DataFrame(
        {
            "labels": np.arange(1, len(pairs) + 1, dtype="int64"),
            "said": np.cumsum(said).astype("int64"),
            "right": np.cumsum(right).astype("int64"),
            "precision": np.where(known, rate, np.nan),
            "low": np.where(known, np.minimum(low, rate), np.nan),
            "high": np.where(known, np.maximum(high, rate), np.nan),
        }
    )


def _share(
    pairs: pd.DataFrame, part: Flags, *, of: Flags, name: str, population: int, level: float
) -> dict[str, float]:
    """The weighted share of `of` that is `part`, with its interval; missing where `of` is nothing."""
    if not of.any():
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"), np.nan)
    nothing = np.zeros(population)
    found = Values(part.astype("float64"), of.astype("float64"))
    sample = Sample(np.arange(len(pairs)), found, pairs["probability"].to_numpy(dtype="float64"))
    estimate = estimate_ratio(Values(nothing, nothing), sample)
    low, high = ratio_intervals([estimate], level=level)
    return {name: estimate.rate, f"{name}_low": float(low[0]), f"{name}_high": float(high[0])}


def _pairs(uses: pd.DataFrame, labelled: pd.DataFrame) -> tuple[pd.DataFrame, int, bool]:
    """Verdict and label side by side, with the labels' probabilities; the population; whether these are known."""
    keys = _keys(uses, labelled)
    for name, frame in (("uses", uses), ("labelled", labelled)):
        for column in (*keys, "outcome"):
            if column not in frame.columns:
                raise FrameError(f"the table {name} lacks the column {column!r}")
        if frame.duplicated(keys).any():
            raise FrameError(f"the table {name} has a row of the same {' and '.join(keys)} twice")
    known = "probability" in labelled.columns and "turn_id" not in keys
    chance = pd.to_numeric(labelled["probability"]) if known else pd.Series(np.nan, index=labelled.index)
    weighted = bool(chance.notna().any())
    left = uses[keys].assign(said=known_outcomes(uses, "uses"))
    right = labelled[keys].assign(true=known_outcomes(labelled, "labelled"), probability=chance.astype("float64"))
    if "labelled_at" in labelled.columns:
        right = right.assign(at=labelled["labelled_at"])
    pairs = left.merge(right, on=keys).sort_values(keys, ignore_index=True)
    if weighted:
        drawn = pairs[pairs["probability"].notna()].reset_index(drop=True)
        frame = uses[uses["covered"].astype(bool)] if "covered" in uses.columns else uses
        return drawn, max(len(frame), len(drawn)), True
    # no probability is known: as if drawn from so many uses that those labelled are hardly any
    return pairs.assign(probability=1.0), max(100 * len(pairs), 1), False


def _keys(uses: pd.DataFrame, labelled: pd.DataFrame) -> list[str]:
    """A turn is told by use and turn, a use by its own id."""
    return [name for name in ("event_id", "turn_id") if name in uses.columns and name in labelled.columns] or [
        "event_id"
    ]


def _among(words: "pd.Series[str]", outcomes: tuple[str, ...]) -> Flags:
    flags: Flags = words.isin(outcomes).to_numpy(dtype=bool)
    return flags
