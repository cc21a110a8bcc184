"""The ways in which a person's words reach the agent, other than as a typed message."""

from typing import Any

from .transcript import Transcript

__all__ = [
    "answers",
    "answers_in_text",
    "decides_on_plan",
    "denies",
    "enqueues",
    "interrupts",
    "queues",
    "reverts_by_command",
    "steers",
    "tweaks_edit",
]

_REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file). "
)
_TOLD = "To tell you how to proceed, the user said:\n"
_STOP = "STOP what you are doing and wait for the user to tell you how to proceed."
_NOTE = "\n\nNote: The user's next message may contain a correction or preference."
_APPROVED = "User has approved your plan. You can now start coding. Start with updating your todo list if applicable"


def denies(t: Transcript, *, path: str, words: str = "") -> dict[str, Any]:
    """An edit is refused, with words or without."""
    t.window_turns += 1
    call = t.call("Edit", {"file_path": path, "old_string": "-- todo", "new_string": "-- dropped"})
    text = _REFUSED + (_TOLD + words + _NOTE if words else _STOP)
    extra = {"toolDenialKind": "user-rejected"} if t.late else {}
    t.wait(40)
    record = t.result(call, text, "User rejected tool use" if not words else f"Error: {text}", error=True, **extra)
    t.hazard("denial_with_words" if words else "denial_without_words")
    return record


def answers(t: Transcript, *, question: str, options: tuple[str, ...], reply: str) -> dict[str, Any]:
    """A reply to the question tool, in structured form."""
    call = _asks(t, question=question, options=options)
    value = {"questions": call["message"]["content"][0]["input"]["questions"], "answers": {question: reply}}
    text = f'User has answered your questions: "{question}"="{reply}". You can now continue with the answers in mind.'
    t.wait(35)
    record = t.result(call, text, value)
    t.hazard("answer_structured")
    return record


def answers_in_text(t: Transcript, *, question: str, options: tuple[str, ...], reply: str) -> dict[str, Any]:
    """A reply to the question tool that only stands in the result's text."""
    call = _asks(t, question=question, options=options)
    t.wait(35)
    record = t.result(call, f"The user answered: {reply}")
    t.hazard("answer_in_text")
    return record


def _asks(t: Transcript, *, question: str, options: tuple[str, ...]) -> dict[str, Any]:
    choices = [{"label": option, "description": ""} for option in options]
    asked = {"question": question, "header": "Check", "options": choices, "multiSelect": False}
    return t.call("AskUserQuestion", {"questions": [asked]})


def queues(t: Transcript, words: str, *, both: bool = False) -> dict[str, Any]:
    """A message typed while the agent works, as an attachment (and its enqueue record where `both`)."""
    t.window_turns += 1
    if both:
        _operation(t, "enqueue", content=words)
        t.hazard("queued_in_both_places")
    attachment = {"type": "queued_command", "prompt": words, "commandMode": "prompt"}
    record = t.record("attachment", {"attachment": attachment}, seconds=20)
    t.hazard("queued_attachment")
    return record


def enqueues(t: Transcript, words: str) -> None:
    """A message typed while the agent works that stands in the queue's record only."""
    t.window_turns += 1
    t.wait(20)
    _operation(t, "enqueue", content=words)
    t.hazard("queued_enqueue_only")
    t.wait(5)
    _operation(t, "remove")


def _operation(t: Transcript, operation: str, **content: Any) -> None:
    t.write(
        {"type": "queue-operation", "operation": operation, "timestamp": t.stamp(), "sessionId": t.session_id} | content
    )


def steers(t: Transcript, words: str, *, path: str) -> dict[str, Any]:
    """Words beside a tool result in one record."""
    t.window_turns += 1
    call = t.call("Read", {"file_path": path})
    t.wait(15)
    record = t.result(call, "1\t-- see the older file", {"type": "text"}, beside=words)
    t.hazard("steering")
    return record


def interrupts(t: Transcript, *, tool: bool = False) -> None:
    """The person stops the agent."""
    t.wait(12)
    t.injected([{"type": "text", "text": f"[Request interrupted by user{' for tool use' if tool else ''}]"}])


def decides_on_plan(t: Transcript, *, plan: str, objection: str = "") -> dict[str, Any]:
    """A proposed plan is approved, or rejected with words."""
    t.window_turns += 1
    call = t.call("ExitPlanMode", {"plan": plan})
    t.wait(50)
    if objection:
        text = _REFUSED + _TOLD + objection
        record = t.result(call, text, f"Error: {text}", error=True)
    else:
        record = t.result(call, _APPROVED, {"plan": plan, "isAgent": False})
    t.hazard("plan_rejected" if objection else "plan_approved")
    return record


def tweaks_edit(t: Transcript, *, path: str) -> dict[str, Any]:
    """The person changes a proposed edit before accepting it."""
    t.window_turns += 1
    old, new = "ON DELETE CASCADE", "ON DELETE RESTRICT"
    call = t.call("Edit", {"file_path": path, "old_string": "-- constraint", "new_string": old})
    value = {"filePath": path, "oldString": "-- constraint", "newString": new, "userModified": True}
    t.wait(45)
    record = t.result(call, f"The user modified your proposed changes before accepting them. {path} is updated.", value)
    t.hazard("edit_user_modified")
    return record


def reverts_by_command(t: Transcript, *, path: str) -> None:
    """The agent takes its work back with git."""
    call = t.call("Bash", {"command": f"git checkout -- {path}", "description": "Discard the change"})
    t.hazard("revert_by_command")
    t.result(call, "", {"stdout": "", "stderr": "", "interrupted": False})
