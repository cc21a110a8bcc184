"""The verdict table of a suggestion, from its evidence, its chosen changes and the body they make."""

from collections.abc import Sequence

from skilltune.evolution.basis import Basis, change_body, relocate
from skilltune.evolution.drift import Drift
from skilltune.evolution.eligibility import Eligibility
from skilltune.evolution.gates import Verdict, judge_agreement, judge_bounds, judge_cooldown, judge_count, say_looser
from skilltune.evolution.learned import LEARNED_HEADING, has_section
from skilltune.evolution.outlook import agreement_needs
from skilltune.evolution.proposals import ProposedChange
from skilltune.evolution.settings import RefinementSettings
from skilltune.evolution.textdiff import Measure, changed_within, measure_change

__all__ = ["judge_evidence", "judge_suggestion"]

_SMALLER_TRIED = 8


def judge_evidence(eligibility: Eligibility, *, settings: RefinementSettings) -> tuple[Verdict, ...]:
    """The verdicts on the evidence."""
    verdicts = [
        judge_cooldown(eligibility.cooldown, settings=settings),
        judge_count(
            "corrections",
            count=eligibility.correction_count,
            needed=settings.min_corrections,
            noun="usable correction",
            note=say_looser(settings, "min_corrections", "rejected_memory"),
        ),
        _judge_conflicts(eligibility),
    ]
    if eligibility.reason == "skill_not_found":
        missing = Verdict(
            gate="skill", value="not found", threshold="found", passed=False, remedy="name a skill that is installed"
        )
        verdicts.insert(0, missing)
    return tuple(verdicts)


def judge_suggestion(
    basis: Basis, *, changes: Sequence[ProposedChange], after: str, measure: Measure, drift: Drift
) -> tuple[Verdict, ...]:
    """All verdicts: on the evidence, on what is chosen, on the bounds."""
    chosen = [change for change in changes if change.chosen]
    settings = basis.settings
    told = {verdict.gate for verdict in basis.opening}
    sessions = min((len(change.sessions) for change in chosen), default=0)
    evidence = (_judge_sessions(sessions, settings=settings),) if chosen and "sessions" not in told else ()
    too_much = measure.rounded_percent > settings.max_change_percent
    return (
        *basis.opening,
        _judge_agreement(changes, settings=settings),
        *evidence,
        _judge_effect(basis, changes=changes, after=after),
        *judge_bounds(
            measure,
            drift=drift,
            metadata_changes=basis.metadata_changes,
            allow_missing_baseline=basis.allow_missing_baseline,
            settings=settings,
            smaller=_smaller(basis, chosen=chosen, measure=measure) if too_much else "",
        ),
    )


def _judge_conflicts(eligibility: Eligibility) -> Verdict:
    """Held changes are named; the gate fails only where the whole skill is held."""
    held = [str(number) for number, item in enumerate(eligibility.candidates, 1) if item.held]
    blocked = eligibility.held_whole
    holding = sum(finding.holds for finding in eligibility.contradictions.findings)
    which = "the conflict" if holding == 1 else f"each of the {holding} conflicts"
    return Verdict(
        gate="conflicts",
        value=str(holding),
        threshold="none that holds every change",
        passed=not blocked,
        remedy="" if not blocked else f"keep one side of {which}, or both",
        note=f"held: {'change' if len(held) == 1 else 'changes'} {', '.join(held)}" if held else "",
    )


def _judge_agreement(changes: Sequence[ProposedChange], *, settings: RefinementSettings) -> Verdict:
    """Of the changes chosen; where none can be chosen, of those that are held because too few agree."""
    held = [change for change in changes if change.blocked and change.confidence < settings.threshold]
    free = any(change.chosen or change.choosable for change in changes)
    judged = [change.confidence for change in changes if change.chosen]
    best = max((change.confidence for change in held), default=None)
    confidence = min(judged, default=None if free else best)
    least = next((change for change in changes if change.confidence == confidence), None)
    return judge_agreement(
        confidence,
        settings=settings,
        held=[change.number for change in held],
        missing=agreement_needs(least.count, least.rivals, settings=settings) if least else None,
    )


def _judge_sessions(sessions: int, *, settings: RefinementSettings) -> Verdict:
    look = "look at: one session" if sessions == 1 else ""
    note = "; ".join(text for text in (look, say_looser(settings, "min_sessions")) if text)
    return judge_count("sessions", count=sessions, needed=settings.min_sessions, noun="session", note=note)


def _judge_effect(basis: Basis, *, changes: Sequence[ProposedChange], after: str) -> Verdict:
    """Whether anything changes at all; what says the same as before is no improvement and is not applied."""
    passed = after != basis.body
    return Verdict(
        gate="effect",
        value=f"{sum(change.chosen for change in changes)} of {len(changes)} changes",
        threshold="the body changes",
        passed=passed,
        remedy="" if passed else _effect_remedy(changes),
        note="; ".join(f"{change.number}: {change.status}" for change in changes if not change.chosen),
    )


def _effect_remedy(changes: Sequence[ProposedChange]) -> str:
    """What would make the body another one: a choice, or what lifts what holds the changes."""
    choosable = [str(change.number) for change in changes if change.choosable and not change.chosen]
    if choosable:
        return f"choose from the changes {', '.join(choosable)}"
    if any(finding.holds for change in changes for finding in change.contradictions):
        return "keep one side of what contradicts, or both: no other change can be chosen"
    blocked = [f"{change.number}: {change.blocked[0]}" for change in changes if change.blocked]
    if blocked:
        return f"lift what holds the changes ({'; '.join(blocked)}), or record corrections that repeat"
    if any(change.status in ("already_applied", "no_op") for change in changes):
        return "nothing is left to do: the body says so already"
    return "record corrections that repeat"


def _smaller(basis: Basis, *, chosen: Sequence[ProposedChange], measure: Measure) -> str:
    """The most changes, from the first on, that stay within the change bound; else how much less would."""
    for size in range(min(len(chosen) - 1, _SMALLER_TRIED), 0, -1):
        located, spans = relocate(basis.body, chosen[:size])
        lines = [(change.line, change.section) for change in located if change.kind == "append"]
        percent = measure_change(basis.body, change_body(basis.body, spans=spans, lines=lines)).rounded_percent
        if percent <= basis.settings.max_change_percent:
            numbers = ", ".join(str(change.number) for change in chosen[:size])
            return f"take only {'change' if size == 1 else 'changes'} {numbers} ({percent}%)"
    allowed = changed_within(measure.original_chars, percent=basis.settings.max_change_percent)
    excess = measure.changed - allowed
    longest = max((len(change.line) for change in chosen if change.kind == "append"), default=0)
    fewer = f"{excess:,} character{'' if excess == 1 else 's'}"
    if allowed < 1:
        return "no change fits within the bound: the body is too short"
    if excess < longest:
        return f"shorten the line by {fewer}{_and_no_heading(basis, chosen)}"
    return f"change {fewer} less{_and_no_heading(basis, chosen)}"


def _and_no_heading(basis: Basis, chosen: Sequence[ProposedChange]) -> str:
    learned = any(change.kind == "append" and change.section == LEARNED_HEADING for change in chosen)
    if learned and not has_section(basis.body, title=LEARNED_HEADING):
        return ", or put the line into a section that is there: the new heading counts too"
    return ""
