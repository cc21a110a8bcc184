"""Append-only logs: JSON objects, one a line, written whole by one process at a time, read whatever they hold.

A line that cannot be read stays in its file and is counted. What a killed writer left at the end is completed where
it is a whole object, else moved to ``<name>.torn``, before the next line is written.
"""

import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from skilltune.errors import LogError, RecordError
from skilltune.stores.files import WriteLock, read_bytes, sync_folder
from skilltune.stores.paths import expand_path

__all__ = [
    "AppendOnlyLog",
    "AppendResult",
    "Line",
    "LogProblem",
    "ReadResult",
    "clean_text",
    "dump_row",
    "parse_line",
    "read_line",
]

Row = dict[str, Any]

_BLOCK: Final = 1 << 16
_DEPTH: Final = 100
"""Objects and lists in each other, from which on a line is not taken: writing such a one would fail."""
_LINE_ENDS_OF_OTHERS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""Characters at which some readers split lines; escaped, so that a line stays one line for everybody."""


@dataclass(frozen=True, slots=True)
class LogProblem:
    """One line that could not be used, or not all of it."""

    path: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log: its bytes, and the object they hold or None."""

    number: int
    raw: bytes
    row: Row | None
    problem: str = ""
    """'' where nothing was amiss; a row may be there all the same (replaced characters)."""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What a log holds, in the order of the file, blank lines left out."""

    path: Path
    lines: tuple[Line, ...]

    @property
    def rows(self) -> list[Row]:
        """The objects that could be read."""
        return [line.row for line in self.lines if line.row is not None]

    @property
    def problems(self) -> list[LogProblem]:
        """The lines that were not in order, each with its number."""
        return [LogProblem(str(self.path), line.number, line.problem) for line in self.lines if line.problem]

    @property
    def problem_counts(self) -> dict[str, int]:
        """Number of such lines by reason."""
        return dict(Counter(line.problem for line in self.lines if line.problem))


@dataclass(frozen=True, slots=True)
class AppendResult:
    """What an append did: lines written, and what it found at the end of the log before."""

    lines: int
    repaired: Literal["", "completed", "moved"] = ""
    """completed: the last line lacked its newline; moved: it was cut off and is now in the ``.torn`` file."""


class AppendOnlyLog:
    """A file of JSON lines that many processes may append to.

    Parameters
    ----------
    path
        The file; it and its folder are made by the first append. A link is followed.
    lock
        The lock to hold while writing, for several logs that change together; default ``<path>.lock``.
    """

    def __init__(self, path: str | Path, *, lock: WriteLock | None = None) -> None:
        self.path = expand_path(path).resolve() if lock is None else Path(path)
        self._lock = lock or WriteLock(self.path.with_name(self.path.name + ".lock"))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other writers out for a block; the one who is in may append."""
        with self._lock.held():
            yield

    @property
    def torn_path(self) -> Path:
        """Where cut off lines go."""
        return self.path.with_name(self.path.name + ".torn")

    def append(self, lines: Sequence[bytes]) -> AppendResult:
        """Write `lines` (objects without newline) at the end, in one write, and see them on disk.

        Raises
        ------
        LogError
            When the log cannot be locked or written, as on a full disk; the log is then as it was before.
        """
        if not lines:
            return AppendResult(0)
        with self.locked():
            repaired = self._repair()
            start = b"\n" if repaired == "completed" else b""
            self._write(start + b"\n".join(lines) + b"\n")
        return AppendResult(len(lines), repaired)

    def read(self, *, strict: bool = False) -> ReadResult:
        """Every line of the log, readable or not; no lock is needed.

        Raises
        ------
        RecordError
            With `strict`, at the first line that is not in order.
        """
        content = read_bytes(self.path)
        cut = bool(content) and not content.endswith(b"\n")
        raws = content.split(b"\n")
        lines = tuple(
            read_line(number, raw, last=cut and number == len(raws))
            for number, raw in enumerate(raws, start=1)
            if raw.strip()
        )
        result = ReadResult(self.path, lines)
        if strict and (problems := result.problems):
            raise RecordError(self.path, problems[0].line, problems[0].reason)
        return result

    def _repair(self) -> Literal["", "completed", "moved"]:
        """Deal with a last line that has no newline; tell the caller to begin with one if it is whole."""
        try:
            tail = _tail(self.path)
            if not tail:
                return ""
            if isinstance(_decode(tail.decode("utf-8", "replace")), dict):
                return "completed"
            _append_bytes(self.torn_path, tail + b"\n")
            with self.path.open("r+b") as file:
                file.truncate(file.seek(0, os.SEEK_END) - len(tail))
                os.fsync(file.fileno())
        except OSError as error:
            raise self._failed(error) from error
        return "moved"

    def _write(self, content: bytes) -> None:
        fresh = not self.path.exists()
        try:
            _append_bytes(self.path, content)
        except OSError as error:
            raise self._failed(error) from error
        if fresh:
            sync_folder(self.path.parent)

    def _failed(self, error: OSError) -> LogError:
        return LogError(
            f"{self.path} cannot be written ({error.strerror or error}); nothing was added to it: free some space or "
            "make the file writable, or choose another one with --workspace or --output, then run this again"
        )


