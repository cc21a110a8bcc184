"""All uses that labels can be about: those of the sessions at hand, and those that only the log remembers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from skilltune.analysis.sampling import inclusion_probabilities
from skilltune.limits import CONFIDENCE
from skilltune.mining import mine_sessions
from skilltune.mining.labelled import AskedUse
from skilltune.mining.model import read_model
from skilltune.records import FeedbackEvent, Invocation, PredictedUse, TurnLabel
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.labels import LabelContents, LabelLog
from skilltune.stores.models import own_model_path
from skilltune.stores.names import mask_name
from skilltune.stores.privacy import check_collection
from skilltune.stores.skills import find_installed_skills
from skilltune.stores.workspace import Workspace, find_workspace
from skilltune.workflow import Paths, as_time, read_sessions

__all__ = ["Population", "judged_as_shipped", "label_log", "read_population", "whole_uses"]

_NO_TURN: Final = frozenset({"no_turn", "ended"})
"""Reasons of uses about which nobody said anything."""


@dataclass(frozen=True, slots=True)
class Population:
    """The uses, what can be asked about each, and the label log that is theirs."""

    place: Workspace
    log: LabelLog
    uses: tuple[PredictedUse, ...]
    """By the rules; nothing is ``covered`` yet but what nobody spoke of."""
    asked: dict[str, AskedUse]
    """Event id → turns, for uses whose transcript was read and in which somebody said something."""
    invocations: dict[str, Invocation]
    """Event id → use, for those whose transcript was read."""
    ruleset: str
    unread: int
    """Uses whose transcript is gone, or was not among the sessions: they cannot be labelled."""

    @property
    def has_own_model(self) -> bool:
        """Whether mining judges with a model that was trained on this workspace's labels."""
        return own_model_path(self.place).exists()

    @property
    def frame(self) -> list[PredictedUse]:
        """The uses that can be drawn."""
        return [use for use in self.uses if use.event_id in self.asked]

    def append(self, labels: Sequence[TurnLabel], **more: Any) -> list[str]:
        """Add to the label log (``LabelLog.append``), in a workspace that keeps itself out of git."""
        if not self.place.legacy:
            self.place.create()
        return self.log.append(labels, **more)

    def standing(self, contents: LabelContents, *, reader: str) -> list[TurnLabel]:
        """The labels of `reader`, without those of uses that have since got a turn that is not labelled."""
        labels = contents.of_reader(reader)
        done = {(label.event_id, label.turn_id) for label in labels}
        grown = {
            event_id
            for event_id in {label.event_id for label in labels} & self.asked.keys()
            if any((event_id, turn.turn_id) not in done for turn in self.asked[event_id].turns)
        }
        return [label for label in labels if label.event_id not in grown]

    def covered_by(self, contents: LabelContents, *, reader: str) -> list[PredictedUse]:
        """The uses with ``covered`` as the draws and labels of `reader` have it."""
        done = whole_uses(self.standing(contents, reader=reader))
        chances = inclusion_probabilities(contents.draws_for(reader), labelled=done)
        return [self._with_cover(use, chances.get(use.event_id)) for use in self.uses]

    def _with_cover(self, use: PredictedUse, chance: float | None) -> PredictedUse:
        """The use with what its chance to be a label that counts says; None where it was in no draw's frame."""
        if use.covered or chance:
            return replace(use, covered=True)
        if chance is not None:
            return replace(use, left_out="unlabelled")
        return replace(use, left_out="undrawn" if use.event_id in self.asked else "unaskable")


def whole_uses(labels: Iterable[TurnLabel]) -> frozenset[str]:
    """The event ids of the uses all of whose turns are among `labels`."""
    from skilltune.analysis.labels import labelled_uses

    return frozenset(use.event_id for use in labelled_uses(list(labels)))


def label_log(workspace: str | Path | None) -> LabelLog:
    """The label log of a workspace, beside its feedback log."""
    return LabelLog.beside(FeedbackLog(find_workspace(explicit=workspace).feedback_path).path)


