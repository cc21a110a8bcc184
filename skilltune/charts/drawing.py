"""A chart as an SVG that stands in a page: named colours, the page's type, one name for a screen reader, no clashes."""

import re
from collections.abc import Mapping
from typing import Any, Final

import altair as alt
import vl_convert
from markupsafe import Markup

from skilltune.charts.cleaning import visible_spec, visible_text
from skilltune.charts.theme import DARK, FONT, LIGHT

__all__ = ["VEGA_LITE", "chart_png", "chart_svg", "standalone_svg"]

VEGA_LITE: Final = "6.4"
"""The Vega-Lite version that altair writes and vl-convert draws."""

_COLOURS: Final = {value.lower(): name for name, value in reversed(LIGHT.items())}
_HEX: Final = re.compile("|".join(_COLOURS), re.IGNORECASE)
_SPOKEN: Final = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')
_FONT: Final = re.compile(r' font-family="[^"]*"')
_CLIP: Final = re.compile(r"\bclip\d+\b")
_OPENING: Final = re.compile(r"<svg [^>]*>")


def chart_svg(
    chart: alt.LayerChart | alt.Chart | alt.VConcatChart | Mapping[str, Any], *, name: str, description: str
) -> Markup:
    """`chart` as an SVG element whose colours are ``var(--token)`` and whose alternative text is `description`.

    Hidden characters of labels and of `description` are written out.

    Texts are parted by blanks: they are still words where a viewer takes the drawing away and leaves its text.

    Parameters
    ----------
    chart
        A chart (or its Vega-Lite specification) in the light colours of ``charts.theme``.
    name
        A word that no other drawing of the page has; ids inside begin with it.
    description
        What the chart shows, with its finding and n.
    """
    spec = dict(chart) if isinstance(chart, Mapping) else chart.to_dict()
    svg = _drawn(spec)
    opening = _OPENING.match(svg)
    if opening is None:
        raise ValueError("vl-convert gave no SVG")
    inner = _FONT.sub("", svg[opening.end() :])
    inner = _HEX.sub(lambda found: f"var(--{_COLOURS[found[0].lower()]},{found[0]})", _own_ids(inner, name=name))
    width, height = (float(re.search(rf' {side}="([\d.]+)"', opening[0])[1]) for side in ("width", "height"))  # type: ignore[index]  # vl-convert always writes both
    head = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="st-chart st-{name}" role="img" aria-label="{text}" '
        'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" font-family="{font}">'
        "<title>{text}</title> "
    ).format(name=name, text=visible_text(description), width=width, height=height, font=FONT)
    inner = inner.replace("</text>", "</text> ")
    return head + Markup(inner)  # noqa: S704  # vl-convert escapes text; tested with hostile labels


def standalone_svg(chart: Mapping[str, Any] | alt.LayerChart, *, name: str, description: str) -> Markup:
    """As ``chart_svg``, with both themes inside: a picture that stands by itself follows its reader's."""
    svg = chart_svg(chart, name=name, description=description)
    style = Markup(
        "<style>.st-chart{{{light}background:{light_bg}}}@media (prefers-color-scheme:dark)"
        "{{.st-chart{{{dark}background:{dark_bg}}}}}</style>"
    ).format(light=_values(LIGHT), dark=_values(DARK), light_bg=LIGHT["bg"], dark_bg=DARK["bg"])
    return Markup(svg.replace("</title> ", Markup("</title>") + style, 1))  # noqa: S704  # both parts are markup


def chart_png(chart: Mapping[str, Any], *, scale: float) -> bytes:
    """A specification as pixels in the light colours, so many for each of its own."""
    return bytes(vl_convert.svg_to_png(_drawn(chart), scale=scale))


def _drawn(spec: Mapping[str, Any]) -> str:
    """The SVG of a cleaned specification, without what Vega says of its parts.

    Vega makes these words by an expression, in which what is written out in an axis title would be read as an escape.
    """
    return _SPOKEN.sub("", vl_convert.vegalite_to_svg(visible_spec(spec), vl_version=VEGA_LITE))


def _values(theme: Mapping[str, str]) -> Markup:
    return Markup("").join(Markup("--{}:{};").format(*pair) for pair in theme.items())


def _own_ids(svg: str, *, name: str) -> str:
    """Clip ids counted from 0 in this drawing and named after it: vl-convert counts through the whole process."""
    order = {old: f"{name}-clip{place}" for place, old in enumerate(dict.fromkeys(_CLIP.findall(svg)))}
    return _CLIP.sub(lambda found: order[found[0]], svg)
