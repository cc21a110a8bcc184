"""What waits for a person as tables that need no front end: suggestions, open suggestions, contradictions, history."""

from collections.abc import Container, Iterator, Sequence
from typing import Final

from markupsafe import Markup

from skilltune.evolution.suggestions import Suggestion
from skilltune.page.words import count_of
from skilltune.refining.records import Version
from skilltune.refining.state import SkillState
from skilltune.stores.ledger_rows import parse_moment
from skilltune.widgets.approval_items import Group, Key, Queue, Waiting
from skilltune.widgets.approval_views import finding_view
from skilltune.widgets.approval_words import day_and_time, decision_words, held_words, version_words
from skilltune.widgets.safe_text import readable_lines
from skilltune.widgets.word_diff import after_side, before_side, drawn

__all__ = [
    "GROUPS",
    "REFUSED",
    "findings_view",
    "head_view",
    "history_view",
    "item_words",
    "lead_words",
    "queue_text",
    "queue_view",
    "then_words",
    "waiting_view",
]

GROUPS: Final[dict[Group, str]] = {
    "ready": "Ready",
    "open": "Waits for your words",
    "held": "Held",
    "detected": "Detected, to be confirmed",
    "settled": "Nothing waits",
}
"""Headings of the queue, in its order."""
REFUSED: Final = "✕ "
"""Before what is held, and why."""
_OPEN: Final = "Nothing can be decided in this table: the approval panel is for that, in JupyterLab."
_NOTHING: Final = "Nothing waits for a decision."


def queue_text(queue: Queue) -> str:
    """How many wait, in a sentence."""
    ready, opened, held, seen = (queue.count(group) for group in ("ready", "open", "held", "detected"))
    counts = ((opened, "to be worded"), (held, "held"), (seen, "to be confirmed"))
    rest = " · ".join(f"{count} {word}" for count, word in counts if count)
    waits = f"{count_of(ready, 'suggestion waits', 'suggestions wait')} for a decision" if ready else ""
    return f"{waits or 'No suggestion is ready'}{f' ({rest})' if rest else ''}." if waits or rest else _NOTHING


def item_words(item: Waiting, *, suggestion: Suggestion | None = None) -> str:
    """The second line of an item in the queue."""
    found = suggestion or item.suggestion
    if item.key.detected:
        return count_of(len(item.candidates), "correction from edits", "corrections from edits")
    if item.group == "settled" or (found is None and item.opening is None):
        last = decision_words(item.decided, at=item.decided_at) if item.decided else "nothing decided yet"
        return f"now v{item.state.version} · {last}"
    if item.opening is not None and (found is None or not found.ready):
        group = item.opening.group
        return f"{count_of(group.count, 'complaint')}, {count_of(len(group.sessions), 'session')}"
    if found is None or not found.ready:
        return "choose a change" if item.group == "open" else f"{REFUSED}{held_words(found, findings=item.findings)}"
    drift = found.drift.projected_percent
    parts = [count_of(len(found.chosen), "change"), f"{found.change_percent}%"]
    parts += [f"drift {drift:.1f}%"] if drift is not None else []
    deferred = item.decided is not None and item.decided.get("type") == "defer"
    return " · ".join([*parts, "deferred"] if deferred else parts)


def head_view(queue: Queue, *, decided: Container[Key]) -> Markup:
    """The panel's head: what waits, less what was decided in it; what cannot be read."""
    waits, opened, held = (queue.count(group, less=decided) for group in ("ready", "open", "held"))
    detected = queue.count("detected", less=decided)
    told = f"{count_of(waits, 'suggestion waits', 'suggestions wait')} for a decision"
    if not waits:
        told = "No suggestion is ready" if opened or held or detected else "Nothing waits for a decision"
    rest = [f"{held} held" if held else "", f"{opened} to be worded" if opened else ""]
    rest += [f"{detected} to be confirmed"] if detected else []
    problems = Markup("").join(
        Markup('<p class="stw-sample">{}</p>').format(readable_lines(each)) for each in queue.problems
    )
    return Markup('<div class="stw-head"><h2>{}</h2><p>{}</p></div>{}').format(
        told, " · ".join(filter(None, rest)), problems
    )


def lead_words(item: Waiting, found: Suggestion | None, *, decided: bool, applied: bool) -> str:
    """What would come of the item, or why nothing can, in a sentence."""
    if item.key.detected:
        return "Sessions show these corrections. None counts before you accept it for this skill."
    if found is not None and found.chosen and (decided or found.ready):
        return f"{'Changed' if applied else 'Would change'} {found.change_percent}% of the skill."
    if item.opening is not None and found is None:
        return "People complain; word the line that would help."
    if item.group == "open" and item.opening is None:
        return "Nothing is ticked yet: these corrections stand nowhere in the skill’s own text."
    last = f" Last: {decision_words(item.decided, at=item.decided_at)}." if item.decided else ""
    if item.group == "settled":
        return f"Nothing waits for a decision.{last}"
    return f"Held: {held_words(found, findings=item.findings)}.{last}"


def then_words(item: Waiting | None) -> str:
    """What a rejection means."""
    if item is None or not item.suggestion or item.group != "ready":
        return ""
    new = count_of(item.suggestion.basis.settings.rejected_memory, "new correction")
    return f"Rejected: not proposed again before {new}"


