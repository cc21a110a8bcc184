"""From a feedback log to files: a week's page, a skill's page, or one of a person's own definition; and the index."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from skilltune.analysis.isoweeks import last_whole_week
from skilltune.limits import MIN_INVOCATIONS
from skilltune.reports.definition import Definition, read_definition
from skilltune.reports.pages import PagePlace, make_page

if TYPE_CHECKING:
    from skilltune.reports.running import SharedKernel

__all__ = ["SKILLS", "render_definition", "render_skill", "render_weekly"]

WEEKLY: Final = "weekly"
SKILL: Final = "skill"
SKILLS: Final = "skills"
"""The folder of the pages on single skills."""


def render_weekly(
    *,
    workspace_events: Path | None,
    output: Path,
    week: str = "",
    time_zone: str = "UTC",
    skills: Sequence[str] = (),
    min_invocations: int = MIN_INVOCATIONS,
    privacy: bool = False,
    health: Mapping[str, Any] | None = None,
    sample: bool = False,
    use_labels: bool = True,
    progress: bool = True,
    definition: Definition | None = None,
    kernel: "SharedKernel | None" = None,
) -> Path:
    """Write one week's report and the index of all weeks; the path of its HTML page.

    Parameters
    ----------
    workspace_events
        The feedback log; None finds one from the current folder. The sample needs none: what is given is not read.
    output
        Folder of the reports: ``<week>/weekly.html``, ``<week>/weekly.ipynb`` and ``index.html`` are written there.
    skills
        Only these: the page is ``weekly-only-<name>.html``, beside the whole week's, which stays, as the index does.
    week
        ISO week such as ``2026-W48``; '' is the last whole one.
    health
        What is known of the reading (``page.health.HEALTH_KEYS``). After a reading that found no use of a skill there
        is no log, and the page says so.
    sample
        Show the bundled sample sessions.
    use_labels
        Whether the person's labels beat the rules.
    progress
        Show how far it is on standard error.
    definition
        A definition with the weekly notebook, in place of the shipped one; its name is the files'.
    kernel
        One that runs several notebooks; None starts one for this page.

    Raises
    ------
    InputError
        When a parameter is not understood, or the week has not begun; nothing has been run then.
    ReadError
        When there is no log.
    ReportError
        When a cell failed or a file cannot be written. The notebook up to the failed cell is kept as
        ``weekly.failed.ipynb``, though not in the private form; a report that was there before is untouched.
    """
    from skilltune.reports.choice import chosen_week
    from skilltune.reports.index import week_names, write_index

    whole_week = chosen_week(week, time_zone=time_zone, sample=sample)
    told = dict(health or {})
    definition = definition or read_definition(WEEKLY)
    root = Path(output).absolute()
    only = bool(skills) and definition.name == WEEKLY
    parameters = {
        "workspace": "" if sample else _log_to_show(workspace_events, told),
        "week": whole_week.name,
        "time_zone": time_zone,
        "skills": list(skills),
        "min_invocations": min_invocations,
        "privacy": privacy,
        "sample": sample,
        "options": {
            "use_labels": use_labels,
            "health": told,
            "weeks": sorted({whole_week.name, *week_names(root)}),
        },
    }
    return make_page(
        definition,
        parameters,
        place=PagePlace(root=root, folder=whole_week.name, name=_only_name(skills) if only else definition.name),
        title=f"{definition.title}, {whole_week.name}{', only ' + ', '.join(skills) if only else ''}",
        progress=progress,
        finish=None if only else lambda notebook: write_index(root, notebook),
        kernel=kernel,
    )


def render_skill(
    skill: str,
    *,
    workspace_events: Path | None,
    output: Path,
    as_of: str = "",
    time_zone: str = "UTC",
    min_invocations: int = MIN_INVOCATIONS,
    privacy: bool = False,
    sample: bool = False,
    use_labels: bool = True,
    progress: bool = True,
    definition: Definition | None = None,
    kernel: "SharedKernel | None" = None,
) -> Path:
    """Write the report on one skill, ``skills/<name>.html``, and the index; the path of its page.

    Parameters
    ----------
    skill
        Its name as the log has it.
    as_of
        ISO date or time; '' is now.
    workspace_events, output, time_zone, min_invocations, privacy, sample, use_labels, progress, definition, kernel
        As for ``render_weekly``.

    Raises
    ------
    InputError, ReadError, ReportError
        As for ``render_weekly``.
    """
    from skilltune.reports.index import write_index
    from skilltune.reports.skill_names import page_name

    definition = definition or read_definition(SKILL)
    root = Path(output).absolute()
    name = page_name(skill)
    told = {"skills": {name: {"as_of": _day_shown(as_of, time_zone=time_zone, sample=sample)}}}
    parameters = {
        "skill": skill,
        "workspace": "" if sample else _log_to_show(workspace_events, {}),
        "as_of": as_of,
        "time_zone": time_zone,
        "min_invocations": min_invocations,
        "privacy": privacy,
        "sample": sample,
        "use_labels": use_labels,
    }
    return make_page(
        definition,
        parameters,
        place=PagePlace(root=root, folder=SKILLS, name=name),
        title=f"{definition.title}, {skill}",
        progress=progress,
        finish=lambda notebook: write_index(root, notebook, told=told),
        kernel=kernel,
    )


def render_definition(
    definition: Definition,
    *,
    workspace_events: Path | None,
    output: Path,
    progress: bool = True,
    **offered: Any,
) -> Path:
    """Write the page of a definition with a notebook of its own, ``<name>/<name>.html``; its path.

    Parameters
    ----------
    offered
        Parameters that are given to it as far as it knows them; what the definition says beats them.

    Raises
    ------
    InputError, ReadError, ReportError
        As for ``render_weekly``.
    """
    root = Path(output).absolute()
    every = {"workspace": "" if offered.get("sample") else _log_to_show(workspace_events, {}), **offered}
    parameters = {name: value for name, value in every.items() if name in definition.known}
    return make_page(
        definition,
        {**parameters, **definition.parameters},
        place=PagePlace(root=root, folder=definition.name, name=definition.name),
        title=definition.title,
        progress=progress,
    )


def _day_shown(as_of: str, *, time_zone: str, sample: bool) -> str:
    """The last ISO day that a skill's page has; '' where `as_of` is no time: the notebook says so."""
    from skilltune.sample import sample_end

    now = sample_end() if sample else datetime.now(UTC)
    zone = last_whole_week(now, time_zone=time_zone).start.tzinfo
    try:
        asked = datetime.fromisoformat(as_of) if as_of else now
    except ValueError:
        return ""
    until = min(asked if asked.tzinfo else asked.replace(tzinfo=UTC), now)
    return f"{(until - timedelta(microseconds=1)).astimezone(zone):%Y-%m-%d}"


def _only_name(skills: Sequence[str]) -> str:
    """The file's name of a week's page on some skills alone."""
    from skilltune.reports.skill_names import page_name

    return f"{WEEKLY}-only-{page_name(skills[0] if len(skills) == 1 else ' '.join(sorted(skills)))}"


def _log_to_show(path: Path | None, health: dict[str, Any]) -> str:
    """The log's path; where a reading found no use, and so made no log, `health` says that."""
    from skilltune.reports.choice import existing_log

    log = existing_log("" if path is None else str(Path(path).absolute()), may_be_missing=bool(health))
    if not log.exists():
        health["no_uses"] = True
    return str(log.path)
