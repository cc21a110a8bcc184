"""What a person decided in the result of a tool call: a denial, an answer, a plan, an edit."""

import re
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Raw, Struct

from skilltune.sources.claude_code.records import Block, Record, ToolUseResult, decode_raw
from skilltune.sources.claude_code.words import clip

__all__ = ["ASK_TOOL", "MAY_BE_MARKED", "PLAN_TOOLS", "Decision", "read_decision", "result_text"]

ASK_TOOL = "AskUserQuestion"
PLAN_TOOLS = frozenset({"ExitPlanMode", "exit_plan_mode"})

_NO = r"(?:Error:\s*)?The user doesn['\u2019]t want to "
_DENIED = re.compile(rf"[ \n\t\r]*{_NO}(?:proceed with this tool use|take this action right now)")
_REJECTED = re.compile(rf"\s*(?:(?:Error:\s*)?User rejected tool use|{_NO})")
_SAID = re.compile(r"the user said:", re.IGNORECASE)
_NOTE = re.compile(r"\n[ \t]*Note:|\sNote: The user")
_CLARIFY = "The user wants to clarify these questions"
_INTERRUPTED = re.compile(r"[ \n\t\r]*\[Request interrupted by user[^\]\n]*\]")
_APPROVED = re.compile(r"[ \n\t\r]*(?:[Tt]he )?[Uu]ser has approved (?:your|the) plan")
_ANSWERED = re.compile(
    r"[ \n\t\r]*(?:[Uu]ser has answered your questions|[Yy]our questions have been answered|[Tt]he user answered):\s*"
)
_BETWEEN = '"="'
_CLOSING = re.compile(r'"(?=, "|\.? You can now|[.\s]*+\Z| selected| user notes)')
_CONTINUE = "You can now continue with the user's answers in mind"
MAY_BE_MARKED = re.compile(
    rb'(?:"|\[\{"type":"text","text":")(?: |\\[ntr])*'
    rb'(?:[Tt]he user|[Uu]ser|[Yy]our questions|[Ee]rror:|\[[Rr]equest|"|[^"\\]{0,20}+\\u00[2-7])'
    rb'|\[(?!\{"type":"(?:text","text":"|image"))'
).match
"""Every mark stands at the beginning of a result: a text that begins otherwise (or with an escape) holds none."""


class _Part(Struct, gc=False):
    type: Any = None
    text: Any = None


_decode_content = msgspec.json.Decoder(str | list[_Part]).decode


class Decision(NamedTuple):
    """What a tool result says about the person."""

    channel: Literal["", "denial", "answer", "plan", "edit", "clarify"]
    """'' for none; ``clarify`` for a boilerplate refusal of questions, which is no turn and no error."""
    text: str = ""
    decision: Literal["", "approved", "rejected"] = ""
    interrupted: bool = False


_NONE = Decision("")


def read_decision(block: Block, *, record: Record, tool: str) -> Decision:
    """What the person decided in one tool result; `tool` is the name of the tool called, '' where unknown."""
    noted = record.tool_use_result
    if isinstance(noted, ToolUseResult):
        if tool in ("", ASK_TOOL) and (answers := _noted_answers(noted)):
            return Decision("answer", answers)
        if noted.user_modified is True:
            return Decision("edit")
    text = result_text(block.content)
    if _is_denial(text, record=record):
        return _denial(text, tool=tool)
    if _INTERRUPTED.match(text):
        return Decision("", interrupted=True)
    return _told(text, noted=noted, tool=tool)


def _told(text: str, *, noted: object, tool: str) -> Decision:
    """What the sentence says that the agent is told."""
    if tool in ("", *PLAN_TOOLS) and _APPROVED.match(text):
        by_agent = isinstance(noted, ToolUseResult) and noted.is_agent is True
        return _NONE if by_agent else Decision("plan", decision="approved")
    if tool in ("", ASK_TOOL) and (opening := _ANSWERED.match(text)):
        answer = _answers_in(text[opening.end() :])
        return Decision("answer", answer) if answer else _NONE
    return _NONE


def result_text(content: Raw) -> str:
    """The text of a tool result's content: a string, or the text blocks of a list that begins with one."""
    value = decode_raw(content, _decode_content)
    if isinstance(value, str):
        return value
    if not value or value[0].type != "text":
        return ""
    return "\n".join(part.text for part in value if part.type == "text" and isinstance(part.text, str))


def _is_denial(text: str, *, record: Record) -> bool:
    """Whether a person refused the call; a refusal by policy, mode or sandbox is none."""
    if record.tool_denial_kind is not None:
        return record.tool_denial_kind.startswith("user")
    noted = record.tool_use_result
    return bool(_DENIED.match(text) or (isinstance(noted, str) and _REJECTED.match(noted)))


def _denial(text: str, *, tool: str) -> Decision:
    said = _SAID.search(text)
    words = _NOTE.split(text[said.end() :], maxsplit=1)[0].strip() if said else ""
    if words.startswith(_CLARIFY):
        return Decision("clarify")
    return Decision(
        "plan" if tool in PLAN_TOOLS else "denial",
        clip(words),
        "rejected",
        interrupted=_INTERRUPTED.match(text) is not None,
    )


def _noted_answers(noted: ToolUseResult) -> str:
    """The chosen options and the notes beside them."""
    answers = noted.answers if isinstance(noted.answers, dict) else {}
    notes = noted.annotations if isinstance(noted.annotations, dict) else {}
    said = [text for value in answers.values() for text in (value if isinstance(value, list) else [value])]
    said += [note.get("notes") for note in notes.values() if isinstance(note, dict)]
    return clip("\n".join(text.strip() for text in said if isinstance(text, str) and text.strip()))


def _answers_in(text: str) -> str:
    """The answers in the sentence the agent is told: ``"question"="answer", …``, or plain words."""
    pairs = []
    opening = text.find(_BETWEEN)
    while opening >= 0 and (closing := _CLOSING.search(text, opening + len(_BETWEEN))):
        pairs.append(text[opening + len(_BETWEEN) : closing.start()].strip())
        opening = text.find(_BETWEEN, closing.end())
    return clip("\n".join(pairs) if pairs else _without_request(text.strip()))


def _without_request(text: str) -> str:
    """`text` less the request to go on, with which the sentence may end."""
    told = text.removesuffix(".")
    return told.removesuffix(_CONTINUE).rstrip().removesuffix(".").rstrip() if told.endswith(_CONTINUE) else text
