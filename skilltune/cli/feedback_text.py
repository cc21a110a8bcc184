"""What the commands over the feedback ledger print."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from skilltune.rendering.eligibility import iso_date
from skilltune.rendering.terminal import NAME_CHARS, command, count_words, cut, finished, fitted, safe, titled, wrapped
from skilltune.stores.ledger import LedgerContents, LedgerEvent

__all__ = ["event_dict", "history_text", "overview_text", "replay_text", "sessions_text", "verified_text"]

TEXT_CHARS: Final = 240
SESSIONS: Final = 20
_NAME: Final = 32
_KINDS: Final = ("correction", "override", "rating")
_HANGING: Final = " " * 15


def history_text(
    events: Sequence[LedgerEvent],
    *,
    skill_id: str,
    retracted: Collection[str] = (),
    ids: bool = False,
    width: int = 80,
    unicode: bool = True,
) -> str:
    """The recorded feedback on one skill: corrections, overrides, ratings with their average.

    Parameters
    ----------
    events
        In the order to show them.
    skill_id
        The skill.
    retracted
        Ids of those that were taken back; they are told, and not counted.
    ids
        Whether to tell the ids, which ``feedback retract`` needs.
    width, unicode
        As in `render_metrics`.
    """
    lines = titled(f"Feedback History: {cut(skill_id, NAME_CHARS)}")
    standing = [event for event in events if event.id not in retracted and event.type != "retract"]
    lines += [f"Total events: {len(standing)} ({_counts(standing)})", ""]
    for kind, heading in zip(_KINDS, ("Corrections:", "Overrides:", "Ratings:"), strict=True):
        own = [event for event in events if event.type == kind]
        lines += [heading] if own else []
        for event in own:
            gone = " (taken back)" if event.id in retracted else ""
            told = f"[{iso_date(event.timestamp)}] {_words(event)}{gone}"
            lines += wrapped(told, width, indent="  ", hanging=_HANGING)
            lines += [f"{_HANGING}{cut(event.id, NAME_CHARS)}"] if ids else []
        scores = [event.score for event in own if event.score is not None and event.id not in retracted]
        lines += [f"  Average rating: {sum(scores) / len(scores):.1f}/5"] if scores else []
    taken_back = sum(event.id in retracted for event in events)
    lines += ["", f"{count_words(taken_back, 'event')} taken back."] if taken_back else []
    lines += [] if events else [f"Next: {command('feedback', 'record', 'correction', skill_id)} --help"]
    return finished(lines, unicode=unicode).rstrip("\n")


def overview_text(events: Sequence[LedgerEvent], *, width: int = 80, unicode: bool = True) -> str:
    """A line a skill, those with the most corrections first."""
    if not events:
        told = "Nothing is recorded yet. Record what you changed in what a skill made:"
        call = command("feedback", "record", "correction", "SKILL", "--original", "BEFORE", "--corrected", "AFTER")
        return "\n".join([*wrapped(told, width), call])
    by_skill: dict[str, Counter[str]] = {}
    for event in events:
        by_skill.setdefault(event.skill_id, Counter())[event.type] += 1
    lines = [f"{count_words(len(events), 'event')} on {count_words(len(by_skill), 'skill')}.", ""]
    lines.append(f"{'skill':{_NAME}}  corrections  overrides  ratings")
    lines += [
        f"{fitted(name, _NAME)}  {counts['correction']:>11,}  {counts['override']:>9,}  {counts['rating']:>7,}"
        for name, counts in sorted(by_skill.items(), key=lambda item: (-item[1]["correction"], item[0]))
    ]
    return finished(lines, unicode=unicode)


def replay_text(events: Sequence[LedgerEvent], *, session_id: str, width: int = 80, unicode: bool = True) -> str:
    """What was recorded in one session, in order."""
    lines = [f"Session {cut(session_id, NAME_CHARS)}: {count_words(len(events), 'event')} ({_counts(events)})", ""]
    for event in events:
        told = f"{cut(event.skill_id, NAME_CHARS)}: {_words(event)}"
        lines += wrapped(f"{event.timestamp:%Y-%m-%d %H:%M} {told}", width, indent="  ", hanging=" " * 19)
    return finished(lines, unicode=unicode)


def sessions_text(counts: Mapping[str, int], *, width: int = 80, unicode: bool = True) -> str:
    """The sessions with the most corrections, for a look whether the skill was wrong, or the task."""
    if not counts:
        return "No correction is recorded yet."
    lines = [
        *wrapped("Sessions with the most corrections; was the skill wrong, or its task?", width),
        "",
    ]
    lines += [f"{count:>6,}  {cut(session, 60)}" for session, count in list(counts.items())[:SESSIONS]]
    lines += [f"        and {len(counts) - SESSIONS:,} more"] if len(counts) > SESSIONS else []
    return finished([*lines, "", f"Next: {command('feedback', 'replay', next(iter(counts)))}"], unicode=unicode)


def verified_text(contents: LedgerContents, *, path: str, width: int = 80) -> str:
    """The lines of a ledger that are not in order, and what was and was not looked at."""
    lines = [f"{count_words(len(contents.events), 'event')} in {safe(path)}"]
    lines += [f"{safe(path)}:{item.line}: {safe(item.reason.replace('_', ' '))}" for item in contents.problems]
    lines += [""] if contents.problems else ["Every line can be read."]
    lines += [f"Next: {command('feedback', 'repair')}", ""] if contents.problems else [""]
    lines += [line for text in (_CHECKED, _NOT_CHECKED) for line in wrapped(text, width)]
    return "\n".join([*lines, f"  {command('audit', 'verify')}"])


_CHECKED: Final = (
    "Checked: each line is a JSON object of a known type, with a skill, a session, a time, and fields of their kind."
)
_NOT_CHECKED: Final = (
    "Not checked: whether a line was edited or taken out. Other tools write this file, too, so it has no chain; what "
    "was done to skills has one:"
)


def event_dict(event: LedgerEvent, *, retracted: bool = False) -> dict[str, Any]:
    """An event for programs."""
    own: dict[str, dict[str, Any]] = {
        "correction": {
            "original": event.original,
            "corrected": event.corrected,
            "formatting_only": event.formatting_only,
        },
        "override": {"rejected": event.rejected, "reason": event.reason},
        "rating": {"score": event.score},
        "retract": {"target": event.target, "reason": event.reason, "by": event.by},
    }
    return {
        "id": event.id,
        "type": event.type,
        "skill_id": event.skill_id,
        "session_id": event.session_id,
        "timestamp": event.timestamp.isoformat(),
        **own[event.type],
        "retracted": retracted,
    }


def _counts(events: Sequence[LedgerEvent]) -> str:
    found = Counter(event.type for event in events)
    return ", ".join(count_words(found[kind], kind) for kind in _KINDS)


def _words(event: LedgerEvent) -> str:
    if event.type == "correction":
        note = " (white space only)" if event.formatting_only else ""
        return f"{_quoted(event.original)} -> {_quoted(event.corrected)}{note}"
    if event.type == "override":
        of = f": {_quoted(event.rejected)}" if event.reason and event.rejected else ""
        return f"Rejected — {_quoted(event.reason or event.rejected)}{of}"
    return f"Score: {event.score or 0:g}/5"


def _quoted(text: str | None) -> str:
    return "(not kept)" if text is None else f'"{cut(text, TEXT_CHARS)}"'
