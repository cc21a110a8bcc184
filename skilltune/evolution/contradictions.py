"""Corrections of a skill that work against each other: what they are, how grave, what to do.

A conflict (a reversal, a cycle) holds the changes it touches; a warning is shown with them. Corrections that say the
same never contradict each other. Reversals in other words are not seen.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from skilltune.evolution.corrections import Correction, SameCorrections, in_time_order
from skilltune.evolution.cycles import find_cycles
from skilltune.evolution.opposed import (
    Group,
    compared_pair,
    find_groups,
    find_hunk_reversals,
    find_partials,
    find_reversals,
)

__all__ = ["ADVICE", "BLIND_SPOT", "Contradiction", "Contradictions", "Kind", "Side", "find_contradictions"]

Kind = Literal["reversal", "cycle", "divergence", "hunk_reversal", "partial"]

ADVICE: Final[Mapping[Kind, tuple[str, ...]]] = {
    "reversal": (
        "retract the side that no longer holds",
        "add the context in which each side holds as a trigger",
        "split the skill, if both hold for different work",
    ),
    "cycle": (
        "decide on one of the texts and retract the corrections that lead away from it",
        "rewrite the instruction with a condition that says when each text holds",
    ),
    "divergence": (
        "rewrite the instruction with a condition that says which text is meant when",
        "retract the targets that no longer hold",
    ),
    "hunk_reversal": (
        "say in the instruction when the words belong there and when not",
        "retract the side that no longer holds",
    ),
    "partial": (
        "rewrite the instruction with a condition for the longer form",
        "retract the side that no longer holds",
    ),
}
"""What to do about each kind, the first first."""

BLIND_SPOT: Final = "Reversals in other words are not seen; read the recorded feedback of the skill for those."

_CONFLICTS: Final = ("reversal", "cycle")
_ORDER: Final[tuple[Kind, ...]] = ("reversal", "cycle", "divergence", "partial", "hunk_reversal")


@dataclass(frozen=True)
class Side(SameCorrections):
    """One group of corrections that say the same, in a contradiction."""

    original: str
    corrected: str
    corrections: tuple[Correction, ...]
    """In time order."""
    place: int
    """Its number by first appearance among the skill's groups, from 0."""


@dataclass(frozen=True)
class Contradiction:
    """Groups of corrections that work against each other, the earliest first."""

    kind: Kind
    sides: tuple[Side, ...]
    released: bool = False
    """A person decided to keep all sides: it holds nothing."""

    @property
    def severity(self) -> Literal["conflict", "warning"]:
        """``conflict`` for a reversal or cycle."""
        return "conflict" if self.kind in _CONFLICTS else "warning"

    @property
    def holds(self) -> bool:
        """Whether it keeps the changes it touches from being suggested."""
        return self.severity == "conflict" and not self.released

    @property
    def advice(self) -> tuple[str, ...]:
        """What to do about it, the first first."""
        return ADVICE[self.kind]

    @cached_property
    def id(self) -> str:
        """16 hex digits of a hash of its kind and texts: the same in every run, another when a side is added."""
        pairs = sorted(compared_pair(side.original, side.corrected) or ("", "") for side in self.sides)
        text = "\n".join([self.kind, *(f"{len(old)} {old}{new}" for old, new in pairs)])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True)
class Contradictions:
    """All contradictions of a skill, conflicts first, then by first appearance."""

    findings: tuple[Contradiction, ...]
    analyzed: int
    """Corrections that were looked at."""

    @property
    def has_conflicts(self) -> bool:
        """Whether any is a conflict that nobody released."""
        return any(finding.holds for finding in self.findings)

    @property
    def conflicts(self) -> int:
        """How many are conflicts, released ones among them."""
        return sum(finding.severity == "conflict" for finding in self.findings)

    @property
    def summary(self) -> str:
        """One line."""
        if not self.findings:
            return "No contradictions detected"
        warnings = len(self.findings) - self.conflicts
        return f"Found {len(self.findings)} contradiction(s): {self.conflicts} conflict(s), {warnings} warning(s)"

    def touching(self, original: str, corrected: str) -> tuple[Contradiction, ...]:
        """The findings in which the change of `original` to `corrected` is a side."""
        pair = compared_pair(original, corrected)
        return tuple(self.findings[at] for at in self._by_pair.get(pair, ())) if pair else ()

    @cached_property
    def _by_pair(self) -> dict[tuple[str, str], list[int]]:
        found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for at, finding in enumerate(self.findings):
            for side in finding.sides:
                if pair := compared_pair(side.original, side.corrected):
                    found[pair].append(at)
        return dict(found)


