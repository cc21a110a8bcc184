"""What all charts of many rows have to bear: odd names, one row, none, sixty."""

import pytest

from skilltune.charts.costs import skill_cost_dots
from skilltune.charts.drawing import chart_svg
from skilltune.charts.effects import before_after_dots
from skilltune.charts.hotspots import hotspot_heatmap
from skilltune.charts.layout import shown_name
from skilltune.charts.outcomes import outcome_mix_bars, turns_to_feedback_bars
from skilltune.charts.rates import correction_rate_dots
from skilltune.charts.showing import chart_bundle
from tests.charts import test_costs, test_effects, test_hotspots, test_outcomes, test_rates
from tests.charts.pictures import CHINESE, HOSTILE, LONG, drawn, words

CHARTS = {
    "rates": (correction_rate_dots, test_rates.rates),
    "hotspots": (hotspot_heatmap, test_hotspots.hotspots),
    "turns": (turns_to_feedback_bars, test_outcomes.turns),
    "effects": (before_after_dots, test_effects.effects),
    "costs": (skill_cost_dots, test_costs.cost),
}
EACH = pytest.mark.parametrize(("chart", "frame"), CHARTS.values(), ids=CHARTS)


@EACH
@pytest.mark.parametrize("name", [*HOSTILE, LONG, CHINESE])
def test_odd_names_stay_names(chart, frame, name):
    """They are text in the picture, cut in their middle where they are long; none of them becomes markup."""
    first = frame().iloc[0]["skill_id"]
    odd = frame().replace({"skill_id": {first: name}})
    svg = chart_svg(chart(odd), name="x", description=chart(odd).to_dict()["description"])
    assert "<script" not in svg
    assert "<img" not in svg
    told = words(drawn(chart(odd)))
    assert any(text.startswith(shown_name(name)) for text in told)
    assert len(shown_name(name)) <= 60


@EACH
def test_one_row_is_drawn(chart, frame):
    """Its name is there, and the description says n."""
    one = frame()[frame()["skill_id"] == frame().iloc[0]["skill_id"]]
    assert any(text.startswith(str(one.iloc[0]["skill_id"])) for text in words(drawn(chart(one))))
    assert chart(one).to_dict()["description"]


@pytest.mark.parametrize(
    ("chart", "frame"), [*CHARTS.values(), (outcome_mix_bars, test_outcomes.mix)], ids=[*CHARTS, "mix"]
)
def test_no_row_is_a_sentence(chart, frame):
    """In a notebook a paragraph and no picture; where a picture is asked for, one of the words."""
    empty = chart(frame().head(0))
    bundle, _ = chart_bundle(empty.to_dict())
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/html"] == f"<p>{bundle['text/plain']}</p>"
    assert bundle["text/plain"].endswith(".")
    assert words(drawn(empty)) == [bundle["text/plain"]]


def test_sixty_skills_have_sixty_rows():
    """All of them, in a picture as high as they need."""
    frame = test_rates.rates().iloc[[0] * 60].assign(skill_id=[f"skill-{number}" for number in range(60)])
    svg = drawn(correction_rate_dots(frame))
    assert [text for text in words(svg) if text.startswith("skill-")] == frame["skill_id"].tolist()
    assert float(svg.get("height")) > 60 * 25


def test_shown_name_keeps_both_ends():
    """What tells long names apart is often at their end."""
    shown = shown_name("plugin:" + "a" * 100 + "-migrations")
    assert shown.startswith("plugin:aaa")
    assert shown.endswith("…aaaaaa-migrations")
    assert shown_name("  two\n words ") == "two words"
    assert shown_name("a\u202eb") == "a\\u202eb"
