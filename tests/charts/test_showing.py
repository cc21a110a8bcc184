"""Charts in notebooks: what a notebook keeps of them."""

import base64
import json
import re

import altair as alt
import nbformat
import pandas as pd
import pytest
from nbclient import NotebookClient

from skilltune.charts.rates import correction_rate_dots
from skilltune.charts.showing import chart_bundle, drawn_columns, use_charts, use_charts_in_notebook
from skilltune.charts.theme import DARK, LIGHT
from skilltune.reports.export import export_html
from tests.charts.test_rates import rates
from tests.conftest import ROOT


@pytest.fixture(autouse=True)
def _as_before():
    """No test changes how charts are shown elsewhere."""
    before = alt.renderers.active
    yield
    alt.renderers.enable(before)


def hostile() -> alt.Chart:
    """Somebody's own chart: of two columns, with a third that holds what a session said."""
    frame = pd.DataFrame({"day": [1, 2], "rate": [0.1, 0.2], "said": ["</script><script>alert(1)</script>"] * 2})
    return alt.Chart(frame).mark_point().encode(x="day:Q", y=alt.Y("rate:Q", title="</script>"))


def test_bundle_holds_svg_png_and_words():
    """A picture for everybody: vector, pixels, and what a screen reader says, each with its alternative text."""
    bundle, told = chart_bundle(correction_rate_dots(rates()).to_dict())
    assert set(bundle) == {"image/svg+xml", "image/png", "text/plain"}
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert bundle["text/plain"].startswith("Correction rates of 3 skills, n = 1076.")
    assert told["image/svg+xml"]["alt"] == bundle["text/plain"]
    assert told["image/png"]["width"] > 400


def test_svg_has_both_themes_inside():
    """Light by itself, dark where the reader's page is; every colour is named."""
    svg = chart_bundle(correction_rate_dots(rates()).to_dict())[0]["image/svg+xml"]
    style = re.search(r"<style>(.*?)</style>", svg)[1]
    light, dark = style.split("@media (prefers-color-scheme:dark)")
    for name in ("ink", "mark", "bg", "worse"):
        assert f"--{name}:{LIGHT[name]};" in light
        assert f"--{name}:{DARK[name]};" in dark
    drawing = svg.replace(style, "")
    assert not re.findall(r'(?:fill|stroke)="#', drawing)
    assert "http" not in drawing.replace("http://www.w3.org/2000/svg", "")


def test_same_chart_gives_the_same_bytes():
    """Two runs of a notebook do not differ, and two charts of one page share no id."""
    one, again = (chart_bundle(correction_rate_dots(rates()).to_dict())[0] for _ in range(2))
    assert one == again
    other = chart_bundle(correction_rate_dots(rates().head(2)).to_dict())[0]
    ids = [set(re.findall(r' id="([^"]+)"', each["image/svg+xml"])) for each in (one, other)]
    assert not ids[0] & ids[1]


def test_text_in_data_does_not_become_code():
    """Neither as markup in the picture nor by staying in the notebook undrawn."""
    bundle, _ = chart_bundle(hostile().to_dict(), interactive=True)
    assert "<script" not in bundle["image/svg+xml"]
    assert "alert" not in json.dumps(bundle)


def test_only_drawn_columns_stay():
    """Also of data that stand where they are drawn; transforms and expressions keep what they name."""
    assert all(
        set(row) == {"day", "rate"} for rows in drawn_columns(hostile().to_dict())["datasets"].values() for row in rows
    )
    inline = {
        "data": {"values": [{"a": 1, "b": 2, "said": "x"}]},
        "transform": [{"calculate": "datum.b + 1", "as": "c"}],
        "encoding": {"x": {"field": "a"}},
    }
    assert drawn_columns(inline)["data"]["values"] == [{"a": 1, "b": 2}]
    assert inline["data"]["values"][0]["said"] == "x"


def test_use_charts_takes_the_place_of_the_renderer():
    """All altair charts are shown by it then; with the specification only where that is asked for."""
    use_charts()
    bundle, _ = hostile()._repr_mimebundle_()
    assert set(bundle) == {"image/svg+xml", "image/png", "text/plain"}
    use_charts(interactive=True)
    bundle, _ = hostile()._repr_mimebundle_()
    assert bundle["application/vnd.vegalite.v6+json"]["encoding"]["x"]["field"] == "day"


def test_without_a_kernel_nothing_is_turned_on():
    """A script keeps the renderer it has."""
    before = alt.renderers.active
    use_charts_in_notebook()
    assert alt.renderers.active == before


def test_notebook_run_without_a_front_end_is_valid_and_becomes_a_page(monkeypatch):
    """As papermill and nbconvert do it: no fault, no script, nothing loaded, the chart with its alternative text."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    cells = [
        "import altair as alt, skilltune as st\nfrom tests.charts.test_rates import rates",
        "st.correction_rate_dots(rates())",
        "st.correction_rate_dots(rates().head(0))",
        "st.use_charts(interactive=True)\nst.correction_rate_dots(rates())",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    nbformat.validate(notebook)
    kinds = [set(cell.outputs[0].data) for cell in notebook.cells[1:]]
    assert kinds[0] == {"image/svg+xml", "image/png", "text/plain"}
    assert kinds[1] == {"text/html", "text/plain"}
    assert kinds[2] == kinds[0] | {f"application/vnd.vegalite.v{version}+json" for version in (5, 6)}
    page = export_html(notebook, title="Charts")
    assert "<script" not in page
    assert page.count("data:image/svg+xml;base64,") == 2
    assert page.count('alt="Correction rates of 3 skills') == 2
    assert "No skill has a judged use in this window." in page
