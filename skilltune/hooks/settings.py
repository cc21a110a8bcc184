"""Hooks in the settings of Claude Code, as values: what is there of ours, and the settings with or without it.

An entry is ours by what it runs: ``skilltune hook NAME`` with a name that skilltune has, whatever the path before it.
"""

import copy
import ntpath
import posixpath
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from skilltune.errors import InputError

__all__ = ["HookEntry", "Installed", "find_installed", "hook_block", "hook_entries", "with_hooks", "without_hooks"]

Settings = dict[str, Any]

_EVERY_TOOL: Final = "*"
_SECONDS: Final = 5
_END_SECONDS: Final = 15


@dataclass(frozen=True, slots=True)
class HookEntry:
    """One hook that is to run: at which event, for which tools, and for how long at most."""

    event: str
    matcher: str | None
    name: str
    timeout: int


@dataclass(frozen=True, slots=True)
class Installed:
    """One entry of ours that stands in settings."""

    event: str
    matcher: str | None
    name: str
    command: str


_CAPTURE: Final = (
    HookEntry("UserPromptSubmit", None, "prompt", _SECONDS),
    HookEntry("PostToolUse", "Skill|Read", "skill-use", _SECONDS),
    HookEntry("Stop", None, "session-end", _END_SECONDS),
    HookEntry("SessionEnd", None, "session-end", _END_SECONDS),
)
_OBSERVE: Final = (
    HookEntry("PostToolUse", _EVERY_TOOL, "observe", _SECONDS),
    HookEntry("PostToolUseFailure", _EVERY_TOOL, "observe", _SECONDS),
)
_NAMES: Final = frozenset(entry.name for entry in (*_CAPTURE, *_OBSERVE))


def hook_entries(*, observe: bool) -> tuple[HookEntry, ...]:
    """The hooks to install; with `observe` also those that see every tool call."""
    return (*_CAPTURE, *_OBSERVE) if observe else _CAPTURE


def hook_block(program: Sequence[str], *, observe: bool) -> Settings:
    """What ``install`` puts into settings that hold nothing else.

    Parameters
    ----------
    program
        The words that run skilltune: whole paths.
    """
    return with_hooks({}, program, observe=observe)


def with_hooks(settings: Settings, program: Sequence[str], *, observe: bool) -> Settings:
    """`settings` with our hooks, everything else in its place; what is there already stays where it is.

    An entry of ours that runs another program is pointed at this one; one that is there twice goes.

    Raises
    ------
    InputError
        When the settings hold something else than lists of hooks where these belong.
    """
    changed = copy.deepcopy(settings)
    _check_shape(changed)
    wanted = {(entry.event, entry.matcher, entry.name): entry for entry in hook_entries(observe=observe)}
    met: set[tuple[str, str | None, str]] = set()
    gone: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
    for event, group, entry in list(_ours(changed)):
        key = (event, _matcher(group), _hook_name(entry))
        if key in met or (key not in wanted and key[2] != "observe"):
            gone.append((event, group, entry))
            continue
        met.add(key)
        if key in wanted:
            entry.update(_row(wanted[key], program))
    for missing in (entry for key, entry in wanted.items() if key not in met):
        matched = {} if missing.matcher is None else {"matcher": missing.matcher}
        groups = changed.setdefault("hooks", {}).setdefault(missing.event, [])
        groups.append({**matched, "hooks": [_row(missing, program)]})
    _drop(changed, gone)
    return changed


def without_hooks(settings: Settings) -> Settings:
    """`settings` without our hooks, and without the groups, lists and the section that these leave empty.

    Raises
    ------
    InputError
        As of ``with_hooks``.
    """
    changed = copy.deepcopy(settings)
    _check_shape(changed)
    _drop(changed, list(_ours(changed)))
    return changed


def find_installed(settings: Settings) -> list[Installed]:
    """Our hooks in `settings`, in their order.

    Raises
    ------
    InputError
        As of ``with_hooks``.
    """
    _check_shape(settings)
    return [
        Installed(event, _matcher(group), _hook_name(entry), entry["command"])
        for event, group, entry in _ours(settings)
    ]


def _check_shape(settings: Settings) -> None:
    """Raise where something else stands in the place of hooks: to write there would break it."""
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise InputError('"hooks" is no object')
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise InputError(f'"hooks.{event}" is no list')


def _ours(settings: Settings) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Event, group and entry of each hook of ours."""
    for event, groups in settings.get("hooks", {}).items():
        for group in groups:
            entries = group.get("hooks") if isinstance(group, dict) else None
            for entry in entries if isinstance(entries, list) else ():
                if isinstance(entry, dict) and _hook_name(entry):
                    yield event, group, entry


def _hook_name(entry: dict[str, Any]) -> str:
    """The hook that an entry runs, '' where it is not ours."""
    command = entry.get("command")
    if entry.get("type") != "command" or not isinstance(command, str):
        return ""
    try:
        words = shlex.split(command)
    except ValueError:
        return ""
    *program, verb, name = words if len(words) > 2 else ["", "", ""]
    if verb != "hook" or name not in _NAMES or not program:
        return ""
    base = posixpath.basename(ntpath.basename(program[-1])).removesuffix(".exe")
    alone = len(program) == 1 or program[-2] == "-m"
    return name if base == "skilltune" and alone else ""


def _matcher(group: dict[str, Any]) -> str | None:
    matcher = group.get("matcher")
    return matcher if isinstance(matcher, str) and matcher else None


def _row(entry: HookEntry, program: Sequence[str]) -> dict[str, Any]:
    return {"type": "command", "command": shlex.join([*program, "hook", entry.name]), "timeout": entry.timeout}


def _drop(changed: Settings, gone: Sequence[tuple[str, dict[str, Any], dict[str, Any]]]) -> None:
    """Take entries out, and the groups, lists and the section that these leave empty; what was empty before stays."""
    for event, group, entry in gone:
        group["hooks"].remove(entry)
        if group["hooks"]:
            continue
        groups = changed["hooks"][event]
        groups[:] = [other for other in groups if other is not group]
        if not groups:
            del changed["hooks"][event]
        if not changed["hooks"]:
            del changed["hooks"]
