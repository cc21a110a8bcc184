"""What a text with the role of a user is: a person's words, or one of the many things a program puts there."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from skilltune import limits
from skilltune.sources.codex.blocks import Kind, drop_context, find_blocks, opening_kind, request_in, without_images

__all__ = [
    "NOT_A_PERSON",
    "SkillText",
    "Words",
    "clip",
    "find_mentions",
    "folder_told",
    "listed_skills",
    "read_skill",
    "read_words",
]

NOT_A_PERSON: tuple[Kind, ...] = ("interrupt", "automation", "notification", "compact_summary", "meta", "harness")
"""Kinds of text that a program wrote, in the order in which they name a record that holds several."""

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
_SURROUNDINGS = re.compile(r"(?:\A|\n)\s{0,100}<environment_context>")
_FOLDER = re.compile(r"<cwd>([^<\n]{1,4000})</cwd>|\n[ \t]{0,100}Current working directory: ([^<\n]{1,4000})")
_LIST = "### Available skills"
_LIST_HEAD = re.compile(rf"{_LIST}[ \t]*(?=\n)")
_LIST_END = re.compile(r"\n(?:#{1,3} |</)")
_LISTED = re.compile(r"\n- `?([\w.@/-]++(?::[\w.@/-]++)*)`?(?::(?=\s)|[ \t]*(?=\n|\Z))")
_MAX_NAME_CHARS = 300


class Words(Struct, gc=False):
    """What the texts of one record are."""

    kind: Kind
    """The first of: person, command, skill, plan, init, then ``NOT_A_PERSON``, empty."""
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
    pieces = [piece for text in texts for piece in _read_pieces(text)]
    if len(pieces) == 1:
        return pieces[0]
    interrupted = any(piece.interrupted for piece in pieces)
    tags = tuple([tag for piece in pieces for tag in piece.tags])
    said = "\n\n".join(piece.text for piece in pieces if piece.kind == "person")
    if said:
        return Words("person", clip(said), interrupted, tags)
    order: tuple[Kind, ...] = ("command", "skill", "plan", "init", *NOT_A_PERSON)
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


def folder_told(texts: Sequence[str]) -> str:
    """The folder that the program tells the agent it works in, '' where no text does."""
    for text in texts:
        if "<environment_context>" in text and (begun := _SURROUNDINGS.search(text)):
            end = text.find("</environment_context>", begun.end())
            found = _FOLDER.search(text, begun.end(), max(end, begun.end()))
            if found:
                return (found[1] or found[2]).strip()
    return ""


def listed_skills(text: str) -> set[str] | None:
    """Names in the list of skills that may be used; None where `text` has no such list."""
    heads = [head for head in _LIST_HEAD.finditer(text) if text[head.start() - 1 : head.start()] in ("", "\n")]
    if not heads:
        return None
    names: set[str] = set()
    for head in heads:
        end = _LIST_END.search(text, head.end())
        names.update(_LISTED.findall(text, head.end(), end.start() if end else len(text)))
    return {name for name in names if len(name) <= _MAX_NAME_CHARS}


def _read_pieces(text: str) -> list[Words]:
    """What the blocks of a program are that a text begins with, then what is left of it."""
    bare = text.strip()
    if _is_skill(bare):
        return [Words("skill", bare)]
    if "<" in bare:
        shown = without_images(bare)
        without = drop_context(shown).strip()
        if not without:
            return [Words("meta" if shown == bare else "empty")]
        bare = without
    blocks, rest = find_blocks(bare)
    pieces = [_tagged(block.text, block.kind, block.tag) for block in blocks]
    return [*pieces, _read_bare(request_in(rest))] if rest else pieces or [Words("empty")]


def _is_skill(bare: str) -> bool:
    return bare.startswith("<skill>") and (bare.endswith("</skill>") or _SKILL.match(bare) is not None)


def _read_bare(bare: str) -> Words:
    """What a text is that begins with no block."""
    if not bare:
        return Words("empty")
    kind = opening_kind(bare)
    return Words(kind) if kind else Words("person", clip(bare))


def _tagged(text: str, kind: Kind, tag: str) -> Words:
    if kind == "command":
        typed = _COMMAND.search(text)
        return Words("command", clip(typed[1].strip()) if typed else "")
    if kind == "interrupt":
        return Words("interrupt", interrupted="interrupt" in text)
    return Words(kind, tags=(f"<{tag}>",) if kind == "harness" else ())
