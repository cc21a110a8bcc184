"""The page in a real browser, with every request but its own file refused."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from skilltune.page.headline import headline
from skilltune.page.skill import SkillPage
from skilltune.page.weekly import WeeklyPage
from skilltune.page.words import interval, percent
from skilltune.reports.export import export_html
from skilltune.reports.skill import read_skill
from skilltune.stores.feedback import FeedbackLog
from tests.invented_weeks import END, PICTURE, Skill, records
from tests.page.refinements import much
from tests.page.summaries import ACCURACY, MADE, judged, sections_of, summarize, summary_of, together
from tests.page.test_refinement import hostile
from tests.reports.test_skill_report import PARTS

pytestmark = pytest.mark.browser

HOSTILE = [
    "<script>window.__xss=1</script>",
    '"><img src=x onerror=window.__xss=1>',
    "</style></title></script><script>window.__xss=1</script>",
    "`</code><svg onload=window.__xss=1>` [x](javascript:window.__xss=1)",
    "\u202egnp.exe \x1b[31m {{7*7}} $x$ <meta http-equiv=refresh content=0;url=https://example.org>",
]
ARGUMENTS = [
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip


class Opened:
    """A page with what it asked for and complained about."""

    def __init__(self, page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("console", lambda message: self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.route("**/*", self._answer)

    def _answer(self, route) -> None:
        self.requests.append(route.request.url)
        if len(self.requests) == 1:
            route.continue_()
        else:
            route.abort()

    def open(self, path: Path) -> "Opened":
        """Open a file; what was asked for before is forgotten."""
        self.requests.clear()
        self.errors.clear()
        self.page.goto(path.as_uri())
        return self

    def assert_alone(self) -> None:
        """It asked for its own file only, complained of nothing, and no script ran."""
        assert len(self.requests) == 1
        assert self.errors == []
        assert self.page.evaluate("window.__xss") is None
        assert self.page.locator("script, img, iframe, link, object, embed").count() == 0

    def assert_fits(self) -> None:
        """Nothing reaches out of the window sideways."""
        wide = "document.documentElement.scrollWidth > window.innerWidth"
        assert not self.page.evaluate(wide)


@pytest.fixture
def opened(browser, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """A fresh window; parametrized indirectly by its width and colour scheme."""
    width, scheme = getattr(request, "param", (1280, "light"))
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    yield Opened(context.new_page())
    context.close()


def written(page: WeeklyPage | SkillPage, path: Path) -> Path:
    """The page as a file, by the real template, without a kernel."""
    sections = sections_of(page) if isinstance(page, WeeklyPage) else [getattr(page, part)() for part in PARTS]
    outputs = [
        nbformat.v4.new_output("display_data", data=data, metadata=metadata)
        for data, metadata in (section._repr_mimebundle_() for section in sections)
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=outputs)])
    path.write_text(export_html(notebook, title="T"), encoding="utf-8")
    return path


@pytest.mark.parametrize("opened", [(1280, "light"), (1280, "dark"), (820, "light"), (390, "light")], indirect=True)
def test_real_page_opens_alone_and_fits(opened: Opened, made: Path):
    """From disk, with no other request, no complaint, nothing sideways: in each width and theme."""
    opened.open(made)
    opened.assert_alone()
    opened.assert_fits()
    assert opened.page.locator("h1").all_inner_texts() == [headline(summary_of(PICTURE))]


LONG = {
    "sql-migrations": "database-and-queue-migrations-reviewer",
    "cpp-expert": "some-plugin:cpp-expert-for-embedded",
    "i18n-strings": "internationalisation-strings-check",
}


@pytest.mark.parametrize("names", [{}, LONG], ids=["short names", "long names"])
def test_names_are_never_cut(opened: Opened, tmp_path: Path, names: dict[str, str]):
    """At every width, on screen and in print, each name has room for all of itself, and nothing reaches out."""
    skills = [replace(skill, name=names.get(skill.name, skill.name)) for skill in PICTURE]
    page = WeeklyPage(summary=summary_of(skills), made=MADE, accuracy=ACCURACY)
    opened.open(written(page, tmp_path / "page.html"))
    cut = (
        "[...document.querySelectorAll('.st-name, .st-line')].filter(e => e.scrollWidth > e.clientWidth)"
        ".map(e => e.textContent)"
    )
    for width in (1280, 1255, 1180, 1100, 940, 820, 768, 390):
        opened.page.set_viewport_size({"width": width, "height": 900})
        for media in ("screen", "print"):
            opened.page.emulate_media(media=media)
            assert opened.page.evaluate(cut) == [], (width, media)
            opened.assert_fits()
    assert opened.page.locator(".st-name").count() >= len(PICTURE) - 1


def test_few_data_stand_in_the_columns_of_the_others(opened: Opened, made: Path):
    """Counts under the rates' drawings, judged under judged, what is needed under the verdicts."""
    page = opened.open(made).page
    ranked, few = (page.locator(f".st-ranked tbody {kind}").first for kind in ("tr:not(.st-soft)", "tr.st-soft"))
    for one, other in (("dot", "what"), ("n", "n"), ("verdict", "verdict")):
        left, right = ranked.locator(f".c-{one}").bounding_box(), few.locator(f".c-{other}").bounding_box()
        assert left["x"] == pytest.approx(right["x"], abs=1)


