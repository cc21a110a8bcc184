"""The chart of a skill's drift: what is drawn, in which colours, and its table."""

import re
import xml.etree.ElementTree as ET

import pandas as pd
import pytest

from skilltune.charts.drawing import chart_svg
from skilltune.charts.drift import BESIDE_TEXT, NARROW, WIDE, drift_steps, drift_steps_table, drift_words
from skilltune.charts.theme import LIGHT
from tests.charts.pictures import colours, marks

ROWS = [
    ("v1", "first_seen", "first seen", "2026-06-15", 0.0, 0.0, 0.0),
    ("v2", "refine", "refined", "2026-07-02", 9.4, 9.4, 9.4),
    ("v3", "refine", "refined", "2026-07-20", 18.2, 19.0, 9.6),
    ("v4", "rollback", "rolled back to v2", "2026-08-14", 9.4, 28.6, 9.6),
    ("v5", "outside_edit", "edited outside", "2026-11-02", 21.0, 42.5, 13.9),
    ("v6", "waiting", "waits for approval", None, 30.1, 54.2, 11.7),
]


def course(count: int = len(ROWS)) -> pd.DataFrame:
    """The first versions of a course."""
    columns = ["name", "kind", "told", "at", "net_percent", "path_percent", "step_percent"]
    frame = pd.DataFrame(ROWS[:count], columns=columns)
    return frame.assign(at=pd.to_datetime(frame["at"], utc=True))


def drawn(frame: pd.DataFrame, *, layout=WIDE, limit: float = 60, description: str = "T") -> str:
    """The drawing."""
    chart = drift_steps(frame, limit_percent=limit, max_change_percent=20, layout=layout)
    return str(chart_svg(chart, name="drift", description=description))


def texts(svg: str) -> list[str]:
    """The words in it, halos left out."""
    return list(dict.fromkeys(re.findall(r"<text[^>]*>([^<]+)</text>", svg)))


@pytest.mark.parametrize("layout", [WIDE, BESIDE_TEXT])
def test_lines_limits_and_versions_are_named(layout):
    """Direct labels: both limits, both lines where they end, each version."""
    shown = texts(drawn(course(), layout=layout))
    for word in ("60%: no refinement from here on (net drift)", "20% a refinement"):
        assert word in shown
    assert "size of each step, in % of the text before it" in shown
    for word in ("path 54.2", "all steps added up", "net drift 30.1", "from the first text"):
        assert word in shown
    assert [word for word in shown if re.fullmatch(r"v\d", word)] == ["v1", "v2", "v3", "v4", "v5", "v6"]


def test_what_was_done_and_when_stands_below_where_there_is_room():
    """In words, wrapped; of crowded ones only the names, and not all of them."""
    shown = texts(drawn(course()))
    assert {"first seen", "15 Jun", "2 Nov"} <= set(shown)
    assert {"rolled back to", "v2"} <= set(shown), "wrapped where it is long"
    crowded = pd.concat([course(5)] * 8, ignore_index=True)
    crowded = crowded.assign(name=[f"v{number}" for number in range(1, 41)])
    names = [word for word in texts(drawn(crowded, layout=NARROW)) if re.fullmatch(r"v\d+", word)]
    assert names[-1] == "v40"
    assert len(names) < 12


def test_steps_outside_the_bound_are_hollow_and_the_next_one_is_dotted():
    """Full bars for refinements; roll-backs and edits outside have the background in them."""
    svg = drawn(course())
    bars = re.findall(r'<path aria[^>]*>|<path [^>]*d="M[^"]*"[^>]*>', svg)
    full = [bar for bar in bars if 'fill="var(--better' in bar and "stroke-dasharray" not in bar and "v" in bar]
    assert len([bar for bar in full if "h" in bar]) >= 2
    dashed = re.findall(r'stroke-dasharray="([\d,]+)"', svg)
    assert "3,3" in dashed
    assert "1,5" in dashed
    assert "6,4" in dashed


def test_numbers_of_steps_and_net_are_printed():
    """No number is only in a tooltip."""
    shown = texts(drawn(course()))
    assert {"9.4", "9.6", "13.9", "11.7", "18.2", "21.0"} <= set(shown)


