"""A feedback log as tables of events and uses, in which a person's labels beat the rules."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from skilltune.analysis.cost import charge_sessions
from skilltune.analysis.labels import apply_labels, apply_labels_to_uses, labelled_by_skill, labelled_uses
from skilltune.frames import to_frame
from skilltune.records import FeedbackEvent, Invocation, LabelledUse, SessionCost
from skilltune.stores.columns import as_categories, names_as_text
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.label_rows import PERSON
from skilltune.stores.labels import LabelLog
from skilltune.stores.log_frames import read_frames
from skilltune.stores.masked_tables import masked_complaints, masked_names
from skilltune.stores.session_log import KeptSessions

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FeedbackTables", "as_text", "labelled_tables", "read_tables"]


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
    sessions: "pd.DataFrame | None" = None
    """One row per session: what it cost (columns of ``SessionCost``); None where the log did not keep that yet."""


def read_tables(log: FeedbackLog, *, use_labels: bool = True) -> FeedbackTables:
    """The events and uses of `log`; with `use_labels` as the labels beside it have them.

    Columns of names that many rows share (skill, session, project, rule, …) are categories, sorted by name; see
    ``as_text``. Secrets in names and in complaints are masked, whoever wrote the log.
    """
    found, kept = read_frames(log), log.read_sessions()
    events = masked_complaints(masked_names(found.events))
    tables = FeedbackTables(events, masked_names(found.invocations), {}, found.problems)
    if kept is not None:
        tables = _with_sessions(tables, kept)
    return labelled_tables(tables, log) if use_labels else tables


def labelled_tables(tables: FeedbackTables, log: FeedbackLog) -> FeedbackTables:
    """`tables`, as the rules have them, with what the labels beside `log` say.

    Only a person's own labels count here: a judge's answers are for estimates, which know how good they are.
    """
    labels = LabelLog.beside(log.path)
    if not labels.exists():
        return tables
    events, invocations = tables.events, tables.invocations
    labelled = to_frame(labelled_uses(labels.read().of_reader(PERSON)), LabelledUse)
    relabelled = as_categories(apply_labels(events, labelled, invocations=invocations), FeedbackEvent)
    return replace(
        tables,
        # what a label makes a complaint may hold words that were none when the log was read
        events=masked_complaints(relabelled),
        invocations=as_categories(apply_labels_to_uses(invocations, labelled, events=events), Invocation),
        labelled=labelled_by_skill(labelled, events=events, invocations=invocations),
    )


def as_text(tables: FeedbackTables) -> FeedbackTables:
    """`tables` with names as text, as in frames of what was mined."""
    return replace(
        tables,
        events=names_as_text(tables.events, FeedbackEvent),
        invocations=names_as_text(tables.invocations, Invocation),
    )


def _with_sessions(tables: FeedbackTables, kept: KeptSessions) -> FeedbackTables:
    """`tables` with what the sessions cost, less what the uses in the log are charged with."""
    sessions = charge_sessions(to_frame(kept.sessions, SessionCost), invocations=tables.invocations)
    problems = Counter(tables.problems) + Counter(problem.reason for problem in kept.problems)
    return replace(tables, sessions=sessions, problems=dict(problems))
