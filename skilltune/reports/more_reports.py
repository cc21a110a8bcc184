"""What ``skilltune report --skill``, ``--all-skills`` and ``--definition`` do."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skilltune.errors import InputError, ReportError
from skilltune.reports.command import Ready, check_skills, keep_from_git, prepare, weekly_report
from skilltune.reports.definition import Definition, read_definition
from skilltune.reports.publishing import SKILLS, render_definition, render_skill
from skilltune.workflow import Paths

__all__ = ["SkillReports", "definition_report", "skill_reports"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillReports:
    """Finished reports on single skills."""

    pages: dict[str, Path]
    """Skill → its page."""
    failed: dict[str, str]
    """Skill → why there is no new page of it."""
    index: Path
    sample: bool
    """They show the bundled sample sessions."""


def skill_reports(
    skills: Sequence[str] = (),
    *,
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
    definition: Definition | None = None,
) -> SkillReports:
    """Read what is new in the sessions and write a page for each skill; one that fails does not stop the others.

    Parameters
    ----------
    skills
        Their names as the log has them; none means every skill that was used.
    as_of
        ISO date or time; later uses do not exist. '' is now.
    definition
        A definition with the notebook ``skill_report``, in place of the shipped one.
    session_dirs, output, workspace, time_zone, min_invocations, privacy, sample, use_labels, mine_first, progress
        As for ``weekly_report``.

    Raises
    ------
    InputError
        When a name or date is not understood.
    CollectionDisabled, ReadError, LogError, OSError
        As for ``weekly_report``.
    """
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
    named = list(dict.fromkeys(skills or ([said["skill"]] if said.get("skill") else [])))
    check_skills(named, ready)
    keep_from_git(ready.folder, ready.target / SKILLS)
    options = {
        **ready.options(said, min_invocations=min_invocations, privacy=privacy, use_labels=use_labels),
        "as_of": as_of or str(said.get("as_of") or ""),
        "progress": progress,
        "definition": definition,
    }
    return _each(named or _used(ready), index=ready.target / "index.html", sample=ready.sample, options=options)


def _used(ready: Ready) -> list[str]:
    """Every skill that was used, by name; calls that failed are of skills that may not be there."""
    return sorted({use.skill_id for use in ready.found.read_uses() if not use.failed})


def _each(skills: Sequence[str], *, index: Path, sample: bool, options: dict[str, Any]) -> SkillReports:
    from skilltune.reports.running import SharedKernel

    pages: dict[str, Path] = {}
    failed: dict[str, str] = {}
    with SharedKernel() as kernel:
        for skill in skills:
            try:
                pages[skill] = render_skill(skill, kernel=kernel, **options)
            except ReportError as error:
                failed[skill] = str(error)
    return SkillReports(pages=pages, failed=failed, index=index, sample=sample)


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
