"""The four logs that hooks and other tools keep in Claude Code's folder: JSON lines, only ever added to.

What other tools wrote is read as it is: only the required fields must be there, a value of another kind counts as
missing, and every line is accounted for. Text is masked by whoever writes; the files are for their owner only.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Struct

from skilltune.stores.files import WriteLock
from skilltune.stores.homes import claude_home
from skilltune.stores.jsonl import AppendOnlyLog, AppendResult, Line, dump_row

__all__ = [
    "EVOLUTION_LOG",
    "LOGS",
    "QUERY_LOG",
    "TELEMETRY_LOG",
    "USAGE_LOG",
    "EvolutionEntry",
    "LogKind",
    "LogRows",
    "QueryRow",
    "Row",
    "SessionTelemetry",
    "SkillUsage",
    "append_rows",
    "last_of_sessions",
    "log_path",
    "parse_time",
    "proposal_skill",
    "read_log",
    "time_text",
]


class SessionTelemetry(Struct, frozen=True, kw_only=True):
    """What one session did; the last row of a session counts."""

    timestamp: str
    """Time of the row, ISO 8601."""
    session_id: str
    source: str
    """claude_code, codex, codex_rollout, opencode or opencode_json."""
    cwd: str = ""
    transcript_path: str = ""
    last_user_query: str = ""
    tool_calls: dict[str, int] = {}
    """Tool → number of calls."""
    total_tool_calls: int = 0
    bash_commands: list[str] = []
    skills_triggered: list[str] = []
    assistant_turns: int = 0
    errors_encountered: int = 0
    transcript_chars: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None


class SkillUsage(Struct, frozen=True, kw_only=True):
    """One use of one skill."""

    timestamp: str
    session_id: str
    skill_name: str
    skill_path: str = ""
    query: str = ""
    """What the person had asked for last."""
    triggered: bool = True
    source: str = ""


class QueryRow(Struct, frozen=True, kw_only=True):
    """One prompt of a person."""

    timestamp: str
    session_id: str
    query: str
    source: str = ""


class EvolutionEntry(Struct, frozen=True, kw_only=True):
    """One step in the life of a proposed description."""

    timestamp: str
    proposal_id: str
    action: str
    """created, validated, deployed, rejected or rolled_back."""
    details: str = ""
    """created: ``original_description:`` and the text as it was."""
    eval_snapshot: dict[str, Any] | None = None
    """{total, passed, failed, pass_rate}; validated: after the change."""
    eval_snapshot_before: dict[str, Any] | None = None


Row = TypeVar("Row", bound=Struct)


@dataclass(frozen=True, slots=True)
class LogKind(Generic[Row]):
    """One of the four logs."""

    name: str
    file: str
    row: type[Row]


@dataclass(frozen=True, slots=True)
class LogRows(Generic[Row]):
    """What a log says: every line that is not blank gave a row or is left out for one reason."""

    path: Path
    rows: list[Row]
    """In the order of the file."""
    lines: int
    left_out: Mapping[str, int]
    """Lines that gave no row, by reason; rows and these add up to `lines`."""
    mended: Mapping[str, int]
    """Rows with something amiss, by reason: a value of another kind (``odd_<field>``) or replaced characters."""


TELEMETRY_LOG: Final = LogKind("telemetry", "session_telemetry_log.jsonl", SessionTelemetry)
USAGE_LOG: Final = LogKind("usage", "skill_usage_log.jsonl", SkillUsage)
QUERY_LOG: Final = LogKind("queries", "all_queries_log.jsonl", QueryRow)
EVOLUTION_LOG: Final = LogKind("evolution", "evolution_audit_log.jsonl", EvolutionEntry)
LOGS: Final[Mapping[str, LogKind[Any]]] = {
    kind.name: kind for kind in (TELEMETRY_LOG, USAGE_LOG, QUERY_LOG, EVOLUTION_LOG)
}
"""Name → log."""


def log_path(kind: LogKind[Any], *, home: Path | None = None) -> Path:
    """Where a log is: in Claude Code's folder, which ``CLAUDE_CONFIG_DIR`` moves.

    Raises
    ------
    InputError
        When there is no home folder.
    """
    return (home or claude_home()) / kind.file


def read_log(kind: LogKind[Row], *, path: Path | None = None) -> LogRows[Row]:
    """The rows of a log; none where there is no such file.

    Parameters
    ----------
    path
        The file; default ``log_path(kind)``.

    Raises
    ------
    LogError
        When it cannot be read, or is no regular file.
    """
    place = path or log_path(kind)
    rows: list[Row] = []
    left_out: Counter[str] = Counter()
    mended: Counter[str] = Counter()
    lines = AppendOnlyLog(place).read().lines
    for line in lines:
        row, amiss = _row_of(line, kind.row)
        if row is None:
            left_out[amiss[0]] += 1
        else:
            rows.append(row)
            mended.update(amiss)
    return LogRows(place, rows, len(lines), dict(left_out), dict(mended))


def append_rows(
    kind: LogKind[Row], rows: Iterable[Row], *, path: Path | None = None, lock: WriteLock | None = None
) -> AppendResult:
    """Add `rows` to a log in one write, each on a line of its own; fields that are None are left out.

    Parameters
    ----------
    rows
        Their text is masked already.
    path
        The file; default ``log_path(kind)``.
    lock
        The lock to hold; default ``<path>.lock``.

    Raises
    ------
    LogError
        When the log cannot be locked or written; it is then as it was before.
    """
    told = (msgspec.structs.asdict(row).items() for row in rows)
    lines = [dump_row({key: value for key, value in row if value is not None}) for row in told]
    return AppendOnlyLog(path or log_path(kind), lock=lock).append(lines)


def last_of_sessions(rows: Iterable[SessionTelemetry]) -> list[SessionTelemetry]:
    """One row a session, the last one, in the order in which the sessions are first named."""
    return list({row.session_id: row for row in rows}.values())


def proposal_skill(proposal_id: str) -> str:
    """The skill that a proposal is about, by its id; '' where the id does not tell.

    Examples
    --------
    >>> proposal_skill("evolve-pdf-forms-1764580000000"), proposal_skill("17")
    ('pdf-forms', '')
    """
    start, _, stamp = proposal_id.rpartition("-")
    return start.removeprefix("evolve-") if start.startswith("evolve-") and stamp.isdecimal() else ""


def time_text(moment: datetime) -> str:
    """`moment` as the logs have it: ISO 8601 in UTC, to the millisecond.

    Examples
    --------
    >>> time_text(datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC))
    '2026-03-04T05:06:07.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: str) -> datetime | None:
    """The moment that a row's timestamp names, in UTC where it names no zone; None where it is no time."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _row_of(line: Line, row_type: type[Row]) -> tuple[Row | None, list[str]]:
    """The row of a line and what was amiss, or None and the one reason why there is none."""
    if line.row is None:
        return None, [line.problem]
    amiss = [line.problem] if line.problem else []
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(row_type):
        value: Any = line.row.get(field.name)
        fits = value is not None and _fits(value, field.type)
        if field.required and not (fits and value.strip()):
            return None, [f"missing_{field.name}"]
        if fits:
            values[field.name] = value
        elif value is not None:
            amiss.append(f"odd_{field.name}")
    if "timestamp" in values and parse_time(values["timestamp"]) is None:
        return None, ["odd_timestamp"]
    return row_type(**values), amiss


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True
