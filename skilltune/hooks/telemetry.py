"""What a transcript of Claude Code says of its whole session, read in one pass that keeps no more than the counts."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from skilltune.limits import HOOK_COMMANDS, HOOK_QUERY_CHARS, LINE_BYTES
from skilltune.mining.user_texts import find_slash, read_words
from skilltune.sources.skill_files import skill_files, skill_of

__all__ = ["SessionCounts", "count_session"]

_SHELL: Final = frozenset({"Bash", "bash", "Shell", "shell"})
_READ: Final = frozenset({"Read", "View", "ReadFile", "read_file"})
_EDIT: Final = frozenset({"Edit", "MultiEdit", "NotebookEdit", "Write"})
_COMMAND_CHARS: Final = 200
_REFUSED: Final = re.compile(
    rb'(?:\[\{"type":"text","text":)?"(?: |\\[nrt])*(?:Error: ?)?'
    rb"(?:The user doesn(?:'|\\u2019|\xe2\x80\x99)t want to |\[Request interrupted by user)"
)
"""How the result of a call begins that a person refused: no error of the agent's."""


class _Block(Struct, gc=False):
    type: Any = None
    id: Any = None
    tool_use_id: Any = None
    name: Any = None
    input: Any = None
    is_error: Any = None
    text: Any = None
    content: Raw = Raw()


class _Message(Struct, gc=False):
    id: Any = None
    content: str | list[_Block] | None = None
    usage: Any = None


class _Record(Struct, gc=False, rename="camel"):
    type: Any = None
    uuid: Any = None
    is_sidechain: Any = None
    is_meta: Any = None
    is_compact_summary: Any = None
    tool_denial_kind: Any = None
    message: _Message | None = None


_DECODE: Final = msgspec.json.Decoder(_Record).decode


@dataclass(slots=True)
class SessionCounts:
    """What was counted; text is as it stands in the transcript."""

    last_query: str = ""
    tools: Counter[str] = field(default_factory=Counter)
    commands: list[str] = field(default_factory=list)
    """The last ``HOOK_COMMANDS`` shell commands."""
    errors: int = 0
    chars: int = 0
    turns: set[str] = field(default_factory=set)
    """Ids of the agent's messages."""
    tokens: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Id of a message → tokens in and out."""
    skills: dict[str, str] = field(default_factory=dict)
    """Sign of a use → the skill."""
    calls: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)

    @property
    def triggered(self) -> list[str]:
        """The skills that were used, each once, in order; reads of a file that the session also writes are none."""
        return list(dict.fromkeys(name for sign, name in self.skills.items() if sign not in self.written))


def count_session(path: Path) -> SessionCounts:
    """What the transcript at `path` says; lines that cannot be read count for nothing but their length.

    Raises
    ------
    OSError
        When it cannot be read.
    """
    counts = SessionCounts()
    for raw in _lines(path):
        counts.chars += len(raw.decode("utf-8", "replace"))
        try:
            record = _DECODE(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if record.message is None or record.is_sidechain:
            continue
        if record.type == "assistant":
            _add_agent(counts, record, record.message)
        elif record.type == "user":
            _add_user(counts, record, record.message)
    return counts


def _person_words(texts: list[str]) -> str:
    """What a person typed in the texts of one record, '' where a program wrote them."""
    words = read_words(texts)
    return words.text if words.kind in ("person", "plan") else ""


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while raw := file.readline(LINE_BYTES):
            yield raw


def _add_agent(counts: SessionCounts, record: _Record, message: _Message) -> None:
    name = str(message.id or record.uuid or len(counts.turns))
    counts.turns.add(name)
    if isinstance(message.usage, dict):
        counts.tokens[name] = (_count(message.usage, "input_tokens"), _count(message.usage, "output_tokens"))
    for block in message.content if isinstance(message.content, list) else ():
        if block.type == "tool_use" and isinstance(block.name, str):
            _add_call(counts, block, block.name)


def _add_call(counts: SessionCounts, block: _Block, tool: str) -> None:
    call = str(block.id or f"#{len(counts.calls)}")
    if call in counts.calls:
        return
    counts.calls.add(call)
    counts.tools[tool] += 1
    given = block.input if isinstance(block.input, dict) else {}
    path = given.get("file_path") or given.get("path")
    if tool in _SHELL and isinstance(given.get("command"), str):
        counts.commands = [*counts.commands[1 - HOOK_COMMANDS :], given["command"][:_COMMAND_CHARS]]
    elif tool == "Skill":
        if skill := _named_skill(given):
            counts.skills[call] = skill
    elif tool in _READ:
        counts.skills.update({file: skill_of(file) for file in skill_files([path])})
    elif tool in _EDIT and isinstance(path, str):
        counts.written.add(path)


def _named_skill(given: dict[str, Any]) -> str:
    """The skill that a ``Skill`` call names, or ''."""
    values = (given.get(name) for name in ("skill", "command", "name"))
    return next((value.strip().removeprefix("/") for value in values if isinstance(value, str) and value.strip()), "")


def _add_user(counts: SessionCounts, record: _Record, message: _Message) -> None:
    content = message.content
    blocks = content if isinstance(content, list) else []
    for block in blocks:
        if block.type == "tool_result" and block.is_error is True and not _is_refusal(record, block):
            counts.errors += 1
            counts.skills.pop(str(block.tool_use_id), None)
    if record.is_meta or record.is_compact_summary:
        return
    texts = [content] if isinstance(content, str) else [b.text for b in blocks if isinstance(b.text, str)]
    if not texts or any(block.type == "tool_result" for block in blocks):
        return
    if words := _person_words(texts):
        counts.last_query = words[:HOOK_QUERY_CHARS]
    elif texts[0].lstrip().startswith("<command-message>"):
        _add_slash(counts, texts[0])


def _add_slash(counts: SessionCounts, text: str) -> None:
    """A command whose message stands first is a skill, unless the agent's own."""
    slash = find_slash(text)
    if slash is None:
        return
    from skilltune.mining.invocations import builtin_commands

    if slash.skill_id not in builtin_commands("claude-code"):
        counts.skills[f"/{slash.skill_id}"] = slash.skill_id


def _is_refusal(record: _Record, block: _Block) -> bool:
    if isinstance(record.tool_denial_kind, str):
        return record.tool_denial_kind.startswith("user")
    return _REFUSED.match(bytes(block.content)) is not None


def _count(usage: dict[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
