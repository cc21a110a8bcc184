"""What waits for a person: suggestions ready and held, lines to word, corrections seen in sessions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from markupsafe import Markup

from skilltune.charts.limits import meter
from skilltune.evolution.gates import Gate, Verdict
from skilltune.evolution.openings import OpenSuggestion
from skilltune.evolution.proposals import ProposedChange
from skilltune.evolution.settings import show_confidence
from skilltune.evolution.suggestions import Suggestion
from skilltune.page.diffs import gone, marked_change, new, shorten
from skilltune.page.html import Section, render, visible
from skilltune.page.refinement_summary import RefinementSummary, WaitingSkill
from skilltune.page.texts import SECOND
from skilltune.page.words import as_list, command_in, count_of, local_day, long_date, short_range

__all__ = ["waiting_section", "waiting_sentence", "waiting_state"]

State = Literal["ready", "choose", "held", ""]
SHOWN: Final = 8
"""Suggestions, and as many open ones, that are shown."""
QUOTES: Final = 2
"""Complaints of an open suggestion that are quoted."""
WORDS: Final = 3
"""Words that the complaints of one share, in its heading."""
_HELD_FIRST: Final[tuple[Gate, ...]] = (
    *("drift", "drift_after", "change", "cooldown", "baseline", "metadata"),
    *("agreement", "corrections", "sessions", "conflicts", "effect"),
)
_DIMENSIONS: Final = {
    "accuracy": "wrong content",
    "coverage": "missing parts",
    "reliability": "unreliable results",
    "efficiency": "wasted effort",
    "security": "security",
    "trigger_quality": "use at the wrong moment",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterView:
    """A meter with its words; what stands in ``value`` is strong."""

    before: str
    value: str
    after: str
    drawing: Markup | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingView:
    """One thing that waits, as it is shown."""

    skill: str
    what: str
    aside: str
    held: bool = False
    section: str = ""
    change: Markup | None = None
    more: str = ""
    told: str = ""
    """A sentence under it."""
    meters: list[MeterView]
    quotes: list[tuple[str, str]]
    """Words, and how often they were said: ``× 5``, '' for once."""
    lead: str = ""
    command: str = ""


def waiting_section(summary: RefinementSummary | None, *, time_zone: str, privacy: bool) -> Section:
    """Suggestions ready, to choose from, and held; open ones; each with the command that shows it."""
    skills = () if summary is None else summary.skills
    order: tuple[State, ...] = ("ready", "choose", "held")
    stated = [(state, skill) for state in order for skill in skills if waiting_state(skill) == state]
    openings = sorted(
        ((item, skill) for skill in skills for item in skill.openings), key=lambda pair: -pair[0].group.count
    )
    items = [_view(skill, state, privacy=privacy) for state, skill in stated[:SHOWN]]
    items += [_opening(item, skill=skill, time_zone=time_zone, privacy=privacy) for item, skill in openings[:SHOWN]]
    own = summary is None or summary.own
    items = items if own else [replace(item, lead="", command="") for item in items]
    left = len(stated[SHOWN:]) + len(openings[SHOWN:])
    return Section(
        render(
            "waiting.html.j2",
            note=_note(summary, time_zone=time_zone) if items else "Nothing changes until a person approves.",
            finding=_finding(summary),
            items=items,
            rest=_rest(left, seen=0 if summary is None else summary.candidates),
            foot=_foot(own=own) if items else "",
        ),
        bare=not any(_counts(summary).values()),
    )


def _rest(left: int, *, seen: int) -> list[str]:
    """The commands that show what is not listed."""
    lines = [f"{left} more: `skilltune refine --check`"] if left else []
    return [*lines, "Corrections seen in sessions: `skilltune feedback candidates`"] if seen else lines


def _foot(*, own: bool) -> str:
    if own:
        return "Or look at them one by one in JupyterLab: `skilltune notebook 03_review`."
    return "These are the sample’s skills, so nothing can be added to them; for your own, `skilltune refine` shows how."


def waiting_sentence(summary: RefinementSummary | None) -> str:
    """What waits, for the lede; '' for nothing."""
    counts = _counts(summary)
    parts = []
    if counts["ready"] + counts["choose"]:
        number = counts["ready"] + counts["choose"]
        parts.append(f"{count_of(number, 'suggestion')} {'waits' if number == 1 else 'wait'} for approval")
    if counts["openings"]:
        number = counts["openings"]
        noun = "group of complaints" if number == 1 else "groups of complaints"
        parts.append(f"{number} {noun} {'waits' if number == 1 else 'wait'} for a line in your words")
    return f"{as_list(parts)}" if parts else ""


def waiting_state(skill: WaitingSkill) -> State:
    """``ready``; ``choose``: a line that a person has to choose or word; ``held``; '' where nothing is proposed."""
    made, eligibility = skill.suggestion, skill.eligibility
    if eligibility is None or eligibility.corrections_needed:
        return ""
    if made is None:
        return "held" if eligibility.candidates and skill.version is None else ""
    if made.ready:
        return "ready"
    held = any(item.holds for change in made.changes for item in change.contradictions)
    choosable = any(change.choosable and not change.chosen for change in made.changes)
    if not made.chosen and choosable and {verdict.gate for verdict in made.failing} == {"effect"}:
        return "choose"
    waiting = held or choosable or made.chosen or any(_lacks_agreement(change) for change in made.changes)
    return "held" if waiting else ""


def _lacks_agreement(change: ProposedChange) -> bool:
    """Whether it is kept back by those who say otherwise, not by a person's own decision."""
    return bool(change.blocked) and not any(reason.startswith("rejected") for reason in change.blocked)


