"""How often the 95 % intervals hold, and how often trends and shifts are false: tables.

    python benchmarks/intervals.py

Without clusters the coverage, and how often a trend is false, are exact: summed over every possible count. All else
is simulated with a fixed seed.
"""

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import multinomial, norm

from skilltune.analysis.bootstrap import session_bootstrap
from skilltune.analysis.changepoints import rate_shift
from skilltune.analysis.clusters import Rows, change_clusters
from skilltune.analysis.counts import Groups, Judged, group_rows
from skilltune.analysis.intervals import Counts, difference_interval, plain_difference_interval, score_interval
from skilltune.analysis.trends import correction_trend

RATES = (0.05, 0.2, 0.5)
SIZES = (10, 30, 100)
PARTIAL = (0.0, 0.5)
"""Share of the rarer side that partials take: the chance of a partial is this times min(rate, 1 - rate)."""
PAIRS = (
    *((n, n) for n in (5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 35, 40, 50, 60, 70, 80, 100)),
    *((5, 10), (5, 30), (5, 100), (8, 50), (10, 20), (10, 60), (20, 30), (30, 60), (30, 100), (50, 100)),
)
"""Judged uses of the two windows of a trend."""
MOST_WITH_PARTIALS = 70
"""Uses of both windows up to which all outcomes with partials are gone through."""
Z = float(norm.isf(0.025))
AS_OF = pd.Timestamp("2026-11-30", tz="UTC")
OUTCOMES = np.array(["correction", "partial", "acceptance"])
ALIKE = 0.3
"""Intra-class correlation of the hard case; labelled turns show 0.10 to 0.13 (`print_measured`)."""
HELD_OUT = Path(__file__).parent / "held_out.jsonl"


def chances(rate: np.ndarray | float, partial: float) -> np.ndarray:
    """Chances of correction, partial and acceptance that make this rate."""
    half = np.asarray(partial * np.minimum(rate, 1 - np.asarray(rate)) / 2)
    return np.stack([rate - half, 2 * half, 1 - rate - half], axis=-1)


def all_counts(size: int, *, partial: bool = True) -> Counts:
    """Every way to share `size` uses among three outcomes, or among corrections and acceptances."""
    grid = [(c, p, size - c - p) for c in range(size + 1) for p in range(size + 1 - c) if partial or not p]
    return Counts.of(*zip(*grid, strict=True))


def exact_coverage(rate: float, size: int, partial: float) -> float:
    counts = all_counts(size)
    chance = multinomial.pmf(np.stack(counts, axis=-1), size, chances(rate, partial))
    low, high = score_interval(counts)
    return float(chance[(low <= rate + 1e-12) & (rate - 1e-12 <= high)].sum())


def clustered(
    random: np.random.Generator,
    *,
    groups: int,
    sessions: int,
    rate: float,
    partial: float,
    alike: float = ALIKE,
    sizes: Sequence[int] = range(1, 7),
) -> tuple[Judged, Groups, Counts]:
    """Groups of sessions of `sizes` uses whose own rates scatter around `rate` (beta, this intra-class correlation)."""
    own = rates_of_sessions(random, rate, alike, groups * sessions)
    return drawn(random, own, random.choice(sizes, (groups, sessions)), partial)


def clustered_uses(
    random: np.random.Generator, *, groups: int, uses: int, rate: float, partial: float
) -> tuple[Judged, Groups, Counts]:
    """The same of exactly so many uses a group: the last session ends where there are enough."""
    ends = np.minimum(random.integers(1, 7, (groups, uses)).cumsum(axis=1), uses)
    own = rates_of_sessions(random, rate, ALIKE, groups * uses)
    return drawn(random, own, np.diff(ends, axis=1, prepend=0), partial)


def rates_of_sessions(random: np.random.Generator, rate: float, alike: float, count: int) -> np.ndarray:
    total = 1 / alike - 1
    return random.beta(rate * total, (1 - rate) * total, count)


def drawn(
    random: np.random.Generator, own: np.ndarray, sizes: np.ndarray, partial: float
) -> tuple[Judged, Groups, Counts]:
    """Outcomes of sessions of these rates and sizes, a row a group."""
    groups, sessions = sizes.shape
    session = np.repeat(np.arange(groups * sessions), sizes.ravel())
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


def print_coverage_of_uses(groups: int = 2_000) -> None:
    """The same numbers of uses, independent and in sessions."""
    random = np.random.default_rng(9)
    print(
        f"Coverage (%) of the 95 % intervals: independent uses, exact; in sessions as above, {groups:,} simulations\n"
    )
    print(f"{'n':>5}  {'partials':>8}  {'rate':>5}  {'independent: score':>18}  {'in sessions: score':>18}  bootstrap")
    for size, partial, rate in product(SIZES, PARTIAL, RATES):
        judged, numbered, counts = clustered_uses(random, groups=groups, uses=size, rate=rate, partial=partial)
        table = session_bootstrap(judged, numbered, counts, seed=0)
        again, plain = holds((table["low"], table["high"]), rate), holds(score_interval(counts), rate)
        case = f"{size:>5}  {'with' if partial else 'without':>8}  {rate:>5}"
        print(f"{case}  {100 * exact_coverage(rate, size, partial):18.1f}  {100 * plain:18.1f}  {100 * again:9.1f}")
    print()


