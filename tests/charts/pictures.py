"""Drawings as trees: their texts, their marks, the colours they name."""

import re
from typing import Any
from xml.etree import ElementTree as ET

from skilltune.charts.drawing import chart_svg

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ["</script><script>alert(1)</script>", "a\u202eb\x00", '"><img src=x onerror=alert(1)>', "${x} datum.y 'z'"]
LONG = "x" * 120
CHINESE = "数据库迁移助手" * 12


def drawn(chart: Any) -> ET.Element:
    """The chart's SVG, parsed."""
    spec = chart.to_dict()
    return ET.fromstring(chart_svg(chart, name="x", description=spec["description"]))  # noqa: S314  # our own drawing


def words(svg: ET.Element) -> list[str]:
    """All texts of the picture, in order."""
    return [text.text or "" for text in svg.iter(f"{SVG}text")]


def marks(svg: ET.Element, kind: str) -> list[ET.Element]:
    """The items of all marks of a kind (symbol, rule, rect, text), in order."""
    groups = (group for group in svg.iter(f"{SVG}g") if f"mark-{kind} " in f"{group.get('class', '')} ")
    return [item for group in groups for item in group if item.tag != f"{SVG}g"]


def colours(items: list[ET.Element], attribute: str = "fill") -> list[str]:
    """The name of each item's colour."""
    found = (re.match(r"var\(--([\w-]+)", item.get(attribute, "")) for item in items)
    return [name[1] for name in found if name]


def opacities(items: list[ET.Element]) -> list[float]:
    """How faded each item is."""
    return [float(item.get("opacity", "1")) for item in items]
