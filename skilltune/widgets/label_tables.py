"""What labels tell, as tables that need no front end: progress, the quality of the rules, corrected rates."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from skilltune.analysis.corrected import corrected_rate
from skilltune.analysis.corrected_summary import UsableAnswers
from skilltune.analysis.label_quality import outcome_quality
from skilltune.analysis.rows import as_records
from skilltune.labelling import Labelling
from skilltune.page.corrected_words import SHIPPED, bounds_of, judge_words, what_is_left_out
from skilltune.page.html import LONG_NAME
from skilltune.page.words import count_of, interval, of_judged, percent, times_in
from skilltune.widgets.safe_text import readable_lines
from skilltune.widgets.theme import panel_style

__all__ = [
    "about",
    "corrected_rows",
    "framed",
    "left_out_words",
    "progress_text",
    "progress_view",
    "quality_view",
    "rate_words",
    "rates_view",
    "sentence",
]

_KINDS: Final = ("revert", "redo", "rejection", "partial", "acceptance", "none")
_OPEN: Final = "Open this notebook in JupyterLab to label: nothing can be decided here."
_NONE_YET: Final = "No use is labelled whole yet: label above, then run this cell again."
_SAID: Final = {
    "negative": "a complaint (correction or partial)",
    "correction": "correction",
    "partial": "partial",
    "acceptance": "acceptance",
}
_METHODS: Final = {"sample": "its own labels", "pooled": "borrowed", "refused": "refused"}


def framed(*parts: Markup) -> Markup:
    """Parts with the panels' look around them."""
    return panel_style() + Markup('<div class="stw stw-still">{}</div>').format(Markup("").join(parts))


def sentence(words: str) -> str:
    """`words` with a capital and a full stop."""
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def progress_text(labelling: Labelling, *, sample: bool) -> str:
    """How many turns and uses are labelled, in a sentence or two."""
    what = "of the invented sample sessions " if sample else ""
    if not labelling.total:
        gone = f" {count_of(labelling.unread, 'use')} of the log cannot be: their transcripts are gone."
        return "There is nothing to label: nobody said anything after a use of a skill in the sessions." + (
            gone if labelling.unread else ""
        )
    skipped = labelling.total - labelling.done if labelling.current is None else 0
    turns = f"{labelling.done} of {count_of(labelling.total, 'turn')} {what}labelled"
    uses = f"{labelling.uses_done} of {count_of(labelling.uses_total, 'use')} whole"
    more = f" {count_of(skipped, 'turn')} skipped: run the cell again to see what was." if skipped else ""
    return f"{turns}, {uses}.{more}"


def progress_view(labelling: Labelling, *, sample: bool) -> Markup:
    """The same with the labels by outcome, and that nothing can be decided here."""
    labels = Counter(_kinds(labelling))
    rows = [(kind, str(labels[kind])) for kind in _KINDS]
    table = _table("Labels so far", ("the person’s word", "turns"), rows) if labels else Markup("")
    return _finding(progress_text(labelling, sample=sample), _OPEN) + table


def quality_view(labelling: Labelling) -> Markup:
    """Precision and recall of the rules on the uses labelled, with a finding above."""
    labelled = labelling.labelled_uses()
    if labelled.empty:
        return framed(_finding(_NONE_YET))
    quality = {row["outcome"]: row for row in as_records(outcome_quality(labelling.predicted_uses(), labelled))}
    rows = [
        (_SAID[name], _share(row, "precision"), str(row["said"]), _share(row, "recall"), str(row["found_of"]))
        for name, row in quality.items()
    ]
    caption = f"The rules against your {count_of(len(labelled), 'labelled use')}, with 95% intervals"
    right, found = ("right when the rules say it", "uses they say it of"), ("found of those that are", "uses that are")
    heads = ("outcome of a use", *right, *found)
    return framed(_finding(_quality_words(quality["negative"])), _table(caption, heads, rows))


