"""The head of an audit log, beside its snapshots: which entry is the last, and what each skill's bounds rest on.

A log alone cannot tell that its last lines were taken off, or that it was moved away; its head can. It is written after
each entry, under the log's lock, so it may be behind its log by what a killed writer had no time for, and never ahead.
Whoever takes away both leaves nothing that tells.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from skilltune.errors import DamagedError
from skilltune.stores.compact import dump_compact
from skilltune.stores.files import make_folder, read_small, replace_file
from skilltune.stores.paths import look_at
from skilltune.stores.snapshots import SNAPSHOT_FOLDER

__all__ = ["HEAD_NAME", "AuditHead", "find_head_path", "read_head_file", "write_head_file"]

HEAD_NAME: Final = "head.json"
"""Name of the file, in the folder of the snapshots."""
_BYTES: Final = 64 * 1024 * 1024
"""Size up to which a head is read."""


@dataclass(frozen=True, slots=True)
class AuditHead:
    """Where an audit log had come to."""

    seq: int
    """Of its last entry; 0 before the first."""
    hash: str
    """Of the same."""
    skills: Mapping[str, Mapping[str, Any]]
    """What the bounds of each file rest on, as the first entry of another log would carry it."""


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
    replace_file(path, dump_compact({"seq": head.seq, "hash": head.hash, "skills": dict(head.skills)}))


def _damaged(path: Path, reason: str) -> DamagedError:
    return DamagedError(path, 0, f"the head of the audit log is not as it was written ({reason})", remedy="")