def find_contradictions(
    corrections: Iterable[Correction], *, retracted: Collection[str] = (), released: Collection[str] = ()
) -> Contradictions:
    """The contradictions among the corrections of one skill.

    Parameters
    ----------
    corrections
        All of one skill: those that a refinement used up count too, empty sides as well; where a text is missing the
        correction is passed over.
    retracted
        Ids of corrections that were taken back.
    released
        Ids of contradictions of which a person keeps all sides.

    Returns
    -------
    Contradictions
        Reversal (a→b, b→a) and cycle (a→b→c→a, one finding) are conflicts. Divergence (a→b, a→c: one finding an
        original), partial (each original stands in the other's target, one grows, one shrinks) and hunk reversal (one
        adds exactly the words the other removes) are warnings. A pair of groups is in one finding, the gravest; where
        very many pairs share their words they are one finding with all groups.

    Notes
    -----
    Near-linear in the corrections: hash joins and one index of pieces, never all pairs.
    """
    counted = [item for item in in_time_order(corrections) if item.id not in retracted]
    groups = find_groups(counted)
    found: list[tuple[Kind, list[Group]]] = [("reversal", pair) for pair in find_reversals(groups)]
    cycles = _cycles(groups)
    found += [("cycle", cycle) for cycle in cycles]
    found += [("divergence", targets) for targets in _divergences(groups)]
    in_cycle = {group.place: at for at, cycle in enumerate(cycles) for group in cycle}
    told: set[tuple[int, int]] = set()

    def is_told(one: Group, other: Group) -> bool:
        """Whether another finding, of a graver kind, has both groups."""
        pair = (min(one.place, other.place), max(one.place, other.place))
        same_cycle = one.place in in_cycle and in_cycle[one.place] == in_cycle.get(other.place)
        reversed_pair = one.original == other.target and one.target == other.original
        return one.original == other.original or reversed_pair or same_cycle or pair in told

    partials = find_partials(groups, taken=is_told)
    told |= {(rows[0].place, rows[1].place) for rows in partials if len(rows) == 2}
    found += [("partial", rows) for rows in partials]
    found += [("hunk_reversal", rows) for rows in _each_once(find_hunk_reversals(groups, taken=is_told))]
    return Contradictions(_findings(found, released=frozenset(released)), len(counted))


def _cycles(groups: Sequence[Group]) -> list[list[Group]]:
    numbers: dict[str, int] = {}
    for group in groups:
        for text in (group.original, group.target):
            numbers.setdefault(text, len(numbers))
    arrows = [(numbers[group.original], numbers[group.target]) for group in groups]
    return [[groups[at] for at in cycle] for cycle in find_cycles(arrows)]


def _divergences(groups: Iterable[Group]) -> list[list[Group]]:
    of_original: defaultdict[str, list[Group]] = defaultdict(list)
    for group in groups:
        of_original[group.original].append(group)
    return [targets for targets in of_original.values() if len(targets) > 1]


def _each_once(rows: Iterable[list[Group]]) -> list[list[Group]]:
    """A pair that adds and removes both ways is one row."""
    return list({tuple(group.place for group in row): row for row in rows}.values())


def _findings(found: Iterable[tuple[Kind, list[Group]]], *, released: frozenset[str]) -> tuple[Contradiction, ...]:
    sides: dict[int, Side] = {}
    findings = []
    for kind, groups in found:
        for group in groups:
            if group.place not in sides:
                sides[group.place] = _side(group)
        finding = Contradiction(kind, tuple(sides[group.place] for group in groups))
        findings.append(Contradiction(kind, finding.sides, released=True) if finding.id in released else finding)
    return tuple(sorted(findings, key=_rank))


def _rank(finding: Contradiction) -> tuple[int, tuple[int, ...]]:
    return _ORDER.index(finding.kind), tuple(side.place for side in finding.sides)


def _side(group: Group) -> Side:
    first = group.members[0]
    return Side(first.original or "", first.corrected or "", tuple(group.members), group.place)
