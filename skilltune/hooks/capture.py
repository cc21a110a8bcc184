"""What each hook writes, from the payload of its event.

A hook of an event that says nothing to it writes nothing: injected text, a read of another file, a failed call.
"""

import os
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from skilltune.errors import InputError
from skilltune.hooks.locking import HookLock
from skilltune.hooks.payloads import Payload, payload_text
from skilltune.hooks.places import keeps_text, observations_path
from skilltune.limits import (
    HOOK_QUERY_CHARS,
    STOP_TRANSCRIPT_BYTES,
    TELEMETRY_PAUSE_SECONDS,
)
from skilltune.mining.user_texts import read_words
from skilltune.sources.skill_files import skill_files, skill_of
from skilltune.stores.jsonl import AppendOnlyLog, dump_row, parse_line
from skilltune.stores.quality_logs import (
    QUERY_LOG,
    TELEMETRY_LOG,
    USAGE_LOG,
    LogKind,
    QueryRow,
    Row,
    SessionTelemetry,
    SkillUsage,
    append_rows,
    log_path,
    parse_time,
    time_text,
)
from skilltune.stores.secrets import mask_secrets

if TYPE_CHECKING:
    from skilltune.hooks.telemetry import SessionCounts

__all__ = ["HOOKS"]

_SOURCE: Final = "claude_code"
_TAIL_BYTES: Final = 64 * 1024
_READ: Final = frozenset({"Read", "View", "ReadFile", "read_file"})


def _prompt(payload: Payload, *, as_of: datetime) -> None:
    """A prompt → a line of ``all_queries_log.jsonl``."""
    words = read_words([payload_text(payload, ("prompt", "user_prompt"))])
    if words.kind in ("person", "plan") and keeps_text(_folder(payload)):
        query = mask_secrets(words.text[:HOOK_QUERY_CHARS])
        row = QueryRow(timestamp=time_text(as_of), session_id=_session(payload), query=query, source=_SOURCE)
        _append(QUERY_LOG, row)


def _skill_use(payload: Payload, *, as_of: datetime) -> None:
    """A ``Skill`` call, or a read of a skill's file → a line of ``skill_usage_log.jsonl``."""
    if payload.hook_event_name == "PostToolUseFailure" or _failed(payload):
        return
    skill, path = _skill_of(payload)
    if not skill:
        return
    session = _session(payload)
    query = _last_query(session)
    if path and "skill.md" in query.lower():
        return  # the person works on the file: no use of the skill
    row = SkillUsage(
        timestamp=time_text(as_of),
        session_id=session,
        skill_name=mask_secrets(skill),
        skill_path=mask_secrets(path),
        query=query if keeps_text(_folder(payload)) else "",
        source=_SOURCE,
    )
    _append(USAGE_LOG, row)


def _session_end(payload: Payload, *, as_of: datetime) -> None:
    """The end of a session, or of an answer → a line of ``session_telemetry_log.jsonl``, no more than needed."""
    from skilltune.hooks.telemetry import count_session

    session = _session(payload)
    path = Path(payload_text(payload, ("transcript_path",))).expanduser()
    stops = payload.hook_event_name == "Stop"
    if stops and (path.stat().st_size > STOP_TRANSCRIPT_BYTES or _told_lately(session, as_of=as_of)):
        return
    row = _telemetry(count_session(path), payload, path=path, as_of=as_of)
    _append(TELEMETRY_LOG, row)


def _telemetry(counts: "SessionCounts", payload: Payload, *, path: Path, as_of: datetime) -> SessionTelemetry:
    keeps = keeps_text(_folder(payload))
    return SessionTelemetry(
        timestamp=time_text(as_of),
        session_id=_session(payload),
        source=_SOURCE,
        cwd=payload_text(payload, ("cwd",)),
        transcript_path=str(path),
        last_user_query=mask_secrets(counts.last_query) if keeps else "",
        tool_calls=dict(counts.tools),
        total_tool_calls=counts.tools.total(),
        bash_commands=[mask_secrets(command) for command in counts.commands] if keeps else [],
        skills_triggered=[mask_secrets(name) for name in counts.triggered],
        assistant_turns=len(counts.turns),
        errors_encountered=counts.errors,
        transcript_chars=counts.chars,
        input_tokens=sum(tokens[0] for tokens in counts.tokens.values()),
        output_tokens=sum(tokens[1] for tokens in counts.tokens.values()),
    )


