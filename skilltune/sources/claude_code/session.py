"""One Claude Code session under construction: what of it only that agent's transcripts have."""

from typing import Literal

from skilltune.sources.claude_code.records import Record
from skilltune.sources.session import Entry, OpenSession, Usage

__all__ = ["EDIT_TOOLS", "Queued", "Session"]

EDIT_TOOLS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit", "Update", "edit_file", "write_file"})


class Queued:
    """A prompt or command typed while the agent worked, known from its entry in the queue only."""

    __slots__ = ("entry", "interrupted", "slash", "state", "text")

    def __init__(self, entry: Entry, *, text: str, interrupted: bool = False, slash: str = "") -> None:
        self.entry, self.text, self.interrupted = entry, text, interrupted
        self.slash = slash
        """The name of the slash command, '' for a prompt."""
        self.state: Literal["waiting", "delivered", "next"] = "waiting"
        """Still in the queue; given to the agent as it worked; taken as the next prompt."""


class Session(OpenSession):
    """One session as far as it is read."""

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id, agent="claude-code")
        self.vague = True
        """Whether version, entrypoint or project is missing."""
        self.bodies: dict[str, Entry] = {}
        """Tool call id → use whose body may follow."""
        self.awaiting: Entry | None = None
        """The use whose body may follow next."""
        self.parents: set[str | None] = set()
        """Records that a prompt or the agent already followed."""
        self.queue: list[Queued] = []
        self.usage: dict[str, Usage] = {}
        """API message id → its tokens, which are held where its first line stands."""

    def note(self, record: Record) -> None:
        """Take what a record tells about the session."""
        moment = record.timestamp
        if moment is not None and moment > self.last:
            if self.first is None:
                self.first = moment
            self.last = moment
        if self.vague and (record.entrypoint or not self.project or not self.version):
            self.introduce(record)

    def introduce(self, record: Record) -> None:
        """Take the first cwd, version and entrypoint, and of which session this one is a fork."""
        self.project = self.project or record.cwd or ""
        self.version = self.version or record.version or ""
        self.entrypoint = self.entrypoint or record.entrypoint or ""
        parent = record.forked_from.get("sessionId") if isinstance(record.forked_from, dict) else None
        if isinstance(parent, str) and parent != self.session_id:
            self.forked_from = self.forked_from or parent
        self.vague = not (self.project and self.version and self.entrypoint)