def _counts(summary: RefinementSummary | None) -> dict[str, int]:
    skills = () if summary is None else summary.skills
    states = [waiting_state(skill) for skill in skills]
    return {name: states.count(name) for name in ("ready", "choose", "held")} | {
        "openings": sum(len(skill.openings) for skill in skills),
        "candidates": 0 if summary is None else summary.candidates,
    }


def _finding(summary: RefinementSummary | None) -> str:
    counts = _counts(summary)
    ready, choose, held = counts["ready"], counts["choose"], counts["held"]
    parts = []
    if ready:
        parts.append(f"{count_of(ready, 'suggestion')} {'is' if ready == 1 else 'are'} ready")
    if choose:
        noun = f"{choose}" if parts else count_of(choose, "suggestion")
        parts.append(f"{noun} {'needs' if choose == 1 else 'need'} a choice of yours")
    if held:
        noun = f"{held}" if parts else count_of(held, "suggestion")
        parts.append(f"{noun} {'is' if held == 1 else 'are'} held")
    sentences = [f"{', '.join(parts)}."] if parts else []
    if counts["openings"]:
        number = counts["openings"]
        noun = "group of complaints waits" if number == 1 else "groups of complaints wait"
        sentences.append(f"{number} {noun} for a line in your words.")
    if counts["candidates"]:
        seen = count_of(counts["candidates"], "correction")
        sentences.append(f"{seen} seen in sessions {'waits' if counts['candidates'] == 1 else 'wait'} for a decision.")
    return " ".join(sentences) or "Nothing waits for approval."


def _note(summary: RefinementSummary | None, *, time_zone: str) -> str:
    when = ""
    if summary is not None and summary.made is not None:
        when = f" As of {long_date(local_day(summary.made, time_zone))}."
    limits = "One suggestion may change at most 20% of a skill; drift from its first text must stay under 60%."
    return f"Nothing changes until a person approves. {limits}{when}"


def _view(skill: WaitingSkill, state: State, *, privacy: bool) -> WaitingView:
    made = skill.suggestion
    command = command_in("refine", skill.skill_id, folder=skill.folder, privacy=privacy)
    if made is None:
        return WaitingView(
            skill=skill.skill_id, what="held", aside="its file is not on this machine", held=True, meters=[], quotes=[]
        )
    if state == "held":
        what = f"{_step(skill)}held"
        return WaitingView(
            skill=skill.skill_id,
            what=what,
            aside=_held_words(made),
            held=True,
            meters=[],
            quotes=[],
            lead="Every gate, and what would help:",
            command=command,
        )
    shown = [change for change in made.changes if change.chosen or (state == "choose" and change.choosable)]
    number = count_of(len(shown), "change") if state == "ready" else f"{count_of(len(shown), 'line')} to choose or word"
    return WaitingView(
        skill=skill.skill_id,
        what=f"{_step(skill)}{number}",
        aside=_resting_on(shown),
        section="" if privacy else shorten(shown[0].section, most=80),
        change=None if privacy else _change(shown[0]),
        more=f"and {count_of(len(shown) - 1, 'more change', 'more changes')}" if len(shown) > 1 and not privacy else "",
        meters=_meters(made) if state == "ready" else [],
        quotes=[],
        lead="Look at it, and decide:",
        command=command,
    )


def _step(skill: WaitingSkill) -> str:
    """``v3 → v4 · ``; '' where no audit log names its texts yet."""
    return f"v{skill.version} → v{skill.version + 1} · " if skill.version and _is_named(skill) else ""


def _is_named(skill: WaitingSkill) -> bool:
    """Whether the text on this machine has a number that the rest of the page calls it by."""
    return skill.version is not None and skill.numbered and skill.version >= SECOND


def _resting_on(changes: list[ProposedChange]) -> str:
    corrections = {id_ for change in changes for id_ in change.correction_ids}
    sessions = {session for change in changes for session in change.sessions}
    return f"from {count_of(len(corrections), 'correction')} in {count_of(len(sessions), 'session')}"


