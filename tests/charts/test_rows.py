"""Small drawings for table rows."""

import math
import re

from hypothesis import given
from hypothesis import strategies as st

from skilltune.charts.rows import SPARK_HEIGHT, RowPoint, interval_axis, interval_row, sparkline

GAP = RowPoint(math.nan, math.nan, math.nan)


def test_interval_row_places_everything_in_percent():
    """Dot, interval, tick and reference stand where their share says, at any width."""
    svg = interval_row(0.47, low=0.33, high=0.6, text="47%", tone="worse", tick=0.42, reference=0.26)
    assert 'cx="47.00%"' in svg
    assert 'x1="33.00%" x2="60.00%"' in svg
    assert 'x1="42.00%" x2="42.00%"' in svg
    assert 'x1="26.00%" x2="26.00%" y1="2" y2="30" stroke="var(--ink3)" stroke-width="1" stroke-dasharray' in svg
    assert 'role="img" aria-label="47%"' in svg


def test_interval_row_is_grey_without_evidence():
    """Only worse and better have colours."""
    for tone in ("plain", "quiet"):
        svg = interval_row(0.5, low=0.2, high=0.8, text="", tone=tone)
        assert "var(--worse)" not in svg
        assert "var(--better)" not in svg
        assert "var(--mark)" in svg


def test_axis_has_the_sign_on_the_last_number_only():
    """0, 25, 50, 75, 100%."""
    assert re.findall(r">([\d%]+)<", interval_axis()) == ["0", "25", "50", "75", "100%"]


def test_sparkline_keeps_gaps():
    """Weeks without a rate part the line; the dot stands on the last week only."""
    point = RowPoint(0.3, 0.2, 0.4)
    svg = sparkline([point, point, GAP, point, point, point], top=0.5, text="")
    assert svg.count("<polyline") == 2
    assert svg.count("<polygon") == 2
    assert svg.count("<circle") == 1
    assert "<circle" not in sparkline([point, GAP], top=0.5, text="")
    assert "polyline" not in sparkline([GAP, GAP], top=0.5, text="")


def test_sparkline_of_one_week_shows_its_interval():
    """A single week has a band that can be seen."""
    svg = sparkline([GAP, RowPoint(0.3, 0.2, 0.4)], top=0.5, text="")
    xs = [float(pair.split(",")[0]) for pair in re.search(r'polygon points="([^"]+)"', svg)[1].split()]
    assert max(xs) - min(xs) == 3


@given(st.lists(st.tuples(*[st.floats(0, 1)] * 3).map(sorted), min_size=1, max_size=12), st.floats(0.1, 1))
def test_sparkline_stays_inside_its_frame(weeks, top):
    """Whatever the rates, no point leaves the picture."""
    svg = sparkline([RowPoint(middle, low, high) for low, middle, high in weeks], top=top, text="")
    for points in re.findall(r'points="([^"]+)"', svg):
        assert all(0 <= float(pair.split(",")[1]) <= SPARK_HEIGHT for pair in points.split())


@given(st.text())
def test_text_of_a_drawing_is_escaped(text):
    """A label can't leave its attribute."""
    for svg in (interval_row(0.5, low=0.2, high=0.8, text=text), sparkline([GAP], top=1, text=text)):
        attribute = svg[svg.index('aria-label="') + 12 :]
        assert not set("<>") & set(attribute[: attribute.index('"')])
