"""One notebook run and exported; its finished files put in the place of the old ones, which stay where it fails."""

import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from skilltune.errors import ReportError
from skilltune.stores.files import WriteLock, replace_file
from skilltune.stores.spool import temporary_folder

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from skilltune.reports.definition import Definition
    from skilltune.reports.running import SharedKernel

__all__ = ["PagePlace", "make_page"]

LOCK: Final = ".reports.lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePlace:
    """Where a page goes."""

    root: Path
    """The folder of all reports, absolute."""
    folder: str
    """Its folder in there."""
    name: str
    """Of its files, without what they end with."""

    def file(self, end: str) -> Path:
        """The file that ends so."""
        return self.root / self.folder / f"{self.name}{end}"


def make_page(
    definition: "Definition",
    parameters: Mapping[str, Any],
    *,
    place: PagePlace,
    title: str,
    progress: bool,
    finish: Callable[["NotebookNode"], None] | None = None,
    kernel: "SharedKernel | None" = None,
) -> Path:
    """Run the definition's notebook and write its page and notebook; the path of the page.

    Parameters
    ----------
    finish
        What else is written with them, under the same lock, from the finished notebook.
    kernel
        One that runs several notebooks; None starts one for this page.

    Raises
    ------
    InputError
        When the notebook does not know a parameter or takes another type; nothing has been run then.
    ReportError
        When a cell failed or a file cannot be written. What the notebook made up to there is kept beside the page as
        ``….failed.ipynb``, though not in the private form; files that were there before are untouched.
    """
    from skilltune.reports.export import export_html
    from skilltune.reports.trusting import trust_notebook

    values = {**definition.parameters, **parameters}
    private = bool(values.get("privacy"))
    page = place.file(".html")
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="skilltune-", ignore_cleanup_errors=True) as folder:
            source = Path(folder) / "source.ipynb"
            source.write_text(definition.notebook, encoding="utf-8")
            notebook = _run(source, values, place=place, private=private, progress=progress, kernel=kernel)
        html = export_html(notebook, title=title)
        # a definition of a person's own may name its files otherwise than its notebook is called
        html = html.replace(f'href="{definition.kind}.ipynb"', f'href="{place.name}.ipynb"')
        text = _as_text(notebook, name=place.name, private=private)
        with WriteLock(place.root / LOCK).held():
            replace_file(place.file(".ipynb"), text.encode())
            trust_notebook(text)
            replace_file(page, html.encode())
            place.file(".failed.ipynb").unlink(missing_ok=True)
            if finish is not None:
                finish(notebook)
    except OSError as error:
        raise ReportError(
            f"the report cannot be written to {page.parent} by way of {temporary_folder()}: {error}; free some space "
            "or choose another folder (--output; TMPDIR for temporary files)"
        ) from error
    return page


def _run(
    source: Path,
    parameters: Mapping[str, Any],
    *,
    place: PagePlace,
    private: bool,
    progress: bool,
    kernel: "SharedKernel | None",
) -> "NotebookNode":
    """What the notebook made; where it failed, what it made up to there is kept, unless it is private."""
    import nbformat

    from skilltune.reports.parameters import check_parameters, known_parameters
    from skilltune.reports.running import run_notebook

    check_parameters(parameters, known=known_parameters(source))
    try:
        made = run_notebook(source, folder=source.parent, parameters=parameters, progress=progress, kernel=kernel)
    except ReportError as error:
        if private:
            told = "the notebook up to there is not kept in the private form; run it without --privacy to see it"
            raise ReportError(f"{error}; {told}", cell=error.cell) from error
        if error.notebook is None or not Path(error.notebook).is_file():
            raise
        kept = place.file(".failed.ipynb")
        shutil.copyfile(error.notebook, kept)
        raise ReportError(f"{error}; the notebook up to there is {kept}", notebook=kept, cell=error.cell) from error
    notebook: NotebookNode = nbformat.read(made, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has no types
    return notebook


def _as_text(notebook: "NotebookNode", *, name: str, private: bool) -> str:
    """The notebook as it is kept: under its own name, and without the log's path where that is private.

    Run again, the private one finds the workspace's log from its own folder, or says that ``workspace`` is to be set.
    """
    import nbformat

    run = notebook.metadata.papermill
    run["input_path"] = run["output_path"] = f"{name}.ipynb"
    path = run["parameters"].get("workspace")
    if private and path:
        run["parameters"]["workspace"] = ""
        for cell in notebook.cells:
            cell.source = cell.source.replace(repr(path), '""').replace(f'"{path}"', '""')
    return str(nbformat.writes(notebook, ensure_ascii=True))  # type: ignore[no-untyped-call]  # nbformat has no types
