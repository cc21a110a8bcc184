"""One OpenCode session under construction, and what is known of it before its messages are read."""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from skilltune.facts import SubagentFacts, TurnFact, UseFact
from skilltune.sources.opencode.records import Info, Message, Part, decode_raw, object_of
from skilltune.sources.opencode.values import as_moment, as_text
from skilltune.sources.session import Entry, OpenSession, add_up, microseconds

__all__ = ["AGENT", "Head", "Session", "StoredMessage", "head_of", "in_order", "time_of"]

AGENT: Final = "opencode"
_SCRIPTED: Final = "opencode_run"
_NEVER_ASKED = frozenset({"question", "plan_enter", "plan_exit"})
"""What a session that ``opencode run`` starts may not ask anybody: nobody is there."""


_NEVER = datetime.min.replace(tzinfo=UTC)
_Rest = TypeVar("_Rest")
_decode_rules = msgspec.json.Decoder(list[Any]).decode


class Head(NamedTuple):
    """A session without its messages."""

    session_id: str
    parent: str | None = None
    """The session that started this one as a sub-agent, '' where the record does not name it; None for a person's."""
    version: str = ""
    project: str = ""
    entrypoint: str = ""
    created: datetime | None = None
    reverted: str = ""
    """Id of the message that the person went back behind, with all that follows."""


class StoredMessage(NamedTuple):
    """A message as it is stored."""

    message: Message
    parts: list[Part]
    at: datetime | None
    """When it was made."""


def head_of(info: Info, *, session_id: str = "") -> Head:
    """What a session's record says; `session_id` where it has no id."""
    time = object_of(info.time)
    parent = info.parent
    return Head(
        session_id=as_text(info.id) or session_id,
        parent=None if parent is None or parent == "" else as_text(parent),
        version=as_text(info.version),
        project=as_text(info.directory),
        entrypoint=_SCRIPTED if _is_scripted(info) else "",
        created=as_moment(time.get("created")),
        reverted=as_text(object_of(info.revert).get("messageID")),
    )


def _is_scripted(info: Info) -> bool:
    """Whether the session was forbidden all questions, as ``opencode run`` does."""
    rules = decode_raw(info.permission, _decode_rules) or []
    denied = {
        rule.get("permission")
        for rule in rules
        if isinstance(rule, dict) and rule.get("action") == "deny" and isinstance(rule.get("permission"), str)
    }
    return denied >= _NEVER_ASKED


class Session(OpenSession):
    """One session as far as it is read."""

    def __init__(self, head: Head) -> None:
        super().__init__(head.session_id, agent=AGENT)
        self.head = head
        self.version, self.project, self.entrypoint = head.version, head.project, head.entrypoint
        self.places: dict[str, tuple[int, bool]] = {}
        """Id of each message → the number of items before it, and whether it is the agent's."""
        self.first_message = ""
        self.began: datetime | None = None
        self.shell = ""
        """Id of the person's message that stands for a shell command of theirs, until its output comes."""
        self.made = 0
        """Items that the message read now gave."""

    def enter(self, message: Message, moment: datetime | None) -> None:
        """Begin with a message."""
        name = as_text(message.id)
        self.first_message = self.first_message or name
        self.began = self.began or moment
        if name:
            self.places.setdefault(name, (len(self.entries), message.role == "assistant"))
        self.made = 0
        self.note_time(moment)

    def identify(self, message: Message, moment: datetime | None, *, about: str) -> tuple[str, int]:
        """An item's id, and its number among those with that id.

        A fork copies messages under new ids: what stays the same is when a message was made and what it is about. One
        without a stamp has its own id.
        """
        if moment is not None:
            content = f"{microseconds(moment)}:{about}".encode("utf-8", "replace")
            return hashlib.blake2b(content, digest_size=12).hexdigest(), 0
        self.made += 1
        return as_text(message.id), self.made - 1

    def add_turn(self, turn: TurnFact) -> Entry:
        """Append a turn, with what the person did just before."""
        entry = self.add(turn)
        entry.changes["interrupted"] = self.interrupted
        self.interrupted = False
        return entry

    def prompts_since(self, message_id: str) -> int:
        """How many prompts stand from a message on; with that which it answers, where it is an answer itself."""
        start, answers = self.places[message_id]
        return max(sum(map(_is_prompt, self.entries[start:])) + answers, 1)

    def subagent(self, *, path: str, parent: str) -> SubagentFacts:
        """The same session as what a sub-agent spent."""
        segments = [self.lead, *(entry.segment for entry in self.entries)]
        return SubagentFacts(
            session_id=parent,
            path=path,
            uuid=self.first_message,
            started=microseconds(self.began),
            tokens=add_up([usage for segment in segments for usage in segment.spent]),
        )


def _is_prompt(entry: Entry) -> bool:
    fact = entry.fact
    if isinstance(fact, TurnFact):
        return fact.channel == "message"
    return isinstance(fact, UseFact) and fact.via == "slash"


def time_of(message: Message) -> Mapping[str, Any]:
    """The stamps of a message."""
    return object_of(message.time)


def in_order(found: Iterable[tuple[Message, Any, _Rest]]) -> list[tuple[Message, datetime | None, _Rest]]:
    """Messages with the moments at which they were made, in the order of these.

    Parameters
    ----------
    found
        Each message in the order of its id, when it was stored (for one that does not tell when it was made), and
        anything. One without either stays behind the one before it.
    """
    before = _NEVER
    placed = []
    for message, stored, rest in found:
        at = as_moment(time_of(message).get("created")) or as_moment(stored)
        before = at or before
        placed.append((before, (message, at, rest)))
    return [entry for _, entry in sorted(placed, key=itemgetter(0))]
