"""The turn browser in a real JupyterLab, in a real browser."""

from pathlib import Path

import pytest

from tests.lab import Lab, LabPage
from tests.widgets.labelled_home import write_hostile, write_sessions

pytestmark = pytest.mark.browser

PANEL = """
from skilltune.widgets.browser import TurnBrowser
browser = TurnBrowser({sessions!r})
browser
"""


ON_CURRENT_ROW = """() => {
  const at = document.activeElement, box = at.getBoundingClientRect();
  return at.matches('.stw-item.stw-chosen') && box.top >= 0 && box.bottom <= window.innerHeight;
}"""


def opened(browser, lab: Lab, *, sessions: Path, name: str) -> LabPage:
    """The browser of these sessions."""
    lab.notebook(name, PANEL.format(sessions=str(sessions)))
    at = LabPage(browser, lab).open(name).run_all()
    at.page.get_by_role("region", name="Browse turns").wait_for()
    return at


def test_person_browses_by_keyboard_alone(browser, jupyterlab: Lab, tmp_path: Path):
    """Filters, list and jumps by Tab and single keys, the focus on the turn shown; none reaches JupyterLab; axe."""
    at = opened(browser, jupyterlab, sessions=write_sessions(tmp_path, uses=8), name="browse.ipynb")
    page, cells = at.page, at.cells()
    heading = page.locator(".stw-heading h3")
    page.get_by_label("skill", exact=True).focus()
    at.tab_to("Add a unique index")
    page.keyboard.press("j")
    heading.filter(has_text="turn 2 of 24").wait_for()
    page.wait_for_function(ON_CURRENT_ROW)  # until then a further key would be for a turn that nobody saw
    page.keyboard.press("n")
    page.get_by_role("heading", name="Verdict: correction").wait_for()
    page.wait_for_function(ON_CURRENT_ROW)
    for _ in range(12):
        before = heading.text_content()
        page.keyboard.press("j")
        page.wait_for_function("old => document.querySelector('.stw-heading h3').textContent !== old", arg=before)
        page.wait_for_function(ON_CURRENT_ROW)
    assert page.locator(".stw-item.stw-chosen").count() == 1
    page.keyboard.press("s")
    page.get_by_role("status").filter(has_text="Only this session").wait_for()
    assert page.get_by_role("heading", name="3 of 24 turns").count() == 1
    page.keyboard.press("u")
    page.get_by_role("status").filter(has_text="The use:").wait_for()
    page.keyboard.press("a")
    page.get_by_role("heading", name="24 turns", exact=True).wait_for()
    page.keyboard.press("k")
    for key in ("b", "x", "d", "d"):
        page.keyboard.press(key)
    assert at.cells() == cells, "no key reached JupyterLab"
    words = page.get_by_label("words")
    words.focus()
    page.keyboard.type("undo that")
    page.keyboard.press("Enter")
    heading.filter(has_text="turn 1 of 1 ").wait_for()
    assert page.evaluate("document.activeElement.placeholder") == "then Enter", "the focus stays in the filter"
    assert at.violations(".stw-browser") == []
    at.turn("dark")
    assert at.violations(".stw-browser") == []
    at.turn("light")
    assert at.outside == []
    at.close()


def test_hostile_words_stay_words_and_everything_fits(browser, jupyterlab: Lab, tmp_path: Path):
    """In skills, prompts, answers; wide and narrow; nothing reaches out sideways."""
    at = opened(browser, jupyterlab, sessions=write_hostile(tmp_path), name="hostile-turns.ipynb")
    page = at.page
    wide = (
        "[...document.querySelectorAll('.stw *')].filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1"
        " && getComputedStyle(e).overflowX === 'visible').map(e => e.className)"
    )
    for place in range(0, page.locator(".stw-item:visible").count(), 2):
        page.set_viewport_size({"width": 1280, "height": 900})
        page.locator(".stw-item").nth(place).click()
        page.locator(".stw-item.stw-chosen").nth(0).wait_for()
        for width in (1280, 520):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(wide) == []
    assert page.evaluate("window.__xss") is None
    assert page.locator(".stw-main img, .stw script, .stw-main svg").count() == 0
    assert at.outside == []
    at.close()


CHARTS = (
    """
import skilltune as st
from tests.charts.test_rates import rates
st.correction_rate_dots(rates())
""",
    """
st.use_charts(interactive=True)
st.correction_rate_dots(rates())
""",
)


def test_charts_are_drawn_without_a_network(browser, jupyterlab: Lab):
    """As a picture, or by JupyterLab itself with what is under the pointer; no menu leads outside."""
    jupyterlab.notebook("charts.ipynb", *CHARTS)
    at = LabPage(browser, jupyterlab).open("charts.ipynb").run_all()
    outputs = at.page.locator(".jp-OutputArea-output")
    assert outputs.nth(0).locator("img[src^='data:image/svg+xml']").count() == 1
    drawn = outputs.nth(1).locator("svg.marks, canvas.marks")
    drawn.first.wait_for()
    assert outputs.nth(1).locator("details").count() == 0
    assert at.outside == []
