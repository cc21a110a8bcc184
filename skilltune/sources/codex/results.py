"""What the output of a tool call says: how it ended, and whether a person decided it."""

import re
from typing import Any, Literal, NamedTuple

from skilltune.sources.codex.records import loads
from skilltune.sources.codex.words import clip

__all__ = ["ASK_TOOL", "Ending", "read_answers", "read_ending"]

ASK_TOOL = "request_user_input"
"""The tool with which the agent asks the person."""

Ending = Literal["ok", "failed", "denied", "aborted"]
"""``denied`` and ``aborted`` are a person's; a refusal by policy, sandbox or reviewer is ``failed``."""

_HEAD_CHARS = 600
_HEADER = re.compile(
    r"(?:(?:Chunk ID|Wall time|Total output lines|Original token count):[^\n]*+\n)*"
    r"(?:Process exited with code|Exit code:) (-?\d{1,10})\b"
)
_NOTED = re.compile(r'"exit_?[cC]ode"\s*:\s*(-?\d{1,10})')
_DENIED = re.compile(
    r"\s*+(?:(?:exec command|patch|command|tool call)? ?rejected by user"
    r"|user (?:rejected|cancelled|canceled) (?:MCP )?tool call)[.!]?\s*\Z",
    re.IGNORECASE,
)
_WRAPPED_DENIAL = re.compile(r'Rejected\(\\*"rejected by user\\*"\)[\s\\"})\]]*\Z')
_ABORTED = re.compile(r"\s*+(?:Wall time: [^\n]{1,40}\n)?aborted by user(?: after [\d.]{1,20}s)?\s*\Z")
_FAILED = re.compile(
    r"\s*+(?:execution error|exec_command failed|write_stdin failed|failed (?:to|in)\b|apply_patch verification failed"
    r"|unsupported (?:custom )?(?:tool )?call|err: |tool call error|command timed out|sandbox (?:error|denied)"
    r"|rejected:|command rejected|This action was rejected|approval (?:policy|required|denied)|error:)",
    re.IGNORECASE,
)
_NOTE = "user_note:"


class _Output(NamedTuple):
    text: str
    success: bool | None


def read_ending(output: Any) -> Ending:
    """How a call ended, by its output."""
    text, success = (output, None) if output.__class__ is str else _read_output(output)
    head = text[:_HEAD_CHARS]
    if found := _HEADER.match(head):
        return "ok" if found[1] == "0" else "failed"
    if _DENIED.match(head) or (head.startswith("exec_command failed") and _WRAPPED_DENIAL.search(text[-_HEAD_CHARS:])):
        return "denied"
    if _ABORTED.match(head):
        return "aborted"
    if head.startswith("{") and (noted := _NOTED.search(text[-_HEAD_CHARS:]) or _NOTED.search(head)):
        return "failed" if int(noted[1]) else "ok"
    return "failed" if success is False or _FAILED.match(head) else "ok"


def read_answers(output: Any) -> str:
    """What the person answered to the agent's questions, '' where they did not."""
    value = loads(_read_output(output).text)
    answers = value.get("answers") if isinstance(value, dict) else None
    said: list[Any] = []
    for answer in answers.values() if isinstance(answers, dict) else ():
        chosen = answer.get("answers") if isinstance(answer, dict) else answer
        said += chosen if isinstance(chosen, list) else [chosen]
    return clip("\n".join(text.removeprefix(_NOTE).strip() for text in said if isinstance(text, str) and text.strip()))


def _read_output(output: Any) -> _Output:
    """The text of an output: a string, parts, or an object around them."""
    if isinstance(output, str):
        return _Output(output, None)
    if isinstance(output, list):
        texts = [part.get("text") for part in output if isinstance(part, dict)]
        return _Output("\n".join(text for text in texts if isinstance(text, str)), None)
    if not isinstance(output, dict):
        return _Output("", None)
    success = output.get("success")
    code = output.get("exitCode", output.get("exit_code"))
    if type(code) is int:
        success = code == 0
    inner = output.get("content", output.get("text"))
    return _Output(
        _read_output(inner).text if inner is not output else "", success if isinstance(success, bool) else None
    )
