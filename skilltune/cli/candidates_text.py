"""What ``feedback candidates`` prints."""

from collections.abc import Iterator
from typing import Any, Final

from skilltune.evolution.candidates import Candidate
from skilltune.evolution.complaints import ComplaintGroup
from skilltune.refining.candidates import CandidateQueue
from skilltune.rendering.terminal import columns, command, count_words, cut, finished, fitted, painter, visible, wrapped
from skilltune.stores.names import mask_name

__all__ = ["queue_row", "queue_text"]

_LINES: Final = 8
"""Lines of a text, and quotes of a group, that are shown."""
_TEXT_CHARS: Final = 160
_NAME_CHARS: Final = 100
_INDENT: Final = " " * 4
_KINDS: Final = {"modified": "changed proposal", "re_edit": "edited again", "revert": "taken back"}


def queue_text(queue: CandidateQueue, *, width: int = 80, color: bool = False, unicode: bool = True) -> str:
    """What waits for a decision, with its evidence and the commands that decide."""
    left_out = [line for text in _left_out(queue) for line in wrapped(text, width)]
    if not queue.candidates and not queue.complaints:
        none = f"No candidates: nothing was found, or all is decided ({queue.decided:,} so far)."
        return "\n".join([none, *left_out, f"Complaints come from the feedback log: {command('mine')}"])
    groups = count_words(len(queue.complaints), "group")
    finding = f"{count_words(len(queue.candidates) + queue.more, 'candidate')} and {groups} of complaints to decide on."
    lines = [painter(color=color)(finding, "finding")]
    for item in queue.candidates:
        lines += ["", *_candidate_lines(item, width=width)]
    for group in queue.complaints:
        lines += ["", *_group_lines(group, width=width)]
    first = queue.candidates[0].id if queue.candidates else queue.complaints[0].id
    last = [f"Dismiss: {command('feedback', 'dismiss', first)}"]
    if queue.candidates:
        last.insert(0, f"Next: {command('feedback', 'accept', first)}")
    return finished([*lines, *([""] * bool(left_out)), *left_out, "", *last], unicode=unicode)


def _left_out(queue: CandidateQueue) -> Iterator[str]:
    """What is not listed, and why."""
    if queue.more:
        yield f"{queue.more:,} more candidates; all of them: --limit {queue.more + len(queue.candidates)}"
    if queue.noise:
        reasons = ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in queue.noise.items())
        yield f"Not listed, for no rule could come of them: {reasons}."


def _candidate_lines(item: Candidate, *, width: int) -> Iterator[str]:
    seen = item.best
    day = f"{seen.timestamp:%Y-%m-%d}" if seen.timestamp else "no date"
    more = f" and {len(item.sessions) - 1} more" if len(item.sessions) > 1 else ""
    after = f"after {cut(seen.skill_id, _NAME_CHARS)} ({seen.attribution})"
    yield from wrapped(f"{item.id}  {_KINDS[item.kind]} ({item.sign})  {after}  {day}", width, hanging=_INDENT)
    where = f"session {cut(seen.session_id, _NAME_CHARS)}{more}, lines {', '.join(map(str, seen.lines[:_LINES]))}"
    yield from wrapped(where, width, indent=_INDENT)
    yield from wrapped(cut(item.file, _TEXT_CHARS), width, indent=_INDENT)
    if item.quote:
        yield from wrapped(f'"{cut(item.quote, _TEXT_CHARS)}"', width, indent=_INDENT)
    if not item.has_texts:
        yield f"{_INDENT}(texts are not kept)"
    yield from _text_lines("-", item.original or "", width=width)
    yield from _text_lines("+", item.corrected or "", width=width)
    if item.cut:
        yield f"{_INDENT}(cut: accept it with --original and --corrected)"


def _text_lines(sign: str, text: str, *, width: int) -> Iterator[str]:
    """The first lines of a text with their indentation; what is left out of a line is marked."""
    lines = text.splitlines()
    room = width - len(_INDENT) - 2
    for line in lines[:_LINES]:
        shown = visible(line[: _TEXT_CHARS + 1])
        yield f"{_INDENT}{sign} {shown if columns(shown) <= room else fitted(shown, room)}"
    if len(lines) > _LINES:
        yield f"{_INDENT}{sign} … {count_words(len(lines) - _LINES, 'more line')}"


def _group_lines(group: ComplaintGroup, *, width: int) -> Iterator[str]:
    sessions = count_words(len(group.sessions), "session")
    name, kind = cut(group.skill_id, _NAME_CHARS), group.dimension.replace("_", " ")
    told = f"{group.id}  {cut(group.heading, _TEXT_CHARS)} ({kind}) in {sessions} of {name}"
    yield from wrapped(told, width, hanging=_INDENT)
    for complaint in group.complaints[:_LINES]:
        yield from wrapped(f'"{cut(complaint.text, _TEXT_CHARS)}"', width, indent=_INDENT, hanging=f"{_INDENT} ")
    if group.count > _LINES:
        yield f"{_INDENT}and {group.count - _LINES:,} more"
    call = command("refine", group.skill_id, "--open", group.id, "--word", "ONE LINE IN YOUR WORDS")
    yield f"{_INDENT}Word it: {call}"


def queue_row(queue: CandidateQueue) -> dict[str, Any]:
    """The queue for programs."""
    return {
        "queue": str(queue.path),
        "counts": queue.counts(),
        "new": queue.new,
        "decided": queue.decided,
        "more": queue.more,
        "noise": dict(queue.noise),
        "unreadable": list(queue.unreadable),
        "candidates": [_candidate_row(item) for item in queue.candidates],
        "complaints": [_group_row(group) for group in queue.complaints],
    }


def _candidate_row(item: Candidate) -> dict[str, Any]:
    names = ("id", "kind", "sign", "file", "original", "corrected", "quote", "cut")
    return {name: getattr(item, name) for name in names} | {
        "skill_id": item.skill_id,
        "attribution": item.best.attribution,
        "sessions": [
            {
                "session_id": seen.session_id,
                "skill_id": seen.skill_id,
                "event_id": seen.event_id,
                "attribution": seen.attribution,
                "project": seen.project,
                "transcript": seen.transcript,
                "lines": list(seen.lines),
                "timestamp": seen.timestamp.isoformat() if seen.timestamp else None,
            }
            for seen in item.sightings
        ],
    }


def _group_row(group: ComplaintGroup) -> dict[str, Any]:
    return {
        "id": group.id,
        "skill_id": group.skill_id,
        "dimension": group.dimension,
        "heading": group.heading,
        "words": list(group.words),
        "agreement": float(group.agreement),
        "complaints": [
            {
                "event_id": mask_name(item.event_id),
                "session_id": mask_name(item.session_id),
                "timestamp": item.timestamp.isoformat() if item.timestamp else None,
                "text": item.text,
            }
            for item in group.complaints
        ],
    }
