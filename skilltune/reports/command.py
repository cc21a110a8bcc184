"""What ``skilltune report`` does: sessions into the log, the log into one week's page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from skilltune.analysis.isoweeks import iso_week, last_whole_week
from skilltune.errors import UnknownSkillError
from skilltune.records import Invocation
from skilltune.reports.health import reading_health
from skilltune.reports.publishing import render_weekly
from skilltune.sample import sample_end, sample_root
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.files import make_folder, replace_file
from skilltune.stores.paths import expand_path
from skilltune.stores.workspace import FOLDER, Workspace, find_workspace
from skilltune.workflow import Paths, collect, default_roots, existing_log, may_exist, mine, read_sessions

__all__ = ["WeeklyReport", "weekly_report"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyReport:
    """One finished report."""

    page: Path
    index: Path
    week: str
    sample: bool
    """It shows the bundled sample sessions."""
    sessions: int
    """Sessions that were read for it; 0 with ``mine=False``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Material:
    """What a report is made from."""

    log: Path | None
    """The feedback log; None for the sample, which its notebook reads by itself."""
    uses: Sequence[Invocation]
    """All uses in it, failed calls too."""
    health: dict[str, Any]
    sessions: int
    now: datetime


def weekly_report(
    *,
    week: str | None = None,
    session_dirs: Paths | None = None,
    output: str | Path | None = None,
    workspace: str | Path | None = None,
    time_zone: str | None = None,
    skills: Sequence[str] | None = None,
    min_invocations: int | None = None,
    privacy: bool = False,
    sample: bool = False,
    use_labels: bool = True,
    mine_first: bool = True,
    progress: bool = True,
) -> WeeklyReport:
    """Read what is new in the sessions and write one week's page.

    Parameters
    ----------
    week
        ISO week such as ``2026-W48``; default the last whole one, or the running one where nothing is older.
    session_dirs
        Files or folders of sessions, kept in a log of their own, ``.skilltune`` below `output`; default where the
        agents keep them. Where nothing is there and the log is empty, the bundled sample is shown, in ``sample/``
        below `output`.
    output
        Folder of the reports; default as the config says, else ``reports`` in the current folder.
    workspace
        Folder of the log and its config; default the nearest ``.skilltune`` upwards, else the user's.
    time_zone
        Where weeks begin on Monday at midnight; default as the config says, else this machine's.
    skills
        Only these skills.
    min_invocations
        Judged uses from which on a rate is shown; default as the config says (5).
    privacy
        No quotes, paths, project or session names on the page; so too where the config keeps no snippets.
    sample
        Show the bundled sample sessions.
    use_labels
        Whether the person's labels beat the rules.
    mine_first
        False takes the log as it is.

    Raises
    ------
    CollectionDisabled, ReadError, LogError, InputError, ReportError, OSError
        As in ``collect`` and ``render_weekly``.
    """
    place = find_workspace(explicit=workspace)
    config = place.config
    settings = config.report
    zone = time_zone or settings.time_zone or _local_zone()
    folder = expand_path(output) if output is not None else place.reports_path
    shown = sample or (mine_first and session_dirs is None and _nothing_to_read(place, config.mining.folders))
    own_log = folder / FOLDER if session_dirs is not None and workspace is None else None
    if shown:
        found = _sample_material()
    elif mine_first:
        found = _own_material(place, session_dirs, own_log, progress=progress)
    else:
        found = _logged_material(place, own_log)
    _check_skills(skills or (), uses=found.uses)
    chosen = week or _default_week(found, time_zone=zone)
    target = folder / "sample" if shown else folder
    _keep_from_git(folder, target / iso_week(chosen, time_zone=zone).name)
    page = render_weekly(
        workspace_events=found.log,
        output=target,
        week=chosen,
        time_zone=zone,
        skills=tuple(skills or ()),
        min_invocations=settings.min_invocations if min_invocations is None else min_invocations,
        privacy=privacy or not config.privacy.snippets,
        health=found.health,
        sample=shown,
        use_labels=use_labels,
        progress=progress,
    )
    return WeeklyReport(
        page=page, index=page.parents[1] / "index.html", week=chosen, sample=shown, sessions=found.sessions
    )


def _own_material(place: Workspace, session_dirs: Paths | None, own_log: Path | None, *, progress: bool) -> _Material:
    """The person's log with what is new; with `own_log` that folder's, which sessions named by hand go into."""
    now = datetime.now(UTC)
    if own_log is not None:
        find_workspace(explicit=own_log).create()
    collected = collect(
        session_dirs,
        workspace=None if place.legacy else place.folder,
        output=own_log and own_log / "feedback.jsonl",
        progress=progress,
        as_of=now,
    )
    contents = collected.log.read()
    logged = Counter(event.session_id for event in contents.events)
    return _Material(
        log=collected.log.path,
        uses=contents.invocations,
        health=reading_health(collected.mined, logged_sessions=logged, as_of=now),
        sessions=collected.mined.sessions.summary.sessions,
        now=now,
    )


def _logged_material(place: Workspace, own_log: Path | None) -> _Material:
    """The log as it is."""
    log = existing_log(own_log and own_log / "feedback.jsonl", workspace=None if place.legacy else place.folder)
    return _Material(log=log.path, uses=log.read().invocations, health={}, sessions=0, now=datetime.now(UTC))


def _sample_material() -> _Material:
    """The sample as of its end; the person's own log and switch are not touched."""
    end = sample_end()
    mined = mine(read_sessions(sample_root() / "projects"), turns="window", as_of=end)
    return _Material(
        log=None,
        uses=mined.records.invocations,
        health=reading_health(mined, logged_sessions={}, as_of=end),
        sessions=mined.sessions.summary.sessions,
        now=end,
    )


def _keep_from_git(*folders: Path) -> None:
    """Make the folders; the outermost new one says to git that what is in it is private."""
    for folder in folders:
        if not folder.exists():
            make_folder(folder)
            replace_file(folder / ".gitignore", b"# Reports quote what people said: they stay on this machine.\n*\n")
            return


def _nothing_to_read(place: Workspace, named: Sequence[str]) -> bool:
    """Whether there is neither a session in the `named` folders, or where the agents keep them, nor an earlier log.

    A place that may not be looked into is not nothing.
    """
    from skilltune.sources import SOURCES

    folders = [expand_path(folder) for folder in named] or default_roots()
    closed: list[Path] = []
    files = (
        path
        for source in SOURCES.values()
        for root in folders
        if may_exist(root)
        for path in source.find_files(root, on_error=lambda path, _: closed.append(path))
    )
    return next(files, None) is None and not closed and not FeedbackLog(place.feedback_path).exists()


def _check_skills(skills: Sequence[str], *, uses: Sequence[Invocation]) -> None:
    """Raise ``UnknownSkillError`` for a skill that the log knows no use of, before a kernel is started."""
    known = {use.skill_id for use in uses}
    for skill in skills:
        if skill not in known:
            raise UnknownSkillError(skill, known)


def _default_week(found: _Material, *, time_zone: str) -> str:
    """The last whole week, or the running one where no use is older than that."""
    whole = last_whole_week(found.now, time_zone=time_zone)
    stamps = [use.timestamp for use in found.uses if use.timestamp is not None]
    if stamps and min(stamps) >= whole.end:
        return last_whole_week(found.now + timedelta(days=7), time_zone=time_zone).name
    return whole.name


def _local_zone() -> str:
    """The name of this machine's time zone; UTC where it has none that can be named."""
    from tzlocal import get_localzone_name

    try:
        return get_localzone_name() or "UTC"
    except (OSError, LookupError, ValueError):
        return "UTC"
