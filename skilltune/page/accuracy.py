"""How good the verdicts are: measured precision and recall in words, and what follows for the rates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from skilltune.analysis.catalogue import find_metrics
from skilltune.analysis.intervals import Counts, score_interval
from skilltune.analysis.weekly import WeeklySummary
from skilltune.charts.rows import interval_axis, interval_row
from skilltune.limits import TREND_STABLE
from skilltune.page.html import Section, render
from skilltune.page.words import LANGUAGES, as_list, count_of, interval, part_word, percent, times_in

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
    """Precision and recall of the verdicts, what they mean for the rates, the method in short, and every metric."""
    outcomes = accuracy.get("outcomes", {})
    rows = [
        {"outcome": outcome, "precision": _cell(precision, counted=True), "recall": _cell(recall, counted=False)}
        for outcome in OUTCOMES
        if (precision := share_of(outcomes.get(outcome, {}), "precision"))
        and (recall := share_of(outcomes.get(outcome, {}), "recall"))
    ]
    correction = outcomes.get("correction", {})
    precision, recall = share_of(correction, "precision"), share_of(correction, "recall")
    turns = int(accuracy.get("turns", 0))
    return Section(
        render(
            "accuracy.html.j2",
            note=_note(accuracy) if rows else "",
            finding=_finding(precision, recall, _recall_elsewhere(accuracy)),
            axis=interval_axis(),
            rows=rows,
            lines=[
                *([] if summary.sufficient.empty else _consequence(precision, recall, turns=turns)),
                *(_unmeasured(summary, accuracy) if rows else []),
                *_elsewhere(accuracy),
                _method(summary),
            ],
            metrics=find_metrics(),
        )
    )


def _finding(precision: Share | None, recall: Share | None, elsewhere: Share | None) -> str:
    if precision is None or recall is None:
        return "Nobody has measured these verdicts yet: read the order of the skills, not the height of their rates."
    where = f", in smaller projects {_missed(elsewhere)}" if elsewhere else ""
    right = f"When skilltune says “correction”, it is right {times_in(precision.rate)}"
    return f"{right}; it misses {_missed(recall)}{' of all corrections' if recall.rate < 1 else ''}{where}."


def _missed(recall: Share) -> str:
    return f"about {part_word(1 - recall.rate)}" if recall.rate < 1 else "none"


def _consequence(precision: Share | None, recall: Share | None, *, turns: int) -> list[str]:
    """What the errors do to the rates, for a reader who is no statistician."""
    if precision is None or recall is None:
        return []
    return [
        (
            f"{_high_and_low(precision, recall, turns=turns)} Of 10 corrections that people made, about "
            f"{round(recall.rate * 10)} are found; the others count as accepted or as not judged. Skills and weeks can "
            "still be compared, as far as the errors are alike everywhere."
        )
    ]


def _high_and_low(precision: Share, recall: Share, *, turns: int) -> str:
    """From which true rate on a measured one is too low rather than too high.

    With recall r, and f the share of other turns taken for a correction, a true rate p is measured as
    ``p r + (1 - p) f``: more than p below ``f / (1 - r + f)``, less above.
    """
    others = turns - recall.labelled
    if precision.right is None or others <= 0:
        return "Rates are too low by what is missed, and too high by what is found wrongly."
    wrongly = (precision.labelled - precision.right) / others
    missed = 1 - recall.rate
    if not wrongly:
        return "Rates are too low by what is missed." if missed else "The rates are about right."
    if not missed:
        return "Rates may be too high by what is found wrongly."
    return (
        "High rates are too low by what is missed; rates under about "
        f"{percent(wrongly / (missed + wrongly))} may be too high by what is found wrongly."
    )


def _elsewhere(accuracy: Mapping[str, Any]) -> list[str]:
    """What was found in smaller projects that the classifier had not seen, where that was measured apart."""
    others, found = accuracy.get("other_projects", {}), _recall_elsewhere(accuracy)
    if found is None:
        return []
    where = f"{count_of(int(others['projects']), 'smaller project')} ({count_of(int(others['turns']), 'turn')})"
    return [
        (
            "Each turn was judged without its session having been learned from; but part of them had been read when "
            f"the rules were written, so expect less on yours. In {where} of which nothing had been learned, "
            f"{percent(found.rate)} of the complaints were found ({interval(found.low, found.high)}, "
            f"{found.labelled} labelled)."
        )
    ]


def _recall_elsewhere(accuracy: Mapping[str, Any]) -> Share | None:
    return share_of(accuracy.get("other_projects", {}).get("outcomes", {}).get("negative", {}), "recall")


def _unmeasured(summary: WeeklySummary, accuracy: Mapping[str, Any]) -> list[str]:
    """How many judged uses rest on words in a language that nothing was measured in."""
    measured = {*accuracy.get("languages", []), ""}
    spoken = summary.languages
    number = int(spoken.loc[~spoken["language"].isin(measured), "judged"].sum())
    if not number or len(measured) == 1:
        return []
    verb = "is" if number == 1 else "are"
    return [f"{number:,} of the judged uses on this page {verb} in other languages; for those nothing was measured."]


def _method(summary: WeeklySummary) -> str:
    return (
        f"Rate = (corrections + ½ partials) ÷ judged uses. Trend: last {summary.days} days minus the {summary.days} "
        f"days before; up to {round(TREND_STABLE * 100)} points either way is “no clear change”. Intervals are 95% "
        "score intervals (weights 0, ½, 1); those of trends are corrected for few uses, so that at most 5 in 100 leave "
        "0 out where nothing changed and each use has a session of its own. Uses of one session are a little alike "
        "(correlation about 0.1 in labelled turns): trend intervals are widened by how alike they are, in simulations "
        "about 5 in 100 or fewer then leave 0 out. Intervals of single rates are not widened: they hold in about 91 "
        "to 94 of 100 cases, and one that allows for it is 9–17% wider."
    )


def _note(accuracy: Mapping[str, Any]) -> str:
    turns, projects = accuracy.get("turns"), accuracy.get("projects")
    labelled = f"{count_of(int(turns), 'turn')}" if turns else "turns"
    languages = [LANGUAGES.get(code, code) for code in accuracy.get("languages", [])]
    spoken = f" in {as_list(languages)}" if languages else ""
    where = f" from {count_of(int(projects), 'public project')}" if projects else " from public projects"
    return (
        f"Measured on {labelled}{spoken}{where}, labelled by hand before the rules were measured. "
        "Your sessions may differ."
    )


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
