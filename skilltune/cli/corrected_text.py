"""What ``metrics --corrected`` prints: corrected rates in a sentence and a table."""

import math
import textwrap
from typing import Any

from skilltune.analysis.corrected_summary import CorrectedSummary, UsableAnswers
from skilltune.analysis.rows import as_records
from skilltune.cli.output import safe
from skilltune.page.corrected_words import (
    NOTHING,
    bounds_of,
    corrected_finding,
    what_is_counted,
    what_is_left_out,
    what_it_rests_on,
    what_next,
)
from skilltune.page.rows import first_row
from skilltune.page.words import percent

__all__ = ["corrected_row", "corrected_text"]

_HEAD = ("skill", "rules say", "corrected", "95% interval", "labelled", "by")
_BASIS = {"sample": "own labels", "pooled": "all labels", "transfer": "other projects"}


def corrected_text(summary: CorrectedSummary, *, width: int = 80) -> str:
    """Finding, what it rests on, a row for all skills and one for each that labels carry, what to do next."""
    overall = first_row(summary.overall)
    if overall is None:
        return NOTHING
    known = overall["method"] != "refused"
    counted = [sentence.replace("`", "") for sentence in what_is_counted(summary)]
    left_out = what_is_left_out(overall) if known else ""
    carried = [row for row in as_records(summary.skills) if row["corrected_rate"] is not None]
    sentences = [
        corrected_finding(overall, carried=len(carried)),
        what_it_rests_on(overall),
        *([left_out] if left_out else []),
        *counted,
    ]
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, width)]
    if known or carried:
        lines += ["", *_table([_cells("all skills", as_records(summary.overall)[0])] if known else [], carried)]
    nexts = [sentence.replace("`", "") for sentence in what_next(summary)]
    return "\n".join(
        [*lines, *([""] if nexts else []), *(line for text in nexts for line in textwrap.wrap(text, width))]
    )


def corrected_row(summary: CorrectedSummary) -> dict[str, Any]:
    """The same for programs."""
    return {
        "overall": next(iter(as_records(summary.overall)), None),
        "skills": as_records(summary.skills),
        "labels": summary.labels,
        "labels_not_drawn": summary.chosen,
        "min_labels": summary.min_labels,
        "implicit": summary.implicit,
        "judge": _judge(summary.answers),
    }


def _judge(answers: UsableAnswers | None) -> dict[str, Any] | None:
    if answers is None:
        return None
    told = {name: getattr(answers, name) for name in ("judge", "reason", "turns", "agreement", "low", "high")}
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in told.items()}


def _table(first: list[tuple[str, ...]], carried: list[dict[str, Any]]) -> list[str]:
    cells = [_HEAD, *first, *(_cells(safe(str(row["skill_id"])), row) for row in carried)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(_HEAD))]
    return [
        "  ".join(
            cell.ljust(size) if place in (0, len(_HEAD) - 1) else cell.rjust(size)
            for place, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def _cells(name: str, row: dict[str, Any]) -> tuple[str, ...]:
    raw = row["raw_rate"]
    return (
        name,
        "none" if raw is None else percent(raw),
        percent(row["corrected_rate"]),
        bounds_of(row),
        f"{row['n_labels']:,} of {row['n_uses']:,}",
        _BASIS[row["method"]],
    )
