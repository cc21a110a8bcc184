"""Rates corrected for the mistakes of the rules, by labels of uses that were drawn at random."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.judged_uses import MIN_LABELS, Uses, as_table, by_group, check_options, groups_of, read_uses
from skilltune.analysis.pooled import Pool, pooled_estimate
from skilltune.analysis.prediction_powered import (
    RatioEstimate,
    Sample,
    Values,
    estimate_ratio,
    labels_to_halve,
    ratio_intervals,
)
from skilltune.limits import CONFIDENCE_LEVEL, MIN_INVOCATIONS

__all__ = ["corrected_rate"]

Places = NDArray[np.int64]

_MOST_ANSWERED = 0.9
"""Share of the labelled uses from which on those that a judge was asked about and left out are passed over."""
_MOST_UNLABELLED = 0.2
"""Share of the uses drawn from of which no label that counts may speak: with more, the rate would be of a part that
somebody chose."""
_MOST_UNDRAWN = 0.5
"""Share of the uses one could be asked about that no draw may have had in its frame."""
_LEAST_DRAWN = 0.5
"""Those that a judge's own draw took must tell so much of what all labelled uses tell, to be worth leaving out the
others."""


class _Figure(NamedTuple):
    """One group's estimate, or why there is none."""

    uses: Uses
    estimate: RatioEstimate | None
    method: str
    reason: str
    more: int | None = None
    judged: int = 0
    """Uses with a judge's answer that the estimate rests on."""


class _Every(NamedTuple):
    """What is said of one group by the labels of all."""

    labels: int
    """Drawn at random."""
    told: int
    """Any labels."""
    pool: Pool
    min_labels: int

    @classmethod
    def of(cls, everything: Uses, group: Places, *, min_labels: int) -> "_Every":
        spoken = np.flatnonzero(everything.spoken)
        pool = Pool.of(everything.where(spoken), group[spoken])
        return cls(int(everything.labelled.sum()), int(everything.told.sum()), pool, min_labels)


