"""Texts of skills kept byte for byte beside the audit log, each in a file named by the SHA-256 of what it holds."""

import hashlib
import re
from pathlib import Path
from typing import Final

from skilltune.errors import DamagedError, LogError
from skilltune.stores.audit_faults import audit_faults
from skilltune.stores.files import make_folder, read_bytes, replace_file
from skilltune.stores.paths import look_at

__all__ = ["SNAPSHOT_FOLDER", "Snapshots", "content_digest"]

SNAPSHOT_FOLDER: Final = ".skill-snapshots"
"""Name of the folder beside the audit log."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class Snapshots:
    """The snapshots beside the audit log in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / SNAPSHOT_FOLDER

    def put(self, content: bytes) -> str:
        """Keep `content`, seen on disk before this returns; its digest.

        Raises
        ------
        AuditError
            It cannot be kept.
        """
        digest = content_digest(content)
        path = self._path(digest)
        with audit_faults(f"the folder of snapshots {self.folder}", folder=self.folder.parent, verb="written"):
            if look_at(path) is None or read_bytes(path) != content:
                make_folder(self.folder)
                replace_file(path, content)
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes of that digest.

        Raises
        ------
        DamagedError
            They are not there, or not as they were kept.
        """
        path = self._path(digest)
        remedy = "restore it from a backup, or go back to another version"
        if look_at(path) is None:
            raise DamagedError(path, 0, "the snapshot is missing", remedy=remedy)
        try:
            content = read_bytes(path)
        except LogError as error:
            raise DamagedError(path, 0, "the snapshot cannot be read", remedy=remedy) from error
        if content_digest(content) != digest:
            raise DamagedError(path, 0, "the snapshot was changed", remedy=remedy)
        return content

    def find(self, digest: str) -> bytes | None:
        """The bytes of that digest; None where they are not there, or not as they were kept."""
        try:
            return self.get(digest)
        except OSError:
            return None

    def _path(self, digest: str) -> Path:
        """Where a digest's bytes are; a text that is no digest names no file."""
        if not _DIGEST.fullmatch(digest):
            raise DamagedError(self.folder, 0, f"{digest[:80]!r} is no digest", remedy="see: skilltune audit verify")
        return self.folder / f"{digest}.md"


def content_digest(content: bytes) -> str:
    """SHA-256 in hex of a file's bytes."""
    return hashlib.sha256(content).hexdigest()
