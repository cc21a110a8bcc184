"""Which of several skills of one name something is about: the folder that a transcript names decides."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from skilltune.errors import InputError, ReadError, SkillNotFoundError
from skilltune.refining.places import SkillPlace, find_place
from skilltune.stores.paths import is_folder, look_at
from skilltune.stores.workspace import Workspace
from skilltune.workflow import read_events, read_invocations

if TYPE_CHECKING:
    import pandas as pd

_Item = TypeVar("_Item")

__all__ = [
    "Divided",
    "divide_by_folder",
    "other_folder",
    "placed_folder",
    "say_elsewhere",
    "used_folders",
    "used_folders_of",
]


@dataclass(frozen=True, slots=True)
class Divided(Generic[_Item]):
    """Evidence of one name: what is about the skill at hand, and how much is about another one, by its folder."""

    own: tuple[_Item, ...]
    elsewhere: dict[str, int]


def divide_by_folder(items: Iterable[_Item], *, folder_of: Callable[[_Item], str], place: SkillPlace) -> Divided[_Item]:
    """What of `items` is about the skill at `place`.

    Parameters
    ----------
    items
        Complaints or corrections of that skill's name.
    folder_of
        The folder that each names, '' for none.
    place
        The skill.

    Notes
    -----
    One that names a folder is about the skill there, also where a link leads to it. One that names none, or a folder
    that no longer exists, is about the skill that counts for the name here: the user's before the project's.
    """
    counts = _counts_here(place)

    @cache
    def owner(folder: str) -> str:
        """'' for the skill at hand."""
        named = placed_folder(folder)
        if named:
            return "" if _same(named, _folder(place)) else named
        return "" if counts == _folder(place) else str(counts)

    own: list[_Item] = []
    elsewhere: dict[str, int] = {}
    for item in items:
        if folder := owner(folder_of(item)):
            elsewhere[folder] = elsewhere.get(folder, 0) + 1
        else:
            own.append(item)
    return Divided(tuple(own), elsewhere)


def say_elsewhere(elsewhere: dict[str, int], *, noun: str, skill_id: str) -> tuple[str, ...]:
    """``3 complaints are about another lint-on-save, in DIR``, one for each folder."""
    return tuple(
        f"{count} {noun}{' is' if count == 1 else 's are'} about another {skill_id}, in {folder}"
        for folder, count in sorted(elsewhere.items())
    )


def placed_folder(folder: str) -> str:
    """`folder` with links followed where it exists; '' for none, and for one that no longer does."""
    if not folder or "\0" in folder:
        return ""
    path = Path(folder)
    return str(path.resolve()) if path.is_absolute() and is_folder(path) else ""


def other_folder(skill_id: str, *, named: str) -> str:
    """The folder that a transcript names, where another skill than the one that counts for the name is there; else ''.

    A folder that no longer exists is none.
    """
    folder = placed_folder(named)
    return "" if not folder or _is_installed(skill_id, folder) else folder


def used_folders(workspace: Workspace) -> dict[str, list[str]]:
    """Skill → the folders it was used from that are not the one that counts for its name here, the latest first.

    Only folders that still hold a ``SKILL.md``: what ``base_directory`` can name. Empty without a feedback log.
    """
    try:
        return used_folders_of(read_events(workspace.feedback_path), read_invocations(workspace.feedback_path))
    except ReadError:
        return {}


def used_folders_of(*tables: "pd.DataFrame") -> dict[str, list[str]]:
    """The same of the events and uses of a feedback log."""
    found: dict[str, list[str]] = {}
    for skill_id, folder in _latest_first([table for table in tables if "base_directory" in table]):
        named = placed_folder(folder)
        if named and look_at(Path(named) / "SKILL.md") and not _is_installed(skill_id, named):
            folders = found.setdefault(skill_id, [])
            if named not in folders:
                folders.append(named)
    return dict(sorted(found.items()))


def _latest_first(tables: "list[pd.DataFrame]") -> list[tuple[str, str]]:
    """Skill and folder of each use that names one."""
    import pandas as pd

    columns = ["skill_id", "base_directory", "timestamp"]
    parts = [
        table.loc[table["base_directory"].fillna("") != "", columns].astype({"timestamp": object}) for table in tables
    ]
    if not parts:
        return []
    rows = pd.concat(parts).assign(timestamp=lambda frame: pd.to_datetime(frame["timestamp"], utc=True))
    ordered = rows.sort_values("timestamp", ascending=False, na_position="last", kind="stable")
    ordered = ordered.drop_duplicates(["skill_id", "base_directory"])
    return list(zip(ordered["skill_id"].astype(str), ordered["base_directory"].astype(str), strict=True))


def _is_installed(skill_id: str, folder: str) -> bool:
    """Whether the name alone leads to the folder."""
    try:
        return _same(folder, _folder(find_place(skill_id)))
    except (SkillNotFoundError, InputError):
        return False


def _counts_here(place: SkillPlace) -> Path:
    """The folder of the skill that counts for the name; that of `place` where none is installed."""
    try:
        return _folder(find_place(place.skill_id))
    except (SkillNotFoundError, InputError):
        return _folder(place)


def _folder(place: SkillPlace) -> Path:
    return place.file.path.parent


def _same(folder: str, other: Path) -> bool:
    return Path(folder).resolve() == other.resolve()
