"""Frames of predicted, labelled and judged uses → one checked table of numbers that estimates are made from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, Final, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.prediction_powered import Sample, Values
from skilltune.errors import FrameError, InputError
from skilltune.records import Outcome

__all__ = ["COLUMNS", "MIN_LABELS", "Uses", "as_table", "by_group", "groups_of", "known_outcomes", "read_uses"]

MIN_LABELS: Final = 20
"""Labelled uses drawn at random from which on a rate is corrected by them alone."""
COLUMNS: Final = {
    "raw_rate": "float64",
    "corrected_rate": "float64",
    "low": "float64",
    "high": "float64",
    "n_uses": "int64",
    "n_labels": "int64",
    "n_judged": "int64",
    "n_classified": "float64",
    "n_not_covered": "int64",
    "n_unlabelled": "int64",
    "n_unaskable": "int64",
    "method": "str",
    "reason": "str",
    "labels_to_halve": "Int64",
}
"""What every table of corrected rates has beside its groups, with dtypes."""
_COMPLAINT, _ACCEPTANCE = 0.65, 0.85
"""Least chance that a verdict is right, where a model that was asked beside the rules thought less of it. Measured on
labelled turns that the model had not seen (``benchmarks/held_out.jsonl``: 27 of 40 such complaints are); intervals of
50 labels are 3 % narrower with them than with the model's chances alone, and hold as often."""
CORRECTED: Final = {"correction": 1.0, "partial": 0.5, "acceptance": 0.0, "none": 0.0}

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """Uses as parallel arrays; NaN where nobody labelled or judged one."""

    covered: Flags
    """A sample could have drawn them, or nobody said anything about them."""
    spoken: Flags
    """Covered, and somebody said something: only these are sampled, the others add nothing to a rate."""
    voiced: Flags
    """Somebody said something, covered or not."""
    unlabelled: Flags
    """Not covered, though a draw could have taken them: no label that counts is of their part of it."""
    unaskable: Flags
    """Not covered, and nobody can be asked about them."""
    said_corrected: Floats
    said_judged: Floats
    """The verdicts of the rules."""
    expected_corrected: Floats
    expected_judged: Floats
    """The verdicts, or what their probabilities make expect."""
    true_corrected: Floats
    true_judged: Floats
    probability: Floats
    """With which a labelled use was drawn; NaN where it was chosen otherwise, or is not labelled."""
    answered_corrected: Floats
    answered_judged: Floats
    answer_probability: Floats
    """With which a judge's use was drawn; NaN where it was asked for another reason."""

    def __len__(self) -> int:
        return len(self.covered)

    def where(self, taken: Flags | NDArray[np.int64] | slice) -> "Uses":
        """Only some of them, or all in another order."""
        return Uses(**{field.name: getattr(self, field.name)[taken] for field in fields(self)})

    @property
    def labelled(self) -> Flags:
        """Those with a label that was drawn at random."""
        return np.isfinite(self.probability)

    @property
    def told(self) -> Flags:
        """Those with any label."""
        return np.isfinite(self.true_judged)

    @property
    def raw_rate(self) -> float:
        """The rate of the verdicts over covered uses, NaN where none is judged."""
        judged = self.said_judged[self.covered].sum()
        return float(self.said_corrected[self.covered].sum() / judged) if judged else np.nan

    def expected(self) -> Values:
        """The predictions."""
        return Values(self.expected_corrected, self.expected_judged)

    def labels(self) -> Sample:
        """The labelled sample."""
        places = np.flatnonzero(self.labelled)
        return Sample(places, Values(self.true_corrected, self.true_judged).take(places), self.probability[places])


