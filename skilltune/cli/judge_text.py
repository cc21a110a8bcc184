"""What ``skilltune judge`` prints, in words; session text is made harmless here."""

import textwrap
from typing import TYPE_CHECKING, Any

from skilltune.cli.output import safe
from skilltune.page.words import count_of

if TYPE_CHECKING:
    from skilltune.judging.answers import Judged
    from skilltune.judging.working import Judging

__all__ = ["plan_text", "score_lines", "sent_text"]

_REASONS = {
    "budget": "over the budget of turns",
    "empty": "the judge said nothing",
    "exit": "the program failed",
    "failed": "the program reported an error",
    "format": "its output could not be read",
    "missing": "left out of the answer",
    "no_json": "no JSON in the answer",
    "not_started": "the program could not be started",
    "refused": "refused",
    "stopped": "not sent after two failures in a row",
    "timeout": "no answer in time",
    "too_much_output": "too much output",
    "twice": "answered twice, differently",
    "vocabulary": "a label that is none",
}


def plan_text(opened: "Judging", *, sent: bool) -> str:
    """What is sent, or would be."""
    plan, judge = opened.plan, opened.judge
    turns = len(plan.questions)
    if not turns:
        why = f"{plan.cached:,} answers are known from earlier runs" if plan.cached else "no turn is left to label"
        return f"There is nothing to send to {judge.name}: {why}."
    lines = [
        f"This leaves the machine once you say yes ({judge.name}):"
        if sent
        else f"Nothing was sent. With --send this would leave the machine ({judge.name}):"
    ]
    uses = len({question.event_id for question in plan.questions})
    lines += [
        (
            f"  {count_of(turns, 'turn')} of {count_of(uses, 'use')} in {count_of(plan.batches, 'prompt')}, "
            f"{plan.characters:,} characters of what you and your agent wrote"
        ),
        (
            f"  of these {opened.for_scoring:,} to score it, of uses that you labelled, and "
            f"{turns - opened.for_scoring:,} of its random sample; no more is sent"
        ),
        f"  to {safe(judge.argv[0])}, {_model(judge.model)}, and by it to whoever runs that model",
        f"  beside it: {judge.agent.adds or 'whatever that program adds'}",
        "  masked: secrets, e-mail addresses, home folders, user name",
        "  left out: project, session, times, what the rules say",
        (
            f"  known from earlier runs, not sent again: {plan.cached:,} turns; over the budget of "
            f"{opened.settings.max_turns:,} turns: {plan.over_budget:,}"
        ),
    ]
    return "\n".join([*lines, *_example(opened)])


def sent_text(judged: "Judged", *, score: dict[str, Any], not_used: str, rate: dict[str, Any] | None) -> str:
    """What became of the turns, how good the judge is, and what its answers change."""
    lines = [
        (
            f"{judged.name}: {len(judged.answers):,} turns labelled ({judged.cached:,} known from earlier runs); "
            f"{judged.sent:,} sent, {len(judged.not_judged):,} not judged"
        )
    ]
    details = {turn.reason: turn.detail for turn in reversed(judged.not_judged) if turn.detail}
    for reason, count in judged.reasons.items():
        said = f" ({safe(details[reason])})" if reason in details else ""
        lines.append(f"  {count:,} {_REASONS.get(reason, safe(reason))}{said}")
    return "\n".join([*lines, *score_lines(score, not_used=not_used, rate=rate)])


def score_lines(score: dict[str, Any], *, not_used: str, rate: dict[str, Any] | None) -> list[str]:
    """How good the judge is, and what its answers change."""
    lines = _score_lines(score)
    if rate is not None:
        lines.append(_rate_line(rate))
    elif not_used and score["scored"]:
        lines.append(f"Its answers are {not_used}.")
    return lines


def _model(model: str) -> str:
    return f"model {model}" if model else "its own choice of model"


def _example(opened: "Judging") -> list[str]:
    """The first turn as it is sent."""
    from skilltune.judging.prompt import shown_fields

    shown = [
        line
        for name, value in shown_fields(opened.plan.questions[0]).items()
        for line in textwrap.wrap(f"{name}: {safe(str(value))}", 110, subsequent_indent="  ") or [name]
    ]
    return ["An example, the first turn:", *(f"  | {line}" for line in shown)]


def _score_lines(score: dict[str, Any]) -> list[str]:
    if not score["scored"]:
        return [f"The judge is {score['reason']}."]
    kappa = "" if score["kappa"] is None else f", kappa {score['kappa']:.2f}{_ends(score, 'kappa', percent=False)}"
    return [
        (
            f"On {score['n_labels']:,} turns you labelled it agrees in {score['agreement']:.0%}"
            f"{_ends(score, 'agreement')}{kappa}."
        ),
        (
            f"  complaints: {_share(score, 'precision')} of the {score['said']:,} it names are ones, it finds "
            f"{_share(score, 'recall')} of {score['found_of']:,}"
        ),
    ]


def _share(score: dict[str, Any], name: str) -> str:
    return "none" if score[name] is None else f"{score[name]:.0%}{_ends(score, name)}"


def _ends(score: dict[str, Any], name: str, *, percent: bool = True) -> str:
    low, high = score[f"{name}_low"], score[f"{name}_high"]
    if low is None or high is None:
        return ""
    return f" ({low:.0%} to {high:.0%})" if percent else f" ({low:.2f} to {high:.2f})"


def _rate_line(rate: dict[str, Any]) -> str:
    if rate["corrected_rate"] is None:
        return f"No corrected rate: {safe(str(rate['reason']))}."
    return (
        f"Correction rate by the rules {rate['raw_rate']:.0%}; corrected by your labels and the judge's "
        f"{rate['corrected_rate']:.0%} ({rate['low']:.0%} to {rate['high']:.0%})."
    )