@pytest.mark.parametrize("layout", [WIDE, BESIDE_TEXT, NARROW])
def test_label_of_little_drift_stays_over_the_line_of_nothing(layout):
    """Both lines of it, whether the path ends beside it or far above."""
    for path in (0.4, 50.0):
        low = course(2).assign(net_percent=[0.0, 0.4], path_percent=[0.0, path])
        svg = drawn(low, layout=layout)
        (place,) = set(re.findall(r'translate\([-\d.]+,([-\d.]+)\)"[^>]*>from the first text<', svg))
        assert float(place) <= layout.height - 8


def test_marks_and_colours_of_both_lines():
    """Net thick and blue, path thin and grey, a dot for each version of both; limits in the colour of words."""
    svg = ET.fromstring(drawn(course(5)))  # noqa: S314  # our own drawing
    lines = marks(svg, "line")
    assert colours(lines, "stroke") == ["ink3", "better"]
    assert [line.get("stroke-width") for line in lines] == ["1.5", "3"]
    assert len(marks(svg, "symbol")) == 2 * 5
    assert set(colours(marks(svg, "symbol"))) == {"ink3", "better"}
    assert "worse-text" in colours(marks(svg, "rule"), "stroke")


@pytest.mark.parametrize("count", [1, 2])
def test_few_versions_keep_labels_apart(count: int):
    """Both lines end at the same place: their labels do not lie on each other."""
    svg = drawn(course(count))
    places = [
        float(match[2]) for match in re.finditer(r'translate\(([\d.]+),([-\d.]+)\)"[^>]*>(path|net drift) [\d.]+<', svg)
    ]
    if places:
        assert abs(places[0] - places[-1]) >= 30
    assert "path" in svg


def test_far_path_and_other_limits_rescale():
    """A path over 100 %, another limit: the axis reaches them."""
    far = course().assign(path_percent=lambda frame: frame["path_percent"] * 6)
    shown = texts(drawn(far, limit=45))
    assert "45%: no refinement from here on (net drift)" in shown
    assert any(word.endswith("%") and int(word[:-1]) >= 200 for word in shown if re.fullmatch(r"\d+%", word))


def test_unknown_drift_draws_the_steps_alone():
    """An empty first text: no line, no label at its end."""
    empty = course(3).assign(net_percent=float("nan"), path_percent=float("nan"))
    shown = texts(drawn(empty))
    assert not [word for word in shown if word.startswith(("path", "net drift"))]
    assert "9.6" in shown


def test_drawing_is_named_coloured_by_name_and_escaped():
    """For a screen reader; one picture for both themes; the words of a skill are no markup."""
    words = drift_words(course(), skill='"><script>', limit_percent=60)
    svg = drawn(course(), description=words)
    ET.fromstring(svg)  # noqa: S314  # our own
    assert 'role="img"' in svg
    assert "<script" not in svg
    used = set(re.findall(r"var\(--([a-z0-9-]+),", svg))
    assert {"better", "worse-text", "ink3", "bg"} <= used <= set(LIGHT)
    assert not re.search(r'(?:fill|stroke)="#', svg)


def test_sentence_has_the_finding_and_n():
    """How far, along which way, what the next one would make it."""
    told = drift_words(course(), skill="sql-migrations", limit_percent=60)
    assert told == (
        "sql-migrations has moved 21.0% from its first text; all steps added up are 42.5% of that text. "
        "What waits for approval would make it 30.1%. The limit is 60%. 4 steps so far."
    )
    assert "is not known" in drift_words(course(0), skill="x", limit_percent=60)
    assert drift_words(course(1), skill="x", limit_percent=60) == (
        "x has one version, its first text: there is no step yet. The limit is 60%."
    )
    back = course(4).assign(net_percent=[0.0, 9.4, 18.2, 0.0])
    assert drift_words(back, skill="x", limit_percent=60).startswith("x is again as in its first text; ")


def test_table_has_the_numbers_drawn():
    """One row a version, its day in UTC."""
    table = drift_steps_table(course())
    assert table.columns.tolist() == ["name", "told", "at", "net_percent", "path_percent", "step_percent"]
    assert str(table["at"].iloc[0]) == "2026-06-15"
    assert len(table) == len(ROWS)
