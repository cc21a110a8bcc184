"""Pages that lead to each other: a week to its skills, a skill to the latest week, and no link to what is not there."""

from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from skilltune.errors import ReportError
from skilltune.reports.links import link_pages
from skilltune.reports.more_reports import SkillReports, all_reports
from skilltune.reports.skill_names import page_name
from skilltune.stores.feedback import FeedbackLog
from tests.invented_weeks import Skill, records

LONG = "a-name-of-many-words-" * 5 + "and-its-end"
FOOT = '<p>Made. <a href="../index.html">All reports</a> · <a href="x.ipynb">The notebook</a></p>'


def named(skill: str, *, version: str = "") -> str:
    """A skill's name as the tables of a page have it."""
    shown = skill.rpartition(":")[2].replace("-", "-<wbr>") if len(skill) > 40 else skill.rpartition(":")[2]
    text = f' <span class="st-version">{version}</span>' if version else ""
    return f'<span class="st-name st-long" title="{escape(skill)}">{shown}{text}</span>'


def put(root: Path, *skills: str, weeks: tuple[str, ...] = ("2026-W48",), body: str = "") -> Path:
    """Pages of some weeks that name `body`, and of some skills; the first week's."""
    for week in weeks:
        (root / week).mkdir(parents=True, exist_ok=True)
        (root / week / "weekly.html").write_text(body, encoding="utf-8")
    (root / "skills").mkdir(exist_ok=True)
    for skill in skills:
        (root / "skills" / f"{page_name(skill)}.html").write_text(FOOT, encoding="utf-8")
    return root / weeks[0] / "weekly.html"


class Links(HTMLParser):
    """Collects where the links of a page lead."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where a link leads."""
        if tag == "a":
            self.places.append(dict(attrs)["href"] or "")


def links_of(page: Path) -> list[str]:
    """Where the links of a page lead."""
    reader = Links()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader.places


def test_names_lead_to_pages_that_are_there(tmp_path: Path):
    """Plain, with a version, of a plugin, very long; a skill without a page stays text."""
    names = ["lint", "tools:Lint", LONG]
    body = "".join([named("lint", version="v3"), named("tools:Lint"), named(LONG), named("other")])
    week = put(tmp_path, *names, body=body)
    link_pages(tmp_path)
    text = week.read_text(encoding="utf-8")
    assert links_of(week) == [f"../skills/{page_name(name)}.html" for name in names]
    assert (
        '<a class="st-to-skill" href="../skills/lint.html">lint</a> <span class="st-version">v3</span></span>' in text
    )
    assert text.count("<wbr>") == LONG.count("-")
    assert named("other") in text


def test_second_run_changes_nothing(tmp_path: Path):
    """Not a byte, and no file is written anew."""
    week = put(tmp_path, "lint", body=named("lint", version="v3") + named("other"))
    link_pages(tmp_path)
    pages = [week, tmp_path / "skills" / "lint.html"]
    before = [(page.read_bytes(), page.stat().st_ino) for page in pages]
    link_pages(tmp_path)
    assert [(page.read_bytes(), page.stat().st_ino) for page in pages] == before


def test_links_to_what_is_gone_are_taken_out(tmp_path: Path):
    """A page that was deleted is led to no more, on either side; the rest is byte for byte as it was."""
    body = named("lint", version="v3")
    week = put(tmp_path, "lint", "other", body=body)
    link_pages(tmp_path)
    (tmp_path / "skills" / "lint.html").unlink()
    link_pages(tmp_path)
    assert week.read_text(encoding="utf-8") == body
    week.unlink()
    link_pages(tmp_path)
    assert (tmp_path / "skills" / "other.html").read_text(encoding="utf-8") == FOOT


def test_skills_lead_to_the_latest_week(tmp_path: Path):
    """Beside the index; a newer week takes the place of the one before."""
    put(tmp_path, "lint", weeks=("2026-W47",))
    link_pages(tmp_path)
    put(tmp_path, weeks=("2026-W48", "2026-W47"))
    link_pages(tmp_path)
    skill = tmp_path / "skills" / "lint.html"
    assert links_of(skill) == ["../index.html", "../2026-W48/weekly.html", "x.ipynb"]
    assert "Week 48, 2026</a>" in skill.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "odd", ['"><script>alert(1)</script>', "a\u202eb", "../../etc/passwd", "a%2f..b", "$1 \\1 <wbr>"]
)
def test_hostile_names_lead_nowhere_else(tmp_path: Path, odd: str):
    """Whatever a skill is called, its link is that of its own page in the folder of skills, or none."""
    week = put(tmp_path, odd, body=named(odd).replace(odd, escape(odd)))
    before = week.read_text(encoding="utf-8")
    link_pages(tmp_path)
    assert set(links_of(week)) <= {f"../skills/{page_name(odd)}.html"}
    assert week.read_text(encoding="utf-8").count("<script") == before.count("<script")


def test_other_pages_in_the_folders_stay(tmp_path: Path):
    """A person's own file beside the week's, in another encoding, is not touched and stops nothing."""
    week = put(tmp_path, "lint", body=named("lint"))
    own = week.with_name("notes.html")
    own.write_bytes(b"caf\xe9\r\n<a href='../index.html'>x</a>")
    link_pages(tmp_path)
    assert own.read_bytes() == b"caf\xe9\r\n<a href='../index.html'>x</a>"
    assert links_of(week) == ["../skills/lint.html"]


def test_page_that_cannot_be_written_is_told(tmp_path: Path):
    """A file stands where the reports should be."""
    (tmp_path / "reports").write_text("", encoding="utf-8")
    with pytest.raises(ReportError, match="cannot be linked"):
        link_pages(tmp_path / "reports")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> SkillReports:
    """A real run over a log of two skills, one with a long name."""
    place = tmp_path_factory.mktemp("all")
    log = place / ".skilltune" / "feedback.jsonl"
    FeedbackLog(log).update(*records([Skill("one", 6), Skill(LONG, 5)], weeks=6))
    options = {"workspace": log.parent, "output": place / "reports", "time_zone": "Europe/Berlin"}
    return all_reports(week="2026-W48", mine_first=False, progress=False, **options)


def test_one_run_writes_the_week_and_each_skill(written: SkillReports):
    """The skills' pages go to the week's end, and the index says so."""
    root = written.index.parent
    assert (written.weekly, written.week) == (root / "2026-W48" / "weekly.html", "2026-W48")
    assert sorted(written.pages) == sorted(["one", LONG])
    assert written.failed == {}
    told = written.index.read_text(encoding="utf-8")
    assert told.count("As of 29 November 2026") == 2
    assert "The first week that has a page." in told


def test_no_link_is_broken(written: SkillReports):
    """Every link of every page leads to a file or a place on the page; week and skills lead to each other."""
    assert written.weekly is not None
    for page in (written.index, written.weekly, *written.pages.values()):
        text = page.read_text(encoding="utf-8")
        for link in links_of(page):
            path, _, place = link.partition("#")
            assert (page.parent / unquote(path)).is_file() if path else f'id="{place}"' in text
    assert {f"../skills/{page.name}" for page in written.pages.values()} <= set(links_of(written.weekly))
    for page in written.pages.values():
        assert {"../index.html", "../2026-W48/weekly.html"} <= set(links_of(page))
