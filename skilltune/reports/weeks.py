"""The page that lists all reports: weeks, the newest first, with their findings and figures; and skills."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from skilltune.analysis.isoweeks import iso_week
from skilltune.charts.rows import RowPoint, sparkline
from skilltune.errors import InputError
from skilltune.page.html import unbroken, visible
from skilltune.page.words import as_list, count_of, date_range, interval, long_date, percent
from skilltune.reports.export import TEMPLATES, page_head
from skilltune.stores.files import read_head

__all__ = ["SkillEntry", "Week", "find_skills", "find_weeks", "render_index"]

Figures = Mapping[str, Mapping[str, Any]]
_NAME: Final = re.compile(r"[0-9]{4}-W[0-9]{2}")
_HEAD_BYTES: Final = 100_000
_COURSE: Final = 2
"""Weeks with a rate from which on their course is drawn."""
NO_FINDING: Final = "This page tells no finding."
PRIVATE: Final = "In the private form: no quotes, paths, project or session names."
NAMES: Final = 5
"""Skills that a line names."""


@dataclass(frozen=True, slots=True)
class Week:
    """One week's page."""

    name: str
    title: str
    headline: str
    private: bool = False
    """It was made in the private form."""


@dataclass(frozen=True, slots=True)
class SkillEntry:
    """One skill's page."""

    name: str
    """Of its file, without ``.html``."""
    headline: str
    private: bool = False
    """It was made in the private form."""


def find_weeks(folder: Path) -> list[Week]:
    """The weeks that have a page under `folder`, newest first."""
    pages = sorted(folder.glob("*/weekly.html"), reverse=True)
    found = [(page, _title(page.parent.name)) for page in pages if _NAME.fullmatch(page.parent.name) and page.is_file()]
    return [Week(page.parent.name, title, *_told(page)) for page, title in found if title]


def find_skills(folder: Path) -> list[SkillEntry]:
    """The skills that have a page of their own under `folder`, by name."""
    pages = sorted((folder / "skills").glob("*.html"))
    return [SkillEntry(page.stem, *_told(page)) for page in pages if page.is_file()]


def render_index(
    weeks: Sequence[Week], *, skills: Sequence[SkillEntry] = (), figures: Mapping[str, Figures] | None = None
) -> str:
    """The page that lists `weeks` and `skills`, with the figures that are known of them."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES / "skilltune", encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    known = figures or {}
    of_weeks = known.get("weeks", {})
    head = page_head(title="skilltune weekly reports")
    return environment.get_template(
        "weeks.html.j2"
    ).render(
        page={"title": head.title, "policy": head.policy, "style": Markup(head.style)},  # noqa: S704  # our own style
        count=count_of(len(weeks), "week"),
        finding=f"{weeks[0].title.partition(' · ')[0]} is the latest." if weeks else "There is no report yet.",
        weeks=[
            {
                "name": week.name,
                "title": week.title,
                "headline": week.headline or NO_FINDING,
                "form": PRIVATE if week.private else "",
                "figures": _figures_line(of_weeks.get(week.name)) or "No figures: the log has no use in these days.",
                "against": _against(week, weeks[place + 1 :], of_weeks),
            }
            for place, week in enumerate(weeks)
        ],
        course=_course(weeks, of_weeks),
        skills=sorted(
            (_skill_line(skill, known.get("skills", {}).get(skill.name, {})) for skill in skills),
            key=lambda line: line["skill"],
        ),
    )


def _skill_line(skill: SkillEntry, told: Mapping[str, Any]) -> dict[str, str | Markup]:
    """What the index says of one skill's page."""
    day = _day(told.get("as_of"))
    dated = [f"As of {day}"] if day else []
    figures = _figures_line(told, before=dated) or "No figures are kept of this page: make it anew to see them."
    return {
        "name": skill.name,
        "skill": str(told.get("skill") or skill.name),
        "headline": skill.headline or NO_FINDING,
        "form": PRIVATE if skill.private else "",
        "figures": figures,
    }


def _day(iso: Any) -> str:
    """``30 November 2026``; '' for what is no day."""
    try:
        return long_date(date.fromisoformat(iso), year=True) if isinstance(iso, str) else ""
    except ValueError:
        return ""


