"""All skills as plain dictionaries."""

import json
from datetime import timedelta

from skilltune.analysis.metrics import correction_rate, hotspot_dimensions
from skilltune.analysis.summary import hotspots_by_skill, skill_metrics
from skilltune.analysis.trends import correction_trend
from tests.analysis.invented import AS_OF, history, judged, table, use, uses


def test_skill_metrics_are_json() -> None:
    """Every value is plain, missing ones are None, and nothing is lost on the way."""
    found = skill_metrics(history(), as_of=AS_OF, invocations=uses(use(skill="unjudged", at=AS_OF - timedelta(days=1))))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found[-1]["skill_id"] == "unjudged"
    assert found[-1]["correction_rate"] is None
    assert (found[-1]["hotspots"], found[-1]["trend"]) == ({}, None)


def test_skill_metrics_equal_the_single_forms() -> None:
    """Each dictionary holds what the metrics say of that skill alone."""
    events = history()
    for summary in skill_metrics(events, as_of=AS_OF):
        skill = summary["skill_id"]
        rate = correction_rate(events, skill_id=skill, as_of=AS_OF).to_dict()
        assert {name: summary[name] for name in rate} == rate
        assert summary["hotspots"] == hotspot_dimensions(events, skill_id=skill, as_of=AS_OF).to_dict()
        trend = correction_trend(events, skill_id=skill, as_of=AS_OF).to_dict()
        assert {name: summary["trend"][name] for name in ("trend", "direction", "low", "high")} == {
            name: trend[name] for name in ("trend", "direction", "low", "high")
        }


def test_skill_metrics_without_a_time() -> None:
    """Without `as_of` there is no trend; without events there is no skill."""
    assert [row["trend"] for row in skill_metrics(table(judged(1, 0, 1)))] == [None]
    assert skill_metrics(table()) == []


def test_hotspots_by_skill_order() -> None:
    """Most first, zeros left out."""
    events = table(judged(1, 0, 0, dimension_hint="security"), judged(2, 0, 0, dimension_hint="unknown"))
    assert hotspots_by_skill(hotspot_dimensions(events)) == {"a": {"unknown": 2, "security": 1}}
