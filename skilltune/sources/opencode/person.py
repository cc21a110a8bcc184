"""The person's side of a session: what in a message of role ``user`` they typed, and what a program put there.

Two things leave no trace there: that a text was put in for a command (unless a sub-agent runs it, as a ``subtask``),
and that a person went back, once they typed on: what they took back is deleted then.
"""

from datetime import datetime
from typing import Final

from msgspec import UNSET

from skilltune.facts import CommandFact, TurnFact, UseFact
from skilltune.mining.digests import skill_digest
from skilltune.sources.claude_code.words import NOT_A_PERSON, clip, read_words
from skilltune.sources.opencode.records import Message, Part
from skilltune.sources.opencode.session import Session
from skilltune.sources.opencode.values import as_text
from skilltune.sources.session import microseconds

__all__ = ["read_prompt", "take_back"]

_OWN_COMMAND: Final = "The following tool was executed by the user"
"""How a program stands in for a shell command that the person typed."""
_MACHINE = frozenset({*NOT_A_PERSON, "slash", "command"})


def read_prompt(session: Session, message: Message, parts: list[Part], *, number: int, at: datetime | None) -> str:
    """Take a message of role ``user``; the word for what became of it."""
    used = [_add_command(session, message, part, number=number, at=at) for part in parts if part.type == "subtask"]
    texts = [part for part in parts if part.type == "text" and as_text(part.text).strip()]
    typed = [as_text(part.text) for part in texts if not _is_machine(part)]
    files = [part for part in parts if part.type == "file"]
    if typed or (files and not any(used)):
        became = _add_prompt(session, message, typed, files=files, number=number, at=at)
        return "use" if any(used) and became != "turn" else became
    if any(used):
        return "use"
    if any(as_text(part.text).startswith(_OWN_COMMAND) for part in texts):
        session.shell = as_text(message.id)
        return "command"
    if any(part.type == "compaction" for part in parts):
        return "compaction"
    return "synthetic" if texts else "empty"


def _is_machine(part: Part) -> bool:
    """Whether a program wrote the text: only the flag that is missing or false says that it did not."""
    return any(flag is not UNSET and flag is not False for flag in (part.synthetic, part.ignored))


def _add_prompt(
    session: Session, message: Message, texts: list[str], *, files: list[Part], number: int, at: datetime | None
) -> str:
    """Take what the person typed, or the files that they sent without a word."""
    words = read_words(texts)
    session.note_tags(words.tags)
    if words.kind in _MACHINE and not files:
        return "harness" if words.kind in ("slash", "command") else words.kind
    text = words.text if words.kind == "person" else "" if words.kind in _MACHINE else clip("\n\n".join(texts).strip())
    image = any(as_text(file.mime).startswith("image/") for file in files)
    uuid, part = session.identify(message, at, about=f"user:{text}")
    session.add_turn(TurnFact(number, uuid, part, microseconds(at), "message", text, image=image))
    return "turn"


def _add_command(session: Session, message: Message, part: Part, *, number: int, at: datetime | None) -> bool:
    """Take a command that the person typed with a slash; whether it names one."""
    name = as_text(part.command).strip().removeprefix("/").strip()
    if not name:
        return False
    body = as_text(part.prompt)
    uuid, _ = session.identify(message, at, about=f"subtask:{name}")
    session.add(
        UseFact(
            line=number,
            uuid=uuid,
            call_id="",
            at=microseconds(at),
            skill_id=name,
            via="slash",
            form="subtask",
            body=bool(body),
            digest=skill_digest(body) if body else "",
            body_chars=len(body),
        )
    )
    return True


def take_back(session: Session, *, number: int) -> None:
    """Add the person's going back behind a message as the command for it, with the number of prompts it took back."""
    reverted = session.head.reverted
    if reverted in session.places:
        count = session.prompts_since(reverted)
        session.add(CommandFact(number, f"undo:{reverted}", None, f"/undo {count}" if count > 1 else "/undo"))
