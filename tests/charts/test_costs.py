"""Tokens and time per use."""

import pandas as pd
import pytest

from skilltune.charts.costs import skill_cost_dots, skill_cost_table, skill_cost_words
from tests.charts.pictures import colours, drawn, marks, opacities, words


def cost(**columns) -> pd.DataFrame:
    """Two skills and what no use is charged with, as `skill_cost` gives them."""
    frame = {
        "skill_id": ["migrations", "forms", "(unattributed)"],
        "attributed": [True, True, False],
        "uses": [12, 3, 0],
        "measured": [10, 3, 1],
        "with_subagents_median": pd.array([120_000, 4_000, pd.NA], dtype="Float64"),
        "with_subagents_p90": pd.array([180_000, 9_000, pd.NA], dtype="Float64"),
        "timed": [9, 3, 0],
        "seconds_median": pd.array([90, 30, pd.NA], dtype="Float64"),
        "seconds_p90": pd.array([240, 60, pd.NA], dtype="Float64"),
    }
    return pd.DataFrame(frame | columns)


def test_picture_has_a_dot_for_tokens_and_one_for_time():
    """Both scales from 0 with their units; what is no use of a skill is left out; few uses are pale."""
    svg = drawn(skill_cost_dots(cost()))
    told = words(svg)
    dots = marks(svg, "symbol")
    assert len(dots) == 4
    assert opacities(dots) == [1, 0.4, 1, 0.4]
    for text in ("50k", "200k", "4", "10 / 9", "3 / 3", "uses measured / timed"):
        assert text in told
    assert any(text.startswith("tokens a use with sub-agents") for text in told)
    assert any(text.startswith("minutes a use") for text in told)
    assert "(unattributed)" not in told
    assert set(colours(dots)) == {"mark"}
    assert set(colours(marks(svg, "rule"), "stroke")) == {"mark", "rule"}


def test_unknown_time_has_no_dot():
    """Tokens are drawn without it."""
    unknown = pd.array([pd.NA] * 3, dtype="Float64")
    svg = drawn(skill_cost_dots(cost(timed=[0] * 3, seconds_median=unknown, seconds_p90=unknown)))
    assert len(marks(svg, "symbol")) == 2


def test_dots_stand_in_proportion():
    """Thirty times the tokens is thirty times as far from 0."""
    svg = drawn(skill_cost_dots(cost()))
    first, second = (float(item.get("transform").split("(")[1].split(",")[0]) for item in marks(svg, "symbol")[:2])
    assert first / second == pytest.approx(30, rel=0.01)


def test_words_and_table():
    """The costliest skill and n; one row a skill."""
    assert skill_cost_words(cost()) == (
        "Cost of a use of 2 skills, n = 13. Most tokens: migrations, typically 120,000 a use."
    )
    assert skill_cost_table(cost())["skill_id"].tolist() == ["migrations", "forms"]
