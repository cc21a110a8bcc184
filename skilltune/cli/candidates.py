"""Commands over the queue of detected corrections: ``feedback candidates``, ``accept`` and ``dismiss``."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from skilltune.cli.options import AsJson, SessionDirs, Skill, WorkspaceDir
from skilltune.cli.output import print_json, print_text, safe, warn_of_log

if TYPE_CHECKING:
    from skilltune.evolution.candidates import Candidate
    from skilltune.evolution.complaints import ComplaintGroup
    from skilltune.refining.candidates import CandidateQueue

__all__ = ["COMMANDS", "accept", "candidates", "dismiss"]

_SHOWN_LINES: Final = 8
_SHOWN_CHARS: Final = 160
_KINDS: Final = {"modified": "changed proposal", "re_edit": "edited again", "revert": "taken back"}

CandidateId = Annotated[str, typer.Argument(metavar="ID", help="As skilltune feedback candidates lists it.")]


def candidates(
    *, skill: Skill = None, session_dir: SessionDirs = None, workspace: WorkspaceDir = None, as_json: AsJson = False
) -> None:
    """List corrections that your sessions show, for you to decide on.

    Proposals that you changed, lines that were edited again after you complained, work that was taken back, and
    complaints that repeat. None of them counts before you accept it.

    Example: skilltune feedback candidates --skill lint-on-save
    """
    from skilltune.refining.candidates import find_candidates

    queue = find_candidates(workspace, sessions=session_dir, skill_id=skill)
    reasons = [problem.reason for problem in queue.problems]
    warn_of_log(queue.path, {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)})
    for message in queue.unreadable:
        print(f"skilltune: warning: {safe(message)}", file=sys.stderr)
    if as_json:
        print_json(_queue_row(queue))
    else:
        print_text("\n".join(_queue_lines(queue)))


def accept(
    candidate_id: CandidateId,
    *,
    skill: Annotated[str, typer.Option("--skill", metavar="NAME", help="The skill that it corrects.")],
    original: Annotated[
        str | None, typer.Option("--original", metavar="TEXT", help="The text before, in your words.")
    ] = None,
    corrected: Annotated[
        str | None, typer.Option("--corrected", metavar="TEXT", help="The text after, in your words.")
    ] = None,
    session_dir: SessionDirs = None,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """Record a detected correction for a skill.

    It counts like one that you typed in, once for each session that shows it.

    Example: skilltune feedback accept 3f2a9c0d1e4b5a67 --skill lint-on-save
    """
    from skilltune.refining.candidates import decide_candidate

    events = decide_candidate(
        candidate_id,
        decision="accept",
        skill_id=skill,
        original=original,
        corrected=corrected,
        workspace=workspace,
        sessions=session_dir,
    )
    if as_json:
        print_json(
            {"candidate": candidate_id, "skill_id": events[0].skill_id, "ledger": [event.id for event in events]}
        )
    else:
        print_text(
            f"Recorded {_many(len(events), 'correction')} of {safe(events[0].skill_id)}.\n"
            f"Next: skilltune refine --check {safe(events[0].skill_id)}"
        )


def dismiss(candidate_id: CandidateId, *, workspace: WorkspaceDir = None, as_json: AsJson = False) -> None:
    """Take a detected correction off the list for good.

    It does not come back, whichever session repeats it.

    Example: skilltune feedback dismiss 3f2a9c0d1e4b5a67
    """
    from skilltune.refining.candidates import decide_candidate

    decide_candidate(candidate_id, decision="dismiss", workspace=workspace)
    if as_json:
        print_json({"candidate": candidate_id, "decision": "dismiss"})
    else:
        print_text(f"{safe(candidate_id)} is dismissed.")


COMMANDS: Final = (candidates, accept, dismiss)


def _queue_lines(queue: "CandidateQueue") -> Iterator[str]:
    if not queue.candidates and not queue.complaints:
        yield f"No candidates: nothing was found, or all is decided ({queue.decided:,} so far)."
        yield "Complaints come from the feedback log: skilltune mine"
        return
    groups = "1 group" if len(queue.complaints) == 1 else f"{len(queue.complaints):,} groups"
    yield f"{_many(len(queue.candidates), 'candidate')} and {groups} of complaints to decide on."
    for item in queue.candidates:
        yield ""
        yield from _candidate_lines(item)
    for group in queue.complaints:
        yield ""
        yield from _group_lines(group)
    yield ""
    yield "Next: skilltune feedback accept ID --skill NAME, or skilltune feedback dismiss ID"


def _candidate_lines(item: "Candidate") -> Iterator[str]:
    seen = item.best
    day = f"{seen.timestamp:%Y-%m-%d}" if seen.timestamp else "no date"
    more = f" and {len(item.sessions) - 1} more" if len(item.sessions) > 1 else ""
    yield f"{item.id}  {_KINDS[item.kind]} ({item.sign})  after {safe(seen.skill_id)} ({seen.attribution})  {day}"
    yield f"    session {safe(seen.session_id)}{more}, lines {', '.join(map(str, seen.lines))}"
    yield f"    {safe(item.file)}"
    if item.quote:
        yield f'    "{safe(item.quote)}"'
    if not item.has_texts:
        yield "    (texts are not kept)"
    yield from _text_lines("-", item.original or "")
    yield from _text_lines("+", item.corrected or "")
    if item.cut:
        yield "    (cut: accept it with --original and --corrected)"


def _text_lines(sign: str, text: str) -> Iterator[str]:
    lines = text.splitlines()
    for line in lines[:_SHOWN_LINES]:
        indent = len(line) - len(line.lstrip(" "))
        yield f"    {sign} {' ' * min(indent, 40)}{safe(line[:_SHOWN_CHARS])}"
    if len(lines) > _SHOWN_LINES:
        yield f"    {sign} … {_many(len(lines) - _SHOWN_LINES, 'more line')}"


def _group_lines(group: "ComplaintGroup") -> Iterator[str]:
    what = f"{_many(group.count, 'complaint')} in {_many(len(group.sessions), 'session')}"
    yield f"{group.id}  {what}  about {safe(group.skill_id)}: {safe(', '.join(group.words))} ({group.dimension})"
    for complaint in group.complaints[:_SHOWN_LINES]:
        yield f'    "{safe(complaint.text)}"'
    yield f'    word a line for it: skilltune refine {safe(group.skill_id)} --open {group.id} --word "..."'


def _queue_row(queue: "CandidateQueue") -> dict[str, Any]:
    return {
        "queue": str(queue.path),
        "counts": queue.counts(),
        "new": queue.new,
        "decided": queue.decided,
        "unreadable": list(queue.unreadable),
        "candidates": [_candidate_row(item) for item in queue.candidates],
        "complaints": [_group_row(group) for group in queue.complaints],
    }


def _candidate_row(item: "Candidate") -> dict[str, Any]:
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


def _group_row(group: "ComplaintGroup") -> dict[str, Any]:
    return {
        "id": group.id,
        "skill_id": group.skill_id,
        "dimension": group.dimension,
        "words": list(group.words),
        "agreement": float(group.agreement),
        "complaints": [
            {
                "event_id": item.event_id,
                "session_id": item.session_id,
                "timestamp": item.timestamp.isoformat() if item.timestamp else None,
                "text": item.text,
            }
            for item in group.complaints
        ],
    }


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
