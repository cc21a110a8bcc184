"""One transcript file to ``FileFacts``, record by record."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from skilltune.errors import RecordError
from skilltune.facts import CommandFact, FileFacts, Problem, SessionFacts, Tokens, TurnFact, UseFact, Work
from skilltune.sources.base import DAMAGES, MAX_PROBLEMS, naming, readable
from skilltune.sources.carrying import read_on
from skilltune.sources.claude_code.agent import read_agent_record, read_tool_use, spend_aside
from skilltune.sources.claude_code.documents import is_document, iterate_records
from skilltune.sources.claude_code.field_names import FIELD_NAMES
from skilltune.sources.claude_code.person import read_person_record, read_system_record
from skilltune.sources.claude_code.queue import read_attachment, read_queue_operation
from skilltune.sources.claude_code.record_types import KNOWN_TYPES
from skilltune.sources.claude_code.records import Record, decode_record
from skilltune.sources.claude_code.repair import flat_message, read_line
from skilltune.sources.claude_code.session import Queued, Session
from skilltune.sources.claude_code.subagents import Run, Subagents, is_subagent_path
from skilltune.sources.fields import Fields
from skilltune.sources.lines import BUFFER_BYTES, open_file
from skilltune.sources.session import Command, Entry, Segment, Usage

__all__ = ["CARRIED", "find_speaker", "read_file", "read_grown_file"]

_WITHOUT_SESSION_ID = ("file-history-snapshot", "summary")
_SPEAKERS = ("user", "assistant")
_HANDLERS: dict[str, Callable[[Session, Record, int], str]] = {
    "attachment": read_attachment,
    "queue-operation": read_queue_operation,
    "system": read_system_record,
    "tool_use": read_tool_use,
}
_SILENT_TYPES = KNOWN_TYPES - _HANDLERS.keys()
CARRIED: Final = (
    *(Session, Segment, Entry, Command, Queued, Usage, Run),
    *(TurnFact, UseFact, CommandFact, Work, Tokens, Problem),
)
"""Classes of what a reader knows of a file."""


def read_file(path: Path, *, strict: bool = False, buffer_bytes: int = BUFFER_BYTES) -> FileFacts:
    """Facts of one file, read `buffer_bytes` at a time.

    Raises
    ------
    ReadError
        The file cannot be read.
    RecordError
        With `strict`, a line is damaged.
    """
    reader = _FileReader(path, strict=strict)
    with naming(path), open_file(path, buffer_bytes=buffer_bytes) as file:
        reader.read_lines(iterate_records(file))
        return reader.facts(size=file.tell())


def read_grown_file(path: Path, *, carried: bytes = b"") -> tuple[FileFacts, bytes]:
    """The same, from where `carried` ends, and what to carry on; see ``ReadOn``."""
    facts, state = read_on(
        path,
        agent="claude-code",
        new=lambda: _FileReader(path, strict=False),
        classes=CARRIED,
        carried=carried,
        is_whole=is_document,
    )
    return (facts, state) if facts.path else (read_file(path), b"")


class _FileReader:
    """What is known of a file so far."""

    def __init__(self, path: Path, *, strict: bool) -> None:
        self.path, self.strict = path, strict
        self.lines = 0
        """How many are read."""
        self.counts: dict[str, int] = {}
        self.unknown: dict[str, int] = {}
        self.problems: list[Problem] = []
        self.sessions: dict[str, Session] = {}
        self.session = Session("")
        self.quick: Session | None = None
        """The session, where the next record of it needs no more looking at than its uuid."""
        self.seen: set[str | None] = set()
        self.pending = False
        self.known = False
        self.subagent = is_subagent_path(path)
        self.overheard = False
        """Whether a message of a sub-agent was seen."""
        self.subagents = Subagents(path)
        self.fields = Fields((*_SPEAKERS, *KNOWN_TYPES), known=FIELD_NAMES, inner="message")

    def read_lines(self, lines: Iterable[bytes | None]) -> None:
        """Take all lines: messages that go on with the session of the line before have a short way."""
        seen, waiting = self.seen, self.fields.waiting
        number = self.lines
        for number, line in enumerate(lines, number + 1):  # noqa: B020 (it goes on from where it was)
            if line is None:
                self.damaged(number, "too_long")
                continue
            try:
                if not line.isascii():
                    line.decode()
                record = decode_record(line)
            except (ValueError, RecursionError):
                self._repair(line, number=number)
                continue
            uuid, session, kind = record.uuid, self.quick, record.type
            if kind is not None and waiting.get(kind):
                self.fields.look(kind, line)
            if session is None or record.session_id != session.session_id or uuid in seen or record.is_sidechain:
                self._take(record, number)
                continue
            seen.add(uuid)
            session.note(record)
            if record.message is None:
                became = kind if kind in _SILENT_TYPES else self._place(record, number)
            elif kind == "assistant":
                became = read_agent_record(session, record, number)
            elif kind == "user":
                became = read_person_record(session, record, number)
            else:
                became = self._place(record, number)
            counts = session.counts
            counts[became] = counts.get(became, 0) + 1
        self.lines = number

    def carried(self) -> tuple[Any, ...]:
        """All that is known of the lines so far."""
        return (
            *(self.lines, self.counts, self.unknown, self.problems, self.sessions, self.session, self.quick),
            *(self.seen, self.known, self.overheard),
            *(self.fields.waiting, self.fields.counts, self.subagents.carried()),
        )

    def resume(self, values: Sequence[Any]) -> None:
        """Know what another reader knew that gave this."""
        self.lines, self.counts, self.unknown, self.problems, self.sessions, self.session, self.quick = values[:7]
        self.seen, self.known, self.overheard = values[7:10]
        self.fields.waiting, self.fields.counts, subagents = values[10:]
        self.subagents.resume(subagents)

    def damaged(self, number: int, reason: str) -> None:
        """Count a part of a line that is no record (or one line too long)."""
        self.counts[reason] = self.counts.get(reason, 0) + 1
        self._complain(number, reason)

    def _complain(self, number: int, reason: str) -> None:
        if self.strict:
            raise RecordError(readable(self.path), number, reason)
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(number, reason))

    def _repair(self, line: bytes, *, number: int) -> None:
        reading = read_line(line)
        if reading.flaw:
            self._complain(number, reading.flaw)
        for index, part in enumerate(reading.parts):
            if isinstance(part, Record):
                if part.type is not None and len(reading.parts) == 1 and self.fields.waiting.get(part.type):
                    self.fields.look(part.type, line)
                self._take(part, number)
            elif part == "not_json" and index == len(reading.parts) - 1 and not line.endswith(b"\n"):
                self.pending = True
                self.damaged(number, "pending")
            else:
                self.damaged(number, part)

    def _take(self, record: Record, number: int) -> None:
        """Count one record under what became of it."""
        uuid = record.uuid
        if self.subagent:
            self.session.count("subagent")
            if not uuid or uuid not in self.seen:
                self.seen.add(uuid)
                if speaker := find_speaker(record):
                    self.subagents.take(record, speaker)
            return
        if uuid:
            if uuid in self.seen:
                self.counts["duplicate"] = self.counts.get("duplicate", 0) + 1
                return
            self.seen.add(uuid)
        if record.session_id and record.session_id != self.session.session_id:
            self._enter(record.session_id)
        self.session.note(record)
        self.session.count(self._place(record, number))
        self.quick = self.session if self.session.session_id and self.session.spoken else None

    def _place(self, record: Record, number: int) -> str:
        """Read a record by its type; the word for what became of it."""
        kind = record.type
        if kind not in _SPEAKERS or record.message is None:
            kind = find_speaker(record)
        return self._converse(record, kind, number) if kind else self._overhear(record, number)

    def _converse(self, record: Record, speaker: str, number: int) -> str:
        """Read a record of the conversation."""
        if record.is_sidechain:
            self.overheard = True
            self.subagents.take(record, speaker)
            if speaker == "assistant" and record.message is not None:
                spend_aside(self.session, record.message)
            return "sidechain"
        self.session.spoken = True
        return (read_agent_record if speaker == "assistant" else read_person_record)(self.session, record, number)

    def _overhear(self, record: Record, number: int) -> str:
        """Read a record beside the conversation."""
        kind = record.type
        if kind in _SPEAKERS:
            self._complain(number, "malformed")
            self.seen.discard(record.uuid)  # the same record may follow whole
            return "malformed"
        if kind not in KNOWN_TYPES:
            self.unknown[kind or ""] = self.unknown.get(kind or "", 0) + 1
            return "unknown_type"
        self.known = self.known or record.session_id is not None or kind in _WITHOUT_SESSION_ID
        handler = _HANDLERS.get(kind)
        return (handler(self.session, record, number) if handler and not record.is_sidechain else "") or kind

    def _enter(self, session_id: str) -> None:
        """Go on with another session; the records before the first id belong to the first session named."""
        if not self.session.session_id:
            self.session.session_id = session_id
            self.sessions[session_id] = self.session
        elif session_id not in self.sessions:
            self.sessions[session_id] = Session(session_id)
        self.session = self.sessions[session_id]

    def facts(self, *, size: int) -> FileFacts:
        """Everything kept of the file."""
        counts = self._add_up()
        skipped = self._skipped(counts)
        if skipped in ("subagent", "not_a_session"):
            damaged = {reason: count for reason, count in counts.items() if reason in DAMAGES}
            other = sum(counts.values()) - sum(damaged.values())
            counts = damaged | ({skipped: other} if other else {})
        return FileFacts(
            path=readable(self.path),
            size=size,
            skipped=skipped,
            records=counts,
            unknown_types={} if skipped else self._unknown(),
            problems=tuple(self.problems),
            sessions=() if skipped else tuple(self._finish(session) for session in self._found()),
            subagents=self.subagents.facts() if skipped == "subagent" else (),
            unknown_fields={} if skipped else self.fields.counts,
        )

    def _every(self) -> list[Session]:
        return list(self.sessions.values()) or [self.session]

    def _found(self) -> list[Session]:
        return [session for session in self._every() if session.spoken or session.entries]

    def _add_up(self) -> dict[str, int]:
        """Records of the whole file by what became of them."""
        total = Counter(self.counts)
        for session in self._every():
            total.update(session.counts)
        return dict(total)

    def _unknown(self) -> dict[str, int]:
        """Unknown record types, then unknown tags."""
        total = Counter(self.unknown)
        for session in self._every():
            total.update(session.unknown_tags)
        return dict(total)

    def _finish(self, session: Session) -> SessionFacts:
        session.session_id = session.session_id or readable(self.path.stem)
        return session.facts(path=readable(self.path), pending=self.pending and session is self.session)

    def _skipped(self, counts: dict[str, int]) -> str:
        if self.subagent:
            return "subagent" if self.subagents.found() else "not_a_session" if counts else "empty"
        if self.overheard and not any(session.spoken for session in self._every()):
            return "subagent"
        if self._found():
            return ""
        if not counts:
            return "empty"
        return "no_messages" if self.known else "not_a_session"


def find_speaker(record: Record) -> str | None:
    """Whose message an odd record holds: without ``type``, or flat ``{role, content}``; None for no message."""
    if record.type is not None and record.type not in _SPEAKERS:
        return None
    if record.message is None:
        record.message = flat_message(record)
    if record.message is None:
        return None
    role = record.type or record.message.role
    return role if role in _SPEAKERS else None
