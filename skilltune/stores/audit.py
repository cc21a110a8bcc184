"""The audit log: what was done to skills, each entry chained to the one before by a hash, whatever workspace acted.

It lies in the ``.claude`` folder that holds the skill, in ``CLAUDE_CONFIG_DIR`` for skills in there, else beside the
folder of skills; snapshots and what a killed run left lie beside it.
"""

import hashlib
import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from stat import S_ISREG
from typing import Any, Final

from skilltune.errors import DamagedError, LogError
from skilltune.stores.audit_faults import audit_faults
from skilltune.stores.compact import dump_compact
from skilltune.stores.files import WriteLock, read_bytes, replace_file, sync_folder
from skilltune.stores.heads import AuditHead, find_head_path, read_head_file, write_head_file
from skilltune.stores.homes import find_claude_home
from skilltune.stores.jsonl import AppendOnlyLog, Line, LogProblem
from skilltune.stores.paths import look_at

__all__ = ["AUDIT_NAME", "AuditChecked", "AuditLog", "Summary", "audit_folder", "is_chained"]

AUDIT_NAME: Final = ".audit-log.jsonl"
"""Name of the log."""
_START: Final = "0" * 64
"""``prev_hash`` of the first entry of a log."""
_TOOL: Final = "skilltune"
"""How the ``tool`` of an entry of ours begins."""
_HEX: Final = frozenset("0123456789abcdef")


Summary = Callable[[Sequence[Mapping[str, Any]]], Mapping[str, Mapping[str, Any]]]
"""All entries of a log in, what each file's bounds rest on out, by file."""


@dataclass(frozen=True, slots=True)
class AuditChecked:
    """What ``verify`` found."""

    path: Path
    entries: int
    """Entries whose chain holds, up to the first bad line."""
    foreign: int
    """Lines of other tools among them; the chain covers them as soon as an entry of ours follows."""
    problem: LogProblem | None
    """The first bad line; None where the whole log is as it was written. Line 0: the log as a whole."""
    unsure: int = 0
    """How many lines right before the bad one may be the bad one instead; the chain cannot tell."""

    @property
    def whole(self) -> bool:
        """Whether no line is bad, and none is gone."""
        return self.problem is None

    @property
    def restart_command(self) -> str:
        """The command that begins a new log and keeps the bounds; a shell takes it as it is."""
        return f"skilltune audit restart {shlex.quote(str(self.path.parent))} --note 'why'"


@dataclass(slots=True)
class _Chain:
    """Where the chain has come to."""

    seq: int = 0
    hash: str = _START
    loose: int = 0
    """Lines that nothing has vouched for yet: the last entry, which could be hashed anew, and other tools' after it."""
    unsure: int = 0

    def check(self, line: Line) -> str:
        """What is wrong with the next line ('' for nothing); the chain moves on where nothing is."""
        row = line.row
        if row is None:
            return line.problem
        if not is_chained(row):
            self.hash = _digest(self.hash.encode() + line.raw.rstrip(b"\r"))
            self.loose += 1
            return ""
        if _entry_hash(row) != row["hash"] or line.raw.rstrip(b"\r") != dump_compact(row):
            return "hash is not that of the entry: it was changed"
        if row["seq"] != self.seq + 1:
            self.unsure = self.loose
            return (
                f"seq is {row['seq']}, expected {self.seq + 1}: an entry is missing, or lines were moved{self._told()}"
            )
        if row["prev_hash"] != self.hash:
            self.unsure = self.loose
            return f"prev_hash is not the hash of what stands before: a line was changed or taken out{self._told()}"
        self.seq, self.hash, self.loose = row["seq"], row["hash"], 1
        return ""

    def _told(self) -> str:
        """The lines that may be the bad one instead, in words."""
        if not self.unsure:
            return ""
        before = "the one" if self.unsure == 1 else f"one of the {self.unsure:,}"
        return f"; it is this line or {before} before it"


@dataclass(frozen=True, slots=True)
class _Found:
    """What a log holds, as far as its chain does, and where the chain has come to."""

    rows: list[dict[str, Any]]
    chain: _Chain
    head: AuditHead | None
    checked: AuditChecked


