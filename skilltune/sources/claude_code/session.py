"""One session under construction: its items in order, and the agent's work after each."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Literal

from msgspec import structs

from skilltune.facts import Item, SessionFacts, Tokens, Work
from skilltune.limits import MAX_TOKENS
from skilltune.sources.claude_code.records import Record, Usage

__all__ = ["EDIT_TOOLS", "Command", "Entry", "Queued", "Segment", "Session", "add_up", "microseconds"]

EDIT_TOOLS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit", "Update", "edit_file", "write_file"})
MAX_EDITED = 200
MAX_TOUCHED = 50
MAX_COMMANDS = 200
COMMAND_CHARS = 2000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WIDEST_OFFSET = timedelta(hours=23, minutes=59)
_EARLIEST = datetime.min.replace(tzinfo=timezone(_WIDEST_OFFSET))
_MICROSECOND = timedelta(microseconds=1)
_GIT = re.compile(r"\bgit\b").search
_NO_TOKENS = Tokens()


def microseconds(moment: datetime | None) -> int | None:
    """Microseconds since 1970 UTC."""
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND


class Command:
    """A shell command the agent gave."""

    __slots__ = ("ran", "text")

    def __init__(self, text: str) -> None:
        self.text, self.ran = text, True


class Segment:
    """The agent's work between an item and the next one, as far as it is read."""

    __slots__ = (
        "aside",
        "attributed",
        "commands",
        "edited",
        "ended",
        "errors",
        "last",
        "model",
        "said",
        "spent",
        "tools",
        "touched",
    )

    def __init__(self) -> None:
        self.tools: dict[str, None] = {}
        self.edited: dict[str, None] = {}
        self.touched: dict[str, None] = {}
        self.commands: list[Command] = []
        self.errors = 0
        self.ended: bool | None = None
        """Whether the last tool result was an error; None before any result."""
        self.said = self.attributed = self.model = ""
        self.spent: list[Usage] = []
        """Tokens of each API message whose first line stands here, as its last line has them."""
        self.aside: list[Usage] | None = None
        """The same of sub-agents, None where none spoke."""
        self.last: datetime | None = None
        """When the agent last wrote."""

    def add_path(self, path: str, *, edits: bool) -> None:
        """Note a path that the input of a tool call names."""
        kept, most = (self.edited, MAX_EDITED) if edits else (self.touched, MAX_TOUCHED)
        if len(kept) < most:
            kept[path] = None

    def add_command(self, command: str) -> "Command | None":
        """Note a shell command if it has to do with git."""
        if not _GIT(command) or len(self.commands) >= MAX_COMMANDS:
            return None
        noted = Command(command[:COMMAND_CHARS])
        self.commands.append(noted)
        return noted

    def end_call(self, *, failed: bool) -> None:
        """Note how a tool call ended."""
        self.ended = failed
        if failed:
            self.errors += 1

    def absorb(self, later: "Segment") -> None:
        """Go on with the work of the segment after this one."""
        self.tools |= later.tools
        self.edited = dict.fromkeys([*(self.edited | later.edited)][:MAX_EDITED])
        self.touched = dict.fromkeys([*(self.touched | later.touched)][:MAX_TOUCHED])
        self.commands = (self.commands + later.commands)[:MAX_COMMANDS]
        self.errors += later.errors
        self.ended = self.ended if later.ended is None else later.ended
        self.said = later.said or self.said
        self.attributed = later.attributed or self.attributed
        self.model = later.model or self.model
        self.spent += later.spent
        if later.aside:
            self.aside = [*(self.aside or ()), *later.aside]
        self.last = later.last or self.last

    def work(self) -> Work:
        """The finished fact."""
        return Work(
            tools=tuple(self.tools),
            edited=tuple(self.edited),
            touched=tuple(self.touched),
            commands=tuple([command.text for command in self.commands if command.ran]) if self.commands else (),
            errors=self.errors,
            ended_in_error=self.ended is True,
            said=self.said,
            attributed=self.attributed,
            model=self.model,
            tokens=add_up(self.spent),
            ended=microseconds(self.last),
            aside=add_up(self.aside) if self.aside else _NO_TOKENS,
        )


class Entry:
    """An item, what became known of it later, and the work after it."""

    __slots__ = ("changes", "fact", "segment")

    def __init__(self, fact: Item) -> None:
        self.fact = fact
        self.segment = Segment()
        self.changes: dict[str, Any] = {}


class Queued:
    """A prompt or command typed while the agent worked, known from its entry in the queue only."""

    __slots__ = ("entry", "interrupted", "slash", "state", "text")

    def __init__(self, entry: Entry, *, text: str, interrupted: bool = False, slash: str = "") -> None:
        self.entry, self.text, self.interrupted = entry, text, interrupted
        self.slash = slash
        """The name of the slash command, '' for a prompt."""
        self.state: Literal["waiting", "delivered", "next"] = "waiting"
        """Still in the queue; given to the agent as it worked; taken as the next prompt."""


