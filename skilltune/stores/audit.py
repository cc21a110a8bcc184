"""The audit log: what was done to skills, each entry chained to the one before by a hash, whatever workspace acted.

It lies in the ``.claude`` folder that holds the skill, in ``CLAUDE_CONFIG_DIR`` for skills in there, else beside the
folder of skills; snapshots and what a killed run left lie beside it.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from skilltune.errors import DamagedError
from skilltune.stores.compact import dump_compact
from skilltune.stores.files import WriteLock
from skilltune.stores.homes import find_claude_home
from skilltune.stores.jsonl import AppendOnlyLog, Line, LogProblem
from skilltune.stores.paths import look_at

__all__ = ["AUDIT_NAME", "AuditChecked", "AuditLog", "audit_folder", "is_chained"]

AUDIT_NAME: Final = ".audit-log.jsonl"
"""Name of the log."""
_START: Final = "0" * 64
"""``prev_hash`` of the first entry of a log."""
_TOOL: Final = "skilltune"
"""How the ``tool`` of an entry of ours begins."""
_HEX: Final = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class AuditChecked:
    """What ``verify`` found."""

    path: Path
    entries: int
    """Entries whose chain holds, up to the first bad line."""
    foreign: int
    """Lines of other tools among them; the chain covers them as soon as an entry of ours follows."""
    problem: LogProblem | None
    """The first bad line; None where the whole log is as it was written."""

    @property
    def whole(self) -> bool:
        """Whether no line is bad."""
        return self.problem is None


@dataclass(slots=True)
class _Chain:
    """Where the chain has come to."""

    seq: int = 0
    hash: str = _START

    def check(self, line: Line) -> str:
        """What is wrong with the next line ('' for nothing); the chain moves on where nothing is."""
        row = line.row
        if row is None:
            return line.problem
        if not is_chained(row):
            self.hash = _digest(self.hash.encode() + line.raw.rstrip(b"\r"))
            return ""
        said = row["hash"]
        if row["seq"] != self.seq + 1:
            return f"seq is {row['seq']}, expected {self.seq + 1}: an entry is missing, or lines were moved"
        if row["prev_hash"] != self.hash:
            return "prev_hash is not the hash of the line before: that line was changed or taken out"
        if _entry_hash(row) != said or line.raw.rstrip(b"\r") != dump_compact(row):
            return "hash is not that of the entry: it was changed"
        self.seq, self.hash = row["seq"], said
        return ""


class AuditLog:
    """The audit log in `folder`.

    Parameters
    ----------
    folder
        Where it lies; see ``audit_folder``.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / AUDIT_NAME
        self._lock = _lock(self.path)
        self._log = AppendOnlyLog(self.path, lock=self._lock)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep out all others who write skills of this folder, for a block."""
        with self._lock.held():
            yield

    def exists(self) -> bool:
        """Whether anything was ever written here."""
        return look_at(self.path) is not None

    def read(self) -> list[dict[str, Any]]:
        """All entries, oldest first, lines of other tools among them.

        A last line that a killed writer cut off is not there.

        Raises
        ------
        DamagedError
            The chain does not hold: a line was changed, moved or taken out.
        """
        rows, checked = self._checked()
        if checked.problem is not None:
            problem = checked.problem
            raise DamagedError(
                problem.path,
                problem.line,
                f"the audit log is not as it was written ({problem.reason})",
                remedy="restore it from a backup, or move it away; nothing was changed",
            )
        return rows

    def verify(self) -> AuditChecked:
        """Whether the log is as it was written, else its first bad line.

        That last entries were taken off cannot be seen here; the skill's own digest then differs from the last entry.
        """
        return self._checked()[1]

    def append(self, *entries: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Add `entries` in one write, under the lock; they come back with ``seq``, ``prev_hash`` and ``hash``.

        Raises
        ------
        DamagedError
            The chain does not hold; nothing is written.
        LogError
            The log cannot be locked or written.
        """
        with self.locked():
            self.read()
            chain = self._chain()
            rows: list[dict[str, Any]] = []
            for entry in entries:
                row = {"tool": _TOOL, **entry} | {"seq": chain.seq + 1, "prev_hash": chain.hash}
                row = json.loads(dump_compact(row))
                row["hash"] = _entry_hash(row)
                chain.seq, chain.hash = row["seq"], row["hash"]
                rows.append(row)
            self._log.append([dump_compact(row) for row in rows])
        return rows

    def _chain(self) -> _Chain:
        chain = _Chain()
        for line in self._lines():
            chain.check(line)
        return chain

    def _lines(self) -> list[Line]:
        """All lines but a last one that was cut off."""
        return [line for line in self._log.read().lines if line.problem != "cut_off"]

    def _checked(self) -> tuple[list[dict[str, Any]], AuditChecked]:
        chain, foreign = _Chain(), 0
        rows: list[dict[str, Any]] = []
        for line in self._lines():
            problem = chain.check(line)
            if problem or line.row is None:
                found = LogProblem(str(self.path), line.number, problem)
                return rows, AuditChecked(self.path, len(rows), foreign, found)
            rows.append(line.row)
            foreign += not is_chained(line.row)
        return rows, AuditChecked(self.path, len(rows), foreign, None)


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


def _entry_hash(row: Mapping[str, Any]) -> str:
    """SHA-256 of an entry's line without its ``hash``."""
    return _digest(dump_compact({key: value for key, value in row.items() if key != "hash"}))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
