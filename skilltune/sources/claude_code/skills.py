"""How a transcript shows that a skill was used: its name, its body, reads of its file."""

import re
import shlex
from typing import Any, NamedTuple

from skilltune.sources.claude_code.records import Input

__all__ = ["READ_TOOLS", "SHELL_TOOLS", "SKILL_FILE", "Body", "called_skill", "read_skills", "split_body"]

READ_TOOLS = frozenset({"Read", "View", "ReadFile", "read_file"})
SHELL_TOOLS = frozenset({"Bash", "bash", "Shell", "shell"})

SKILL_FILE = "SKILL.md"
_BASE = re.compile(r"\A\s*Base directory for this skill:[ \t]*([^\r\n]*)(?:\r?\n|\Z)")
_ARGUMENTS = "\nARGUMENTS:"
_NOT_PLAIN = re.compile(r"[;&<>`\n(){}]|\$\(|\|\|")
_HARMLESS = re.compile(r"\s*2>\s*/dev/null\b|\s*2>&1\b")
_FILTERS = frozenset({"head", "tail", "cat", "less"})


class Body(NamedTuple):
    """An injected skill body."""

    base_dir: str
    text: str
    """The instructions alone."""


def split_body(text: str) -> Body:
    """The base directory an injected body names, and its instructions less the arguments at their end."""
    base = _BASE.match(text)
    rest = text[base.end() :] if base else text
    end = rest.rfind(_ARGUMENTS)
    return Body(base[1].strip() if base else "", rest if end < 0 else rest[:end])


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
        return _skill_files([call.file_path if call.file_path is not None else call.path])
    if tool in SHELL_TOOLS and isinstance(call.command, str) and SKILL_FILE in call.command:
        return _skill_files(_shell_reads(call.command))
    return []


def skill_of(path: str) -> str:
    """The folder that holds a SKILL.md."""
    return path.replace("\\", "/").rstrip("/").split("/")[-2]


def _skill_files(paths: list[Any]) -> list[str]:
    return [path for path in dict.fromkeys(p for p in paths if isinstance(p, str)) if _is_skill_file(path)]


def _is_skill_file(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    return len(parts) > 1 and parts[-1] == SKILL_FILE and parts[-2] not in ("", ".", "..", "~")


def _shell_reads(command: str) -> list[str]:
    """What one plain ``cat``, ``head``, ``tail`` or ``sed -n`` reads; [] for anything else."""
    plain = _HARMLESS.sub("", command.strip())
    if _NOT_PLAIN.search(plain):
        return []
    try:
        first, *filters = [shlex.split(part) for part in plain.split("|")]
    except ValueError:
        return []
    if not first or any(not words or words[0] not in _FILTERS for words in filters):
        return []
    reads = first[0] in ("cat", "head", "tail") or first[:2] == ["sed", "-n"]
    return [word for word in first[1:] if not word.startswith("-")] if reads else []
