"""The small chart of a precision over the labels given."""

import re
import xml.etree.ElementTree as ET

import pandas as pd
import pytest

from skilltune.charts.precision_course import FIRST_DRAWN, WIDTH, precision_course
from skilltune.charts.theme import LIGHT

NAMESPACE = "{http://www.w3.org/2000/svg}"


def course(*right: bool, silent: int = 0) -> pd.DataFrame:
    """A course of labels, `silent` of them of turns of which the rules said something else."""
    hits = pd.Series(right, dtype="int64").cumsum()
    said = pd.Series(range(1, len(right) + 1), dtype="int64")
    frame = pd.DataFrame({"said": said, "precision": hits / said})
    frame = frame.assign(low=(frame["precision"] - 0.2).clip(0), high=(frame["precision"] + 0.2).clip(upper=1))
    quiet = pd.DataFrame({"said": [0] * silent, "precision": float("nan"), "low": float("nan"), "high": float("nan")})
    return pd.concat([quiet, frame]) if silent else frame


def drawn(frame: pd.DataFrame, *, expected: int = 0, text: str = "T") -> ET.Element:
    """The drawing as a tree."""
    return ET.fromstring(precision_course(frame, expected=expected, label="75%", text=text))  # noqa: S314  # our own


def test_line_has_a_point_for_each_label_from_the_fourth_on():
    """Before that it only jumps; labels of other turns are no points."""
    svg = drawn(course(True, False, True, True, True, False, silent=3))
    points = svg.find(f"{NAMESPACE}polyline").get("points").split()
    assert len(points) == 6 - FIRST_DRAWN + 1
    assert len(svg.find(f"{NAMESPACE}polygon").get("points").split()) == 2 * len(points)
    texts = [text.text for text in svg.iter(f"{NAMESPACE}text")]
    assert texts == ["100%", "50", "0", "0", "2", "4", "6", "8", "10", "75%"]


@pytest.mark.parametrize("right", [(True,), (False, True), (True, True, True)])
def test_few_labels_are_a_dot_with_its_interval(right: tuple[bool, ...]):
    """One point has no line to stand on."""
    svg = drawn(course(*right))
    assert svg.find(f"{NAMESPACE}circle") is not None
    assert len(svg.find(f"{NAMESPACE}polyline").get("points").split()) == 1
    assert svg.find(f"{NAMESPACE}polygon") is None


@pytest.mark.parametrize(("expected", "last"), [(0, "10"), (43, "50"), (120, "150"), (2000, "2000")])
def test_axis_reaches_what_is_to_come(expected: int, last: str):
    """It ends at a round number, with three to seven numbers on it, inside of the drawing."""
    svg = drawn(course(True, True, False, True, True), expected=expected)
    labels = [text for text in svg.iter(f"{NAMESPACE}text") if text.get("text-anchor") == "middle"]
    assert labels[-1].text == last
    assert 3 <= len(labels) <= 7
    assert all(0 < float(label.get("x")) < WIDTH for label in labels)


def test_colours_are_named_and_text_is_escaped():
    """The page decides the theme; what it says to a screen reader is no markup."""
    shown = precision_course(course(True, True, False, True), expected=9, label="75%", text='"><script>')
    assert set(re.findall(r"var\(--([a-z0-9]+)\)", shown)) <= set(LIGHT)
    assert not re.search(r"#[0-9A-Fa-f]{3,6}\b", re.sub(r"&#\d+;", "", shown))
    assert "<script" not in shown
    assert 'role="img"' in shown
