"""Hidden characters of labels and words: written out before anything draws or says them."""

import base64
import re
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from skilltune.charts.cleaning import visible_spec, visible_text
from skilltune.charts.drawing import chart_svg
from skilltune.charts.pages import chart_page
from skilltune.charts.showing import chart_bundle
from tests.charts.pictures import words

ODD = "a\u202eb\x1b[1m\x00\ud800\ufffec"
SHOWN = "a\\u202eb\\u001b[1m\\u0000\\ud800\\ufffec"


def labelled() -> dict:
    """Somebody's own chart: odd text in its data, its axis, its description."""
    return {
        "data": {"values": [{"name": ODD, "rate": 0.5}]},
        "mark": "text",
        "encoding": {"x": {"field": "rate", "type": "quantitative", "title": ODD}, "text": {"field": "name"}},
        "description": ODD,
    }


def test_drawing_says_and_shows_them_written_out():
    """In labels, the axis title, the name and the title; a raw escape would end the process."""
    svg = ET.fromstring(chart_svg(labelled(), name="x", description=ODD))  # noqa: S314  # our own drawing
    assert words(svg).count(SHOWN) == 2
    assert svg.get("aria-label") == SHOWN
    assert svg.find("{http://www.w3.org/2000/svg}title").text == SHOWN


def test_notebook_and_page_say_and_show_them_written_out():
    """Picture, pixels, words and alternative text; the specification and a sentence in place of a picture."""
    bundle, told = chart_bundle(labelled(), interactive=True)
    assert bundle["text/plain"] == told["image/png"]["alt"] == told["image/svg+xml"]["alt"] == SHOWN
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    alone, _ = chart_bundle({"usermeta": {"sentence": ODD}})
    assert alone == {"text/html": f"<p>{SHOWN}</p>", "text/plain": SHOWN}
    for text in (str(bundle), chart_page(labelled())):
        assert not re.search("[\x00\x1b\u202e\ud800\ufffe]", text)
    assert f"<title>{SHOWN}</title>" in chart_page(labelled())


@given(st.text())
def test_text_is_one_line_without_anything_hidden(text: str):
    """Whatever it was, what is left prints or joins; a second time changes nothing."""
    shown = visible_text(text)
    assert not [char for char in shown if ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or 0xD800 <= ord(char) < 0xE000]
    assert visible_text(shown) == shown


def test_specification_keeps_its_form():
    """Numbers, lines of a text and letters that belong together stay."""
    spec = {"a": [1, None, "x\ny", ("p\x1b",)], "b": {"می\u200cخواهم": True}}
    assert visible_spec(spec) == {"a": [1, None, "x\ny", ["p\\u001b"]], "b": {"می\u200cخواهم": True}}
