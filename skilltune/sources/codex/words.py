"""What a text with the role of a user is: a person's words, or one of the many things a program puts there."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from skilltune import limits

__all__ = ["NOT_A_PERSON", "SkillText", "Words", "clip", "find_mentions", "listed_skills", "read_skill", "read_words"]

Kind = Literal[
    "person", "skill", "command", "plan", "interrupt", "notification", "compact_summary", "meta", "harness", "empty"
]
NOT_A_PERSON: tuple[Kind, ...] = ("interrupt", "notification", "compact_summary", "meta", "harness")
"""Kinds of text that a program wrote, in the order in which they name a record that holds several."""

_REQUEST = "## My request for Codex:"
_CONTEXT = re.compile(
    r"<(environment_context|user_instructions|system-reminder)\b[^>\n]{0,500}>.*?(?:</\1>|\Z)", re.DOTALL
)
_IMAGE = re.compile(r"</?image\b[^<>\n]{0,2000}>")
_LEADING_TAG = re.compile(r"<([a-zA-Z][\w-]*+)[^>]*+>")
_CLOSING_TAG = re.compile(r"</([a-zA-Z][\w-]*)>\s*\Z")
_TAGS: dict[str, Kind] = {
    "INSTRUCTIONS": "meta",
    "apps_instructions": "meta",
    "codex_internal_context": "meta",
    "collaboration_mode": "meta",
    "environment_context": "meta",
    "goal_context": "meta",
    "hook_prompt": "meta",
    "model_switch": "meta",
    "permissions": "meta",
    "personality_spec": "meta",
    "plugins_instructions": "meta",
    "realtime_conversation": "meta",
    "skills_instructions": "meta",
    "subagent_notification": "notification",
    "turn_aborted": "interrupt",
    "user_action": "meta",
    "user_instructions": "meta",
    "user_shell_command": "command",
}
_OPENING = re.compile(
    r"(?P<meta># AGENTS\.md instructions\b|# Files mentioned by the user:|# Context from my IDE setup:"
    r"|Warning: (?:apply_patch was requested via|The maximum number of unified exec|Your account was flagged))"
    r"|(?P<compact_summary>Another language model started to solve this problem"
    r"|You were originally given instructions from a user over one or more turns)"
    r"|(?P<plan>Implement the plan\.\s*\Z|PLEASE IMPLEMENT THIS PLAN:|A previous agent produced the plan below)"
)
_OPENED: dict[str, Kind] = {"meta": "meta", "compact_summary": "compact_summary", "plan": "plan"}
_COMMAND = re.compile(r"<command>(.*?)(?:</command>|\Z)", re.DOTALL)
_SKILL = re.compile(r"<skill>\s*+<name>([^<\n]{1,300})</name>\s*+(?:<path>([^<\n]{0,4000})</path>)?\n?")
_MOST_SKILL_BYTES = 4_000
"""Bytes to which newer versions cut a skill's text with all that is around it."""
_NOTICE = re.compile(r"\A\s*<(replacement|unavailable)_notice>[^<]*</\1_notice>\n?")
_MENTION = re.compile(
    r"(?<![\w$\\/.{}@%=-])(?P<link>\[)?\$(?P<name>[A-Za-z][\w:-]*+)"
    r"(?(link)\]\s{0,3}\((?P<target>[^)\n\[]{0,2000})\)|(?![(\[=]|\.\w))",
    re.ASCII,
)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_NO_SKILL = re.compile(r"(?:app|mcp|plugin)://")
_SHELL_NAMES = frozenset({"home", "lang", "path", "pwd", "shell", "temp", "term", "tmp", "tmpdir", "user"})
_MAX_MENTIONS = 20
_LIST = re.compile(r"^### Available skills[ \t]*\n(.*?)(?=^#{1,3} |^</|\Z)", re.DOTALL | re.MULTILINE)
_LISTED = re.compile(r"^- `?([\w.:@/-]{1,300}?)`?(?::\s|[ \t]*$)", re.MULTILINE)


class Words(Struct, gc=False):
    """What the texts of one record are."""

    kind: Kind
    """The first of: person, command, skill, plan, then ``NOT_A_PERSON``, empty."""
    text: str = ""
    """The person's words; for a command what they typed; for a skill the whole text."""
    interrupted: bool = False
    tags: tuple[str, ...] = ()
    """Each ``<tag>`` around a text that is the program's for its kind of tag only."""


class SkillText(NamedTuple):
    """A skill's text as it was put into the conversation."""

    name: str
    path: str
    body: str
    gone: bool
    """It says that the skill is there no more."""
    cut: bool
    """It is as long as Codex lets it be: the skill itself may go on."""