def test_chart_is_drawn_with_axes_and_every_point(opened: Opened, made: Path):
    """Labels of both axes, a ring for each of the 12 weeks and a dot; one of two drawings is seen."""
    page = opened.open(made).page
    row = summary_of(PICTURE).sufficient.iloc[0]
    chart = page.locator(".st-chart-wide svg")
    assert chart.is_visible()
    assert not page.locator(".st-chart-narrow").is_visible()
    texts = chart.locator("text").all_text_contents()
    assert {"7 Sep", "23 Nov", "0", "80%", "n", "v3", percent(row["correction_rate"])} <= set(texts)
    assert chart.locator("g.mark-symbol path").count() == 12 + 1
    rate = f"{percent(row['correction_rate'])} ({interval(row['low'], row['high'])})"
    assert f"{rate}, {row['sample_size']} judged uses" in chart.get_attribute("aria-label")
    box = chart.locator("g.mark-line path").first.bounding_box()
    assert box["width"] > 300


def test_table_rows_have_their_drawings(opened: Opened, made: Path):
    """A dot on its interval and a course in each row, where the rate says."""
    page = opened.open(made).page
    rows = page.locator(".st-ranked tbody:not(.st-few) tr")
    ranked = summary_of(PICTURE).sufficient
    assert rows.count() == len(ranked)
    assert rows.filter(has=page.locator(".st-spark polyline")).count() == len(ranked)
    place = "row => { const s = row.querySelector('.st-interval').getBoundingClientRect();"
    place += " const d = row.querySelector('circle').getBoundingClientRect();"
    place += " return (d.x + d.width / 2 - s.x) / s.width }"
    assert rows.first.evaluate(place) == pytest.approx(ranked["correction_rate"].iloc[0], abs=0.01)


def test_themes_follow_the_reader(browser, made: Path):
    """Dark colours in dark mode, also inside drawings; print is light."""
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(made.as_uri())
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 27)"
    band = "getComputedStyle(document.querySelector('.st-chart-wide g.mark-area path')).fill"
    assert page.evaluate(band) == "rgb(52, 58, 64)"
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate(band) == "rgb(217, 219, 216)"
    context.close()


@pytest.mark.parametrize("opened", [(390, "light")], indirect=True)
def test_narrow_rows_become_blocks(opened: Opened, made: Path):
    """Name and rate, the interval in full width, then verdict left and course right; the narrow chart."""
    page = opened.open(made).page
    row = page.locator(".st-ranked tbody tr").first
    boxes = {name: row.locator(f".c-{name}").bounding_box() for name in ("name", "rate", "dot", "verdict", "spark")}
    assert boxes["name"]["y"] < boxes["dot"]["y"] < boxes["verdict"]["y"]
    assert boxes["dot"]["width"] == pytest.approx(350, abs=2)
    assert boxes["verdict"]["x"] < boxes["spark"]["x"]
    assert page.locator(".st-chart-narrow svg").is_visible()
    assert not page.locator(".st-chart-wide").is_visible()
    for summary in page.locator("summary").all():
        summary.click()
        assert summary.bounding_box()["height"] >= 32
    opened.assert_fits()


