"""Contradictions: people ask the same skill for opposite things."""

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from skilltune.evolution.contradictions import BLIND_SPOT, Contradiction, Kind, Side
from skilltune.page.diffs import gone, new, shorten
from skilltune.page.html import Section, render
from skilltune.page.refinement_summary import RefinementSummary, WaitingSkill
from skilltune.page.words import as_list, command_in, count_of, local_day, short_date, short_range

__all__ = ["contradictions_section"]

SHOWN: Final = 8
"""Contradictions that are shown; conflicts first."""
NOTE: Final = "People ask the same skill for opposite things. A conflict holds a change back until someone settles it."
TARGETS: Final = 4
"""Sides of one contradiction that are shown."""
_NAMES: Final[dict[Kind, str]] = {
    "reversal": "reversal",
    "cycle": "cycle",
    "divergence": "divergence",
    "partial": "one lengthens what the other shortens",
    "hunk_reversal": "one adds the words that the other removes",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """One side as it is shown."""

    before: Markup
    after: Markup
    times: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionView:
    """One contradiction as it is shown."""

    skill: str
    what: str
    counts: str
    conflict: bool
    sides: list[SideView]
    sentence: str
    advice: str
    command: str


def contradictions_section(summary: RefinementSummary | None, *, time_zone: str, privacy: bool) -> Section:
    """Conflicts with both their sides, warnings with a sentence each; without any one line."""
    found = [(skill, item) for skill in _skills(summary) for item in skill.contradictions.findings]
    found.sort(key=lambda pair: (not pair[1].holds, pair[1].severity != "conflict"))
    hidden = {
        command_in("contradictions", skill.skill_id, folder=skill.folder, privacy=privacy) for skill, _ in found[SHOWN:]
    }
    return Section(
        render(
            "contradictions.html.j2",
            note=NOTE if found else "",
            finding=_finding(summary, [item for _, item in found]),
            items=[_view(skill, item, time_zone=time_zone, privacy=privacy) for skill, item in found[:SHOWN]],
            rest=f"{len(found) - SHOWN} more: " if found[SHOWN:] else "",
            rest_commands=sorted(hidden)[:SHOWN],
            foot=BLIND_SPOT if found else "",
        ),
        bare=not found and (summary is None or not summary.corrections),
    )


def _skills(summary: RefinementSummary | None) -> tuple[WaitingSkill, ...]:
    return () if summary is None else summary.skills


def _finding(summary: RefinementSummary | None, found: list[Contradiction]) -> str:
    if not found:
        corrections = 0 if summary is None else summary.corrections
        if not corrections:
            return "No corrections are recorded, so none contradict each other."
        return f"None among {count_of(corrections, 'recorded correction')}."
    conflicts = sum(item.severity == "conflict" for item in found)
    parts = [count_of(conflicts, "conflict")] if conflicts else []
    parts += [count_of(len(found) - conflicts, "warning")] if len(found) > conflicts else []
    return f"{as_list(parts)}."


def _view(skill: WaitingSkill, item: Contradiction, *, time_zone: str, privacy: bool) -> ContradictionView:
    members = [one for side in item.sides for one in side.corrections]
    sessions = len({one.session_id for one in members})
    days = sorted(local_day(one.timestamp, time_zone) for one in members if one.timestamp)
    span = [short_range(days[0], days[-1])] if days else []
    counts = [count_of(len(members), "correction"), count_of(sessions, "session"), *span]
    conflict = item.severity == "conflict"
    return ContradictionView(
        skill=skill.skill_id,
        what=f"{item.severity}, {_NAMES[item.kind]}",
        counts=", ".join(counts),
        conflict=conflict,
        sides=[_side(side, time_zone=time_zone) for side in item.sides[:TARGETS]] if conflict and not privacy else [],
        sentence="" if conflict or privacy else _sentence(item),
        advice=_advice(item),
        command=command_in("contradictions", skill.skill_id, folder=skill.folder, privacy=privacy),
    )


def _side(side: Side, *, time_zone: str) -> SideView:
    last = f", last on {short_date(local_day(side.last_seen, time_zone))}" if side.last_seen else ""
    times = "once" if side.count == 1 else f"{side.count} times"
    return SideView(before=gone(side.original), after=new(side.corrected), times=f"{times}{last}")


def _sentence(item: Contradiction) -> str:
    """A warning in words: what was corrected to what, how often."""
    if item.kind == "divergence":
        targets = [f"{_quoted(side.corrected)} {_times(side.count)}" for side in item.sides[:TARGETS]]
        left = len(item.sides) - TARGETS
        more = [f"to {count_of(left, 'other text')}"] if left > 0 else []
        return f"{_quoted(item.sides[0].original)} was corrected to {as_list([*targets, *more])}."
    changes = [
        f"{_quoted(side.original)} was corrected to {_quoted(side.corrected)} {_times(side.count)}"
        for side in item.sides[:2]
    ]
    rest = f"; {len(item.sides) - 2} more say the like" if len(item.sides) > 2 else ""
    return f"{', and '.join(changes)}{rest}."


def _advice(item: Contradiction) -> str:
    if item.released:
        return "A person keeps all sides: it holds nothing."
    told = "; or ".join(item.advice)
    return f"{'Held. ' if item.holds else ''}{told[0].upper()}{told[1:]}:"


def _quoted(text: str) -> str:
    return f"“{shorten(text, most=90)}”" if text.strip() else "nothing"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
