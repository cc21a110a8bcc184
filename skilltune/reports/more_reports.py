"""What ``skilltune report --skill``, ``--all-skills`` and ``--definition`` do."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from skilltune.analysis.isoweeks import iso_week, last_whole_week
from skilltune.errors import InputError, ReportError
from skilltune.page.html import visible
from skilltune.reports.command import Ready, check_skills, keep_from_git, prepare, weekly_report, write_week
from skilltune.reports.definition import Definition, read_definition
from skilltune.reports.links import link_pages
from skilltune.reports.publishing import SKILLS, render_definition, render_skill
from skilltune.stores.names import mask_name
from skilltune.workflow import Paths, as_time

if TYPE_CHECKING:
    from skilltune.reports.running import SharedKernel

__all__ = ["WEEK", "SkillReports", "all_reports", "definition_report", "skill_reports", "write_pages"]

WEEK: Final = "the week's page"
_NAME_SHOWN: Final = 40
"""Characters of a skill's name that stand beside a bar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillReports:
    """Finished reports on single skills, and on the week where that was asked for."""

    pages: dict[str, Path]
    """Skill → its page."""
    failed: dict[str, str]
    """Skill, or ``the week's page``, → why there is no new page of it."""
    index: Path
    sample: bool
    """They show the bundled sample sessions."""
    weekly: Path | None = None
    """The week's page; None where none was asked for, or it failed."""
    week: str = ""
    """Its ISO week."""


def skill_reports(
    skills: Sequence[str] = (),
    *,
    as_of: str = "",
    week: str | None = None,
    session_dirs: Paths | None = None,
    output: str | Path | None = None,
    workspace: str | Path | None = None,
    time_zone: str | None = None,
    min_invocations: int | None = None,
    privacy: bool = False,
    sample: bool = False,
    use_labels: bool = True,
    mine_first: bool = True,
    progress: bool = True,
    definition: Definition | None = None,
) -> SkillReports:
    """Read what is new in the sessions and write a page for each skill; one that fails does not stop the others.

    Parameters
    ----------
    skills
        Their names as the log has them; none means every skill that was used.
    as_of
        ISO date or time; later uses do not exist. '' is now, or with `week` its end.
    week
        ISO week with which the pages end.
    definition
        A definition with the notebook ``skill_report``, in place of the shipped one.
    session_dirs, output, workspace, time_zone, min_invocations, privacy, sample, use_labels, mine_first, progress
        As for ``weekly_report``.

    Raises
    ------
    InputError
        When a name, week or date is not understood, or the week has not begun.
    CollectionDisabled, ReadError, LogError, OSError
        As for ``weekly_report``.
    """
    _check_time(week, as_of)
    definition = definition or read_definition("skill")
    said = definition.parameters
    ready = prepare(
        session_dirs=session_dirs,
        output=output,
        workspace=workspace,
        time_zone=time_zone,
        sample=sample,
        mine_first=mine_first,
        progress=progress,
        said=said,
    )
    named = list(dict.fromkeys(map(mask_name, skills or ([said["skill"]] if said.get("skill") else []))))
    check_skills(named, ready)
    makers = _makers(
        named or _used(ready),
        ready,
        definition=definition,
        as_of=as_of or _end_of(week, ready),
        min_invocations=min_invocations,
        privacy=privacy,
        use_labels=use_labels,
    )
    return write_pages(ready, makers, progress=progress)


def all_reports(
    *,
    week: str | None = None,
    as_of: str = "",
    session_dirs: Paths | None = None,
    output: str | Path | None = None,
    workspace: str | Path | None = None,
    time_zone: str | None = None,
    min_invocations: int | None = None,
    privacy: bool = False,
    sample: bool = False,
    use_labels: bool = True,
    mine_first: bool = True,
    progress: bool = True,
) -> SkillReports:
    """Read what is new in the sessions and write the week's page and one for each skill, which lead to each other.

    A page that fails does not stop the others.

    Parameters
    ----------
    week
        ISO week of the week's page; default as for ``weekly_report``, or with `as_of` the last whole one before it.
    as_of
        ISO date or time until which the skills' pages go. '' is now, or with `week` its end.
    session_dirs, output, workspace, time_zone, min_invocations, privacy, sample, use_labels, mine_first, progress
        As for ``weekly_report``.

    Raises
    ------
    InputError
        When a week or date is not understood.
    CollectionDisabled, ReadError, LogError, OSError
        As for ``weekly_report``.
    """
    _check_time(week, as_of)
    weekly, skill = read_definition("weekly"), read_definition("skill")
    ready = prepare(
        session_dirs=session_dirs,
        output=output,
        workspace=workspace,
        time_zone=time_zone,
        sample=sample,
        mine_first=mine_first,
        progress=progress,
        said=weekly.parameters,
    )
    choice: dict[str, Any] = {"min_invocations": min_invocations, "privacy": privacy, "use_labels": use_labels}
    shown = _week_shown(week, as_of=as_of, time_zone=ready.time_zone)
    makers = _makers(_used(ready), ready, definition=skill, as_of=as_of or _end_of(week, ready), **choice)

    def make_week(kernel: "SharedKernel", *, progress: bool) -> Path:
        return write_week(ready, definition=weekly, week=shown, progress=progress, kernel=kernel, **choice).page

    made = write_pages(ready, {WEEK: make_week, **makers}, progress=progress)
    page = made.pages.get(WEEK)
    pages = {name: path for name, path in made.pages.items() if name != WEEK}
    return replace(made, pages=pages, weekly=page, week="" if page is None else page.parent.name)


