"""Invented events and uses: skills with a rate before and after a date, drawn with a fixed seed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np

from skilltune.records import FeedbackEvent, Invocation

END = datetime(2026, 11, 29, 23, tzinfo=UTC)
DIMENSIONS = ["accuracy", "coverage", "reliability", "efficiency", "security", "trigger_quality", "unknown"]
SAYINGS = [
    ("No, you dropped the column before the backfill was done. Undo that.", "en"),
    ("The down migration is missing again.", "en"),
    ("不对，回滚脚本又漏了，索引也要用 CONCURRENTLY 来建。", "zh"),
    ("Good, but name the constraint like the others: `fk_orders_customer`.", "en"),
    ("That is not what I asked for: only the public interface, please.", "en"),
    ("You forgot the error case.", "en"),
]


@dataclass(frozen=True)
class Skill:
    """One invented skill: judged uses a week, rates before and after `changed` weeks ago, its texts."""

    name: str
    judged: float = 10
    before: float = 0.25
    after: float = 0.25
    changed: float = 4
    coverage: float = 0.55
    first_week: int = 14
    last_week: int = 0
    versions: Sequence[tuple[str, float]] = field(default_factory=lambda: [("a" * 12, 99.0)])
    sayings: Sequence[tuple[str, str]] = tuple(SAYINGS)
    project: str = "/srv/invented/shop"


PICTURE = [
    Skill("sql-migrations", 11, 0.18, 0.55, 4, 0.57, versions=[("a1" * 6, 99), ("b2" * 6, 8), ("c3" * 6, 3.99)]),
    Skill("api-client-gen", 5, 0.32, 0.42, 4, 0.64),
    Skill("cpp-expert", 10, 0.14, 0.5, 4, 0.5),
    Skill("test-writer", 14, 0.31, 0.31, 4, 0.59),
    Skill("dockerfile-review", 3.2, 0.3, 0.3, 4, 0.62),
    Skill("pr-description", 13, 0.22, 0.22, 4, 0.53),
    Skill("frontend-forms", 6, 0.3, 0.19, 4, 0.67),
    Skill("release-notes", 2.8, 0.3, 0.14, 4, 0.58),
    Skill("lint-on-save", 13, 0.42, 0.15, 4.5, 0.47, versions=[("d4" * 6, 99), ("e5" * 6, 4.5)]),
    Skill("commit-style", 17, 0.1, 0.1, 4, 0.5),
    Skill("terraform-plan", 0.7, 0.5, 0.5, 4, 0.4),
    Skill("pdf-report", 0.9, 0.4, 0.4, 4, 0.44),
    Skill("i18n-strings", 2, 0.5, 0.5, 4, 0.5, first_week=0),
    Skill("k8s-debug", 3, 0.3, 0.3, 4, 0.5, last_week=5),
]


def records(
    skills: Sequence[Skill], *, weeks: int = 14, seed: int = 7, end: datetime = END
) -> tuple[list[FeedbackEvent], list[Invocation]]:
    """Events and uses of `skills`, week by week back from `end`."""
    rng = np.random.default_rng(seed)
    owed: dict[str, float] = {}
    pairs = [
        _use(skill, week=week, number=number, rng=rng, end=end, owed=owed)
        for skill in skills
        for week in range(min(weeks - 1, skill.first_week), skill.last_week - 1, -1)
        for number in range(int(rng.poisson(skill.judged / skill.coverage)))
    ]
    return [event for event, _ in pairs if event], [use for _, use in pairs]


def _use(skill: Skill, *, week: int, number: int, rng: np.random.Generator, end: datetime, owed: dict[str, float]):
    ago = week + rng.uniform(0, 0.98)
    at = end - timedelta(weeks=ago)
    event_id = f"{skill.name[:40]}-{week}-{number}"
    common = {
        "event_id": event_id,
        "timestamp": at,
        "session_id": f"session-{week}-{number % 5}",
        "skill_id": skill.name,
        "invocation_uuid": f"uuid-{event_id}",
        "agent": "claude-code",
        "model": "invented-1",
        "project": skill.project,
        "skill_digest": next(digest for digest, since in reversed(skill.versions) if since >= ago),
    }
    judged = rng.uniform() < skill.coverage
    use = Invocation(**common, via="tool", reason="" if judged else "no_turn", turns_seen=1)
    return (_event(skill, common, ago=ago, rng=rng, owed=owed) if judged else None), use


def _owed(skill: Skill, rate: float, *, rng: np.random.Generator, owed: dict[str, float]) -> float:
    """What is drawn for one use, so that a skill's rate stays near `rate` with little chance left."""
    debt = owed.get(skill.name, 0.0) + rate
    drawn = 1.0 if debt > rng.uniform(0.2, 1.2) else 0.5 if debt > 0.4 and rng.uniform() < 0.15 else 0.0
    owed[skill.name] = debt - drawn
    return drawn


def _event(
    skill: Skill, common: dict, *, ago: float, rng: np.random.Generator, owed: dict[str, float]
) -> FeedbackEvent:
    drawn = _owed(skill, skill.after if ago < skill.changed else skill.before, rng=rng, owed=owed)
    corrected, partly = drawn == 1, drawn == 0.5
    saying, language = skill.sayings[int(rng.integers(len(skill.sayings)))]
    kind = ["rejection", "rejection", "redo", "revert"][int(rng.integers(4))]
    negative = corrected or partly
    weights = [0.3, 0.26, 0.13, 0.09, 0.03, 0.05, 0.14]
    return FeedbackEvent(
        **common,
        outcome="correction" if corrected else "partial" if partly else "acceptance",
        confidence=0.9 if negative else 0.6,
        correction_type=kind if corrected else "partial" if partly else None,
        user_message_snippet=saying if negative else "Thanks, that works.",
        turns_to_feedback=int(rng.integers(1, 4)),
        ai_tools_used=("Edit", "Bash"),
        dimension_hint=DIMENSIONS[int(rng.choice(7, p=weights))] if negative else None,
        language=language if negative else "en",
        rule="en.reject.not_what" if negative else "implicit.accept",
        attribution="direct",
        channel="message",
    )
