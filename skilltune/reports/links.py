"""Links between the pages in one folder of reports: from a week to its skills' pages, from those to the latest week."""

import re
from collections.abc import Callable, Collection
from functools import partial
from html import escape, unescape
from pathlib import Path
from typing import Final
from urllib.parse import quote

from skilltune.errors import ReportError
from skilltune.page.html import visible
from skilltune.reports.index import read_figures
from skilltune.reports.pages import LOCK
from skilltune.reports.publishing import SKILLS
from skilltune.reports.skill_names import page_name
from skilltune.reports.weeks import Week, find_weeks
from skilltune.stores.files import WriteLock, replace_file

__all__ = ["link_pages"]

_NAME: Final = re.compile(
    r'(<span class="st-name[^"]*" title="([^"]*)">)(?:<a class="st-to-skill"[^>]*>)?'
    r"((?:[^<]|<wbr ?/?>)*?)(?:</a>)?(\s*)(?=</?span)"
)
"""A skill's name in a table of a week's page, be it a link already."""
_INDEX: Final = re.compile(r'(<a href="\.\./index\.html"[^>]*>[^<]*</a>)(?: · <a class="st-to-week"[^>]*>[^<]*</a>)?')
"""The link to the index at a page's foot, and the one to a week that may follow it."""


def link_pages(root: Path) -> None:
    """Make the pages below `root` lead to each other: a link is set where its page is there, and taken out where not.

    Raises
    ------
    ReportError
        When a page cannot be read or written.
    """
    try:
        with WriteLock(root / LOCK).held():
            weeks = find_weeks(root)
            skills = [page for page in sorted((root / SKILLS).glob("*.html")) if page.is_file()]
            to_skills = partial(_with_skills, page_of=_finder(root, {page.stem for page in skills}))
            for week in weeks:
                for page in (root / week.name).glob("*.html"):
                    _change(page, to_skills)
            for page in skills:
                _change(page, partial(_with_week, week=weeks[0] if weeks else None))
    except OSError as error:
        raise ReportError(f"the pages in {root} cannot be linked: {error}; run the report once more") from error


def _finder(root: Path, there: Collection[str]) -> Callable[[str], str]:
    """From a skill's name, as pages show it, to the name of its page, '' where there is none."""
    told = (str(row.get("skill") or "") for row in read_figures(root)["skills"].values())
    # characters that cannot be seen are written out on a page, and the file is named after the skill as it is
    pages = {visible(skill): page_name(skill) for skill in told if visible(skill) != skill}

    def page_of(shown: str) -> str:
        name = pages.get(shown) or page_name(shown)
        return name if name in there else ""

    return page_of


def _change(page: Path, edit: Callable[[str], str]) -> None:
    if not page.is_file():
        return
    before = page.read_bytes()
    # a page of somebody else's, in whatever encoding, comes out as it went in
    after = edit(before.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    if after != before:
        replace_file(page, after)


def _with_skills(html: str, *, page_of: Callable[[str], str]) -> str:
    """A week's page whose skills' names lead to their pages."""

    def linked(found: re.Match[str]) -> str:
        start, title, name, space = found.groups()
        page = page_of(unescape(title))
        if not page:
            return f"{start}{name}{space}"
        return f'{start}<a class="st-to-skill" href="../{SKILLS}/{quote(page)}.html">{name}</a>{space}'

    return _NAME.sub(linked, html)


def _with_week(html: str, *, week: Week | None) -> str:
    """A skill's page whose foot leads to the latest week."""
    link = ""
    if week is not None:
        words = escape(week.title.partition(" · ")[0])
        link = f' · <a class="st-to-week" href="../{week.name}/weekly.html">{words}</a>'
    return _INDEX.sub(lambda found: found[1] + link, html)
