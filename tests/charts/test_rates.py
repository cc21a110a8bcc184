"""Skills ranked by their rate."""

import pandas as pd

from skilltune.charts.rates import correction_rate_dots, correction_rate_table, correction_rate_words
from tests.charts.pictures import colours, drawn, marks, opacities, words


def rates(**columns) -> pd.DataFrame:
    """Three skills: one got worse, one has no change, one has few data; a fourth has no judged use."""
    frame = {
        "skill_id": ["migrations", "forms", "notes", "idle"],
        "correction_rate": [0.5, 0.25, 1.0, float("nan")],
        "low": [0.4, 0.1, 0.3, float("nan")],
        "high": [0.6, 0.45, 1.0, float("nan")],
        "sample_size": [1054, 20, 2, 0],
        "sufficient_data": [True, True, False, False],
        "shrunk_rate": [0.48, 0.27, 0.35, float("nan")],
        "overall_rate": [0.4] * 4,
        "direction": ["worsening", "improving", "insufficient_data", "insufficient_data"],
        "discovered": [True, False, False, False],
    }
    return pd.DataFrame(frame | columns)


def test_picture_has_a_dot_an_interval_and_a_tick_for_each_rate():
    """As many as there are skills with a judged use; names, n and the axis with its unit stand beside them."""
    svg = drawn(correction_rate_dots(rates()))
    assert len(marks(svg, "symbol")) == 3
    told = words(svg)
    for text in ("migrations", "forms", "notes", "1,054", "20", "2, few data", "judged uses", "all skills 40%"):
        assert text in told
    assert "idle" not in told
    assert [text for text in told if text.rstrip("%").isdigit() and text in {"0", "25", "50", "75", "100%"}] == [
        "0", "25", "50", "75", "100%",
    ]  # fmt: skip
    assert "correction rate with its 95% interval (upright tick: shrunk rate)" in told
    assert len(marks(svg, "rect")) == 3


def test_colour_is_earned_and_few_data_are_faded():
    """Only a change beyond chance has a colour; what rests on too little is pale."""
    dots = marks(drawn(correction_rate_dots(rates())), "symbol")
    assert colours(dots) == ["worse", "mark", "mark"]
    assert opacities(dots) == [1, 1, 0.4]
    better = rates(direction=["improving"] * 4)
    assert colours(marks(drawn(correction_rate_dots(better)), "symbol"))[0] == "better"


def test_plain_rates_have_no_tick_and_no_line_of_all():
    """A frame of `correction_rate` is drawn too."""
    plain = rates()[["skill_id", "correction_rate", "low", "high", "sample_size", "sufficient_data"]]
    svg = drawn(correction_rate_dots(plain))
    assert len(marks(svg, "symbol")) == 3
    assert marks(svg, "rect") == []
    assert not [text for text in words(svg) if text.startswith("all skills")]


def test_words_say_the_finding_and_n():
    """The most corrected skill of those with enough data; a sentence where none has."""
    assert correction_rate_words(rates()) == (
        "Correction rates of 3 skills, n = 1076. Most corrected: migrations, 50% (40 to 60%, n = 1054)."
    )
    few = rates(sufficient_data=[False] * 4)
    assert "None has enough judged uses" in correction_rate_words(few)


def test_table_has_the_rows_that_are_drawn():
    """One row per dot."""
    assert correction_rate_table(rates())["skill_id"].tolist() == ["migrations", "forms", "notes"]
