"""A skill's own page in a real browser: wide and narrow, light and dark."""

from dataclasses import replace
from pathlib import Path

import pytest

from skilltune.reports.skill import read_skill
from skilltune.stores.feedback import FeedbackLog
from tests.invented_weeks import END, Skill, records
from tests.reports.test_browser import Opened, written

pytest.importorskip("axe_playwright_python", reason="the dependency group browser is not installed")

pytestmark = pytest.mark.browser

WRAPPED = """() => [...document.querySelectorAll(
  '.st-rate, .st-whole, .st-lede .st-one, .st-name:not(.st-breaks)')].flatMap(
  e => [...e.childNodes]).filter(node => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return node.nodeType === 3 && range.getClientRects().length > 1;
  }).map(node => node.textContent)"""
CUT = "[...document.querySelectorAll('svg text')].filter(e => e.getBoundingClientRect().right > innerWidth).length"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a skill whose rate, versions and cost are known."""
    folder = tmp_path_factory.mktemp("skill")
    skill = Skill("sql-migrations", 11, 0.18, 0.55, 4, 0.57, versions=[("a1" * 6, 99), ("b2" * 6, 8), ("c3" * 6, 3.99)])
    events, uses = records([skill], seed=3)
    tokens = {"tokens_output": 300, "tokens_cache_read": 20_000, "tokens_cache_write": 0, "subagent_tokens": 9_000}
    costly = [replace(event, tokens_input=50 * at, wall_seconds=30 + at, **tokens) for at, event in enumerate(events)]
    FeedbackLog(folder / "feedback.jsonl").update(costly, uses)
    made = read_skill(skill="sql-migrations", workspace=str(folder / "feedback.jsonl"), as_of=END.isoformat())
    return written(made, folder / "page.html")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_skill_page_can_be_read_by_everybody(browser, page: Path, width: int, scheme: str):
    """It fits, no rate, interval or short name wraps, every drawing has its name, axe finds nothing serious."""
    from axe_playwright_python.sync_playwright import Axe

    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    try:
        opened = Opened(context.new_page()).open(page)
        opened.assert_alone()
        opened.assert_fits()
        shown = opened.page
        assert shown.evaluate(WRAPPED) == []
        assert shown.evaluate(CUT) == 0
        assert shown.locator(".st-effect[aria-label], .st-spread[aria-label]").count() == 2 + 3
        assert shown.locator("th").evaluate_all("all => all.filter(e => !e.textContent.trim()).length") == 0
        found = Axe().run(shown).response
        serious = [item for item in found["violations"] if item["impact"] in ("serious", "critical")]
        assert [(item["id"], item["nodes"][0]["html"]) for item in serious] == []
        assert len(found["passes"]) > 10
    finally:
        context.close()
