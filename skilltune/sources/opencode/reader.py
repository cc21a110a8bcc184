"""One file under construction: sessions with their messages go in, ``FileFacts`` come out."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import UNSET

from skilltune.errors import RecordError
from skilltune.facts import FileFacts, Problem, SubagentFacts
from skilltune.sources.base import MAX_PROBLEMS, readable
from skilltune.sources.fields import Fields, Kind
from skilltune.sources.opencode.agent import read_answer
from skilltune.sources.opencode.field_names import FIELD_NAMES
from skilltune.sources.opencode.person import read_prompt, take_back
from skilltune.sources.opencode.records import Info, Message, Part, Reading
from skilltune.sources.opencode.session import Head, Session, StoredMessage

__all__ = ["FileReader"]

_KNOWN_PARTS: Final = frozenset(
    {
        "agent",
        "compaction",
        "file",
        "patch",
        "reasoning",
        "retry",
        "snapshot",
        "step-finish",
        "step-start",
        "subtask",
        "text",
        "tool",
    }
)
_BESIDE: Final = {"tool": "tool_result", "system": "system"}
"""Roles that are neither the person's nor the agent's."""
_KINDS: Final[tuple[Kind, ...]] = (
    ("session", ""),
    ("message", "assistant"),
    ("message", "user"),
    *(("part", kind) for kind in sorted(_KNOWN_PARTS)),
)
"""What the fields of are looked at."""


class FileReader:
    """What is known of a file so far."""

    def __init__(self, path: Path, *, strict: bool = False) -> None:
        self.path, self.strict = path, strict
        self.counts: Counter[str] = Counter()
        """Records that stand in no session, by what became of them."""
        self.problems: list[Problem] = []
        self.sessions: list[Session] = []
        self.subagents: list[SubagentFacts] = []
        self._owners: dict[str, str] = {}
        """Id of each item → the session of this file that had it first."""
        self._unknown: Counter[str] = Counter()
        self._fields = Fields(_KINDS, known=FIELD_NAMES)

    def damaged(self, number: int, reason: str) -> None:
        """Count a record that cannot be read."""
        self.counts[reason] += 1
        self.complain(number, reason)

    def unlisted(self, _folder: Path, _message: str, *, number: int = 0) -> None:
        """Count a folder of records that cannot be entered, whatever is in it."""
        self.damaged(number, "unreadable")

    def complain(self, number: int, reason: str) -> None:
        """Note that a record is damaged.

        Raises
        ------
        RecordError
            Reading is strict.
        """
        if self.strict:
            raise RecordError(readable(self.path), number, reason)
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(number, reason))

    def unknown(self, kind: str, number: int) -> None:
        """Count records of a kind that is not known."""
        if number:
            self.counts["unknown_type"] += number
            self._unknown[kind] += number

    def taken(self, reading: Reading, *, number: int) -> bool:
        """Whether bytes could be read; what is wrong with them is noted."""
        if isinstance(reading.found, str):
            self.damaged(number, reading.found)
            return False
        if reading.flaw:
            self.complain(number, reading.flaw)
        self.look(reading)
        return True

    def look(self, reading: Reading) -> None:
        """Count the fields that are not known."""
        kind = _kind(reading.found)
        if reading.content and kind is not None and self._fields.waiting.get(kind):
            self._fields.look(kind, reading.content)

    def read_session(self, head: Head, messages: Iterable[StoredMessage], *, parent: str | None = None) -> None:
        """Take one session; `parent` is the session of a person that a sub-agent's goes back to, where it is known."""
        session = Session(head)
        session.note_time(head.created)
        session.count("session")
        number = 0
        for number, stored in enumerate(messages, 1):
            became = self._take(session, stored, number=number)
            session.count(became)
        if head.parent is not None:
            self._add_subagent(session, parent=head.parent if parent is None else parent)
            return
        take_back(session, number=number)
        self._unknown.update(session.unknown_tags)
        if not session.spoken and not session.entries:
            self.counts.update(session.counts)
            return
        self._mark_copies(session)
        self.sessions.append(session)

    def _add_subagent(self, session: Session, *, parent: str) -> None:
        self.counts["subagent"] += sum(session.counts.values())
        self.subagents.append(session.subagent(path=readable(self.path), parent=parent))

    def _take(self, session: Session, stored: StoredMessage, *, number: int) -> str:
        """Read a message; the word for what became of it."""
        message = stored.message
        at = stored.at
        session.enter(message, at)
        self._count_parts(session, stored.parts)
        if message.role == "user" and not _is_answer(message):
            session.spoken = True
            return read_prompt(session, message, stored.parts, number=number, at=at)
        if message.role == "assistant":
            session.spoken = True
            return read_answer(session, message, stored.parts, number=number, at=at)
        if isinstance(message.role, str) and message.role in _BESIDE:
            return _BESIDE[message.role]
        self.complain(number, "malformed")
        return "malformed"

    def _count_parts(self, session: Session, parts: Iterable[Part]) -> None:
        for part in parts:
            if isinstance(part.type, str) and part.type in _KNOWN_PARTS:
                session.count("part")
            else:
                session.count("unknown_type")
                session.note_tags([part.type if isinstance(part.type, str) else ""])

    def _mark_copies(self, session: Session) -> None:
        """Mark what an earlier session of this file already has: the session is a fork of that one."""
        for entry in session.entries:
            owner = self._owners.setdefault(entry.fact.uuid, session.session_id) if entry.fact.uuid else None
            if owner not in (None, session.session_id):
                entry.changes["copied"] = True
                session.forked_from = session.forked_from or owner or ""

    def facts(self, *, size: int, skipped: str = "") -> FileFacts:
        """Everything kept of the file; `skipped` says why it is none of OpenCode's."""
        counts = +self.counts
        for session in self.sessions:
            counts.update(session.counts)
        skipped = skipped or self._skipped(counts)
        return FileFacts(
            path=readable(self.path),
            size=size,
            skipped=skipped,
            records={name: count for name, count in counts.items() if count},
            unknown_types=dict(self._unknown),
            unknown_fields=self._fields.counts if self.sessions else {},
            problems=tuple(self.problems),
            sessions=tuple(session.facts(path=readable(self.path)) for session in self.sessions),
            subagents=tuple(self.subagents),
        )

    def _skipped(self, counts: Counter[str]) -> str:
        if self.sessions:
            return ""
        if self.subagents:
            return "subagent"
        if not counts:
            return "empty"
        return "no_messages" if counts["session"] else "not_a_session"


def _kind(found: object) -> tuple[str, str] | None:
    """What was read, and of which type or role; None for what has no fields of its own."""
    if isinstance(found, Part):
        return ("part", found.type) if isinstance(found.type, str) else None
    if isinstance(found, Message):
        return ("message", found.role) if isinstance(found.role, str) else None
    return ("session", "") if isinstance(found, Info) else None


def _is_answer(message: Message) -> bool:
    """Whether a message has what only the agent's have."""
    return any(field is not UNSET for field in (message.parent, message.cost, message.finish))
