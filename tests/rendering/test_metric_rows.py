"""Any metric's table on a terminal."""

import pytest

from skilltune.rendering.metric_rows import render_metric_list, render_metric_rows
from skilltune.rendering.terminal import columns

ROW = {
    "skill_id": "schema-migrator",
    "week": "2026-11-23T00:00:00+00:00",
    "last_used": "2026-11-23T09:30:00+00:00",
    "correction_rate": 0.4,
    "sample_size": 1234,
    "tokens_median": 102780.5,
    "sufficient_data": True,
    "reason": "",
    "low": None,
}


@pytest.mark.parametrize("width", [60, 80, 120])
def test_rows_fit_and_lose_no_column(width: int) -> None:
    """Columns that do not fit go on below with the keys; those without any value are left out."""
    lines = render_metric_rows([ROW, {**ROW, "low": 0.125}], meaning="What it is.", keys=["skill_id"], width=width)
    assert max(map(columns, lines.splitlines())) <= width
    for name in ROW.keys() - {"reason"}:
        assert name in lines
    assert "reason" not in lines
    heads = [line for line in lines.splitlines() if line.startswith("skill_id")]
    assert len(heads) == {60: 3, 80: 2, 120: 1}[width]


def test_rows_in_words_of_people() -> None:
    """Numbers by thousands, times to the minute, yes and no, a dash for what is not known."""
    text = render_metric_rows([ROW, {**ROW, "low": 0.125}], meaning="What it is.", keys=["skill_id"], width=120)
    assert all(part in text for part in ("1,234", "102,780.5", "2026-W48", "2026-11-23 09:30", "yes", "0.125", "–"))


@pytest.mark.parametrize("name", ["", None])
def test_group_without_a_name_is_seen(name: str | None) -> None:
    """What nobody told is a group like others; an empty cell that is no key stays empty."""
    rows = [{"agent": name, "rule": "", "n": 3}, {"agent": "codex", "rule": "en.no", "n": 4}]
    assert render_metric_rows(rows, meaning="M.", keys=["agent"], width=80).splitlines()[2:5] == [
        "agent     rule   n",
        "not told         3",
        "codex     en.no  4",
    ]


def test_rows_of_a_hostile_name() -> None:
    """What a terminal would obey is made visible, and a long name is cut."""
    text = render_metric_rows([{**ROW, "skill_id": "\x1b[31m" + "x" * 500}], meaning="M.", keys=["skill_id"], width=80)
    assert "\x1b" not in text
    assert max(map(columns, text.splitlines())) <= 80


def test_no_rows_say_so() -> None:
    """No row is a sentence, not an empty table."""
    assert "No row: no shift." in render_metric_rows([], meaning="What it is.", nothing="No row: no shift.")


def test_list_wraps_below_the_meaning() -> None:
    """Each name once, its meaning beside it."""
    text = render_metric_list([{"name": "a", "meaning": "word " * 40}, {"name": "longer", "meaning": "b"}], width=60)
    lines = text.splitlines()
    assert max(map(columns, lines)) <= 60
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == ["a", "longer"]


def test_rows_without_unicode() -> None:
    """A terminal without UTF-8 gets ASCII."""
    text = render_metric_rows([ROW, {**ROW, "low": 0.125}], meaning="What it is.", unicode=False)
    assert text.isascii()


@pytest.mark.parametrize(
    ("stamp", "zone", "week"),
    [
        ("2026-11-23T00:00:00+00:00", "UTC", "2026-W48"),
        ("2026-11-22T15:00:00+00:00", "Asia/Tokyo", "2026-W48"),
        ("2025-12-29T00:00:00+00:00", "UTC", "2026-W01"),
    ],
)
def test_a_week_is_its_iso_name(stamp: str, zone: str, week: str) -> None:
    """The Monday that begins it in its own time zone, not a moment in UTC."""
    rows = [{**ROW, "week": stamp}]
    assert week in render_metric_rows(rows, meaning="M.", keys=["skill_id", "week"], time_zone=zone, width=120)