class Session:
    """One session as far as it is read."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.version = self.entrypoint = self.project = ""
        self.vague = True
        """Whether one of these three is missing."""
        self.first: datetime | None = None
        self.last = _EARLIEST
        self.counts: dict[str, int] = {}
        """Records by what became of them."""
        self.spoken = False
        """Whether a message was seen that is no sub-agent's; without one it is no session."""
        self.lead = Segment()
        self.now = self.lead
        self.entries: list[Entry] = []
        self.calls: dict[str, str] = {}
        """Tool call id → tool name, until the result comes."""
        self.commands: dict[str, Command] = {}
        """Tool call id → its command, which its result may yet say did not run."""
        self.uses: dict[str, list[Entry]] = {}
        """Tool call id → the uses that stand or fall with its result."""
        self.bodies: dict[str, Entry] = {}
        """Tool call id → use whose body may follow."""
        self.awaiting: Entry | None = None
        """The use whose body may follow next."""
        self.parents: set[str | None] = set()
        """Records that a prompt or the agent already followed."""
        self.queue: list[Queued] = []
        self.interrupted = False
        self.unknown_tags: dict[str, int] = {}
        self.usage: dict[str, Usage] = {}
        """API message id → its tokens, which are held where its first line stands."""
        self.listed: set[str] | None = None
        """Names of the skills that were listed as available, None where nothing was listed."""
        self.listed_count = 0
        """The largest number that a list gave for itself."""

    def note(self, record: Record) -> None:
        """Take what a record tells about the session."""
        moment = record.timestamp
        if moment is not None and moment > self.last:
            if self.first is None:
                self.first = moment
            self.last = moment
        if self.vague and (record.entrypoint or not self.project or not self.version):
            self.introduce(record)

    def count(self, became: str) -> None:
        """Count a record under what became of it."""
        self.counts[became] = self.counts.get(became, 0) + 1

    def note_tags(self, tags: Sequence[str]) -> None:
        """Count tags of the harness that the reader does not know."""
        for tag in tags:
            self.unknown_tags[tag] = self.unknown_tags.get(tag, 0) + 1

    def forget_command(self, call_id: str | None) -> None:
        """Take back the command of a call that was refused or failed."""
        if call_id and (command := self.commands.pop(call_id, None)):
            command.ran = False

    def introduce(self, record: Record) -> None:
        """Take the first cwd, version and entrypoint."""
        self.project = self.project or record.cwd or ""
        self.version = self.version or record.version or ""
        self.entrypoint = self.entrypoint or record.entrypoint or ""
        self.vague = not (self.project and self.version and self.entrypoint)

    def add(self, fact: Item) -> Entry:
        """Append an item; the work from here on is its own."""
        entry = Entry(fact)
        self.entries.append(entry)
        self.now = entry.segment
        return entry

    def drop(self, entry: Entry) -> None:
        """Take an item out again; its work goes to the item before it."""
        at = next(index for index, other in enumerate(self.entries) if other is entry)
        before = self.entries[at - 1].segment if at else self.lead
        before.absorb(entry.segment)
        if self.now is entry.segment:
            self.now = before
        del self.entries[at]

    def facts(self, *, path: str, pending: bool) -> SessionFacts:
        """The finished session."""
        return SessionFacts(
            session_id=self.session_id,
            path=path,
            agent="claude-code",
            agent_version=self.version,
            entrypoint=self.entrypoint,
            project=self.project,
            last_at=None if self.last is _EARLIEST else microseconds(self.last),
            records=sum(self.counts.values()),
            pending=pending,
            lead=self.lead.work(),
            items=tuple([_finish(entry) for entry in self.entries]),
            first_at=microseconds(self.first),
            available=None if self.listed is None else max(len(self.listed), self.listed_count),
        )


def _finish(entry: Entry) -> Item:
    """The item with what became known later; nobody else holds it yet, so it is set in place."""
    fact = entry.fact
    structs.force_setattr(fact, "work", entry.segment.work())
    for name, value in entry.changes.items():
        structs.force_setattr(fact, name, value)
    return fact


def add_up(spent: list[Usage]) -> Tokens:
    """The sum over API messages, no figure above ``MAX_TOKENS``."""
    if not spent:
        return _NO_TOKENS
    return Tokens(
        min(sum([usage.input_tokens for usage in spent]), MAX_TOKENS),
        min(sum([usage.output_tokens for usage in spent]), MAX_TOKENS),
        min(sum([usage.cache_read_input_tokens for usage in spent]), MAX_TOKENS),
        min(sum([usage.cache_creation_input_tokens for usage in spent]), MAX_TOKENS),
    )