def parse_line(raw: bytes) -> tuple[Row | None, str]:
    """The object a line holds (or None) and what was wrong with the line ('' for nothing).

    Bytes that are no UTF-8, NUL characters and half surrogate pairs are replaced and reported; the rest counts.
    """
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _parse_odd_line(raw)
    if not isinstance(value, dict):
        return None, "not_an_object"
    return (None, "too_deep") if _is_deep(value, raw) else (value, "")


def dump_row(row: Mapping[str, Any], *, separators: tuple[str, str] = (", ", ": ")) -> bytes:
    """`row` as one line of JSON in UTF-8, without newline; half surrogate pairs become U+FFFD, NaN and infinities null.

    Parameters
    ----------
    separators
        What stands between items and after keys.
    """
    try:
        text = json.dumps(row, ensure_ascii=False, allow_nan=False, separators=separators)
    except ValueError:
        # JSON has no such numbers: other readers would refuse the whole line.
        text = json.dumps(_finite(row), ensure_ascii=False, allow_nan=False, separators=separators)
    return clean_text(text).translate(_LINE_ENDS_OF_OTHERS).encode("utf-8")


def clean_text(text: str) -> str:
    """`text` with surrogate pairs joined and single ones replaced by U+FFFD, so that it can be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def read_line(number: int, raw: bytes, *, last: bool) -> Line:
    """A line that is not blank; `last` where it ends the file without a newline, so that a part may be missing."""
    row, problem = parse_line(raw)
    return Line(number, raw, row, "cut_off" if last and row is None else problem)


def _parse_odd_line(raw: bytes) -> tuple[Row | None, str]:
    text = raw.decode("utf-8", "replace")
    plain = text.lstrip("\ufeff").replace("\0", "")
    value = _decode(plain)
    if value is _NOTHING:
        return None, "not_json"
    if not isinstance(value, dict):
        return None, "not_an_object"
    if _is_deep(value, raw):
        return None, "too_deep"
    dumped = json.dumps(value, ensure_ascii=False)
    cleaned = clean_text(dumped)
    replaced = "\ufffd" in text or "\0" in text or cleaned != dumped
    return json.loads(cleaned), "replaced_characters" if replaced else ""


def _is_deep(value: Row, raw: bytes) -> bool:
    """Whether more than ``_DEPTH`` objects and lists stand in each other."""
    if raw.count(b"{") + raw.count(b"[") <= _DEPTH:
        return False
    level: list[Any] = [value]
    for _ in range(_DEPTH):
        level = [part for item in level for part in _parts(item) if isinstance(part, dict | list)]
    return bool(level)


def _parts(item: Any) -> Iterable[Any]:
    return item.values() if isinstance(item, dict) else item


_NOTHING: Final = object()


def _decode(text: str) -> Any:
    """The JSON value of `text`, leniently, or ``_NOTHING``."""
    with suppress(ValueError, RecursionError):
        return json.loads(text, strict=False)
    return _NOTHING


def _finite(value: Any) -> Any:
    """`value` with None for each number in it that is none."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _tail(path: Path) -> bytes:
    """What follows the last newline of the file."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return b""
    with file:
        end = file.seek(0, os.SEEK_END)
        tail = b""
        while end > 0 and b"\n" not in tail:
            start = max(0, end - _BLOCK)
            file.seek(start)
            tail, end = file.read(end - start) + tail, start
    return tail.rpartition(b"\n")[2]


def _append_bytes(path: Path, content: bytes) -> None:
    """Append `content` and sync it; on failure take back what was written of it."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        before = os.fstat(handle).st_size
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(handle, rest) :]
            os.fsync(handle)
        except OSError:
            with suppress(OSError):
                os.ftruncate(handle, before)
            raise
    finally:
        os.close(handle)
