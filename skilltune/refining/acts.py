"""What a person does to a skill's bounds and suggestions without changing its file, each with an audit entry."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack

from skilltune.errors import InputError, SkillFileError
from skilltune.evolution.approvals import Approval, How, check_approval
from skilltune.evolution.skilldoc import SkillDoc
from skilltune.evolution.suggestions import Suggestion
from skilltune.refining.applying import changes_row
from skilltune.refining.clock import act_time
from skilltune.refining.places import SkillPlace, find_place, user_name
from skilltune.refining.presence import check_presence, find_how
from skilltune.refining.records import DRIFT_LIMITS
from skilltune.refining.state import read_state
from skilltune.refining.taking_back import find_decided
from skilltune.stores.audit import audit_folder
from skilltune.stores.files import replace_file, sync_folder
from skilltune.stores.skill_files import SkillFile, check_new_name
from skilltune.stores.snapshots import content_digest

__all__ = [
    "as_new",
    "hold_contradiction",
    "record_decision",
    "release_contradiction",
    "reopen",
    "reset_baseline",
    "set_limit",
]


class ActOptions(TypedDict, total=False):
    """How an act is recorded; each may be left out."""

    note: str
    base_directory: str | Path | None
    reviewer: str | None
    as_of: datetime | str | None


_NAME_LINE: Final = re.compile(r"^name:[ \t]*[^\r\n]*", re.MULTILINE)
_NEW_MODE: Final = 0o644


def record_decision(
    suggestion: Suggestion,
    *,
    approval: Approval,
    base_directory: str | Path | None = None,
    as_of: datetime | str | None = None,
) -> dict[str, Any]:
    """Record that a person rejects or defers a suggestion; its entry in the audit log.

    What was rejected is not proposed again until three new corrections say it; an open suggestion never.

    Raises
    ------
    ApprovalError
        The decision is an approval, or not one on this suggestion.
    """
    check_approval(approval, suggestion=suggestion, decisions=("reject", "defer"))
    return _record(
        suggestion.skill_id,
        approval.decision,
        base_directory=base_directory,
        reviewer=approval.reviewer,
        note=approval.note,
        as_of=as_of,
        how=approval.how,
        decidedAt=approval.at.isoformat(),
        suggestionDigest=suggestion.digest,
        changes=changes_row(suggestion),
        looser=list(suggestion.basis.settings.looser),
    )


def reopen(
    skill_id: str,
    target: str,
    **options: Unpack[ActOptions],
) -> dict[str, Any]:
    """Take a rejection, a deferral or a release back; its entry in the audit log.

    What was rejected may be proposed again at once; a contradiction that was released holds what it touches again.

    Parameters
    ----------
    skill_id
        The skill.
    target
        The digest of the suggestion (its first seven characters or more), the id of the open suggestion, or that of the
        contradiction.
    **options
        As for ``release_contradiction``.

    Raises
    ------
    InputError
        Nothing is decided under `target`; the message names what is.
    """
    check_presence()
    folder = options.get("base_directory")
    with find_place(skill_id, base_directory=folder).log.locked():
        decided = find_decided(read_state(skill_id, base_directory=folder).record, target, skill_id=skill_id)
        return _record(skill_id, "reopen", **options, **decided)


def reset_baseline(
    skill_id: str,
    *,
    note: str,
    base_directory: str | Path | None = None,
    reviewer: str | None = None,
    as_of: datetime | str | None = None,
) -> dict[str, Any]:
    """Measure drift against the current body from now on; its entry in the audit log.

    Raises
    ------
    InputError
        The note, which says why, is empty.
    """
    _check_note(note)
    place = find_place(skill_id, base_directory=base_directory)
    with place.log.locked():
        state = read_state(skill_id, base_directory=base_directory)
        return _record(
            skill_id,
            "reset_baseline",
            base_directory=base_directory,
            reviewer=reviewer,
            note=note,
            as_of=as_of,
            source="reset",
            formerBaseline=state.baseline.digest if state.baseline else "",
            baselineDigest=place.snapshots.put(state.content),
        )


def set_limit(
    skill_id: str,
    percent: float,
    *,
    note: str,
    base_directory: str | Path | None = None,
    reviewer: str | None = None,
    as_of: datetime | str | None = None,
) -> dict[str, Any]:
    """Set the drift at which refinement of this skill halts, whatever a workspace's settings say; its audit entry.

    Raises
    ------
    InputError
        The limit is not between 1 and 100, or the note, which says why, is empty.
    """
    _check_note(note)
    low, high = DRIFT_LIMITS
    if not low <= percent <= high:
        raise InputError(f"the drift limit is {percent:g} %; it lies between {low:g} and {high:g}")
    return _record(
        skill_id, "set_limit", base_directory=base_directory, reviewer=reviewer, note=note, as_of=as_of, limit=percent
    )


def release_contradiction(skill_id: str, contradiction_id: str, **options: Unpack[ActOptions]) -> dict[str, Any]:
    """Keep all sides of a contradiction: it holds nothing any more; its audit entry.

    Parameters
    ----------
    skill_id, contradiction_id
        The skill, and the finding's id.
    **options
        ``note``, ``base_directory``, ``reviewer``, ``as_of`` as for ``set_limit``; the note may be empty.
    """
    return _record(skill_id, "release", contradiction=contradiction_id, **options)


def hold_contradiction(skill_id: str, contradiction_id: str, **options: Unpack[ActOptions]) -> dict[str, Any]:
    """Take a release back: the contradiction holds what it touches again; its audit entry.

    Parameters
    ----------
    skill_id, contradiction_id, **options
        As for ``release_contradiction``.
    """
    return _record(skill_id, "hold", contradiction=contradiction_id, **options)


def as_new(
    skill_id: str,
    name: str,
    *,
    note: str = "",
    base_directory: str | Path | None = None,
    reviewer: str | None = None,
    as_of: datetime | str | None = None,
) -> Path:
    """Go on as a new skill: a file of the current text beside the old one, with a baseline of its own; its path.

    Only SKILL.md is copied. The front matter says the new name; all else in it stays. The cooldown goes on, for the
    new skill's first entry says when the old one was refined. Where anything fails, nothing of the new one stays.

    Raises
    ------
    InputError
        The name is not 1 to 64 of a–z, 0–9 and ``-`` (not first), or the skill is a command.
    SkillFileError, LogError
        There is a skill of that name already, or it cannot be written.
    """
    check_presence()
    check_new_name(name)
    now, who = act_time(as_of), reviewer or user_name()
    place = find_place(skill_id, base_directory=base_directory)
    if place.file.path.name != "SKILL.md":
        raise InputError(f"{skill_id} is a command; only a skill can go on as a new one")
    state = read_state(skill_id, base_directory=base_directory)
    path = place.file.path.parent.with_name(name) / "SKILL.md"
    content = _renamed(state.doc, name).to_bytes()
    new = SkillPlace(SkillFile(skill_id=name, path=path, place=place.file.place), audit_folder(path))
    refined = [moment for moment in state.refined_at if moment is not None]
    with new.log.locked(), _created(path, content):
        digest = new.snapshots.put(content)
        new.log.append(
            new.entry(
                "first_seen",
                at=now,
                by=who,
                note=note,
                how=find_how() or "",
                version=SkillDoc.of(content).version,
                afterDigest=digest,
                source="file",
                baselineDigest=digest,
                copiedFrom=str(place.target),
                copiedDigest=content_digest(state.content),
                **({"lastRefined": max(refined).isoformat()} if refined else {}),
            )
        )
    return path


def _record(
    skill_id: str,
    kind: str,
    *,
    base_directory: str | Path | None = None,
    reviewer: str | None = None,
    note: str = "",
    as_of: datetime | str | None = None,
    how: How | None = None,
    **values: Any,
) -> dict[str, Any]:
    """Write one entry on a skill, with what has to go before it."""
    check_presence()
    now, who = act_time(as_of), reviewer or user_name()
    place = find_place(skill_id, base_directory=base_directory)
    with place.log.locked():
        state = read_state(skill_id, base_directory=base_directory).opened(at=now, by=who)
        for content in state.unsaved.values():
            place.snapshots.put(content)
        told = {"how": how or find_how() or "", "looser": list(state.settings.looser)}
        entry = place.entry(kind, at=now, by=who, note=note, **(told | values))
        return place.log.append(*state.opening, entry)[-1]


def _check_note(note: str) -> None:
    if not note.strip():
        raise InputError("the note is empty; say why, it stands in the audit log")


def _renamed(doc: SkillDoc, name: str) -> SkillDoc:
    """`doc` with another name in its front matter; as it is where that has none on a line of its own."""
    head = _NAME_LINE.sub(f"name: {name}", doc.head, count=1)
    renamed = SkillDoc(head, doc.body)
    before, after = dict(doc.front_matter.values), dict(renamed.front_matter.values)
    return renamed if before | {"name": name} == after | {"name": name} and renamed.name == name else doc


@contextmanager
def _created(path: Path, content: bytes) -> Iterator[None]:
    """The file of a new skill, whole, in a folder of its own; both are gone again where the block fails."""
    try:
        path.parent.mkdir()
    except OSError as error:
        raise _not_made(path, error) from error
    try:
        try:
            replace_file(path, content)
            path.chmod(_NEW_MODE)
            sync_folder(path.parent.parent)
        except OSError as error:
            raise _not_made(path, error) from error
        yield
    except BaseException:
        with suppress(OSError):
            for file in path.parent.iterdir():
                file.unlink()
            path.parent.rmdir()
        raise


def _not_made(path: Path, error: OSError) -> SkillFileError:
    return SkillFileError(
        f"{path} cannot be made ({error.strerror or error}); nothing was changed: choose another name, free some "
        "space, or make the folder writable"
    )