def print_measured(groups: int = 2_000) -> None:
    """How alike the turns of one session are that people labelled, and what intervals hold where uses are so."""
    rows = pd.DataFrame([json.loads(line) for line in HELD_OUT.read_text(encoding="utf-8").splitlines()])
    rows = rows.assign(verdict=[verdict[0] for verdict in rows["session_unseen"]])
    for name, outcome in (("as the readers say", rows["outcome"]), ("as the classifier says", rows["verdict"])):
        judged = rows.assign(weight=outcome.map({"correction": 1.0, "partial": 0.5, "acceptance": 0.0})).dropna(
            subset=["weight"]
        )
        sizes = judged.groupby("session").size()
        print(
            f"Labelled turns, {name}: {len(judged)} judged in {len(sizes)} sessions, {sizes.mean():.1f} each, "
            f"intra-class correlation {alikeness(judged['weight'], judged['session']):.2f}"
        )
    random = np.random.default_rng(7)
    print(
        f"\nCoverage with sessions of these sizes and an intra-class correlation of 0.12, {groups:,} simulations (%)\n"
    )
    print(f"{'sessions':>8}  {'rate':>5}  {'score':>6}  {'session_bootstrap':>17}  {'how much wider':>14}")
    for sessions in (10, 20, 40, 100):
        for rate in RATES:
            judged_uses, numbered, counts = clustered(
                random, groups=groups, sessions=sessions, rate=rate, partial=0.3, alike=0.12, sizes=sizes.tolist()
            )
            table, plain = session_bootstrap(judged_uses, numbered, counts, seed=0), score_interval(counts)
            wider = np.median((table["high"] - table["low"]) / (plain.high - plain.low))
            drawn = holds((table["low"], table["high"]), rate)
            print(f"{sessions:>8}  {rate:>5}  {100 * holds(plain, rate):6.1f}  {100 * drawn:17.1f}  {wider:14.2f}")
    print()


def alikeness(weights: pd.Series, sessions: pd.Series) -> float:
    """The intra-class correlation by analysis of variance (Donner 1986, International Statistical Review 54)."""
    sizes, means = sessions.map(sessions.value_counts()), weights.groupby(sessions).transform("mean")
    total, count = len(weights), sessions.nunique()
    between = float(((means - weights.mean()) ** 2).sum()) / (count - 1)
    within = float(((weights - means) ** 2).sum()) / (total - count)
    typical = (total - float(sizes.sum()) / total) / (count - 1)
    return (between - within) / (between + (typical - 1) * within)


def print_trends() -> None:
    rates = np.arange(0.02, 0.981, 0.02)
    print("Trend: how often the interval of the difference leaves 0 out, exact (%)\n")
    print(
        f"{'n, n':>9}  {'partials':>8}  {'no change: mean, greatest; 0.30 to 0.15: found, width':>56}"
        f"  {'the same of MOVER without corrections':>40}"
    )
    worst = [0.0, 0.0]
    for sizes, partial in product(PAIRS, PARTIAL):
        if partial and sum(sizes) > MOST_WITH_PARTIALS:
            continue
        outcomes = [all_counts(size, partial=bool(partial)) for size in sizes]
        one, other = pairs_of(*outcomes)
        shape = tuple(len(side.judged) for side in outcomes)
        row = []
        for number, (low, high) in enumerate(
            (difference_interval(one, other), plain_difference_interval(one, other, z=Z))
        ):
            told = ((low > 0) | (high < 0)).reshape(shape)
            same = [alarm(told, outcomes, (rate, rate), partial) for rate in rates]
            power, width = (alarm(at, outcomes, (0.15, 0.3), partial) for at in (told, (high - low).reshape(shape)))
            worst[number] = max(worst[number], *same)
            row.append((np.mean(same), max(same), power, width / 100))
        label = "with" if partial else "without"
        text = [f"{mean:.1f}  {most:.1f}  {power:.1f}  {width:.3f}" for mean, most, power, width in row]
        print(f"{f'{sizes[0]}, {sizes[1]}':>9}  {label:>8}  {text[0]:>56}  {text[1]:>40}")
    print(f"\ngreatest of all, rates 0.02 to 0.98: {worst[0]:.1f}; without corrections {worst[1]:.1f}\n")


def pairs_of(recent: Counts, prior: Counts) -> tuple[Counts, Counts]:
    """Every outcome of one side with every one of the other."""
    first, second = np.meshgrid(np.arange(len(recent.judged)), np.arange(len(prior.judged)), indexing="ij")
    return Counts(*(part[first.ravel()] for part in recent)), Counts(*(part[second.ravel()] for part in prior))


