"""The colours of both themes."""

import pytest

from skilltune.charts.theme import DARK, LIGHT

TEXTS = ("ink", "ink2", "ink3", "worse-text", "better-text")


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, as WCAG 2 defines it."""
    bright, dim = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read_in_both_themes(theme: dict[str, str]):
    """Every text colour has 4.5:1 on the page and on wells; controls' edges have 3:1."""
    for ground in ("bg", "well"):
        for text in TEXTS:
            assert contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
    assert contrast(theme["edge"], theme["bg"]) >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_counts_can_be_read_on_the_heat_map(theme: dict[str, str]):
    """Ink on the first four steps, the heat map's own text on the last two."""
    for step, text in ((1, "ink"), (2, "ink"), (3, "ink"), (4, "heat-text"), (5, "heat-text")):
        assert contrast(theme[text], theme[f"heat{step}"]) >= 4.5, step


def test_themes_name_the_same_colours():
    """What the light theme names, the dark one has."""
    assert LIGHT.keys() == DARK.keys()
