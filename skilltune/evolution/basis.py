"""What a suggestion rests on besides its changes, and the body that a choice of changes makes of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from skilltune.evolution.edits import Span, locate_changes, replace_spans
from skilltune.evolution.eligibility import Cooldown
from skilltune.evolution.gates import Verdict
from skilltune.evolution.hidden import Mask
from skilltune.evolution.learned import add_lines
from skilltune.evolution.proposals import ProposedChange
from skilltune.evolution.settings import RefinementSettings

__all__ = ["Basis", "change_body", "relocate"]


@dataclass(frozen=True, kw_only=True)
class Basis:
    """What a suggestion rests on besides its changes."""

    skill_id: str
    version: int
    body: str
    cooldown: Cooldown
    settings: RefinementSettings
    opening: tuple[Verdict, ...]
    """Verdicts on the evidence, whatever is chosen."""
    baseline: str | None
    versions: tuple[str, ...] = ()
    metadata_changes: int = 0
    allow_missing_baseline: bool = False
    mask: Mask = str
    """What hides secrets in a text: a change that would put one into the skill cannot be chosen."""


def relocate(body: str, changes: Sequence[ProposedChange]) -> tuple[list[ProposedChange], list[Span]]:
    """The changes with the status they have beside the other chosen ones, and all their places."""
    taken = [change for change in changes if change.chosen and change.kind == "replace"]
    found = locate_changes(body, changes=[(change.original, change.suggested) for change in taken])
    by_number = {change.number: place for change, place in zip(taken, found, strict=True)}
    located = [
        replace(change, status=by_number[change.number].told, chosen=bool(by_number[change.number].spans))
        if change.number in by_number
        else change
        for change in changes
    ]
    return located, [span for place in found for span in place.spans]


def change_body(body: str, *, spans: Sequence[Span], lines: Sequence[tuple[str, str]]) -> str:
    """The body with all chosen changes."""
    after = replace_spans(body, spans=spans)
    for line, section in lines:
        after = add_lines(after, lines=[line], title=section)
    return after
