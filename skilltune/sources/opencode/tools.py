"""Tool calls of OpenCode: what they read, write and run, and what became of them."""

import re
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from skilltune.sources.opencode.records import Input, State, decode_raw, object_of, text_of
from skilltune.sources.opencode.values import as_text
from skilltune.sources.shell import read_paths, written_paths
from skilltune.sources.skill_files import SKILL_FILE, skill_files

__all__ = [
    "PLAN_TOOL",
    "SHELL_TOOL",
    "SKILL_TOOL",
    "Body",
    "Ending",
    "answers_in",
    "edited_paths",
    "ending_of",
    "input_of",
    "read_skills",
    "skill_body",
    "touched_path",
]

SKILL_TOOL = "skill"
SHELL_TOOL = "bash"
PLAN_TOOL = "plan_exit"
QUESTION_TOOL = "question"
_EDIT_TOOLS = frozenset({"edit", "write", "multiedit", "patch", "apply_patch"})
_READ_TOOLS = frozenset({"read", "view"})

_REFUSED = re.compile(r"\s*(?:\w*Error:\s*)?The user rejected permission to use this specific tool call", re.ASCII)
_FEEDBACK = re.compile(r" with the following feedback:\s*")
_BY_RULE = re.compile(
    r"\s*(?:\w*Error:\s*)?(?:The user has specified a rule which prevents you from using"
    r"|This agent is not allowed to use this tool)",
    re.ASCII,
)
_DISMISSED = re.compile(r"\s*(?:\w*Error:\s*)?The user dismissed this question", re.ASCII)
_ABORTED = re.compile(r"\s*(?:\w*Error:\s*)?(?:Tool execution (?:was )?(?:aborted|cancell?ed)|Aborted\b)", re.ASCII)
_UNKNOWN_SKILL = re.compile(
    r"""\s*(?:\w*Error:\s*)?(?:Unknown skill|Skill ["'].{0,300}["'] not found)""", re.ASCII | re.DOTALL
)
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.{1,4000})$", re.MULTILINE)
_MAX_PATCH = 2_000_000
_HEADING = re.compile(r"(?:<skill_content\b[^>\n]{0,500}>\s*)?#{1,2} Skill: [^\n]{0,500}\n+")
_OLD_BASE = re.compile(r"\*\*Base directory\*\*:[ \t]*([^\n]{0,4000})\n+")
_NEW_BASE = "\nBase directory for this skill:"

_decode_input = msgspec.json.Decoder(Input).decode


class Ending(NamedTuple):
    """What became of a tool call."""

    kind: Literal["open", "done", "error", "refused", "forbidden", "dismissed", "aborted", "unknown_skill"]
    """``refused``: by the person; ``forbidden``: by a rule; ``dismissed``: a question that the person left unanswered;
    ``open``: there is no result."""
    words: str = ""
    """What the person said when they refused."""


class Body(NamedTuple):
    """The text of a skill, as its tool gave it to the agent."""

    text: str
    base_dir: str


def input_of(state: State) -> Input:
    """What the tool was called with."""
    return decode_raw(state.input, _decode_input) or Input()


def ending_of(state: State, *, tool: str) -> Ending:
    """What became of a call, by its status, its error and a shell's exit code."""
    status = as_text(state.status)
    if status == "error":
        return _failed(as_text(state.error))
    if status not in ("completed", "success"):
        return Ending("open")
    code = object_of(state.metadata).get("exit") if tool == SHELL_TOOL else None
    return Ending("error" if isinstance(code, int) and code not in (0, False) else "done")


def _failed(error: str) -> Ending:
    if refused := _REFUSED.match(error):
        said = _FEEDBACK.match(error, refused.end())
        return Ending("refused", error[said.end() :].strip() if said else "")
    if _BY_RULE.match(error):
        return Ending("forbidden")
    if _DISMISSED.match(error):
        return Ending("dismissed")
    if _ABORTED.match(error):
        return Ending("aborted")
    return Ending("unknown_skill" if _UNKNOWN_SKILL.match(error) else "error")


def touched_path(call: Input) -> str:
    """The path that a call names, or ''."""
    return next((path for path in (call.file_path, call.go_path, call.path) if isinstance(path, str) and path), "")


def edited_paths(tool: str, call: Input) -> list[str]:
    """Paths that a call writes: those of an edit tool, and skills' files that a shell command writes."""
    if tool == SHELL_TOOL:
        command = as_text(call.command)
        return skill_files(written_paths(command)) if SKILL_FILE in command else []
    if tool not in _EDIT_TOOLS:
        return []
    path = touched_path(call)
    patch = as_text(call.patch) or as_text(call.go_patch)
    return ([path] if path else []) + [found.strip() for found in _PATCHED.findall(patch[:_MAX_PATCH])]


def read_skills(tool: str, call: Input) -> list[str]:
    """Paths of the SKILL.md files that a call plainly reads."""
    if tool in _READ_TOOLS:
        return skill_files([touched_path(call)])
    command = as_text(call.command)
    if tool == SHELL_TOOL and SKILL_FILE in command:
        return skill_files(read_paths(command))
    return []


def answers_in(state: State) -> str:
    """What the person answered to questions, one answer a line; '' where there is none."""
    answers = object_of(state.metadata).get("answers")
    if not isinstance(answers, list):
        return ""
    said = [text for answer in answers for text in _as_list(answer)]
    return "\n".join(text.strip() for text in said if isinstance(text, str) and text.strip())


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def skill_body(state: State) -> Body | None:
    """The text that the skill tool gave the agent; None where it gave none."""
    output = text_of(state.output)
    heading = _HEADING.match(output)
    if not heading:
        return None
    folder = as_text(object_of(state.metadata).get("dir"))
    if old := _OLD_BASE.match(output, heading.end()):
        return Body(output[old.end() :].strip(), folder or old[1].strip())
    end = output.rfind(_NEW_BASE)
    if end < 0:
        return Body(output[heading.end() :].strip(), folder)
    named = output[end + len(_NEW_BASE) :].lstrip(" \t").split("\n", 1)[0].strip()
    return Body(output[heading.end() : end].strip(), folder or _path_of(named))


def _path_of(address: str) -> str:
    """The path that a ``file:`` address names; any other text is one."""
    if not address.startswith("file://"):
        return address
    try:
        return unquote(urlsplit(address).path)
    except ValueError:
        return address
