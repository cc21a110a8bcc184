"""One session under construction, of whatever agent: its items in order, and the agent's work after each."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, structs

from skilltune.facts import AgentName, Item, SessionFacts, Tokens, Work
from skilltune.limits import MAX_TOKENS

__all__ = ["Command", "Count", "Entry", "OpenSession", "Segment", "Usage", "add_up", "microseconds"]

Count = Annotated[int, Meta(ge=0, le=2**53)]

MAX_EDITED = 200
MAX_TOUCHED = 50
MAX_COMMANDS = 200
COMMAND_CHARS = 2000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WIDEST_OFFSET = timedelta(hours=23, minutes=59)
EARLIEST: Final = datetime.min.replace(tzinfo=timezone(_WIDEST_OFFSET))
_MICROSECOND = timedelta(microseconds=1)
_GIT = re.compile(r"\bgit\b").search
_NO_TOKENS = Tokens()


def microseconds(moment: datetime | None) -> int | None:
    """Microseconds since 1970 UTC."""
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND


class Usage(Struct, gc=False):
    """Tokens of one API message."""

    input_tokens: Count = 0
    cache_creation_input_tokens: Count = 0
    cache_read_input_tokens: Count = 0
    output_tokens: Count = 0

    def replace(self, later: "Usage") -> None:
        """Take over the numbers of a later line of the same message."""
        self.input_tokens = later.input_tokens
        self.cache_creation_input_tokens = later.cache_creation_input_tokens
        self.cache_read_input_tokens = later.cache_read_input_tokens
        self.output_tokens = later.output_tokens


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


class OpenSession:
    """One session as far as it is read; a reader adds items as it meets them, and work to ``now``."""

    def __init__(self, session_id: str, *, agent: AgentName) -> None:
        self.session_id, self.agent = session_id, agent
        self.version = self.entrypoint = self.project = self.forked_from = ""
        self.first: datetime | None = None
        self.last = EARLIEST
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
        self.interrupted = False
        """Whether the person interrupted the agent since the last turn."""
        self.unknown_tags: dict[str, int] = {}
        self.listed: set[str] | None = None
        """Names of the skills that were listed as available, None where nothing was listed."""
        self.listed_count = 0
        """The largest number that a list gave for itself."""

    def note_time(self, moment: datetime | None) -> None:
        """Take the stamp of a record."""
        if moment is not None and moment > self.last:
            if self.first is None:
                self.first = moment
            self.last = moment

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

    def add(self, fact: Item) -> Entry:
        """Append an item; the work from here on is its own."""
        entry = Entry(fact)
        self.entries.append(entry)
        self.now = entry.segment
        return entry

    def drop(self, entry: Entry) -> None:
        """Take an item out again; its work goes to the item before it."""
        at = next(index for index in reversed(range(len(self.entries))) if self.entries[index] is entry)
        before = self.entries[at - 1].segment if at else self.lead
        before.absorb(entry.segment)
        if self.now is entry.segment:
            self.now = before
        del self.entries[at]

    def facts(self, *, path: str, pending: bool = False) -> SessionFacts:
        """The finished session."""
        return SessionFacts(
            session_id=self.session_id,
            path=path,
            agent=self.agent,
            agent_version=self.version,
            entrypoint=self.entrypoint,
            project=self.project,
            last_at=None if self.last is EARLIEST else microseconds(self.last),
            records=sum(self.counts.values()),
            pending=pending,
            lead=self.lead.work(),
            items=tuple([_finish(entry) for entry in self.entries]),
            first_at=microseconds(self.first),
            available=None if self.listed is None else max(len(self.listed), self.listed_count),
            forked_from=self.forked_from,
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
