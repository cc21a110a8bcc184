"""Hotspots as a note in Markdown for people and other tools: front matter, counts, dimensions, skills, corrections."""

from typing import Any, Final

import pandas as pd
import yaml  # type: ignore[import-untyped]  # its types are a package of their own

from skilltune.analysis.intervals import Counts
from skilltune.analysis.metrics import correction_rate, hotspot_dimensions
from skilltune.analysis.rows import as_records
from skilltune.exporting.formats import markdown_text
from skilltune.exporting.redacting import redacted
from skilltune.exporting.tables import Choice
from skilltune.page.words import count_of, interval, percent
from skilltune.stores.tables import FeedbackTables

__all__ = ["hotspot_note"]

RECENT: Final = 20
"""Corrections that a note quotes."""
SKILLS: Final = 50
_WORDS: Final = "user_message_snippet"


def hotspot_note(
    tables: FeedbackTables, choice: Choice, *, head: dict[str, Any], privacy: bool = False, snippets: bool = True
) -> bytes:
    """The note on the events that `choice` holds; all that sessions said is masked and escaped.

    Parameters
    ----------
    head
        What the front matter says of the file: ``schema``, ``version`` and more.
    """
    events = _windowed(tables.events, choice)
    table = redacted(events, privacy=privacy, snippets=snippets)
    whole = as_records(correction_rate(events, by=(), implicit=choice.implicit))
    counts = whole[0] if whole else {"corrections": 0, "partials": 0, "acceptances": 0, "correction_rate": None}
    front = {**head, "date": f"{choice.as_of:%Y-%m-%d}", **_figures(counts)}
    parts = [
        f"---\n{yaml.safe_dump(front, sort_keys=False, allow_unicode=False)}---",
        f"# Session feedback hotspots, {choice.as_of:%Y-%m-%d}",
        _told(counts, choice),
        "## What was wrong\n\n" + _dimensions(events),
        "## Skills\n\n" + _skills(table, choice),
        "## Recent corrections\n\n" + _recent(table),
    ]
    return ("\n\n".join(parts) + "\n").encode("utf-8")


def _windowed(events: pd.DataFrame, choice: Choice) -> pd.DataFrame:
    """The events that count, as in `correction_rate`: undated ones where the window has no beginning."""
    return choice.holds(events)


def _figures(counts: dict[str, Any]) -> dict[str, Any]:
    names = ("corrections", "partials", "acceptances")
    rate = counts["correction_rate"]
    figures = {name: int(counts[name]) for name in names}
    return {"judged_uses": sum(figures.values()), **figures, "correction_rate": None if rate is None else float(rate)}


def _told(counts: dict[str, Any], choice: Choice) -> str:
    judged = sum(int(counts[name]) for name in ("corrections", "partials", "acceptances"))
    span = "over all time" if choice.days is None else f"in the last {count_of(choice.days, 'day')}"
    if not judged:
        return f"No use was judged {span}."
    told = ", ".join(count_of(int(counts[name]), name[:-1]) for name in ("corrections", "partials", "acceptances"))
    rate = f"{percent(counts['correction_rate'])} ({interval(counts['low'], counts['high'])})"
    return f"{count_of(judged, 'judged use')} {span}: {told}. Correction rate {rate}: a partial counts half."


def _dimensions(events: pd.DataFrame) -> str:
    counts = hotspot_dimensions(events, by=())
    seen = counts[counts["complaints"] > 0].sort_values("complaints", ascending=False, kind="stable")
    if seen.empty:
        return "Nobody complained."
    rows = [[str(row["dimension"]), row["complaints"], percent(row["share"])] for row in as_records(seen)]
    return _table(["dimension", "complaints", "share"], rows)


def _skills(table: pd.DataFrame, choice: Choice) -> str:
    rates = correction_rate(table, by=("skill_id",), implicit=choice.implicit, min_invocations=choice.min_invocations)
    if rates.empty:
        return "No use was judged."
    rows = [_skill_row(row) for row in as_records(rates.head(SKILLS))]
    more = f"\n\n{count_of(len(rates) - SKILLS, 'skill')} more." if len(rates) > SKILLS else ""
    return _table(["skill", "correction rate", "95% interval", "judged", "corrected, partly, accepted"], rows) + more


def _skill_row(row: dict[str, Any]) -> list[Any]:
    counts = Counts.of([row["corrections"]], [row["partials"]], [row["acceptances"]])
    few = "" if row["sufficient_data"] else " (few data)"
    rate = "not judged" if row["correction_rate"] is None else f"{percent(float(counts.rate[0]))}{few}"
    bounds = "" if row["correction_rate"] is None else interval(row["low"], row["high"])
    told = ", ".join(str(row[name]) for name in ("corrections", "partials", "acceptances"))
    return [markdown_text(str(row["skill_id"])), rate, bounds, row["sample_size"], told]


def _recent(table: pd.DataFrame) -> str:
    wrong = table[table["outcome"].isin(["correction", "partial"])]
    newest = wrong.sort_values("timestamp", ascending=False, na_position="last", kind="stable").head(RECENT)
    return "\n".join(map(_correction, as_records(newest))) or "None."


def _correction(row: dict[str, Any]) -> str:
    day = (row["timestamp"] or "undated")[:10]
    kind = row["correction_type"] or row["outcome"]
    dimension = str(row["dimension_hint"] or "unknown").replace("_", " ")
    told = f"- {day}, {markdown_text(str(row['skill_id']))}: {markdown_text(str(kind))}, {markdown_text(dimension)}"
    words = row.get(_WORDS)
    return f"{told}: “{markdown_text(words)}”" if words else told


def _table(head: list[str], rows: list[list[Any]]) -> str:
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in [head, ["---"] * len(head), *rows])
