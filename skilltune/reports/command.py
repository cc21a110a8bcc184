"""What ``skilltune report`` does: sessions into the log, the log into one week's page."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from skilltune.analysis.isoweeks import iso_week, last_whole_week
from skilltune.errors import UnknownSkillError
from skilltune.records import Invocation
from skilltune.reports.definition import Definition, read_definition
from skilltune.reports.health import reading_health
from skilltune.reports.links import link_pages
from skilltune.reports.publishing import render_weekly
from skilltune.sample import sample_end, sample_root
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.files import make_folder, replace_file
from skilltune.stores.log_frames import LoggedUse, iter_uses
from skilltune.stores.names import mask_name
from skilltune.stores.paths import expand_path
from skilltune.stores.tables import read_tables
from skilltune.stores.workspace import FOLDER, Workspace, find_workspace
from skilltune.workflow import Paths, collect, default_roots, existing_log, may_exist, mine, read_sessions

if TYPE_CHECKING:
    from skilltune.reports.running import SharedKernel

__all__ = [
    "Material",
    "Ready",
    "WeeklyReport",
    "check_skills",
    "keep_from_git",
    "prepare",
    "weekly_report",
    "write_week",
]


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


@dataclass(frozen=True, kw_only=True)
class Material:
    """What a report is made from."""

    log: Path | None
    """The feedback log; None for the sample, which its notebook reads by itself."""
    read_uses: Callable[[], Iterable[Invocation | LoggedUse]]
    """All uses in it, failed calls too; those of a large log are read as they are asked for."""
    health: dict[str, Any]
    sessions: int
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """What a report is made from, and where it goes."""

    found: Material
    sample: bool
    time_zone: str
    folder: Path
    """Of all reports."""
    target: Path
    """Of those with this material: the sample's have a folder of their own."""
    private: bool
    """The config keeps no snippets."""
    configured_min: int

    def min_invocations(self, given: int | None, *, said: Mapping[str, Any]) -> int:
        """What was given, else what a definition says, else the config."""
        return int(said.get("min_invocations", self.configured_min)) if given is None else given

    def options(
        self, said: Mapping[str, Any], *, min_invocations: int | None, privacy: bool, use_labels: bool
    ) -> dict[str, Any]:
        """What pages of ours are made with: what was given here, what a definition says, and the config."""
        return {
            "workspace_events": self.found.log,
            "output": self.target,
            "time_zone": self.time_zone,
            "min_invocations": self.min_invocations(min_invocations, said=said),
            "privacy": privacy or bool(said.get("privacy")) or self.private,
            "sample": self.sample,
            "use_labels": use_labels and bool({**said, **said.get("options", {})}.get("use_labels", True)),
        }


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
    definition: Definition | None = None,
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
    definition
        A definition with the weekly notebook, in place of the shipped one. What is given here beats what it says.

    Raises
    ------
    CollectionDisabled, ReadError, LogError, InputError, ReportError, OSError
        As in ``collect`` and ``render_weekly``.
    """
    if week:
        iso_week(week)  # what is no week is refused before the sessions are read
    definition = definition or read_definition("weekly")
    ready = prepare(
        session_dirs=session_dirs,
        output=output,
        workspace=workspace,
        time_zone=time_zone,
        sample=sample,
        mine_first=mine_first,
        progress=progress,
        said=definition.parameters,
    )
    made = write_week(
        ready,
        definition=definition,
        week=week,
        skills=skills or (),
        progress=progress,
        min_invocations=min_invocations,
        privacy=privacy,
        use_labels=use_labels,
    )
    link_pages(ready.target)
    return made


def write_week(
    ready: Ready,
    *,
    definition: Definition,
    week: str | None,
    skills: Sequence[str] = (),
    progress: bool,
    kernel: "SharedKernel | None" = None,
    **choice: Any,
) -> WeeklyReport:
    """Write one week's page from what was read; parameters as of ``weekly_report`` and ``Ready.options``."""
    said = definition.parameters
    chosen_skills = tuple(map(mask_name, skills or said.get("skills") or ()))
    check_skills(chosen_skills, ready)
    chosen = week or said.get("week") or _default_week(ready.found, time_zone=ready.time_zone)
    keep_from_git(ready.folder, ready.target / iso_week(chosen, time_zone=ready.time_zone).name)
    page = render_weekly(
        week=chosen,
        skills=chosen_skills,
        health=ready.found.health,
        progress=progress,
        definition=definition,
        kernel=kernel,
        **ready.options(said, **choice),
    )
    return WeeklyReport(
        page=page,
        index=(ready.target / "index.html").absolute(),
        week=chosen,
        sample=ready.sample,
        sessions=ready.found.sessions,
    )


