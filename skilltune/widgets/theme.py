"""How panels look: JupyterLab's own colours where it has them, the page's where not, light and dark, from 320 px on."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from markupsafe import Markup

from skilltune.charts.theme import DARK, FONT, LAB, LIGHT, MONOSPACE

__all__ = ["panel_style"]

_SHEETS: Final = ("panel.css", "approval.css", "browser.css")
_OWN: Final = {
    "light": {"turn": "#D7EAF7", "insert": "#D7EAF7", "delete": "#FBE3D6"},
    "dark": {"turn": "#123A54", "insert": "#123A54", "delete": "#4B2714"},
}
"""Colours that only panels have: behind the turn that is asked about, behind words put in and taken out."""


@cache
def panel_style() -> Markup:
    """A style element for all panels; it reaches nothing outside of them."""
    sheet = "".join(files("skilltune.widgets").joinpath(name).read_text(encoding="utf-8") for name in _SHEETS)
    light, dark = LIGHT | _OWN["light"], DARK | _OWN["dark"]
    rules = [
        f".stw{{{_values(light)}color-scheme:light;--font:{FONT};--mono:{MONOSPACE}}}",
        f'[data-jp-theme-light="false"] .stw{{{_values(dark)}color-scheme:dark}}',
        f'[data-jp-theme-light="true"] .stw{{{_values(_in_lab(light))}}}',
        f'[data-jp-theme-light="false"] .stw{{{_values(_in_lab(dark))}}}',
        "@media (prefers-color-scheme:dark){",
        f"body:not([data-jp-theme-light]) .stw{{{_values(dark)}color-scheme:dark}}",
        "}",
    ]
    return Markup("<style>{}</style>").format(Markup("\n".join([*rules, sheet])))  # noqa: S704  # constants of ours


def _values(theme: Mapping[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in theme.items())


def _in_lab(theme: Mapping[str, str]) -> dict[str, str]:
    """JupyterLab's colours under our names, ours as what they fall back to; its second text is too like its first."""
    return {ours: f"var(--jp-{theirs},{theme[ours]})" for ours, theirs in LAB.items() if ours not in ("ink2", "ink3")}
