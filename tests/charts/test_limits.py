"""Meters, and a rate before and after: where their marks stand."""

import re

import pytest

from skilltune.charts.limits import METER_WIDTH, Span, effect_axis, effect_row, meter

NOTHING = Span(0.0, 0.0, 0.1)


def bars(svg: str) -> list[tuple[float, float, str]]:
    """Start, end and opacity of each bar, the ground first."""
    found = re.findall(r'<rect x="([\d.]+)"[^>]* width="([\d.]+)"[^>]* fill-opacity="([\d.]+)"', svg)
    return [(float(start), float(start) + float(width), opacity) for start, width, opacity in found]


def test_meter_has_its_limit_at_four_fifths():
    """What is there is dark from 0 on, what would be added lighter, the tick at the limit."""
    svg = meter(30, limit=60, projected=45, text="drift")
    edge = METER_WIDTH * 0.8
    ground, ahead, now = bars(svg)
    assert ground[:2] == (0, METER_WIDTH)
    assert ahead == (0, pytest.approx(edge * 0.75), "0.5")
    assert now == (0, pytest.approx(edge * 0.5), "1")
    assert f'x1="{edge:.1f}" x2="{edge:.1f}"' in svg


@pytest.mark.parametrize(("now", "ahead"), [(70, 40), (1000, 2000), (0, 0)])
def test_meter_stays_inside_its_frame(now: float, ahead: float):
    """Beyond the limit, far beyond it, and at nothing; a step back is lighter too."""
    drawn = bars(meter(now, limit=60, projected=ahead, text="drift"))
    assert all(0 <= start <= end <= METER_WIDTH + 0.1 for start, end, _ in drawn)
    assert (now > ahead) == (drawn[-1][2] == "0.5" and len(drawn) == 3)


def test_dots_stand_at_their_rates():
    """Hollow before, above; full after, below; each on its interval; the colour only after."""
    svg = effect_row(Span(0.4, 0.3, 0.5), Span(0.2, 0.1, 0.3), text="x", top=0.8, ticks=(0, 0.4, 0.8), tone="better")
    dots = re.findall(r'<circle cx="([\d.]+)%" cy="(\d+)"[^>]* fill="var\(--(\w+)\)"', svg)
    assert dots == [("50.00", "11", "bg"), ("25.00", "25", "better")]
    assert 'x1="37.50%" x2="62.50%"' in svg
    assert svg.count("var(--better)") == 2
    assert "var(--better)" not in effect_row(NOTHING, NOTHING, text="x", top=0.8, ticks=(0, 0.8))


def test_sign_stands_on_the_last_number_only():
    """0, 40, 80%."""
    assert re.findall(r">([^<>]+)</text>", effect_axis(top=0.8, ticks=(0, 0.4, 0.8))) == ["0", "40", "80%"]


def test_words_are_escaped_and_named():
    """A drawing says what it shows, as text."""
    for svg in (meter(1, limit=2, text="<b>"), effect_row(NOTHING, NOTHING, text="<b>", top=1, ticks=(0, 1))):
        assert 'role="img" aria-label="&lt;b&gt;"' in svg
        assert "<b>" not in svg
