"""``skilltune notebook`` as a person runs it."""

import json

import pytest

from tests.conftest import ROOT


def test_notebook_alone_lists_them(machine):
    """Each shipped notebook by name, and what to type; nothing is written."""
    out = machine.run("notebook").stdout
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        assert path.stem in out
    assert "skilltune notebook 04_label" in out
    assert "skilltune lab" in out
    listed = out.partition("\n\n")[0].splitlines()
    assert [line for line in listed if len(line.split()) < 3] == [], "each notebook says what it is for"
    assert "04_label" in json.loads(machine.run("notebook", "--json").stdout)["notebooks"]
    assert list(machine.cwd.iterdir()) == []


def test_notebook_is_copied_and_never_replaced(machine):
    """The copy is the shipped one; a second time it is left; one that was edited is named, not replaced."""
    out = machine.run("notebook", "04_label").stdout
    copy = machine.cwd / "04_label.ipynb"
    assert copy.read_bytes() == (ROOT / "notebooks" / "04_label.ipynb").read_bytes()
    assert "jupyter lab" in out
    machine.run("notebook", "label.ipynb")
    copy.write_text("edited", encoding="utf-8")
    assert "was run or edited" in machine.run("notebook", "04_label", code=2).stderr
    assert copy.read_text(encoding="utf-8") == "edited"
    other = json.loads(machine.run("notebook", "review", "--output", "in/mine.ipynb", "--json").stdout)
    assert other["notebook"] == "in/mine.ipynb"
    assert (machine.cwd / "in" / "mine.ipynb").is_file()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nothing"], "there is no notebook 'nothing'; those there are: "),
        (["04_label", "--output", "a.txt"], "ends in .ipynb"),
        (["--output", "a.ipynb"], "--output goes with a name"),
    ],
)
def test_notebook_says_what_is_wrong(machine, arguments, complaint):
    """Exit code 2, one line, nothing written."""
    assert complaint in machine.run("notebook", *arguments, code=2).stderr
    assert list(machine.cwd.iterdir()) == []
