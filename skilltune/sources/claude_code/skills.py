"""How a transcript shows that a skill was used: its name, its body, reads of its file."""

import re
from typing import Literal, NamedTuple

from skilltune.facts import UseFact
from skilltune.mining.digests import ARGUMENTS
from skilltune.sources.claude_code.records import Input, Record
from skilltune.sources.claude_code.words import Slash
from skilltune.sources.session import microseconds
from skilltune.sources.shell import read_paths, written_paths
from skilltune.sources.skill_files import SKILL_FILE, skill_files

__all__ = [
    "READ_TOOLS",
    "SHELL_TOOLS",
    "Body",
    "called_skill",
    "names_base",
    "read_skills",
    "slash_use",
    "split_body",
    "written_skills",
]

READ_TOOLS = frozenset({"Read", "View", "ReadFile", "read_file"})
SHELL_TOOLS = frozenset({"Bash", "bash", "Shell", "shell"})

_BASE = re.compile(r"\A\s*+Base directory for this skill:[ \t]*+([^\r\n]*+)(?:\r?\n|\Z)")
_APPENDED = "\nARGUMENTS:"
_LEAST_ARGUMENTS = 3
_MAX_COMPARED = 4_000_000
"""Characters that may be compared to tell arguments from parts of longer words."""
_WORD_INSIDE = re.compile(r"[A-Za-z0-9_]{2}")


class Body(NamedTuple):
    """An injected skill body."""

    base_dir: str
    text: str
    """The instructions alone, with ``$ARGUMENTS`` for what was put there."""


def names_base(text: str) -> bool:
    """Whether a text begins as an injected skill body does, which some versions do not mark as their own."""
    return _BASE.match(text) is not None


def split_body(text: str, *, arguments: str = "") -> Body:
    """The base directory an injected body names, and its instructions less the arguments of this use."""
    base = _BASE.match(text)
    rest = text[base.end() :] if base else text
    return Body(base[1].strip() if base else "", _without_arguments(rest, arguments.strip()))


def _without_arguments(body: str, arguments: str) -> str:
    """`body` less the arguments: they stand at the end of a skill that has no place for them, else in their places."""
    end = body.rfind(_APPENDED)
    if end >= 0:
        appended = body[end + len(_APPENDED) :].strip()
        if not arguments or appended == arguments or not appended.startswith(arguments):
            return body[:end]
    return body if len(arguments) < _LEAST_ARGUMENTS else _with_places(body, arguments)


def _with_places(body: str, arguments: str) -> str:
    """`body` with ``$ARGUMENTS`` where `arguments` stand by themselves: not as a part of a longer word."""
    pieces, start, tries = [], 0, _MAX_COMPARED // len(arguments)
    at = body.find(arguments)
    while at >= 0 and tries >= 0:
        end = at + len(arguments)
        if _WORD_INSIDE.match(body[max(at - 1, 0) : at + 1]) or _WORD_INSIDE.match(body[end - 1 : end + 1]):
            at, tries = body.find(arguments, at + 1), tries - 1
            continue
        pieces += [body[start:at], ARGUMENTS]
        start, at = end, body.find(arguments, end)
    return "".join(pieces) + body[start:]


def slash_use(record: Record, line: int, slash: Slash, *, queued: bool = False) -> UseFact:
    """The sign of a slash command; `queued`, or in a ``system`` record, it does not tell commands from skills."""
    form: Literal["system", "message_first", "name_first"] = "message_first" if slash.message_first else "name_first"
    return UseFact(
        line=line,
        uuid=record.uuid or "",
        call_id="",
        at=microseconds(record.timestamp),
        skill_id=slash.skill_id,
        via="slash",
        form="system" if queued or record.type == "system" else form,
        args=slash.args,
    )


def called_skill(call: Input | None) -> str:
    """The skill that a ``Skill`` call names, or ''."""
    if call is None:
        return ""
    for value in (call.skill, call.command, call.name):
        if isinstance(value, str) and (name := value.strip().removeprefix("/").strip()):
            return name
    return ""


def read_skills(tool: str, call: Input) -> list[str]:
    """Paths of the SKILL.md files that a tool call plainly reads."""
    if tool in READ_TOOLS:
        return skill_files([call.file_path if call.file_path is not None else call.path])
    if tool in SHELL_TOOLS and isinstance(call.command, str) and SKILL_FILE in call.command:
        return skill_files(read_paths(call.command))
    return []


def written_skills(tool: str, call: Input) -> list[str]:
    """Paths of the SKILL.md files that a shell command writes."""
    if tool in SHELL_TOOLS and isinstance(call.command, str) and SKILL_FILE in call.command:
        return skill_files(written_paths(call.command))
    return []
