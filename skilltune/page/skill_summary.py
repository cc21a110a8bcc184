"""What a skill's own page is made of, beside the summary that it shares with the weekly page."""

from dataclasses import dataclass, field
from datetime import date

import pandas as pd

__all__ = ["SkillDrift", "SkillFigures"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillDrift:
    """How the skill on this machine came to where it is."""

    skill_id: str
    course: pd.DataFrame
    """``drift_course`` of its versions; empty where its first text is not known."""
    limit_percent: float
    max_change_percent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillFigures:
    """Frames of one skill until a moment."""

    mix: pd.DataFrame = field(default_factory=pd.DataFrame)
    """``outcome_mix`` by week."""
    effects: pd.DataFrame = field(default_factory=pd.DataFrame)
    """``before_after`` of each text that was used, latest first."""
    cost: pd.DataFrame = field(default_factory=pd.DataFrame)
    """``skill_cost`` of the last days: one row or none."""
    usage: pd.DataFrame = field(default_factory=pd.DataFrame)
    """``skill_usage``: one row or none."""
    span: tuple[date, date] | None = None
    """The first and last day of its judged uses, where the last days have too few for a rate: what was said and wrong
    is shown of these. None where it is shown of the last days.
    """
    last: date | None = None
    """The day of its last use, where that is longer ago than the last days: course, outcomes and cost end with it."""
