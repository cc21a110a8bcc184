"""The heat map of complaints."""

import pandas as pd

from skilltune.charts.hotspots import hotspot_heatmap, hotspot_table, hotspot_words
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
    """Two skills, seven columns, sums; most complaints first; a quiet skill has no row."""
    svg = drawn(hotspot_heatmap(hotspots()))
    told = words(svg)
    assert len(marks(svg, "rect")) == 2 * 7
    assert told[:2] == ["migrations", "forms"]
    for text in ("accuracy", "coverage", "reliability", "efficiency", "security", "trigger", "unknown", "all", "16"):
        assert text in told
    assert "quiet" not in told
    assert [text for text in told if text.isdigit()].count("0") == 9


def test_colour_rises_with_the_count_and_unknown_has_none():
    """Five steps of one hue, the largest count in the last; unknown is only outlined, in dashes."""
    cells = marks(drawn(hotspot_heatmap(hotspots())), "rect")
    grounds = colours(cells)
    assert sorted(set(grounds)) == ["bg", "heat1", "heat2", "heat5", "well"]
    assert grounds.count("heat5") == 1
    unknown = [cell for cell in cells if cell.get("stroke-dasharray")]
    assert colours(unknown) == ["bg", "bg"]


def test_numbers_can_be_read_on_their_ground():
    """On the two strongest steps the number has the colour for these, which is that of the ground in both themes."""
    svg = drawn(hotspot_heatmap(hotspots()))
    (ten,) = [item for item in marks(svg, "text") if item.text == "10"]
    assert colours([ten]) == ["bg"]
    assert (LIGHT["heat-text"], DARK["heat-text"]) == (LIGHT["bg"], DARK["bg"])


def test_words_and_table():
    """The largest cell and n; all columns in the table."""
    assert hotspot_words(hotspots()) == (
        "19 complaints about 2 skills, by dimension. Most: accuracy of migrations, 10. Unknown: 2."
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
    grounds = colours(marks(drawn(hotspot_heatmap(table)), "rect"))
    assert [grounds.count(name) for name in ("heat5", "bg")] == [1, 1]