def read_population(
    workspace: str | Path | None = None, *, sessions: Paths | None = None, as_of: datetime | str | None = None
) -> Population:
    """Read the sessions and the log.

    The verdicts are those of the model that ships, also where the workspace has its own (``train --own``): that one
    learned from the very labels that are to correct the verdicts, so that they would find too few mistakes. It goes for
    all uses alike: of those that only the log remembers, what another model judged is left out. The rules' verdict that
    a labeller may ask for is therefore the shipped model's, too.

    Raises
    ------
    CollectionDisabled
        The person switched collection off.
    ReadError
        None of `sessions` can be read.
    """
    check_collection()
    place = find_workspace(explicit=workspace)
    mining = place.config.mining
    moment = as_time(as_of)
    records = mine_sessions(
        read_sessions(sessions if sessions is not None else mining.folders or None).files,
        window_turns=mining.window_turns,
        scripted=mining.scripted,
        installed=find_installed_skills(),
        turns="none",
        as_of=moment,
        name=mask_name,
        asked=True,
        model="default",
    )
    invocations = {use.event_id: use for use in records.invocations if not use.failed and use.event_id in records.asked}
    events = {event.event_id: event for event in records.events}
    known = [_predicted(use, events.get(use.event_id), records.asked[use.event_id]) for use in invocations.values()]
    known_ids = frozenset(_ids(records.invocations))
    gone = _remembered(
        FeedbackLog(place.feedback_path), known=known_ids, as_of=moment, shipped_only=own_model_path(place).exists()
    )
    return Population(
        place=place,
        log=label_log(workspace),
        uses=(*known, *gone),
        asked={event_id: use for event_id, use in records.asked.items() if use.turns},
        invocations=invocations,
        ruleset=next((event.ruleset for event in records.events), ""),
        unread=len(gone),
    )


def _ids(uses: Iterable[Invocation]) -> Iterable[str]:
    return (use.event_id for use in uses)


def _predicted(use: Invocation, event: FeedbackEvent | None, asked: AskedUse) -> PredictedUse:
    outcome = event.outcome if event else "none"
    return PredictedUse(
        event_id=use.event_id,
        skill_id=use.skill_id,
        agent=use.agent,
        model=use.model,
        project=use.project,
        session_id=use.session_id,
        timestamp=use.timestamp,
        outcome=outcome,
        explicit=_is_explicit(event),
        p_negative=asked.p_negative,
        p_acceptance=asked.p_acceptance,
        turns_seen=max(use.turns_seen, 1 if asked.turns else 0),
        covered=not asked.turns and outcome == "none",
    )


def _remembered(
    log: FeedbackLog, *, known: frozenset[str], as_of: datetime, shipped_only: bool
) -> Sequence[PredictedUse]:
    """The uses of the log that are not among the sessions read."""
    if not log.exists():
        return []
    contents = log.read()
    by_id = {event.event_id: event for event in contents.events if not shipped_only or judged_as_shipped(event.ruleset)}
    judged = {event.event_id for event in contents.events}
    return [
        _from_log(use, by_id.get(use.event_id), judged=use.event_id in judged)
        for use in contents.invocations
        if not use.failed and use.event_id not in known and (use.timestamp is None or use.timestamp <= as_of)
    ]


def judged_as_shipped(ruleset: str) -> bool:
    """Whether an event's `ruleset` names no other model than the one that ships."""
    shipped = read_model()
    named = ruleset.partition("+")[2].partition("/")[0]
    return not named or (shipped is not None and named == shipped.version)


def _from_log(use: Invocation, event: FeedbackEvent | None, *, judged: bool) -> PredictedUse:
    return PredictedUse(
        event_id=use.event_id,
        skill_id=use.skill_id,
        agent=use.agent,
        model=use.model,
        project=use.project,
        session_id=use.session_id,
        timestamp=use.timestamp,
        outcome=event.outcome if event else "none",
        explicit=_is_explicit(event),
        p_negative=event.p_negative if event else None,
        p_acceptance=event.p_acceptance if event else None,
        turns_seen=use.turns_seen,
        covered=not judged and use.reason in _NO_TURN,
    )


def _is_explicit(event: FeedbackEvent | None) -> bool:
    """Whether the use was accepted in words or by a click; logs of other tools tell it by the confidence."""
    if event is None or event.outcome != "acceptance":
        return False
    return not event.rule.startswith("implicit") if event.rule else event.confidence > CONFIDENCE["implicit"]
