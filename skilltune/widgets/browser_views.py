"""What the turn browser shows besides the turn itself: the verdict and why, the window, rows of the list, tables."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from markupsafe import Markup

from skilltune.mining.outcomes import Verdict
from skilltune.page.words import count_of, percent, short_date
from skilltune.records import FeedbackEvent, Invocation, Turn
from skilltune.stores.names import mask_name
from skilltune.stores.secrets import mask_secrets
from skilltune.widgets.approval_tables import finding_of, table_of
from skilltune.widgets.approval_words import path_words
from skilltune.widgets.browser_context import TurnContext
from skilltune.widgets.browser_turns import TurnTable
from skilltune.widgets.safe_text import readable_lines

__all__ = [
    "brief_of",
    "counts_words",
    "outcome_words",
    "row_words",
    "still_view",
    "use_words",
    "verdict_view",
    "window_view",
]

BRIEF: Final = 90
"""Characters of a turn in the list."""
STILL_ROWS: Final = 15
"""Turns in the table where there is no front end."""

_GROUPS: Final = {
    "reject": "words that say that the work is wrong, missing or unwanted",
    "objection": "words that object to the work",
    "redo": "words that ask to do it over",
    "revert": "words that ask to take it back",
    "contrast": "an acceptance with something to change",
    "accept": "words that accept the work",
    "nothing": "words that say that nothing is wrong",
    "task": "a request that stands by itself",
    "question": "a question, which judges nothing by itself",
    "pick": "a choice among what the agent offered",
    "channel": "what the person clicked",
    "language": "no word list for this language",
    "begin": "nothing came before it that it could judge",
    "none": "no words that judge the work",
    "implicit": "going on to other work",
    "model": "the model’s probabilities; this feature speaks most for it",
}
"""What a rule found, by a part of its name."""
_NOT_JUDGED: Final = {
    "no_turn": "nobody said anything after it",
    "ended": "the session ended or another skill was used",
    "no_signal": "nothing that was said judges it",
    "question": "only questions came after it",
    "language": "there is no word list for the language",
    "own_mistake": "the person speaks of a mistake of their own",
    "weak": "what was said may be about something else",
    "future": "its time is still to come",
}
_USES: Final = {"direct": "about this use", "likely": "likely about this use", "weak": "perhaps about something else"}


def outcome_words(turn: Turn | Verdict) -> str:
    """``correction (redo)``, ``acceptance``, ``none``."""
    kind = turn.correction_type
    return f"{turn.outcome} ({kind})" if kind and kind != turn.outcome else str(turn.outcome)


def row_words(turn: Turn) -> str:
    """The two lines of a turn in the list."""
    name = readable_lines(mask_name(turn.skill_id)) if turn.skill_id else "no skill"
    return f"{name}\n{turn.outcome} · {brief_of(turn)}"


def brief_of(turn: Turn) -> str:
    """The beginning of what was said, secrets masked, on one line."""
    text = " ".join(mask_secrets(turn.text[: 20 * BRIEF]).split())
    words = text if len(text) <= BRIEF else f"{text[:BRIEF].rsplit(' ', 1)[0][:BRIEF]} …"
    return readable_lines(words) or f"({turn.channel}, without words)"


def counts_words(counts: Mapping[str, int]) -> str:
    """``12 corrections · 3 partials · 40 acceptances · 90 none``."""
    parts = [count_of(counts[name], name) for name in ("correction", "partial", "acceptance") if counts.get(name)]
    return " · ".join([*parts, f"{counts['none']:,} none"] if counts.get("none") else parts)


def verdict_view(turn: Turn, context: TurnContext, *, use: Invocation | None, event: FeedbackEvent | None) -> Markup:
    """The verdict on the turn, what decided it and why, and what became of the use."""
    rows = [("decided by", *_decided(turn))]
    reasons = context.reasons
    if reasons is not None and (reasons.rules.outcome, reasons.rules.rule) != (turn.outcome, turn.rule):
        rows.append(("the rules alone", outcome_words(reasons.rules), reasons.rules.rule))
    if turn.p_negative is not None and turn.p_acceptance is not None:
        told = f"complaint {percent(turn.p_negative)}, acceptance {percent(turn.p_acceptance)}"
        rows.append(("probabilities", told, "calibrated on labelled turns"))
    if reasons is not None and (reasons.for_complaint or reasons.for_acceptance):
        rows.append(("for a complaint", _features(reasons.for_complaint), "features of the model, the strongest first"))
        rows.append(("for an acceptance", _features(reasons.for_acceptance), ""))
    if turn.attribution:
        place = f"turn {context.question.number} of {context.question.of} after the use"
        rows.append(("counts for", _USES[turn.attribution], place))
    rows.append(("the use", *use_words(use, event=event)))
    rows.append(("stands in", f"{path_words(Path(turn.path))}:{turn.line}", _missing(context)))
    return Markup('<div class="stw-verdicts stw-why"><h4>Verdict: {}</h4>{}</div>').format(
        outcome_words(turn), _table(rows)
    )


def window_view(table: TurnTable, at: int) -> Markup:
    """The turns after the use, in order, the one shown marked."""
    places = table.window(at)
    if len(places) < 2:
        return Markup("")
    rows = [_window_row(table.turns[place], number=number, here=place == at) for number, place in enumerate(places, 1)]
    return Markup('<div class="stw-window"><h4>All that was said after this use</h4><ol>{}</ol></div>').format(
        Markup("").join(rows)
    )


def use_words(use: Invocation | None, *, event: FeedbackEvent | None) -> tuple[str, str]:
    """What became of the use that a turn can judge, and why."""
    if use is None:
        return "none", "the turn stands after no use of a skill"
    when = short_date(use.timestamp.date()) if use.timestamp else ""
    where = " ".join(filter(None, [f"line {use.line}", when and f"on {when}"]))
    if event is None:
        why = _NOT_JUDGED.get(use.reason, use.reason.replace("_", " "))
        return f"not judged: {why}", where
    return f"{event.outcome}, decided by turn {event.turns_to_feedback}", where


def still_view(table: TurnTable, places: Sequence[int]) -> Markup:
    """How many turns there are, and the first of them as a table; for where nobody can browse."""
    if not table.turns:
        return finding_of("No turns: nothing was read in which a person said something.")
    told = f"{count_of(len(places), 'turn')}: {counts_words(table.count(places))}." if places else "No turn fits."
    more = len(places) - STILL_ROWS
    hint = f"The first {STILL_ROWS} of them; browse the rest in JupyterLab." if more > 0 else ""
    rows = [_still_row(table.turns[place]) for place in places[:STILL_ROWS]]
    heads = ("skill", "outcome", "decided by", "what the person said")
    return finding_of(told, hint) + (table_of("Turns, the newest session first", heads, rows) if rows else Markup(""))


def _still_row(turn: Turn) -> tuple[str, ...]:
    name = mask_name(turn.skill_id) if turn.skill_id else "no skill"
    return name, outcome_words(turn), turn.rule, brief_of(turn)


def _decided(turn: Turn) -> tuple[str, str]:
    """The rule or feature that decided, and what it found."""
    parts = turn.rule.split(".")
    found = next((words for name, words in _GROUPS.items() if name in parts[:2]), "")
    return turn.rule or "no rule", found


def _features(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _missing(context: TurnContext) -> str:
    return "" if context.reasons else "the transcript cannot be read any more: what stood around it is missing"


def _table(rows: Sequence[tuple[str, str, str]]) -> Markup:
    body = Markup("").join(
        Markup('<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>').format(
            name, readable_lines(value), readable_lines(more)
        )
        for name, value, more in rows
    )
    return Markup(
        '<table><caption class="stw-hidden">What decided the verdict, and why</caption><thead class="stw-hidden"><tr>'
        '<th scope="col">what</th><th scope="col">value</th><th scope="col">more</th></tr></thead>'
        "<tbody>{}</tbody></table>"
    ).format(body)


def _window_row(turn: Turn, *, number: int, here: bool) -> Markup:
    mark = Markup(' class="stw-here" aria-current="true"') if here else ""
    return Markup("<li{}>{} <b>{}</b> {}</li>").format(mark, number, turn.outcome, brief_of(turn))
