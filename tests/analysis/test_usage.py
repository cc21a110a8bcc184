"""When skills are used, and in which versions."""

from datetime import datetime, timedelta

import pandas as pd

from skilltune.analysis.usage import skill_usage, skill_versions
from tests.analysis.invented import AS_OF, event, judged, table, use, uses

MONDAY = datetime.fromisoformat("2026-11-30T00:00:00+00:00")


def test_usage_of_new_and_silent_skills() -> None:
    """A skill first used in the week is told from one that has been silent for weeks."""
    events = table(
        [event(skill="i18n-strings", at=MONDAY - timedelta(days=2))],
        [event(skill="k8s-debug", at=MONDAY - timedelta(days=47))],
        judged(0, 0, 2, skill="both", at=MONDAY - timedelta(days=40)),
        judged(0, 0, 3, skill="both", at=MONDAY - timedelta(days=3)),
    )
    rows = skill_usage(events, as_of=MONDAY).set_index("skill_id")
    assert rows.loc["i18n-strings", ["uses_in_week", "first_in_week", "days_unused"]].tolist() == [1, True, 2]
    assert rows.loc["k8s-debug", ["uses_in_week", "first_in_week", "days_unused"]].tolist() == [0, False, 47]
    assert rows.loc["both", ["uses", "uses_in_window", "uses_in_week", "first_in_week"]].tolist() == [5, 3, 3, False]


def test_usage_with_uses_without_event() -> None:
    """Uses that nobody reacted to count, once, and failed calls do not."""
    first = event(at=MONDAY - timedelta(days=9))
    rows = skill_usage(
        table([first]),
        as_of=MONDAY,
        invocations=uses(
            use(of=first), use(at=MONDAY - timedelta(days=1)), use(at=MONDAY), use(at=MONDAY, failed="error")
        ),
    )
    assert rows[["uses", "uses_in_week", "days_unused"]].to_numpy().tolist() == [[2, 1, 1]]


def test_usage_of_undated_uses() -> None:
    """An undated use counts and dates nothing."""
    rows = skill_usage(table([event(at=None)]), as_of=MONDAY)
    assert rows["uses"].tolist() == [1]
    assert rows[["first_used", "last_used", "days_unused"]].isna().all(axis=None)
    assert rows["first_in_week"].tolist() == [False]


def test_usage_week_of_a_zone() -> None:
    """The week begins at the zone's Monday."""
    events = table([event(at=datetime.fromisoformat("2026-11-29T16:00:00+00:00"))])
    assert skill_usage(events, as_of=AS_OF, time_zone="Asia/Tokyo")["uses_in_week"].tolist() == [1]
    assert skill_usage(events, as_of=AS_OF, time_zone="UTC")["uses_in_week"].tolist() == [0]


def test_versions_in_order_of_use() -> None:
    """Versions are numbered by first use; one that comes back keeps its number; unknown texts stand last, unnamed."""
    days = [("9f", 1), ("3c", 2), ("9f", 3), ("", 0), ("7a", 4)]
    events = table(event(skill_digest=digest, at=AS_OF + timedelta(days=day)) for digest, day in reversed(days))
    rows = skill_versions(events)
    assert rows["skill_digest"].tolist() == ["9f", "3c", "7a", ""]
    assert rows["version"].tolist() == ["v1", "v2", "v3", ""]
    assert rows["n"].tolist() == [2, 1, 1, 1]
    assert rows["last_used"].iloc[0] == AS_OF + timedelta(days=3)


def test_versions_seen_in_uses_only() -> None:
    """A version that nobody reacted to has its number too; later ones do not exist yet; each skill has its own."""
    events = table([event(skill_digest="b", at=AS_OF)], [event(skill="other", skill_digest="z", at=AS_OF)])
    invocations = uses(
        use(skill_digest="a", at=AS_OF - timedelta(days=1)), use(skill_digest="c", at=AS_OF + timedelta(days=1))
    )
    rows = skill_versions(events, invocations=invocations, as_of=AS_OF + timedelta(hours=1))
    assert rows[["skill_id", "version", "skill_digest"]].to_numpy().tolist() == [
        ["a", "v1", "a"],
        ["a", "v2", "b"],
        ["other", "v1", "z"],
    ]
    assert skill_versions(events, skill_id="other")["skill_digest"].tolist() == ["z"]


def test_versions_undated() -> None:
    """A version without a dated use comes after the dated ones."""
    rows = skill_versions(table([event(skill_digest="a", at=None), event(skill_digest="b")]))
    assert rows["skill_digest"].tolist() == ["b", "a"]
    assert pd.isna(rows["first_used"].iloc[1])
