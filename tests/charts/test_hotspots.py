"""The heat map of complaints."""

import re

import pandas as pd
import pytest

from skilltune.charts.hotspots import APART, CELL, COLUMNS, hotspot_heatmap, hotspot_table, hotspot_words
from skilltune.charts.layout import ROW
from skilltune.charts.theme import DARK, LIGHT
from tests.charts.pictures import colours, drawn, marks, words


def hotspots() -> pd.DataFrame:
    """Two skills with complaints, one without."""
    rows = [
        ("forms", "accuracy", 1),
        ("forms", "unknown", 2),
        ("migrations", "accuracy", 10),
        ("migrations", "coverage", 2),
        ("migrations", "trigger_quality", 4),
        ("quiet", "accuracy", 0),
    ]
    return pd.DataFrame(rows, columns=["skill_id", "dimension", "complaints"])


def test_picture_has_a_cell_with_its_count_for_each_skill_and_dimension():
    """Two skills, seven columns, sums at the right and below; most complaints first; a quiet skill has no row."""
    svg = drawn(hotspot_heatmap(hotspots()))
    told = words(svg)
    assert len(marks(svg, "rect")) == 2 * 7
    assert told[:3] == ["migrations", "forms", "all skills"]
    for text in (
        "accuracy",
        "coverage",
        "reliability",
        "efficiency",
        "security",
        "trigger",
        "kind not told",
        "all",
        "16",
        "19",
    ):
        assert text in told
    assert not {"quiet", "unknown"} & set(told)
    assert [text for text in told if text.isdigit()].count("0") == 9 + 1 + 3


def test_colour_rises_with_the_count_and_what_is_not_told_has_none():
    """Five steps of one hue, the largest count in the last; cells of the sums have no ground."""
    grounds = colours(marks(drawn(hotspot_heatmap(hotspots())), "rect"))
    assert sorted(set(grounds)) == ["heat1", "heat2", "heat5", "well"]
    assert grounds.count("heat5") == 1


def test_kind_not_told_is_hatched_and_set_apart():
    """Slanting grey lines, all of them inside of its two cells, which stand apart from the others."""
    svg = drawn(hotspot_heatmap(hotspots()))
    lines = marks(svg, "rule")
    assert set(colours(lines, "stroke")) == {"rule"}
    begin = CELL * len(COLUMNS) + APART
    ends = []
    for line in lines:
        x, y = (float(part) for part in re.search(r"translate\(([-\d.]+),([-\d.]+)\)", line.get("transform")).groups())
        ends += [(x, y), (x + float(line.get("x2")), y + float(line.get("y2")))]
        assert float(line.get("x2")) == pytest.approx(-float(line.get("y2")), abs=0.1), "slanting"
    assert all(begin < x < begin + CELL and 0 < y < 2 * ROW for x, y in ends)
    assert {int(y // ROW) for _, y in ends} == {0, 1}


def test_numbers_can_be_read_on_their_ground():
    """On the two strongest steps the number has the colour for these, which is that of the ground in both themes."""
    svg = drawn(hotspot_heatmap(hotspots()))
    (ten,) = [item for item in marks(svg, "text") if item.text == "10"]
    assert colours([ten]) == ["bg"]
    assert (LIGHT["heat-text"], DARK["heat-text"]) == (LIGHT["bg"], DARK["bg"])


def test_words_and_table():
    """The largest cell and n; all columns in the table."""
    assert hotspot_words(hotspots()) == (
        "19 complaints about 2 skills, by dimension. Most: accuracy of migrations, 10. Kind not told: 2."
    )
    table = hotspot_table(hotspots())
    assert table["complaints"].tolist() == [16, 3]
    assert table.columns.tolist()[-3:] == ["trigger_quality", "unknown", "complaints"]
    only = hotspots().query("dimension == 'unknown'")
    assert "For none of them can the rules tell" in hotspot_words(only)


def test_more_unknown_than_known_complaints_are_drawn():
    """Where the rules can seldom tell what was wrong, the other cells keep their five steps."""
    table = pd.DataFrame(
        [("forms", "accuracy", 6), ("forms", "unknown", 40)], columns=["skill_id", "dimension", "complaints"]
    )
    svg = drawn(hotspot_heatmap(table))
    assert "all skills" not in words(svg)
    grounds = colours(marks(svg, "rect"))
    assert [grounds.count(name) for name in ("heat5", "well")] == [1, 6], "zeros have the well, too"
