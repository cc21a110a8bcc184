"""``doctor``: settings, logs, hooks, skills, transcripts and git, each looked at once; nothing is changed."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from skilltune.errors import CollectionDisabled, ConfigError
from skilltune.health.checks import Check, Health
from skilltune.health.logs import check_logs
from skilltune.health.session_files import SessionFiles, find_session_files
from skilltune.hooks.installing import hook_state, missing_hooks, settings_path
from skilltune.hooks.running import hook_faults
from skilltune.stores.files import read_small
from skilltune.stores.homes import find_claude_home
from skilltune.stores.paths import look_at
from skilltune.stores.privacy import check_collection
from skilltune.stores.skill_files import all_skill_files
from skilltune.stores.transcripts import find_expiring, transcript_days
from skilltune.stores.workspace import Workspace, find_workspace

__all__ = ["examine"]

_NAMED = 3


def examine(workspace: str | Path | None = None, *, as_of: datetime | None = None) -> Health:
    """What is in order on this machine and what is not.

    Parameters
    ----------
    workspace
        Default the nearest ``.skilltune`` upwards, else the user's.
    as_of
        The time against which logs are old and transcripts expire; default now.
    """
    now = as_of or datetime.now(UTC)
    place = find_workspace(explicit=workspace)
    if place.home_is_missing:
        told = "there is no home folder, so there is nowhere to keep anything"
        return Health((Check("home folder", "failure", told, "set HOME, or name --workspace"),))
    files = find_session_files()
    checks = [
        *_check_config(place),
        *check_logs(place, as_of=now, newest_session=files.newest),
        *_check_hooks(place.cwd),
        *_check_skills(),
        *_check_transcripts(files, as_of=now),
        *_check_git(),
    ]
    return Health(tuple(checks))


def _check_config(workspace: Workspace) -> Iterator[Check]:
    path = workspace.config_path
    try:
        warnings = workspace.config.warnings
    except ConfigError as error:
        yield Check("settings", "failure", str(error), f"correct {path}")
    else:
        there = "read" if look_at(path) is not None else "not there: the defaults count"
        yield Check("settings", "warning" if warnings else "ok", "; ".join(warnings) or f"{path} {there}")
    try:
        check_collection()
    except CollectionDisabled as error:
        yield Check("collection", "warning", str(error))
    else:
        yield Check("collection", "ok", "switched on")


def _check_hooks(cwd: Path) -> Iterator[Check]:
    if find_claude_home() is None:
        return
    states = (hook_state(settings_path("user")), hook_state(settings_path("project", cwd=cwd)))
    problems = [state.problem for state in states if state.problem]
    for problem in problems:
        yield Check("hooks", "failure", problem, "correct the file, then: skilltune hooks install")
    missing, faults = missing_hooks(states), hook_faults(states)
    for fault in faults:
        yield Check("hooks", "failure", f"cannot run: {fault}", "skilltune hooks install")
    if problems or faults:
        return
    if not any(state.hooks for state in states):
        told = "none are in Claude Code's settings; transcripts tell the same while they are there"
        yield Check("hooks", "warning", told, "skilltune hooks install")
    elif missing:
        yield Check("hooks", "warning", f"missing: {', '.join(missing)}", "skilltune hooks install")
    else:
        yield Check("hooks", "ok", "all are in the settings, and run")


def _check_skills() -> Iterator[Check]:
    files = all_skill_files()
    bad = []
    for file in files:
        try:
            read_small(file.target).decode("utf-8-sig")
        except OSError as error:
            bad.append(f"{file.path} ({error.strerror or error})")
        except UnicodeDecodeError:
            bad.append(f"{file.path} (no UTF-8)")
    if bad:
        more = f", and {len(bad) - _NAMED:,} more" if len(bad) > _NAMED else ""
        yield Check("skills", "failure", f"cannot be read: {', '.join(bad[:_NAMED])}{more}", "make them readable")
    elif files:
        yield Check("skills", "ok", f"{len(files):,} installed, all readable")
    else:
        yield Check("skills", "warning", "none are installed where Claude Code looks for them")


def _check_transcripts(files: SessionFiles, *, as_of: datetime) -> Iterator[Check]:
    """What Claude Code deletes by itself, and when the first of it."""
    if not files.paths:
        yield Check("transcripts", "warning", "no sessions are where the agents keep them", "skilltune sources")
        return
    days = transcript_days()
    soon = find_expiring(files.paths, as_of=as_of)
    kept = f"{len(files.paths):,} files of sessions; Claude Code keeps its own for {days} days (cleanupPeriodDays)"
    if not soon:
        yield Check("transcripts", "ok", f"{kept}, none goes within a week")
        return
    first = min(datetime.fromtimestamp(path.stat().st_mtime, UTC) for path in soon) + timedelta(days=days)
    when = f"from {first:%d %b %Y} on" if first > as_of else "at its next start"
    told = f"{kept}: {len(soon):,} of them go within a week, {when}"
    yield Check("transcripts", "warning", told, "skilltune mine keeps the feedback in them")


def _check_git() -> Iterator[Check]:
    if shutil.which("git") is None:
        told = "not found: versions of skills are kept as copies only, and their history is not read"
        yield Check("git", "warning", told, "install git")
    else:
        yield Check("git", "ok", "found")
