"""The skills and prompt commands that are installed on this machine, each with the digest of its text."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from skilltune.mining.digests import skill_digest
from skilltune.stores.files import read_small
from skilltune.stores.homes import find_claude_home, other_homes
from skilltune.stores.paths import current_folder, find_paths, is_folder

__all__ = [
    "find_installed_skills",
    "find_other_skill_files",
    "find_plugins",
    "find_project",
    "find_skill_files",
    "skills_in",
]

_OTHER_PROJECTS: Final = (".agents", ".codex", ".opencode")
"""Folders of a project in which the agents beside Claude Code look for skills."""


def find_installed_skills(cwd: Path | None = None, *, home: Path | None = None) -> dict[str, str]:
    """Skill id → digest of its text ('' where it cannot be read), sorted by id; see ``find_skill_files``.

    Without `home` the skills of the other agents that are read count, too; one of Claude Code's of the same name hides
    them.
    """
    others = find_other_skill_files(cwd) if home is None else {}
    found = others | find_skill_files(cwd, home=home)
    return {name: _digest(path) for name, path in sorted(found.items())}


def find_other_skill_files(cwd: Path | None = None) -> dict[str, Path]:
    """Skill id → its file, of the agents beside Claude Code: in the person's folders, and upwards from `cwd`."""
    here = cwd or current_folder()
    projects = [find_project(here, name=name) for name in _OTHER_PROJECTS]
    folders = [folder for folder in (*projects, *other_homes()) if folder is not None]
    singular = {path.stem: path for folder in folders for path in find_paths(folder, "command/*.md")}
    singular |= {path.parent.name: path for folder in folders for path in find_paths(folder, "skill/*/SKILL.md")}
    return singular | {name: path for folder in folders for name, path in skills_in(folder)}


def find_skill_files(cwd: Path | None = None, *, home: Path | None = None) -> dict[str, Path]:
    """Skill id → its file, sorted by id.

    Looked at are the user's folder, the nearest ``.claude`` upwards from `cwd`, and installed plugins, whose skills
    are named ``plugin:skill``. A user's skill hides a project's of the same name, as in Claude Code.

    Parameters
    ----------
    cwd
        Default the current folder; where that has been deleted there is no project.
    home
        Claude Code's folder; default ``~/.claude``, or where ``CLAUDE_CONFIG_DIR`` says.
    """
    home = home or find_claude_home()
    project = find_project(cwd or current_folder())
    found: dict[str, Path] = {}
    for plugin, folder in find_plugins(home / "plugins") if home else ():
        found |= {f"{plugin}:{name}": path for name, path in skills_in(folder)}
    for root in (project, home):
        found |= dict(skills_in(root)) if root else {}
    return dict(sorted(found.items()))


def find_project(cwd: Path | None, *, name: str = ".claude") -> Path | None:
    """The nearest ``.claude``, or other folder of that `name`, upwards; None for none."""
    here = cwd.resolve() if cwd else None
    above = (folder / name for folder in (here, *here.parents)) if here else ()
    return next((folder for folder in above if is_folder(folder)), None)


def skills_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Id and file of each skill and command in a folder; commands first, as a skill of the same name hides them."""
    for path in find_paths(folder, "commands/*.md"):
        yield path.stem, path
    for path in find_paths(folder, "commands/*/*.md"):
        yield f"{path.parent.name}:{path.stem}", path
    for path in find_paths(folder, "skills/*/SKILL.md"):
        yield path.parent.name, path


def find_plugins(folder: Path) -> Iterator[tuple[str, Path]]:
    """Name and folder of each installed plugin: as listed, else as cached (the last version)."""
    listed = list(_listed_plugins(folder / "installed_plugins.json"))
    if listed:
        yield from listed
        return
    for path in find_paths(folder, "cache/*/*/*"):
        if is_folder(path):
            yield path.parent.name, path


def _listed_plugins(path: Path) -> Iterator[tuple[str, Path]]:
    try:
        content = json.loads(read_small(path))
    except (OSError, ValueError, RecursionError):
        return
    plugins = content.get("plugins") if isinstance(content, dict) else None
    for name, entries in plugins.items() if isinstance(plugins, dict) else ():
        for entry in entries if isinstance(entries, list) else [entries]:
            if install := _install_path(entry):
                yield name.partition("@")[0], Path(install)


def _install_path(entry: Any) -> str:
    path = entry.get("installPath") if isinstance(entry, Mapping) else None
    return path if isinstance(path, str) else ""


def _digest(path: Path) -> str:
    try:
        return skill_digest(read_small(path).decode("utf-8", "replace"))
    except OSError:
        return ""
