"""From a feedback log to files: run, export, then put the finished files in the place of the old ones."""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from skilltune.errors import ReportError
from skilltune.limits import MIN_INVOCATIONS
from skilltune.stores.files import WriteLock, replace_file

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from skilltune.analysis.isoweeks import IsoWeek

__all__ = ["render_weekly"]

NAME: Final = "weekly"


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
) -> Path:
    """Write one week's report and the index of all weeks; the path of its HTML page.

    Parameters
    ----------
    workspace_events
        The feedback log; None finds one from the current folder. The sample needs none: what is given is not read.
    output
        Folder of the reports: ``<week>/weekly.html``, ``<week>/weekly.ipynb`` and ``index.html`` are written there.
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

    whole_week = chosen_week(week, time_zone=time_zone, sample=sample)
    told = dict(health or {})
    parameters = {
        "workspace": "" if sample else _log_to_show(workspace_events, told),
        "week": whole_week.name,
        "time_zone": time_zone,
        "skills": list(skills),
        "min_invocations": min_invocations,
        "privacy": privacy,
        "sample": sample,
        "use_labels": use_labels,
        "health": told,
    }
    target = Path(output).absolute() / whole_week.name
    try:
        return _publish(parameters, target=target, week=whole_week, progress=progress)
    except OSError as error:
        raise ReportError(f"the report cannot be written to {target}: {error}; choose another folder") from error


def _log_to_show(path: Path | None, health: dict[str, Any]) -> str:
    """The log's path; where a reading found no use, and so made no log, `health` says that."""
    from skilltune.reports.choice import existing_log

    log = existing_log("" if path is None else str(Path(path).absolute()), may_be_missing=bool(health))
    if not log.exists():
        health["no_uses"] = True
    return str(log.path)


def _publish(parameters: Mapping[str, Any], *, target: Path, week: "IsoWeek", progress: bool) -> Path:
    from skilltune.reports.definition import read_definition
    from skilltune.reports.export import export_html
    from skilltune.reports.trusting import trust_notebook

    definition = read_definition(NAME)
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="skilltune-", ignore_cleanup_errors=True) as folder:
        source = Path(folder) / "source.ipynb"
        source.write_text(definition.notebook, encoding="utf-8")
        notebook = _run(source, {**definition.parameters, **parameters}, target=target, progress=progress)
    page = export_html(notebook, title=f"{definition.title}, {week.name}")
    text = _as_text(notebook, private=bool(parameters["privacy"]))
    with WriteLock(target.parent / ".reports.lock").held():
        replace_file(target / f"{NAME}.ipynb", text.encode())
        trust_notebook(text)
        replace_file(target / f"{NAME}.html", page.encode())
        (target / f"{NAME}.failed.ipynb").unlink(missing_ok=True)
        _write_index(target.parent)
    return target / f"{NAME}.html"


def _run(source: Path, parameters: Mapping[str, Any], *, target: Path, progress: bool) -> "NotebookNode":
    """What the notebook made; where it failed, what it made up to there is kept in `target`, unless it is private."""
    import nbformat

    from skilltune.reports.parameters import check_parameters, known_parameters
    from skilltune.reports.running import run_notebook

    check_parameters(parameters, known=known_parameters(source))
    try:
        made = run_notebook(source, folder=source.parent, parameters=parameters, progress=progress)
    except ReportError as error:
        if parameters["privacy"]:
            private = "the notebook up to there is not kept in the private form; run it without --privacy to see it"
            raise ReportError(f"{error}; {private}", cell=error.cell) from error
        if error.notebook is None or not Path(error.notebook).is_file():
            raise
        kept = target / f"{NAME}.failed.ipynb"
        shutil.copyfile(error.notebook, kept)
        raise ReportError(f"{error}; the notebook up to there is {kept}", notebook=kept, cell=error.cell) from error
    notebook: NotebookNode = nbformat.read(made, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has no types
    return notebook


def _as_text(notebook: "NotebookNode", *, private: bool) -> str:
    """The notebook as it is kept: under its own name, and without the log's path where that is private.

    Run again, the private one finds the workspace's log from its own folder, or says that ``workspace`` is to be set.
    """
    import nbformat

    run = notebook.metadata.papermill
    run["input_path"] = run["output_path"] = f"{NAME}.ipynb"
    if private:
        path = run["parameters"]["workspace"]
        run["parameters"]["workspace"] = ""
        for cell in notebook.cells:
            cell.source = cell.source.replace(repr(path), '""').replace(f'"{path}"', '""')
    return str(nbformat.writes(notebook))  # type: ignore[no-untyped-call]  # nbformat has no types


def _write_index(folder: Path) -> None:
    from skilltune.reports.weeks import find_weeks, render_index

    replace_file(folder / "index.html", render_index(find_weeks(folder)).encode())