def prepare(
    *,
    session_dirs: Paths | None,
    output: str | Path | None,
    workspace: str | Path | None,
    time_zone: str | None,
    sample: bool,
    mine_first: bool,
    progress: bool,
    said: Mapping[str, Any] = MappingProxyType({}),
) -> Ready:
    """Read what is new in the sessions, and find where reports go; parameters as of ``weekly_report``.

    What a definition says (`said`) counts where nothing was given.
    """
    time_zone, sample = time_zone or str(said.get("time_zone") or ""), sample or bool(said.get("sample"))
    place = find_workspace(explicit=workspace)
    config = place.config
    folder = expand_path(output) if output is not None else place.reports_path
    shown = sample or (mine_first and session_dirs is None and _nothing_to_read(place, config.mining.folders))
    own_log = folder / FOLDER if session_dirs is not None and workspace is None else None
    if shown:
        found = _sample_material()
    elif mine_first:
        found = _own_material(place, session_dirs, own_log, progress=progress)
    else:
        found = _logged_material(place, own_log)
    return Ready(
        found=found,
        sample=shown,
        time_zone=time_zone or config.report.time_zone or _local_zone(),
        folder=folder,
        target=folder / "sample" if shown else folder,
        private=not config.privacy.snippets,
        configured_min=config.report.min_invocations,
    )


def _own_material(place: Workspace, session_dirs: Paths | None, own_log: Path | None, *, progress: bool) -> Material:
    """The person's log with what is new; with `own_log` that folder's, which sessions named by hand go into."""
    now = datetime.now(UTC)
    if own_log is not None:
        find_workspace(explicit=own_log).create()
    collected = collect(
        session_dirs,
        workspace=None if place.legacy else place.folder,
        output=own_log and own_log / "feedback.jsonl",
        progress=progress,
        workers=None,
        as_of=now,
    )
    logged = Counter(read_tables(collected.log, use_labels=False).events["session_id"])
    return Material(
        log=collected.log.path,
        read_uses=lambda: iter_uses(collected.log),
        health=reading_health(collected.mined, logged_sessions=logged, as_of=now),
        sessions=collected.mined.scan.summary.sessions,
        now=now,
    )


def _logged_material(place: Workspace, own_log: Path | None) -> Material:
    """The log as it is."""
    log = existing_log(own_log and own_log / "feedback.jsonl", workspace=None if place.legacy else place.folder)
    return Material(log=log.path, read_uses=lambda: iter_uses(log), health={}, sessions=0, now=datetime.now(UTC))


def _sample_material() -> Material:
    """The sample as of its end; the person's own log and switch are not touched."""
    end = sample_end()
    mined = mine(read_sessions(sample_root() / "projects"), turns="window", as_of=end)
    return Material(
        log=None,
        read_uses=lambda: mined.records.invocations,
        health=reading_health(mined, logged_sessions={}, as_of=end),
        sessions=mined.scan.summary.sessions,
        now=end,
    )


def keep_from_git(*folders: Path) -> None:
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


def check_skills(skills: Sequence[str], ready: Ready) -> None:
    """Raise ``UnknownSkillError`` for a skill that the log knows no use of, before a kernel is started."""
    missing, known = set(skills), set[str]()
    for use in ready.found.read_uses() if skills else ():
        known.add(use.skill_id)
        missing.discard(use.skill_id)
        if not missing:
            return
    for skill in skills:
        if skill in missing:
            raise UnknownSkillError(skill, known)


def _default_week(found: Material, *, time_zone: str) -> str:
    """The last whole week, or the running one where no use is older than that."""
    whole = last_whole_week(found.now, time_zone=time_zone)
    later = False
    for use in found.read_uses():
        if use.timestamp is not None:
            if use.timestamp < whole.end:
                return whole.name
            later = True
    return last_whole_week(found.now + timedelta(days=7), time_zone=time_zone).name if later else whole.name


def _local_zone() -> str:
    """The name of this machine's time zone; UTC where it has none that can be named."""
    from tzlocal import get_localzone_name

    try:
        return get_localzone_name() or "UTC"
    except (OSError, LookupError, ValueError):
        return "UTC"
