"""Copies of the shipped notebooks in a folder."""

import nbformat

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
