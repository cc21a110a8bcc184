"""The workspace: the folder that holds a person's (or a project's) log, settings and cache."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skilltune.errors import InputError
from skilltune.stores.config import Config, read_config
from skilltune.stores.files import make_folder, replace_file
from skilltune.stores.homes import find_home, user_workspace
from skilltune.stores.paths import current_folder, expand_path, is_folder, look_at

__all__ = ["FOLDER", "Workspace", "find_workspace"]

FOLDER: Final = ".skilltune"
"""Name of a workspace's folder."""
LEGACY_FOLDER: Final = "feedback-store"
_OWN: Final = ("feedback.jsonl", "ledger.jsonl", "labels.jsonl", "config.toml")
"""What makes a folder of any name a workspace."""
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

    named: Path | None
    """The folder that was named or found; None for the user's own."""
    cwd: Path
    """The folder that relative outputs start from."""
    legacy: bool = False
    """The log is ``feedback-store/feedback.jsonl`` of the current folder, which other tools made."""

    @property
    def folder(self) -> Path:
        """The workspace's folder.

        Raises
        ------
        InputError
            When it is the user's own and there is no home folder.
        """
        return self.named or user_workspace()

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
        """The settings, read anew; the defaults where there is no home folder that could hold any.

        Raises
        ------
        ConfigError
            When they hold a mistake.
        """
        if self.home_is_missing:
            return Config()
        return read_config(self.config_path)

    @property
    def home_is_missing(self) -> bool:
        """Whether it is the user's own and there is no home folder that could hold it."""
        return self.named is None and find_home() is None

    @property
    def reports_path(self) -> Path:
        """The folder for reports: ``reports`` in the current folder, or what the settings say."""
        return self.cwd / expand_path(self.config.report.output)

    def create(self) -> "Workspace":
        """Make the folder and its ``.gitignore`` (all but settings and instincts), unless they are there."""
        make_folder(self.folder)
        ignore = self.folder / ".gitignore"
        if look_at(ignore) is None:
            replace_file(ignore, _GITIGNORE)
        return self


def find_workspace(cwd: Path | None = None, *, explicit: str | Path | None = None) -> Workspace:
    """The workspace to use: the one named, else the nearest ``.skilltune`` upwards, else the user's.

    Unless one is named, a folder ``feedback-store`` in the current folder keeps the log that is there. A folder that
    may not be looked at counts as not there.

    Parameters
    ----------
    cwd
        Default the current folder.
    explicit
        What ``--workspace`` says; it need not be there yet. Of a folder that is no workspace itself and holds one, as
        that of a project, the ``.skilltune`` in it.

    Raises
    ------
    InputError
        When `explicit` is a file or no path, or the current folder is needed and has been deleted.
    """
    here = cwd or current_folder()
    if explicit is not None:
        return _named(explicit, here=here and here.resolve())
    if here is None:
        raise InputError("the current folder has been deleted: change to another one, or name --workspace")
    here = here.resolve()
    above = (folder / FOLDER for folder in (here, *here.parents))
    found = next((folder for folder in above if is_folder(folder)), None)
    return Workspace(named=found, cwd=here, legacy=is_folder(here / LEGACY_FOLDER))


def _named(explicit: str | Path, *, here: Path | None) -> Workspace:
    """The workspace at `explicit`; without a current folder outputs go there, too."""
    folder = expand_path(explicit)
    if here is None and not folder.is_absolute():
        raise InputError(
            f"the current folder has been deleted, so --workspace {explicit} is nowhere; write the whole path"
        )
    folder = here / folder if here else folder
    if look_at(folder) is not None and not is_folder(folder):
        raise InputError(f"--workspace {explicit} is a file; name a folder, such as {FOLDER}")
    own = any(look_at(folder / name) is not None for name in _OWN)
    folder = folder / FOLDER if not own and is_folder(folder / FOLDER) else folder
    return Workspace(named=folder.resolve(), cwd=here or folder.resolve())
