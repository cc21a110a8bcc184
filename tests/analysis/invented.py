"""Invented events for the tests of the analysis: tables of events from counts, times and a few words."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import numpy as np
import pandas as pd

from skilltune.frames import to_frame
from skilltune.records import FeedbackEvent, Invocation

AS_OF = datetime(2026, 11, 30, 12, tzinfo=UTC)
_numbers = count()


def event(
    outcome: str = "acceptance", *, skill: str = "a", at: datetime | None = AS_OF, **fields: Any
) -> FeedbackEvent:
    """One event with a number of its own; `at` is the time of the use."""
    number = next(_numbers)
    known: dict[str, Any] = {
        "event_id": f"{number:016x}",
        "timestamp": at,
        "session_id": f"session-{number}",
        "skill_id": skill,
        "invocation_uuid": f"use-{number}",
        "outcome": outcome,
        "confidence": 0.8,
        "correction_type": None,
        "user_message_snippet": "",
        "turns_to_feedback": 1,
        "ai_tools_used": (),
        "dimension_hint": None if outcome == "acceptance" else "accuracy",
        "rule": "en.accept.thanks" if outcome == "acceptance" else "en.reject.wrong",
        "attribution": "direct",
    }
    return FeedbackEvent(**(known | fields))


def judged(corrections: int, partials: int, acceptances: int, **fields: Any) -> list[FeedbackEvent]:
    """So many events of each outcome, alike in all else."""
    outcomes = ["correction"] * corrections + ["partial"] * partials + ["acceptance"] * acceptances
    return [event(outcome, **fields) for outcome in outcomes]


def table(*groups: Iterable[FeedbackEvent]) -> pd.DataFrame:
    """A table of all events given."""
    return to_frame([each for group in groups for each in group], FeedbackEvent)


def use(*, skill: str = "a", at: datetime | None = AS_OF, of: FeedbackEvent | None = None, **fields: Any) -> Invocation:
    """One use: that of an event, or one without."""
    number = next(_numbers)
    known: dict[str, Any] = {
        "event_id": f"{number:016x}" if of is None else of.event_id,
        "timestamp": at if of is None else of.timestamp,
        "session_id": "session",
        "skill_id": skill if of is None else of.skill_id,
        "invocation_uuid": f"use-{number}",
        "via": "tool",
        "reason": "no_turn" if of is None else "",
        "turns_seen": 0,
    }
    return Invocation(**(known | fields))


def uses(*rows: Invocation) -> pd.DataFrame:
    """A table of uses."""
    return to_frame(rows, Invocation)


def history(*, size: int = 400, days: int = 100, skills: int = 5, seed: int = 1) -> pd.DataFrame:
    """Events of several skills over several months before ``AS_OF``, of every kind that metrics look at."""
    chance = np.random.default_rng(seed)
    return table(
        event(
            str(chance.choice(["correction", "partial", "acceptance"], p=[0.3, 0.1, 0.6])),
            skill=f"skill-{chance.integers(skills)}",
            at=None if chance.random() < 0.03 else AS_OF - timedelta(seconds=int(chance.integers(1, days * 86_400))),
            session_id=f"session-{chance.integers(size // 4)}",
            rule=str(chance.choice(["implicit.next", "en.some"])),
            attribution=chance.choice(["direct", "likely", "weak", None]),
            turns_to_feedback=int(chance.integers(1, 4)),
            skill_digest=str(chance.choice(["", "3c", "9f"])),
            agent=chance.choice(["claude-code", "codex", None]),
            model=str(chance.choice(["m1", "m2"])),
        )
        for _ in range(size)
    )
