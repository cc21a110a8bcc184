"""Coverage and width of corrected rates: by simulation, and on labelled turns drawn 50 at a time.

python benchmarks/corrected_rates.py [--unseen project|session] [--labels FILE --predictions FILE] [--draws 2000]

The labelled turns are those of held_out.jsonl beside this file, with the verdicts of a classifier that had not seen
their project (or session); or those of another file: LABELS has id, repository and label, PREDICTIONS id, outcome and,
where the classifier gives them, p_negative and p_acceptance. Each project is a population of its own, and small ones
are drawn from at their size. A 95 % interval holds in 95 % of draws; "alone" is Wilson's interval on as many labels,
drawn simply, without and with the finite-population factor (its n is then n / (1 - n/N)). --write keeps the figures in
corrected_rates.json beside this file.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from skilltune.analysis.corrected import corrected_rate
from skilltune.analysis.intervals import Counts, score_interval
from skilltune.analysis.prediction_powered import Sample, Values, estimate_ratio, ratio_intervals
from skilltune.analysis.sampling import draw_uses, inclusion_probabilities
from skilltune.analysis.transfer import transfer_corrected
from skilltune.records import PredictedUse

TARGET = Path(__file__).with_suffix(".json")
HELD_OUT = Path(__file__).with_name("held_out.jsonl")
FINER = {
    **dict.fromkeys(("failure_report", "redo", "revert"), "correction"),
    **dict.fromkeys(("challenge", "change_request", "relayed_review", "neutral"), "none"),
    "next_step_acceptance": "acceptance",
}
"""The strict mapping of finer labels."""
FIRST = 550
"""Turns of the set that others measure on: the first lines of the held-out verdicts."""
OUTCOMES = ("correction", "partial", "acceptance", "none")
HALF = {"correction": 1.0, "partial": 0.5}


@dataclass(frozen=True)
class People:
    """Uses with their truth and what was predicted."""

    truth: Values
    predicted: Values
    said: np.ndarray

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def rate(self) -> float:
        return float(self.truth.corrected.sum() / self.truth.judged.sum())


def simple(random: np.random.Generator, people: People, size: int) -> Sample:
    places = random.choice(len(people), size, replace=False)
    return Sample(places, people.truth.take(places), np.full(size, size / len(people)))


def stratified(random: np.random.Generator, people: People, size: int) -> Sample:
    """Half of the labels among what is called a complaint (as far as there are so many), the rest among the others."""
    places, chances = [], []
    complaints = np.flatnonzero(people.said)
    others = np.flatnonzero(~people.said)
    first = min(size // 2, len(complaints))
    for stratum, number in ((complaints, first), (others, min(size - first, len(others)))):
        places.append(random.choice(stratum, number, replace=False))
        chances.append(np.full(number, number / max(len(stratum), 1)))
    at = np.concatenate(places)
    return Sample(at, people.truth.take(at), np.concatenate(chances))


def covers(people: People, draw, size: int, draws: int, seed: int = 0) -> dict[str, float]:
    """How often intervals hold, and how wide they are, over many samples of one population."""
    random = np.random.default_rng(seed)
    estimates = [estimate_ratio(people.predicted, draw(random, people, size)) for _ in range(draws)]
    estimates = [each for each in estimates if np.isfinite(each.rate)]
    alone = [simple(random, people, size) for _ in range(draws)]
    figures = {"true": people.rate, "mean": float(np.mean([each.rate for each in estimates]))}
    figures |= _holds("", ratio_intervals(estimates), people.rate)
    corrected = np.array([sample.found.corrected.sum() for sample in alone])
    judged = np.array([sample.found.judged.sum() for sample in alone])
    some, left = judged > 0, 1 - size / len(people)
    for name, factor in (("alone_", 1.0), ("alone_fpc_", left)):
        scale = 1 / max(factor, 1e-9)
        counts = Counts(scale * corrected[some], np.zeros(some.sum()), scale * (judged - corrected)[some])
        figures |= _holds(name, score_interval(counts), people.rate)
    return figures


def _holds(name: str, bounds, rate: float) -> dict[str, float]:
    held = (bounds.low <= rate + 1e-12) & (bounds.high >= rate - 1e-12)
    return {f"{name}coverage": float(held.mean()), f"{name}width": float((bounds.high - bounds.low).mean())}


def invented(random, *, size: int, complaints: float, precision: float, recall: float, clustered: bool) -> People:
    """Uses of which `complaints` are corrected and a third accepted; sessions differ in their rate if `clustered`."""
    if clustered:
        session = np.sort(random.integers(0, max(size // 4, 1), size))
        own = random.beta(complaints * 2, (1 - complaints) * 2, size)[session]
        negative = random.random(size) < own
    else:
        negative = np.arange(size) < max(round(complaints * size), 1)
    if not negative.any():
        negative[0] = True
    accepted = ~negative & (random.random(size) < 0.4)
    wrongly = min(recall * negative.mean() * (1 / precision - 1) / (1 - negative.mean()), 1.0)
    said = random.random(size) < np.where(negative, recall, wrongly)
    agreed = ~said & (random.random(size) < np.where(accepted, 0.85, 0.08))
    truth = Values(negative.astype(float), (negative | accepted).astype(float))
    return People(truth, Values(said.astype(float), (said | agreed).astype(float)), said)


def show(title: str, figures: dict[str, float]) -> None:
    print(
        f"{title:58s} {figures['true']:5.3f} {figures['mean']:6.3f} {100 * figures['coverage']:7.1f} "
        f"{figures['width']:6.3f}  {100 * figures['alone_coverage']:6.1f} {figures['alone_width']:6.3f}  "
        f"{100 * figures['alone_fpc_coverage']:6.1f} {figures['alone_fpc_width']:6.3f}"
    )


def head(title: str) -> None:
    print(f"\n{title}")
    print(
        f"{'':58s} {'true':>5} {'mean':>6} {'holds %':>7} {'width':>6}  {'alone %':>6} {'width':>6}  with fpc % width"
    )


def simulate(draws: int) -> list[dict]:
    """Every design: the rate, in populations of different size, prevalence and quality of the rules."""
    rows = []
    head(f"Simulated rates, {draws:,} samples each")
    for clustered in (False, True):
        for complaints in (0.03, 0.1, 0.3):
            for precision, recall in ((0.5, 0.25), (0.75, 0.5), (0.9, 0.85)):
                for population, labels in ((600, 20), (600, 50), (600, 100), (80, 20), (80, 50)):
                    people = invented(
                        np.random.default_rng(7), size=population, complaints=complaints, precision=precision,
                        recall=recall, clustered=clustered,
                    )  # fmt: skip
                    for draw in (simple, stratified):
                        figures = covers(people, draw, labels, draws)
                        kind = f"{draw.__name__}{', sessions' if clustered else ''}"
                        title = f"{kind}: {complaints:.0%}, p {precision} r {recall}, {labels} of {population}"
                        show(title, figures)
                        rows.append({"case": title, "labels": labels, "clustered": clustered, **figures})
    for labels in (20, 50, 100):
        held = [row["coverage"] for row in rows if row["labels"] == labels]
        wider = [row["width"] / row["alone_fpc_width"] for row in rows if row["labels"] == labels]
        print(
            f"{labels} labels: holds in {100 * np.mean(held):.1f} % on average, {100 * min(held):.1f} % at worst; "
            f"width {np.mean(wider):.2f} of Wilson's with fpc on labels alone"
        )
    return rows


def simulate_judge(draws: int) -> None:
    """Rules on all, a judge on 300, people on 50."""
    random = np.random.default_rng(3)
    head("A judge (precision and recall 0.9) on 300 of 2,000 uses, people on 50")
    people = invented(random, size=2_000, complaints=0.2, precision=0.6, recall=0.4, clustered=False)
    negative, judged = people.truth.corrected > 0, people.truth.judged > 0
    heard = np.where(random.random(2_000) < 0.9, negative, random.random(2_000) < 0.025)
    noticed = heard | (judged & ~negative & (random.random(2_000) < 0.9))
    answers = Values(heard.astype(float), noticed.astype(float))
    estimates = []
    for _ in range(draws):
        labels, asked = simple(random, people, 50), random.choice(2_000, 300, replace=False)
        judge = Sample(asked, answers.take(asked), np.full(300, 0.15))
        estimates.append(estimate_ratio(people.predicted, labels, judge=judge, answers=answers.take(labels.places)))
    figures = covers(people, simple, 50, draws)
    show("without the judge", figures)
    mean = float(np.mean([each.rate for each in estimates]))
    show("with the judge", figures | {"mean": mean} | _holds("", ratio_intervals(estimates), people.rate))


def simulate_pool(draws: int) -> None:
    """Skills with labels too few of their own, whose rules err alike or not."""
    print(f"\nPooled rates of skills, {draws // 10:,} whole samples of 60 labels on 12 skills of 10 to 120 uses")
    print(f"{'':44s} {'holds %':>7} {'width':>6} {'raw rate off by':>16} {'pooled off by':>14}")
    for name, scatter in (("errors alike everywhere", 0.0), ("recall differs by skill (sd 0.1)", 0.1),
                          ("recall differs by skill (sd 0.2)", 0.2)):  # fmt: skip
        random, held, width, raw, off = np.random.default_rng(5), [], [], [], []
        for _ in range(draws // 10):
            uses, truth = _skills(random, scatter)
            labelled = truth.sample(60, random_state=random).assign(probability=60 / len(truth))
            table = corrected_rate(uses, labelled, by="skill_id").query("method == 'pooled'")
            true = truth.assign(
                corrected=truth["outcome"].map(HALF).fillna(0.0), judged=truth["outcome"] != "none"
            ).groupby("skill_id")[["corrected", "judged"]].sum()  # fmt: skip
            rate = table["skill_id"].map(true["corrected"] / true["judged"]).to_numpy()
            held += [*((table["low"] <= rate) & (table["high"] >= rate))[np.isfinite(rate)]]
            width += [*(table["high"] - table["low"])]
            raw += [*np.abs(table["raw_rate"] - rate).dropna()]
            off += [*np.abs(table["corrected_rate"] - rate).dropna()]
        print(f"{name:44s} {100 * np.mean(held):7.1f} {np.mean(width):6.3f} {np.mean(raw):16.3f} {np.mean(off):14.3f}")


def _skills(random, scatter: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    skill = np.repeat(np.arange(12), random.integers(10, 120, 12))
    complaints, recall = random.beta(2, 7, 12), np.clip(random.normal(0.5, scatter, 12), 0.05, 0.95)
    negative = random.random(len(skill)) < complaints[skill]
    accepted = ~negative & (random.random(len(skill)) < 0.45)
    said = random.random(len(skill)) < np.where(negative, recall[skill], 0.04)
    agreed = ~said & (random.random(len(skill)) < np.where(accepted, 0.85, 0.08))
    names = [np.where(one, "correction", np.where(two, "acceptance", "none"))
             for one, two in ((said, agreed), (negative, accepted))]  # fmt: skip
    both = [
        pd.DataFrame({"event_id": np.arange(len(skill)).astype(str), "skill_id": skill.astype(str), "outcome": outcome})
        for outcome in names
    ]
    return both[0], both[1]


def simulate_transfer(draws: int) -> None:
    """The correction by other projects' labels, where its assumption holds and where it does not."""
    print(f"\nTransfer: 700 labelled turns elsewhere, {draws // 5:,} simulations each")
    print(f"{'':44s} {'uses':>5} {'holds %':>7} {'width':>6} {'refused %':>9}")
    alike = np.array([[0.5, 0.03, 0.47], [0.03, 0.8, 0.17], [0.05, 0.04, 0.91]])
    worse = np.array([[0.3, 0.05, 0.65], [0.03, 0.8, 0.17], [0.05, 0.04, 0.91]])
    for name, here in (("rules err as elsewhere", alike), ("rules find fewer complaints here", worse)):
        for uses in (50, 200, 1_000):
            random, held, width, refused = np.random.default_rng(6), [], [], 0
            for _ in range(draws // 5):
                counts = [random.multinomial(n, row) for n, row in zip((180, 150, 370), alike, strict=True)]
                confusion = {
                    true: {said: int(n) for said, n in zip(("correction", "acceptance", "none"), row, strict=True)}
                    for true, row in zip(("correction", "acceptance", "none"), counts, strict=True)
                }
                truth = random.choice(3, uses, p=[0.2, 0.25, 0.55])
                said = (random.random((uses, 1)) > here.cumsum(axis=1)[truth][:, :2]).sum(axis=1)
                frame = pd.DataFrame(
                    {"event_id": np.arange(uses), "outcome": np.array(["correction", "acceptance", "none"])[said]}
                )
                row = transfer_corrected(frame, confusion=confusion).iloc[0]
                rate = (truth == 0).sum() / (truth < 2).sum()
                refused += row["method"] == "refused"
                if row["method"] == "transfer":
                    held.append(row["low"] <= rate <= row["high"])
                    width.append(row["high"] - row["low"])
            share = 100 * refused / (draws // 5)
            print(f"{name:44s} {uses:5d} {100 * np.mean(held):7.1f} {np.mean(width):6.3f} {share:9.1f}")


def held_out(which: str) -> pd.DataFrame:
    """The labelled turns that come with the project: truth, verdict and probabilities of what had not seen them."""
    rows = _read_lines(HELD_OUT)
    said = pd.DataFrame([row[f"{which}_unseen"] for row in rows], columns=["said", "p_negative", "p_acceptance"])
    return said.assign(project=[row["source"] for row in rows], truth=[row["outcome"] for row in rows])


def labelled_turns(labels: Path, predictions: Path) -> pd.DataFrame:
    """The same from files; turns without a prediction are left out."""
    given = {row[key]: row for row in _read_lines(predictions) for key in ("uuid", "id") if row.get(key)}
    rows = []
    for turn in _read_lines(labels):
        if told := given.get(turn["id"]) or given.get(turn.get("uuid")):
            said = told.get("outcome") or "none"
            rows.append(
                {
                    "project": turn["repository"],
                    "truth": FINER.get(turn["label"], turn["label"]),
                    "said": FINER.get(said, said),
                    "p_negative": told.get("p_negative"),
                    "p_acceptance": told.get("p_acceptance"),
                }
            )
    return pd.DataFrame(rows)


def _read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def show_drawn(turns: pd.DataFrame, *, draws: int) -> None:
    """The same with samples as ``skilltune label`` draws them: stratified by probability, more where it helps."""
    uses = [
        PredictedUse(
            event_id=f"{place:04d}", skill_id="a", agent=None, model="", project="", session_id="", timestamp=None,
            outcome=row.said, explicit=True, p_negative=row.p_negative, p_acceptance=row.p_acceptance, turns_seen=1,
            covered=False,
        )
        for place, row in enumerate(turns.itertuples())
    ]  # fmt: skip
    samples = []
    for seed in range(draws):
        drawn = draw_uses(uses, size=50, seed=seed)
        samples.append(({use: int(use) for use, _ in drawn.sampled}, inclusion_probabilities([drawn])))
    for of in ("negative rate", "correction rate"):
        people = population(turns, of=of, soft=True)
        figures = covers(people, simple, 50, draws)
        estimates = []
        for places, chances in samples:
            at = np.array(list(places.values()))
            chance = np.array([chances[use] for use in places])
            estimates.append(estimate_ratio(people.predicted, Sample(at, people.truth.take(at), chance)))
        figures |= {"mean": float(np.mean([each.rate for each in estimates]))}
        figures |= _holds("", ratio_intervals(estimates), people.rate)
        show(f"drawn as skilltune label does: {of}, 50 of {len(turns)}", figures)


def population(turns: pd.DataFrame, *, of: str, soft: bool) -> People:
    """The turns as uses: of the negative rate every turn is judged, of the correction rate those that say something."""
    negative = turns["said"].isin(["correction", "partial"])
    every = np.ones(len(turns))
    if of == "negative rate":
        truth = Values(turns["truth"].isin(["correction", "partial"]).to_numpy(dtype=float), every)
        said = turns["p_negative"].astype(float) if soft else negative.astype(float)
        return People(truth, Values(said.to_numpy(), every), negative.to_numpy())
    truth, said = (
        Values(turns[name].map(HALF).fillna(0.0).to_numpy(dtype=float), (turns[name] != "none").to_numpy(dtype=float))
        for name in ("truth", "said")
    )
    if soft:
        expected = turns["p_negative"].astype(float) + turns["p_acceptance"].astype(float)
        said = Values(turns["p_negative"].to_numpy(dtype=float), np.minimum(expected.to_numpy(), 1.0))
    return People(truth, said, negative.to_numpy())


def measure(turns: pd.DataFrame, draws: int) -> list[dict]:
    """The labelled turns of each project as a population of its own."""
    rows = []
    head(f"Labelled turns, {draws:,} draws each without replacement")
    counts = turns["project"].value_counts()
    main = counts.index[0]
    large = turns[turns["project"] == main]
    cases = [(f"largest project, first {FIRST}", large.head(FIRST), (50,)), ("largest project", large, (20, 50, 100))]
    show_drawn(large.head(FIRST), draws=min(draws, 500))
    cases += [
        (f"project {place}", turns[turns["project"] == name], tuple(n for n in (8, 20, 40) if n < counts[name] - 1))
        for place, name in enumerate(counts.index[1:], start=2)
    ]
    for name, group, sizes in cases:
        for of in ("negative rate", "correction rate"):
            for soft in (False, True):
                if soft and group[["p_negative", *(["p_acceptance"] if of[0] == "c" else [])]].isna().any(axis=None):
                    continue
                people = population(group, of=of, soft=soft)
                if not 0 < people.rate < 1:
                    continue
                for size in sizes:
                    figures = covers(people, simple, size, draws)
                    title = f"{name}: {of}{', soft' if soft else ''}, {size} of {len(group)}"
                    show(title, figures)
                    rows.append({"case": title, **figures})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unseen", choices=("project", "session"), default="project")
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--predictions", type=Path)
    parser.add_argument("--draws", type=int, default=2_000)
    parser.add_argument("--real-only", action="store_true", help="leave the simulations out")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    own = asked.labels is not None and asked.predictions is not None
    turns = labelled_turns(asked.labels, asked.predictions) if own else held_out(asked.unseen)
    found = {"turns": measure(turns, asked.draws)}
    if not asked.real_only:
        found["simulated"] = simulate(asked.draws)
        simulate_judge(asked.draws)
        simulate_pool(asked.draws)
        simulate_transfer(asked.draws)
    if asked.write:
        rounded = {
            name: [{k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()} for row in rows]
            for name, rows in found.items()
        }
        TARGET.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
        print(f"written: {TARGET}")


if __name__ == "__main__":
    main()
