"""Commands over the queue of detected corrections: ``feedback candidates``, ``accept``, ``dismiss`` and ``reopen``."""

from pathlib import Path
from typing import Annotated, Final

import typer

from skilltune.cli.ids import find_id
from skilltune.cli.options import AsJson, NamedSkill, Note, SessionDirs, Skill, SkillArgument, WorkspaceDir
from skilltune.cli.output import print_json, print_result, print_text, safe, terminal, warn, warn_of_log
from skilltune.cli.skill_name import one_skill
from skilltune.errors import InputError
from skilltune.rendering.terminal import command, count_words

__all__ = ["COMMANDS", "accept", "candidates", "dismiss", "reopen"]

_LOOK: Final = "skilltune feedback candidates"
_LISTED: Final = 20
"""Candidates that are listed by default."""

CandidateId = Annotated[
    str, typer.Argument(metavar="ID", help="As skilltune feedback candidates lists it; its first 6 characters do.")
]


def candidates(
    skill: SkillArgument = None,
    *,
    skill_option: Skill = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, metavar="N", help="Candidates to list; default all with --json, else 20."),
    ] = None,
    session_dir: SessionDirs = None,
    workspace: WorkspaceDir = None,
    as_json: AsJson = False,
) -> None:
    """List corrections that your sessions show, for you to decide on.

    Proposals that you changed, lines that were edited again after you complained, work that was taken back, and
    complaints that repeat. None of them counts before you accept it.

    Example: skilltune feedback candidates lint-on-save
    """
    from skilltune.cli.candidates_text import queue_row, queue_text
    from skilltune.refining.candidates import find_candidates

    shown = limit if limit is not None or as_json else _LISTED
    queue = find_candidates(workspace, sessions=session_dir, skill_id=one_skill(skill, skill_option), limit=shown)
    reasons = [problem.reason for problem in queue.problems]
    warn_of_log(queue.path, {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)})
    for message in queue.unreadable:
        warn(message)
    if as_json:
        print_json(queue_row(queue))
    else:
        print_text(queue_text(queue, **terminal()))


def accept(
    candidate_id: CandidateId,
    skill: NamedSkill = None,
    *,
    skill_option: Annotated[
        str | None,
        typer.Option("--skill", metavar="NAME", help="The skill that it corrects; default the one it names."),
    ] = None,
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
    """Record a detected correction for the skill that was used, or another one.

    It counts like one that you typed in, once for each session that shows it.

    Example: skilltune feedback accept 3f2a9c0d1e4b5a67
    """
    from skilltune.refining.candidates import decide_candidate

    found = _candidate_id(candidate_id, workspace)
    events = decide_candidate(
        found,
        decision="accept",
        skill_id=one_skill(skill, skill_option) or _only_skill(found, workspace),
        original=original,
        corrected=corrected,
        workspace=workspace,
        sessions=session_dir,
    )
    name = events[0].skill_id
    told = (
        f"Recorded {count_words(len(events), 'correction')} of {safe(name)}.\n"
        f"Undo: {command('feedback', 'reopen', found)}\nNext: {command('refine', '--check', name)}"
    )
    print_result(
        {"candidate": found, "skill_id": name, "ledger": [event.id for event in events]}, told, as_json=as_json
    )


def dismiss(candidate_id: CandidateId, *, workspace: WorkspaceDir = None, as_json: AsJson = False) -> None:
    """Take a detected correction or a group of complaints off the list.

    It does not come back, whichever session repeats it, unless you take that back: feedback reopen.

    Example: skilltune feedback dismiss 3f2a9c0d1e4b5a67
    """
    from skilltune.refining.candidates import decide_candidate

    found = _candidate_id(candidate_id, workspace)
    decide_candidate(found, decision="dismiss", workspace=workspace)
    told = f"{safe(found)} is dismissed.\nUndo: {command('feedback', 'reopen', found)}"
    print_result({"candidate": found, "decision": "dismiss"}, told, as_json=as_json)


def reopen(
    candidate_id: CandidateId, *, note: Note = "", workspace: WorkspaceDir = None, as_json: AsJson = False
) -> None:
    """Take back that a detected correction was accepted or dismissed; it waits again.

    Corrections that accepting it recorded are taken back, too.

    Example: skilltune feedback reopen 3f2a9c0d1e4b5a67
    """
    from skilltune.refining.candidates import reopen_candidate
    from skilltune.stores.candidates import find_candidate_log

    decided = find_candidate_log(workspace).read().decisions
    found = find_id(candidate_id, decided, what="candidate that was decided on", look=_LOOK)
    undone = reopen_candidate(found, note=note, workspace=workspace)
    gone = count_words(len(undone.retracted), "correction")
    told = f"{safe(found)} waits again" + (f"; {gone} taken back." if undone.retracted else ".")
    row = {"candidate": found, "undone": undone.decision.decision, "retracted": list(undone.retracted)}
    print_result(row, f"{told}\nNext: {_LOOK}", as_json=as_json)


COMMANDS: Final = (candidates, accept, dismiss, reopen)


def _candidate_id(given: str, workspace: Path | None) -> str:
    """The whole id of a candidate, decided on or not, or of a group of complaints."""
    from skilltune.refining.candidates import waiting_complaints
    from skilltune.stores.candidates import find_candidate_log

    contents = find_candidate_log(workspace).read()
    known = [*contents.candidates, *contents.decisions]
    groups = [group.id for group in waiting_complaints(workspace)]
    return find_id(given, [*known, *groups], what="candidate", look=_LOOK)


def _only_skill(candidate_id: str, workspace: Path | None) -> str | None:
    """The one skill that the candidate followed; None for what is no candidate.

    Raises
    ------
    InputError
        It followed several.
    """
    from skilltune.stores.candidates import find_candidate_log

    item = find_candidate_log(workspace).read().candidates.get(candidate_id)
    if item is None:
        return None
    if len(item.skills) > 1:
        named = ", ".join(sorted(map(safe, item.skills)))
        raise InputError(
            f"{candidate_id} followed uses of several skills: {named}; say which one it corrects: "
            f"{command('feedback', 'accept', candidate_id, '--skill', item.skill_id)}"
        )
    return item.skill_id
