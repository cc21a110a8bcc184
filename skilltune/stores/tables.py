"""A feedback log as tables of events and uses, in which a person's labels beat the rules."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from skilltune.analysis.labels import apply_labels, apply_labels_to_uses, labelled_by_skill, labelled_uses
from skilltune.frames import to_frame
from skilltune.records import FeedbackEvent, Invocation, LabelledUse
from skilltune.stores.columns import as_categories
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.label_rows import PERSON
from skilltune.stores.labels import LabelLog
from skilltune.stores.log_frames import read_frames

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FeedbackTables", "read_tables"]


@dataclass(frozen=True, slots=True)
class FeedbackTables:
    """What a log says now."""

    events: "pd.DataFrame"
    """One row per judged use (columns of ``FeedbackEvent``)."""
    invocations: "pd.DataFrame"
    """One row per use, judged or not, and per failed call (columns of ``Invocation``)."""
    labelled: dict[str, int]
    """Skill → uses whose outcome a person's labels decided, where there are any."""
    problems: dict[str, int]
    """Lines of the logs that were not in order, by reason."""


def read_tables(log: FeedbackLog, *, use_labels: bool = True) -> FeedbackTables:
    """The events and uses of `log`; with `use_labels` as the labels beside it have them.

    Only a person's own labels count here: a judge's answers are for estimates, which know how good they are.
    """
    found = read_frames(log)
    events, invocations = found.events, found.invocations
    labels = LabelLog.beside(log.path) if use_labels else None
    if labels is None or not labels.exists():
        return FeedbackTables(events, invocations, {}, found.problems)
    labelled = to_frame(labelled_uses(labels.read().of_reader(PERSON)), LabelledUse)
    return FeedbackTables(
        as_categories(apply_labels(events, labelled, invocations=invocations), FeedbackEvent),
        as_categories(apply_labels_to_uses(invocations, labelled, events=events), Invocation),
        labelled_by_skill(labelled, events=events, invocations=invocations),
        found.problems,
    )
