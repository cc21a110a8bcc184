"""The files of a feedback log: where they are, and whether what stands there may be written to."""

import re
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Final

from skilltune.errors import InputError
from skilltune.stores.files import read_head
from skilltune.stores.jsonl import parse_line
from skilltune.stores.paths import expand_path, look_at

__all__ = ["LogPlaces"]

_USUAL: Final = "feedback"
"""Stem of the log whose neighbours have names without a stem, as readers of the format know them."""
_HEAD_BYTES: Final = 256 * 1024
_ROW_START: Final = b'{"event_id"'
_NEIGHBOUR: Final = re.compile(r"(?:.*\.)?(?:uses|labels|sessions)\.jsonl|.*\.(?:lock|torn|tmp)", re.IGNORECASE)
_ARCHIVE: Final = re.compile(r"(?P<stem>.*)-\d{8}\.jsonl", re.DOTALL)
_INSTEAD: Final = "name a file such as feedback.jsonl, or the folder for one"


class LogPlaces:
    """Where a log and what belongs to it are.

    Beside ``feedback.jsonl`` these are ``uses.jsonl``, ``sessions.jsonl``, ``feedback.lock`` and
    ``archive/feedback-YYYYMMDD.jsonl``, beside any other ``NAME.jsonl`` they are ``NAME.uses.jsonl``,
    ``NAME.sessions.jsonl``, ``NAME.lock`` and ``archive/NAME-YYYYMMDD.jsonl``: logs in one folder share nothing.

    Parameters
    ----------
    path
        The log; a link is followed.

    Raises
    ------
    InputError
        When `path` is none.
    """

    def __init__(self, path: str | Path) -> None:
        self.log = expand_path(path).resolve()
        self.archive_folder = self.log.parent / "archive"
        self._stem = self.log.name.removesuffix(".jsonl")

    @property
    def uses(self) -> Path:
        """Where the uses that gave no event are."""
        return self._beside("uses")

    @property
    def sessions(self) -> Path:
        """Where it is kept what whole sessions cost."""
        return self._beside("sessions")

    @property
    def lock(self) -> Path:
        """What writers hold."""
        return self.log.with_name(f"{self._stem}.lock")

    def archive(self, day: str) -> Path:
        """The archive of a day (YYYYMMDD)."""
        return self.archive_folder / f"{self._stem}-{day}.jsonl"

    def archives(self) -> list[Path]:
        """All archives of this log, by day."""
        return [path for path in self._archived() if path.suffix == ".jsonl"]

    def leftovers(self) -> Iterator[Path]:
        """What killed runs may have left beside the log and its archives."""
        yield from (path for path in self._archived() if path.suffix == ".tmp")
        for path in (self.log, *self.archives(), self.uses, self.sessions):
            for ending in (".torn", ".tmp"):
                yield path.with_name(path.name + ending)

    def check_writable(self) -> None:
        """Return if what stands at the log's path is a feedback log, or nothing.

        Raises
        ------
        InputError
            When the name is that of a log's neighbour, or a folder, a device, a pipe or a file of another kind is
            there; the message names it and says what to do.
        """
        self._check_name()
        found = look_at(self.log)
        if found is None:
            return
        if not S_ISREG(found.st_mode):
            kind = "a folder" if S_ISDIR(found.st_mode) else "no regular file"
            raise InputError(f"{self.log} is {kind}, so no log can be written there; {_INSTEAD}")
        if not (_holds_rows(read_head(self.log, _HEAD_BYTES)) or self.archives() or look_at(self.uses)):
            raise InputError(
                f"{self.log} is no feedback log: no line at its start has an event_id; nothing was written. "
                "Name another file, or move this one away"
            )

    def _check_name(self) -> None:
        archive = _ARCHIVE.fullmatch(self.log.name) if self.log.parent.name == "archive" else None
        if _NEIGHBOUR.fullmatch(self.log.name) or archive or self.log.name == _USUAL:
            raise InputError(f"{self.log} is a name for what stands beside a feedback log, not for one; {_INSTEAD}")

    def _beside(self, what: str) -> Path:
        return self.log.with_name(f"{what}.jsonl" if self._stem == _USUAL else f"{self._stem}.{what}.jsonl")

    def _archived(self) -> list[Path]:
        """The archives, and new ones that a killed run did not put in their place."""
        try:
            paths = sorted(self.archive_folder.iterdir())
        except OSError:
            return []
        names = ((path, _ARCHIVE.fullmatch(path.name.removesuffix(".tmp"))) for path in paths)
        return [path for path, name in names if name and name["stem"] == self._stem]


def _holds_rows(head: bytes) -> bool:
    """Whether a line of a file's start is a row of a log, or what a killed writer left of one, or all is blank."""
    *lines, last = [line.strip() for line in head.split(b"\n")]
    if last and (last.startswith(_ROW_START) or _ROW_START.startswith(last)):
        return True
    filled = [line for line in [*lines, last] if line]
    return not filled or any("event_id" in (parse_line(line)[0] or {}) for line in filled)
