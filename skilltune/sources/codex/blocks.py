"""Which parts of a text with the role of a user a program wrote: its blocks in tags, and the openings of its texts."""

import re
from typing import Final, Literal, NamedTuple

__all__ = ["Block", "Kind", "drop_context", "find_blocks", "opening_kind", "request_in", "without_images"]

Kind = Literal[
    "person",
    "skill",
    "command",
    "plan",
    "init",
    "interrupt",
    "automation",
    "notification",
    "compact_summary",
    "meta",
    "harness",
    "empty",
]
"""What a text is; ``plan`` and ``init`` are words of the program that stand for what a person chose."""

_REQUEST = "## My request for Codex:"
_CONTEXTS = [
    (re.compile(rf"<{tag}\b[^>\n]{{0,500}}>.*?</{tag}>", re.DOTALL), f"</{tag}>")
    for tag in ("environment_context", "user_instructions", "system-reminder")
]
_OPEN_CONTEXT = re.compile(
    r"\A\s*+<(?:environment_context|user_instructions|system-reminder)\b[^>\n]{0,500}>[ \t]*+\r?\n"
)
_IMAGE = re.compile(r"</?image\b[^<>\n]{0,2000}>")
_TAG = re.compile(r"<([a-zA-Z][\w-]*+)[^>]{0,2000}+>")
_ID_FIRST = re.compile(r"\s{0,100}<[a-z_]{1,100}_id>")
_SPACE = re.compile(r"\s*+")
_TAGS: Final[dict[str, Kind]] = {
    "INSTRUCTIONS": "meta",
    "apps_instructions": "meta",
    "codex_delegation": "meta",
    "codex_internal_context": "meta",
    "collaboration_mode": "meta",
    "environment_context": "meta",
    "goal_context": "meta",
    "heartbeat": "automation",
    "hook_prompt": "meta",
    "in-app-browser-context": "meta",
    "model_switch": "meta",
    "permissions": "meta",
    "personality_spec": "meta",
    "plugins_instructions": "meta",
    "realtime_conversation": "meta",
    "recommended_plugins": "meta",
    "skills_instructions": "meta",
    "subagent_notification": "notification",
    "turn_aborted": "interrupt",
    "user_action": "meta",
    "user_instructions": "meta",
    "user_shell_command": "command",
}
_CUT: Final = frozenset({"turn_aborted"})
"""Tags that need no end: nobody else writes them."""
_FREE: Final = frozenset({"INSTRUCTIONS"})
"""Tags around a text of somebody's own, in which the tag itself may stand: the last end counts."""
_AGENTS_HEAD = re.compile(r"# AGENTS\.md instructions\b[^\n]{0,4000}\n\s{0,100}(?=<INSTRUCTIONS>)")
_HEADING = re.compile(r"#{1,2} [^\n]{1,200}:[ \t]*\r?\n")
_OPENING = re.compile(
    r"(?P<meta># AGENTS\.md instructions\b|# Context from my IDE setup:|# In app browser:|# Selected text:"
    r"|# (?:Applications|Files) (?:mentioned|pasted) by the user:|The following is the Codex agent history\b"
    r"|Warning: (?:apply_patch was requested via|The maximum number of unified exec|Your account was flagged))"
    r"|(?P<compact_summary>Another language model started to solve this problem"
    r"|You were originally given instructions from a user over one or more turns"
    r"|You are performing a CONTEXT CHECKPOINT COMPACTION\b)"
    r"|(?P<plan>Implement the plan\.\s*\Z|PLEASE IMPLEMENT THIS PLAN:|A previous agent produced the plan below)"
    r"|(?P<init>Generate a file named AGENTS\.md that serves as a contributor guide for this repository\.)"
    r"|(?P<automation>Automation: [^\n]{0,2000}\nAutomation ID: )"
)
_OPENED: Final[dict[str, Kind]] = {
    "automation": "automation",
    "compact_summary": "compact_summary",
    "init": "init",
    "meta": "meta",
    "plan": "plan",
}
_LONGEST_END = 200


