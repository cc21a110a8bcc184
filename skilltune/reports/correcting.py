"""Corrected rates for a report: the log's uses as the rules have them, and the labels beside the log."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from typing import Any, Final

import pandas as pd

from skilltune.analysis.corrected_summary import CorrectedSummary, UsableAnswers, corrected_summary
from skilltune.analysis.labels import labelled_uses
from skilltune.analysis.sampling import inclusion_probabilities
from skilltune.errors import CollectionDisabled, ReadError
from skilltune.frames import to_frame
from skilltune.labelling.population import judged_as_shipped
from skilltune.limits import CONFIDENCE
from skilltune.records import LabelledUse
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.label_rows import PERSON
from skilltune.stores.labels import LabelLog
from skilltune.stores.models import own_model_path
from skilltune.stores.tables import FeedbackTables, read_tables
from skilltune.stores.workspace import find_workspace

__all__ = ["corrected_of", "logged_corrected", "read_model_card"]

_SILENT: Final = ("no_turn", "ended")
"""Reasons of uses about which nobody said anything."""


def logged_corrected(
    log: FeedbackLog,
    *,
    before: datetime,
    skills: Sequence[str],
    implicit: bool = True,
    judge: str | None = None,
    tables: FeedbackTables | None = None,
) -> CorrectedSummary:
    """Corrected rates of the uses in `log` before a moment, by the person's labels beside it.

    Where there are labels the sessions are read again, as for labelling: the classifier's probabilities for uses
    without an event are in no log. Where that cannot be done, the log's verdicts alone predict.

    Parameters
    ----------
    implicit
        Whether going on to other work without a complaint counts as acceptance.
    judge
        A judge whose answers are to be used, if it is scored; default the configured one, if ``[judge] use`` says so.
    tables
        What is in the log as the rules have it, where it has been read already.
    """
    choice: dict[str, Any] = {"before": before, "skills": skills, "implicit": implicit, "answers": _answers(log, judge)}
    choice["own_model"] = _is_a_workspaces(log) and own_model_path(find_workspace(explicit=log.path.parent)).exists()
    tables = tables or read_tables(log, use_labels=False)
    labels = LabelLog.beside(log.path)
    if not labels.exists():
        alone = _predicted(tables.events, tables.invocations, chances=None)
        return _summary(alone, to_frame([], LabelledUse), **choice)
    contents = labels.read()
    draws = contents.draws_for(PERSON)
    found = labelled_uses(contents.of_reader(PERSON), draws=draws)
    uses = _read_again(log)
    if uses is None:
        chances = inclusion_probabilities(draws, labelled={use.event_id for use in found})
        events = tables.events
        if choice["own_model"]:
            # the own model learned from the very labels that are to correct it
            events = events[events["ruleset"].map(judged_as_shipped).astype(bool)]
        uses = _predicted(events, tables.invocations, chances=chances)
    return _summary(uses, to_frame(found, LabelledUse), **choice)


def corrected_of(
    events: pd.DataFrame, invocations: pd.DataFrame, *, before: datetime, skills: Sequence[str]
) -> CorrectedSummary:
    """Corrected rates of events and uses that nobody labelled: by other projects' labels, where a card has them."""
    uses = _predicted(events, invocations, chances=None)
    return _summary(uses, to_frame([], LabelledUse), before=before, skills=skills)


def _summary(uses: pd.DataFrame, labelled: pd.DataFrame, **choice: Any) -> CorrectedSummary:
    card = read_model_card()
    return corrected_summary(
        uses,
        labelled,
        confusion=card.get("confusion"),
        sessions=card.get("sessions"),
        **choice,
    )


def _answers(log: FeedbackLog, judge: str | None) -> UsableAnswers | None:
    """The judge whose answers are asked for; None where none is."""
    from skilltune.judging.using import answers_to_use

    if _is_a_workspaces(log):
        return answers_to_use(log.path.parent, judge=judge)
    reason = "not used: the log is in no workspace"
    return None if judge is None else UsableAnswers(judge=judge, uses=None, reason=reason)


def _is_a_workspaces(log: FeedbackLog) -> bool:
    """Whether `log` is the one of the workspace that it lies in."""
    return find_workspace(explicit=log.path.parent).feedback_path == log.path


def _read_again(log: FeedbackLog) -> pd.DataFrame | None:
    """The predicted uses of the workspace that `log` is in; None where it is in none, or its sessions are closed."""
    from skilltune.labelling import predicted_uses

    if not _is_a_workspaces(log):
        return None
    try:
        return predicted_uses(log.path.parent)
    except (CollectionDisabled, ReadError):
        return None


def read_model_card() -> dict[str, Any]:
    """What was measured of the classifier that comes with the package; empty where there is no card."""
    source = files("skilltune") / "mining" / "model_card.json"
    return dict(json.loads(source.read_text(encoding="utf-8"))) if source.is_file() else {}


def _predicted(events: pd.DataFrame, invocations: pd.DataFrame, *, chances: Mapping[str, float] | None) -> pd.DataFrame:
    """One row per use, failed calls left out, with the verdict of the rules (columns as of ``PredictedUse``)."""
    names = ["event_id", "outcome", "p_negative", "p_acceptance", "rule", "confidence"]
    verdicts = events[names].astype({"outcome": "str"}).drop_duplicates("event_id", keep="last")
    uses = invocations[invocations["failed"].fillna("") == ""]
    wanted = ["event_id", "skill_id", "agent", "project", "timestamp", "turns_seen", "reason"]
    table = uses[wanted].drop_duplicates("event_id", keep="last").merge(verdicts, on="event_id", how="left")
    outcome = table["outcome"].fillna("none")
    by_rule = ~table["rule"].fillna("").str.startswith("implicit")
    # logs of other tools have no rule: there the documented confidence tells
    explicit = by_rule.where(table["rule"].fillna("") != "", table["confidence"] > CONFIDENCE["implicit"])
    silent = (outcome == "none") & table["reason"].isin(_SILENT)
    chance = table["event_id"].map(chances or {})
    covered = silent | (chance.fillna(0.0) > 0)
    why = chance.notna().map({True: "unlabelled", False: "unaskable"})
    return table.assign(
        outcome=outcome,
        explicit=(outcome == "acceptance") & explicit,
        covered=covered,
        left_out=why.where(~covered & (chances is not None), ""),
        turns_seen=table["turns_seen"].where(silent, table["turns_seen"].clip(lower=1)),
    )
