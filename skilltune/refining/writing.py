"""The one way a skill's file is written: snapshots, a note of what is about to happen, the file, the audit entry.

All of it under the lock of the audit log. The note outlives a crash, so that ``heal`` can tell on the next start
whether the file was written, and completes the log.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from skilltune.errors import DamagedError, LogError, StaleError
from skilltune.refining.places import SkillPlace
from skilltune.stores.compact import dump_compact
from skilltune.stores.files import read_small, replace_file
from skilltune.stores.paths import look_at
from skilltune.stores.skill_writing import check_skill_writable, new_path, read_skill_bytes, write_skill_bytes
from skilltune.stores.snapshots import content_digest

__all__ = ["heal", "write_skill"]

NOTE_BYTES: Final = 64 * 1024 * 1024
"""Size up to which a note is read."""
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
        raise _damaged(place.pending, "it is about another skill")
    snapshots = place.snapshots
    for content in kept:
        snapshots.put(content)
    note = {"entry": dict(closing), "before": snapshots.put(before), "after": snapshots.put(after)}
    if opening:
        place.log.append(*opening)
    replace_file(place.pending, dump_compact(note))
    found = read_skill_bytes(place.target)
    if found != before:
        place.pending.unlink(missing_ok=True)
        raise StaleError(
            f"{place.target} was changed while this ran; nothing was written: look at the suggestion again",
            skill_id=place.skill_id,
            value=content_digest(found),
            limit=content_digest(before),
        )
    try:
        write_skill_bytes(place.target, after)
    except OSError:
        place.pending.unlink(missing_ok=True)
        raise
    try:
        written = place.log.append(closing)[0]
    except LogError as error:
        raise LogError(
            f"{place.target} was written, but its entry in the audit log could not be: {error}. "
            "The entry is added on the next start"
        ) from error
    place.pending.unlink(missing_ok=True)
    return written


def heal(place: SkillPlace) -> dict[str, Any] | None:
    """Complete what a killed writer of this folder left, if anything; the entry that was missing, or None.

    The file is as before, or whole as it was to be. Where it is neither, somebody edited it since, and the entry counts
    as done, with ``healed`` ``unsure``: the bounds then rather hold too early than too late.

    A note that no writer of ours left is not believed; where it names another skill, this one can be read.

    Raises
    ------
    DamagedError
        The note cannot be read, or is about this skill and none of ours.
    """
    if look_at(place.pending) is None:
        return None
    with place.log.locked():
        if look_at(place.pending) is None:
            return None
        note = _read_note(place.pending)
        if not _is_ours(place, note):
            if note["entry"]["file"] != place.key:
                return None
            raise _damaged(place.pending, "it is none that skilltune wrote")
        entry = _missing_entry(place, note)
        written = place.log.append(entry)[0] if entry else None
        place.pending.unlink(missing_ok=True)
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
