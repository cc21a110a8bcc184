"""A skill's file in the place of the one before: whole, at the target of a link, its mode kept; or not at all."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from skilltune.errors import SkillFileError
from skilltune.stores.files import sync_folder

__all__ = [
    "SKILL_BYTES",
    "check_skill_writable",
    "hard_link_note",
    "new_path",
    "read_skill_bytes",
    "write_skill_bytes",
]

SKILL_BYTES: Final = 4 * 1024 * 1024
"""Size up to which a skill's file is read."""
_WRITE_BITS: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


def read_skill_bytes(path: Path) -> bytes:
    """The bytes of a skill's file, links followed.

    Raises
    ------
    SkillFileError
        It cannot be read, is no regular file, or is larger than 4 MiB.
    """
    from skilltune.stores.files import read_small

    try:
        return read_small(path, limit=SKILL_BYTES)
    except OSError as error:
        raise SkillFileError(
            f"{path} cannot be read ({error.strerror or error}); a skill is a file of at most {SKILL_BYTES:,} bytes"
        ) from error


def check_skill_writable(path: Path) -> None:
    """Return if the file at `path` (no link) may be replaced by this user without changing whose it is.

    Raises
    ------
    SkillFileError
        It or its folder is read-only, it belongs to somebody else, or it is no regular file.
    """
    try:
        found, folder = path.lstat(), path.parent.stat()
    except OSError as error:
        raise SkillFileError(f"{path} cannot be looked at ({error.strerror or error}); nothing was written") from error
    if not stat.S_ISREG(found.st_mode):
        raise SkillFileError(f"{path} is no regular file; nothing was written")
    user = getattr(os, "geteuid", lambda: found.st_uid)()
    if found.st_uid != user:
        raise SkillFileError(
            f"{path} belongs to {_user_name(found.st_uid)}, you are {_user_name(user)}; nothing was written: run this "
            "as the owner, or take a copy of the skill"
        )
    for place, mode in ((path, found.st_mode), (path.parent, folder.st_mode)):
        if not mode & _WRITE_BITS or not os.access(place, os.W_OK):
            raise SkillFileError(f"{place} is read-only; nothing was written: make it writable (chmod u+w) first")


def hard_link_note(path: Path) -> str:
    """What becomes of other hard links to the file at `path` when it is written, in words; '' where there is none."""
    try:
        others = path.stat().st_nlink - 1
    except OSError:
        return ""
    if others < 1:
        return ""
    told = "another hard link" if others == 1 else f"{others:,} other hard links"
    return f"{path} has {told}, which keep{'s' if others == 1 else ''} the old text when this one is written"


def new_path(path: Path) -> Path:
    """Where the new file stands before it takes the place of the one at `path`."""
    return path.with_name(f".{path.name}.skilltune-new")


def write_skill_bytes(path: Path, content: bytes) -> None:
    """Put `content` in the place of the file at `path` (no link): written beside it, synced, renamed; the mode, and
    where possible the group, are kept.

    Raises
    ------
    SkillFileError
        It cannot be replaced; it is as it was.
    """
    new = new_path(path)
    try:
        found = path.stat()
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, _CREATE, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(new, -1, found.st_gid)
        new.chmod(stat.S_IMODE(found.st_mode))
        new.replace(path)
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise SkillFileError(
            f"{path} cannot be replaced ({error.strerror or error}); it is unchanged: free some space or make its "
            "folder writable, then run this again"
        ) from error
    sync_folder(path.parent)


def _user_name(number: int) -> str:
    try:
        import pwd

        return pwd.getpwuid(number).pw_name
    except (ImportError, KeyError):
        return f"user {number}"
