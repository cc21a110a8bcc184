"""Parameters are checked before a run."""

import pytest

from skilltune.errors import InputError
from skilltune.reports.parameters import check_parameters, known_parameters
from tests.conftest import ROOT

KNOWN = {"week": "str", "n": "int", "share": "float", "private": "bool", "skills": "list", "health": "dict", "any": ""}


def test_known_parameters_pass():
    """Values of the right types, an int for a float too."""
    check_parameters(
        {"week": "x", "n": 1, "share": 1, "private": True, "skills": [], "health": {}, "any": None}, known=KNOWN
    )


def test_unknown_parameter_names_the_known_ones():
    """Papermill itself only warns."""
    with pytest.raises(InputError, match=r"no parameter 'weak'; it knows week, n, share"):
        check_parameters({"weak": "2026-W48"}, known=KNOWN)


@pytest.mark.parametrize(
    ("name", "value"), [("week", 5), ("n", "5"), ("n", True), ("private", 1), ("skills", "a"), ("health", [])]
)
def test_value_of_another_type_is_refused(name: str, value: object):
    """The name, the value and the type are told."""
    with pytest.raises(InputError, match=rf"parameter '{name}' is .*; it takes a {KNOWN[name]}"):
        check_parameters({name: value}, known=KNOWN)


def test_text_that_no_notebook_can_hold_is_refused():
    """A path with bytes that are no UTF-8."""
    with pytest.raises(InputError, match="no UTF-8"):
        check_parameters({"week": "logs/\udcff"}, known=KNOWN)


def test_items_of_a_list_are_looked_at():
    """`list[str]` is a list of texts; a list without a word on its items may hold any plain value."""
    check_parameters({"names": ["a"], "skills": [1, "a", [None]]}, known=KNOWN | {"names": "list[str]"})
    with pytest.raises(InputError, match=r"parameter 'names' has True as item 2; it takes a list\[str\]"):
        check_parameters({"names": ["a", True]}, known={"names": "list[str]"})


def test_shipped_notebooks_say_what_is_in_their_lists():
    """So that a number among names is found before a kernel starts."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        assert "list" not in known_parameters(path).values()
