"""What a tool call of Codex names: shell commands, and the files that it reads or writes."""

import posixpath
import re
import shlex
from typing import Any, NamedTuple

from skilltune.sources.codex.records import Payload, decode_arguments, loads
from skilltune.sources.shell import read_paths, written_paths
from skilltune.sources.skill_files import SKILL_FILE, skill_files

__all__ = ["Call", "Named", "named_files", "patched_paths", "read_call", "shell_text"]

_SHELL_FLAGS = frozenset({"-c", "-lc", "-ic", "-Command", "-command", "/c"})
_PATCHED = re.compile(r"^\*\*\* (?:Add File|Update File|Delete File|Move to):([^\r\n]++)", re.MULTILINE)
_PATCH = "*** Begin Patch"
_SCRIPTED = re.compile(r"""["']?\bcmd["']?\s{0,20}:\s{0,20}("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)""")
_SCRIPT_TOOL = "exec"
_SHOWS = re.compile(
    r"""(?:\A|[;&|\n])[ \t\r]{0,99}"""
    r"""(?:cat|less|(?:head|tail)(?: -n)?(?: -?\d{1,9})?|sed -n (?:'[^'\n]{0,99}'|"[^"\n]{0,99}"))"""
    r"""[ ]([^\s;&|'"\\<>()$`*?-][^\s;&|'"\\<>()$`*?]{0,999})"""
)
_READERS = ("sed -n ", "cat ", "head ", "tail ", "less ")
_WRITES = re.compile(r">|\b(?:cp|install|mv|perl|sed|tee)\b")
"""What a command that writes has in it: to read its words takes time."""
_MAX_CHARS = 5_000
_MAX_SCRIPTED = 50
_MAX_PATCHED = 200


class Call(NamedTuple):
    """A tool call."""

    name: str
    commands: tuple[str, ...]
    folder: str
    """Where the commands run, '' where that is the session's."""
    edited: tuple[str, ...]
    touched: tuple[str, ...]


class Named(NamedTuple):
    """The files a command names."""

    skills: tuple[str, ...]
    """SKILL.md files that it plainly shows."""
    edited: tuple[str, ...]
    touched: tuple[str, ...]


def read_call(payload: Payload) -> Call:
    """What a call names, of whatever kind it is."""
    kind = payload.type
    if kind == "local_shell_call":
        return _from_arguments("local_shell", payload.action)
    if kind == "web_search_call":
        return Call("web_search", (), "", (), ())
    name = payload.name or _text(payload.function, "name")
    if kind == "custom_tool_call":
        return _from_input(name, payload.input)
    return _from_arguments(name, payload.arguments)


def shell_text(command: str | list[str] | None) -> str:
    """A shell command as text: given as text, or as words of which the last may be a script."""
    if not isinstance(command, list):
        return command or ""
    return command[-1] if len(command) > 2 and command[-2] in _SHELL_FLAGS else shlex.join(command)


def named_files(command: str, *, folder: str) -> Named:
    """The files that a shell command shows or writes."""
    edited = list(patched_paths(command)) if _PATCH in command else []
    if SKILL_FILE not in command:
        return Named((), tuple(edited), _shown_paths(command))
    skills = skill_files(read_paths(command))
    if not skills and _WRITES.search(command):
        edited += skill_files(written_paths(command))
    return Named(tuple([posixpath.join(folder, path) for path in skills]), tuple(dict.fromkeys(edited)), ())


def _shown_paths(command: str) -> tuple[str, ...]:
    """The first file that each call of a reading program shows, where the command plainly says it."""
    return tuple(_SHOWS.findall(command[:_MAX_CHARS])) if any(map(command.__contains__, _READERS)) else ()


def patched_paths(patch: str) -> tuple[str, ...]:
    """The files that a patch adds, updates, moves or deletes."""
    return tuple(dict.fromkeys(filter(None, map(str.strip, _PATCHED.findall(patch)))))[:_MAX_PATCHED]


def _from_arguments(name: str, arguments: Any) -> Call:
    given = decode_arguments(arguments)
    command = shell_text(given.cmd or given.command)
    patch, path = given.input or given.patch or "", given.path or given.file_path
    return Call(
        name,
        (command,) if command else (),
        given.workdir or given.cwd or "",
        patched_paths(patch) if _PATCH in patch else (),
        (path,) if path else (),
    )


def _from_input(name: str, given: Any) -> Call:
    """A call whose input is a text: a patch, a script of calls, or arguments after all."""
    if not isinstance(given, str):
        return _from_arguments(name, given)
    if _PATCH in given and name != _SCRIPT_TOOL:
        return Call(name, (), "", patched_paths(given), ())
    if name == _SCRIPT_TOOL:
        return Call(
            name,
            _scripted_commands(given),
            "",
            patched_paths(given.replace("\\n", "\n")) if _PATCH in given else (),
            (),
        )
    return _from_arguments(name, given if given.lstrip().startswith("{") else None)


def _scripted_commands(script: str) -> tuple[str, ...]:
    """The shell commands that a script of tool calls plainly spells out."""
    found = [match[1] for match in _SCRIPTED.finditer(script)][:_MAX_SCRIPTED]
    return tuple(text for quoted in found if (text := _unquoted(quoted)))


def _unquoted(quoted: str) -> str:
    value = loads(quoted) if quoted.startswith('"') else quoted[1:-1]
    return value if isinstance(value, str) else ""


def _text(value: Any, name: str) -> str:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
