"""Sub-agents that have a file of their own: whose they are, when they began, what they spent."""

from copy import copy
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any

from skilltune.facts import SubagentFacts
from skilltune.sources.base import readable
from skilltune.sources.claude_code.records import Record
from skilltune.sources.session import Usage, add_up, microseconds

__all__ = ["Run", "Subagents", "is_subagent_path"]

_FOLDER = "subagents"


def is_subagent_path(path: PurePath) -> bool:
    """Whether a path is that of a sub-agent's transcript; else it is one if all of its messages are a sub-agent's."""
    return _FOLDER in path.parts or (path.name.startswith("agent-") and path.suffix == ".jsonl")


class Run:
    """One sub-agent as far as it is read."""

    def __init__(self, uuid: str) -> None:
        self.uuid = uuid
        self.started: datetime | None = None
        self.spent: list[Usage] = []


class Subagents:
    """The sub-agents of one file: one for each session that their messages name."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._runs: dict[str, Run] = {}
        self._named = ""
        self._usage: dict[str, Usage] = {}

    def take(self, record: Record, speaker: str) -> None:
        """Take a message of a sub-agent."""
        message = record.message
        if message is None:
            return
        self._named = record.session_id or self._named
        run = self._runs.get(self._named)
        if run is None:
            run = self._runs[self._named] = Run(record.uuid or "")
        run.started = run.started or record.timestamp
        if speaker == "assistant" and message.usage is not None:
            self._spend(run, message.id, message.usage)

    def _spend(self, run: Run, message_id: str | None, usage: Usage) -> None:
        """Count an API message once, as its last line has it."""
        known = self._usage.get(message_id) if message_id else None
        if known is not None:
            known.replace(usage)
            return
        usage = copy(usage)  # the session counts the same message for itself
        run.spent.append(usage)
        if message_id:
            self._usage[message_id] = usage

    def carried(self) -> tuple[Any, ...]:
        """All that is known of them."""
        return self._runs, self._named, self._usage

    def resume(self, values: tuple[Any, ...]) -> None:
        """Know what was known before."""
        self._runs, self._named, self._usage = values

    def found(self) -> bool:
        """Whether any message was taken."""
        return bool(self._runs)

    def facts(self) -> tuple[SubagentFacts, ...]:
        """The finished facts."""
        return tuple(
            SubagentFacts(
                session_id=self._parent(named),
                path=readable(self._path),
                uuid=run.uuid,
                started=microseconds(run.started),
                tokens=add_up(run.spent),
            )
            for named, run in self._runs.items()
        )

    def _parent(self, named: str) -> str:
        """The session that the records name unless that is the sub-agent itself, else the folder's."""
        if named and named != self._path.stem:
            return named
        parts = self._path.parts
        at = parts.index(_FOLDER) if _FOLDER in parts[:-1] else 0
        return readable(parts[at - 1]) if at else ""
