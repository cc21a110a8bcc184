"""A raw rate beside a corrected one."""

import re

from hypothesis import given
from hypothesis import strategies as st

from skilltune.charts.quality import corrected_row


def test_row_places_both_dots_and_the_interval():
    """Hollow where the rules are, full where the labels are, a line from low to high; dashed where borrowed."""
    svg = corrected_row(0.2, rate=0.35, low=0.25, high=0.5, text="docx")
    assert 'x1="25.00%" x2="50.00%"' in svg
    assert re.findall(r'<circle cx="([\d.]+)%"[^>]*fill="var\(--(\w+)\)"', svg) == [("20.00", "bg"), ("35.00", "mark")]
    assert "dasharray" not in svg
    assert "dasharray" in corrected_row(0.2, rate=0.35, low=0.25, high=0.5, text="docx", borrowed=True)
    assert corrected_row(None, rate=0.35, low=0.25, high=0.5, text="docx").count("<circle") == 1


@given(st.text())
def test_row_text_is_escaped(text: str):
    """A name can't leave the drawing's label."""
    svg = corrected_row(0.2, rate=0.35, low=0.25, high=0.5, text=text)
    attribute = svg[svg.index('aria-label="') + 12 :]
    assert not set("<>") & set(attribute[: attribute.index('"')])
