"""Metrics of a million events: milliseconds of CPU time, median of several runs, beside the bars of the project.

python benchmarks/metrics.py [EVENTS]
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.bars import show_bar
from skilltune.analysis.changepoints import change_points
from skilltune.analysis.cost import skill_cost
from skilltune.analysis.metrics import correction_rate, hotspot_dimensions
from skilltune.analysis.mix import outcome_mix
from skilltune.analysis.ranking import ranked_skills
from skilltune.analysis.trends import correction_trend, rate_over_time
from skilltune.analysis.usage import skill_usage
from skilltune.frames import columns, empty_frame
from skilltune.records import FeedbackEvent

AS_OF = pd.Timestamp("2026-11-30", tz="UTC")
SKILLS, DAYS, RUNS = 60, 365, 7


def make_events(count: int, *, categorical: bool) -> pd.DataFrame:
    """Invented events with the columns that metrics look at: names as text, or as categories, as `read_tables` does."""
    chance = np.random.default_rng(1)
    dtypes = empty_frame(FeedbackEvent).dtypes
    outcome = chance.choice(["correction", "partial", "acceptance"], count, p=[0.2, 0.1, 0.7])
    dimension = chance.choice(["accuracy", "coverage", "reliability", "unknown"], count)
    microseconds = chance.integers(0, DAYS * 86_400_000_000, count)
    words = {
        "skill_id": np.char.add("skill-", chance.integers(0, SKILLS, count).astype(str)),
        "outcome": outcome,
        "dimension_hint": np.where(outcome == "acceptance", None, dimension.astype(object)),
        "attribution": chance.choice(["direct", "likely", "weak"], count),
        "rule": np.where(outcome == "acceptance", chance.choice(["implicit.next", "en.thanks"], count), "en.reject"),
    }
    numbers = {"confidence": np.full(count, 0.9), "tokens_input": chance.integers(0, 50_000, count)}
    frame = pd.DataFrame(words | numbers)
    frame = frame.astype({name: dtypes[name] for name in words})
    frame["event_id"] = pd.RangeIndex(count)
    sessions = chance.integers(0, count // 3, count).astype(str)
    frame["session_id"] = np.char.add("0f3c1a2b-77aa-4c1d-9e00-", np.char.zfill(sessions, 12))
    frame["timestamp"] = AS_OF - pd.to_timedelta(microseconds, unit="us")
    assert set(frame.columns) <= set(columns(FeedbackEvent))
    names = ("skill_id", "rule", "session_id")
    return frame.astype(dict.fromkeys(names, "category" if categorical else "str"))


def milliseconds(run: Callable[[], object]) -> float:
    """The median CPU time of one run."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        run()
        times.append(1000 * (time.process_time() - start))
    return statistics.median(times)


def main(count: int) -> None:
    bars = {
        1_000_000: {"rate x week": 80, "trend": 30, "hotspots": 25},
        10_000_000: {"rate x week": 900, "trend": 250, "hotspots": 250},
    }.get(count, {})
    tables = {"categories": make_events(count, categorical=True), "text": make_events(count, categorical=False)}
    print(f"{count:,} events, {SKILLS} skills, {DAYS} days; milliseconds of CPU time, median of {RUNS}")
    print(f"{'':28}{'categories':>12}{'text':>12}{'bar':>8}")
    measured = {}
    for name, metric in {
        "rate x week": lambda e: correction_rate(e, by=("skill_id", "week")),
        "rate x week, Europe/Berlin": lambda e: correction_rate(e, by=("skill_id", "week"), time_zone="Europe/Berlin"),
        "rate": correction_rate,
        "trend": lambda e: correction_trend(e, as_of=AS_OF),
        "hotspots": hotspot_dimensions,
        "rate over 12 weeks": lambda e: rate_over_time(e, as_of=AS_OF),
        "ranking": lambda e: ranked_skills(e, as_of=AS_OF),
        "outcomes x week": outcome_mix,
        "usage": lambda e: skill_usage(e, as_of=AS_OF),
        "cost": lambda e: skill_cost(e, as_of=AS_OF),
        "change points": lambda e: change_points(e, as_of=AS_OF),
    }.items():
        times = [milliseconds(lambda metric=metric, events=events: metric(events)) for events in tables.values()]
        print(f"{name:28}{times[0]:12.1f}{times[1]:12.1f}{bars.get(name, ''):>8}")
        measured[name] = times[0]
    for name, bar in bars.items():
        show_bar(f"{name}, {count:,} events", measured[name], bar=bar, unit="ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
