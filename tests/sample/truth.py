"""The right answers beside the sessions: one row per use, one per hazard."""

from dataclasses import dataclass

__all__ = ["Hazard", "Use"]


@dataclass(slots=True, kw_only=True)
class Use:
    """One use of a skill and what a careful person says about it."""

    file: str = ""
    line: int
    session: str
    id: str
    skill_id: str
    via: str
    timestamp: str
    skill_digest: str = ""
    outcome: str = "none"
    correction_type: str | None = None
    acceptance: str | None = None
    """explicit or implicit, for acceptances."""
    dimension: str | None = None
    turn: int | None = None
    """Which turn of the window decided; None where nothing did, or where it was an act without a turn."""
    channel: str | None = None
    reason: str = ""
    """Why there is no event: no_turn, ended, question, neutral, language."""
    language: str = ""
    interrupted: bool = False
    self_reverted: bool = False
    hard: bool = False
    """Rules are not expected to get it."""
    failed: str = ""
    """A trigger problem, which is no use: unknown_skill or refused."""
    left_out: str = ""
    """Left out by default: scripted or temporary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hazard:
    """Where one awkward thing stands."""

    name: str
    line: int
    file: str = ""
