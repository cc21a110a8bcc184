"""Prompts typed while the agent works: attachments and entries of the queue, each prompt counted once.

``remove`` means that a prompt left the queue because it was given to the working agent, ``dequeue`` that it became
the next prompt, and only ``popAll`` that the person took the waiting ones back.
"""

import json
from typing import Any

import msgspec
from msgspec import Raw

from skilltune.facts import TurnFact
from skilltune.sources.claude_code.records import Record
from skilltune.sources.claude_code.session import Queued, Session, microseconds
from skilltune.sources.claude_code.words import Words, read_words

__all__ = ["is_machine", "read_attachment", "read_queue_operation", "settle"]

_MACHINES = ("task-notif", "notification", "teammate", "hook", "cron", "schedul", "channel", "coordinator")
_TASK_MODE = "task-notification"


def is_machine(origin: Any) -> bool:
    """Whether ``origin`` says that no person wrote this."""
    kind = origin.get("kind") if isinstance(origin, dict) else None
    return isinstance(kind, str) and kind.startswith(_MACHINES)


def read_attachment(session: Session, record: Record, line: int) -> str:
    """Take an attachment: '' unless it is a queued prompt or an edit."""
    attached = record.attachment
    if attached is None:
        return ""
    at, uuid = microseconds(record.timestamp), record.uuid or ""
    if attached.type == "edited_text_file":
        _add(session, TurnFact(line, uuid, 0, at, "edit", ""))
        return "turn"
    if attached.type != "queued_command":
        return ""
    if attached.command_mode == _TASK_MODE or attached.is_meta or is_machine(attached.origin):
        return "notification"
    words, image = _read_content(attached.prompt)
    if words.kind != "person" and not image:
        return words.kind if words.kind not in ("slash", "command", "plan", "edit") else "attachment"
    settle(session, words.text, steering=True)
    _add(session, TurnFact(line, uuid, 0, at, "queued", words.text, image=image))
    return "turn"


def read_queue_operation(session: Session, record: Record, line: int) -> str:
    """Take an entry of the queue: '' unless a person's prompt was put in."""
    if record.operation == "enqueue":
        words, image = _read_content(record.content)
        if words.kind != "person":
            return ""
        turn = TurnFact(line, record.uuid or "", 0, microseconds(record.timestamp), "queued", words.text, image=image)
        session.queue.append(_add(session, turn))
        return "turn"
    if record.operation == "popAll":
        for queued in [queued for queued in session.queue if queued.state == "waiting"]:
            _take_out(session, queued)
    elif record.operation in ("remove", "dequeue"):
        words, _ = _read_content(record.content)
        waiting = [queued for queued in session.queue if queued.state == "waiting"]
        leaving = next((queued for queued in waiting if queued.text == words.text), None) or next(iter(waiting), None)
        if leaving is not None:
            leaving.state = "delivered" if record.operation == "remove" else "next"
    return ""


def settle(session: Session, text: str, *, steering: bool) -> bool:
    """Take the entry out that announced this prompt; True if there was one.

    What was given to the working agent comes back as `steering` only: the same words later are said again.
    """
    for queued in session.queue:
        if queued.text == text and (steering or queued.state != "delivered"):
            _take_out(session, queued)
            return True
    return False


def _take_out(session: Session, queued: Queued) -> None:
    session.queue.remove(queued)
    session.drop(queued.entry)
    session.interrupted = session.interrupted or queued.interrupted


def _add(session: Session, turn: TurnFact) -> Queued:
    turn = msgspec.structs.replace(turn, interrupted=session.interrupted)
    session.interrupted = False
    return Queued(session.add(turn), turn=turn)


def _read_content(raw: Raw) -> tuple[Words, bool]:
    """What a prompt in the queue is, and whether it has an image: a text, blocks, or either written as JSON."""
    try:
        value = msgspec.json.decode(raw)
    except msgspec.DecodeError:
        return Words("empty"), False
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        value = _written_blocks(value)
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        return read_words([value] if isinstance(value, str) else []), False
    blocks = [block for block in value if isinstance(block, dict)]
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    return (
        read_words([text for text in texts if isinstance(text, str)]),
        any(block.get("type") == "image" for block in blocks),
    )


def _written_blocks(text: str) -> Any:
    """The blocks a text spells out as JSON; the text itself where it is none: people paste JSON too."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    blocks = value if isinstance(value, list) else [value]
    if blocks and all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in blocks):
        return blocks
    return text