class Block(NamedTuple):
    """A text in a program's tags."""

    kind: Kind
    tag: str
    text: str


class _Found(NamedTuple):
    block: Block
    start: int
    end: int


def without_images(text: str) -> str:
    """The text less the marks that stand around an image."""
    return _IMAGE.sub("", text)


def drop_context(text: str) -> str:
    """The text less what the program tells of the surroundings.

    Where that has no end it must begin the text, on a line of its own: a person may name such a tag.
    """
    for context, closing in _CONTEXTS:
        # Behind the last end no context is whole: not to look there keeps the time linear.
        last = text.rfind(closing)
        if last != -1:
            end = last + len(closing)
            text = context.sub("", text[:end]) + text[end:]
    return "" if _OPEN_CONTEXT.match(text) else text


def find_blocks(text: str) -> tuple[list[Block], str]:
    """The blocks of a program with which a text begins, and the rest of it.

    A block in tags that nobody knows is the program's only where nothing of a person's follows.
    """
    found = _leading(text)
    rest = text[found[-1].end :].strip() if found else text
    strange = next((index for index, one in enumerate(found) if one.block.kind == "harness"), None)
    if strange is not None and rest and not rest.startswith(_REQUEST) and opening_kind(rest) is None:
        rest, found = text[found[strange].start :].strip(), found[:strange]
    return [one.block for one in found], rest


def opening_kind(text: str) -> Kind | None:
    """What a text is that begins as a program's texts do; None for any other."""
    opening = _OPENING.match(text)
    return _OPENED[opening.lastgroup or ""] if opening else None


def request_in(text: str) -> str:
    """The request in what an editor sends, which stands last; any other text is whole."""
    if text.startswith(_REQUEST):
        return text.removeprefix(_REQUEST).strip()
    return text.rpartition(f"\n{_REQUEST}")[2].strip() if _HEADING.match(text) else text


def _leading(text: str) -> list[_Found]:
    """The blocks with which a text begins, one after the other."""
    found: list[_Found] = []
    at = 0
    while text[at : at + 1] in ("<", "#") and (one := _block_at(text, at)):
        found.append(one)
        space = _SPACE.match(text, one.end)
        at = space.end() if space else one.end
    return found


def _block_at(text: str, at: int) -> _Found | None:
    """The block that begins at `at`, if one does."""
    heading = _AGENTS_HEAD.match(text, at)
    opened = _TAG.match(text, heading.end() if heading else at)
    if opened is None:
        return None
    tag = opened[1]
    kind = _TAGS.get(tag) or ("harness" if _is_strange(text, tag, opened.end()) else None)
    end = _end_of(text, tag, opened.end()) if kind else None
    if kind is None or end is None:
        return None
    return _Found(Block(kind, tag, text[at:end]), at, end)


def _is_strange(text: str, tag: str, inside: int) -> bool:
    """Whether an unknown tag is of a program's kind: by its name, or for an id is the first in it."""
    return "-" in tag or "_" in tag or _ID_FIRST.match(text, inside) is not None


def _end_of(text: str, tag: str, inside: int) -> int | None:
    """Where a block ends, behind its closing tag; None where it has none.

    A text that ends with the tag it began with is one block, whatever stands in it.
    """
    closing = f"</{tag}"
    if text.endswith(f"{closing}>") and len(text) > inside:
        return len(text)
    last = tag in _FREE
    at = text.rfind(closing, inside) if last else text.find(closing, inside)
    while at != -1:
        behind = at + len(closing)
        end = text.find(">", behind, behind + _LONGEST_END)
        if end != -1 and (end == behind or text[behind].isspace()):
            return end + 1
        at = text.rfind(closing, inside, at) if last else text.find(closing, behind)
    return len(text) if tag in _CUT else None
