"""One skill's course as a picture that stands by itself."""

import re

import pandas as pd
import pytest

from skilltune.charts.courses import rate_over_time_line, rate_over_time_table, rate_over_time_words
from skilltune.errors import InputError
from tests.charts.pictures import colours, drawn, marks, words
from tests.charts.test_course import course


def weeks(skill: str = "migrations", **options) -> pd.DataFrame:
    """A frame as `rate_over_time` gives it for one skill."""
    return course(**options).assign(skill_id=skill)


def versions() -> pd.DataFrame:
    """A frame as `skill_versions` gives it: two texts of the skill, one of another, one without a name."""
    return pd.DataFrame(
        {
            "skill_id": ["migrations", "migrations", "forms", "migrations"],
            "version": ["v1", "v2", "v2", ""],
            "first_used": pd.to_datetime(["2026-09-08", "2026-10-14", "2026-10-20", "2026-10-25"], utc=True),
        }
    )


def test_line_has_its_weeks_its_label_and_its_versions():
    """A ring each week and the last dot; of the texts only the second one of this skill is marked."""
    svg = drawn(rate_over_time_line(weeks(), versions=versions(), time_zone="Europe/Berlin"))
    told = words(svg)
    assert len(marks(svg, "symbol")) == 12 + 1
    assert "42%" in told
    assert "v2" in told
    assert "v1" not in told
    assert "from 20 Oct" not in told
    assert "7 Sep" in told


def test_line_has_its_axes_and_is_grey_without_a_verdict():
    """Percent with one sign, the weeks' Mondays; band, line, rings and the last dot in grey."""
    svg = drawn(rate_over_time_line(weeks(), versions=versions(), time_zone="Europe/Berlin"))
    assert [text for text in words(svg) if text.rstrip("%") in {"0", "20", "40", "60"}] == ["0", "20", "40", "60%"]
    assert {"7 Sep", "23 Nov", "n"} <= set(words(svg))
    assert colours(marks(svg, "area")) == ["band"]
    assert colours(marks(svg, "line"), "stroke") == ["mark"]
    assert set(colours(marks(svg, "symbol"))) == {"bg", "mark"}


@pytest.mark.parametrize(
    ("direction", "discovered", "words_told", "lines"),
    [
        ("worsening", True, "▲ got worse", ["mark", "worse"]),
        ("worsening", False, "△ looks worse, no evidence yet", ["mark"]),
        ("stable", False, "＝ no clear change", ["mark"]),
        ("improving", True, "▼ got better", ["mark"]),
        ("insufficient_data", False, "· too few data to compare with the days before", ["mark"]),
    ],
)
def test_line_says_the_verdict_of_a_trend(direction, discovered, words_told, lines):
    """Over the line and in its description; orange only where it got worse; another skill's verdict is none."""
    trend = pd.DataFrame({"skill_id": ["migrations"], "direction": [direction], "discovered": [discovered]})
    chart = rate_over_time_line(weeks(), versions=versions(), trend=trend, time_zone="Europe/Berlin")
    svg = drawn(chart)
    assert words_told in words(svg)
    assert colours(marks(svg, "line"), "stroke") == lines
    assert chart.to_dict()["description"].endswith(f"Against the days before: {words_told[2:]}.")
    one = rate_over_time_line(weeks(), trend=trend.iloc[0], time_zone="Europe/Berlin")
    assert words_told in words(drawn(one))
    other = rate_over_time_line(weeks("forms"), trend=trend, time_zone="Europe/Berlin")
    assert words_told not in words(drawn(other))


def test_orange_begins_with_the_last_new_text_of_the_recent_days():
    """Where one was first used in them; else where they began."""
    trend = pd.DataFrame({"skill_id": ["migrations"], "direction": ["worsening"], "discovered": [True]})
    late = versions().assign(
        first_used=pd.to_datetime(["2026-09-08", "2026-11-10", "2026-10-20", "2026-10-25"], utc=True)
    )
    begins = []
    for texts in (late, versions()):
        svg = drawn(rate_over_time_line(weeks(), versions=texts, trend=trend, time_zone="Europe/Berlin"))
        begins.append(float(re.match(r"M([\d.]+)", marks(svg, "line")[-1].get("d"))[1]))
    day = 800 / 84
    assert begins == pytest.approx([day * (64 + 1 / 24), day * 54], abs=1)


def test_line_without_versions_and_without_rates():
    """No mark; a sentence."""
    assert "v2" not in words(drawn(rate_over_time_line(weeks(), time_zone="Europe/Berlin")))
    none = weeks(missing=tuple(range(12)))
    assert words(drawn(rate_over_time_line(none))) == ["No use was judged in these weeks."]
    assert rate_over_time_words(none) == "No use was judged in these weeks."


def test_line_of_several_skills_is_refused():
    """The error says what to do."""
    both = pd.concat([weeks("a"), weeks("b")])
    with pytest.raises(InputError, match="2 skills and the chart shows one: choose it with skill_id"):
        rate_over_time_line(both)


def test_words_and_table():
    """First and last rate, n; one row a week."""
    assert rate_over_time_words(weeks()) == (
        "Correction rate of migrations over 12 weeks: 20% at first, 42% (n = 40) at last."
    )
    assert rate_over_time_words(weeks(weeks=1)).endswith("over 1 week: 20% (n = 40).")
    assert len(rate_over_time_table(weeks(), time_zone="Europe/Berlin")) == 12