def corrected_rows(
    labelling: Labelling, *, answers: UsableAnswers | None = None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of ``corrected_rate`` of all skills together (none without a use) and of each.

    Parameters
    ----------
    answers
        Of a judge; they count where they may be used.
    """
    uses, labelled = labelling.predicted_uses(), labelling.labelled_uses()
    judged = None if answers is None else answers.uses
    whole, each = (corrected_rate(uses, labelled, by=by, judged=judged) for by in (None, "skill_id"))
    return as_records(whole), as_records(each)


def rates_view(labelling: Labelling, *, answers: UsableAnswers | None = None) -> Markup:
    """Raw and corrected rate with its interval, of all skills and of each, with a finding above.

    Parameters
    ----------
    answers
        Of a judge that was asked for; a sentence says whether they were used, or why not.
    """
    whole, each = corrected_rows(labelling, answers=answers)
    if not whole:
        return framed(_finding("There is no use of a skill, so there is no rate."))
    rows = [_rate_row("all skills", whole[0]), *(_rate_row(str(row["skill_id"]), row) for row in each)]
    heads = ("skill", "rules alone", "corrected", "95% interval", "labelled of uses", "by", "because")
    caption = "Correction rates over all time ((corrections + ½ partials) ÷ judged uses); the report has 30 days"
    finding, evidence = rate_words(whole[0])
    judge = judge_words(answers, answered=whole[0]["n_judged"]).replace("`", "")
    counted = whole[0]["corrected_rate"] is not None
    told = " ".join(filter(None, (evidence, *(left_out_words(labelling, whole[0]) if counted else ()), judge)))
    return framed(_finding(finding, told), _table(caption, heads, rows, words=2))


def left_out_words(labelling: Labelling, row: Mapping[str, Any]) -> list[str]:
    """Which uses the rate of all skills is about where some are left out, and whose verdicts were corrected."""
    own = labelling.has_own_model and row["method"] == "sample"
    return [words for words in (what_is_left_out(row), SHIPPED if own else "") if words]


def rate_words(row: Mapping[str, Any]) -> tuple[str, str]:
    """A corrected rate as a finding and its evidence; why there is none."""
    if row["corrected_rate"] is None:
        return "There is no corrected rate yet.", sentence(str(row["reason"]))
    rate = f"{percent(row['corrected_rate'])} ({bounds_of(row)})"
    labels = f"by {count_of(row['n_labels'], 'labelled use')} of {row['n_uses']:,}"
    raw = f"; the rules alone say {percent(row['raw_rate'])}" if row["raw_rate"] is not None else ""
    more = row["labels_to_halve"]
    halve = f" {about(int(more), start=True)} more labelled uses would halve the interval." if more else ""
    finding = f"By your labels, people correct {of_judged(row['corrected_rate'])}."
    return finding, f"Corrected rate {rate}, {labels}{raw}.{halve}"


def about(number: int, *, start: bool = False) -> str:
    """``about 80``: from 30 on in tens, for nobody can know it better."""
    return f"{'About' if start else 'about'} {number if number < 30 else round(number, -1):,}"


def _quality_words(row: Mapping[str, Any]) -> str:
    if row["precision"] is None:
        return "The rules call none of the labelled uses a complaint."
    right = (
        "When the rules say that a use, all its turns together, was complained about, they are right "
        f"{times_in(row['precision'])}"
    )
    if row["recall"] is None:
        return f"{right}."
    return f"{right}; of the complaints that are there they find {percent(row['recall'])}."


def _share(row: Mapping[str, Any], name: str) -> str:
    if row[name] is None:
        return "not known"
    return f"{percent(row[name])} ({interval(row[f'{name}_low'], row[f'{name}_high'])})"


def _rate_row(name: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    known = row["corrected_rate"] is not None
    return (
        name,
        percent(row["raw_rate"]) if row["raw_rate"] is not None else "no judged use",
        percent(row["corrected_rate"]) if known else "none",
        bounds_of(row) if known else "",
        f"{row['n_labels']} of {row['n_uses']:,}",
        _METHODS.get(row["method"], row["method"]),
        row["reason"],
    )


def _kinds(labelling: Labelling) -> list[str]:
    labels = (labelling.label_of(question) for question in labelling.questions)
    return [label[1] or label[0] for label in labels if label is not None]


def _finding(words: str, evidence: str = "") -> Markup:
    told = Markup('<p class="stw-finding">{}</p>').format(words)
    return told + Markup('<p class="stw-evidence">{}</p>').format(evidence) if evidence else told


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 0) -> Markup:
    """A table whose first column names its rows, and whose last `words` columns are no numbers.

    On narrow screens each cell says its column's name.
    """
    number = [0 < place < len(heads) - words for place in range(len(heads))]
    looks = [Markup(' class="stw-num"') if is_number else Markup("") for is_number in number]
    head = Markup("").join(
        Markup('<th scope="col"{}>{}</th>').format(look, name) for look, name in zip(looks, heads, strict=True)
    )
    body = Markup("").join(_row(heads, row, looks=looks) for row in rows)
    return Markup(
        '<table class="stw-table"><caption>{}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table>'
    ).format(caption, head, body)


def _row(heads: Sequence[str], row: Sequence[str], *, looks: Sequence[Markup]) -> Markup:
    first, *rest = row
    cell = Markup('<td{} data-head="{}">{}</td>')
    cells = (cell.format(*told) for told in zip(looks[1:], heads[1:], rest, strict=True))
    long = Markup(' class="stw-long"') if len(first) > LONG_NAME else ""
    name = Markup('<th scope="row"{}>{}</th>').format(long, readable_lines(first))
    return Markup("<tr>{}{}</tr>").format(name, Markup("").join(cells))
