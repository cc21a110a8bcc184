"""What the lines of a feedback log say now: of the lines about one use, the one that counts.

A use has a line in ``feedback.jsonl`` when a person judged it, in ``uses.jsonl`` when not, and it may go from one to
the other and back as its session goes on. Each new line names, in ``supersedes``, the digest of the line it replaces,
in whichever file that stands; what no line supersedes is current. Lines that say nothing of each other (other tools,
a copy left by a killed run): the later line of a file counts, and the judgement rather than the mere use.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from skilltune.records import FeedbackEvent, Invocation
from skilltune.stores.jsonl import Line, LogProblem, ReadResult
from skilltune.stores.rows import read_event, read_use, row_digest

__all__ = ["Claim", "LogLine", "current_lines", "current_of", "log_lines"]


class Claim(Protocol):
    """What a line says of one use, as far as another line may take it back."""

    @property
    def kind(self) -> Literal["event", "use"]:
        """Whether it judges the use."""

    @property
    def row(self) -> dict[str, Any]:
        """The line's object."""

    @property
    def supersedes(self) -> str:
        """The digest of the line it replaces, or ''."""


_Claim = TypeVar("_Claim", bound=Claim)


@dataclass(frozen=True, slots=True, eq=False)
class LogLine:
    """One line of one of the log's files, with what it says (None where it can't be understood)."""

    path: Path
    kind: Literal["event", "use"]
    line: Line
    record: FeedbackEvent | Invocation | None
    problems: tuple[LogProblem, ...] = ()

    @property
    def row(self) -> dict[str, Any]:
        """The line's object, {} where there is none."""
        return self.line.row or {}

    @property
    def supersedes(self) -> str:
        """The digest of the line this one replaces, or ''."""
        value = self.row.get("supersedes")
        return value if isinstance(value, str) else ""


def log_lines(result: ReadResult, *, kind: Literal["event", "use"]) -> list[LogLine]:
    """Every line of a file that was read, understood or not."""
    return [_log_line(line, result.path, kind) for line in result.lines]


def current_lines(lines: Iterable[LogLine]) -> dict[str, LogLine]:
    """Event id → the line that counts, in the order of their first lines; `lines` in reading order, events first."""
    by_id: dict[str, list[LogLine]] = {}
    for line in lines:
        if line.record is not None:
            by_id.setdefault(line.record.event_id, []).append(line)
    return {event_id: current_of(group) for event_id, group in by_id.items()}


def current_of(group: Sequence[_Claim]) -> _Claim:
    """Of the claims about one use, in reading order, events first, the one that counts."""
    if len(group) == 1:
        return group[0]
    replaced = {line.supersedes for line in group} - {""}
    standing = [line for line in group if row_digest(line.row) not in replaced] if replaced else group
    events = [line for line in standing if line.kind == "event"]
    uses = [line for line in standing if line.kind == "use"]
    if events and uses:
        return uses[-1] if uses[-1].supersedes and not events[-1].supersedes else events[-1]
    return (events or uses or group)[-1]


def _log_line(line: Line, path: Path, kind: Literal["event", "use"]) -> LogLine:
    odd = [line.problem] if line.problem else []
    record: FeedbackEvent | Invocation | None = None
    if line.row is not None:
        record, odd_fields = read_event(line.row) if kind == "event" else read_use(line.row)
        odd += odd_fields
    return LogLine(path, kind, line, record, tuple(LogProblem(str(path), line.number, reason) for reason in odd))
