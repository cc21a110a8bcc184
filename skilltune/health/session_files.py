"""The files of sessions on this machine, as far as it takes no reading."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from skilltune.scan.sessions import Paths, default_roots, may_exist
from skilltune.sources import SOURCES
from skilltune.stores.paths import expand_path, look_at

__all__ = ["SessionFiles", "find_session_files"]


@dataclass(frozen=True, slots=True)
class SessionFiles:
    """The files, each with the time when it was last written, in seconds since 1970."""

    written: Mapping[Path, float]

    @property
    def paths(self) -> list[Path]:
        """The files, the one that was written last first."""
        return sorted(self.written, key=lambda path: (-self.written[path], str(path)))

    @property
    def newest(self) -> datetime | None:
        """When the last of them was written; None where there are none."""
        return datetime.fromtimestamp(max(self.written.values()), UTC) if self.written else None


def find_session_files(places: Paths | None = None) -> SessionFiles:
    """What may be a session below `places`, or where the agents keep them; links that lead nowhere are left out."""
    if places is None:
        roots = default_roots()
    else:
        roots = [expand_path(place) for place in ([places] if isinstance(places, str | Path) else places)]
    paths = {
        path
        for source in SOURCES.values()
        for root in roots
        if may_exist(root)
        for path in source.find_files(root, on_error=_pass_over)
    }
    found = ((path, look_at(path)) for path in paths)
    return SessionFiles({path: told.st_mtime for path, told in found if told is not None})


def _pass_over(_path: Path, _reason: str) -> None:
    """What cannot be looked at is no session here; ``skilltune sources`` names it."""
