"""One file of Codex to ``FileFacts``, record by record."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from skilltune.errors import RecordError
from skilltune.facts import (
    CommandFact,
    FileFacts,
    Problem,
    SessionFacts,
    SubagentFacts,
    Tokens,
    TurnFact,
    UseFact,
    Work,
)
from skilltune.sources.base import DAMAGES, MAX_PROBLEMS, naming, readable
from skilltune.sources.carrying import read_on
from skilltune.sources.claude_code.repair import read_values
from skilltune.sources.codex.conversation import EVENT_TAKERS, ITEM_TAKERS, TAKERS
from skilltune.sources.codex.field_names import FIELD_NAMES
from skilltune.sources.codex.person import note_list
from skilltune.sources.codex.record_types import SILENT_RECORDS, WRAPPED
from skilltune.sources.codex.records import (
    Bare,
    Meta,
    Payload,
    Record,
    Spent,
    decode_bare,
    decode_meta,
    decode_record,
    fill,
)
from skilltune.sources.codex.session import Prompt, Session, is_inherited, subagent_parent
from skilltune.sources.codex.stream import STREAM_TYPES, take_line
from skilltune.sources.codex.words import SkillText
from skilltune.sources.fields import Fields, Kind
from skilltune.sources.lines import BUFFER_BYTES, iterate_lines, open_file
from skilltune.sources.session import Command, Entry, Segment, Usage, add_up, microseconds

__all__ = ["CARRIED", "is_ours", "read_file", "read_grown_file"]

_TORN = frozenset({"not_json", "too_long"})
_SPENDING = frozenset({"task_started", "token_count", "turn.completed", "turn_started"})
_KINDS: Final[frozenset[Kind]] = frozenset(
    filter(None, (WRAPPED - TAKERS.keys()) | STREAM_TYPES | {kind for takers in TAKERS.values() for kind in takers})
)
"""What the fields of are looked at: the type of what a record of the conversation wraps, else its own."""
CARRIED: Final = (
    *(Session, Segment, Entry, Command, Prompt, Usage, Spent, SkillText),
    *(TurnFact, UseFact, CommandFact, Work, Tokens, Problem),
)
"""Classes of what a reader knows of a file."""
_ID_IN_NAME = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")


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
        reader.read_lines(iterate_lines(file))
        return reader.facts(size=file.tell())


def read_grown_file(path: Path, *, carried: bytes = b"") -> tuple[FileFacts, bytes]:
    """The same, from where `carried` ends, and what to carry on; see ``ReadOn``."""
    return read_on(path, agent="codex", new=lambda: _FileReader(path, strict=False), classes=CARRIED, carried=carried)


def is_ours(line: bytes) -> bool:
    """Whether a line holds a record of a kind that only Codex writes."""
    try:
        found = [(decode_record(line), line)]
    except (ValueError, RecursionError):
        found = [_mended(part) for part in read_values(line).parts if isinstance(part, dict)]
    return any(_is_ours(record, written) for record, written in found)


def _is_ours(record: Record, line: bytes) -> bool:
    if record.payload is not None:
        return record.type in WRAPPED
    if record.type == "message":
        return decode_bare(line).role is not None
    if record.type is None:
        return _is_heading(decode_bare(line))
    return record.type in ITEM_TAKERS or record.type == "thread.started"


def _is_heading(record: Bare) -> bool:
    """Whether a record is the first of a file of early 2025: who, when, and with which instructions."""
    named = record.type is None and record.id is not None and record.role is None
    return named and (record.instructions != "" or record.git != "")


def _mended(part: dict[str, Any]) -> tuple[Record, bytes]:
    """A record whose line was refused, a field of an odd type missing, and a line that has it."""
    return fill(Record, part), msgspec.json.encode(part)


class _FileReader:
    """What is known of a file so far."""

    def __init__(self, path: Path, *, strict: bool) -> None:
        self.path, self.strict = path, strict
        self.lines = 0
        """How many are read."""
        self.counts: dict[str, int] = {}
        self.unknown: dict[str, int] = {}
        self.fields = Fields(_KINDS, known=FIELD_NAMES, inner="payload")
        self.problems: list[Problem] = []
        self.session = Session("")
        self.sessions = {"": self.session}
        self.headed = False
        """Whether a record said whose file it is; later ones are copied or of resumptions."""
        self.known = self.pending = False
        self.beheaded = False
        """Whether the first record is damaged: it would have said whether a person speaks here."""
        self.quick = False
        """Whether the next record of the conversation needs no more looking at."""
        self.parent: str | None = None
        """The session that started this sub-agent, None where it is none."""
        self.spent: list[Usage] = []
        """What a sub-agent spent itself."""

    def read_lines(self, lines: Iterable[bytes | None]) -> None:
        """Take all lines: what only goes on with the session has a short way."""
        waiting = self.fields.waiting
        number = self.lines
        for number, line in enumerate(lines, number + 1):  # noqa: B020 (it goes on from where it was)
            if line is None:
                self._damaged(number, "too_long")
                continue
            try:
                if not line.isascii():
                    line.decode()
                record = decode_record(line)
            except (ValueError, RecursionError):
                self._repair(line, number=number)
                continue
            payload, takers, session = record.payload, TAKERS.get(record.type), self.session
            taker = takers.get(payload.type) if takers and payload is not None and self.quick else None
            if taker is None or payload is None:
                self._take(record, line, number)
                continue
            if waiting.get(kind := payload.type):
                self.fields.look(kind, line, name=f"{record.type}/{kind}")
            at = record.timestamp
            became = taker(session, payload, at, number)
            session.note_time(at)
            if became == "malformed":
                self._complain(number, became)
            counts = session.counts
            counts[became] = counts.get(became, 0) + 1
        self.lines = number

    def carried(self) -> tuple[Any, ...]:
        """All that is known of the lines so far."""
        return (
            *(self.lines, self.counts, self.unknown, self.problems, self.session, self.sessions),
            *(self.headed, self.known, self.beheaded, self.quick, self.parent, self.spent),
            *(self.fields.waiting, self.fields.counts),
        )

    def resume(self, values: Sequence[Any]) -> None:
        """Know what another reader knew that gave this."""
        self.lines, self.counts, self.unknown, self.problems, self.session, self.sessions = values[:6]
        self.headed, self.known, self.beheaded, self.quick, self.parent, self.spent = values[6:12]
        self.fields.waiting, self.fields.counts = values[12:]

    def _repair(self, line: bytes, *, number: int) -> None:
        values = read_values(line)
        if values.flaw:
            self._complain(number, values.flaw)
        for index, part in enumerate(values.parts):
            if not isinstance(part, str):
                self._take(*_mended(part), number)
            elif part == "not_json" and index == len(values.parts) - 1 and not line.endswith(b"\n"):
                self.pending = True
                self._damaged(number, "pending")
            else:
                self._damaged(number, part)

    def _damaged(self, number: int, reason: str) -> None:
        """Count a part of a line that is no record (or one line too long)."""
        self.beheaded = self.beheaded or (reason in _TORN and not self.known)
        self.counts[reason] = self.counts.get(reason, 0) + 1
        self._complain(number, reason)

    def _complain(self, number: int, reason: str) -> None:
        if self.strict:
            raise RecordError(readable(self.path), number, reason)
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(number, reason))

    def _take(self, record: Record, line: bytes, number: int) -> None:
        """Count one record under what became of it."""
        wrapped = record.type in TAKERS and record.payload is not None
        kind = record.payload.type if wrapped and record.payload is not None else record.type
        if kind is not None and self.fields.waiting.get(kind):
            self.fields.look(kind, line, name=f"{record.type}/{kind}" if wrapped else kind)
        became = self._wrapped(record, line, number) if record.payload is not None else self._bare(line, number)
        session = self.session
        session.note_time(record.timestamp)
        if became == "malformed":
            self._complain(number, became)
        session.count(became)
        self.quick = self.known and self.parent is None and not self.beheaded

    def _wrapped(self, record: Record, line: bytes, number: int) -> str:
        """Read a record that wraps a payload by its type; the word for what became of it."""
        kind, payload, session = record.type, record.payload or Payload(), self.session
        if kind not in WRAPPED:
            return self._unknown(kind or "")
        self.known = True
        if kind == "session_meta":
            return self._open(decode_meta(line, wrapped=True))
        if kind == "turn_context":
            meta = decode_meta(line, wrapped=True)
            session.introduce(meta)
            session.enter_turn(meta.turn_id)
            session.model = meta.model or session.model
            return kind
        return self._told(kind, payload, record.timestamp, number) if kind in TAKERS else kind

    def _told(self, kind: str, payload: Payload, at: datetime | None, number: int) -> str:
        """Read a record of the conversation, or of what the program noted beside it."""
        if self.parent is not None:
            self._spend_aside(payload, at, number)
            return kind
        if self.beheaded:
            return "headless"
        taker = TAKERS[kind].get(payload.type)
        return taker(self.session, payload, at, number) if taker else self._unknown(f"{kind}/{payload.type}")

    def _bare(self, line: bytes, number: int) -> str:
        """Read a record without a payload; the word for what became of it."""
        record = decode_bare(line)
        kind, session = record.type, self.session
        if kind in STREAM_TYPES:
            return self._streamed(record, number)
        if kind in WRAPPED:
            return "malformed"
        taker = ITEM_TAKERS.get(kind or ("message" if record.role else None))
        if taker is not None:
            self.known = True
            session.note_time(record.created_at)
            session.model = record.model or session.model
            return taker(session, record, record.timestamp or record.created_at, number)
        if _is_heading(record):
            return self._open(decode_meta(line, wrapped=False))
        named = kind or record.record_type or ""
        return named if named in SILENT_RECORDS else self._unknown(named)

    def _spend_aside(self, payload: Payload, at: datetime | None, number: int) -> None:
        """Take of a sub-agent's records what they spent: not what it took over from the session it was forked from."""
        before = len(self.session.now.spent)
        if payload.type in _SPENDING:
            EVENT_TAKERS[payload.type](self.session, payload, at, number)
        if not is_inherited(self.session.turn_id, self.session.session_id):
            self.spent += self.session.now.spent[before:]

    def _streamed(self, record: Bare, number: int) -> str:
        """Read a line of what ``codex exec --json`` prints."""
        if record.type == "thread.started":
            self.known = True
            self._enter(record.thread_id or "")
        return take_line(self.session, record, number)

    def _enter(self, session_id: str) -> None:
        """Go on with the session of this id; what stands before the first id belongs to it."""
        if not self.session.session_id:
            self.session.session_id = session_id
            self.sessions = {session_id: self.session}
        self.session = self.sessions.setdefault(session_id, self.session if not session_id else Session(session_id))

    def _open(self, meta: Meta) -> str:
        """Take what a record says of the session: the first that has an id decides."""
        self.known = True
        session = self.session
        if self.beheaded and meta.id is not None and not self._is_own(meta.id):
            return "session_meta"
        self.beheaded = self.beheaded and meta.id is None
        # In a fork without its parent's own first record the copied prompts begin at once.
        session.thread = (meta.forked_from_id if not self.headed else None) or meta.id or session.thread
        if self.headed:
            if not session.entries and not session.forked_from and session.thread != session.session_id:
                session.forked_from = session.thread
            return "session_meta"
        self.headed = meta.id is not None
        self.parent = subagent_parent(meta) if self.parent is None else self.parent
        session.session_id = session.session_id or meta.id or ""
        session.introduce(meta)
        session.forked_from = meta.forked_from_id or ""
        if isinstance(meta.instructions, str):
            note_list(session, [meta.instructions])
        return "session_meta"

    def _is_own(self, session_id: str) -> bool:
        """Whether the file's name is that of this session, or of none."""
        named = _ID_IN_NAME.search(self.path.stem)
        return named is None or named[0] == session_id

    def _unknown(self, kind: str) -> str:
        self.unknown[kind] = self.unknown.get(kind, 0) + 1
        return "unknown_type"

    def facts(self, *, size: int) -> FileFacts:
        """Everything kept of the file."""
        counts = Counter(self.counts)
        for session in self.sessions.values():
            counts.update(session.counts)
        skipped = self._skipped(counts)
        if skipped in ("subagent", "not_a_session", "headless"):
            damaged = {reason: count for reason, count in counts.items() if reason in DAMAGES}
            other = counts.total() - sum(damaged.values())
            counts = Counter(damaged | ({skipped: other} if other else {}))
        return FileFacts(
            path=readable(self.path),
            size=size,
            skipped=skipped,
            records=dict(counts),
            unknown_types={} if skipped else self._unknown_types(),
            unknown_fields={} if skipped else self.fields.counts,
            problems=tuple(self.problems),
            sessions=() if skipped else tuple(self._finish(session) for session in self._found()),
            subagents=(self._subagent(),) if skipped == "subagent" else (),
        )

    def _found(self) -> list[Session]:
        return [session for session in self.sessions.values() if session.spoken or session.entries]

    def _skipped(self, counts: Counter[str]) -> str:
        if self.parent is not None:
            return "subagent"
        if self.beheaded and "headless" in counts:
            return "headless"
        if self._found():
            return ""
        if not counts:
            return "empty"
        return "no_messages" if self.known else "not_a_session"

    def _unknown_types(self) -> dict[str, int]:
        """Unknown record types, then unknown tags."""
        total = Counter(self.unknown)
        for session in self.sessions.values():
            total.update(session.unknown_tags)
        return dict(total)

    def _finish(self, session: Session) -> SessionFacts:
        name = readable(self.path.stem)
        in_name = _ID_IN_NAME.search(name)
        session.session_id = session.session_id or (in_name[0] if in_name else name)
        return session.facts(path=readable(self.path), pending=self.pending and session is self.session)

    def _subagent(self) -> SubagentFacts:
        session = self.session
        return SubagentFacts(
            session_id=self.parent or "",
            path=readable(self.path),
            uuid=session.session_id,
            started=microseconds(session.first),
            tokens=add_up(self.spent),
        )
