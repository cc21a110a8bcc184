"""Corrected rates as sentences: what labels say, what that rests on, what to do next."""

import math
from collections.abc import Mapping
from typing import Any, Final

from skilltune.analysis.corrected_summary import CorrectedSummary, UsableAnswers
from skilltune.page.rows import Row, first_row
from skilltune.page.words import count_of, interval, of_judged, percent

__all__ = [
    "NOTHING",
    "SHIPPED",
    "bounds_of",
    "corrected_finding",
    "judge_words",
    "what_is_counted",
    "what_is_left_out",
    "what_it_rests_on",
    "what_next",
]

NOTHING: Final = "Nothing to correct: no use is in the log yet."
SHIPPED: Final = (
    "Corrected from the verdicts of the model that ships, not of your own, which learned from these labels."
)
DRAW: Final = 50
"""Uses that ``skilltune label sample`` and the notebook draw."""


def corrected_finding(overall: Row, *, carried: int = 0) -> str:
    """The sentence: what people would say, and whether the rules say the same.

    Parameters
    ----------
    carried
        Skills whose own rate labels carry.
    """
    if overall["method"] == "refused":
        of_some = "that of 1 skill is" if carried == 1 else f"those of {carried:,} skills are"
        together = f"The rate of all skills together is not corrected yet; {of_some}."
        return together if carried else "The rates are not corrected for the rules’ mistakes yet."
    rate, raw = overall["corrected_rate"], overall["raw_rate"]
    found = f"{of_judged(rate)} {'is' if _one(rate) else 'are'} corrected"
    if overall["method"] == "transfer":
        known = "" if math.isnan(raw) else f"; the rules say {percent(raw)}"
        return f"If the rules err on your sessions as they did elsewhere, {found} ({percent(rate)}{known})."
    by_you = f"By your labels, {found} ({percent(rate)})"
    if math.isnan(raw):
        return f"{by_you}; the rules judged none."
    if raw < overall["low"]:
        return f"{by_you}: more than the {percent(raw)} that the rules see."
    if raw > overall["high"]:
        return f"{by_you}: less than the {percent(raw)} that the rules see."
    return f"{by_you}; the rules say {percent(raw)}, which your labels do not contradict."


def _one(rate: float) -> bool:
    """Whether the everyday fraction is one use (``every third judged use``)."""
    return " judged uses" not in of_judged(rate)


def what_it_rests_on(overall: Row) -> str:
    """What the figure rests on, and what its interval means; why there is none."""
    if overall["method"] == "refused":
        return f"{overall['reason'][:1].upper()}{overall['reason'][1:]}."
    bounds = interval(overall["low"], overall["high"])
    if overall["method"] == "transfer":
        return (
            f"None of your own labels is in this. The rules’ mistakes on labelled turns of other projects were taken "
            f"back from {count_of(int(overall['n_uses']), 'use')} of yours; the range is {bounds}, and it leaves out "
            "that your sessions may be different ones. Read it as a hint."
        )
    if overall["low"] == overall["high"] and not _is_exact(overall):
        return (
            f"All {int(overall['n_labels']):,} uses that a draw could take and that somebody said something about are "
            f"labelled: {percent(overall['corrected_rate'])} is their rate, and says nothing of the others."
        )
    if overall["low"] == overall["high"]:
        return (
            f"Every use that somebody said something about is labelled: {percent(overall['corrected_rate'])} is exact."
        )
    return (
        f"You labelled {count_of(int(overall['n_labels']), 'use')} drawn at random of "
        f"{int(overall['n_uses']):,}. The true rate, the one you would find by labelling all of them, lies between "
        f"{percent(overall['low'])} and {percent(overall['high'])}; a range made like this holds it 19 times in 20."
    )


def bounds_of(row: Mapping[str, Any]) -> str:
    """The interval of a row; a word where there is none, since labels leave nothing open."""
    if row["low"] < row["high"]:
        return interval(row["low"], row["high"])
    return "exact" if _is_exact(row) else "all drawn from"


def _is_exact(row: Mapping[str, Any]) -> bool:
    """Whether every use that somebody said something about is labelled, drawn from or not."""
    more = row["labels_to_halve"]
    return bool(row["low"] == row["high"]) and isinstance(more, int) and more == 0


def what_is_left_out(overall: Mapping[str, Any]) -> str:
    """Which uses “all skills” is about where some are left out, and which these are; '' where none is."""
    waiting, gone = int(overall["n_unlabelled"]), int(overall["n_unaskable"])
    kinds = {
        "in a part of the sample that is not labelled, or not in its order": waiting,
        "in no draw so far, as they came later or are of a skill that was not drawn from": (
            int(overall["n_not_covered"]) - waiting - gone
        ),
        "that nobody can be asked about, as the transcript is gone or the work was taken back without a word": gone,
    }
    left = [f"{count_of(number, 'use')} {kind}" for kind, number in kinds.items() if number > 0]
    if not left:
        return ""
    return f"“All skills” stands for {count_of(int(overall['n_uses']), 'use')} here. Left out: {'; '.join(left)}."


def what_is_counted(summary: CorrectedSummary) -> list[str]:
    """What the figures leave out, and what a judge has to do with them; nothing where there is nothing to say."""
    overall = first_row(summary.overall)
    left_out = [] if summary.implicit else ["Acceptances by going on to other work are left out."]
    if summary.own_model and overall is not None and overall["method"] == "sample":
        left_out.append(SHIPPED)
    judge = judge_words(summary.answers, answered=0 if overall is None else int(overall["n_judged"]))
    return [*left_out, *([judge] if judge else [])]


def judge_words(answers: UsableAnswers | None, *, answered: int) -> str:
    """Whether a judge's answers are in a figure and how well it agrees with the person, or why they are not.

    Parameters
    ----------
    answers
        The judge that was asked for; '' where none was.
    answered
        ``n_judged`` of the figure.
    """
    if answers is None:
        return ""
    name = f"the judge {answers.judge}" if answers.judge else "a judge"
    if answers.uses is None:
        return f"The answers of {name} are {_after_not(answers.reason)}."
    agreed = (
        f"it agreed with you on {percent(answers.agreement)} of {count_of(answers.turns, 'turn')} "
        f"({interval(answers.low, answers.high)})"
    )
    if answered:
        return f"The answers of {name} to {count_of(answered, 'use')} were used: {agreed}."
    return (
        f"The answers of {name} are not in this figure, though {agreed}: it answered for no more uses than you, or "
        "left too many of yours out. `skilltune judge` asks it about those, too."
    )


def _after_not(reason: str) -> str:
    """``not used: …``, whatever the reason begins with."""
    return reason if reason.startswith("not used") else f"not used: {reason}"


def what_next(summary: CorrectedSummary) -> list[str]:
    """What a person can do for a better figure."""
    overall = first_row(summary.overall)
    if overall is None:
        return []
    if overall["method"] != "sample":
        have = f"You have labelled {count_of(summary.labels, 'use')} drawn at random; {summary.min_labels} are needed. "
        ask = (
            f"`skilltune label sample` puts {DRAW} uses drawn at random on a sheet, the notebook `04_label` "
            "(`skilltune notebook 04_label`) shows them one by one; your answers correct these rates by what the rules "
            "get wrong on your own sessions."
        )
        return [f"{have if summary.labels and overall['method'] == 'transfer' else ''}{ask}"]
    more = overall["labels_to_halve"]
    if not isinstance(more, int) or not more:
        return []
    return [f"About {count_of(more, 'more label')} would make this range half as wide: `skilltune label sample`."]