def alarm(table: np.ndarray, outcomes: list[Counts], rates: tuple[float, float], partial: float) -> float:
    """The mean of a table over both sides' outcomes at these rates, times 100."""
    one, other = (
        multinomial.pmf(np.stack(side, axis=-1), side.judged[0], chances(rate, partial))
        for side, rate in zip(outcomes, rates, strict=True)
    )
    return 100 * float(one @ table @ other)


def print_clustered_trends(groups: int = 3_000) -> None:
    """Trends of skills that did not change, and of some that did, whose uses come in sessions."""
    random = np.random.default_rng(8)
    print(f"Trend with uses in sessions: how often the interval leaves 0 out, {groups:,} simulations (%)")
    print("no change: greatest over rates 0.1, 0.3 and 0.5; change: 0.30 to 0.15\n")
    print(
        f"{'alike':>5}  {'uses each':>9}  {'sessions':>8}  {'no change':>10}  {'independent':>14}  {'found':>6}  wider"
    )
    for alike, sizes in product((0.0001, 0.12, 0.3), (range(1, 2), range(1, 4), range(1, 7), range(8, 12))):
        for sessions in ((3, 3), (5, 5), (10, 10), (5, 20), (20, 20), (30, 30)):
            same = [
                clustered_alarms(random, groups, sessions, (rate, rate), (alike, sizes)) for rate in (0.1, 0.3, 0.5)
            ]
            told, plain, wider = np.max(same, axis=0)
            found = clustered_alarms(random, groups, sessions, (0.15, 0.3), (alike, sizes))[0]
            case = f"{round(alike, 2):>5}  {f'{sizes[0]}-{sizes[-1]}':>9}  {f'{sessions[0]}, {sessions[1]}':>8}"
            print(f"{case}  {told:10.1f}  {plain:14.1f}  {found:6.1f}  {wider:5.2f}")
    print()


def clustered_alarms(
    random: np.random.Generator,
    groups: int,
    sessions: tuple[int, int],
    rates: tuple[float, float],
    cluster: tuple[float, Sequence[int]],
) -> tuple[float, float, float]:
    """How often 0 is left out, the same where uses count as independent, and how much wider the interval is."""
    sides, counts = [], []
    for number, (size, rate) in enumerate(zip(sessions, rates, strict=True)):
        judged, numbered, count = clustered(
            random, groups=groups, sessions=size, rate=rate, partial=0.3, alike=cluster[0], sizes=cluster[1]
        )
        sides.append((2 * numbered.codes + number, 2 * judged.frame["session_id"].to_numpy() + number, judged.kind))
        counts.append(count)
    enough = (counts[0].judged >= 5) & (counts[1].judged >= 5)
    if not enough.any():
        return 0.0, 0.0, 1.0
    clusters = change_clusters(Rows(*(np.concatenate(part) for part in zip(*sides, strict=True))), groups=groups)
    bounds = [difference_interval(*counts, clusters=each) for each in (clusters, None)]
    told, plain = (100 * float(((low > 0) | (high < 0))[enough].mean()) for low, high in bounds)
    wide = [high - low for low, high in bounds]
    return told, plain, float(np.median((wide[0] / wide[1])[enough]))


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


def print_shifts(runs: int = 600) -> None:
    print(f"Shift of the rate in the middle fifth of 12 weeks, {runs:,} simulations, 3 uses a session (%)\n")
    print(f"{'sessions':>8}  {'alike':>5}  {'0.2 to 0.5: found':>17}  range holds it  weeks  {'no change: found':>16}")
    for sessions, alike in product((20, 40, 60), (0.001, 0.12, 0.3)):
        case = f"{sessions:>8}  {alike:>5}  {range_words(sessions, alike, runs)}"
        random = np.random.default_rng(6)
        same = [len(shift_of(random, sessions, alike, (rate, rate), 0.5)) for rate in (0.2, 0.5) for _ in range(runs)]
        print(f"{case}  {100 * np.mean(same):16.1f}")


def range_words(sessions: int, alike: float, runs: int) -> str:
    """How often a shift is found, its range holds the moment then, and how long the range is."""
    random, week = np.random.default_rng(5), pd.Timedelta(days=7)
    places = random.uniform(0.4, 0.6, runs)
    every = [shift_of(random, sessions, alike, (0.2, 0.5), place) for place in places]
    moments = AS_OF - pd.to_timedelta(84 * (1 - places), unit="D")
    found = [(at, row.iloc[0]) for at, row in zip(moments, every, strict=True) if len(row)]
    right = [row["first"] <= at < row["last"] + week for at, row in found]
    long = [(row["last"] - row["first"]) / week + 1 for _, row in found]
    return f"{100 * len(found) / runs:17.1f}  {100 * np.mean(right):14.1f}  {np.mean(long):5.1f}"


def shift_of(
    random: np.random.Generator, sessions: int, alike: float, rates: tuple[float, float], place: float
) -> pd.DataFrame:
    began = np.sort(random.random(sessions))
    mean, total = np.where(began < place, *rates), 1 / alike - 1
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
    print_coverage_of_uses()
    print_measured()
    print_trends()
    print_clustered_trends()
    print_reports()
    print_shifts()