def _observe(payload: Payload, *, as_of: datetime) -> None:
    """A tool call, failed or not → a line of ``observations.jsonl``."""
    from skilltune.mining.signatures import signature

    tool = payload_text(payload, ("tool_name",))
    if not tool:
        raise InputError("the payload names no tool")
    failed = payload.hook_event_name == "PostToolUseFailure" or _failed(payload)
    if failed and payload.is_interrupt is True:
        return  # the person stopped it: neither success nor failure
    given = payload.tool_input if isinstance(payload.tool_input, dict) else {}
    row: dict[str, Any] = {
        "ts": round(as_of.timestamp(), 3),
        "tool": tool,
        "sig": mask_secrets(signature(tool, given)),
        "err": int(failed),
        "session": _session(payload),
        "project": payload_text(payload, ("cwd",)),
        "err_source": "flag",
    }
    path = observations_path(_folder(payload))
    AppendOnlyLog(path, lock=HookLock(path)).append([dump_row(row)])


def _ping(_payload: Payload, *, as_of: datetime) -> None:  # as every hook
    """Nothing: that it ends well says that hooks can run."""


HOOKS: Final[Mapping[str, Callable[..., None]]] = {
    "prompt": _prompt,
    "skill-use": _skill_use,
    "session-end": _session_end,
    "observe": _observe,
    "ping": _ping,
}
"""Name of a hook → what it does with a payload."""


def _append(kind: LogKind[Row], row: Row) -> None:
    path = log_path(kind).resolve()
    append_rows(kind, [row], path=path, lock=HookLock(path))


def _session(payload: Payload) -> str:
    session = payload_text(payload, ("session_id",))
    if not session:
        raise InputError("the payload names no session")
    return session


def _folder(payload: Payload) -> Path | None:
    """Where the agent works, None where nobody knows."""
    cwd = payload_text(payload, ("cwd",)) or os.environ.get("CLAUDE_PROJECT_DIR", "")
    return Path(cwd) if cwd else None


def _failed(payload: Payload) -> bool:
    """Whether the result of a call says itself that it failed."""
    result = payload.tool_response
    return isinstance(result, dict) and (result.get("is_error") is True or result.get("success") is False)


def _skill_of(payload: Payload) -> tuple[str, str]:
    """The skill that a call used and the file that it read, '' for none."""
    given = payload.tool_input if isinstance(payload.tool_input, dict) else {}
    if payload.tool_name == "Skill":
        values = (given.get(name) for name in ("skill", "command", "name"))
        named = (value.strip().removeprefix("/").strip() for value in values if isinstance(value, str))
        return next(filter(None, named), ""), ""
    files = skill_files([given.get("file_path") or given.get("path")]) if payload.tool_name in _READ else []
    return (skill_of(files[0]), files[0]) if files else ("", "")


def _tail_rows(kind: LogKind[Any]) -> list[dict[str, Any]]:
    """The last rows of a log, the latest first."""
    try:
        with log_path(kind).open("rb") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - _TAIL_BYTES, 0))
            lines = file.read().split(b"\n")
    except OSError:
        return []
    rows = (parse_line(line)[0] for line in reversed(lines) if line.strip())
    return [row for row in rows if row is not None]


def _last_query(session: str) -> str:
    """What the person asked last in a session, masked as it was stored; '' where the log does not tell."""
    found = (row.get("query") for row in _tail_rows(QUERY_LOG) if row.get("session_id") == session)
    return next((query for query in found if isinstance(query, str)), "")


def _told_lately(session: str, *, as_of: datetime) -> bool:
    """Whether the log has a row of the session that is young enough."""
    found = (row.get("timestamp") for row in _tail_rows(TELEMETRY_LOG) if row.get("session_id") == session)
    last = parse_time(str(next(found, "")))
    return last is not None and timedelta(0) <= as_of - last < timedelta(seconds=TELEMETRY_PAUSE_SECONDS)
