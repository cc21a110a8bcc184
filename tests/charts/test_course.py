"""The chart of one skill's course, and what becomes of its SVG."""

import os
import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import pandas as pd
import pytest

from skilltune.charts.course import NARROW, WIDE, course_table, rate_course
from skilltune.charts.drawing import chart_svg
from skilltune.charts.theme import LIGHT

SVG = "{http://www.w3.org/2000/svg}"


def course(weeks: int = 12, *, missing: tuple[int, ...] = (), zone: str = "Europe/Berlin") -> pd.DataFrame:
    """An invented course: a rate that rises, judged uses every week."""
    monday = pd.date_range("2026-09-07", periods=weeks, freq="7D", tz=zone).tz_convert("UTC")
    rate = [float("nan") if place in missing else 0.2 + 0.02 * place for place in range(weeks)]
    return pd.DataFrame(
        {
            "week": monday,
            "rate": rate,
            "low": [value - 0.1 for value in rate],
            "high": [value + 0.15 for value in rate],
            "sample_size": 40,
            "week_rate": rate,
            "week_sample": range(3, 3 + weeks),
        }
    )


def versions(*moments: str) -> pd.DataFrame:
    """Texts that began at these moments."""
    return pd.DataFrame(
        {"number": range(2, 2 + len(moments)), "since": pd.to_datetime(pd.Series(moments, dtype="str"), utc=True)}
    )


def drawn(frame: pd.DataFrame, texts: pd.DataFrame | None = None, **options) -> ET.Element:
    """The chart's SVG, parsed."""
    texts = versions() if texts is None else texts
    options = {"time_zone": "Europe/Berlin", "label": "42%"} | options
    return parsed(chart_svg(rate_course(frame, versions=texts, **options), name="x", description="alt"))


def parsed(svg: str) -> ET.Element:
    """A drawing of ours as a tree."""
    return ET.fromstring(svg)  # noqa: S314  # our own drawing


def words(svg: ET.Element) -> list[str]:
    """All texts of the picture, in order."""
    return [text.text or "" for text in svg.iter(f"{SVG}text")]


def symbols(svg: ET.Element) -> int:
    """Number of rings and dots."""
    groups = (group for group in svg.iter(f"{SVG}g") if "mark-symbol" in group.get("class", ""))
    return sum(len(group.findall(f"{SVG}path")) for group in groups)


def test_axes_have_their_labels():
    """Each week's Monday, and percent with one sign."""
    told = words(drawn(course()))
    assert told[:12] == [
        "7 Sep", "14 Sep", "21 Sep", "28 Sep", "5 Oct", "12 Oct",
        "19 Oct", "26 Oct", "2 Nov", "9 Nov", "16 Nov", "23 Nov",
    ]  # fmt: skip
    assert [text for text in told if re.fullmatch(r"\d+%?", text)][:4] == ["0", "20", "40", "60%"]


def test_every_week_has_its_ring_and_n():
    """As many rings as weeks with judged uses, and one dot; n under each week."""
    svg = drawn(course(missing=(3, 4)))
    assert symbols(svg) == 10 + 1
    assert [str(n) for n in range(3, 15)] == [text for text in words(svg) if text.isdigit()][-12:]


def test_narrow_chart_dates_every_third_week_the_last_one_too():
    """Fewer dates where room is short; n stays."""
    told = words(drawn(course(), layout=NARROW))
    dates = [text for text in told if re.fullmatch(r"\d+ (Sep|Oct|Nov)", text)]
    assert dates == ["21 Sep", "12 Oct", "2 Nov", "23 Nov"]
    assert "n judged each week" in told


def marks(svg: ET.Element, kind: str) -> list[ET.Element]:
    """The paths of all marks of one kind, in order of drawing."""
    groups = (group for group in svg.iter(f"{SVG}g") if kind in group.get("class", "").split())
    return [path for group in groups for path in (*group.iter(f"{SVG}path"), *group.iter(f"{SVG}line"))]


def places(element: ET.Element) -> list[float]:
    """The x of a path's points."""
    return [float(x) for x in re.findall(r"[ML](-?[\d.]+),", element.get("d", ""))]


def shift(element: ET.Element) -> float:
    """How far an element is moved to the right."""
    return float(re.search(r"translate\((-?[\d.]+)", element.get("transform", ""))[1])


def test_rates_stand_at_the_end_of_their_week_and_rings_in_its_middle():
    """The line ends at the right edge; Mondays are named at the left edge of their weeks."""
    svg = drawn(course())
    week = WIDE.width / 12
    (line,) = marks(svg, "mark-line")
    assert places(line) == pytest.approx([week * place for place in range(1, 13)], abs=0.01)
    rings = [shift(path) for path in marks(svg, "mark-symbol")]
    assert rings == pytest.approx([*(week * (place + 0.5) for place in range(12)), WIDE.width], abs=0.01)
    monday = next(text for text in svg.iter(f"{SVG}text") if text.text == "7 Sep")
    assert shift(monday) == pytest.approx(0, abs=1)


