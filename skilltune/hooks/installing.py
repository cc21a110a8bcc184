"""Settings of Claude Code on disk: read whole or not at all, written with a copy of what was there."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from skilltune.errors import ConfigError, InputError
from skilltune.hooks.settings import Installed, find_installed, hook_block, hook_entries, with_hooks, without_hooks
from skilltune.stores.files import WriteLock, make_folder, read_small, replace_file
from skilltune.stores.homes import claude_home

__all__ = [
    "BACKUP",
    "Change",
    "HookState",
    "hook_state",
    "install_hooks",
    "missing_hooks",
    "own_program",
    "print_block",
    "read_settings",
    "settings_path",
    "uninstall_hooks",
]

Scope = Literal["user", "project"]
_Made = TypeVar("_Made")

BACKUP: Final = ".before-skilltune"
"""Ending of the copy that is made of settings before they are changed."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an act did to the settings."""

    path: Path
    changed: bool
    backup: Path | None = None
    """The copy of what was there; None where nothing was there, or nothing changed."""


@dataclass(frozen=True, slots=True)
class HookState:
    """What stands in one file of settings."""

    path: Path
    exists: bool
    hooks: tuple[Installed, ...] = ()
    problem: str = ""
    """Why the file cannot be understood, or ''."""


def settings_path(scope: Scope, *, cwd: Path | None = None) -> Path:
    """The file of settings: the person's own, or for a project the one that is not committed.

    A command names the program by its path on this machine, which is none of the project's other people's business.

    Raises
    ------
    InputError
        When there is no home folder.
    """
    if scope == "user":
        return claude_home() / "settings.json"
    return (cwd or Path.cwd()) / ".claude" / "settings.local.json"


def own_program() -> list[str]:
    """The words that run this skilltune, from any folder."""
    program = Path(sys.executable).with_name("skilltune.exe" if os.name == "nt" else "skilltune")
    # -P: else a module in the agent's folder would be run in the place of ours
    return [str(program)] if program.is_file() else [sys.executable, "-P", "-m", "skilltune"]


def print_block(*, observe: bool) -> str:
    """What ``install`` puts into settings, as JSON."""
    return json.dumps(hook_block(own_program(), observe=observe), indent=2, ensure_ascii=False)


def install_hooks(path: Path, *, observe: bool) -> Change:
    """Put our hooks into the settings at `path`; settings that have them all stay as they are, byte for byte.

    Raises
    ------
    ConfigError
        When the file cannot be read or understood; nothing was written.
    LogError
        When it cannot be written; it is then as it was.
    """
    return _change(path, lambda settings: with_hooks(settings, own_program(), observe=observe))


def uninstall_hooks(path: Path) -> Change:
    """Take our hooks out of the settings at `path`, and nothing else; errors as of ``install_hooks``."""
    return _change(path, without_hooks)


def hook_state(path: Path) -> HookState:
    """What stands in the settings at `path`, also where they cannot be understood."""
    try:
        content = _read(path)
        settings = read_settings(path, content)
        return HookState(path, exists=content is not None, hooks=tuple(_of(path, settings, find_installed)))
    except ConfigError as error:
        return HookState(path, exists=True, problem=str(error))


def missing_hooks(states: tuple[HookState, ...]) -> list[str]:
    """Events of the capture hooks that none of `states` has, as ``event (hook)``."""
    there = {(hook.event, hook.name) for state in states for hook in state.hooks}
    wanted = [(entry.event, entry.name) for entry in hook_entries(observe=False)]
    return [f"{event} ({name})" for event, name in wanted if (event, name) not in there]


def read_settings(path: Path, content: bytes | None) -> dict[str, Any]:
    """The settings that a file holds, {} where it is not there or empty.

    Raises
    ------
    ConfigError
        When it is no JSON object, or names a key twice: to write it back would lose one.
    """
    if content is None or not content.strip():
        return {}
    try:
        settings = json.loads(content.decode("utf-8-sig"), object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise ConfigError(
            f"{path} is no JSON ({where}); nothing was written: correct it, then run this again"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} cannot be understood ({error}); nothing was written") from error
    if not isinstance(settings, dict):
        raise ConfigError(f"{path} holds no JSON object; nothing was written: correct it, then run this again")
    return settings


def _change(path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Change:
    place = path.resolve()
    make_folder(place.parent)
    with WriteLock(place.with_name(place.name + ".lock")).held():
        content = _read(place)
        settings = read_settings(place, content)
        changed = _of(place, settings, change)
        if changed == settings:
            return Change(place, changed=False)
        backup = None
        if content is not None:
            backup = place.with_name(place.name + BACKUP)
            replace_file(backup, content)
        replace_file(place, _dump(changed, like=content or b""))
    return Change(place, changed=True, backup=backup)


def _of(path: Path, settings: dict[str, Any], step: Callable[[dict[str, Any]], _Made]) -> _Made:
    """What `step` makes of settings; what is wrong with them is told with the file's name."""
    try:
        return step(settings)
    except InputError as error:
        raise ConfigError(f"{path}: {error}; nothing was written: correct it, then run this again") from error


def _read(path: Path) -> bytes | None:
    try:
        return read_small(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror or error}); nothing was written") from error


def _dump(settings: dict[str, Any], *, like: bytes) -> bytes:
    """`settings` as JSON, with the indent and the line ends of what was there."""
    text = like.decode("utf-8", "replace")
    first = next((line for line in text.splitlines()[1:] if line.strip()), "  ")
    indent = first[: len(first) - len(first.lstrip())] or "  "
    dumped = json.dumps(settings, indent=indent, ensure_ascii=False)
    if not _is_plain(dumped):
        dumped = json.dumps(settings, indent=indent)
    ended = dumped if like.strip() and not text.endswith("\n") else dumped + "\n"
    return (ended.replace("\n", "\r\n") if "\r\n" in text else ended).encode()


def _is_plain(text: str) -> bool:
    """Whether a text can be written as UTF-8: half of a surrogate pair cannot, it stays an escape."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands there twice")
    return found
