"""How often a change of a skill is said to have helped or hurt, looked at every week: false alarms and power.

    python benchmarks/before_after.py

Simulated with a fixed seed: skills with so many judged uses before the change and so many a week after it, looked at
after each of 12 weeks; a verdict at any look counts.
"""

import numpy as np
import pandas as pd

from skilltune.analysis.before_after import before_after

AT = pd.Timestamp("2026-08-01", tz="UTC")
WEEKS = 12
SIZES = ((10, 3), (30, 5), (60, 10), (100, 20))
RATES = ((0.3, 0.3), (0.05, 0.05), (0.3, 0.15), (0.3, 0.45))
OUTCOMES = np.array(["correction", "partial", "acceptance"])


def uses(random: np.random.Generator, *, rate: float, days: np.ndarray, skills: int) -> pd.DataFrame:
    """One use per skill and day; a fifth of what is wrong is a partial for two."""
    size = skills * len(days)
    half = rate / 10
    kind = random.choice(3, size, p=[rate - half, 2 * half, 1 - rate - half])
    names = np.repeat(np.arange(skills), len(days)).astype(str)
    stamps = AT + pd.to_timedelta(np.tile(days, skills), unit="D")
    return pd.DataFrame({"skill_id": names, "outcome": OUTCOMES[kind], "timestamp": stamps})


def any_verdict(
    random: np.random.Generator, *, before: int, weekly: int, rates: tuple[float, float], skills: int
) -> dict:
    """Share of skills with each verdict at any of the looks, and at the last."""
    earlier = uses(random, rate=rates[0], days=-np.linspace(29, 0.1, before), skills=skills)
    later = uses(random, rate=rates[1], days=np.linspace(0, 7 * WEEKS, weekly * WEEKS, endpoint=False), skills=skills)
    events = pd.concat([earlier, later], ignore_index=True)
    helped, worse = np.zeros(skills, dtype=bool), np.zeros(skills, dtype=bool)
    for week in range(1, WEEKS + 1):
        table = before_after(events, as_of=AT + pd.Timedelta(days=7 * week), at=AT)
        helped |= (table["verdict"] == "helped").to_numpy()
        worse |= (table["verdict"] == "made_worse").to_numpy()
    return {"helped": helped.mean(), "worse": worse.mean()}


def main(skills: int = 400) -> None:
    random = np.random.default_rng(6)
    print(f"Verdicts at any of {WEEKS} weekly looks, {skills} skills a cell: helped / made worse (%)\n")
    print(f"{'before':>6}  {'a week':>6}" + "".join(f"{f'{one:g} to {other:g}':>18}" for one, other in RATES))
    for before, weekly in SIZES:
        cells = [any_verdict(random, before=before, weekly=weekly, rates=rates, skills=skills) for rates in RATES]
        told = [f"{100 * cell['helped']:.1f} / {100 * cell['worse']:.1f}" for cell in cells]
        print(f"{before:>6}  {weekly:>6}" + "".join(f"{each:>18}" for each in told))


if __name__ == "__main__":
    main()