class AuditLog:
    """The audit log in `folder`.

    Parameters
    ----------
    folder
        Where it lies; see ``audit_folder``.
    summary
        What the head keeps of each file; without it the head is left as it is, and counts as behind its log.
    """

    def __init__(self, folder: Path, *, summary: Summary | None = None) -> None:
        self.path = folder / AUDIT_NAME
        self.head_path = find_head_path(folder)
        self._summary = summary
        self._lock = _lock(self.path)
        self._log = AppendOnlyLog(self.path, lock=self._lock)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep out all others who write skills of this folder, for a block."""
        with ExitStack() as held:
            with self._faults("locked"):
                held.enter_context(self._lock.held())
            yield

    def exists(self) -> bool:
        """Whether anything was ever written here, as far as log or head tell."""
        return look_at(self.path) is not None or look_at(self.head_path) is not None

    def read(self) -> list[dict[str, Any]]:
        """All entries, oldest first, lines of other tools among them.

        A last line that a killed writer cut off is not there.

        Raises
        ------
        DamagedError
            The chain does not hold, or the head says more: a line was changed, moved or taken out.
        """
        found = self._read()
        if found.checked.problem is not None:
            raise self._damaged(found.checked, found.checked.problem)
        return found.rows

    def verify(self) -> AuditChecked:
        """Whether the log is as it was written, by its chain and its head, else its first bad line.

        Where there is no head, as of logs of old, it cannot be seen here that last entries were taken off.
        """
        return self._read().checked

    def read_readable(self) -> list[dict[str, Any]]:
        """All lines that have the form of an entry of ours, whether the chain holds or not."""
        return [line.row for line in self._lines() if line.row is not None and is_chained(line.row)]

    def append(self, *entries: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Add `entries` in one write, under the lock; they come back with ``seq``, ``prev_hash`` and ``hash``.

        Raises
        ------
        DamagedError
            The log is not as it was written; nothing is written.
        AuditError
            The log cannot be locked or written.
        """
        with self.locked():
            found = self._read()
            if found.checked.problem is not None:
                raise self._damaged(found.checked, found.checked.problem)
            rows = _chained(entries, chain=found.chain)
            with self._faults("written"):
                self._log.append([dump_compact(row) for row in rows])
            self._write_head([*found.rows, *rows])
        return rows

    def renew_head(self) -> None:
        """Bring a head that is behind its log, or that a log of old never had, up to it, where that can be written."""
        found = self._read()
        if found.checked.problem is None and found.chain.seq > (found.head.seq if found.head else 0):
            with suppress(LogError), self.locked():
                found = self._read()
                if found.checked.problem is None:
                    self._write_head(found.rows)

    def restart(self, entries: Sequence[Mapping[str, Any]], *, aside: Path) -> list[dict[str, Any]]:
        """Set the log aside and begin a new one of `entries`, with a head of its own; the caller holds the lock.

        Killed at any step, the log does not agree with its head, so that it counts as damaged until it is begun anew.

        Raises
        ------
        AuditError
            It cannot be set aside or written.
        """
        rows = _chained(entries, chain=_Chain())
        with self._faults("set aside"):
            _set_aside(self.head_path, aside.with_name(f"{aside.name}.head"))
            _set_aside(self.path, aside)
        sync_folder(aside.parent)
        with self._faults("written"):
            replace_file(self.path, b"".join(dump_compact(row) + b"\n" for row in rows))
            if self._summary is not None:
                write_head_file(self.head_path, _head_of(rows, self._summary))
        return rows

    def _faults(self, verb: str) -> AbstractContextManager[None]:
        return audit_faults(f"the audit log {self.path}", folder=self.path.parent, verb=verb)

    def _write_head(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Keep where the log has come to; a head that cannot be written stays behind, which the next start mends."""
        if self._summary is not None:
            with suppress(LogError):
                write_head_file(self.head_path, _head_of(rows, self._summary))

    def _lines(self) -> list[Line]:
        """All lines but a last one that was cut off; none of what is no regular file."""
        if _is_odd(self.path):
            return []
        with self._faults("read"):
            return [line for line in self._log.read().lines if line.problem != "cut_off"]

    def _read(self) -> _Found:
        """Rows and chain, checked; the head is read first, for a writer may add to the log in between."""
        chain, foreign = _Chain(), 0
        rows: list[dict[str, Any]] = []
        try:
            head = read_head_file(self.head_path)
        except DamagedError as error:
            return self._found(rows, chain, LogProblem(str(self.head_path), 0, error.reason))
        if _is_odd(self.path):
            return self._found(rows, chain, LogProblem(str(self.path), 0, "it is no regular file"))
        for line in self._lines():
            problem = chain.check(line)
            if problem or line.row is None:
                return self._found(rows, chain, LogProblem(str(self.path), line.number, problem), foreign=foreign)
            rows.append(line.row)
            foreign += not is_chained(line.row)
        told = "" if head is None else _against_head(rows, head, gone=look_at(self.path) is None)
        bad = LogProblem(str(self.path), 0, told) if told else None
        return self._found(rows, chain, bad, foreign=foreign, head=head)

    def _found(
        self,
        rows: list[dict[str, Any]],
        chain: _Chain,
        problem: LogProblem | None,
        *,
        foreign: int = 0,
        head: AuditHead | None = None,
    ) -> _Found:
        checked = AuditChecked(self.path, len(rows), foreign, problem, chain.unsure if problem else 0)
        return _Found(rows, chain, head, checked)

    def _damaged(self, checked: AuditChecked, problem: LogProblem) -> DamagedError:
        of_head = problem.path == str(self.head_path)
        return DamagedError(
            problem.path,
            problem.line,
            problem.reason if of_head else f"the audit log is not as it was written ({problem.reason})",
            remedy="nothing was changed: restore it from a backup, or begin a new one that keeps the bounds, with: "
            + checked.restart_command,
        )


def audit_folder(skill_file: Path) -> Path:
    """The folder in which the audit log of a skill's file lies; where no folder is named ``skills``, the one that holds
    the skill's own.

    Parameters
    ----------
    skill_file
        Its SKILL.md; links are followed, so that all who use a skill share one log.
    """
    path = skill_file.resolve()
    home = find_claude_home()
    known = home.resolve() if home is not None else None
    above = list(path.parents)
    for folder in above:
        if folder.name == ".claude" or folder == known:
            return folder
    of_skills = next((folder for folder in above if folder.name == "skills"), None)
    if of_skills is not None:
        return of_skills.parent
    return above[1] if path.name == "SKILL.md" and len(above) > 1 else above[0]


def _is_odd(path: Path) -> bool:
    """Whether something is there that is no regular file, as a folder or a pipe."""
    found = look_at(path)
    return found is not None and not S_ISREG(found.st_mode)


def _set_aside(path: Path, kept: Path) -> None:
    """Keep what is at `path`, if anything, as `kept`: a file is copied, for it is replaced; anything else is moved."""
    try:
        if _is_odd(path):
            path.rename(kept)
        elif look_at(path) is not None:
            kept.write_bytes(read_bytes(path))
    except OSError as error:
        raise LogError(f"{path} cannot be set aside as {kept}") from error


@cache
def _lock(path: Path) -> WriteLock:
    """One lock a log in this process, so that who holds it may go through any object of the log."""
    return WriteLock(path.with_name(path.name + ".lock"))


def is_chained(row: Mapping[str, Any]) -> bool:
    """Whether a row is an entry of ours; other tools may keep a chain of their own in the same log."""
    return (
        str(row.get("tool", "")).startswith(_TOOL)
        and isinstance(row.get("seq"), int)
        and all(isinstance(row.get(name), str) for name in ("prev_hash", "hash"))
        and len(row["hash"]) == len(_START)
        and set(row["hash"]) <= _HEX
    )


def _chained(entries: Iterable[Mapping[str, Any]], *, chain: _Chain) -> list[dict[str, Any]]:
    """`entries` as they go on from where the chain has come to, which moves on."""
    rows: list[dict[str, Any]] = []
    for entry in entries:
        row = {"tool": _TOOL, **entry} | {"seq": chain.seq + 1, "prev_hash": chain.hash}
        row = json.loads(dump_compact(row))
        row["hash"] = _entry_hash(row)
        chain.seq, chain.hash = row["seq"], row["hash"]
        rows.append(row)
    return rows


def _head_of(rows: Sequence[Mapping[str, Any]], summary: Summary) -> AuditHead:
    """The head of a log with these rows, whose chain holds."""
    last: Mapping[str, Any] = next((row for row in reversed(rows) if is_chained(row)), {"seq": 0, "hash": _START})
    return AuditHead(last["seq"], last["hash"], summary(rows))


def _against_head(rows: Sequence[Mapping[str, Any]], head: AuditHead, *, gone: bool) -> str:
    """Why a log whose chain holds is not the one that its head is of; '' where it is."""
    hashes = [row["hash"] for row in rows if is_chained(row)]
    if head.seq > len(hashes):
        had = f"it had {head.seq:,} entr{'y' if head.seq == 1 else 'ies'}"
        return (
            f"it is gone, and {had}"
            if gone
            else f"it ends at entry {len(hashes):,}, and {had}: the last were taken off"
        )
    if head.seq and hashes[head.seq - 1] != head.hash:
        return f"entry {head.seq:,} is another one than was written: the log was exchanged"
    return ""


def _entry_hash(row: Mapping[str, Any]) -> str:
    """SHA-256 of an entry's line without its ``hash``."""
    return _digest(dump_compact({key: value for key, value in row.items() if key != "hash"}))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
