"""One Codex session under construction: what of it only that agent's files have."""

import hashlib
import re
from collections import deque
from typing import Final, Literal

from skilltune.mining.ids import is_unique
from skilltune.sources.codex.records import Meta, Spent
from skilltune.sources.codex.words import SkillText
from skilltune.sources.session import Entry, OpenSession, Usage

__all__ = ["AUTOMATION", "EXEC", "Channel", "Prompt", "Session", "is_inherited", "subagent_parent"]

Channel = Literal["item", "told", "completed"]
"""Which record gives a prompt: a ``response_item``, the ``user_message``, an ``item_completed``."""

EXEC: Final = "codex_exec"
"""How a session is called that ``codex exec`` started: scripted."""
AUTOMATION: Final = "codex_automation"
"""The same where the app started it at a time that was set: scripted too."""
_STARTED_BY: Final = {"exec": EXEC, "mcp": "codex_mcp"}
_SUBAGENT_THREADS: Final = frozenset({"guardianreview", "memoryconsolidation", "subagent"})
_REMEMBERED: Final = 20
_NOTHING: Final = Spent()
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_TIMED_ID = re.compile(r"([0-9a-f]{8}-[0-9a-f]{4})-7[0-9a-f]{3}-")


class Prompt:
    """A prompt, and in which kinds of records it was seen."""

    __slots__ = ("channels", "entry", "key", "worked")

    def __init__(self, entry: Entry, *, key: str, channel: Channel, worked: int) -> None:
        self.entry, self.key, self.channels, self.worked = entry, key, {channel}, worked
        """`worked` is how much the agent had done by then."""


class Session(OpenSession):
    """One session as far as it is read."""

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id, agent="codex")
        self.model = ""
        self.prompts: deque[Prompt] = deque(maxlen=_REMEMBERED)
        self.worked = 0
        """Records of the agent's own so far."""
        self.rewound = False
        """Whether the person took back prompts since the last turn."""
        self.failed_calls: set[str] = set()
        """Calls that the program said failed, whatever their outputs say."""
        self.denied_at = -1
        """How much the agent had done when the person last refused a call."""
        self.named: dict[str, Entry] = {}
        """Name without its plugin → the use that the last prompt named, or whose text came since."""
        self.asked_at = -1
        """How much the agent had done at the last prompt."""
        self.early: list[tuple[Entry, SkillText]] = []
        """Skills whose text came before any prompt, which may yet follow …"""
        self.early_at = -1
        """… if the agent has done no more by then."""
        self.total: Spent | None = None
        """The last sum of tokens that a record gave."""
        self.thread = ""
        """The thread whose records these are: in a fork the one that was copied."""
        self.turn_id = ""
        self.number = 0
        """How many prompts and decisions this turn had."""
        self.last_key = ""

    def introduce(self, meta: Meta) -> None:
        """Take the first cwd, version and way of starting."""
        source = meta.source
        started = _STARTED_BY.get(source, "") if isinstance(source, str) else ""
        if meta.thread_source == "automation":
            started = AUTOMATION
        self.project = self.project or meta.cwd or ""
        self.version = self.version or meta.cli_version or ""
        self.entrypoint = self.entrypoint or started or meta.originator or ""

    def enter_turn(self, turn_id: str | None) -> None:
        """Go on with a turn of the program: a prompt and all that follows."""
        if turn_id and turn_id != self.turn_id:
            self.turn_id, self.number = turn_id, 0

    def next_uuid(self, text: str) -> str:
        """What names the next prompt or decision in every copy of the session; '' where nothing does.

        Codex gives prompts no id, and new stamps to copies. The turn's id, where there is one, is the same in a copy;
        else the thread and all the prompts up to this one are.
        """
        place = self._place()
        if not place:
            return ""
        self.last_key = _digest(f"{place}\0{self.number}\0{text}")
        self.number += 1
        return self.last_key

    def call_uuid(self, call_id: str) -> str:
        """The same for what was decided about a call, or what it read: its own id unless that is a mere number."""
        if not call_id or is_unique(call_id):
            return call_id
        place = self._place()
        return _digest(f"{place}\0{call_id}") if place else ""

    def _place(self) -> str:
        """What names the place in the conversation in every copy of it; a turn's number says nothing by itself."""
        if _UUID.match(self.turn_id):
            return self.turn_id
        return f"{self.thread} {self.turn_id or self.last_key}" if self.thread else ""

    def spend(self, usage: Usage | None) -> None:
        """Count tokens where the agent is at work."""
        if usage is not None:
            self.spoken = True
            self.now.spent.append(usage)

    def add_total(self, total: Spent | None, last: Spent | None) -> Usage | None:
        """The tokens of the API messages since the last count.

        Sums are trusted above the last message's own count, which leaves out messages that nobody told of; after a
        fork the first sum has the tokens of the session before it.
        """
        before, first = self.total or _NOTHING, self.total is None
        self.total = total or self.total
        if total is None or (first and self.forked_from and last is not None):
            return _usage(last) if last is not None else None
        grown = Spent(
            total.input_tokens - before.input_tokens,
            total.cached_input_tokens - before.cached_input_tokens,
            max(total.cache_write_input_tokens - before.cache_write_input_tokens, 0),
            total.output_tokens - before.output_tokens,
        )
        if grown.input_tokens < 0 or grown.cached_input_tokens < 0 or grown.output_tokens < 0:
            return _usage(last or total)
        return _usage(grown) if grown.input_tokens or grown.output_tokens else None


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _usage(spent: Spent) -> Usage:
    """Each token once: what was read from the cache or written to it is no input of its own."""
    cached, written = spent.cached_input_tokens, spent.cache_write_input_tokens
    return Usage(max(spent.input_tokens - cached - written, 0), written, cached, spent.output_tokens)


def subagent_parent(meta: Meta) -> str | None:
    """The session that started a thread which no person did, '' where its first record does not tell; None for a
    person's.
    """
    source = meta.source if isinstance(meta.source, dict) else {str(meta.source): None}
    starts = [told for name, told in source.items() if _is_machine(name)]
    if not starts and _plain(meta.thread_source) not in _SUBAGENT_THREADS:
        return None
    spawn = starts[0].get("thread_spawn") if starts and isinstance(starts[0], dict) else None
    spawned_by = spawn.get("parent_thread_id") if isinstance(spawn, dict) else None
    root = meta.session_id if meta.session_id != meta.id else None
    named = root or meta.parent_thread_id or spawned_by or meta.forked_from_id
    return named if isinstance(named, str) else ""


def _is_machine(name: str) -> bool:
    """Whether what starts a thread is the program or an agent."""
    plain = _plain(name)
    return plain == "internal" or plain.startswith("subagent")


def _plain(name: object) -> str:
    """A name however it is spelled: ``subAgent``, ``sub_agent`` …"""
    return name.lower().replace("_", "").replace("-", "") if isinstance(name, str) else ""


def is_inherited(turn_id: str, thread: str) -> bool:
    """Whether a turn is older than the thread: its records were copied from the one that it was forked from."""
    turn, own = _TIMED_ID.match(turn_id), _TIMED_ID.match(thread)
    return bool(turn and own and turn[1] < own[1])
