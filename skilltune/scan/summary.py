"""What was read, summed up over all files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from msgspec import Struct

from skilltune.scan.outlines import Outline
from skilltune.scan.owners import Copy
from skilltune.sources.base import readable

__all__ = ["ScanSummary", "Sums"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanSummary:
    """What was read, and what was left out and why."""

    files: int = 0
    """Files found, readable or not."""
    sessions: int = 0
    """Different sessions; copies of one count once."""
    bytes: int = 0
    records: dict[str, int] = field(default_factory=dict)
    """Records of all files by what became of them; see ``FileFacts.records``."""
    unknown_types: dict[str, int] = field(default_factory=dict)
    unknown_fields: dict[str, int] = field(default_factory=dict)
    """The same of fields; see ``FileFacts.unknown_fields``."""
    problems: dict[str, dict[str, int]] = field(default_factory=dict)
    """Path → reason → damaged lines there."""
    skipped: dict[str, int] = field(default_factory=dict)
    """Reason → files that hold no session."""
    unreadable: tuple[tuple[str, str], ...] = ()
    """Path and message of what could not be read."""
    orphans: tuple[str, ...] = ()
    """Sub-agents whose main transcript is gone: folders of their transcripts, and files of their own elsewhere."""
    copied: int = 0
    """Turns, uses and commands that another file owns."""
    copies: tuple[Copy, ...] = ()
    """The sessions they stand in, in the order of the files."""


class Sums(Struct, array_like=True):
    """Counts over all files read so far."""

    bytes: int = 0
    sessions: set[tuple[str, str]] = msgspec.field(default_factory=set)
    """Agent and id of each session: two agents may give the same."""
    records: dict[str, int] = {}
    unknown: dict[str, int] = {}
    fields: dict[str, int] = {}
    skipped: dict[str, int] = {}
    problems: dict[str, dict[str, int]] = {}
    subagents: list[tuple[str, str]] = []
    """Session and file of each."""

    def add(self, outline: Outline) -> None:
        """Count one more file."""
        self.bytes += outline.size
        for session in outline.sessions:
            self.sessions.add((session.agent, session.session_id))
        self.subagents += outline.subagents
        _add(self.records, outline.records)
        _add(self.unknown, outline.unknown_types)
        _add(self.fields, outline.unknown_fields)
        if outline.skipped:
            _add(self.skipped, {outline.skipped: 1})
        if outline.problems:
            self.problems[outline.path] = outline.problems

    def _orphans(self) -> tuple[str, ...]:
        """What sub-agents are called whose session was not found."""
        known = {session_id for _, session_id in self.sessions}
        lone = {_orphan(path) for session_id, path in self.subagents if session_id not in known}
        return tuple(sorted(lone - {""}))

    def summary(self, *, files: int, copies: list[Copy], unreadable: list[tuple[str, str]]) -> ScanSummary:
        """The sum of all."""
        return ScanSummary(
            files=files,
            sessions=len(self.sessions),
            bytes=self.bytes,
            records=dict(sorted(self.records.items())),
            unknown_types=dict(sorted(self.unknown.items())),
            unknown_fields=dict(sorted(self.fields.items())),
            problems=self.problems,
            skipped=dict(sorted(self.skipped.items())),
            unreadable=tuple(unreadable),
            orphans=self._orphans(),
            copied=sum(copy.copied for copy in copies),
            copies=tuple(copies),
        )


def _add(sums: dict[str, int], counts: Mapping[str, int]) -> None:
    for name, count in counts.items():
        sums[name] = sums.get(name, 0) + count


def _orphan(file: str) -> str:
    """What to call a sub-agent without a session: its session's folder of sub-agents if it lies in one, else its file.

    A run whose session's transcript lies beside that folder has one, though it may not be among what was read: ''.
    """
    path = Path(file)
    if "subagents" not in path.parts[:-1]:
        return file
    folder = Path(*path.parts[: path.parts.index("subagents") + 1])
    return "" if folder.parent.with_name(f"{folder.parent.name}.jsonl").exists() else readable(folder)
