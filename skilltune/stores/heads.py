"""The head of an audit log, beside its snapshots: which entry is the last, and what each skill's bounds rest on.

A log alone cannot tell that its last lines were taken off, or that it was moved away; its head can. It is written after
each entry, under the log's lock, so it may be behind its log by what a killed writer had no time for, and never ahead.
Whoever takes away both leaves nothing that tells.

It is written anew with each entry, so a long list of ids lies beside it, in a file named by what it holds.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from skilltune.errors import DamagedError
from skilltune.stores.compact import dump_compact
from skilltune.stores.files import make_folder, read_small, replace_file
from skilltune.stores.paths import look_at
from skilltune.stores.snapshots import SNAPSHOT_FOLDER, content_digest

__all__ = ["HEAD_NAME", "AuditHead", "find_head_path", "read_head_file", "read_head_skills", "write_head_file"]

HEAD_NAME: Final = "head.json"
"""Name of the file, in the folder of the snapshots."""
_BYTES: Final = 64 * 1024 * 1024
"""Size up to which a head is read."""
_INLINE: Final = 64
"""Ids of a list that stand in the head itself."""
_KEY: Final = "idsDigest"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class AuditHead:
    """Where an audit log had come to."""

    seq: int
    """Of its last entry; 0 before the first."""
    hash: str
    """Of the same."""
    skills: Mapping[str, Mapping[str, Any]]
    """What the bounds of each file rest on, as the first entry of another log would carry it; as read, with the digests
    of long lists of ids in the place of these, see ``read_head_skills``."""


def find_head_path(folder: Path) -> Path:
    """Where the head of the audit log in `folder` is."""
    return folder / SNAPSHOT_FOLDER / HEAD_NAME


def read_head_file(path: Path) -> AuditHead | None:
    """The head at `path`; None where there is none.

    Raises
    ------
    DamagedError
        It is not as it was written.
    """
    if look_at(path) is None:
        return None
    try:
        found = json.loads(read_small(path, limit=_BYTES))
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(path, "it cannot be read") from error
    values = (found.get("seq"), found.get("hash"), found.get("skills")) if isinstance(found, dict) else ()
    match values:
        case (int(seq), str(digest), dict(skills)) if seq >= 0 and all(
            isinstance(row, dict) for row in skills.values()
        ):
            return AuditHead(seq, digest, skills)
    raise _damaged(path, "it names no last entry")


def write_head_file(path: Path, head: AuditHead) -> None:
    """Put `head` at `path`, old or new, never half.

    Raises
    ------
    LogError
        It cannot be written.
    """
    make_folder(path.parent)
    skills = {file: _without_ids(row, path.parent) for file, row in head.skills.items()}
    replace_file(path, dump_compact({"seq": head.seq, "hash": head.hash, "skills": skills}))


def read_head_skills(path: Path, head: AuditHead) -> tuple[dict[str, dict[str, Any]], frozenset[str]]:
    """What the bounds of each file rest on, with all ids; and the files of which some ids are missing or were changed.

    Parameters
    ----------
    path
        Where the head is.
    head
        As ``read_head_file`` gave it.
    """
    found, missing = {}, set()
    for file, row in head.skills.items():
        lost: list[str] = []
        found[file] = dict(_with_ids(row, path.parent, lost))
        missing |= {file} if lost else set()
    return found, frozenset(missing)


def _ids_path(folder: Path, digest: str) -> Path:
    return folder / f"ids-{digest}.json"


def _without_ids(value: Any, folder: Path) -> Any:
    """`value` with every long list of texts put into a file of its own."""
    if isinstance(value, Mapping):
        return {name: _without_ids(item, folder) for name, item in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) <= _INLINE or not all(isinstance(item, str) for item in value):
        return [_without_ids(item, folder) for item in value]
    content = dump_compact({"ids": value})
    path = _ids_path(folder, content_digest(content))
    if look_at(path) is None:
        replace_file(path, content)
    return {_KEY: content_digest(content), "count": len(value)}


def _with_ids(value: Any, folder: Path, lost: list[str]) -> Any:
    """`value` with its lists of texts back in place; the digests of those that are not as they were go to `lost`."""
    if isinstance(value, list):
        return [_with_ids(item, folder, lost) for item in value]
    if not isinstance(value, Mapping):
        return value
    digest = value.get(_KEY)
    if not isinstance(digest, str):
        return {name: _with_ids(item, folder, lost) for name, item in value.items()}
    try:
        content = read_small(_ids_path(folder, digest), limit=_BYTES) if _DIGEST.fullmatch(digest) else b""
    except OSError:
        content = b""
    if content_digest(content) == digest:
        return json.loads(content)["ids"]
    lost.append(digest)
    return []


def _damaged(path: Path, reason: str) -> DamagedError:
    return DamagedError(path, 0, f"the head of the audit log is not as it was written ({reason})", remedy="")