def test_colour_begins_at_the_mark():
    """Grey up to the moment of the new text, coloured from there on, with the same rate at the seam."""
    began = pd.Timestamp("2026-10-30T00:00:00", tz="Europe/Berlin")
    svg = drawn(course(), versions(began.isoformat()), turned=began)
    grey, coloured = marks(svg, "mark-line")
    (rule,) = (line for line in marks(svg, "mark-rule") if line.get("stroke-dasharray"))
    assert "--worse," in coloured.get("stroke")
    assert places(grey)[-1] == places(coloured)[0] == pytest.approx(shift(rule), abs=0.01)
    assert grey.get("d").rpartition(",")[2] == re.match(r"M[^,]+,([\d.]+)", coloured.get("d"))[1]


def test_colour_without_a_rate_at_the_mark_begins_with_the_next_one():
    """In a gap nothing is drawn between."""
    began = pd.Timestamp("2026-10-30T00:00:00", tz="Europe/Berlin")
    svg = drawn(course(missing=(7,)), versions(began.isoformat()), turned=began)
    coloured = marks(svg, "mark-line")[-1]
    assert places(coloured)[0] == pytest.approx(WIDE.width / 12 * 9, abs=0.01)


def test_narrow_version_mark_has_no_date():
    """Where room is short the version alone names the mark."""
    told = words(drawn(course(), versions("2026-10-06T10:00:00Z"), layout=NARROW))
    assert "v2" in told
    assert "from 6 Oct" not in told


def test_only_the_span_after_the_mark_is_coloured():
    """Orange from the version on where the skill got worse; none of it otherwise."""
    began = pd.Timestamp("2026-11-02T08:00:00Z")
    texts = versions("2026-10-06T10:00:00Z", began.isoformat())
    worse = chart_svg(
        rate_course(course(), versions=texts, time_zone="Europe/Berlin", label="", turned=began),
        name="x",
        description="",
    )
    calm = chart_svg(
        rate_course(course(), versions=texts, time_zone="Europe/Berlin", label=""), name="x", description=""
    )
    assert "var(--worse," in worse
    assert "var(--worse-text," in worse
    assert "var(--worse" not in calm
    told = words(parsed(worse))
    assert {"v2", "from 6 Oct", "v3", "from 2 Nov"} <= set(told)


def test_crowded_version_marks_label_the_last_one():
    """Two texts in one week: both marks, one label; marks outside the weeks are left out."""
    texts = versions("2026-01-01T00:00:00Z", "2026-10-06T10:00:00Z", "2026-10-07T10:00:00Z")
    told = words(drawn(course(), texts))
    assert "v4" in told
    assert not {"v2", "v3"} & set(told)


def test_course_without_any_rate_is_still_a_picture():
    """No judged use at all: axes, no line, no dot."""
    frame = course(missing=tuple(range(12)))
    assert symbols(drawn(frame)) == 0
    assert "7 Sep" in words(drawn(frame))


def test_colours_are_names_of_the_page():
    """No colour of the picture is fixed but as a fall-back."""
    svg = chart_svg(rate_course(course(), versions=versions(), time_zone="UTC", label=""), name="x", description="")
    bare = re.sub(r"var\(--[a-z0-9-]+,#[0-9A-Fa-f]{6}\)", "", svg)
    assert not re.findall(r"#[0-9A-Fa-f]{3,6}\b", bare)
    assert f"var(--band,{LIGHT['band']})" in svg


def test_drawing_is_named_escaped_and_repeatable():
    """One name for a screen reader, no markup from text, the same picture each time."""
    chart = rate_course(course(), versions=versions(), time_zone="UTC", label='<b>"&')
    first, second = (chart_svg(chart, name="x", description='<script>"&') for _ in range(2))
    assert first == second
    svg = parsed(first)
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == '<script>"&'
    assert svg.find(f"{SVG}title").text == '<script>"&'
    assert '<b>"&' in words(svg)


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Tokyo"])
def test_picture_is_the_same_in_every_time_zone_of_the_machine(zone: str):
    """Weeks are those of the report's zone, wherever it is drawn."""
    script = (
        "from tests.charts.test_course import *;"
        "chart = rate_course(course(), versions=versions(), time_zone='Europe/Berlin', label='');"
        "print(chart_svg(chart, name='x', description=''))"
    )
    made = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "TZ": zone}, capture_output=True, text=True, check=True
    ).stdout.strip()
    here = chart_svg(
        rate_course(course(), versions=versions(), time_zone="Europe/Berlin", label=""), name="x", description=""
    )
    assert made == here


def test_table_has_the_charts_numbers():
    """The same numbers, a row a week, with local Mondays."""
    table = course_table(course(), time_zone="Europe/Berlin")
    assert table["week"].astype("str").tolist()[:2] == ["2026-09-07", "2026-09-14"]
    assert table["rate"].tolist() == course()["rate"].tolist()
    assert WIDE.every == 1
