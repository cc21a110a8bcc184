"""Lines of a feedback log that are in order, decoded and checked at once; every other line is left to ``rows``."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import msgspec
from msgspec import Meta

from skilltune.frames import columns
from skilltune.records import FeedbackEvent, Invocation
from skilltune.stores.files import read_blocks
from skilltune.stores.jsonl import ReadResult, read_line
from skilltune.stores.rows import REQUIRED, largest, read_time, stand_ins
from skilltune.stores.states import LogLine, log_lines

__all__ = ["RECORDS", "Kind", "LineBlock", "RowReader", "read_lines"]

Kind = Literal["event", "use"]
RECORDS: Final[dict[Kind, type]] = {"event": FeedbackEvent, "use": Invocation}
"""What the lines of each kind of file are read as."""
_BLOCK: Final = 1 << 23
_IDS: Final = ("event_id", "skill_id")
"""Text that may not be empty."""
_NOT_IN_ORDER: Final = (ValueError, OverflowError, RecursionError)
"""What decoding raises: msgspec's errors are ValueErrors."""


@dataclass(frozen=True, slots=True)
class LineBlock:
    """Lines that follow each other in a file."""

    start: int
    """Where in the file the first of them is."""
    lines: list[bytes]
    cut: bool = False
    """Whether they end the file without a newline."""


def read_lines(path: Path, *, size: int = _BLOCK) -> Iterator[LineBlock]:
    """The lines of a file, blank ones too; `size` is how many bytes are read at a time.

    Raises
    ------
    LogError
        When it cannot be read, or is no regular file.
    """
    start, rest = 0, b""
    for block in read_blocks(path, size=size):
        *lines, rest = (rest + block).split(b"\n")
        yield LineBlock(start, lines)
        start += sum(map(len, lines)) + len(lines)
    if rest:
        yield LineBlock(start, [rest], cut=True)


class RowReader:
    """Reads the lines of one file.

    A row has an attribute per field of the record, which may be None where a text is empty or a number 0, and its
    ``timestamp`` as naive UTC. What the typed decoder takes would be the same to ``rows``, without a problem; all else
    is read there.
    """

    def __init__(self, path: Path, kind: Kind) -> None:
        self.problems: Counter[str] = Counter()
        """Lines that were not in order, by reason."""
        self._path, self._kind, self._row_type = path, kind, _row_type(RECORDS[kind])
        self._decode: Callable[[bytes], Any] = msgspec.json.Decoder(self._row_type).decode

    def read(self, raw: bytes, *, last: bool = False) -> Any:
        """The row of a line, None where it holds none.

        Parameters
        ----------
        last
            Whether the line ends the file without a newline.
        """
        try:
            row = self._decode(raw)
            row.timestamp = _moment(row.timestamp)
        except _NOT_IN_ORDER:
            return self._read_odd(raw, last=last) if raw.strip() else None
        return row

    def lines_where(self, wanted: Callable[[Any], bool]) -> list[LogLine]:
        """The lines of the file that hold a row, and one that is wanted, as ``log_lines`` has them."""
        found: list[LogLine] = []
        before = 0
        for block in read_lines(self._path):
            for number, raw in enumerate(block.lines, start=before + 1):
                row = self.read(raw, last=block.cut)
                if row is not None and wanted(row):
                    result = ReadResult(self._path, (read_line(number, raw, last=block.cut),))
                    found += log_lines(result, kind=self._kind)
            before += len(block.lines)
        return found

    def _read_odd(self, raw: bytes, *, last: bool) -> Any:
        result = ReadResult(self._path, (read_line(0, raw, last=last),))
        (line,) = log_lines(result, kind=self._kind)
        self.problems.update(problem.reason for problem in line.problems)
        if line.record is None:
            return None
        told = {name: getattr(line.record, name) for name in columns(RECORDS[self._kind])}
        stamp = line.record.timestamp
        return self._row_type(**told | {"timestamp": stamp and stamp.replace(tzinfo=None)})


@cache
def _row_type(record: type) -> type[msgspec.Struct]:
    """A struct that takes only values which ``rows`` would take as they are, and no field that is not the record's."""
    known = stand_ins(record)
    kinds: dict[str, Any] = {name: _kind_of(name, kind, known[name]) for name, kind in columns(record).items()}
    fields = [(name, kind, msgspec.NODEFAULT if known[name] is REQUIRED else None) for name, kind in kinds.items()]
    if "supersedes" not in kinds:
        fields.append(("supersedes", str | None, None))
    return msgspec.defstruct(f"{record.__name__}Row", fields, kw_only=True, gc=False, forbid_unknown_fields=True)


def _kind_of(name: str, kind: Any, stand_in: Any) -> Any:
    """The type of the values of a field that need no second look."""
    taken = kind
    if get_origin(kind) is Literal:
        # '' is a missing word where a word may be missing
        taken = kind if stand_in is REQUIRED else Literal[("", *get_args(kind))]
    elif kind in (int, float):
        taken = Annotated[kind, Meta(ge=0, le=largest(name, kind))]
    elif kind is datetime:
        taken = str
    elif name in _IDS:
        taken = Annotated[str, Meta(min_length=1)]
    return taken if stand_in is REQUIRED else taken | None


def _moment(text: str | None) -> datetime | None:
    """A time as naive UTC; '' is none."""
    if not text:
        return None
    return read_time(text).replace(tzinfo=None)
