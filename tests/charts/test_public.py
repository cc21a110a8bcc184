"""Every chart that the package offers: a picture with its words, its table and its own tests."""

import importlib
import inspect

import pytest

import skilltune

CHARTS = {
    name: importlib.import_module(home)
    for home, names in skilltune._HOMES.items()
    if home.startswith("skilltune.charts.")
    for name in names
    if name != "use_charts"
}


@pytest.mark.parametrize("name", CHARTS)
def test_chart_has_its_table_and_its_words_beside_it(name: str):
    """``…_table`` gives the numbers, ``…_words`` the alternative text, in the module of the chart."""
    offered = CHARTS[name].__all__
    assert name in offered
    stem = name.rpartition("_")[0]
    beside = [other for other in offered if other.startswith(stem) or stem.startswith(other.rpartition("_")[0])]
    for kind in ("_table", "_words"):
        assert [other for other in beside if other.endswith(kind)], (name, kind)


@pytest.mark.parametrize("name", CHARTS)
def test_chart_has_tests_of_its_axes_marks_and_colours(name: str):
    """The tests of its module draw it and look at its words, marks and colours."""
    module = CHARTS[name].__name__.rpartition(".")[2]
    source = inspect.getsource(importlib.import_module(f"tests.charts.test_{module}"))
    for call in (f"{name}(", "marks(", "colours(", "words("):
        assert call in source, (name, call)
