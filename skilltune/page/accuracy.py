"""How good the rules are: measured precision and recall in words, and what follows for the rates."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from markupsafe import Markup

from skilltune.analysis.intervals import Counts, score_interval
from skilltune.analysis.weekly import WeeklySummary
from skilltune.charts.rows import interval_row
from skilltune.limits import TREND_STABLE
from skilltune.page.html import Section, render
from skilltune.page.words import LANGUAGES, as_list, count_of, interval, nearest_share, percent, times_in

__all__ = ["OUTCOMES", "Share", "accuracy_section", "share_of"]

OUTCOMES: Final = ("correction", "partial", "acceptance")


@dataclass(frozen=True, slots=True)
class Share:
    """A measured share (0–1) with its interval; ``right`` and ``labelled`` are counts where they are known."""

    rate: float
    low: float
    high: float
    labelled: int
    right: int | None = None


def share_of(measured: Mapping[str, Any], name: str) -> Share | None:
    """The share called `name` (precision, recall) of one outcome's figures; None where it was not measured.

    `measured[name]` is a mapping with ``rate``, ``n`` and, as far as known, ``low``, ``high`` and ``k`` (right ones);
    a missing interval is the score interval of ``rate`` and ``n``.
    """
    figures = measured.get(name)
    if not isinstance(figures, Mapping) or not figures.get("n") or figures.get("rate") is None:
        return None
    rate, labelled = float(figures["rate"]), int(figures["n"])
    right = figures.get("k")
    hits = round(rate * labelled) if right is None else int(right)
    bounds = score_interval(Counts.of(hits, 0, labelled - hits))
    low, high = figures.get("low"), figures.get("high")
    return Share(
        rate,
        float(bounds.low[0]) if low is None else float(low),
        float(bounds.high[0]) if high is None else float(high),
        labelled,
        None if right is None else int(right),
    )


def accuracy_section(summary: WeeklySummary, *, accuracy: Mapping[str, Any]) -> Section:
    """Precision and recall of the rules, what they mean for the rates, and the method in short."""
    outcomes = accuracy.get("outcomes", {})
    rows = [
        {"outcome": outcome, "precision": _cell(precision, counted=True), "recall": _cell(recall, counted=False)}
        for outcome in OUTCOMES
        if (precision := share_of(outcomes.get(outcome, {}), "precision"))
        and (recall := share_of(outcomes.get(outcome, {}), "recall"))
    ]
    correction = outcomes.get("correction", {})
    precision, recall = share_of(correction, "precision"), share_of(correction, "recall")
    return Section(
        render(
            "accuracy.html.j2",
            note=_note(accuracy) if rows else "",
            finding=_finding(precision, recall),
            rows=rows,
            lines=[*_consequence(precision, recall), *_elsewhere(accuracy), _method(summary)],
        )
    )


def _finding(precision: Share | None, recall: Share | None) -> str:
    if precision is None or recall is None:
        return "Nobody has measured these rules yet: read the order of the skills, not the height of their rates."
    return f"When a rule says “correction”, it is right {times_in(precision.rate)}; it misses {_misses(recall)}."


def _misses(recall: Share) -> str:
    if recall.rate == 1:
        return "none"
    if nearest_share(1 - recall.rate) == Fraction(1, 2):
        return "about half of all"
    return times_in(1 - recall.rate).replace("once", "1").replace(" times", "")


def _consequence(precision: Share | None, recall: Share | None) -> list[str]:
    """What the errors do to the rates, for a reader who is no statistician."""
    if precision is None or recall is None:
        return []
    if recall.rate >= precision.rate:
        return ["The rules miss few corrections and take few other words for one: the rates are about right."]
    return [
        (
            "So the rates on this page are too low by what the rules miss: of 10 corrections that people made, the "
            f"rules find about {round(recall.rate * 10)}; the others count as accepted or as not judged. Skills and "
            "weeks can still be compared, as far as the rules miss the same share everywhere."
        )
    ]


def _elsewhere(accuracy: Mapping[str, Any]) -> list[str]:
    """What the rules found in the smaller projects alone, where that was measured apart."""
    others = accuracy.get("other_projects", {})
    found = share_of(others.get("outcomes", {}).get("negative", {}), "recall")
    if found is None:
        return []
    where = f"{count_of(int(others['projects']), 'smaller project')} alone ({count_of(int(others['turns']), 'turn')})"
    return [
        (
            "Part of these turns had been read when the rules were written, so expect less on yours. "
            f"In {where} the rules found {percent(found.rate)} of the complaints ({interval(found.low, found.high)}, "
            f"{found.labelled} labelled)."
        )
    ]


def _method(summary: WeeklySummary) -> str:
    return (
        f"Rate = (corrections + ½ partials) ÷ judged uses. Trend: last {summary.days} days minus the {summary.days} "
        f"days before; up to {round(TREND_STABLE * 100)} points either way is “no clear change”. Intervals are 95% "
        "and treat uses as independent; "
        "uses in one session often are not, so true intervals are somewhat wider."
    )


def _note(accuracy: Mapping[str, Any]) -> str:
    turns, projects = accuracy.get("turns"), accuracy.get("projects")
    labelled = f"{count_of(int(turns), 'turn')}" if turns else "turns"
    languages = [LANGUAGES.get(code, code) for code in accuracy.get("languages", [])]
    spoken = f" in {as_list(languages)}" if languages else ""
    where = f" from {count_of(int(projects), 'public project')}" if projects else " from public projects"
    return f"Measured on {labelled}{spoken}{where}, labelled by hand beforehand. Your sessions may differ."


def _cell(share: Share, *, counted: bool) -> dict[str, str | Markup]:
    known = counted and share.right is not None
    return {
        "percent": percent(share.rate),
        "dot": interval_row(
            share.rate,
            low=share.low,
            high=share.high,
            text=f"{percent(share.rate)}, 95% interval {interval(share.low, share.high)}",
        ),
        "n": f"{share.right} of {share.labelled}" if known else f"{share.labelled} labelled",
    }