def read_uses(
    uses: pd.DataFrame,
    labelled: pd.DataFrame | None = None,
    *,
    judged: pd.DataFrame | None = None,
    implicit: bool = True,
    soft: bool = True,
) -> tuple[pd.DataFrame, Uses]:
    """`uses` in the order of their ids, and their numbers.

    Raises
    ------
    FrameError
        A column is missing, an id comes twice, an outcome is unknown, or a probability lies outside of (0, 1].
    """
    _check(uses, "uses", needs=["event_id", "outcome", *([] if implicit else ["explicit"])])
    frame = uses.sort_values("event_id", ignore_index=True, key=lambda ids: ids.astype("str"))
    said = _values(frame, implicit=implicit)
    expected = _expected(frame, said, implicit=implicit) if soft else said
    truth, probability = _matched(frame, labelled, "labelled", implicit=implicit)
    answers, answer_probability = _matched(frame, judged, "judged", implicit=implicit)
    drawn = np.isfinite(probability)
    # without a labelled draw nothing is estimated, and the verdicts' rate is about all uses
    covered = _flag(frame, "covered", default=True) | drawn | (not drawn.any())
    mute = _numbers(frame, "turns_seen", default=1) == 0
    silent = mute & (said.judged == 0)
    why = frame["left_out"].astype("str") if "left_out" in frame.columns else pd.Series("", index=frame.index)
    return frame, Uses(
        covered=covered,
        spoken=covered & (~silent | drawn),
        voiced=~mute | np.isfinite(truth.judged),
        unlabelled=~covered & (why == "unlabelled").to_numpy(dtype=bool),
        unaskable=~covered & (why == "unaskable").to_numpy(dtype=bool),
        said_corrected=said.corrected,
        said_judged=said.judged,
        expected_corrected=expected.corrected,
        expected_judged=expected.judged,
        true_corrected=truth.corrected,
        true_judged=truth.judged,
        probability=probability,
        answered_corrected=answers.corrected,
        answered_judged=answers.judged,
        answer_probability=answer_probability,
    )


def groups_of(frame: pd.DataFrame, by: Sequence[str]) -> tuple[NDArray[np.int64], pd.DataFrame]:
    """The group of each row (sorted by name), and one row of names per group."""
    missing = [name for name in by if name not in frame.columns]
    if missing:
        raise FrameError(f"cannot group by {missing[0]!r}: the table of uses has no such column")
    if not by or frame.empty:
        names = frame[list(by)].iloc[:0] if by else pd.DataFrame(index=range(min(len(frame), 1)))
        return np.zeros(len(frame), dtype="int64"), names.reset_index(drop=True)
    grouped = frame.groupby(list(by), dropna=False, observed=True, sort=True)
    names = frame[list(by)].iloc[grouped.head(1).index].assign(code=grouped.ngroup()[grouped.head(1).index])
    codes = np.asarray(grouped.ngroup(), dtype="int64")
    return codes, names.sort_values("code", ignore_index=True)[list(by)]


def by_group(everything: Uses, group: NDArray[np.int64], *, count: int) -> Iterator[Uses]:
    """The uses of each group, by its number; all are put in order once, so that many groups cost no more than few."""
    ordered = everything.where(np.argsort(group, kind="stable"))
    ends = np.bincount(group, minlength=count).cumsum()
    for start, end in pairwise([0, *ends.tolist()]):
        yield ordered.where(slice(start, end))