def corrected_rate(
    uses: pd.DataFrame,
    labelled: pd.DataFrame,
    *,
    by: str | Sequence[str] | None = None,
    judged: pd.DataFrame | None = None,
    min_labels: int = MIN_LABELS,
    level: float = CONFIDENCE_LEVEL,
    implicit: bool = True,
    soft: bool = True,
) -> pd.DataFrame:
    """The correction rate that people, not rules, would find, estimated from the uses that people labelled.

    Parameters
    ----------
    uses : DataFrame
        Predicted uses, one row each, as from ``labelling.predicted_uses``: event_id, outcome (the rules' verdict, none
        where it gave no event), the columns of `by`; where they are there, p_negative and p_acceptance, explicit,
        turns_seen, covered and left_out.
    labelled : DataFrame
        Labelled uses, as from ``labelling.labelled_uses``: event_id, outcome, probability (missing where a use was not
        drawn at random: such labels count only where all uses are labelled); explicit, where `implicit` is False.
    by : str or sequence of str, optional
        Columns of `uses` to group by, in any crossing: skill_id, agent, project. Default: one row for all.
    judged : DataFrame, optional
        A judge's answers, like `labelled`; `probability` is that of a draw of its own, independent of the labels'.
        Where they are of all uses they replace the verdicts; where of a random sample, that is a middle level: verdicts
        on all, the judge on a sample, people on a smaller one. It takes answers to the labelled uses, too: nearly all
        of them (a judge is asked about what a person labelled), or those in both draws.
    min_labels : int, default 20
        Labelled uses drawn at random from which on a group's own labels correct its rate.
    level : float, default 0.95
        Confidence level.
    implicit : bool, default True
        Whether moving on without a complaint counts as acceptance.
    soft : bool, default True
        Predict with the probabilities, where a use has them, and not with the verdicts: narrower.

    Returns
    -------
    DataFrame
        One row per group, the highest corrected rate first, then by name: the columns of `by`; raw_rate (of the
        verdicts on the same uses), corrected_rate, low, high (0 to 1, missing where refused); n_uses (the uses the row
        is about), n_labels (labelled ones of these drawn at random), n_judged (uses whose answers by a judge the figure
        rests on), n_classified (estimated judged uses),
        n_not_covered (uses in no figure of the row; of these n_unlabelled are in a part of a draw that is not labelled,
        n_unaskable can be asked about no more, the others were in no draw, as those after the last one); method; reason
        (in words); labels_to_halve (labels that would halve the interval; missing unless method is ``sample``; 0 where
        every use that somebody said something about is labelled, so that the rate is exact). The methods:

        - ``sample``: by the group's own labels. The interval holds however bad the rules are.
        - ``pooled``: fewer than `min_labels` of its own; by the errors that the labels of all groups show, taken to be
          alike here. The interval has the spread between groups in it, as far as labels show it.
        - ``refused``: neither can be carried, or the labels speak for too few of the uses.

    Raises
    ------
    FrameError
        A column is missing, a use comes twice, an outcome is unknown, or a probability lies outside of (0, 1].
    InputError
        `min_labels` or `level` is out of its range.

    Notes
    -----
    Prediction-powered inference on numerator and denominator (`skilltune.analysis.prediction_powered`). The figure is
    about the uses that were there when the sample was drawn. Where a person stopped half way through a draw, what was
    labelled in its order is a random part of it (``sampling.counted_uses``).

    Examples
    --------
    >>> import pandas as pd
    >>> said = ["correction"] * 20 + ["none"] * 30 + ["acceptance"] * 50
    >>> uses = pd.DataFrame({"event_id": range(100), "outcome": said})
    >>> labelled = uses.iloc[::4].assign(probability=0.25)
    >>> corrected_rate(uses, labelled)[["raw_rate", "corrected_rate", "n_labels", "method"]].round(3)
       raw_rate  corrected_rate  n_labels  method
    0     0.286           0.286        25  sample
    """
    check_options(min_labels=min_labels, level=level)
    names = [by] if isinstance(by, str) else list(by or ())
    frame, everything = read_uses(uses, labelled, judged=judged, implicit=implicit, soft=soft)
    group, rows = groups_of(frame, names)
    everything, complete = _with_judge(everything)
    every = _Every.of(everything, group, min_labels=min_labels)
    figures = [_figure(every, own, number) for number, own in enumerate(by_group(everything, group, count=len(rows)))]
    if complete:
        figures = [figure._replace(judged=_answered(figure)) for figure in figures]
    return as_table(rows, _rows(figures, level=level))


def _with_judge(everything: Uses) -> tuple[Uses, bool]:
    """The judge's answers as predictions, where it answered for all spoken uses, and whether it did."""
    if not everything.spoken.any() or np.isnan(everything.answered_judged[everything.spoken]).any():
        return everything, False
    answered = np.isfinite(everything.answered_judged)
    told = replace(
        everything,
        expected_corrected=np.where(answered, everything.answered_corrected, everything.expected_corrected),
        expected_judged=np.where(answered, everything.answered_judged, everything.expected_judged),
        answer_probability=np.full(len(everything), np.nan),
    )
    return told, True


def _answered(figure: _Figure) -> int:
    """The uses of a figure that a judge answered for, where it answered for all."""
    known = figure.estimate is not None and np.isfinite(figure.estimate.effective)
    return int(np.isfinite(figure.uses.answered_judged[figure.uses.spoken]).sum()) if known else 0


def _figure(every: _Every, own: Uses, number: int) -> _Figure:
    """The best that can be said of one group."""
    min_labels = every.min_labels
    if own.voiced.any() and own.told[own.voiced].all():
        return _exact(own)
    spoken = own.where(own.spoken)
    if reason := _why_none(own, every.labels, told=every.told, min_labels=min_labels):
        return _Figure(own, None, "refused", reason)
    labels = int(spoken.labelled.sum())
    if labels >= min_labels:
        return _of_sample(own, spoken, labels, min_labels=min_labels)
    return _of_pool(every, own, spoken, number)


