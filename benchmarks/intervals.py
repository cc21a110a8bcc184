"""How often the 95 % intervals hold, and how often trends and shifts are false: tables.

    python benchmarks/intervals.py

Without clusters the coverage is exact: summed over every possible count. All else is simulated with a fixed seed.
"""

import numpy as np
import pandas as pd
from scipy.stats import multinomial

from skilltune.analysis.bootstrap import session_bootstrap
from skilltune.analysis.changepoints import rate_shift
from skilltune.analysis.counts import Groups, Judged, group_rows
from skilltune.analysis.intervals import Counts, difference_interval, score_interval
from skilltune.analysis.trends import correction_trend

RATES = (0.05, 0.2, 0.5)
SIZES = (10, 30, 100)
PARTIAL = (0.0, 0.5)
"""Share of the rarer side that partials take: the chance of a partial is this times min(rate, 1 - rate)."""
AS_OF = pd.Timestamp("2026-11-30", tz="UTC")
OUTCOMES = np.array(["correction", "partial", "acceptance"])


def chances(rate: np.ndarray | float, partial: float) -> np.ndarray:
    """Chances of correction, partial and acceptance that make this rate."""
    half = np.asarray(partial * np.minimum(rate, 1 - np.asarray(rate)) / 2)
    return np.stack([rate - half, 2 * half, 1 - rate - half], axis=-1)


def all_counts(size: int) -> Counts:
    """Every way to share `size` uses among three outcomes."""
    grid = [(c, p, size - c - p) for c in range(size + 1) for p in range(size + 1 - c)]
    return Counts.of(*zip(*grid, strict=True))


def exact_coverage(rate: float, size: int, partial: float) -> float:
    counts = all_counts(size)
    chance = multinomial.pmf(np.stack(counts, axis=-1), size, chances(rate, partial))
    low, high = score_interval(counts)
    return float(chance[(low <= rate + 1e-12) & (rate - 1e-12 <= high)].sum())


