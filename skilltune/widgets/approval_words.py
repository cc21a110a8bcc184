"""What a verdict, an item of the queue, a version is called: names of gates, reasons, times, in words."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from skilltune.evolution.contradictions import Contradiction
from skilltune.evolution.gates import GATES, Gate, Verdict
from skilltune.evolution.proposals import ProposedChange
from skilltune.evolution.settings import show_confidence
from skilltune.evolution.suggestions import Suggestion
from skilltune.page.words import count_of, short_date
from skilltune.stores.homes import find_home

__all__ = [
    "Row",
    "agreement_words",
    "clock_time",
    "day_and_time",
    "days_words",
    "decision_words",
    "held_words",
    "kind_words",
    "path_words",
    "verdict_rows",
    "version_words",
]

_GRAVEST: Final[tuple[Gate, ...]] = (
    *("drift", "drift_after", "change", "cooldown", "baseline", "agreement", "corrections", "sessions"),
)
_LIMITS: Final = {"conflicts": "none", "effect": "at least 1", "baseline": "needed"}
_KINDS: Final = {
    "reversal": "one undoes the other",
    "cycle": "they lead in a circle",
    "divergence": "one text, several replacements",
    "partial": "one lengthens what the other shortens",
    "hunk_reversal": "one adds the words that the other removes",
}
_DONE: Final = {
    "refine": "approved",
    "reject": "rejected",
    "defer": "deferred",
    "rollback": "rolled back",
    "release": "both sides kept",
    "hold": "held again",
    "reopen": "taken back",
}
_VERSIONS: Final = {
    "first_seen": "first seen",
    "outside_edit": "edited outside",
    "refine": "refined",
    "rollback": "rolled back",
    "baseline": "baseline",
    "waiting": "waits for approval",
}


class Row(NamedTuple):
    """One line of the verdict table."""

    gate: str
    """``change``, ``drift_after`` …; ``file`` for the file on disk."""
    name: str
    value: str
    limit: str
    result: str
    look: str
    """``passed``, ``held`` or ``look``."""
    more: str
    """What would make it pass, or what to know about it; '' for nothing."""


def verdict_rows(suggestion: Suggestion, *, conflicts: int, outside_edit: str, version: int) -> list[Row]:
    """The verdict table, conflicts first, then gates that do not pass.

    Parameters
    ----------
    suggestion
        With the changes chosen.
    conflicts
        Conflicts among all corrections of the skill that hold something.
    outside_edit
        When the file was edited outside of skilltune, in words; '' where it was not.
    version
        The file's version now.
    """
    order = list(GATES)
    grave = "conflicts" if conflicts else ""
    verdicts = sorted(suggestion.verdicts, key=lambda each: (each.gate != grave, each.passed, order.index(each.gate)))
    rows = [_row(verdict, suggestion=suggestion, conflicts=conflicts) for verdict in verdicts]
    look = f"look at v{version}" if outside_edit else "passed"
    look_kind = "look" if outside_edit else "passed"
    return [*rows, Row("file", "File on disk", outside_edit or "as it was left", "shown only", look, look_kind, "")]


def held_words(suggestion: Suggestion | None, *, findings: Sequence[Contradiction]) -> str:
    """Why a suggestion is held, in a few words: the gravest reason."""
    holding = sum(finding.holds for finding in findings)
    if holding:
        return count_of(holding, "conflict")
    failing = {verdict.gate: verdict for verdict in suggestion.failing} if suggestion else {}
    for gate in _GRAVEST:
        if gate in failing:
            return _short(failing[gate])
    blocked = [reason for change in suggestion.changes for reason in change.blocked] if suggestion else []
    if blocked:
        return blocked[0]
    return "no correction repeats yet" if suggestion and not suggestion.changes else "nothing chosen"


def agreement_words(change: ProposedChange, *, suggestion: Suggestion) -> str:
    """``0.86``, cut where it would read as the threshold it misses."""
    return show_confidence(change.confidence, threshold=suggestion.basis.settings.threshold)


def days_words(first: datetime | None, last: datetime | None) -> str:
    """``9–26 Nov``, ``28 Oct–3 Nov``, ``9 Nov``; '' without a time."""
    if first is None or last is None:
        return ""
    one, other = first.astimezone().date(), last.astimezone().date()
    if one == other:
        return short_date(one)
    if (one.year, one.month) == (other.year, other.month):
        return f"{one.day}–{short_date(other)}"
    return f"{short_date(one)}–{short_date(other)}"


def clock_time(at: datetime) -> str:
    """``14:02``, by the clock of this machine."""
    return f"{at.astimezone():%H:%M}"


def day_and_time(at: datetime | None) -> str:
    """``30 Nov, 14:02``; '' without a time."""
    return f"{short_date(at.astimezone().date())}, {clock_time(at)}" if at else ""


def decision_words(entry: Mapping[str, Any], *, at: datetime | None) -> str:
    """``approved 30 Nov, 14:02``, ``rolled back to v1 30 Nov, 14:02``, of an entry of the audit log."""
    kind = str(entry.get("type"))
    to = f" to v{entry['toVersion']}" if kind == "rollback" and entry.get("toVersion") else ""
    return f"{_DONE.get(kind, 'decided')}{to} {day_and_time(at)}".strip()


def kind_words(finding: Contradiction) -> str:
    """``Conflict: one undoes the other``."""
    kept = ", kept by a person" if finding.released else ""
    return f"{finding.severity.capitalize()}: {_KINDS[finding.kind]}{kept}"


def version_words(kind: str, *, to: Any = None) -> str:
    """``refined``, ``rolled back to v3``."""
    return f"{_VERSIONS.get(kind, kind)} to v{to}" if kind == "rollback" and to else _VERSIONS.get(kind, kind)


def path_words(path: Path) -> str:
    """A path, the home folder written ``~``."""
    home = find_home()
    for known in (home, home.resolve()) if home else ():
        if path.is_relative_to(known):
            return f"~/{path.relative_to(known).as_posix()}"
    return str(path)


def _row(verdict: Verdict, *, suggestion: Suggestion, conflicts: int) -> Row:
    gate = verdict.gate
    limit = _LIMITS.get(gate, verdict.threshold if gate != "cooldown" else f"at least {verdict.threshold}")
    value = _value(verdict, suggestion=suggestion)
    note = verdict.note if gate != "effect" else ""
    if not verdict.passed:
        return Row(
            gate, GATES[gate].title, value, limit, "held", "held", "; ".join(filter(None, [verdict.remedy, note]))
        )
    look = (gate == "conflicts" and conflicts > 0) or verdict.note.startswith(("looser", "look at", "held: "))
    return Row(
        gate, GATES[gate].title, value, limit, "look at it" if look else "passed", "look" if look else "passed", note
    )


def _value(verdict: Verdict, *, suggestion: Suggestion | None) -> str:
    if verdict.gate == "agreement" and suggestion and suggestion.chosen:
        least = min(suggestion.chosen, key=lambda change: change.confidence)
        return f"{verdict.value} ({least.count} of {least.rivals})"
    if verdict.gate == "cooldown" and verdict.value in ("0 days ago", "1 days ago"):
        return "today" if verdict.value.startswith("0") else "1 day ago"
    if verdict.gate == "sessions" and suggestion and len(suggestion.chosen) > 1:
        return f"{verdict.value} (fewest for one change)"
    if verdict.gate == "agreement" and verdict.value == "-":
        return "none chosen"
    return verdict.value.removesuffix(" changes")


def _short(verdict: Verdict) -> str:
    if verdict.gate in ("drift", "drift_after"):
        return f"drift {verdict.value}, limit {verdict.threshold.removeprefix('below ')}"
    if verdict.gate == "change":
        return f"change {verdict.value}, limit {verdict.threshold.removeprefix('at most ')}"
    if verdict.gate == "cooldown":
        return f"refined {_value(verdict, suggestion=None)}, {verdict.remedy}"
    if verdict.gate == "baseline":
        return "no first text to measure drift by"
    needed = verdict.threshold.removeprefix("at least ")
    if verdict.gate == "agreement":
        return f"agreement {verdict.value}, needs {needed}"
    noun = {"corrections": "usable corrections", "sessions": "sessions"}[verdict.gate]
    return f"{verdict.value} of {needed} {noun}"