def _week_shown(week: str | None, *, as_of: str, time_zone: str) -> str | None:
    """The week that was asked for; with a date alone the last whole one before it."""
    return week or (last_whole_week(as_time(as_of), time_zone=time_zone).name if as_of else None)


def _check_time(week: str | None, as_of: str) -> None:
    """Refuse what is no week or date before the sessions are read."""
    if week:
        iso_week(week)
    if as_of:
        as_time(as_of)


def _end_of(week: str | None, ready: Ready) -> str:
    """The moment with which a week ends; '' for none."""
    from skilltune.reports.choice import chosen_week

    return chosen_week(week, time_zone=ready.time_zone, sample=ready.sample).end.isoformat() if week else ""


def _used(ready: Ready) -> list[str]:
    """Every skill that was used, by name; calls that failed are of skills that may not be there."""
    return sorted({use.skill_id for use in ready.found.read_uses() if not use.failed})


def _makers(
    skills: Sequence[str], ready: Ready, *, definition: Definition, as_of: str, **choice: Any
) -> dict[str, Callable[..., Path]]:
    """Skill → what writes its page with a kernel."""
    said = definition.parameters
    options = {
        **ready.options(said, **choice),
        "as_of": as_of or str(said.get("as_of") or ""),
        "definition": definition,
    }

    def maker(skill: str) -> Callable[..., Path]:
        def make(kernel: "SharedKernel", *, progress: bool) -> Path:
            return render_skill(skill, kernel=kernel, progress=progress, **options)

        return make

    return {skill: maker(skill) for skill in skills}


def write_pages(ready: Ready, makers: Mapping[str, Callable[..., Path]], *, progress: bool) -> SkillReports:
    """Write pages one after the other in one kernel, and make them lead to each other.

    Parameters
    ----------
    makers
        Skill, or ``the week's page``, → what writes its page, given the kernel and whether to show progress.
    progress
        Of one page its parts are shown, of several a bar that names the one it is at, where standard error is a
        terminal.

    Returns
    -------
    SkillReports
        All pages that were made, and why others were not.
    """
    from tqdm import tqdm

    from skilltune.reports.running import SharedKernel

    keep_from_git(ready.folder, ready.target / SKILLS)
    pages: dict[str, Path] = {}
    failed: dict[str, str] = {}
    several = len(makers) > 1
    quiet = not (progress and several and sys.stderr.isatty())
    with (
        SharedKernel() as kernel,
        tqdm(total=len(makers), unit="page", file=sys.stderr, leave=False, disable=quiet) as bar,
    ):
        for name, make in makers.items():
            bar.set_description(_shortened(name))
            try:
                pages[name] = make(kernel, progress=progress and not several)
            except ReportError as error:
                failed[name] = str(error)
            bar.update()
    link_pages(ready.target)
    return SkillReports(pages=pages, failed=failed, index=(ready.target / "index.html").absolute(), sample=ready.sample)


def _shortened(name: str) -> str:
    shown = visible(name)
    return shown if len(shown) <= _NAME_SHOWN else f"{shown[: _NAME_SHOWN - 1]}…"


def definition_report(name: str, **options: Any) -> list[Path]:
    """The pages of the report that a definition makes: a week's, a skill's, or one of its own notebook.

    Parameters
    ----------
    name
        Of a shipped definition, or path of one (``….yaml``).
    options
        As for ``weekly_report``, or for ``skill_reports`` without the names of skills.

    Raises
    ------
    InputError
        As for ``read_definition``; or it is a skill's and names none.
    ReportError
        When a page failed.
    """
    definition = read_definition(name)
    if definition.kind == "weekly":
        return [weekly_report(definition=definition, **options).page]
    if definition.kind == "skill_report":
        if not definition.parameters.get("skill"):
            raise InputError(
                f"the definition {definition.name!r} names no skill: set `skill` below its parameters, or run "
                "`skilltune report --skill NAME`"
            )
        options.pop("week", None)
        options.pop("skills", None)
        made = skill_reports(definition=definition, **options)
        if made.failed:
            raise ReportError("; ".join(made.failed.values()))
        return list(made.pages.values())
    return [_own_report(definition, **options)]


def _own_report(definition: Definition, **options: Any) -> Path:
    """The page of a person's own notebook."""
    offered = {name: options.pop(name, default) for name, default in _OFFERED.items()}
    given = options.pop("min_invocations", None)
    ready = prepare(**{name: options.get(name, default) for name, default in _READING.items()})
    keep_from_git(ready.folder, ready.target / definition.name)
    return render_definition(
        definition,
        workspace_events=ready.found.log,
        output=ready.target,
        progress=bool(options.get("progress", True)),
        sample=ready.sample,
        time_zone=ready.time_zone,
        min_invocations=ready.min_invocations(given, said=definition.parameters),
        privacy=bool(offered["privacy"]) or ready.private,
        use_labels=bool(offered["use_labels"]),
        **({"week": offered["week"]} if offered["week"] else {}),
        **({"skills": list(offered["skills"])} if offered["skills"] else {}),
    )


_OFFERED: dict[str, Any] = {"privacy": False, "use_labels": True, "week": "", "skills": ()}
_READING: dict[str, Any] = {
    "session_dirs": None,
    "output": None,
    "workspace": None,
    "time_zone": None,
    "sample": False,
    "mine_first": True,
    "progress": True,
}
