"""Whether a rate has settled."""

import json
from datetime import timedelta

import pytest

from skilltune.analysis.convergence import correction_convergence
from tests.analysis.invented import AS_OF, judged, table


@pytest.mark.parametrize(
    ("earlier", "before", "now", "converged"),
    [
        ((60, 0, 40), (42, 0, 58), (41, 0, 59), False),
        ((44, 0, 56), (42, 0, 58), (41, 0, 59), True),
        ((3, 0, 17), (4, 0, 16), (3, 0, 17), True),
        ((10, 0, 10), (11, 0, 9), (12, 0, 8), True),
        ((31, 0, 169), (41, 0, 159), (52, 0, 148), False),
        ((0, 0, 4), (0, 0, 50), (0, 0, 50), False),
        ((0, 0, 5), (0, 0, 5), (0, 0, 5), True),
    ],
)
def test_convergence_steps(
    earlier: tuple[int, int, int], before: tuple[int, int, int], now: tuple[int, int, int], converged: bool
) -> None:
    """Both steps at most 0.05, exactly, and enough data in all three windows (R23)."""
    windows = zip((earlier, before, now), (70, 40, 10), strict=True)
    events = table(*(judged(*counts, at=AS_OF - timedelta(days=ago)) for counts, ago in windows))
    row = correction_convergence(events, as_of=AS_OF, skill_id="a")
    assert row["converged"] is converged
    assert row["sufficient_data"] is (min(sum(earlier), sum(before), sum(now)) >= 5)
    assert [row["sample_earlier"], row["sample_before"], row["sample_now"]] == [sum(earlier), sum(before), sum(now)]
    assert json.loads(json.dumps(row.to_dict(), allow_nan=False)) == row.to_dict()


def test_convergence_window_edges() -> None:
    """The windows are half open: an event exactly 30 days before belongs to the last, one 90 days before counts."""
    for days, place in ((30, "now"), (60, "before"), (90, "earlier")):
        row = correction_convergence(table(judged(1, 0, 0, at=AS_OF - timedelta(days=days))), as_of=AS_OF, skill_id="a")
        assert row[f"sample_{place}"] == 1
    outside = table(judged(1, 0, 0, at=AS_OF), judged(1, 0, 0, at=AS_OF - timedelta(days=90, microseconds=1)))
    assert correction_convergence(outside, as_of=AS_OF).empty


def test_convergence_of_an_unknown_skill() -> None:
    """A skill without events has not settled."""
    row = correction_convergence(table(), as_of=AS_OF, skill_id="b")
    assert (row["skill_id"], row["converged"], row["rate_now"], row["sample_now"]) == ("b", False, None, 0)
