"""How often a change of a skill is said to have helped or hurt, looked at every week: false alarms and power.

    python benchmarks/before_after.py

Uses are independent first, then come in sessions of one to six. Simulated with a fixed seed: skills with so many judged
uses before the change and so many a week after it, looked at after each of 12 weeks; a verdict at any look counts.
"""

import numpy as np
import pandas as pd

from skilltune.analysis.before_after import before_after

AT = pd.Timestamp("2026-08-01", tz="UTC")
WEEKS = 12
SIZES = ((10, 3), (30, 5), (60, 10), (100, 20))
RATES = ((0.3, 0.3), (0.05, 0.05), (0.3, 0.15), (0.3, 0.45))
ALIKE = (0.12, 0.3)
"""Intra-class correlations of uses of one session: the measured one, and a hard case."""
OUTCOMES = np.array(["correction", "partial", "acceptance"])


def uses(
    random: np.random.Generator, *, rate: float, days: np.ndarray, skills: int, alike: float = 0.0
) -> pd.DataFrame:
    """One use per skill and day, each alone or in sessions of one to six; a fifth of what is wrong is partly so."""
    size = skills * len(days)
    session = np.arange(size)
    own = np.full(size, rate)
    if alike:
        session = np.concatenate([sessions(random, len(days)) + skill * len(days) for skill in range(skills)])
        total = 1 / alike - 1
        own = random.beta(rate * total, (1 - rate) * total, size)[session]
    half, drawn = np.minimum(own, 1 - own) / 10, random.random(size)
    kind = (drawn > own - half).astype("int64") + (drawn > own + half)
    names = np.repeat(np.arange(skills), len(days)).astype(str)
    stamps = AT + pd.to_timedelta(np.tile(days, skills), unit="D")
    known = {"skill_id": names, "session_id": [f"{days[0]:g}-{each}" for each in session]}
    return pd.DataFrame({**known, "outcome": OUTCOMES[kind], "timestamp": stamps})


def sessions(random: np.random.Generator, size: int) -> np.ndarray:
    """Numbers of sessions of one to six uses that follow each other."""
    return np.repeat(np.arange(size), random.integers(1, 7, size))[:size]


def any_verdict(
    random: np.random.Generator,
    *,
    before: int,
    weekly: int,
    rates: tuple[float, float],
    skills: int,
    alike: float,
) -> dict:
    """Share of skills with each verdict at any of the looks, and at the last."""
    earlier = uses(random, rate=rates[0], days=-np.linspace(29, 0.1, before), skills=skills, alike=alike)
    days = np.linspace(0, 7 * WEEKS, weekly * WEEKS, endpoint=False)
    later = uses(random, rate=rates[1], days=days, skills=skills, alike=alike)
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
    for alike in (0.0, *ALIKE):
        print(f"uses of one session: {alike:g}" if alike else "independent uses")
        for before, weekly in SIZES:
            sizes = {"before": before, "weekly": weekly, "skills": skills, "alike": alike}
            cells = [any_verdict(random, rates=rates, **sizes) for rates in RATES]
            told = [f"{100 * cell['helped']:.1f} / {100 * cell['worse']:.1f}" for cell in cells]
            print(f"{before:>6}  {weekly:>6}" + "".join(f"{each:>18}" for each in told), flush=True)


if __name__ == "__main__":
    main()
