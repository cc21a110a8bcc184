"""What the commands of refinement print for programs."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from skilltune.evolution.contradictions import Contradiction, Contradictions
from skilltune.evolution.drift import Drift
from skilltune.evolution.eligibility import Eligibility
from skilltune.evolution.openings import OpenSuggestion
from skilltune.evolution.proposals import ProposedChange
from skilltune.evolution.suggestions import Suggestion
from skilltune.refining.applying import Applied
from skilltune.rendering.next_step import Status
from skilltune.stores.names import mask_name

__all__ = [
    "applied_row",
    "contradictions_row",
    "drift_row",
    "eligibility_row",
    "opening_row",
    "suggestion_row",
    "time_text",
]


def eligibility_row(
    found: Eligibility, *, status: Status, unusable: int = 0, openings: int = 0, notes: Sequence[str] = ()
) -> dict[str, Any]:
    """The answer on one skill."""
    cooldown = found.cooldown
    return {
        "skill_id": found.skill_id,
        "eligible": found.eligible,
        "reason": found.reason,
        "status": status,
        "correction_count": found.correction_count,
        "corrections_needed": found.corrections_needed,
        "min_corrections": found.min_corrections,
        "unusable_corrections": unusable,
        "last_refined": time_text(cooldown.last_refined),
        "days_since": cooldown.days_since,
        "days_remaining": found.days_remaining,
        "next_eligible": time_text(cooldown.next_eligible),
        "cooldown_days": cooldown.cooldown_days,
        "conflicts": sum(finding.holds for finding in found.contradictions.findings),
        "outlook": found.outlook,
        "open_suggestions": openings,
        "patterns": [
            {
                "original": pattern.original,
                "suggested": pattern.suggested,
                "count": pattern.count,
                "rivals": pattern.rivals,
                "agreement": float(pattern.agreement),
                "sessions": list(pattern.sessions),
                "first_seen": time_text(pattern.first_seen),
                "last_seen": time_text(pattern.last_seen),
            }
            for pattern in found.patterns
        ],
        "held": [[item.pattern.original, item.pattern.suggested] for item in found.held],
        "warnings": list(dict.fromkeys((*found.warnings, *notes))),
    }


def suggestion_row(
    suggestion: Suggestion, *, openings: Sequence[OpenSuggestion] = (), notes: Sequence[str] = ()
) -> dict[str, Any]:
    """A suggestion with its verdicts."""
    return {
        "skill_id": suggestion.skill_id,
        "version": suggestion.version,
        "digest": suggestion.digest,
        "base_digest": suggestion.base_digest,
        "ready": suggestion.ready,
        "confidence": None if suggestion.confidence is None else float(suggestion.confidence),
        "based_on_corrections": suggestion.based_on_corrections,
        "change_percent": suggestion.change_percent,
        "drift": drift_row(suggestion.drift),
        "changes": [_change_row(change) for change in suggestion.changes],
        "verdicts": [
            {
                "gate": verdict.gate,
                "value": verdict.value,
                "threshold": verdict.threshold,
                "passed": verdict.passed,
                "remedy": verdict.remedy,
                "note": verdict.note,
            }
            for verdict in suggestion.verdicts
        ],
        "contradictions": [_finding_row(finding) for finding in suggestion.contradictions],
        "diff": suggestion.diff,
        "preview": suggestion.preview,
        "open_suggestions": [opening_row(opened) for opened in openings],
        "notes": list(notes),
    }


def opening_row(opened: OpenSuggestion) -> dict[str, Any]:
    """An open suggestion."""
    group = opened.group
    return {
        "id": opened.id,
        "dimension": group.dimension,
        "heading": group.heading,
        "words": list(group.words),
        "complaints": group.count,
        "agreement": float(group.agreement),
        "sessions": [mask_name(each) for each in group.sessions],
        "quotes": list(opened.quotes),
        "section": opened.section,
        "touches": opened.touches,
    }


def contradictions_row(found: Contradictions, *, skill_id: str) -> dict[str, Any]:
    """The contradictions of one skill."""
    return {
        "skill_id": skill_id,
        "analyzed": found.analyzed,
        "has_conflicts": found.has_conflicts,
        "summary": found.summary,
        "findings": [_finding_row(finding) for finding in found.findings],
    }


def drift_row(drift: Drift) -> dict[str, Any]:
    """A drift; percentages as numbers, None where they are not known."""
    return {
        "status": drift.status,
        "drift_percent": drift.percent,
        "projected_percent": drift.projected_percent,
        "path_percent": drift.path_percent,
        "edit_ratio": drift.edit_ratio,
        "retained": drift.retained,
        "limit_percent": drift.limit_percent,
        "remaining_percent": drift.remaining_percent,
        "average_percent": drift.average_percent,
        "refinements_remaining": drift.refinements_remaining,
        "note": drift.note,
    }


def applied_row(applied: Applied) -> dict[str, Any]:
    """What was written."""
    commit = applied.commit
    return {
        "skill_id": applied.skill_id,
        "path": str(applied.path),
        "version": applied.version,
        "drift": drift_row(applied.drift),
        "commit": None if commit is None else {"commit": commit.commit, "problem": commit.problem},
        "entry": dict(applied.entry),
        "notes": list(applied.notes),
    }


def time_text(at: datetime | None) -> str | None:
    """A time in ISO form."""
    return None if at is None else at.isoformat()


def _change_row(change: ProposedChange) -> dict[str, Any]:
    return {
        "number": change.number,
        "kind": change.kind,
        "section": change.section,
        "original": change.original,
        "suggested": change.suggested,
        "line": change.line,
        "reason": change.reason,
        "confidence": float(change.confidence),
        "count": change.count,
        "rivals": change.rivals,
        "sessions": list(change.sessions),
        "first_seen": time_text(change.first_seen),
        "last_seen": time_text(change.last_seen),
        "correction_ids": list(change.correction_ids),
        "status": change.status,
        "chosen": change.chosen,
        "choosable": change.choosable,
        "blocked": list(change.blocked),
        "notes": list(change.notes),
    }


def _finding_row(finding: Contradiction) -> dict[str, Any]:
    return {
        "id": finding.id,
        "kind": finding.kind,
        "severity": finding.severity,
        "released": finding.released,
        "advice": list(finding.advice),
        "sides": [
            {
                "number": number,
                "original": side.original,
                "corrected": side.corrected,
                "count": side.count,
                "sessions": list(side.sessions),
                "first_seen": time_text(side.first_seen),
                "last_seen": time_text(side.last_seen),
                "correction_ids": [item.id for item in side.corrections],
            }
            for number, side in enumerate(finding.sides, 1)
        ],
    }
