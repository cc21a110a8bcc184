"""Mined turns in the order they are browsed, what a filter lets through, and where a jump goes."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

from skilltune.records import FeedbackEvent, Invocation, Turn
from skilltune.workflow import Mined

__all__ = ["COMPLAINTS", "TurnFilter", "TurnTable"]

COMPLAINTS: Final = frozenset({"correction", "partial"})
COMPLAINT: Final = "complaint"
"""Stands for both of them in a filter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFilter:
    """What is to be shown; '' lets everything through."""

    skill_id: str = ""
    outcome: str = ""
    """An outcome of ``Turn``, or ``complaint`` for corrections and partials."""
    agent: str = ""
    channel: str = ""
    text: str = ""
    """Words that the turn holds, in any case."""
    session_id: str = ""
    """The beginning of a session's id."""
    since: datetime | None = None
    """Only turns from then on; what has no time is left out."""

    def tests(self) -> list[Callable[[Turn], bool]]:
        """What a turn has to pass."""
        wanted = COMPLAINTS if self.outcome == COMPLAINT else {self.outcome}
        text, since = self.text.strip().casefold(), self.since
        found: list[tuple[object, Callable[[Turn], bool]]] = [
            (self.skill_id, lambda turn: turn.skill_id == self.skill_id),
            (self.outcome, lambda turn: turn.outcome in wanted),
            (self.agent, lambda turn: turn.agent == self.agent),
            (self.channel, lambda turn: turn.channel == self.channel),
            (self.session_id, lambda turn: turn.session_id.startswith(self.session_id)),
            (since, lambda turn: turn.timestamp is not None and since is not None and turn.timestamp >= since),
            (text, lambda turn: text in turn.text.casefold()),
        ]
        return [test for given, test in found if given]


@dataclass(frozen=True)
class TurnTable:
    """All turns, the newest session first, those of a session in the order they were said."""

    turns: Sequence[Turn]
    events: Mapping[str, FeedbackEvent]
    uses: Mapping[str, Invocation]

    @classmethod
    def of(cls, mined: Mined) -> "TurnTable":
        """The turns of what was mined."""
        sessions: dict[str, list[Turn]] = {}
        for turn in mined.records.turns:
            sessions.setdefault(turn.session_id, []).append(turn)
        ordered = sorted(sessions.values(), key=_last_time, reverse=True)
        return cls(
            [turn for session in ordered for turn in session],
            {event.event_id: event for event in mined.records.events},
            {use.event_id: use for use in mined.records.invocations if not use.failed},
        )

    def find(self, wanted: TurnFilter) -> list[int]:
        """Places of the turns that a filter lets through."""
        tests = wanted.tests()
        return [at for at, turn in enumerate(self.turns) if all(test(turn) for test in tests)]

    def count(self, places: Iterable[int]) -> Counter[str]:
        """Turns by outcome."""
        return Counter(self.turns[at].outcome for at in places)

    def values(self, field: str) -> list[str]:
        """What a field holds, the most frequent first."""
        return [name for name, _ in Counter(filter(None, (getattr(turn, field) for turn in self.turns))).most_common()]

    def window(self, at: int) -> list[int]:
        """Places of the turns that can judge the use of the turn at `at`; none where it stands in no window."""
        event_id = self.turns[at].event_id
        return self._windows.get(event_id, []) if event_id else []

    def complaint_beside(self, places: Sequence[int], at: int, *, step: int) -> int | None:
        """Index in `places` of the next complaint after `at`, or of the last one before it; None where there is none.

        Parameters
        ----------
        at
            An index of `places`.
        step
            1 for the next one, -1 for the one before.
        """
        ahead = range(at + 1, len(places)) if step > 0 else range(at - 1, -1, -1)
        return next((index for index in ahead if self.turns[places[index]].outcome in COMPLAINTS), None)

    @cached_property
    def _windows(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for at, turn in enumerate(self.turns):
            if turn.event_id:
                found.setdefault(turn.event_id, []).append(at)
        return found


def _last_time(turns: Sequence[Turn]) -> float:
    """When a session was last spoken in; sessions without a time come last."""
    return max((turn.timestamp.timestamp() for turn in turns if turn.timestamp), default=0.0)
