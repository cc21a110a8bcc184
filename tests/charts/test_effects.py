"""Rates before and after a change."""

import pandas as pd

from skilltune.charts.effects import before_after_dots, before_after_table, before_after_words
from tests.charts.pictures import colours, drawn, marks, opacities, words


def effects(**columns) -> pd.DataFrame:
    """Three changes as `before_after` gives them: one helped, one made it worse, one is too early to tell."""
    frame = {
        "skill_id": ["forms", "migrations", "notes"],
        "at": pd.to_datetime(["2026-11-02", "2026-10-20", "2026-11-25"], utc=True),
        "verdict": ["helped", "made_worse", "too_early"],
        "rate_before": [0.5, 0.2, 0.4],
        "before_low": [0.4, 0.1, 0.2],
        "before_high": [0.6, 0.35, 0.6],
        "n_before": [30, 1040, 12],
        "rate_after": [0.1, 0.5, float("nan")],
        "after_low": [0.02, 0.4, float("nan")],
        "after_high": [0.3, 0.6, float("nan")],
        "n_after": [25, 33, 0],
    }
    return pd.DataFrame(frame | columns)


def test_picture_has_a_hollow_and_a_full_dot():
    """A missing rate has no dot; names with their day, sizes with the verdict, the axis with its unit."""
    svg = drawn(before_after_dots(effects()))
    told = words(svg)
    assert len(marks(svg, "symbol")) == 3 + 2
    for text in ("forms, 2 Nov", "migrations, 20 Oct", "1,040 → 33  made it worse", "12 → 0  too early to say"):
        assert " ".join(text.split()) in [" ".join(each.split()) for each in told]
    assert "correction rate with its interval: hollow before, full after" in told
    assert "100%" in told


def test_before_is_hollow_and_after_has_the_colour_of_its_verdict():
    """Grey before; blue or orange after only where the verdict is beyond chance; too early is pale."""
    dots = marks(drawn(before_after_dots(effects())), "symbol")
    assert colours(dots) == ["bg", "bg", "bg", "better", "worse"]
    assert colours(dots, "stroke") == ["mark", "mark", "mark", "better", "worse"]
    assert opacities(dots) == [1, 1, 0.4, 1, 1]
    plain = effects(verdict=["no_evidence"] * 3)
    assert colours(marks(drawn(before_after_dots(plain)), "symbol")) == ["bg", "bg", "bg", "mark", "mark"]


def test_words_and_table():
    """How many of each verdict, the latest change's rates with both n; one row a change."""
    assert before_after_words(effects()) == (
        "3 changes of skills: 1 helped, 1 made it worse, 1 too early to say. "
        "Latest: forms, 50% before, 10% after (n = 30 and 25)."
    )
    assert before_after_words(effects().iloc[2:]) == "1 change of skills: 1 too early to say."
    assert before_after_table(effects())["n_after"].tolist() == [25, 33, 0]
