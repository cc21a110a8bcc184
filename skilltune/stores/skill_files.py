"""Where the file of a skill is: the user's, the project's or a plugin's, and which others of its name it hides."""

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from skilltune.errors import InputError, SkillNotFoundError
from skilltune.evolution.skilldoc import SkillDoc
from skilltune.stores.files import read_head
from skilltune.stores.homes import find_claude_home
from skilltune.stores.paths import current_folder, expand_path, look_at
from skilltune.stores.skills import find_plugins, find_project, skills_in

__all__ = ["Place", "SkillFile", "all_skill_files", "check_new_name", "locate_skill"]

Place = Literal["user", "project", "plugin", "folder"]
"""Where a skill is: ``folder`` is one that was named and is none of the others."""
_NEW_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_HEAD_BYTES: Final = 256 * 1024
"""Bytes of a file in which its front matter is looked for."""
_SHOWN: Final = 5
"""Folders that a message lists."""
_READ_NAME: Final = re.compile(r"[^/\\\0:]+(?::[^/\\\0:]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillFile:
    """One skill's file on this machine."""

    skill_id: str
    path: Path
    """As it is found below the folder of skills, a link not followed."""
    place: Place
    shadows: tuple[Path, ...] = ()
    """Files of the same name that this one hides."""
    shadowed_by: Path | None = None
    """The file of the same name that hides this one."""

    @property
    def target(self) -> Path:
        """The file itself, links followed; what is written."""
        return self.path.resolve()

    @property
    def note(self) -> str:
        """What hides or is hidden, in words; '' for nothing."""
        if self.shadowed_by is not None:
            return f"hidden by {self.shadowed_by}"
        return f"hides {', '.join(map(str, self.shadows))}" if self.shadows else ""


def all_skill_files(cwd: Path | None = None, *, home: Path | None = None) -> list[SkillFile]:
    """Every skill's file, by id, the one that counts first: the user's hides the project's of the same name.

    Parameters
    ----------
    cwd, home
        As for ``find_skill_files``.
    """
    found: dict[str, list[tuple[Place, Path]]] = {}
    for skill_id, place, path in _found(cwd, home=home):
        found.setdefault(skill_id, []).append((place, path))
    files = []
    for skill_id in sorted(found):
        (place, first), *others = found[skill_id]
        files.append(SkillFile(skill_id=skill_id, path=first, place=place, shadows=tuple(path for _, path in others)))
        files += [SkillFile(skill_id=skill_id, path=path, place=kind, shadowed_by=first) for kind, path in others]
    return files


def locate_skill(
    skill_id: str,
    *,
    base_directory: str | Path | None = None,
    cwd: Path | None = None,
    home: Path | None = None,
    known_folders: Iterable[str | Path] = (),
) -> SkillFile:
    """The file of a skill.

    Parameters
    ----------
    skill_id
        Its name; ``plugin:skill`` for a plugin's.
    base_directory
        The skill's folder, installed or not: it holds a SKILL.md and is called as the skill, or its front matter says
        so. Where it is not given, the one that counts of those that are installed.
    cwd, home
        As for ``find_skill_files``.
    known_folders
        Folders from which uses of the skill are known, for the message where it is not installed here.

    Raises
    ------
    InputError
        The name would lead out of the folder of skills, or `base_directory` holds no skill of that name.
    SkillNotFoundError
        There is no such skill.
    """
    if not isinstance(skill_id, str) or not _READ_NAME.fullmatch(skill_id) or {".", ".."} & set(skill_id.split(":")):
        raise InputError(f"{str(skill_id)[:100]!r} is no name of a skill; a name has no slashes and leads nowhere else")
    files = all_skill_files(cwd, home=home)
    named = [file for file in files if file.skill_id == skill_id]
    if base_directory is not None:
        return _in_folder(skill_id, expand_path(base_directory), named=named)
    if not named:
        raise _not_installed(skill_id, files, known_folders=known_folders)
    return named[0]


def check_new_name(name: str) -> None:
    """Return if a new skill may have this name.

    Raises
    ------
    InputError
        It is not 1 to 64 of a–z, 0–9 and ``-``, or begins with ``-``, as an option does.
    """
    if not isinstance(name, str) or not _NEW_NAME.fullmatch(name):
        raise InputError(f"{str(name)[:100]!r} is no name for a skill; use 1 to 64 of a–z, 0–9 and -, not - first")


def _found(cwd: Path | None, *, home: Path | None) -> Iterator[tuple[str, Place, Path]]:
    """Every skill, those that count first; of a skill and a command of one name only the skill."""
    home = home or find_claude_home()
    project = find_project(cwd or current_folder())
    same = home is not None and project is not None and _same(home, project)
    for place, folder in (("user", home), ("project", None if same else project)):
        for skill_id, path in dict(skills_in(folder)).items() if folder else ():
            yield skill_id, place, path  # type: ignore[misc]  # the two literals above
    plugins: dict[str, Path] = {}
    for plugin, folder in find_plugins(home / "plugins") if home else ():
        plugins |= {f"{plugin}:{name}": path for name, path in skills_in(folder)}
    for skill_id, path in plugins.items():
        yield skill_id, "plugin", path


def _in_folder(skill_id: str, folder: Path, *, named: Iterable[SkillFile]) -> SkillFile:
    """The file of a skill in a folder that was named: one of those installed, or any that holds it."""
    installed = [file.path.parent for file in named]
    for file in named:
        if file.path.parent == folder or _same(file.path.parent, folder):
            return file
    path = folder.absolute() / "SKILL.md"
    there = "none of that name is installed here"
    if installed:
        there = f"there is {', '.join(map(str, installed))}"
    if look_at(path) is None:
        raise InputError(f"{folder} holds no skill {skill_id[:100]!r}, for it has no SKILL.md; {there}")
    own = SkillDoc.of(read_head(path, _HEAD_BYTES)).name
    if skill_id.rpartition(":")[2] not in (folder.resolve().name, path.parent.name, own):
        raise InputError(
            f"{folder} holds no skill {skill_id[:100]!r}: its SKILL.md says "
            f"{f'name: {own[:100]!r}' if own else 'no name'}, and the folder is called otherwise; {there}"
        )
    return SkillFile(skill_id=skill_id, path=path, place="folder")


def _not_installed(
    skill_id: str, files: Iterable[SkillFile], *, known_folders: Iterable[str | Path]
) -> SkillNotFoundError:
    """That there is no such skill, and from where it was used, if that is known."""
    error = SkillNotFoundError(skill_id, {file.skill_id for file in files})
    folders = [str(folder) for folder in known_folders if look_at(Path(folder) / "SKILL.md") is not None]
    if folders:
        told = "; ".join(f"used from {folder}: add --skill-folder {shlex.quote(folder)}" for folder in folders[:_SHOWN])
        error.args = (f"no skill {skill_id[:100]!r} is installed; it is {told}",)
    return error


def _same(one: Path, other: Path) -> bool:
    """Whether both are one folder."""
    first, second = look_at(one), look_at(other)
    return first is not None and second is not None and (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
