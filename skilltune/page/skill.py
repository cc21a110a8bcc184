"""A skill's own page: one method a section, many of them those of the weekly page for this skill alone."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

import pandas as pd

from skilltune.page.closeup import closeup_section
from skilltune.page.headline import Link
from skilltune.page.hotspots import hotspots_section
from skilltune.page.html import Section, render
from skilltune.page.rows import first_row
from skilltune.page.skill_cost import cost_section
from skilltune.page.skill_sections import drift_section, mix_section, skill_headline_section, usage_section
from skilltune.page.skill_summary import SkillDrift, SkillFigures
from skilltune.page.skill_versions import versions_section
from skilltune.page.waiting import waiting_sentence
from skilltune.page.weekly import WeeklyPage
from skilltune.page.words import local_day, long_date

__all__ = ["SkillPage"]

INDEX: Final = "All reports"
_RATES: Final = {"rate": "correction_rate", "low": "low", "high": "high"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillPage:
    """What a report on one skill shows; every method gives one section that Jupyter displays."""

    skill_id: str
    week: WeeklyPage
    """The page of the days until `as_of`, about this skill alone."""
    as_of: datetime
    figures: SkillFigures = field(default_factory=SkillFigures)
    drift: SkillDrift | None = None
    """None where the skill is not on this machine."""
    notebook: str = "skill_report.ipynb"
    """The file of this page's notebook."""

    @property
    def _time_zone(self) -> str:
        return self.week.summary.week.time_zone

    def masthead(self) -> Section:
        """Whose page it is, and until when."""
        last = local_day(self.as_of - timedelta(microseconds=1), self._time_zone)
        when = f"{self.skill_id} · until {long_date(last, year=True)} · {self._time_zone}"
        return self.week.masthead_of("skill report", when=when)

    def headline(self) -> Section:
        """How often it is corrected, with the interval, and what waits."""
        waits = waiting_sentence(self.week.refinement)
        links = [Link(f"{waits[0].upper()}{waits[1:]}", "waiting")] if waits else []
        told = skill_headline_section(self.week.summary, links=links, span=self.figures.span)
        return replace(told, figures={"skills": {self.notebook.removesuffix(".ipynb"): self._figures()}})

    def _figures(self) -> dict[str, Any]:
        """What the index says of it."""
        row = first_row(self.week.summary.ranking)
        if row is None or not row["sufficient_data"]:
            uses = 0 if row is None or pd.isna(row["n_invocations"]) else int(row["n_invocations"])
            return {"skill": self.skill_id, "uses": uses, "judged": 0 if row is None else int(row["sample_size"])}
        rates = {name: float(row[column]) for name, column in _RATES.items()}
        uses = int(row["sample_size"] if pd.isna(row["n_invocations"]) else row["n_invocations"])
        return {"skill": self.skill_id, "uses": uses, "judged": int(row["sample_size"]), **rates}

    def course(self) -> Section:
        """Its rate over the weeks, with the marks of its versions, and what people said."""
        marks = None if self.week.refinement is None else self.week.refinement.marks
        choice: dict[str, Any] = {"privacy": self.week.privacy, "span": self.figures.span}
        return closeup_section(self.week.summary, marks=marks, rail="Course", **choice)

    def outcomes(self) -> Section:
        """What became of its uses, week by week."""
        return mix_section(self.figures.mix, time_zone=self._time_zone)

    def hotspots(self) -> Section:
        """What was wrong."""
        return hotspots_section(self.week.summary, span=self.figures.span)

    def versions(self) -> Section:
        """Each text against the one before."""
        versions = self.week.summary.versions
        names = dict(zip(versions["skill_digest"].astype("str"), versions["name"].astype("str"), strict=True))
        return versions_section(self.figures.effects, names, time_zone=self._time_zone)

    def contradictions(self) -> Section:
        """What people ask of it and its opposite."""
        return self.week.contradictions()

    def waiting(self) -> Section:
        """What waits for a person."""
        return self.week.waiting()

    def refinements(self) -> Section:
        """The refinements that were applied to it."""
        return self.week.refinements()

    def ratings(self) -> Section:
        """Scores, and results that were not taken."""
        return self.week.ratings()

    def drift_course(self) -> Section:
        """How far it is from its first text."""
        return drift_section(self.drift)

    def usage(self) -> Section:
        """When and how often it is used."""
        days, zone = self.week.summary.days, self._time_zone
        return usage_section(first_row(self.figures.usage), days=days, time_zone=zone, until=self.as_of)

    def cost(self) -> Section:
        """What its uses cost."""
        until = long_date(self.figures.last) if self.figures.last else ""
        return cost_section(first_row(self.figures.cost), days=self.week.summary.days, until=until)

    def corrected_rates(self) -> Section:
        """What people would say beside what the rules say."""
        return self.week.corrected_rates()

    def how_good(self) -> Section:
        """How good these numbers are."""
        return self.week.how_good()

    def foot(self) -> Section:
        """When and from what it was made."""
        return Section(render("foot.html.j2", **self.week.foot_words(), index=INDEX, notebook=self.notebook))
