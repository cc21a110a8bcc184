"""How good the estimate is by now, in words a non-statistician reads right, with the chart of its course."""

from typing import Any, Final

import pandas as pd
from markupsafe import Markup

from skilltune.analysis.corrected import corrected_rate
from skilltune.analysis.label_quality import running_precision
from skilltune.analysis.precision_outlook import half_width_after, more_to_halve
from skilltune.analysis.rows import as_records
from skilltune.charts.precision_course import precision_course
from skilltune.labelling import Labelling
from skilltune.page.words import count_of, interval, percent, times_in
from skilltune.widgets.label_tables import about, rate_words

__all__ = ["estimate_view"]

JUDGED: Final = "correction"
"""The rules' word whose precision is shown."""
FEW: Final = 5
"""Such turns from which on the share is told as an everyday fraction."""
CAPTION: Final = "precision by number of such turns labelled, 95% interval"


def estimate_view(labelling: Labelling) -> Markup:
    """Two findings and a chart: how often the rules' “correction” is right, and the corrected rate."""
    turns, labels = _frames(labelling)
    course = running_precision(turns, labels, outcome=JUDGED)
    expected = int((turns["outcome"] == JUDGED).sum())
    known = len(course) > 0 and course["said"].iloc[-1] > 0
    words = _precision_words(course.iloc[-1], expected=expected) if known else _unknown_words(expected)
    figure = _figure(course, expected=expected) if known else Markup("")
    look = "stw-estimates" if known else "stw-estimates stw-alone"
    return Markup('<div class="{}"><div>{}{}</div>{}</div>').format(look, words, _rate_words(labelling), figure)


def _frames(labelling: Labelling) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What the rules say of each turn that is asked about, and the labels given, in the order of the questions."""
    said = [(question.event_id, question.turn_id, question.rule_outcome) for question in labelling.questions]
    found = ((question, labelling.label_of(question)) for question in labelling.questions)
    given = [
        (question.event_id, question.turn_id, label[0], place)
        for place, (question, label) in enumerate(found)
        if label is not None
    ]
    turns = pd.DataFrame(said, columns=["event_id", "turn_id", "outcome"])
    return turns, pd.DataFrame(given, columns=["event_id", "turn_id", "outcome", "labelled_at"])


def _unknown_words(expected: int) -> Markup:
    ahead = f"; {count_of(expected, 'such turn')} to come" if expected else ""
    return _finding(f"How often a rule is right when it calls a turn a “{JUDGED}” is not known yet{ahead}.", "")


def _precision_words(last: "pd.Series[Any]", *, expected: int) -> Markup:
    known, hits = int(last["said"]), int(last["right"])
    often = (
        times_in(hits / known).replace(" in ", " in\N{NO-BREAK SPACE}")
        if known >= FEW
        else f"{hits} {'time' if hits == 1 else 'times'} of {known}"
    )
    verb = "it is right" if known >= FEW else "it was right"
    evidence = f"{hits} of {known} such turns: {percent(hits / known)} ({interval(last['low'], last['high'])})."
    outlook = _outlook(hits, known, to_come=expected - known)
    return _finding(f"When a rule calls a turn a “{JUDGED}”, {verb} {often}, so far.", f"{evidence} {outlook}")


def _outlook(hits: int, known: int, *, to_come: int) -> str:
    """What further labels would bring."""
    more = more_to_halve(hits, known)
    halve = f"{about(more)} more of this kind would halve it" if more else ""
    if not to_come:
        return f"No such turn is left here; {halve}." if halve else "No such turn is left here."
    width = round(100 * half_width_after(hits, known, more=to_come))
    coming = f"The {count_of(to_come, 'label')} of this kind still to come should narrow that to about ±{width} points"
    return f"{coming}; {halve}." if halve else f"{coming}."


def _rate_words(labelling: Labelling) -> Markup:
    """The corrected rate over all uses, with its interval; the reason where there is none."""
    table = corrected_rate(labelling.predicted_uses(), labelling.labelled_uses())
    return _finding(*rate_words(as_records(table)[0])) if len(table) else Markup("")


def _figure(course: pd.DataFrame, *, expected: int) -> Markup:
    share, said = percent(course["precision"].iloc[-1]), int(course["said"].iloc[-1])
    text = f"How often a rule’s “{JUDGED}” was right, by labels given: {share} of {count_of(said, 'turn')} now."
    drawing = precision_course(course, expected=expected, label=share, text=text)
    return Markup("<figure><p>{}</p>{}</figure>").format(CAPTION, drawing)


def _finding(sentence: str, evidence: str) -> Markup:
    told = Markup('<p class="stw-finding">{}</p>').format(sentence)
    return told + Markup('<p class="stw-evidence">{}</p>').format(evidence) if evidence else told
