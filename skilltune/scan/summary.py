"""What was read, summed up over all files."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from skilltune.facts import FileFacts, SubagentFacts
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


class Sums:
    """Counts over all files read so far."""

    def __init__(self) -> None:
        self._bytes = 0
        self._sessions: set[tuple[str, str]] = set()
        """Agent and id of each session: two agents may give the same."""
        self._records: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()
        self._fields: Counter[str] = Counter()
        self._skipped: Counter[str] = Counter()
        self._problems: dict[str, dict[str, int]] = {}
        self._subagents: list[SubagentFacts] = []

    def add(self, facts: FileFacts) -> None:
        """Count one more file."""
        self._bytes += facts.size
        self._sessions |= {(session.agent, session.session_id) for session in facts.sessions}
        self._subagents += facts.subagents
        self._records.update(facts.records)
        self._unknown.update(facts.unknown_types)
        self._fields.update(facts.unknown_fields)
        if facts.skipped:
            self._skipped[facts.skipped] += 1
        if facts.problems:
            self._problems[facts.path] = dict(Counter(problem.reason for problem in facts.problems))

    def _orphans(self) -> tuple[str, ...]:
        """What sub-agents are called whose session was not found."""
        known = {session_id for _, session_id in self._sessions}
        lone = {_orphan(run) for run in self._subagents if run.session_id not in known}
        return tuple(sorted(lone - {""}))

    def summary(self, *, files: int, copies: list[Copy], unreadable: list[tuple[str, str]]) -> ScanSummary:
        """The sum of all."""
        return ScanSummary(
            files=files,
            sessions=len(self._sessions),
            bytes=self._bytes,
            records=dict(sorted(self._records.items())),
            unknown_types=dict(sorted(self._unknown.items())),
            unknown_fields=dict(sorted(self._fields.items())),
            problems=self._problems,
            skipped=dict(sorted(self._skipped.items())),
            unreadable=tuple(unreadable),
            orphans=self._orphans(),
            copied=sum(copy.copied for copy in copies),
            copies=tuple(copies),
        )


def _orphan(run: SubagentFacts) -> str:
    """What to call a sub-agent without a session: its session's folder of sub-agents if it lies in one, else its file.

    A run whose session's transcript lies beside that folder has one, though it may not be among what was read: ''.
    """
    path = Path(run.path)
    if "subagents" not in path.parts[:-1]:
        return run.path
    folder = Path(*path.parts[: path.parts.index("subagents") + 1])
    return "" if folder.parent.with_name(f"{folder.parent.name}.jsonl").exists() else readable(folder)
