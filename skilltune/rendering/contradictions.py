"""What in a skill's corrections contradicts itself, as text."""

from collections.abc import Sequence
from typing import Final

from skilltune.evolution.contradictions import BLIND_SPOT, Contradiction, Contradictions, Kind, Side
from skilltune.rendering.eligibility import iso_date
from skilltune.rendering.terminal import (
    NAME_CHARS,
    command,
    count_words,
    cut,
    finished,
    numbered,
    painter,
    titled,
    wrapped,
)

__all__ = ["render_contradictions"]

SIDES: Final = 6
"""Sides of one contradiction that are told."""
FINDINGS: Final = 50
"""Contradictions that are told."""
TEXT_CHARS: Final = 160
_INDENT: Final = " " * 10
_NAMES: Final[dict[Kind, str]] = {
    "reversal": "Reversal",
    "cycle": "Cycle",
    "divergence": "Divergence",
    "hunk_reversal": "Hunk reversal",
    "partial": "Partial reversal",
}


def render_contradictions(
    found: Contradictions, *, skill_id: str, width: int = 80, color: bool = False, unicode: bool = True
) -> str:
    """The report on the contradictions of one skill.

    Parameters
    ----------
    found : Contradictions
        From `contradictions`.
    skill_id
        The skill.
    width, color, unicode
        As in `render_metrics`.

    Returns
    -------
    str
        Counts, a block a finding (conflicts first), advice, the command that keeps one side or both, and what cannot be
        seen.
    """
    paint = painter(color=color)
    lines = titled(f"Contradiction Report: {cut(skill_id, NAME_CHARS)}")
    lines += [f"Corrections analyzed: {found.analyzed}", f"Contradictions found: {len(found.findings)}"]
    for finding in found.findings[:FINDINGS]:
        lines += ["", *_finding_lines(finding, width=width)]
    if len(found.findings) > FINDINGS:
        lines += ["", f"and {len(found.findings) - FINDINGS:,} more; --json lists all."]
    if found.findings:
        lines += ["", "Recommendation:", *numbered(_advice(found.findings), width, indent="  ")]
    lines += ["", paint(found.summary, "finding")]
    if holding := [finding for finding in found.findings if finding.holds]:
        lines += ["", "Keep one side (its number above) or both, at a terminal:"]
        lines += [
            f"  {command('contradictions', skill_id, '--finding', finding.id, '--keep', 'both')}"
            for finding in holding[:FINDINGS]
        ]
    lines += ["", *(paint(line, "quiet") for line in wrapped(BLIND_SPOT, width))]
    return finished([*lines, f"Next: {command('feedback', skill_id)}"], unicode=unicode)


def _finding_lines(finding: Contradiction, *, width: int) -> list[str]:
    lines = [f"{finding.severity.upper():<8}  {_NAMES[finding.kind]} detected"]
    for side in finding.sides[:SIDES]:
        lines += wrapped(_side_words(side), width, indent=_INDENT, hanging=_INDENT + "  ")
    if len(finding.sides) > SIDES:
        lines.append(f"{_INDENT}and {len(finding.sides) - SIDES:,} more sides")
    action = "none; you keep both sides" if finding.released else finding.advice[0]
    return [*lines, *wrapped(f"Action: {action}", width, indent=_INDENT, hanging=_INDENT + "  ")]


def _side_words(side: Side) -> str:
    first = side.corrections[0]
    more = f" ({count_words(side.count, 'time')}, last {iso_date(side.last_seen)})" if side.count > 1 else ""
    return f"Session {cut(first.session_id, NAME_CHARS)} ({iso_date(side.first_seen)}): {_change_words(side)}{more}"


def _change_words(side: Side) -> str:
    if not side.original.strip():
        return f"added '{cut(side.corrected, TEXT_CHARS)}'"
    if not side.corrected.strip():
        return f"removed '{cut(side.original, TEXT_CHARS)}'"
    return f"changed '{cut(side.original, TEXT_CHARS)}' to '{cut(side.corrected, TEXT_CHARS)}'"


def _advice(findings: Sequence[Contradiction]) -> list[str]:
    return list(dict.fromkeys(advice for finding in findings for advice in finding.advice))