def _figures_line(told: Mapping[str, Any] | None, *, before: Sequence[str] = ()) -> Markup:
    """``133 uses · 26% corrected (22–31%), n = 76``, no figure broken; '' where nothing is known."""
    if not told or not isinstance(told.get("uses"), int):
        return Markup()
    uses, judged = count_of(told["uses"], "use"), told.get("judged")
    rate, low, high = (told.get(name) for name in ("rate", "low", "high"))
    if not all(isinstance(value, int | float) for value in (rate, low, high, judged)):
        return _whole([*before, uses, "too few judged for a rate"])
    bounds = interval(_number(low), _number(high))
    line = _whole([*before, uses, f"{percent(_number(rate))} corrected ({bounds})"])
    return line + Markup(", ") + unbroken(number := f"n = {judged:,}", number)


def _whole(parts: Sequence[str]) -> Markup:
    """The parts in a row, each on one line."""
    return Markup(" · ").join(unbroken(part, part) for part in parts)


def _against(week: Week, earlier: Sequence[Week], figures: Figures) -> str | Markup:
    """What is another than on the page before: uses, the rate of all skills, and which skills are worse or better."""
    before = next((other for other in earlier if figures.get(other.name)), None)
    now = figures.get(week.name)
    if not now:
        return ""
    if before is None:
        return "No earlier week here has figures to compare with." if earlier else "The first week that has a page."
    then = figures[before.name]
    parts = []
    if isinstance(now.get("rate"), int | float) and isinstance(then.get("rate"), int | float):
        parts.append(f"rate {percent(float(then['rate']))} → {percent(float(now['rate']))}")
    if isinstance(then.get("uses"), int) and isinstance(now.get("uses"), int):
        parts.append(f"uses {then['uses']:,} → {now['uses']:,}")
    whole = tuple(parts)
    for name, word in (("worse", "got worse"), ("better", "got better")):
        if not isinstance(now.get(name), list) or not isinstance(then.get(name), list):
            continue
        new, gone = (_names(one, other) for one, other in ((now[name], then[name]), (then[name], now[name])))
        parts += [f"{new} newly {word}"] if new else []
        parts += [f"no longer said to have {word}: {gone}"] if gone else []
    (year, _, _), (then_year, _, number) = week.name.partition("-W"), before.name.partition("-W")
    named = f"week {int(number)}" if year == then_year else f"week {int(number)}, {then_year}"
    return unbroken(f"Against {named}: {'; '.join(parts)}.", *whole) if parts else ""


def _names(these: Sequence[Any], less: Sequence[Any]) -> str:
    names = [str(name) for name in these if name not in less]
    return as_list([*names[:NAMES], *([f"{len(names) - NAMES} more"] if len(names) > NAMES else [])])


def _course(weeks: Sequence[Week], figures: Figures) -> Markup | None:
    """The rate of all skills at each week's end, from the first page to the last."""
    told = [figures[week.name] for week in reversed(weeks) if figures.get(week.name)]
    points = [RowPoint(*(_number(row.get(name)) for name in ("rate", "low", "high"))) for row in told]
    known = [row for row in told if all(isinstance(row.get(name), int | float) for name in ("rate", "high"))]
    if len(known) < _COURSE:
        return None
    first, last = (percent(float(row["rate"])) for row in (known[0], known[-1]))
    text = f"The rate of all skills over the weeks listed: from {first} to {last}, in {len(known)} weeks"
    top = max(0.2, *(float(row["high"]) for row in known))
    return sparkline(points, top=min(top, 1.0), text=text)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


def _title(name: str) -> str:
    """``Week 48, 2026 · 23–29 November``; '' where the calendar has no such week."""
    try:
        week = iso_week(name)
    except InputError:
        return ""
    year, number = name.split("-W")
    return f"Week {int(number)}, {year} · {date_range(week.monday, week.sunday)}"


def _told(page: Path) -> tuple[str, bool]:
    """The headline of a page, and whether it is in the private form: what the page that is there says of itself."""
    reader = _Head()
    reader.feed(read_head(page, _HEAD_BYTES).decode("utf-8", "replace"))
    return reader.found, reader.private


class _Head(HTMLParser):
    """Takes the description and the form out of a page's head."""

    found = ""
    private = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "meta" and told.get("name") == "description" and not self.found:
            self.found = told.get("content") or ""
        elif tag == "meta" and told.get("name") == "skilltune-form":
            self.private = told.get("content") == "private"
