"""Charts as people see them: in a JupyterLab, light and dark, and on a page of their own."""

import base64
import time

import pytest

from skilltune.charts.pages import chart_page
from skilltune.charts.rates import correction_rate_dots
from skilltune.charts.theme import DARK, LIGHT
from tests.charts.pictures import HOSTILE
from tests.charts.test_rates import rates
from tests.lab import LabPage

pytest.importorskip("playwright", reason="the dependency group browser is not installed")

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

SETUP = "import skilltune as st\nfrom tests.charts.test_rates import rates\nfrom tests.charts.pictures import HOSTILE"
CHART = "st.correction_rate_dots(rates(skill_id=HOSTILE))"
_CORNER = """async picture => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + picture;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
  const drawing = canvas.getContext('2d');
  drawing.drawImage(image, 0, 0);
  return [...drawing.getImageData(3, 3, 1, 1).data.slice(0, 3)];
}"""


def ground(page, element) -> str:
    """The colour of an element near its corner, as it is on the screen."""
    picture = base64.b64encode(element.screenshot()).decode("ascii")
    return "#" + "".join(f"{part:02X}" for part in page.evaluate(_CORNER, picture))


def test_chart_in_jupyterlab_follows_its_theme(browser, jupyterlab):
    """Drawn at once, on the ground of the theme, light and dark; hostile names ran nothing and nothing was loaded."""
    name = jupyterlab.notebook("charts.ipynb", SETUP, CHART)
    shown = LabPage(browser, jupyterlab).open(name)
    try:
        shown.run_all()
        picture = shown.page.locator(".jp-RenderedSVG img")
        picture.wait_for()
        assert ground(shown.page, picture) == LIGHT["bg"]
        shown.turn("dark")
        until = time.monotonic() + 15
        while ground(shown.page, picture) != DARK["bg"] and time.monotonic() < until:
            shown.page.wait_for_timeout(200)  # colours change over a moment
        assert ground(shown.page, picture) == DARK["bg"]
        assert shown.outside == []
        assert shown.page.locator("img[src='x']").count() == 0
    finally:
        shown.close()


def test_interactive_page_draws_itself_from_disk(browser, tmp_path):
    """Vega draws under the page's policy: no complaint, no request, no alert, and the still picture makes way."""
    path = tmp_path / "chart.html"
    chart = correction_rate_dots(rates(skill_id=HOSTILE))
    path.write_text(chart_page(chart, interactive=True), encoding="utf-8")
    context = browser.new_context(offline=True)
    said: list[str] = []
    try:
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.on("request", lambda request: said.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector("#chart svg")
        page.wait_for_function("() => !document.getElementById('still')")
        assert said == [path.as_uri()]
        assert HOSTILE[0] in page.locator("#chart").inner_text()
    finally:
        context.close()
