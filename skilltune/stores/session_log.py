"""What whole sessions cost, kept beside the feedback log: ``sessions.jsonl``, one line a session and state of it.

Lines are only ever added; of the lines about one session the last counts. They hold names, times and numbers, no text.
What no use is charged with is not among them: it is told from the uses (`skilltune.analysis.cost.charge_sessions`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from skilltune.records import SessionCost
from skilltune.stores.files import WriteLock, replace_file
from skilltune.stores.jsonl import AppendOnlyLog, Line, LogProblem, dump_row
from skilltune.stores.session_rows import read_session, session_row

__all__ = ["KeptSessions", "SessionLog"]

Row = dict[str, Any]

_BELOW: Final = ("subagent_tokens", "subagents")
_TIMES: Final = ("started", "ended")


@dataclass(frozen=True, slots=True)
class KeptSessions:
    """What the file says now."""

    sessions: list[SessionCost]
    """Each once, in the order of their first lines; no use is charged yet."""
    problems: list[LogProblem]


class SessionLog:
    """The file at `path`; whoever writes holds `lock`, the one of the feedback log beside it."""

    def __init__(self, path: Path, *, lock: WriteLock) -> None:
        self.path = path
        self._log = AppendOnlyLog(path, lock=lock)

    def read(self) -> KeptSessions:
        """Every session once; lines that nobody can read are counted."""
        found: dict[str, SessionCost] = {}
        problems: list[LogProblem] = []
        for line in self._log.read().lines:
            session, odd = _understood(line)
            if session is not None:
                found[session.session_id] = session
            problems += [LogProblem(str(self.path), line.number, reason) for reason in odd]
        return KeptSessions(list(found.values()), problems)

    def update(self, sessions: Iterable[SessionCost]) -> int:
        """Add a line for each session of which the file does not say as much yet; how many."""
        rows = {session.session_id: session_row(session) for session in sessions if session.session_id}
        if not rows:
            return 0
        now = self._current()
        told = {name: _told(row, now.get(name), rebuilt=False) for name, row in rows.items()}
        fresh = [dump_row(row) for name, row in told.items() if row != now.get(name)]
        self._log.append(fresh)
        return len(fresh)

    def rebuild(self, sessions: Iterable[SessionCost], *, keep_damaged: bool) -> None:
        """One line a session: what a run found of it, else what the file said last.

        Parameters
        ----------
        keep_damaged
            False takes out the lines that nobody can read: they may hold text.
        """
        found = {session.session_id: session_row(session) for session in sessions if session.session_id}
        now = self._current()
        every = [*now, *(name for name in found if name not in now)]
        rows = [_told(found[name], now.get(name), rebuilt=True) if name in found else now[name] for name in every]
        lines = self._log.read().lines
        odd = [line.raw for line in lines if _understood(line)[0] is None] if keep_damaged else []
        raws = [*odd, *map(dump_row, rows)]
        if raws != [line.raw for line in lines]:
            replace_file(self.path, b"".join(raw + b"\n" for raw in raws))

    def drop_damaged(self) -> int:
        """Take out the lines that nobody can read; how many there were."""
        lines = self._log.read().lines
        kept = [line.raw for line in lines if line.row is not None]
        if len(kept) < len(lines):
            replace_file(self.path, b"".join(raw + b"\n" for raw in kept))
        return len(lines) - len(kept)

    def _current(self) -> dict[str, Row]:
        """Session id → the row that counts."""
        found: dict[str, Row] = {}
        for line in self._log.read().lines:
            session, _ = _understood(line)
            if session is not None and line.row is not None:
                found[session.session_id] = line.row
        return found


def _understood(line: Line) -> tuple[SessionCost | None, list[str]]:
    """The session of a line, and what was odd about the line."""
    damage = [line.problem] if line.problem else []
    if line.row is None:
        return None, damage
    session, odd = read_session(line.row)
    return session, damage + odd


def _told(row: Row, now: Row | None, *, rebuilt: bool) -> Row:
    """The row to keep for a session of which the file says `now`: that one where the run saw less of the session.

    Files of sub-agents that are gone take nothing back. By the same rules fewer tokens mean that a file of the session
    is gone, too; a rebuild counts anew.
    """
    if now is None:
        return row
    if _saw_less(row, now) or (not rebuilt and _own_tokens(row) < _own_tokens(now)):
        return now
    whole = now | row | {name: now[name] for name in row if row[name] is None and now.get(name) is not None}
    gone = _count(row, "subagents") < _count(now, "subagents")
    return whole | {name: now.get(name) for name in _BELOW} if gone else whole


def _saw_less(row: Row, now: Row) -> bool:
    """Whether the run's files begin later or end earlier than what the file knows of the session."""
    new, old = (read_session(each)[0] for each in (row, now))
    if new is None or old is None:
        return new is None
    begins, ends = ((getattr(new, name), getattr(old, name)) for name in _TIMES)
    late = begins[1] is not None and (begins[0] is None or begins[0] > begins[1])
    early = ends[1] is not None and (ends[0] is None or ends[0] < ends[1])
    return late or early


def _own_tokens(row: Row) -> int:
    session, _ = read_session(row)
    return (session.tokens or 0) if session else 0


def _count(row: Row, name: str) -> int:
    value = row.get(name)
    return value if isinstance(value, int) else 0
