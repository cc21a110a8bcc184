"""HTML outputs as they may stand in a report: only the tags and attributes that sections are made of; nothing runs."""

from typing import Final

import nh3

__all__ = ["clean_html"]

_TEXT_TAGS: Final = """
    a b blockquote br caption code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 header hr ins
    li main ol p pre section small span strong sub summary sup table tbody td tfoot th thead tr ul wbr
"""
_DRAWING_TAGS: Final = "svg g path line polyline polygon circle rect text tspan title desc clipPath defs"
_DRAWING_ATTRIBUTES: Final = """
    clip-path cx cy d dominant-baseline dx dy fill fill-opacity font-family font-size font-weight height opacity
    paint-order points r rx ry stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
    stroke-width text-anchor transform version viewBox width x x1 x2 xmlns y y1 y2
"""
_TAGS: Final = {*_TEXT_TAGS.split(), *_DRAWING_TAGS.split()}
_ATTRIBUTES: Final = {
    "*": {"class", "id", "lang", "dir", "role", "title"},
    "a": {"href"},
    "th": {"scope", "colspan", "rowspan"},
    "td": {"colspan", "rowspan"},
    **{tag: set(_DRAWING_ATTRIBUTES.split()) for tag in _DRAWING_TAGS.split()},
}


def clean_html(html: str) -> str:
    """`html` without anything that runs, loads, styles or leads elsewhere than to files beside the page."""
    return nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags={"script", "style"},
        attributes=_ATTRIBUTES,
        generic_attribute_prefixes={"aria-", "data-"},
        url_schemes=set(),
        link_rel=None,
    )
