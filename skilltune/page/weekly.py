"""The weekly page: one method a section, each made from the same summary."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from skilltune.analysis.weekly import WeeklySummary
from skilltune.page.accuracy import accuracy_section
from skilltune.page.closeup import closeup_section, complaints_section
from skilltune.page.headline import headline_section, week_line
from skilltune.page.health import health_section
from skilltune.page.hotspots import hotspots_section
from skilltune.page.html import Section, render, stylesheet
from skilltune.page.ranked import skills_section
from skilltune.page.words import long_date

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

    def masthead(self) -> Section:
        """What this page is: its week, and whose sessions it rests on."""
        sample = (
            "These are the bundled sample sessions, invented to show the report: none of your own sessions is in it."
        )
        return Section(
            render(
                "masthead.html.j2", style=_style(), when=week_line(self.summary), sample=sample if self.sample else ""
            )
        )

    def headline(self) -> Section:
        """The finding of the week, and what changed."""
        return headline_section(self.summary)

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
        return closeup_section(self.summary, privacy=self.privacy)

    def data_health(self) -> Section:
        """What the report could and could not see."""
        return health_section(self.summary, health=self.health)

    def how_good(self) -> Section:
        """How good these numbers are, and how they are made."""
        return accuracy_section(self.summary, accuracy=self.accuracy)

    def foot(self) -> Section:
        """When and from what the page was made."""
        made = (
            f"Made on {long_date(self.made, year=True)} by skilltune{_short(self.version)} from data on this machine. "
            "Nothing was sent anywhere."
        )
        return Section(render("foot.html.j2", made=made, privacy=self._privacy_line()))

    def _privacy_line(self) -> str:
        if self.privacy:
            return "Private form: no quotes, paths, project or session names are in it."
        told = self.summary.complaints
        if len(self.summary.sufficient):
            told = told[told["skill_id"] == self.summary.focus]
        if told["user_message_snippet"].fillna("").eq("").all():
            return "It quotes nobody."
        return "It quotes sessions and names projects; `skilltune report --privacy` leaves them out."


def _style() -> Any:
    from markupsafe import Markup

    return Markup(stylesheet())  # noqa: S704  # a constant of this package


def _short(version: str) -> str:
    """`` 0.1`` of ``0.1.0``; '' where it is not known."""
    return f" {'.'.join(version.split('.')[:2])}" if version else ""
