"""An earlier text of a skill back in its place, byte for byte, as a new version; git is not needed for it."""

import shlex
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from skilltune.errors import DamagedError, InputError, NoEffectError, OutsideEditError
from skilltune.evolution.approvals import How
from skilltune.evolution.skilldoc import SkillDoc
from skilltune.refining.applying import Applied, commit_act, told_applied
from skilltune.refining.clock import act_time
from skilltune.refining.places import find_place, user_name
from skilltune.refining.presence import check_presence, find_how
from skilltune.refining.records import Version, undone_by
from skilltune.refining.state import SkillState, read_state
from skilltune.refining.writing import write_skill
from skilltune.stores.history import file_at_commit
from skilltune.stores.snapshots import content_digest

__all__ = ["rollback"]

_VERSION_CHARS: Final = 18
"""Digits up to which a text may be a version; the number may come from a stamp, as 20250615 does."""


@dataclass(frozen=True)
class _Target:
    content: bytes
    version: int | None
    commit: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 of its bytes."""
        return content_digest(self.content)


def rollback(
    skill_id: str,
    *,
    to: int | str | None = None,
    workspace: str | Path | None = None,
    base_directory: str | Path | None = None,
    reviewer: str | None = None,
    note: str = "",
    over_outside_edits: bool = False,
    commit: bool | None = None,
    how: How | None = None,
    as_of: datetime | str | None = None,
) -> Applied:
    """Put an earlier text of a skill back, exactly, with an entry in the audit log.

    Parameters
    ----------
    skill_id, workspace, base_directory
        As for ``apply_refinement``.
    to
        A version, or a commit of the file where there is git; default the text before the last refinement.
    reviewer
        Who does it; default the name of the user.
    note
        Why.
    over_outside_edits
        Whether edits made outside of skilltune since the last entry may be replaced; they are kept as a version.
    commit
        Whether to commit the file, and nothing else, where there is git; default as the settings say (no).
    how
        Where a person decided on it; default as far as that can be told from here.
    as_of
        Default now; not later than the clock by more than a day.

    Returns
    -------
    Applied
        The file has a new version number; the cooldown stays where the last refinement put it.

    Raises
    ------
    InputError
        There is no such version or commit, or `as_of` is to come.
    ApprovalError
        This runs in a notebook without a front end.
    NoEffectError
        The file is that text already, or nothing was refined.
    OutsideEditError
        The file was edited since, and nobody allowed to replace that.
    DamagedError
        The snapshot is missing or was changed.
    SkillFileError, LogError
        The file or the log cannot be written; the file is as it was.
    """
    check_presence()
    now, who = act_time(as_of), reviewer or user_name()
    place = find_place(skill_id, base_directory=base_directory)
    with place.log.locked():
        state = read_state(skill_id, workspace=workspace, base_directory=base_directory)
        edited = state.outside_edit
        state = state.opened(at=now, by=who)
        target = _find_target(state, to)
        _check_replaceable(state, target, edited=edited or state.edited_since_moved, allowed=over_outside_edits)
        entry = write_skill(
            place,
            before=state.content,
            after=target.content,
            kept=state.unsaved.values(),
            opening=state.opening,
            closing=_entry(state, target, at=now, by=who, note=note, how=how),
        )
    done = commit_act(state, f"Roll back the skill {skill_id}", commit=commit)
    return told_applied(state, entry, body=SkillDoc.of(target.content).body, commit=done)


def _check_replaceable(state: SkillState, target: _Target, *, edited: bool, allowed: bool) -> None:
    """Raise where nothing would change, or an edit made outside would be lost unasked."""
    if target.digest == state.digest:
        raise NoEffectError(f"{state.skill_id} is that text already; nothing was written", skill_id=state.skill_id)
    if edited and not allowed:
        _refuse_outside(state)


def _entry(state: SkillState, target: _Target, *, at: datetime, by: str, note: str, how: How | None) -> dict[str, Any]:
    return state.place.entry(
        "rollback",
        at=at,
        by=by,
        note=note,
        how=how or find_how() or "",
        version=state.version + 1,
        toVersion=target.version,
        toCommit=target.commit,
        undone=undone_by(state.record.versions, digest=target.digest),
        looser=list(state.settings.looser),
        beforeDigest=state.digest,
        afterDigest=target.digest,
    )


def _find_target(state: SkillState, to: int | str | None) -> _Target:
    versions = state.record.versions
    if to is None:
        return _kept(state, _before_last_refinement(state))
    number = int(to) if isinstance(to, int) or (to.isascii() and to.isdecimal() and len(to) <= _VERSION_CHARS) else None
    if number is not None:
        found = next((version for version in reversed(versions) if version.number == number), None)
        if found is not None:
            return _kept(state, found)
    at_commit = file_at_commit(state.place.target, to) if isinstance(to, str) else None
    if at_commit is None:
        known = ", ".join(str(version.number) for version in versions) or "none"
        raise InputError(f"{state.skill_id} has no version or commit {to!r}; there are the versions {known}")
    return _Target(at_commit[1], None, at_commit[0])


def _before_last_refinement(state: SkillState) -> Version:
    versions = state.record.versions
    at = next((place for place in range(len(versions) - 1, -1, -1) if versions[place].type == "refine"), 0)
    if not at:
        raise NoEffectError(_nothing_before(state), skill_id=state.skill_id)
    return versions[at - 1]


def _nothing_before(state: SkillState) -> str:
    """Why there is no text before the last refinement, in words."""
    name = state.skill_id
    if not state.record.refinements and not state.is_stamped:
        return f"{name} was never refined, so there is nothing to roll back; name a version or commit with --to"
    return (
        f"{name} was refined before, but its audit log does not say which text it had then; nothing was written: "
        f"name a commit with --to, restore {state.place.target} from a backup, or look at what is known: "
        f"skilltune history {shlex.quote(name)}"
    )


def _kept(state: SkillState, version: Version) -> _Target:
    content = state.kept(version.digest)
    if content is None:
        there = dict.fromkeys(str(item.number) for item in state.record.versions if state.kept(item.digest) is not None)
        known = f"; the texts of {', '.join(there)} are there" if there else ""
        raise DamagedError(
            state.place.snapshots.folder,
            0,
            f"the text of version {version.number} of {state.skill_id} is missing or was changed{known}",
            remedy="nothing was written: restore the folder from a backup, or go back to another version or commit "
            "with --to",
        )
    return _Target(content, version.number)


def _refuse_outside(state: SkillState) -> None:
    last, name = state.record.last, shlex.quote(state.skill_id)
    raise OutsideEditError(
        f"{state.place.target} was edited since the last entry of its audit log; nothing was written: look at the "
        f"edits with: skilltune drift {name} --diff; then replace them with --over-outside-edits (they are kept as a "
        "version)",
        skill_id=state.skill_id,
        value=state.digest,
        limit=last.digest if last else "",
    )
