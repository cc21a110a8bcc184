"""Precision and recall of the rules on labelled turns, by file and project, with 95 % intervals.

python benchmarks/rules_accuracy.py [SHARED] [--write]

SHARED is the folder with data/labels and tools/score_turns.py (default: ../shared beside the checkout). With --write
the figures (no text) go to skilltune/mining/accuracy.json, which the weekly report quotes. Intervals are percentiles of
1,000 bootstrap draws of whole sessions, seed 1: turns of one session are not independent.
"""

import importlib.util
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from skilltune.mining import classify_outcome, ruleset_version

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "skilltune" / "mining" / "accuracy.json"
FILES = ("turns.jsonl", "turns_more.jsonl")
DRAWS, SEED = 1000, 1
GROUPS = {
    "negative": {"correction", "partial"},
    "correction": {"correction"},
    "partial": {"partial"},
    "acceptance": {"acceptance"},
}


@dataclass(frozen=True)
class Row:
    """One labelled turn: where it is from, what a reader called it, what the rules say."""

    file: str
    project: str
    session: str
    truth: str
    second: str
    said: str


def read_rows(shared: Path) -> list[Row]:
    """Every labelled turn with the verdict of the rules."""
    mapping = _label_mapping(shared)
    return [
        Row(
            name,
            turn["repository"],
            f"{turn.get('session') or turn['source']}".split("#", maxsplit=1)[0],
            mapping.get(turn["label"], turn["label"]),
            mapping.get(turn["label_2"], turn["label_2"]),
            classify(turn),
        )
        for name in FILES
        for turn in _read_lines(shared / "data" / "labels" / name)
    ]


def classify(turn: Mapping[str, Any]) -> str:
    """The outcome the rules give one labelled turn, with what its row tells of the context."""
    before = turn.get("preceded_by") or []
    verdict = classify_outcome(
        turn["text"],
        previous_agent=turn.get("previous_agent") or "",
        channel=turn.get("channel") or "message",
        interrupted=bool(turn.get("interrupted")) or "interrupt" in before,
        previous_prompt=turn.get("previous_person") or "",
    )
    return verdict.outcome


def measure(rows: Iterable[Row], group: str, *, second: bool = False) -> dict[str, dict[str, float | int | None]]:
    """Precision, recall and F1 of one group of outcomes, each with counts and a 95 % interval."""
    classes = GROUPS[group]
    sessions: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        true, predicted = (row.second if second else row.truth) in classes, row.said in classes
        for place, hit in enumerate((true and predicted, predicted, true)):
            sessions[row.session][place] += hit
    counts = np.array([sessions[name] for name in sorted(sessions)], dtype=float)
    draws = np.random.default_rng(SEED).multinomial(len(counts), np.full(len(counts), 1 / len(counts)), DRAWS) @ counts
    hits, predicted, true = counts.sum(axis=0)
    return {
        "precision": _share(hits, predicted, draws[:, 0], draws[:, 1]),
        "recall": _share(hits, true, draws[:, 0], draws[:, 2]),
        "f1": _share(2 * hits, predicted + true, 2 * draws[:, 0], draws[:, 1] + draws[:, 2]),
    }


def accuracy(rows: list[Row]) -> dict[str, Any]:
    """The figures that ship with the package."""
    projects = sorted({row.project for row in rows})
    main = max(projects, key=lambda name: sum(row.project == name for row in rows))
    others = [row for row in rows if row.project != main]
    return {
        "ruleset": ruleset_version(),
        "measured": datetime.now(UTC).date().isoformat(),
        "turns": len(rows),
        "sessions": len({row.session for row in rows}),
        "projects": len(projects),
        "languages": ["en"],
        "outcomes": {group: measure(rows, group) for group in GROUPS},
        "other_projects": {
            "turns": len(others),
            "projects": len(projects) - 1,
            "outcomes": {group: measure(others, group) for group in ("negative", "acceptance")},
        },
    }


def main(arguments: list[str]) -> None:
    """Print the figures; with ``--write`` keep them."""
    places = [argument for argument in arguments if argument != "--write"]
    rows = read_rows(Path(places[0]) if places else ROOT.parent / "shared")
    for title, chosen in _selections(rows):
        for group in ("negative", "acceptance"):
            print(f"{title:44s} n={len(chosen):4d} {group:10s} {_line(measure(chosen, group))}")
            print(f"{'':44s}        {'(reader 2)':10s} {_line(measure(chosen, group, second=True))}")
    if "--write" in arguments:
        TARGET.write_text(json.dumps(accuracy(rows), indent=1) + "\n", encoding="utf-8")
        print(f"written: {TARGET}")


def _selections(rows: list[Row]) -> Iterator[tuple[str, list[Row]]]:
    """All turns, each file, and each project of the second file."""
    yield "all", rows
    for name in FILES:
        yield name, [row for row in rows if row.file == name]
    for project in sorted({row.project for row in rows if row.file == FILES[1]}):
        yield f"  {project}", [row for row in rows if row.file == FILES[1] and row.project == project]
    main = rows[0].project
    yield "projects other than the first", [row for row in rows if row.project != main]


def _share(hits: float, total: float, drawn_hits: np.ndarray, drawn_total: np.ndarray) -> dict[str, float | int | None]:
    rates = drawn_hits[drawn_total > 0] / drawn_total[drawn_total > 0]
    low, high = np.percentile(rates, [2.5, 97.5]) if len(rates) else (None, None)
    return {
        "rate": round(hits / total, 4) if total else None,
        "k": int(hits),
        "n": int(total),
        "low": None if low is None else round(float(low), 4),
        "high": None if high is None else round(float(high), 4),
    }


def _line(figures: Mapping[str, Mapping[str, Any]]) -> str:
    return "  ".join(
        f"{name} {'-' if share['rate'] is None else format(share['rate'], '.2f')} [{share['low']}, {share['high']}]"
        for name, share in figures.items()
    )


def _label_mapping(shared: Path) -> dict[str, str]:
    """The strict mapping of finer labels, from the scoring tool beside the labels."""
    spec = importlib.util.spec_from_file_location("score_turns", shared / "tools" / "score_turns.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.MAP


def _read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main(sys.argv[1:])
