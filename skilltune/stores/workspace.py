"""The workspace: the folder that holds a person's (or a project's) log, settings and cache."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skilltune.errors import InputError
from skilltune.stores.config import Config, read_config
from skilltune.stores.files import make_folder, replace_file
from skilltune.stores.homes import user_workspace

__all__ = ["FOLDER", "Workspace", "find_workspace"]

FOLDER: Final = ".skilltune"
"""Name of a workspace's folder."""
LEGACY_FOLDER: Final = "feedback-store"
_GITIGNORE: Final = b"""\
# Logs, labels and the cache hold what people said: they stay on this machine.
*
!.gitignore
!config.toml
!instincts/
!instincts/**
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """Where things are; nothing is made before ``create``."""

    folder: Path
    cwd: Path
    """The folder that relative outputs start from."""
    legacy: bool = False
    """The log is ``feedback-store/feedback.jsonl`` of the current folder, which other tools made."""

    @property
    def feedback_path(self) -> Path:
        """The feedback log."""
        return (self.cwd / LEGACY_FOLDER if self.legacy else self.folder) / "feedback.jsonl"

    @property
    def config_path(self) -> Path:
        """The settings' file."""
        return self.folder / "config.toml"

    @property
    def config(self) -> Config:
        """The settings, read anew.

        Raises
        ------
        ConfigError
            When they hold a mistake.
        """
        return read_config(self.config_path)

    @property
    def reports_path(self) -> Path:
        """The folder for reports: ``reports`` in the current folder, or what the settings say."""
        return self.cwd / Path(self.config.report.output).expanduser()

    def create(self) -> "Workspace":
        """Make the folder and its ``.gitignore`` (all but settings and instincts), unless they are there."""
        make_folder(self.folder)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            replace_file(ignore, _GITIGNORE)
        return self


def find_workspace(cwd: Path | None = None, *, explicit: str | Path | None = None) -> Workspace:
    """The workspace to use: the one named, else the nearest ``.skilltune`` upwards, else the user's.

    Unless one is named, a folder ``feedback-store`` in the current folder keeps the log that is there.

    Parameters
    ----------
    cwd
        Default the current folder.
    explicit
        What ``--workspace`` says; it need not be there yet.

    Raises
    ------
    InputError
        When `explicit` is a file.
    """
    here = (cwd or Path.cwd()).resolve()
    if explicit is None:
        above = (folder / FOLDER for folder in (here, *here.parents))
        found = next((folder for folder in above if folder.is_dir()), None)
        return Workspace(folder=found or user_workspace(), cwd=here, legacy=(here / LEGACY_FOLDER).is_dir())
    folder = here / Path(explicit).expanduser()
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--workspace {explicit} is a file; name a folder, such as {FOLDER}")
    return Workspace(folder=folder.resolve(), cwd=here)
