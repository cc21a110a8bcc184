"""Colours and type of every chart, and the renderer that draws them offline.

A chart is drawn once, in the light colours; ``charts.drawing`` then replaces each colour by its name, so that the page
decides which theme it is seen in.
"""

from typing import Final

import altair as alt

__all__ = ["DARK", "FONT", "LAB", "LIGHT", "MONOSPACE", "skilltune_theme"]

FONT: Final = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif'
MONOSPACE: Final = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace'

LIGHT: Final[dict[str, str]] = {
    "bg": "#FFFFFF",
    "well": "#F6F6F3",
    "ink": "#1A1D21",
    "ink2": "#4C5259",
    "ink3": "#686E75",
    "rule": "#E2E3DF",
    "rule2": "#B4B8B6",
    "edge": "#84898E",
    "mark": "#3E454C",
    "band": "#D9DBD8",
    "worse": "#D55E00",
    "worse-text": "#AD4300",
    "better": "#0072B2",
    "better-text": "#00629B",
    "heat0": "#F6F6F3",
    "heat1": "#FBEAD6",
    "heat2": "#F5CFA3",
    "heat3": "#E9A568",
    "heat4": "#B05A1C",
    "heat5": "#8A3B08",
    "heat-text": "#FFFFFF",
}
"""Light value of each colour by its name."""

DARK: Final[dict[str, str]] = {
    "bg": "#15181B",
    "well": "#1D2125",
    "ink": "#E9EBED",
    "ink2": "#B5BBC1",
    "ink3": "#9299A0",
    "rule": "#2C3136",
    "rule2": "#555C64",
    "edge": "#78808A",
    "mark": "#C3C9CE",
    "band": "#343A40",
    "worse": "#F58549",
    "worse-text": "#FF9E6B",
    "better": "#56B4E9",
    "better-text": "#74C3F2",
    "heat0": "#1D2125",
    "heat1": "#33271E",
    "heat2": "#553720",
    "heat3": "#864E22",
    "heat4": "#C8772F",
    "heat5": "#FFB377",
    "heat-text": "#15181B",
}
"""Dark value of each colour by its name."""


LAB: Final[dict[str, str]] = {
    "bg": "layout-color0",
    "ink": "content-font-color0",
    "ink2": "content-font-color1",
    "ink3": "content-font-color2",
    "rule": "border-color2",
    "rule2": "border-color1",
}
"""JupyterLab's own name for those colours that follow its theme."""


@alt.theme.register("skilltune", enable=False)
def skilltune_theme() -> alt.theme.ThemeConfig:
    """Vega-Lite settings that all charts share: hairlines, no frame, the page's type."""
    axis: alt.theme.AxisConfigKwds = {
        "labelColor": LIGHT["ink3"],
        "labelFontSize": 12,
        "titleColor": LIGHT["ink3"],
        "titleFontSize": 12,
        "titleFontWeight": 400,
        "domain": False,
        "ticks": False,
        "gridColor": LIGHT["rule"],
        "labelPadding": 8,
    }
    return {
        "config": {
            "background": LIGHT["bg"],
            "font": FONT,
            "view": {"stroke": None},
            "axis": axis,
            "text": {"color": LIGHT["ink3"], "fontSize": 12},
        }
    }
