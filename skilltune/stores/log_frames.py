"""A feedback log as frames of events and uses, read once and in columns: what the log says now, each use once.

The frames are those of ``FeedbackLog.read``, with names as categories, at a tenth of its memory.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from skilltune.frames import to_frame
from skilltune.records import FeedbackEvent, Invocation
from skilltune.stores.columns import Columns, Names, as_categories, joined
from skilltune.stores.counts import OF_BOTH
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.jsonl import parse_line
from skilltune.stores.names import mask_name
from skilltune.stores.rows import stand_ins
from skilltune.stores.states import current_of
from skilltune.stores.typed_rows import RECORDS, Kind, LineBlock, RowReader, read_lines

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LogFrames", "LoggedUse", "iter_uses", "read_frames"]

_FIRST: Final = 1 << 16
"""Size of the blocks where the first lines may be enough."""
_GROUPS: Final = 2_000
"""Uses with several lines that are looked at together: their lines are there as objects."""
_TRIES: Final = 3

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LogFrames:
    """What a log says now."""

    events: "pd.DataFrame"
    invocations: "pd.DataFrame"
    problems: dict[str, int]
    """Lines that were not in order, by reason."""


@dataclass(frozen=True, slots=True)
class LoggedUse:
    """What every line about one use says alike."""

    skill_id: str
    timestamp: datetime | None
    failed: str


@dataclass(slots=True)
class _Part:
    """The rows of one file, or of several."""

    kind: Kind
    columns: Columns
    paths: list[Path] = field(default_factory=list)
    starts: list[Integers] = field(default_factory=list)
    """Per file, where in it the lines of its rows start."""
    problems: Counter[str] = field(default_factory=Counter)

    def __len__(self) -> int:
        return sum(map(len, self.starts))

    def extend(self, other: "_Part") -> None:
        self.columns.extend(other.columns)
        self.paths += other.paths
        self.starts += other.starts
        self.problems += other.problems


@dataclass(frozen=True)
class _Claim:
    """A line that is one of several about a use."""

    kind: Kind
    place: int
    raw: bytes

    @cached_property
    def row(self) -> dict[str, Any]:
        return parse_line(self.raw)[0] or {}

    @property
    def supersedes(self) -> str:
        value = self.row.get("supersedes")
        return value if isinstance(value, str) else ""


class _ChangedError(Exception):
    """A file was replaced while it was read."""


def read_frames(log: FeedbackLog) -> LogFrames:
    """The frames of `log`.

    Raises
    ------
    LogError
        A file cannot be read.
    """
    for _ in range(_TRIES):
        try:
            return _read(log)
        except _ChangedError:
            continue
    contents = log.read()
    return LogFrames(
        as_categories(to_frame(contents.events, FeedbackEvent), FeedbackEvent),
        as_categories(to_frame(contents.invocations, Invocation), Invocation),
        contents.problem_counts,
    )


def iter_uses(log: FeedbackLog) -> Iterator[LoggedUse]:
    """The uses in `log`, line by line: for questions that the first lines may answer. One with two lines comes twice.

    Secrets in the names of skills are masked, as in the tables of the log.

    Raises
    ------
    LogError
        A file cannot be read.
    """
    files: list[tuple[Path, Kind]] = [(log.path, "event"), *((path, "event") for path in log.archives())]
    for path, kind in [*files, (log.uses_path, "use")]:
        reader = RowReader(path, kind)
        for block in read_lines(path, size=_FIRST):
            for raw in block.lines:
                row = reader.read(raw, last=block.cut)
                if row is not None:
                    stamp = row.timestamp and row.timestamp.replace(tzinfo=UTC)
                    yield LoggedUse(mask_name(row.skill_id), stamp, getattr(row, "failed", None) or "")


def _read(log: FeedbackLog) -> LogFrames:
    names: dict[str, Names] = {}
    # the live file first: a line that an archiving run moves meanwhile is seen twice, never not at all
    live = _read_part([log.path], "event", names)
    events, uses = _read_part(log.archives(), "event", names), _read_part([log.uses_path], "use", names)
    events.extend(live)
    judged, others = _current(events, uses)
    problems = events.problems + uses.problems
    invocations = _invocations(events.columns, uses.columns, judged, others)
    return LogFrames(_frame(events.columns, judged), invocations, dict(problems))


def _read_part(paths: Sequence[Path], kind: Kind, names: dict[str, Names]) -> _Part:
    part = _Part(kind, Columns(RECORDS[kind], names))
    for path in paths:
        reader = RowReader(path, kind)
        starts = [_add_lines(part.columns, reader, block) for block in read_lines(path)]
        part.paths.append(path)
        part.starts.append(np.concatenate([np.empty(0, dtype="int64"), *starts]))
        part.problems += reader.problems
    return part


def _add_lines(columns: Columns, reader: RowReader, block: LineBlock) -> Integers:
    """Take in the rows of a block of lines; where they start."""
    rows = [reader.read(raw, last=block.cut) for raw in block.lines]
    there = np.array([row is not None for row in rows], dtype=bool)
    sizes = np.fromiter(map(len, block.lines), dtype="int64", count=len(rows)) + 1
    columns.add([row for row in rows if row is not None])
    places: Integers = (block.start + np.cumsum(sizes) - sizes)[there]
    return places


def _current(events: _Part, uses: _Part) -> tuple[Integers, Integers]:
    """The rows of each that count, in the order of the first lines about each use."""
    import pandas as pd

    ids = pd.concat([pd.Series(part.columns.take("event_id")) for part in (events, uses)], ignore_index=True)
    codes, _ = pd.factorize(ids)
    counts = np.bincount(codes)
    chosen = np.empty(len(counts), dtype="int64")
    chosen[codes[::-1]] = np.arange(len(codes))[::-1]
    several = np.flatnonzero(counts[codes] > 1)
    if len(several):
        several = several[np.argsort(codes[several], kind="stable")]
        groups = np.split(several, np.flatnonzero(np.diff(codes[several])) + 1)
        for first in range(0, len(groups), _GROUPS):
            some = groups[first : first + _GROUPS]
            for group, claims in zip(some, _claims(some, ids, events, uses), strict=True):
                chosen[codes[group[0]]] = current_of(claims).place
    number = len(events)
    return chosen[chosen < number], chosen[chosen >= number] - number


def _claims(groups: Sequence[Integers], ids: "pd.Series[str]", events: _Part, uses: _Part) -> Iterator[list[_Claim]]:
    """What the lines of each group of rows say, read once more from their places."""
    rows = np.sort(np.concatenate(groups))
    number = len(events)
    found = _lines_of(events, rows[rows < number]) | {
        place + number: raw for place, raw in _lines_of(uses, rows[rows >= number] - number).items()
    }
    for group in groups:
        claims = [_Claim("event" if place < number else "use", place, found[place]) for place in group.tolist()]
        event_id = ids[group[0]]
        if any(claim.row.get("event_id") != event_id for claim in claims):
            raise _ChangedError
        yield claims


def _lines_of(part: _Part, rows: Integers) -> dict[int, bytes]:
    """Row → its line."""
    found: dict[int, bytes] = {}
    first = 0
    for path, starts in zip(part.paths, part.starts, strict=True):
        own = rows[(rows >= first) & (rows < first + len(starts))]
        if len(own):
            found |= dict(zip(own.tolist(), _lines_at(path, starts[own - first]), strict=True))
        first += len(starts)
    return found


def _lines_at(path: Path, starts: Integers) -> list[bytes]:
    try:
        with path.open("rb") as file:
            return [_line_at(file, start) for start in starts.tolist()]
    except OSError as error:
        raise _ChangedError from error


def _line_at(file: Any, start: int) -> bytes:
    file.seek(start)
    line: bytes = file.readline()
    return line.removesuffix(b"\n")


def _frame(columns: Columns, rows: Integers) -> "pd.DataFrame":
    """The chosen rows; the columns let go of what they keep."""
    import pandas as pd

    table = {}
    for name in columns.kinds:
        table[name] = columns.series(name, columns.take(name, rows))
        columns.drop(name)
    return pd.DataFrame(table, copy=False)


def _invocations(events: Columns, uses: Columns, judged: Integers, others: Integers) -> "pd.DataFrame":
    """All uses: what the events tell of theirs (``LogContents.invocations``), then those without an event."""
    import pandas as pd

    table, untold = {}, stand_ins(Invocation)
    for name in uses.kinds:
        own = uses.take(name, others)
        uses.drop(name)
        if name == "turns_seen":
            seen = events.take(name, judged)
            told = np.where(seen > 0, seen, events.take("turns_to_feedback", judged))
        elif name in OF_BOTH:
            told = events.take(name, judged)
        else:
            told = uses.encode(name, [untold[name]]).repeat(len(judged))
        table[name] = uses.series(name, joined([told, own]))
    return pd.DataFrame(table, copy=False)
