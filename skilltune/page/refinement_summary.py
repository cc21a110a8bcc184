"""What the page knows of refinement: what waits, what contradicts, what was applied and what people said of it."""

from dataclasses import dataclass, field
from datetime import datetime

import pandas as pd

from skilltune.evolution.contradictions import Contradictions
from skilltune.evolution.eligibility import Eligibility
from skilltune.evolution.openings import OpenSuggestion
from skilltune.evolution.suggestions import Suggestion

__all__ = ["RefinementSummary", "SkillProblem", "WaitingSkill"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillProblem:
    """A skill, log or ledger that could not be looked at."""

    what: str
    why: str
    """In a few words, without paths or names of sessions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingSkill:
    """What is known of one skill that people corrected or complained about."""

    skill_id: str
    folder: str = ""
    """The folder that has to be named for it, as it is typed; '' where its name alone leads to it."""
    version: int | None = None
    """Of its file; None where that is not on this machine."""
    numbered: bool = True
    """Whether its audit log gives it that number; else nobody knows which of its texts this one is."""
    eligibility: Eligibility | None = None
    """None where nothing is recorded of it."""
    suggestion: Suggestion | None = None
    """None where no correction repeats, or its file is not there."""
    openings: tuple[OpenSuggestion, ...] = ()

    @property
    def contradictions(self) -> Contradictions:
        """Those among its recorded corrections."""
        return self.eligibility.contradictions if self.eligibility else Contradictions((), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementSummary:
    """Everything the sections on refinement show."""

    skills: tuple[WaitingSkill, ...] = ()
    """By name."""
    effects: pd.DataFrame = field(default_factory=pd.DataFrame)
    """``before_after`` of each refinement applied in the weeks that the page looks back and since, with ``version``,
    ``former`` (the version before), ``later`` (whether it came after the page's week), and ``rolled_back`` and
    ``replaced`` (when that ended it; missing where it stands).
    """
    marks: pd.DataFrame = field(default_factory=pd.DataFrame)
    """``skill_id``, ``at``, ``skill_digest``, ``version``, ``kind`` (refine, rollback, outside_edit) of all changes
    that the audit logs have.
    """
    texts: pd.DataFrame = field(default_factory=pd.DataFrame)
    """The same of every text that they have, the first seen ones too: their numbers are the versions' names."""
    ratings: pd.DataFrame = field(default_factory=pd.DataFrame)
    """``skill_ratings`` of the last days and since, with ``later``: how many of them came after the page's week."""
    reasons: pd.DataFrame = field(default_factory=pd.DataFrame)
    """``override_reasons`` of the same days."""
    corrections: int = 0
    """Recorded corrections that were not taken back."""
    candidates: int = 0
    """Corrections seen in sessions that nobody has decided on."""
    problems: tuple[SkillProblem, ...] = ()
    own: bool = True
    """The skills are the person's own, so that commands on them work; not so for the bundled sample's."""
    made: datetime | None = None
    """When what waits was looked at; it is not of the week but of this moment."""

    @property
    def quotes(self) -> bool:
        """Whether words of people or of skills are among it."""
        said = any(skill.openings or skill.suggestion or skill.contradictions.findings for skill in self.skills)
        return said or not self.reasons.empty
