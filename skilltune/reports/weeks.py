"""The index of all weeks: the newest first, each with the headline that its page carries."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from skilltune.analysis.isoweeks import iso_week
from skilltune.errors import InputError
from skilltune.page.words import count_of, date_range
from skilltune.reports.export import TEMPLATES, page_head
from skilltune.stores.files import read_head

__all__ = ["Week", "find_weeks", "render_index"]

_NAME: Final = re.compile(r"[0-9]{4}-W[0-9]{2}")
_HEAD_BYTES: Final = 100_000


@dataclass(frozen=True, slots=True)
class Week:
    """One week's page."""

    name: str
    title: str
    headline: str


def find_weeks(folder: Path) -> list[Week]:
    """The weeks that have a page under `folder`, newest first."""
    pages = sorted(folder.glob("*/weekly.html"), reverse=True)
    found = [(page, _title(page.parent.name)) for page in pages if _NAME.fullmatch(page.parent.name) and page.is_file()]
    return [Week(page.parent.name, title, _headline(page)) for page, title in found if title]


def render_index(weeks: list[Week]) -> str:
    """The page that lists `weeks`."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES / "skilltune", encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    head = page_head(title="skilltune weekly reports")
    return environment.get_template("weeks.html.j2").render(
        page={"title": head.title, "policy": head.policy, "style": Markup(head.style)},  # noqa: S704  # our own style
        count=count_of(len(weeks), "week"),
        finding=f"{weeks[0].title.partition(' · ')[0]} is the latest." if weeks else "There is no report yet.",
        weeks=weeks,
    )


def _title(name: str) -> str:
    """``Week 48, 2026 · 23–29 November``; '' where the calendar has no such week."""
    try:
        week = iso_week(name)
    except InputError:
        return ""
    year, number = name.split("-W")
    return f"Week {int(number)}, {year} · {date_range(week.monday, week.sunday)}"


def _headline(page: Path) -> str:
    reader = _Description()
    reader.feed(read_head(page, _HEAD_BYTES).decode("utf-8", "replace"))
    return reader.found


class _Description(HTMLParser):
    """Takes the description out of a page's head."""

    found = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "meta" and told.get("name") == "description" and not self.found:
            self.found = told.get("content") or ""