def as_table(names: pd.DataFrame, rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Groups and their figures, the highest corrected rate first, then by name; a missing figure is missing."""
    figures = pd.DataFrame({name: [row.get(name) for row in rows] for name in COLUMNS}).astype(COLUMNS)
    table = pd.concat([names.reset_index(drop=True), figures], axis=1)
    order = ["corrected_rate", *names.columns]
    ascending = [False] + [True] * len(names.columns)
    return table.sort_values(order, ascending=ascending, na_position="last", ignore_index=True)


def known_outcomes(frame: pd.DataFrame, name: str) -> "pd.Series[str]":
    """The outcomes of a frame as text, missing ones ``none``; an unknown word raises ``FrameError``."""
    codes, found = pd.factorize(frame["outcome"])
    odd = sorted(set(map(str, found)) - set(get_args(Outcome)))
    if odd:
        raise FrameError(f"the table {name} has the outcome {odd[0]!r}; known words are {', '.join(get_args(Outcome))}")
    # a missing one has the code -1, which is the last word
    words = np.array([*map(str, found), "none"], dtype="object")[codes]
    return pd.Series(words, index=frame.index, dtype="str")


def _check(frame: pd.DataFrame, name: str, *, needs: Sequence[str]) -> None:
    missing = [column for column in needs if column not in frame.columns]
    if missing:
        raise FrameError(
            f"the table {name} lacks the column {missing[0]!r}; it has {', '.join(map(str, frame.columns)) or 'none'}"
        )
    twice = frame.loc[frame["event_id"].duplicated(), "event_id"]
    if len(twice):
        raise FrameError(f"the table {name} has the use {twice.iloc[0]!r} twice; each use is one row")


def _matched(frame: pd.DataFrame, answers: pd.DataFrame | None, name: str, *, implicit: bool) -> tuple[Values, Floats]:
    """What `answers` say of each use of `frame`, and with which probability it was drawn; NaN where nothing."""
    nothing = np.full(len(frame), np.nan)
    if answers is None or (answers.empty and "event_id" not in answers.columns):
        return Values(nothing, nothing), nothing
    _check(answers, name, needs=["event_id", "outcome", "probability", *([] if implicit else ["explicit"])])
    chance = pd.to_numeric(answers["probability"]).to_numpy(dtype="float64", na_value=np.nan)
    odd = chance[np.isfinite(chance) & ~((chance > 0) & (chance <= 1))]
    if len(odd):
        raise FrameError(f"the table {name} has the probability {odd[0]}; that of a use drawn at random is in (0, 1]")
    values = _values(answers, implicit=implicit, name=name)
    table = pd.DataFrame({"corrected": values.corrected, "judged": values.judged, "probability": chance})
    table.index = pd.Index(answers["event_id"].astype("str"))
    table = table.reindex(frame["event_id"].astype("str"))
    corrected, judged, probability = (np.asarray(table[column], dtype="float64") for column in table.columns)
    return Values(corrected, judged), probability


def _values(frame: pd.DataFrame, *, implicit: bool, name: str = "uses") -> Values:
    words = known_outcomes(frame, name)
    judged = words != "none"
    if not implicit:
        judged &= (words != "acceptance") | _flag(frame, "explicit", default=False)
    return Values(np.asarray(words.map(CORRECTED), dtype="float64"), np.asarray(judged, dtype="float64"))


def _expected(frame: pd.DataFrame, said: Values, *, implicit: bool) -> Values:
    """What the probabilities make expect; the verdict itself where a use has none."""
    negative, acceptance = (_numbers(frame, f"p_{name}", default=np.nan) for name in ("negative", "acceptance"))
    known = np.isfinite(negative) & np.isfinite(acceptance)
    if (known & ((negative < 0) | (negative > 1) | (acceptance < 0) | (acceptance > 1))).any():
        raise FrameError("the table uses has a p_negative or p_acceptance outside of [0, 1]")
    words = known_outcomes(frame, "uses")
    half = words.to_numpy() == "partial"
    # what the rules decided against the model ("do it over") is rather as they say
    negative = np.where(words.isin(["correction", "partial"]), np.maximum(negative, _COMPLAINT), negative)
    acceptance = np.where(words == "acceptance", np.maximum(acceptance, _ACCEPTANCE), acceptance)
    if not implicit:
        # who accepts without words is not counted: what is said in words is, as the verdict has it
        acceptance = np.where(said.judged > 0, acceptance, 0.0)
    return Values(
        np.where(known, negative * np.where(half, 0.5, 1.0), said.corrected),
        np.where(known, np.minimum(negative + acceptance, 1.0), said.judged),
    )


def _numbers(frame: pd.DataFrame, name: str, *, default: float) -> Floats:
    if name not in frame.columns:
        return np.full(len(frame), default)
    numbers: Floats = pd.to_numeric(frame[name]).to_numpy(dtype="float64", na_value=np.nan)
    return numbers


def _flag(frame: pd.DataFrame, name: str, *, default: bool) -> Flags:
    if name not in frame.columns:
        return np.full(len(frame), default)
    flags: Flags = frame[name].astype("boolean").fillna(default).to_numpy(dtype=bool)
    return flags


def check_options(*, min_labels: int, level: float) -> None:
    """Raise ``InputError`` where a number can't be meant."""
    if min_labels < 2:
        raise InputError(f"min_labels is {min_labels}; a spread needs at least 2 labels")
    if not 0 < level < 1:
        raise InputError(f"level is {level}; a confidence level lies between 0 and 1")