def clustered(
    random: np.random.Generator, *, groups: int, sessions: int, rate: float, partial: float
) -> tuple[Judged, Groups, Counts]:
    """Groups of sessions of 1 to 6 uses whose own rates scatter around `rate` (beta, intra-class correlation 0.3)."""
    total = 1 / 0.3 - 1
    own = random.beta(rate * total, (1 - rate) * total, groups * sessions)
    session = np.repeat(np.arange(groups * sessions), random.integers(1, 7, groups * sessions))
    edges = chances(own, partial).cumsum(axis=1)[session]
    kind = (random.random((len(session), 1)) > edges[:, :2]).sum(axis=1).astype("int8")
    frame = pd.DataFrame({"skill_id": session // sessions, "session_id": session})
    judged = Judged(frame, kind, np.zeros(len(frame), dtype="int64"))
    numbered = group_rows(frame.assign(group=frame["skill_id"]), by=("group",), stamps=judged.stamps)
    counts = Counts.of(*(np.bincount(numbered.codes[kind == k], minlength=groups) for k in range(3)))
    return judged, numbered, counts


def holds(bounds: tuple[np.ndarray, np.ndarray], rate: float) -> float:
    return float(((bounds[0] <= rate) & (rate <= bounds[1])).mean())


def print_coverage() -> None:
    print("Coverage of the 95 % score interval, independent uses, exact (%)\n")
    print(f"{'n':>5}  {'partials':>8}" + "".join(f"  rate {rate:<4}" for rate in RATES))
    every = []
    for partial in PARTIAL:
        for size in SIZES:
            row = [exact_coverage(rate, size, partial) for rate in RATES]
            every += row
            print(f"{size:>5}  {'with' if partial else 'without':>8}" + "".join(f"{100 * x:11.1f}" for x in row))
    print(f"\nmean {100 * np.mean(every):.1f}, least {100 * min(every):.1f}")
    fine = [exact_coverage(rate, size, partial) for partial in PARTIAL for size in SIZES
            for rate in np.arange(0.02, 0.981, 0.02)]  # fmt: skip
    print(f"rates 0.02 to 0.98: mean {100 * np.mean(fine):.1f}, least {100 * min(fine):.1f}\n")


def print_cluster_coverage(groups: int = 2_000) -> None:
    random = np.random.default_rng(2)
    print(f"Coverage with events in sessions of 1 to 6 (intra-class correlation 0.3), {groups:,} simulations (%)\n")
    print(f"{'sessions':>8}  {'partials':>8}  {'rate':>5}  {'score':>6}  {'session_bootstrap':>17}")
    for partial in PARTIAL:
        for sessions in (10, 20, 40, 100):
            for rate in RATES:
                judged, numbered, counts = clustered(
                    random, groups=groups, sessions=sessions, rate=rate, partial=partial
                )
                table = session_bootstrap(judged, numbered, counts, seed=0)
                drawn, plain = holds((table["low"], table["high"]), rate), holds(score_interval(counts), rate)
                label = "with" if partial else "without"
                print(f"{sessions:>8}  {label:>8}  {rate:>5}  {100 * plain:6.1f}  {100 * drawn:17.1f}")
    print()


def print_trends(pairs: int = 50_000) -> None:
    random = np.random.default_rng(3)
    print(f"Trend: how often the interval of the difference leaves 0 out, {pairs:,} simulations (%)\n")
    print(f"{'n, n':>9}  {'partials':>8}" + "".join(f"  no change at {rate:<4}" for rate in RATES) + "  0.30 to 0.15")
    for partial in PARTIAL:
        for sizes in ((5, 5), (10, 10), (30, 30), (10, 60), (100, 100)):
            row = []
            for before, now in (*zip(RATES, RATES, strict=True), (0.3, 0.15)):
                prior = Counts.of(*random.multinomial(sizes[0], chances(before, partial), pairs).T)
                recent = Counts.of(*random.multinomial(sizes[1], chances(now, partial), pairs).T)
                low, high = difference_interval(recent, prior)
                row.append(100 * float(((low > 0) | (high < 0)).mean()))
            label = "with" if partial else "without"
            print(
                f"{f'{sizes[0]}, {sizes[1]}':>9}  {label:>8}"
                + "".join(f"{x:19.1f}" for x in row[:3])
                + f"{row[3]:14.1f}"
            )
    print()


def print_reports(weeks: int = 400, skills: int = 14) -> None:
    """Whole reports without any change: skills of different rates and numbers of uses."""
    random = np.random.default_rng(4)
    alarms = verdicts = found = 0
    for _ in range(weeks):
        rate, uses = random.beta(2, 5, skills), random.integers(5, 100, (skills, 2))
        skill = np.repeat(np.arange(skills), uses.sum(axis=1))
        recent = np.concatenate([np.repeat([0, 1], pair) for pair in uses])
        kind = (random.random((len(skill), 1)) > chances(rate, 0.3).cumsum(axis=1)[skill][:, :2]).sum(axis=1)
        stamps = AS_OF - pd.to_timedelta(45 - 30 * recent, unit="D")
        events = pd.DataFrame({"skill_id": skill.astype(str), "outcome": OUTCOMES[kind], "timestamp": stamps})
        table = correction_trend(events, as_of=AS_OF)
        alarms += int(table["excludes_zero"].sum())
        found += int(table["discovered"].any())
        verdicts += len(table)
    print(f"{weeks} reports of {skills} skills, none of which changed:")
    print(f"{100 * alarms / verdicts:.1f} % of intervals leave 0 out; ", end="")
    print(f"{100 * found / weeks:.1f} % of reports call any skill worse or better\n")


def print_shifts(runs: int = 1_000) -> None:
    random = np.random.default_rng(5)
    print(f"Shift of the rate in the middle of 12 weeks, {runs:,} simulations (%)\n")
    print(f"{'uses':>5}  {'sessions':>8}  {'scatter':>7}  {'rates':>12}  {'found':>6}  {'range holds it':>14}")
    for sessions, scatter in ((20, 0.001), (20, 0.3), (60, 0.001), (60, 0.3)):
        for rates in ((0.2, 0.2), (0.5, 0.5), (0.2, 0.5)):
            found = [shift_of(random, sessions, scatter, rates) for _ in range(runs)]
            held = [table for table in found if len(table)]
            middle = AS_OF - pd.Timedelta(days=42)
            right = [t["first"].iloc[0] <= middle < t["last"].iloc[0] + pd.Timedelta(days=7) for t in held]
            share = f"{100 * np.mean(right):14.0f}" if rates[0] != rates[1] else ""
            case = f"{3 * sessions:>5}  {sessions:>8}  {scatter:>7}  {rates[0]:>5} to {rates[1]:<3}"
            print(f"{case}  {100 * len(held) / runs:6.1f}  {share}")


def shift_of(random: np.random.Generator, sessions: int, scatter: float, rates: tuple[float, float]) -> pd.DataFrame:
    began = np.sort(random.random(sessions))
    mean, total = np.where(began < 0.5, *rates), 1 / scatter - 1
    own = random.beta(mean * total, (1 - mean) * total)
    session = random.integers(0, sessions, 3 * sessions)
    kind = (random.random((len(session), 1)) > chances(own, 0.3).cumsum(axis=1)[session][:, :2]).sum(axis=1)
    stamps = AS_OF - pd.to_timedelta(84 * (1 - 0.9999 * began[session]), unit="D")
    events = pd.DataFrame(
        {"skill_id": "a", "session_id": session.astype(str), "outcome": OUTCOMES[kind], "timestamp": stamps}
    )
    return rate_shift(events, skill_id="a", as_of=AS_OF)


if __name__ == "__main__":
    print_coverage()
    print_cluster_coverage()
    print_trends()
    print_reports()
    print_shifts()
