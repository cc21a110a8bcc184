"""Whether each log can be read and written, what in it is damaged, and when it last grew."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from skilltune.errors import InputError, LogError, SkilltuneError
from skilltune.health.checks import Check
from skilltune.hooks.own_log import hook_log_path
from skilltune.hooks.places import observations_path
from skilltune.limits import SILENT_DAYS
from skilltune.rendering.terminal import count_words
from skilltune.stores.audit import AuditLog, audit_folder
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.homes import find_claude_home
from skilltune.stores.jsonl import AppendOnlyLog, LogProblem
from skilltune.stores.labels import LabelLog
from skilltune.stores.ledger import FeedbackLedger, find_ledger
from skilltune.stores.paths import look_at
from skilltune.stores.quality_logs import LOGS, LogKind, log_path, parse_time, read_log
from skilltune.stores.skill_files import all_skill_files
from skilltune.stores.workspace import Workspace

__all__ = ["check_logs"]

_OBSERVED: Final = ("ts", "tool", "sig", "err")


@dataclass(frozen=True, slots=True)
class _Found:
    """What a log holds."""

    lines: int
    """Lines that are in order."""
    damaged: Mapping[str, int]
    """The others, by reason."""
    last: datetime | None
    """When the latest thing happened that it tells of; None where no line has a time."""


@dataclass(frozen=True, slots=True)
class _Log:
    """One log, and how to look into it."""

    name: str
    path: Path
    read: Callable[[], _Found]
    fed_by: str = ""
    """The command that fills it."""
    grows: bool = False
    """Whether it should grow with every session."""


def check_logs(workspace: Workspace, *, as_of: datetime, newest_session: datetime | None) -> Iterator[Check]:
    """A check for each log of the workspace, of hooks, and of each folder of skills.

    Parameters
    ----------
    as_of
        Now.
    newest_session
        When a session was last written; a log that sessions feed should not be much older.
    """
    for log in _logs(workspace):
        yield _check_log(log, newest_session=newest_session)
    yield from _check_audits()
    yield from _check_hook_log(as_of=as_of)


def _logs(workspace: Workspace) -> Iterator[_Log]:
    feedback = workspace.feedback_path
    ledger = find_ledger(workspace)
    yield _Log("feedback log", feedback, lambda: _feedback(feedback), "skilltune mine", grows=True)
    yield _Log("ledger", ledger.path, lambda: _ledger(ledger), "skilltune feedback record")
    labels = LabelLog.beside(feedback)
    yield _Log("labels", labels.path, lambda: _labels(labels), "skilltune label")
    observed = observations_path(workspace.cwd)
    yield _Log("observations", observed, lambda: _observations(observed), "skilltune hooks install --observe")
    if find_claude_home() is not None:
        for name, kind in LOGS.items():
            by = "skilltune hooks install" if name != "evolution" else ""
            grows = name in ("queries", "telemetry")
            yield _Log(f"{name} log", log_path(kind), partial(_quality, kind), by, grows=grows)


def _feedback(path: Path) -> _Found:
    contents = FeedbackLog(path).read()
    moments = [*(event.timestamp for event in contents.events), *(use.timestamp for use in contents.uses)]
    return _Found(len(moments), contents.problem_counts, _latest(moments))


def _ledger(ledger: FeedbackLedger) -> _Found:
    contents = ledger.read()
    last = _latest(event.timestamp for event in contents.events)
    return _Found(len(contents.events), _by_reason(contents.problems), last)


def _labels(log: LabelLog) -> _Found:
    contents = log.read()
    return _Found(len(contents.labels), _by_reason(contents.problems), None)


def _quality(kind: LogKind[Any]) -> _Found:
    found = read_log(kind)
    return _Found(len(found.rows), found.left_out, _latest(parse_time(row.timestamp) for row in found.rows))


def _observations(path: Path) -> _Found:
    found = AppendOnlyLog(path).read()
    lacking = [next((name for name in _OBSERVED if name not in row), "") for row in found.rows]
    missing = Counter(f"missing_{name}" for name in lacking if name)
    return _Found(lacking.count(""), {**found.problem_counts, **missing}, None)


def _by_reason(problems: Iterable[LogProblem]) -> dict[str, int]:
    return dict(Counter(problem.reason for problem in problems))


def _latest(moments: Iterable[datetime | None]) -> datetime | None:
    return max((moment for moment in moments if moment is not None), default=None)


def _check_log(log: _Log, *, newest_session: datetime | None) -> Check:
    found = look_at(log.path)
    if found is None:
        return _missing(log)
    try:
        held = log.read()
    except (SkilltuneError, OSError) as error:
        return Check(log.name, "failure", f"{log.path} cannot be read: {error}", "make it a file that you may read")
    if not os.access(log.path, os.W_OK):
        return Check(log.name, "failure", f"{log.path} cannot be written", f"chmod u+w {log.path}")
    last = held.last or datetime.fromtimestamp(found.st_mtime, UTC)
    lines = count_words(held.lines, "line")
    told = f"{log.path}: {lines} in order, {found.st_size:,} bytes, last event {_day(last)}"
    if held.damaged:
        reasons = ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in held.damaged.items())
        return Check(log.name, "warning", f"{told}; amiss: {reasons}", "what cannot be read stays, and counts nowhere")
    if log.grows and newest_session is not None and newest_session - last > timedelta(days=SILENT_DAYS):
        days = (newest_session - last).days
        return Check(log.name, "warning", f"{told}: nothing for {days} days, while sessions went on", log.fed_by)
    return Check(log.name, "ok", told)


def _missing(log: _Log) -> Check:
    """What is not there is a warning, unless it could not even be made."""
    folder = next(place for place in log.path.parents if look_at(place) is not None)
    if not os.access(folder, os.W_OK):
        return Check(
            log.name, "failure", f"{log.path} is not there, and {folder} cannot be written", f"chmod u+w {folder}"
        )
    return Check(log.name, "warning", f"{log.path} is not there yet", log.fed_by)


def _check_audits() -> Iterator[Check]:
    """Each audit log beside skills: its chain holds, or its first bad line."""
    for folder in dict.fromkeys(audit_folder(file.path) for file in all_skill_files()):
        log = AuditLog(folder)
        if not log.exists():
            continue
        try:
            checked = log.verify()
        except (LogError, OSError) as error:
            yield Check(
                "audit log", "failure", f"{log.path} cannot be read: {error}", "make it a file that you may read"
            )
            continue
        if checked.problem is None:
            yield Check("audit log", "ok", f"{log.path}: {checked.entries:,} entries, as they were written")
        else:
            told = f"{log.path}, line {checked.problem.line}: {checked.problem.reason}"
            yield Check("audit log", "failure", told, checked.restart_command)


def _check_hook_log(*, as_of: datetime) -> Iterator[Check]:
    """What went wrong in hooks within the last week."""
    try:
        path = hook_log_path()
    except InputError:
        return
    rows = AppendOnlyLog(path).read().rows
    since = as_of - timedelta(days=SILENT_DAYS)
    recent = [row for row in rows if (at := parse_time(str(row.get("timestamp")))) is not None and at >= since]
    if recent:
        last = recent[-1].get("reason")
        times = "once" if len(recent) == 1 else f"{len(recent):,} times"
        told = f"{path}: {times} in {SILENT_DAYS} days a hook wrote nothing, the last time: {last}"
        yield Check("hook failures", "warning", told, "look into the file")
    else:
        yield Check("hook failures", "ok", f"none within {SILENT_DAYS} days")


def _day(moment: datetime) -> str:
    return f"{moment:%d %b %Y}".lstrip("0")
