"""The shipped notebooks: the rules for all of them, and copies of them in a folder."""

import ast

import nbformat
import papermill
import pytest

from skilltune.reports.notebooks import copy_notebooks, shipped_notebooks
from tests.conftest import ROOT

SHIPPED = tuple(sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb")))


def test_all_are_copied_once(tmp_path):
    """All of them as they are shipped; a second time they are there already."""
    assert copy_notebooks(tmp_path / "n").copied == SHIPPED
    again = copy_notebooks(tmp_path / "n")
    assert (again.copied, again.same, again.kept) == ((), SHIPPED, ())
    for name, content in shipped_notebooks().items():
        assert (tmp_path / "n" / f"{name}.ipynb").read_bytes() == content


def test_what_is_other_is_kept(tmp_path):
    """An edited file, a folder and a link that leads nowhere are left as they are."""
    edited, folder, link = SHIPPED[:3]
    (tmp_path / edited).write_text("edited", encoding="utf-8")
    (tmp_path / folder).mkdir()
    (tmp_path / link).symlink_to(tmp_path / "nowhere.ipynb")
    done = copy_notebooks(tmp_path)
    assert done.kept == (edited, folder, link)
    assert done.copied == SHIPPED[3:]
    assert (tmp_path / edited).read_text(encoding="utf-8") == "edited"
    assert (tmp_path / folder).is_dir()
    assert not (tmp_path / "nowhere.ipynb").exists()


def test_copies_name_the_workspace(tmp_path):
    """The parameter says which folder it is, whatever its name; the notebooks stay valid and the same each time."""
    place = tmp_path / 'a "b" ü'
    copy_notebooks(tmp_path / "n", workspace=place)
    for name in SHIPPED:
        notebook = nbformat.read(tmp_path / "n" / name, as_version=4)
        nbformat.validate(notebook)
        cell = next(cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", []))
        values: dict[str, object] = {}
        exec(cell.source, values)  # noqa: S102  # our own notebook
        assert values.get("workspace", str(place)) == str(place)
    assert copy_notebooks(tmp_path / "n", workspace=place).same == SHIPPED


LONGEST = 8
"""Lines of a cell."""
NOT_THIN = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.For, ast.While, ast.With, ast.Try),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


@pytest.mark.parametrize("name", SHIPPED)
def test_notebook_is_thin(name):
    """One cell of parameters before all code, cells of eight lines, calls only, nothing stored."""
    notebook = nbformat.read(ROOT / "notebooks" / name, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [place for place, cell in enumerate(code) if "parameters" in cell.metadata.get("tags", [])] == [0]
    assert max(len(cell.source.splitlines()) for cell in code) <= LONGEST
    assert not [node for cell in code for node in ast.walk(ast.parse(cell.source)) if isinstance(node, NOT_THIN)]
    assert not [cell for cell in code if cell.outputs or cell.execution_count is not None]
    assert notebook.cells[0].cell_type == "markdown"
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


@pytest.mark.parametrize("name", SHIPPED)
def test_notebook_parameters_are_typed_and_explained(name):
    """Each with its type, a default and a word on what it does, so that `papermill --help-notebook` is enough."""
    told = papermill.inspect_notebook(str(ROOT / "notebooks" / name))
    assert told
    assert not [each for each, one in told.items() if one["inferred_type_name"] == "None" or not one["help"]]
    [cell] = [
        cell
        for cell in nbformat.read(ROOT / "notebooks" / name, as_version=4).cells
        if "parameters" in cell.metadata.get("tags", [])
    ]
    assert len(cell.source.splitlines()) == len(told)