class Mention(NamedTuple):
    """A ``$name`` in a prompt."""

    name: str
    path: str


def read_words(texts: Sequence[str]) -> Words:
    """What the texts of one record are."""
    pieces = [_read_piece(text) for text in texts]
    if len(pieces) == 1:
        return pieces[0]
    interrupted = any(piece.interrupted for piece in pieces)
    tags = tuple([tag for piece in pieces for tag in piece.tags])
    said = "\n\n".join(piece.text for piece in pieces if piece.kind == "person")
    if said:
        return Words("person", clip(said), interrupted, tags)
    order: tuple[Kind, ...] = ("command", "skill", "plan", *NOT_A_PERSON)
    first = min(
        (piece for piece in pieces if piece.kind != "empty"), key=lambda piece: order.index(piece.kind), default=None
    )
    return Words("empty") if first is None else Words(first.kind, first.text, interrupted, tags)


def clip(text: str) -> str:
    """The part of a text that facts keep."""
    return text if len(text) <= limits.TURN_TEXT_CHARS else text[: limits.TURN_TEXT_CHARS]


def read_skill(text: str) -> SkillText | None:
    """The skill whose text was put into the conversation, or None."""
    text = text.strip()
    cut = len(text) <= _MOST_SKILL_BYTES and len(text.encode()) in range(_MOST_SKILL_BYTES - 3, _MOST_SKILL_BYTES + 1)
    found = _SKILL.match(text)
    if found is None or not (name := found[1].strip()):
        return None
    body = text[found.end() :].removesuffix("</skill>").rstrip()
    notice = _NOTICE.match(body)
    body = body[notice.end() :] if notice else body
    return SkillText(name, (found[2] or "").strip(), body, notice is not None and notice[1] == "unavailable", cut)


def find_mentions(text: str) -> list[Mention]:
    """Each ``$name`` that stands as a word outside code and is no name of a shell's variable, once, in order."""
    if "$" not in text:
        return []
    found: dict[str, Mention] = {}
    for mention in _mentions(_CODE.sub(" ", text)):
        found.setdefault(mention.name, mention)
    return list(found.values())[:_MAX_MENTIONS]


def _mentions(text: str) -> Iterator[Mention]:
    for match in _MENTION.finditer(text):
        name, target = match["name"].rstrip(":-"), (match["target"] or "").strip()
        if name.upper() != name and name.lower() not in _SHELL_NAMES and not _NO_SKILL.match(target):
            yield Mention(name, target.removeprefix("skill://"))


def listed_skills(text: str) -> set[str] | None:
    """Names in the list of skills that may be used; None where `text` has no such list."""
    lists = _LIST.findall(text) if "### Available skills" in text else []
    return {name for part in lists for name in _LISTED.findall(part)} if lists else None


def _read_piece(text: str) -> Words:
    bare = text.strip()
    if bare.startswith("<skill>"):
        return Words("skill", bare)
    if "<" in bare:
        without = _CONTEXT.sub("", _IMAGE.sub("", bare)).strip()
        if not without:
            return Words("empty" if _IMAGE.match(bare) else "meta")
        bare = without
    if _REQUEST in bare and bare.startswith(("#", "<")):
        bare = bare.partition(_REQUEST)[2].strip()
    return _read_bare(bare) if bare else Words("empty")


def _read_bare(bare: str) -> Words:
    if bare.startswith("<") and (tag := _LEADING_TAG.match(bare)) and (kind := _tag_kind(bare, tag[1])):
        return _tagged(bare, kind, tag[1])
    if opening := _OPENING.match(bare):
        return Words(_OPENED[opening.lastgroup or ""])
    return Words("person", clip(bare))


def _tag_kind(bare: str, tag: str) -> Kind | None:
    """What a text that begins with `tag` is; an unknown tag of a program's kind around it is a program's."""
    known = _TAGS.get(tag)
    if known or ("-" not in tag and "_" not in tag):
        return known
    closing = _CLOSING_TAG.search(bare)
    return "harness" if closing and closing[1] == tag else None


def _tagged(bare: str, kind: Kind, tag: str) -> Words:
    if kind == "command":
        typed = _COMMAND.search(bare)
        return Words("command", clip(typed[1].strip()) if typed else "")
    if kind == "interrupt":
        return Words("interrupt", interrupted="interrupt" in bare)
    return Words(kind, tags=(f"<{tag}>",) if kind == "harness" else ())
