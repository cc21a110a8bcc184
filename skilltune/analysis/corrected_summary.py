"""All that the report says about corrected rates, as tables: all skills, each skill, how good the verdicts are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import pandas as pd

from skilltune.analysis.corrected import corrected_rate
from skilltune.analysis.judged_uses import MIN_LABELS
from skilltune.analysis.label_quality import running_precision
from skilltune.analysis.transfer import Confusion, transfer_corrected
from skilltune.analysis.uses import is_among
from skilltune.analysis.windows import as_microseconds, microseconds
from skilltune.errors import FrameError

__all__ = ["CorrectedSummary", "UsableAnswers", "corrected_summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UsableAnswers:
    """A judge's labelled uses for ``corrected_rate(judged=...)``, or why they may not be used."""

    judge: str
    uses: pd.DataFrame | None
    """Columns of ``LabelledUse``; None where they may not be used."""
    reason: str = ""
    turns: int = 0
    """Turns that a person labelled, too."""
    agreement: float = math.nan
    """Share of these turns with the same outcome, 0 to 1, and its interval; NaN where it was not scored."""
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedSummary:
    """Corrected rates of the uses before some moment."""

    overall: pd.DataFrame
    """The row of all skills, by one's own labels, by other projects' (transfer) or refused, with the reasons why by
    neither; none without a use."""
    skills: pd.DataFrame
    """``corrected_rate`` by skill."""
    course: pd.DataFrame
    """``running_precision`` of complaints on one's own labels."""
    labels: int
    """Labelled uses that were drawn at random."""
    chosen: int
    """Labelled uses that were not: they count in no figure here."""
    min_labels: int
    answers: UsableAnswers | None = None
    """The judge whose answers were asked for; ``n_judged`` of a row says whether they are in its figure."""
    implicit: bool = True
    """Whether going on without a complaint counts as acceptance."""
    own_model: bool = False
    """Whether a model trained on these labels judges elsewhere: the verdicts here are of the one that ships."""


def corrected_summary(
    uses: pd.DataFrame,
    labelled: pd.DataFrame,
    *,
    confusion: Confusion | None = None,
    sessions: int | None = None,
    before: datetime | None = None,
    skills: Sequence[str] = (),
    min_labels: int = MIN_LABELS,
    answers: UsableAnswers | None = None,
    implicit: bool = True,
    own_model: bool = False,
) -> CorrectedSummary:
    """The corrected rates of `uses`, by one's own labels where these can carry them.

    Parameters
    ----------
    uses, labelled : DataFrame
        As for ``corrected_rate``; `uses` has skill_id, and timestamp where `before` is given; `labelled` has
        labelled_at.
    confusion, sessions
        Other projects' labels, as for ``transfer_corrected``: for all skills together, where one's own are too few.
        They know no `implicit`: where that is False, they are not used.
    before : datetime, optional
        Only uses before it; undated ones too.
    skills : sequence of str
        Only these; none means all.
    min_labels : int, default 20
        As for ``corrected_rate``.
    answers : UsableAnswers, optional
        Of a judge; in the figures where they may be used.
    implicit : bool, default True
        As for ``corrected_rate``.
    own_model : bool, default False
        Whether mining judges with a model trained on these labels, which `uses` were not judged with.

    Raises
    ------
    FrameError, InputError
        As in ``corrected_rate`` and ``transfer_corrected``.
    """
    if "skill_id" not in uses.columns:
        raise FrameError("the table uses lacks the column 'skill_id'")
    shown = uses[uses["skill_id"].isin(list(skills))] if skills else uses
    if before is not None:
        shown = shown[microseconds(shown["timestamp"]) < as_microseconds(before)]
    known = labelled[is_among(labelled["event_id"], shown["event_id"])]
    drawn = known[known["probability"].notna()]
    judged = None if answers is None else answers.uses
    rate = partial(corrected_rate, shown, known, judged=judged, min_labels=min_labels, implicit=implicit)
    overall = rate()
    if confusion is not None and implicit and len(overall) and overall["method"].iloc[0] == "refused":
        every = shown.drop(columns="covered", errors="ignore")
        elsewhere = transfer_corrected(every, confusion=confusion, sessions=sessions)
        if elsewhere["method"].iloc[0] == "transfer":
            overall = elsewhere
        else:
            overall = overall.assign(reason=overall["reason"] + "; " + elsewhere["reason"])
    return CorrectedSummary(
        overall=overall,
        skills=rate(by="skill_id"),
        course=running_precision(shown, drawn),
        labels=len(drawn),
        chosen=len(known) - len(drawn),
        min_labels=min_labels,
        answers=answers,
        implicit=implicit,
        own_model=own_model,
    )
