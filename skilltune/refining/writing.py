"""The one way a skill's file is written: snapshots, a note of what is about to happen, the file, the audit entry.

All of it under the lock of the audit log. The note outlives a crash, so that ``heal`` can tell on the next start
whether the file was written, and completes the log.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from skilltune.errors import AuditError, DamagedError, LogError, StaleError
from skilltune.refining.places import SkillPlace
from skilltune.stores.audit_faults import audit_faults
from skilltune.stores.compact import dump_compact
from skilltune.stores.files import read_small, replace_file
from skilltune.stores.paths import look_at
from skilltune.stores.skill_writing import check_skill_writable, new_path, read_skill_bytes, write_skill_bytes
from skilltune.stores.snapshots import content_digest

__all__ = ["heal", "write_skill"]

NOTE_BYTES: Final = 64 * 1024 * 1024
"""Size up to which a note is read."""
_NOTE_NAME: Final = re.compile(r"pending(-[0-9a-f]{16})?\.json")
"""``pending.json`` is of a time when a folder had one note for all its skills."""
_ACTS: Final = ("refine", "rollback")
"""Types of entry that a note may hold."""


def write_skill(
    place: SkillPlace,
    *,
    before: bytes,
    after: bytes,
    kept: Iterable[bytes] = (),
    opening: Sequence[Mapping[str, Any]],
    closing: Mapping[str, Any],
) -> dict[str, Any]:
    """Put `after` in the place of `before`; the closing entry as it stands in the log. The caller holds the lock.

    Parameters
    ----------
    place
        The skill.
    before, after
        The whole file.
    kept
        What the opening entries name, to be kept before them.
    opening
        Entries that go before the file: what was there, and who approved.
    closing
        The entry of the act itself.

    Raises
    ------
    StaleError
        The file is not `before` any more.
    DamagedError
        A note that no writer of ours left stands in the way.
    SkillFileError, LogError
        Something cannot be written; the file is as it was.
    """
    check_skill_writable(place.target)
    if look_at(place.pending) is not None:
        raise _damaged(place.pending, "it was not there when this began")
    snapshots = place.snapshots
    for content in kept:
        snapshots.put(content)
    note = {"entry": dict(closing), "before": snapshots.put(before), "after": snapshots.put(after)}
    if opening:
        place.log.append(*opening)
    with audit_faults(f"the note of this act in {snapshots.folder}", folder=place.folder, verb="written"):
        replace_file(place.pending, dump_compact(note))
    try:
        _check_same(place, before)
        write_skill_bytes(place.target, after)
    except (StaleError, OSError):
        place.pending.unlink(missing_ok=True)
        raise
    try:
        written = place.log.append(closing)[0]
    except LogError as error:
        told = error if isinstance(error, AuditError) else AuditError(str(error), remedy="run this again")
        raise AuditError(
            f"{place.target} was written, but its entry in the audit log could not be: {told.reason}",
            remedy=f"{told.remedy}. The entry is added on the next start",
            unchanged=False,
        ) from error
    place.pending.unlink(missing_ok=True)
    return written


def heal(place: SkillPlace) -> list[dict[str, Any]]:
    """Complete what killed writers of this folder left, if anything; the entries that were missing.

    The file is as before, or whole as it was to be. Where it is neither, somebody edited it since, and the entry counts
    as done, with ``healed`` ``unsure``: the bounds then rather hold too early than too late. A head that is behind its
    log is brought up to it.

    A note that no writer of ours left is not believed; it stops its own skill, and no other one.

    Raises
    ------
    DamagedError
        The note of this skill cannot be read, or is none of ours; or the audit log is not as it was written.
    """
    if not _left_notes(place):
        place.log.renew_head()
        return []
    with place.log.locked():
        found = [_heal_note(place, path) for path in _left_notes(place)]
        place.log.renew_head()
    return [entry for entry in found if entry is not None]


def stray_note(place: SkillPlace) -> str:
    """What was left in the folder of snapshots and cannot be completed, in words; '' for nothing."""
    path = _common_note(place)
    return f"{path} is no note that skilltune can complete; it was left as it is" if look_at(path) is not None else ""


def _check_same(place: SkillPlace, before: bytes) -> None:
    """Raise where the file is not `before` any more."""
    found = read_skill_bytes(place.target)
    if found != before:
        raise StaleError(
            f"{place.target} was changed while this ran; nothing was written: look at the suggestion again",
            skill_id=place.skill_id,
            value=content_digest(found),
            limit=content_digest(before),
        )


def _common_note(place: SkillPlace) -> Path:
    """Where the one note of a whole folder was, before each skill had its own."""
    return place.snapshots.folder / "pending.json"


def _left_notes(place: SkillPlace) -> list[Path]:
    """The notes that lie in the folder of snapshots, that of this skill first."""
    own = [place.pending] if look_at(place.pending) is not None else []
    try:
        others = sorted(path for path in place.snapshots.folder.iterdir() if _NOTE_NAME.fullmatch(path.name))
    except OSError:
        others = []
    return [*own, *(path for path in others if path != place.pending)]


def _heal_note(place: SkillPlace, path: Path) -> dict[str, Any] | None:
    """Complete what one note tells of; one that cannot be believed stops only the skill that it is of."""
    own = path == place.pending
    try:
        note = _read_note(path)
    except DamagedError:
        if own:
            raise
        return None
    if not _is_ours(place, note):
        if own or note["entry"]["file"] == place.key:
            raise _damaged(path, "it is none that skilltune wrote")
        return None
    entry = _missing_entry(place, note)
    written = place.log.append(entry)[0] if entry else None
    path.unlink(missing_ok=True)
    return written


def _read_note(path: Path) -> dict[str, Any]:
    """What the note says; it names a file and two digests."""
    try:
        note = json.loads(read_small(path, limit=NOTE_BYTES))
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(path, f"it cannot be read: {error}") from error
    entry = note.get("entry") if isinstance(note, dict) else None
    if isinstance(note, dict) and isinstance(entry, dict):
        texts = [entry.get("file"), entry.get("id"), note.get("before"), note.get("after")]
        if all(isinstance(text, str) for text in texts):
            return note
    raise _damaged(path, "it names no file and no texts")


def _is_ours(place: SkillPlace, note: Mapping[str, Any]) -> bool:
    """Whether a note is of an act that writes files, between two texts that were kept."""
    entry, before, after = note["entry"], note["before"], note["after"]
    return (
        entry.get("type") in _ACTS
        and (entry.get("beforeDigest"), entry.get("afterDigest")) == (before, after)
        and all(place.snapshots.find(digest) is not None for digest in (before, after))
    )


def _damaged(path: Path, reason: str) -> DamagedError:
    told = f"the note of a write that was cut off is not as it was written ({reason})"
    return DamagedError(path, 0, told, remedy="move it away, then look at: skilltune history SKILL")


def _missing_entry(place: SkillPlace, note: Mapping[str, Any]) -> dict[str, Any] | None:
    """The entry that the log lacks; None where it has it, or the file was not written."""
    entry = note["entry"]
    if any(row.get("id") == entry["id"] for row in place.log.read()):
        return None
    target = (place.folder / entry["file"]).resolve()
    if not target.is_relative_to(place.folder):
        return None
    new = new_path(target)
    half_done = look_at(new) is not None
    new.unlink(missing_ok=True)
    digest = content_digest(read_skill_bytes(target)) if look_at(target) is not None else ""
    if digest == note["after"]:
        return {**entry, "healed": "complete"}
    if digest == note["before"] or half_done:
        return None
    return {**entry, "healed": "unsure"}
