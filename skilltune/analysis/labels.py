"""Labels beside the rules: the true outcome of each labelled use, and events in which a label beats the rule."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from skilltune.analysis.sampling import counted_uses, inclusion_probabilities
from skilltune.errors import FrameError
from skilltune.frames import check_frame, to_frame
from skilltune.mining.labelled import true_outcome
from skilltune.records import COST_FIELDS, Draw, FeedbackEvent, Invocation, LabelledUse, TurnLabel

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LABEL_RULE", "apply_labels", "apply_labels_to_uses", "labelled_by_skill", "labelled_uses"]

LABEL_RULE: Final = "label"
"""The rule, and for a use without an event the reason, that stands where a person decided."""
_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
_EVENT_NEEDS: Final = ("event_id", "outcome", "correction_type", "confidence")
_LABEL_NEEDS: Final = ("event_id", "outcome", "correction_type", "turns_seen", "number", "turns", "explicit")


def labelled_uses(labels: Sequence[TurnLabel], *, draws: Sequence[Draw] = ()) -> list[LabelledUse]:
    """The uses all of whose turns are labelled, in the order in which they were first labelled.

    Parameters
    ----------
    labels
        The labels that count, of one reader.
    draws
        The random draws, for the chance of each use to be in the sample; it has none where it was not drawn, or where
        it was labelled out of the order of its draw (``sampling.counted_uses``).
    """
    by_use: dict[str, list[TurnLabel]] = {}
    for label in labels:
        by_use.setdefault(label.event_id, []).append(label)
    whole = {event_id: group for event_id, group in by_use.items() if len(group) >= _latest(group).of}
    counted = counted_uses(draws, labelled=whole.keys())
    chances = inclusion_probabilities(draws, labelled=whole.keys())
    return [_labelled(group, chances[event_id] if event_id in counted else None) for event_id, group in whole.items()]


def apply_labels(
    events: "pd.DataFrame", labelled: "pd.DataFrame", *, invocations: "pd.DataFrame | None" = None
) -> "pd.DataFrame":
    """`events` with the outcome of each labelled use as its labels have it.

    Parameters
    ----------
    events : DataFrame
        Columns of ``FeedbackEvent``, as from ``read_events``.
    labelled : DataFrame
        Columns of ``LabelledUse``, as from ``skilltune.labelling.labelled_uses``.
    invocations : DataFrame, optional
        All uses; those that only a label judges become events. Without it they are left out.

    Returns
    -------
    DataFrame
        One row per judged use: outcome and type of the label, rule ``label`` (``implicit.label`` where the person
        merely went on), confidence 1. Uses that the labels call none lose their row. Labels of a window that has
        grown since count only when its new turns are labelled, too.

    Raises
    ------
    FrameError
        A table lacks a column, or holds an unknown word.
    """
    import pandas as pd

    if "turn_id" in labelled.columns:
        raise FrameError("these are labels of turns; give the table of uses from skilltune.labelling.labelled_uses")
    check_frame(events, FeedbackEvent, needs=_EVENT_NEEDS)
    check_frame(labelled, LabelledUse, needs=_LABEL_NEEDS)
    said = _current(labelled, events, invocations)
    if not said:
        return events
    none = [event_id for event_id, row in said.items() if row["outcome"] == "none"]
    kept = _relabelled(events[~events["event_id"].isin(none)], said)
    fresh = _new_events(said, events=events, invocations=invocations)
    if not fresh:
        return kept
    added = to_frame(fresh, FeedbackEvent).reindex(columns=kept.columns)
    if kept.empty:
        return added
    return pd.concat([kept, added], ignore_index=True)


def apply_labels_to_uses(
    invocations: "pd.DataFrame", labelled: "pd.DataFrame", *, events: "pd.DataFrame"
) -> "pd.DataFrame":
    """`invocations` with ``reason`` as the labels have it: '' where they judge the use, ``label`` where they do not.

    Parameters
    ----------
    invocations : DataFrame
        All uses (columns of ``Invocation``).
    labelled : DataFrame
        As in ``apply_labels``.
    events : DataFrame
        The events before labels were applied.
    """
    check_frame(invocations, Invocation, needs=("event_id", "reason"))
    said = _current(labelled, events, invocations)
    if not said:
        return invocations
    outcomes = {event_id: "" if row["outcome"] != "none" else LABEL_RULE for event_id, row in said.items()}
    reasons = invocations["event_id"].map(outcomes)
    return invocations.assign(reason=reasons.where(reasons.notna(), invocations["reason"]).astype("str"))


def labelled_by_skill(
    labelled: "pd.DataFrame", *, events: "pd.DataFrame", invocations: "pd.DataFrame"
) -> dict[str, int]:
    """Skill → number of its uses in these tables that a label decides, where there are any."""
    skills = {
        event_id: skill_id
        for table in (invocations, events)
        for event_id, skill_id in zip(table["event_id"], table["skill_id"], strict=True)
    }
    return dict(Counter(skills[event_id] for event_id in _current(labelled, events, invocations) if event_id in skills))


def _latest(group: Sequence[TurnLabel]) -> TurnLabel:
    return max(group, key=lambda label: label.labelled_at or _LONG_AGO)


def _labelled(group: Sequence[TurnLabel], probability: float | None) -> LabelledUse:
    found, first = true_outcome(group), group[0]
    return LabelledUse(
        event_id=first.event_id,
        skill_id=first.skill_id,
        session_id=first.session_id,
        outcome=found.outcome,
        correction_type=found.correction_type,
        explicit=found.explicit,
        probability=probability,
        labelled_at=max((label.labelled_at for label in group if label.labelled_at), default=None),
        turns=_latest(group).of,
        turns_seen=max(label.turns_seen for label in group),
        number=found.number,
    )


def _current(
    labelled: "pd.DataFrame", events: "pd.DataFrame", invocations: "pd.DataFrame | None"
) -> dict[str, dict[str, Any]]:
    """Event id → what the labels say of the use, where they saw as many of its turns as the log has."""
    seen: dict[str, int] = {}
    for table in (events, invocations):
        if table is not None and "turns_seen" in table.columns:
            for event_id, turns in zip(table["event_id"], table["turns_seen"], strict=True):
                seen[event_id] = max(seen.get(event_id, 0), turns)
    rows: Iterable[dict[str, Any]] = labelled.to_dict(orient="records")  # type: ignore[assignment]  # keys are names
    return {row["event_id"]: row for row in rows if seen.get(row["event_id"], 0) <= row["turns_seen"]}


def _relabelled(events: "pd.DataFrame", said: dict[str, dict[str, Any]]) -> "pd.DataFrame":
    """The events with the columns that a label decides; what the person said stays where it is what decided."""
    rows = [said.get(event_id) for event_id in events["event_id"]]
    columns: dict[str, list[Any]] = {
        "outcome": _mixed(events, "outcome", [row and row["outcome"] for row in rows]),
        "correction_type": _typed(events, rows),
        "confidence": _mixed(events, "confidence", [row and 1.0 for row in rows]),
    }
    if "rule" in events.columns:
        columns["rule"] = _mixed(events, "rule", [row and _rule(row) for row in rows])
    if "dimension_hint" in events.columns:
        pairs = zip(rows, events["dimension_hint"], strict=True)
        columns["dimension_hint"] = [_dimension(row, hint) for row, hint in pairs]
    if "user_message_snippet" in events.columns:
        texts = zip(rows, events["user_message_snippet"], events["outcome"], strict=True)
        columns["user_message_snippet"] = [
            "" if row and row["turns"] > 1 and row["outcome"] != outcome else text for row, text, outcome in texts
        ]
    return events.assign(**{name: _like(events, name, values) for name, values in columns.items()})


def _mixed(events: "pd.DataFrame", name: str, labels: list[Any]) -> list[Any]:
    """The label's value of each row, the event's own where there is none."""
    return [own if label is None else label for own, label in zip(events[name], labels, strict=True)]


def _typed(events: "pd.DataFrame", rows: list[dict[str, Any] | None]) -> list[Any]:
    pairs = zip(events["correction_type"], rows, strict=True)
    return [_word(own) if row is None else _word(row["correction_type"]) for own, row in pairs]


def _dimension(row: dict[str, Any] | None, hint: Any) -> Any:
    """What was wrong: nothing in an acceptance; unknown where only the label complains."""
    if row is None:
        return _word(hint)
    return None if row["outcome"] == "acceptance" else _word(hint) or "unknown"


def _word(value: Any) -> str | None:
    """A word of a column, None for a missing one."""
    return value if isinstance(value, str) and value else None


def _like(events: "pd.DataFrame", name: str, values: list[Any]) -> "pd.Series[Any]":
    """`values` with the index and dtype of the column `name`."""
    import pandas as pd

    dtype = events[name].dtype
    if isinstance(dtype, pd.CategoricalDtype):
        known = list(dtype.categories)
        dtype = pd.CategoricalDtype([*known, *sorted({v for v in values if isinstance(v, str)} - set(known))])
    return pd.Series(values, index=events.index, dtype=dtype)


def _rule(row: dict[str, Any]) -> str:
    implicit = row["outcome"] == "acceptance" and not row["explicit"]
    return f"implicit.{LABEL_RULE}" if implicit else LABEL_RULE


def _new_events(
    said: dict[str, dict[str, Any]], *, events: "pd.DataFrame", invocations: "pd.DataFrame | None"
) -> list[FeedbackEvent]:
    """Events of uses that only labels judge."""
    if invocations is None:
        return []
    judged = [event_id for event_id, row in said.items() if row["outcome"] != "none"]
    wanted = invocations["event_id"].isin(judged) & ~invocations["event_id"].isin(events["event_id"])
    if "failed" in invocations.columns:
        wanted &= invocations["failed"].fillna("") == ""
    uses: Iterable[dict[str, Any]] = invocations[wanted].to_dict(orient="records")  # type: ignore[assignment]  # as above
    return [_event(use, said[use["event_id"]]) for use in uses]


def _event(use: dict[str, Any], row: dict[str, Any]) -> FeedbackEvent:
    import pandas as pd

    stamp = use.get("timestamp")
    told: dict[str, Any] = {
        name: use.get(name) or "" for name in ("model", "project", "skill_digest", "base_directory")
    }
    costs: dict[str, Any] = {name: _number(use.get(name)) for name in COST_FIELDS}
    return FeedbackEvent(
        event_id=use["event_id"],
        timestamp=None if stamp is None or pd.isna(stamp) else stamp.to_pydatetime(),
        session_id=use.get("session_id", ""),
        skill_id=use["skill_id"],
        invocation_uuid=use.get("invocation_uuid", ""),
        outcome=row["outcome"],
        confidence=1.0,
        correction_type=_word(row["correction_type"]),  # type: ignore[arg-type]  # checked with the frame
        user_message_snippet="",
        turns_to_feedback=row["number"],
        ai_tools_used=(),
        dimension_hint=None if row["outcome"] == "acceptance" else "unknown",
        turns_seen=row["turns_seen"],
        rule=_rule(row),
        agent=_word(use.get("agent")) or "",
        retried=bool(use.get("retried", False)),
        via=_word(use.get("via")),  # type: ignore[arg-type]  # checked with the frame
        **costs,
        **told,
    )


def _number(value: object) -> object:
    """A number of a column, None for a missing one."""
    import pandas as pd

    return None if pd.isna(value) else value  # type: ignore[call-overload]  # a cell, whatever it holds