def _why_none(own: Uses, every: int, *, told: int, min_labels: int) -> str:
    """Why neither its own labels nor the `every` of `told` that count say anything of a group; '' where they may."""
    if not every:
        return _too_few(every, min_labels, told=told)
    if not own.covered.any():
        return _not_covered(own)
    if not own.spoken.any():
        return "nobody said anything about its uses: no rate"
    if every < min_labels:
        return _too_few(every, min_labels, told=told)
    return _too_few_spoken_for(own)


def _exact(own: Uses) -> _Figure:
    """The rate of uses that are all labelled, be they drawn or picked."""
    whole = replace(own, covered=own.covered | own.told, spoken=own.told, probability=np.where(own.told, 1.0, np.nan))
    spoken = whole.where(whole.told)
    estimate = estimate_ratio(spoken.expected(), spoken.labels())
    if not np.isfinite(estimate.rate):
        return _Figure(whole, None, "refused", f"{_none_judged(len(spoken))}: no rate")
    which = "the one use" if len(spoken) == 1 else f"all {len(spoken):,} uses"
    reason = f"{which} that somebody said something about {'is' if len(spoken) == 1 else 'are'} labelled"
    return _Figure(whole, estimate, "sample", reason, 0)


def _not_covered(own: Uses) -> str:
    """Why labels say nothing of any use of a group."""
    if own.unlabelled.any():
        return "none of its uses is in the part of the sample that is labelled"
    if own.unaskable.all():
        return "nobody can be asked about its uses: their transcripts are gone"
    return "none of its uses was there when the sample was drawn"


def _too_few_spoken_for(own: Uses) -> str:
    """Why the labels that count cannot carry a rate of these uses; '' where they can."""
    voiced = own.voiced & ~own.unaskable
    known, waiting = int((voiced & own.covered).sum()), int((voiced & own.unlabelled).sum())
    undrawn = int(voiced.sum()) - known - waiting
    if waiting > _MOST_UNLABELLED * (known + waiting):
        return (
            f"the labels that count speak for {known:,} of {known + waiting:,} uses drawn from; label what "
            "is open in the order of the sample"
        )
    if undrawn > _MOST_UNDRAWN * (known + waiting + undrawn):
        return (
            f"only {known + waiting:,} of {known + waiting + undrawn:,} uses that somebody said something about were "
            "drawn from; draw from all of them"
        )
    return ""


def _of_sample(own: Uses, spoken: Uses, labels: int, *, min_labels: int) -> _Figure:
    estimate, judged = _estimate(spoken, min_labels=min_labels)
    if not np.isfinite(estimate.rate):
        return _Figure(own, None, "refused", f"{_none_judged(labels)}: no rate")
    if labels == len(spoken):
        return _Figure(own, estimate, "sample", f"all {labels:,} uses that could be drawn are labelled, others are not")
    reason = f"by {labels} labelled uses drawn at random"
    return _Figure(own, estimate, "sample", reason, labels_to_halve(labels, population=len(spoken)), judged)


def _estimate(spoken: Uses, *, min_labels: int) -> tuple[RatioEstimate, int]:
    """The rate by the labels and, where it answered for a larger random sample, a judge; for how many uses it did."""
    labels, answers = spoken.labels(), Values(spoken.answered_corrected, spoken.answered_judged)
    drawn = np.flatnonzero(np.isfinite(answers.judged) & np.isfinite(spoken.answer_probability))
    checked = _also_judged(labels, spoken)
    if len(labels) == len(spoken) or len(checked) < min_labels or len(drawn) <= len(labels):
        return estimate_ratio(spoken.expected(), labels), 0
    judge = Sample(drawn, answers.take(drawn), spoken.answer_probability[drawn])
    return estimate_ratio(spoken.expected(), checked, judge=judge, answers=answers.take(checked.places)), len(drawn)


