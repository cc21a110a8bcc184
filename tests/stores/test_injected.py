"""Parameters that papermill sets in a kernel, checked from inside."""

import sys
from types import SimpleNamespace

import nbformat
import papermill
import pytest

from skilltune.errors import InputError
from skilltune.stores.injected import check_injected, unfit_values, unknown_parameters

DEFAULTS = "week: str = ''  # a week\nsample = False"


SHIPPED_CALLS = """
from skilltune.reports.metric_tables import read_metric_tables
from skilltune.reports.skill import read_skill
from skilltune.reports.weekly import read_weekly
from skilltune.widgets.label_page import read_label_page
from skilltune.widgets.review_page import read_review_page
from skilltune.widgets.sessions_page import read_sessions_page

calls = [
    lambda: read_metric_tables(workspace="none"),
    lambda: read_skill(skill="none", workspace="none"),
    lambda: read_weekly(workspace="none"),
    lambda: read_label_page(workspace="none"),
    lambda: read_review_page(workspace="none"),
    lambda: read_sessions_page(sessions="none"),
]
refused = []
for call in calls:
    try:
        call()
    except Exception as error:
        if "has no parameter" in str(error):
            refused.append(str(error))
if refused:
    raise ValueError(f"ALL {len(refused)} REFUSED {refused[0]}")
"""


@pytest.mark.parametrize(
    ("cells", "odd"),
    [
        (["", DEFAULTS, "# Parameters\nweeek = '2026-W48'\nsample = True\n"], ["weeek"]),
        (["", DEFAULTS, "# Parameters\nweek = '2026-W48'\n"], []),
        (["", DEFAULTS, "import this_is_the_first_real_cell"], []),
        (["", DEFAULTS], []),
        ([], []),
        (["", "%matplotlib inline", "# Parameters\nweek = ''\n"], []),
    ],
)
def test_unknown_parameters(cells, odd) -> None:
    """Only what the cell of papermill sets and the defaults do not; nothing is claimed where they cannot be read."""
    assert unknown_parameters(cells)[0] == odd


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("days = 'many'", "days is 'many'; it takes a whole number, such as 30"),
        ("days = True", "days is True; it takes a whole number, such as 30"),
        ("days = None", "days is None; it takes a whole number, such as 30"),
        ("week = 48", "week is 48; it takes text, such as ''"),
        ("sample = 'no'", "sample is 'no'; it takes True or False, such as False"),
        ("skills = 'a'", "skills is 'a'; it takes a list of texts, such as []"),
        ("skills = ['a', 1]", "skills is ['a', 1]; it takes a list of texts, such as []"),
        ("days = 7\nskills = ['a']\nweek = ''\nsample = True", ""),
        ("days = float('nan')", ""),
        ("more = 'x'", ""),
    ],
)
def test_unfit_values(value, told) -> None:
    """A value of another type than its default is told with one that is right; what is no literal is not judged."""
    default = "days: int = 30  # how long\nweek: str = ''\nsample = False\nskills: list[str] = []"
    assert unfit_values(["", default, f"# Parameters\n{value}\n"]) == ([told] if told else [])
    assert unfit_values(["", default, value]) == []


def test_outside_a_kernel_nothing_is_checked() -> None:
    """Pages and the command line have no such cells."""
    assert check_injected() is None


def test_unfit_value_in_a_kernel_stops(monkeypatch) -> None:
    """The first call of a notebook refuses it, as it refuses an unknown name."""
    shell = SimpleNamespace(user_ns={"In": ["", DEFAULTS, "# Parameters\nweek = 48\n"]})
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    with pytest.raises(InputError, match="week is 48; it takes text, such as ''"):
        check_injected()


def test_papermill_with_an_unknown_parameter_stops(tmp_path) -> None:
    """Each first call of a shipped notebook names what it knows; with a known name none complains of it."""
    source = SHIPPED_CALLS
    cells = [nbformat.v4.new_code_cell(DEFAULTS, metadata={"tags": ["parameters"]}), nbformat.v4.new_code_cell(source)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    path = tmp_path / "n.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), path)
    options = {"progress_bar": False, "cwd": str(tmp_path)}
    papermill.execute_notebook(path, tmp_path / "fine.ipynb", {"week": "2026-W48"}, **options)
    with pytest.raises(papermill.PapermillExecutionError, match=r"ALL 6 REFUSED .*'weeek'; it knows week, sample"):
        papermill.execute_notebook(path, tmp_path / "odd.ipynb", {"weeek": "2026-W48"}, **options)
