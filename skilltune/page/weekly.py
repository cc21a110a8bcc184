"""The weekly page: one method a section, each made from the same summary."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import pandas as pd

from skilltune.analysis.corrected_summary import CorrectedSummary
from skilltune.analysis.weekly import WeeklySummary
from skilltune.page.accuracy import accuracy_section
from skilltune.page.closeup import closeup_section, complaints_section
from skilltune.page.contradictions import contradictions_section
from skilltune.page.corrected import corrected_section
from skilltune.page.headline import Link, headline_section, week_line
from skilltune.page.health import health_section
from skilltune.page.hotspots import hotspots_section
from skilltune.page.html import EMPTY, Section, render, stylesheet, visible
from skilltune.page.ranked import skills_section
from skilltune.page.ratings import ratings_section
from skilltune.page.refined import refined_section, worse_sentence
from skilltune.page.refinement_summary import RefinementSummary
from skilltune.page.texts import with_names
from skilltune.page.waiting import waiting_section, waiting_sentence
from skilltune.page.words import as_list, count_of, long_date

__all__ = ["WeeklyPage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyPage:
    """What a weekly report shows; every method gives one section that Jupyter displays."""

    summary: WeeklySummary
    made: date
    version: str = ""
    """Of skilltune."""
    privacy: bool = False
    """No quotes, paths, project or session names."""
    sample: bool = False
    """The sessions are the bundled ones."""
    health: Mapping[str, Any] = field(default_factory=dict)
    """See ``page.health.HEALTH_KEYS``."""
    accuracy: Mapping[str, Any] = field(default_factory=dict)
    """Measured precision and recall of the rules."""
    corrected: CorrectedSummary | None = None
    """Rates corrected for the rules' mistakes."""
    refinement: RefinementSummary | None = None
    """What waits, contradicts, was applied, and was said of it."""
    judges: Mapping[str, tuple[int, date | None]] = field(default_factory=dict)
    """Judge → turns that were sent to it and that it labelled, and the last day of that."""

    weeks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Week → its figures, for the index of reports."""
    only: tuple[str, ...] = ()
    """The skills that the page is about; none means all."""
    every_part: bool = False
    """Show parts with nothing in them, too, where no skill has enough data for a rate."""
    notebook: str = "weekly.ipynb"
    """The file of this page's notebook."""

    def __post_init__(self) -> None:
        """One name for each text on the whole page."""
        texts = None if self.refinement is None else self.refinement.texts
        object.__setattr__(self, "summary", with_names(self.summary, texts))

    def masthead(self) -> Section:
        """What this page is: its week, and whose sessions it rests on."""
        only = f"Only {as_list(self.only)} · " if self.only else ""
        return self.masthead_of("weekly report", when=f"{only}{week_line(self.summary)}")

    def masthead_of(self, what: str, *, when: str) -> Section:
        """The head of a page of that kind; it says where the sessions are the bundled ones."""
        sample = (
            "These are the bundled sample sessions, invented to show the report: none of your own sessions is in it."
        )
        return Section(
            render("masthead.html.j2", style=_style(), what=what, when=when, sample=sample if self.sample else "")
        )

    def headline(self) -> Section:
        """The finding of the week, what changed, and where to find what waits."""
        told = [(waiting_sentence(self.refinement), "waiting"), (worse_sentence(self.refinement), "refinements")]
        links = [Link(f"{words[0].upper()}{words[1:]}", place) for words, place in told if words]
        return replace(headline_section(self.summary, links=links), figures={"weeks": self.weeks})

    def complaints(self) -> Section:
        """What people said: only where no skill has enough data for a rate."""
        return complaints_section(self.summary, privacy=self.privacy)

    def skills(self) -> Section:
        """The skills, most corrected first."""
        return skills_section(self.summary)

    def hotspots(self) -> Section:
        """What was wrong."""
        return hotspots_section(self.summary)

    def closeup(self) -> Section:
        """The worst skill: its course, its shift, and what people said."""
        marks = None if self.refinement is None else self.refinement.marks
        return self._unless_bare(closeup_section(self.summary, privacy=self.privacy, marks=marks))

    def contradictions(self) -> Section:
        """What people ask of one skill and its opposite."""
        told = contradictions_section(self.refinement, time_zone=self._time_zone, privacy=self.privacy)
        return self._unless_bare(told)

    def waiting(self) -> Section:
        """What waits for a person's approval, or words."""
        told = waiting_section(self.refinement, time_zone=self._time_zone, privacy=self.privacy)
        return self._unless_bare(told)

    def refinements(self) -> Section:
        """The refinements that were applied, and whether they helped."""
        needed = self.summary.min_invocations
        told = refined_section(self.refinement, time_zone=self._time_zone, min_invocations=needed)
        return self._unless_bare(told)

    def ratings(self) -> Section:
        """Scores, and results that were not taken."""
        return self._unless_bare(ratings_section(self.refinement, days=self.summary.days, privacy=self.privacy))

    def data_health(self) -> Section:
        """What the report could and could not see."""
        problems = () if self.refinement is None else self.refinement.problems
        return health_section(self.summary, health=self.health, problems=problems, left_out=self._left_out())

    def corrected_rates(self) -> Section:
        """What people would say beside what the rules say."""
        told = corrected_section(self.corrected, span=_counted_span(self.summary), days=self.summary.days)
        return self._unless_bare(told)

    def how_good(self) -> Section:
        """How good these numbers are, and how they are made."""
        return accuracy_section(self.summary, accuracy=self.accuracy)

    def foot(self) -> Section:
        """When and from what the page was made."""
        return Section(render("foot.html.j2", **self.foot_words(), index="Earlier weeks", notebook=self.notebook))

    def foot_words(self) -> dict[str, str]:
        """When and from what the page was made, and whether it quotes anybody."""
        made = (
            f"Made on {long_date(self.made, year=True)} by skilltune{_short(self.version)} from data on this machine. "
            "Making it sent nothing anywhere."
        )
        made = " ".join([made, *(_sent(judge, *told) for judge, told in self.judges.items())])
        return {"made": made, "privacy": self._privacy_line()}

    def _unless_bare(self, section: Section) -> Section:
        """The part; none where it has nothing, and the page has no rate: it would be a row of such parts."""
        return EMPTY if section.bare and not self.every_part and self.summary.sufficient.empty else section

    def _left_out(self) -> list[str]:
        """What the parts are called that are not shown."""
        parts = {
            "worst skill": self.closeup,
            "contradictions": self.contradictions,
            "waiting for approval": self.waiting,
            "refinements applied": self.refinements,
            "ratings and overrides": self.ratings,
            "corrected rates": self.corrected_rates,
        }
        return [name for name, part in parts.items() if part() is EMPTY] if self.summary.sufficient.empty else []

    @property
    def _time_zone(self) -> str:
        return self.summary.week.time_zone

    def _privacy_line(self) -> str:
        if self.privacy:
            return "Private form: no quotes, paths, project or session names are in it."
        told = self.summary.complaints
        if len(self.summary.sufficient):
            told = told[told["skill_id"] == self.summary.focus]
        more = self.refinement is not None and self.refinement.quotes
        if told["user_message_snippet"].fillna("").eq("").all() and not more:
            return "It quotes nobody."
        return "It quotes sessions and names projects; `skilltune report --privacy` leaves them out."


def _counted_span(summary: WeeklySummary) -> tuple[date, date] | None:
    """The first and the last day of the uses until the week's end; None without any."""
    if summary.logged_span is None:
        return None
    end = min(summary.logged_span[1], pd.Timestamp(summary.week.end) - pd.Timedelta(microseconds=1))
    first, last = (moment.tz_convert(summary.week.time_zone).date() for moment in (summary.logged_span[0], end))
    return (first, last) if first <= last else None


def _sent(judge: str, turns: int, last: date | None) -> str:
    """What left the machine for a judge, before the page was made."""
    verb = "was" if turns == 1 else "were"
    day = f", last on {long_date(last, year=True)}" if last else ""
    return f"{count_of(turns, 'turn')} {verb} sent to the judge {visible(judge)} earlier{day}."


def _style() -> Any:
    from markupsafe import Markup

    return Markup(stylesheet())  # noqa: S704  # a constant of this package


def _short(version: str) -> str:
    """`` 0.1`` of ``0.1.0``; '' where it is not known."""
    return f" {'.'.join(version.split('.')[:2])}" if version else ""