def _change(change: ProposedChange) -> Markup:
    if change.kind == "append":
        return new(change.line) if change.line else Markup(" ").join([gone(change.original), new(change.suggested)])
    return marked_change(change.original, change.suggested)


def _meters(made: Suggestion) -> list[MeterView]:
    settings = made.basis.settings
    limit = settings.max_change_percent
    views = [
        MeterView(
            drawing=meter(made.change_percent, limit=limit, text=f"changes {made.change_percent}%, limit {limit:g}%"),
            before="changes ",
            value=f"{made.change_percent}%",
            after=f", limit {limit:g}%",
        )
    ]
    drift = made.drift
    if drift.percent is not None and drift.projected_percent is not None:
        now, then, most = f"{drift.percent:.1f}%", f"{drift.projected_percent:.1f}%", f"{drift.limit_percent:g}%"
        drawing = meter(
            drift.percent,
            limit=drift.limit_percent,
            projected=drift.projected_percent,
            text=f"drift {now} now, {then} afterwards, limit {most}",
        )
        views.append(MeterView(drawing=drawing, before=f"drift {now} → ", value=then, after=f", limit {most}"))
    if made.confidence is not None:
        least = show_confidence(made.confidence, threshold=settings.threshold)
        needs = f", needs {float(settings.threshold):.2f}"
        views.append(MeterView(before="least agreement ", value=least, after=needs))
    return views


def _held_words(made: Suggestion) -> str:
    """Why a suggestion is held, the gravest reason first."""
    if not made.chosen and any(item.holds for change in made.changes for item in change.contradictions):
        return "see the conflict above"
    failing = {verdict.gate: verdict for verdict in made.failing}
    first = next((failing[gate] for gate in _HELD_FIRST if gate in failing and gate not in _BY_CHANGE), None)
    if first is not None:
        return _reason(first, made)
    blocked = [reason for change in made.changes for reason in change.blocked]
    return blocked[0] if blocked else "nothing in it would change the skill"


_BY_CHANGE: Final = ("effect", "agreement")
"""Gates that the changes themselves tell better."""


def _reason(verdict: Verdict, made: Suggestion) -> str:
    limits = {
        "drift": f"has drifted {verdict.value}, limit {made.drift.limit_percent:g}%",
        "drift_after": f"would drift {verdict.value}, limit {made.drift.limit_percent:g}%",
        "change": f"would change {verdict.value}, limit {made.basis.settings.max_change_percent:g}%",
        "cooldown": f"in cooldown, {count_of(made.basis.cooldown.days_remaining, 'day')} remaining",
        "baseline": "its first text is not known",
        "agreement": f"agreement {verdict.value}, needs {float(made.basis.settings.threshold):.2f}",
    }
    return limits.get(verdict.gate, f"{verdict.gate.replace('_', ' ')}: {verdict.value}, {verdict.threshold}")


def _opening(item: OpenSuggestion, *, skill: WaitingSkill, time_zone: str, privacy: bool) -> WaitingView:
    group = item.group
    days = sorted(local_day(one.timestamp, time_zone) for one in group.complaints if one.timestamp)
    about = _about(item, privacy=privacy)
    told: dict[str, Any] = {"told": "", "quotes": []}
    if not privacy:
        section = f"Its section “{visible(shorten(item.section, most=80))}” speaks of it." if item.section else ""
        told = {"told": section, "quotes": _quotes(item.quotes)}
    installed = skill.version is not None
    version = f"v{skill.version} · " if _is_named(skill) else ""
    return WaitingView(
        skill=item.skill_id,
        what=f"{version}{count_of(group.count, 'complaint')} about {about}",
        aside=", ".join(
            [f"in {count_of(len(group.sessions), 'session')}", *([short_range(days[0], days[-1])] if days else [])]
        ),
        meters=[],
        lead="Word one line for the skill:"
        if installed
        else "Its file is not on this machine, so no line can be added.",
        command=command_in("refine", item.skill_id, folder=skill.folder, privacy=privacy) if installed else "",
        **told,
    )


def _quotes(texts: Sequence[str]) -> list[tuple[str, str]]:
    """The last complaints, each with how often it was said where that is more than once."""
    times: dict[str, int] = {}
    for text in reversed([" ".join(text.split()) for text in texts if text.strip()]):
        times[text] = times.get(text, 0) + 1
    shown = list(times.items())[:QUOTES]
    return [(shorten(text, most=200), f"× {count:,}" if count > 1 else "") for text, count in reversed(shown)]


def _about(item: OpenSuggestion, *, privacy: bool) -> str:
    """``missing parts: “totals”``: of what kind the complaints are, and the words that all of them share."""
    kind = _DIMENSIONS.get(item.group.dimension, "")
    words = "" if privacy else as_list([f"“{shorten(word, most=40)}”" for word in item.group.shared[:WORDS]])
    return f"{kind}: {words}" if kind and words else words or kind or "the same"
