"""What became of uses, and after how many turns."""

import re

import pandas as pd
import pytest

from skilltune.charts.outcomes import (
    NARROW,
    WIDE,
    outcome_mix_bars,
    outcome_mix_table,
    outcome_mix_words,
    turns_to_feedback_bars,
    turns_to_feedback_table,
    turns_to_feedback_words,
)
from skilltune.charts.theme import DARK, LIGHT
from skilltune.errors import InputError
from tests.charts.pictures import colours, drawn, marks, opacities, words
from tests.charts.test_theme import contrast

OUTCOMES = ["correction", "partial", "acceptance", "moved_on", "not_judged"]


def mix(weeks: int = 3, *, zone: str = "Europe/Berlin", **columns) -> pd.DataFrame:
    """A frame as `outcome_mix` gives it, by week; the last week has few judged uses."""
    mondays = pd.date_range("2026-11-09", periods=weeks, freq="7D", tz=zone).tz_convert("UTC")
    rows = [
        (monday, outcome, n, n / 10, 2 if place == weeks - 1 else 8)
        for place, monday in enumerate(mondays)
        for outcome, n in zip(OUTCOMES, [3, 1, 2, 2, 2], strict=True)
    ]
    return pd.DataFrame(rows, columns=["week", "outcome", "n", "share", "sample_size"]).assign(**columns)


def turns() -> pd.DataFrame:
    """A frame as `turns_to_feedback` gives it."""
    rows = [("forms", 1, 2, 0.5), ("forms", 2, 2, 0.5), ("forms", 3, 0, 0.0)]
    rows += [("notes", 1, 15, 0.75), ("notes", 2, 4, 0.2), ("notes", 3, 1, 0.05), ("idle", 1, 0, float("nan"))]
    return pd.DataFrame(rows, columns=["skill_id", "turns", "n", "share"])


def test_mix_has_a_part_for_each_week_and_outcome():
    """Bars of five parts, the week's Monday and n under each, the axis with its unit, a key."""
    svg = drawn(outcome_mix_bars(mix()))
    told = words(svg)
    assert len([item for item in marks(svg, "rect") if item.get("d")]) == 3 * 5
    for text in ("9 Nov", "16 Nov", "23 Nov", "share of uses", "100%", "judged uses", "corrected", "not judged"):
        assert text in told
    assert [text for text in told if text in {"8", "2"}] == ["8", "8", "2"]


def test_mix_fits_a_telephone():
    """Twelve weeks are narrower than 390 pixels, all words of the key inside; every third week has its day."""
    chart = outcome_mix_bars(mix(12), layout=NARROW)
    svg = drawn(chart)
    assert chart.width + chart.padding["left"] + chart.padding["right"] < 390
    told = words(svg)
    assert [text for text in told if text.endswith(("Nov", "Dec", "Jan"))] != []
    assert sum(text[0].isdigit() and text[-3:].isalpha() for text in told) == 4
    assert {"corrected", "partly", "accepted in words", "moved on", "not judged"} <= set(told)


def test_mix_of_few_uses_is_faded_and_no_part_has_a_colour():
    """A share alone is no verdict: greys only."""
    parts = [item for item in marks(drawn(outcome_mix_bars(mix())), "rect") if item.get("d")]
    assert opacities(parts).count(0.4) == 5
    assert set(colours(parts)) == {"ink2", "edge", "rule2", "rule", "bg"}


@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles", "Asia/Tokyo", "Pacific/Auckland", "Etc/GMT+12"])
def test_mix_names_the_local_monday(zone):
    """Wherever the weeks begin, they are called by their Monday."""
    told = words(drawn(outcome_mix_bars(mix(1, zone=zone))))
    assert "9 Nov" in told


def test_mix_without_the_unjudged_is_drawn():
    """Where nothing is known of uses that were not judged, that part is missing."""
    frame = mix()
    frame.loc[frame["outcome"] == "not_judged", ["n", "share"]] = [float("nan"), float("nan")]
    parts = [item for item in marks(drawn(outcome_mix_bars(frame)), "rect") if item.get("d")]
    assert len(parts) == 3 * 4


def test_mix_of_one_week_has_room_for_its_key():
    """All words of the key end inside of the picture."""
    svg = drawn(outcome_mix_bars(mix(1)))
    key = next(text for text in svg.iter("{http://www.w3.org/2000/svg}text") if text.text == "not judged")
    begin = WIDE.left + float(re.search(r"translate\(([\d.]+)", key.get("transform"))[1])
    assert begin + 7 * len("not judged") < float(svg.get("width"))


def test_mix_of_several_skills_is_refused():
    """The error says what to do."""
    with pytest.raises(InputError, match="2 skills and the chart shows one: choose it, or group by week only"):
        outcome_mix_bars(mix(2, skill_id=["a", "b"] * 5))


def test_mix_words_and_table():
    """First and last week, n; one row a week."""
    assert outcome_mix_words(mix()) == (
        "What became of uses in 3 weeks, n = 18 judged. Corrected: 30% of uses in the week of 9 Nov, "
        "30% in the week of 23 Nov."
    )
    assert outcome_mix_words(mix(1)).endswith("Corrected in the week of 9 Nov: 30% of uses.")
    table = outcome_mix_table(mix())
    assert table.columns.tolist() == ["week", *OUTCOMES, "sample_size"]
    assert table["sample_size"].tolist() == [8, 8, 2]


def test_turns_have_a_part_for_each_number():
    """Most judged uses first, counts inside where they fit, n at the right, the axis with its unit."""
    svg = drawn(turns_to_feedback_bars(turns()))
    told = words(svg)
    assert [text for text in told if text in {"notes", "forms", "idle"}] == ["notes", "forms"]
    for text in ("first turn", "second", "third", "15", "20", "share of judged uses, by the turn that decided"):
        assert text in told
    assert "1" not in told
    bars = [item for item in marks(svg, "rect") if item.get("d")]
    assert len(bars) == 6
    assert opacities(bars).count(0.4) == 3
    assert set(colours(bars)) == {"ink2", "rule2", "band"}


def test_turns_words_and_table():
    """The share of the first turn, n; one row a skill."""
    assert turns_to_feedback_words(turns()) == (
        "Turns until a use was judged, 2 skills, n = 24. In the first turn: 71%."
    )
    table = turns_to_feedback_table(turns())
    assert table["skill_id"].tolist() == ["notes", "forms"]
    assert table["sample_size"].tolist() == [20, 4]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_counts_can_be_read_on_their_bars(theme):
    """4.5:1 in both themes."""
    assert contrast(theme["bg"], theme["ink2"]) >= 4.5
    for ground in ("rule2", "band", "well"):
        assert contrast(theme["ink"], theme[ground]) >= 4.5, ground
