"""Where hooks write what belongs to a project, and whether its settings let them keep text."""

from pathlib import Path
from typing import Final

from skilltune.stores.homes import find_home, user_workspace
from skilltune.stores.paths import is_folder, look_at

__all__ = ["keeps_text", "observations_path"]

_WORKSPACE: Final = ".skilltune"
_SQUAD: Final = ".dev-squad"


def observations_path(folder: Path | None) -> Path:
    """``observations.jsonl``: in the nearest ``.dev-squad`` from `folder` upwards, else in the workspace.

    Raises
    ------
    InputError
        When it would be the user's own workspace and there is no home folder.
    """
    return (_nearest(folder, _SQUAD) or _workspace(folder)) / "observations.jsonl"


def keeps_text(folder: Path | None) -> bool:
    """Whether the settings of the workspace that `folder` belongs to let text be stored.

    Raises
    ------
    ConfigError
        When they hold a mistake.
    """
    path = _workspace(folder) / "config.toml"
    if look_at(path) is None:
        return True
    from skilltune.stores.config import read_config

    return read_config(path).privacy.snippets


def _workspace(folder: Path | None) -> Path:
    return _nearest(folder, _WORKSPACE) or user_workspace()


def _nearest(folder: Path | None, name: str) -> Path | None:
    """The nearest folder of that name, from `folder` upwards; above the home folder nothing is a project's."""
    if folder is None or not folder.is_absolute():
        return None
    home = find_home()
    for above in (folder, *folder.parents):
        if is_folder(above / name):
            return above / name
        if above == home:
            return None
    return None