def queue_view(queue: Queue) -> Markup:
    """All items as a table, with the sentence above, and where to decide; it is shown in JupyterLab, too."""
    rows = [(item.skill_id, GROUPS[item.group].lower(), item_words(item).removeprefix(REFUSED)) for item in queue.items]
    table = table_of("What waits", ("skill", "state", "what"), rows) if rows else Markup("")
    problems = Markup("").join(
        Markup('<p class="stw-note">{}</p>').format(readable_lines(each)) for each in queue.problems
    )
    return finding_of(queue_text(queue), _OPEN) + table + problems


def waiting_view(queue: Queue) -> Markup:
    """Every change that is proposed or detected, with its words, its count and what speaks against it."""
    rows = [row for item in queue.items for row in _proposed(item)]
    if not rows:
        return finding_of("No correction repeats, and no complaint does: nothing is suggested.")
    heads = Markup("").join(
        Markup('<th scope="col">{}</th>').format(head) for head in ("skill", "now", "suggested", "from", "state")
    )
    return finding_of(f"{count_of(len(rows), 'change is', 'changes are')} proposed or detected.") + Markup(
        '<table class="stw-table stw-proposed"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>'
    ).format(heads, Markup("").join(rows))


def _proposed(item: Waiting) -> Iterator[Markup]:
    """A row for each change of an item."""
    for change in item.suggestion.changes if item.suggestion else ():
        state = "; ".join(change.blocked) or ("ticked" if change.chosen else change.status.replace("_", " "))
        runs = drawn(change.original, change.suggested)
        agree = f"{change.count} of {change.rivals} agree"
        yield _proposed_row(item, before_side(runs), after_side(runs), agree, state)
    if item.opening is not None:
        group = item.opening.group
        told = count_of(len(group.sessions), "session")
        yield _proposed_row(item, readable_lines(item.opening.heading), "a line in your words", told, "to be worded")
    for candidate in item.candidates:
        runs = drawn(candidate.original or "", candidate.corrected or "")
        told = count_of(len(candidate.sessions), "session")
        yield _proposed_row(item, before_side(runs), after_side(runs), told, "to be confirmed")


def _proposed_row(item: Waiting, now: str, suggested: str, origin: str, state: str) -> Markup:
    return Markup(
        '<tr><th scope="row">{}</th><td data-head="now">{}</td><td data-head="suggested">{}</td>'
        '<td data-head="from">{}</td><td data-head="state">{}</td></tr>'
    ).format(readable_lines(item.skill_id), now, suggested, origin, readable_lines(state))


def findings_view(queue: Queue) -> Markup:
    """The contradictions of all skills in the queue."""
    found = [(item.skill_id, finding) for item in queue.items for finding in item.findings]
    if not found:
        return finding_of("No correction contradicts another.")
    conflicts = sum(finding.holds for _, finding in found)
    told = (
        f"{count_of(len(found), 'contradiction')}, {conflicts} of them {'holds' if conflicts == 1 else 'hold'} changes."
    )
    shown = [
        Markup('<div class="stw-found"><b>{}</b>{}</div>').format(readable_lines(skill), finding_view(finding))
        for skill, finding in found
    ]
    return finding_of(told) + Markup("").join(shown)


def history_view(states: Sequence[SkillState]) -> Markup:
    """Every version and act of skills, the last first."""
    rows: list[tuple[str, ...]] = []
    for state in states:
        seen: dict[object, Version] = {version.number: version for version in state.record.versions}
        for entry in reversed(state.record.entries):
            kind = str(entry.get("type"))
            version = entry.get("version")
            what = version_words(kind, to=entry.get("toVersion")) if version in seen else kind.replace("_", " ")
            percent = entry.get("changePercent")
            rows.append(
                (
                    state.skill_id,
                    f"v{version}" if version in seen else "",
                    what,
                    day_and_time(parse_moment(entry.get("timestamp"))),
                    f"{percent:g}%" if isinstance(percent, int | float) else "",
                    str(entry.get("by") or ""),
                    str(entry.get("note") or ""),
                    str(entry.get("seq") or ""),
                )
            )
    if not rows:
        return finding_of("Nothing was done to a skill yet.")
    told = "Any version can be put back byte for byte: in the panel, under its drift, or with skilltune rollback SKILL."
    heads = ("skill", "version", "what", "when", "change", "by", "note", "entry")
    return finding_of(count_of(len(rows), "act") + " in the audit log.", told) + table_of(
        "History, the last first", heads, rows
    )


def finding_of(sentence: str, evidence: str = "") -> Markup:
    """A sentence, and what it rests on."""
    told = Markup('<p class="stw-finding">{}</p>').format(sentence)
    return told + Markup('<p class="stw-evidence">{}</p>').format(evidence) if evidence else told


def table_of(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    """A table of texts; each is made visible and escaped."""
    top = Markup("").join(Markup('<th scope="col">{}</th>').format(head) for head in heads)
    body = Markup("").join(
        Markup('<tr><th scope="row">{}</th>{}</tr>').format(
            readable_lines(first),
            Markup("").join(
                Markup('<td data-head="{}">{}</td>').format(head, readable_lines(value))
                for head, value in zip(heads[1:], rest, strict=True)
            ),
        )
        for first, *rest in rows
    )
    return Markup(
        '<table class="stw-table"><caption>{}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table>'
    ).format(caption, top, body)