def test_text_is_large_enough_and_parts_are_named(opened: Opened, made: Path):
    """No text is under 12 px; sections, tables and drawings have names for a screen reader."""
    page = opened.open(made).page
    sizes = page.evaluate(
        "[...document.querySelectorAll('main *')].filter(e => [...e.childNodes].some(n => n.nodeType == 3 &&"
        " n.textContent.trim())).map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 12
    assert page.locator("section").count() == page.locator("section[aria-labelledby]").count() == 11
    assert page.locator("table").count() == page.locator("table > caption").count()
    assert page.locator("svg:not([aria-hidden])").count() == page.locator("svg[role=img][aria-label]").count()


@pytest.mark.parametrize("opened", [(1280, "light"), (390, "light")], indirect=True)
def test_hostile_text_stays_text(opened: Opened, tmp_path: Path):
    """Names, quotes and projects that would be code are seen as what they are."""
    sayings = [(text, "en") for text in HOSTILE]
    names = [*HOSTILE[:4], "W" * 120, "数据库迁移" * 24]
    skills = [Skill(name, 9, 0.2, 0.5, sayings=sayings, project="/x/<script>window.__xss=1<") for name in names]
    page = WeeklyPage(summary=summary_of(skills), made=MADE, accuracy=ACCURACY, refinement=hostile())
    opened.open(written(page, tmp_path / "hostile.html"))
    opened.page.wait_for_timeout(200)
    opened.assert_alone()
    opened.assert_fits()
    assert opened.page.url.endswith("hostile.html")
    assert "<script>window.__xss=1</script>" in opened.page.inner_text("main")


def _one() -> WeeklyPage:
    return WeeklyPage(summary=together(judged("only", "c")), made=MADE)


def _empty() -> WeeklyPage:
    return WeeklyPage(summary=summarize([], []), made=MADE, sample=True)


def _many() -> WeeklyPage:
    return WeeklyPage(summary=summary_of([Skill(f"a-plugin:skill-{n}", 4, 0.3, 0.3) for n in range(60)]), made=MADE)


def _steady() -> WeeklyPage:
    return WeeklyPage(summary=summary_of([replace(PICTURE[3], name="only")]), made=MADE)


def _refined() -> WeeklyPage:
    return WeeklyPage(summary=summary_of(PICTURE), made=MADE, accuracy=ACCURACY, refinement=much())


@pytest.mark.parametrize("make", [_one, _empty, _many, _steady, _refined])
def test_odd_weeks_look_right(opened: Opened, tmp_path: Path, make):
    """One use, nothing at all, sixty skills, one skill, much refinement: one headline, and it fits every width."""
    opened.open(written(make(), tmp_path / "page.html"))
    opened.assert_alone()
    assert opened.page.locator("h1").count() == 1
    for width in (1280, 940, 820, 390):
        opened.page.set_viewport_size({"width": width, "height": 900})
        opened.assert_fits()


@pytest.mark.parametrize("opened", [(1280, "light"), (1280, "dark"), (390, "light")], indirect=True)
def test_what_waits_is_reached_and_read(opened: Opened, tmp_path: Path):
    """The lede's link leads to the section; meters, dots and marks of a change are drawn, and every text is large."""
    page = opened.open(written(_refined(), tmp_path / "page.html")).page
    page.get_by_role("link", name="2 suggestions wait for approval").click()
    assert page.url.endswith("#waiting")
    assert page.locator("#waiting .st-meter").count() == 2
    assert page.locator("#refinements .st-effect circle").count() == 6
    drawn = page.locator("#refinements .st-effect").first.bounding_box()
    assert drawn["width"] > (200 if page.viewport_size["width"] > 800 else 340)
    for mark in ("del", "ins"):
        place = page.locator(f"#contradictions {mark}").first
        ground = place.evaluate("e => getComputedStyle(e).backgroundColor")
        assert ground not in ("rgba(0, 0, 0, 0)", page.evaluate("getComputedStyle(document.body).backgroundColor"))
    sizes = page.evaluate(
        "[...document.querySelectorAll('main *')].filter(e => [...e.childNodes].some(n => n.nodeType == 3 &&"
        " n.textContent.trim())).map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 12


def test_index_opens_alone(opened: Opened, made: Path):
    """The list of weeks leads to the page, which leads back."""
    opened.open(made.parents[1] / "index.html")
    opened.assert_alone()
    opened.assert_fits()
    link = opened.page.get_by_role("link", name="Week 48, 2026 · 23–29 November")
    assert link.get_attribute("href") == "2026-W48/weekly.html"
    assert (made.parents[1] / link.get_attribute("href")).is_file()


@pytest.mark.parametrize(
    "skill",
    [
        Skill("plain", 9, 0.2, 0.5, versions=[("a" * 12, 99), ("b" * 12, 5)]),
        Skill("W" * 120, 9, 0.2, 0.5),
        Skill("数据库迁移" * 24, 3),
        Skill("once", 1, first_week=2),
        Skill(HOSTILE[0], 9, 0.2, 0.5, sayings=[(text, "en") for text in HOSTILE]),
    ],
    ids=["two texts", "long name", "long name without a break", "hardly used", "hostile"],
)
def test_skill_page_opens_alone_and_fits(opened: Opened, tmp_path: Path, skill: Skill):
    """One headline, no other request, nothing sideways at any width, every text large enough."""
    log = tmp_path / "log" / "feedback.jsonl"
    FeedbackLog(log).update(*records([skill, Skill("other", 4)], seed=2))
    page = read_skill(skill=skill.name, workspace=str(log), as_of=END.isoformat())
    opened.open(written(page, tmp_path / "page.html"))
    opened.assert_alone()
    assert opened.page.locator("h1").count() == 1
    assert opened.page.locator("table").count() == opened.page.locator("table > caption").count()
    for width in (1280, 820, 390):
        opened.page.set_viewport_size({"width": width, "height": 900})
        opened.assert_fits()
