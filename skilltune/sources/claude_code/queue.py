"""What is typed while the agent works: attachments and entries of the queue, each prompt and command counted once.

``remove`` means that a prompt left the queue because it was given to the working agent, ``dequeue`` that it became
the next prompt, and only ``popAll`` that the person took the waiting ones back.
"""

import json
from typing import Any

import msgspec
from msgspec import Raw

from skilltune.facts import TurnFact
from skilltune.sources.claude_code.listing import SKILL_LISTS, note_listed
from skilltune.sources.claude_code.records import Record, decode_raw
from skilltune.sources.claude_code.session import Queued, Session
from skilltune.sources.claude_code.skills import slash_use
from skilltune.sources.claude_code.words import Slash, Words, find_typed_slash, read_words
from skilltune.sources.session import microseconds

__all__ = ["is_machine", "read_attachment", "read_queue_operation", "settle", "settle_slash"]

_PERSONS = frozenset({"human", "cli", "user"})
"""Kinds of origin that are a person's; every other one is a program's."""
_SYSTEM = "system"
_TASK_MODE = "task-notification"
_MAX_TOGETHER = 200
"""Last prompts of the queue that may have been put together into one."""


def is_machine(origin: Any, *, source: Any = None) -> bool:
    """Whether ``origin``, or the source of a prompt, says that no person wrote this."""
    kind = origin.get("kind") if isinstance(origin, dict) else None
    return source == _SYSTEM or (isinstance(kind, str) and kind not in _PERSONS)


def read_attachment(session: Session, record: Record, line: int) -> str:
    """Take an attachment: '' unless it is a queued prompt or an edit."""
    attached = record.attachment
    if attached is None:
        return ""
    if attached.type == "edited_text_file":
        _add(session, TurnFact(line, record.uuid or "", 0, microseconds(record.timestamp), "edit", ""))
        return "turn"
    if attached.type in SKILL_LISTS:
        note_listed(session, attached)
    if attached.type != "queued_command":
        return ""
    if attached.command_mode == _TASK_MODE or attached.is_meta or is_machine(attached.origin):
        return "notification"
    return _read_queued(session, record, line, attached.prompt)


def _read_queued(session: Session, record: Record, line: int, prompt: Raw) -> str:
    """Take a prompt or command that was given to the agent as it worked."""
    words, image = _read_content(prompt)
    session.note_tags(words.tags)
    if words.kind != "person" and not image:
        return words.kind if words.kind not in ("slash", "command", "plan", "edit") else "attachment"
    settle(session, words.text, steering=True)
    if slash := find_typed_slash(words.text):
        queued = _add_slash(session, record, line, slash, text=words.text)
        queued.state, session.awaiting = "next", queued.entry
        return "use"
    at = microseconds(record.timestamp)
    _add(session, TurnFact(line, record.uuid or "", 0, at, "queued", words.text, image=image))
    return "turn"


def read_queue_operation(session: Session, record: Record, line: int) -> str:
    """Take an entry of the queue: '' unless a person's prompt was put in."""
    if record.operation == "enqueue":
        words, image = _read_content(record.content)
        if words.kind != "person":
            return ""
        if slash := find_typed_slash(words.text):
            _add_slash(session, record, line, slash, text=words.text)
            return "use"
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
            session.awaiting = leaving.entry if leaving.slash else session.awaiting
    return ""


def settle(session: Session, text: str, *, steering: bool) -> bool:
    """Take the entries out that announced this prompt, several where they were put together; True if there were any.

    What was given to the working agent comes back as `steering` only: the same words later are said again.
    """
    announced: list[Queued] = []
    outdated = False
    for queued in session.queue:
        if queued.text == text and not announced and (steering or queued.state != "delivered"):
            announced = [queued]
        outdated = outdated or (queued.slash != "" and queued.state != "waiting")
    if not announced and "\n" in text:
        announced = _find_parts([queued for queued in session.queue if steering or queued.state != "delivered"], text)
    for queued in announced:
        _take_out(session, queued)
    if outdated and not steering:
        session.queue = [queued for queued in session.queue if not queued.slash or queued.state == "waiting"]
    return bool(announced)


def settle_slash(session: Session, skill_id: str) -> None:
    """Take the entry out that announced this command; after another prompt the same command is given again."""
    for queued in session.queue:
        if queued.slash and _base(queued.slash) == _base(skill_id):
            _take_out(session, queued)
            return


def _base(skill_id: str) -> str:
    return skill_id.rsplit(":", 1)[-1].lower()


def _find_parts(queue: list[Queued], text: str) -> list[Queued]:
    """The prompts in a row that make up the text, one a line or paragraph."""
    prompts = [queued for queued in queue if queued.text and not queued.slash][-_MAX_TOGETHER:]
    runs = (_run(prompts[at:], text) for at, queued in enumerate(prompts) if text.startswith(queued.text))
    return next((run for run in runs if run), [])


def _run(prompts: list[Queued], text: str) -> list[Queued]:
    for index, queued in enumerate(prompts, 1):
        if not text.startswith(queued.text):
            break
        rest = text[len(queued.text) :]
        text = rest.lstrip()
        if not text:
            return prompts[:index]
        if not rest.startswith("\n"):
            break
    return []


def _take_out(session: Session, queued: Queued) -> None:
    session.queue.remove(queued)
    session.drop(queued.entry)
    session.interrupted = session.interrupted or queued.interrupted


def _add(session: Session, turn: TurnFact) -> Queued:
    turn = msgspec.structs.replace(turn, interrupted=session.interrupted)
    session.interrupted = False
    return Queued(session.add(turn), text=turn.text, interrupted=turn.interrupted)


def _add_slash(session: Session, record: Record, line: int, slash: Slash, *, text: str) -> Queued:
    """Enter a command: a sign of use until its own record comes."""
    entry = session.add(slash_use(record, line, slash, queued=True))
    queued = Queued(entry, text=text, slash=slash.skill_id)
    session.queue.append(queued)
    return queued


def _read_content(raw: Raw) -> tuple[Words, bool]:
    """What a prompt in the queue is, and whether it has an image: a text, blocks, or either written as JSON."""
    value = decode_raw(raw, msgspec.json.decode)
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