def _also_judged(labels: Sample, spoken: Uses) -> Sample:
    """The labels that a judge's answers can be checked on; none where they would not be a random sample.

    A judge answers for a labelled use because it was asked to, the use being labelled, or because its own draw took it,
    which is independent of the labels' draw. Of one use nobody knows whether both holds, so the two are never mixed:
    either nearly all labelled uses were asked about, and each counts as it was drawn, or only those in both draws do,
    with the product of both chances.
    """
    answered = np.isfinite(spoken.answered_judged[labels.places])
    drawn = answered & np.isfinite(spoken.answer_probability[labels.places])
    if answered.mean() >= _MOST_ANSWERED:
        return labels.where(answered)
    both = labels.where(drawn)
    both = Sample(both.places, both.found, both.probability * spoken.answer_probability[both.places])
    return both if both.size >= _LEAST_DRAWN * labels.size else labels.where(np.zeros(len(labels), dtype=bool))


def _of_pool(every: _Every, own: Uses, spoken: Uses, number: int) -> _Figure:
    uses, pool = len(spoken), every.pool
    few = f"{_number(int(spoken.labelled.sum()))} of its own, {every.min_labels} are needed"
    if uses < MIN_INVOCATIONS:
        return _Figure(own, None, "refused", f"{few}, and {uses} uses are too few to borrow a correction for")
    estimate = pooled_estimate(pool, spoken, number=number)
    if not np.isfinite(estimate.rate) or estimate.judged < 1:
        return _Figure(own, None, "refused", f"{few}, and hardly any of its {uses} uses is judged")
    reason = f"{few}: by the errors in all {len(pool.weights)} labels, taken to be alike here"
    return _Figure(own, estimate, "pooled", reason)


def _rows(figures: Sequence[_Figure], *, level: float) -> list[dict[str, Any]]:
    known = [figure.estimate for figure in figures if figure.estimate is not None]
    low, high = ratio_intervals(known, level=level)
    bounds = iter(zip(low, high, strict=True))
    return [_row(figure, None if figure.estimate is None else next(bounds)) for figure in figures]


def _row(figure: _Figure, bounds: tuple[float, float] | None) -> dict[str, Any]:
    covered, estimate = int(figure.uses.covered.sum()), figure.estimate
    row: dict[str, Any] = {
        "raw_rate": figure.uses.raw_rate,
        "n_uses": covered,
        "n_labels": int(figure.uses.labelled.sum()),
        "n_judged": figure.judged,
        "n_not_covered": len(figure.uses) - covered,
        "n_unlabelled": int(figure.uses.unlabelled.sum()),
        "n_unaskable": int(figure.uses.unaskable.sum()),
        "method": figure.method,
        "reason": figure.reason,
        "labels_to_halve": figure.more,
    }
    if estimate is not None and bounds is not None:
        row |= {"corrected_rate": estimate.rate, "low": bounds[0], "high": bounds[1], "n_classified": estimate.judged}
    return row


def _too_few(labels: int, needed: int, *, told: int) -> str:
    if told > labels:
        how = "picked, or labelled out of the sample’s order"
        if told == 1:
            return f"the one labelled use was {how}; {needed} drawn at random are needed"
        if not labels:
            return f"{told:,} uses are labelled, all of them {how}; {needed} drawn at random are needed"
        verb = "use is" if labels == 1 else "uses are"
        return f"{labels:,} {verb} labelled as drawn at random, others were {how}; {needed} are needed"
    if not labels:
        return f"no use drawn at random is labelled; {needed} are needed"
    verb = "use" if labels == 1 else "uses"
    return f"{labels} {verb} drawn at random {'is' if labels == 1 else 'are'} labelled; {needed} are needed"


def _none_judged(labels: int) -> str:
    """What labels found where none of them is of a judged use."""
    return "the one labelled use is not judged" if labels == 1 else f"none of {labels:,} labelled uses is judged"


def _number(labels: int) -> str:
    return "no label" if not labels else f"only {labels} label{'' if labels == 1 else 's'}"
