"""The measured figures that ship with the rules."""

import importlib.util
import json

import pytest

from skilltune.mining import ruleset_version
from tests.conftest import ROOT

FIGURES = json.loads((ROOT / "skilltune" / "mining" / "accuracy.json").read_text(encoding="utf-8"))
BENCHMARK = ROOT / "benchmarks" / "rules_accuracy.py"


@pytest.fixture(scope="module")
def benchmark():
    """The program that measures the rules."""
    spec = importlib.util.spec_from_file_location("rules_accuracy", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_figures_are_of_these_rules():
    """The figures were measured with the rules that ship; after a change run benchmarks/rules_accuracy.py --write."""
    assert FIGURES["ruleset"] == ruleset_version()


def test_figures_hold_no_text():
    """Only numbers, names of groups, a date and a version are kept."""
    texts = [value for value in FIGURES.values() if isinstance(value, str)]
    assert texts == [FIGURES["ruleset"], FIGURES["measured"]]


@pytest.mark.parametrize("group", ["negative", "correction", "partial", "acceptance"])
def test_figures_are_shares_with_intervals(group):
    """Precision and recall are counts over counts, inside their intervals."""
    for name in ("precision", "recall"):
        share = FIGURES["outcomes"][group][name]
        assert share["rate"] == pytest.approx(share["k"] / share["n"], abs=1e-4)
        assert share["low"] <= share["rate"] <= share["high"]


def test_figures_equal_a_fresh_run(shared, benchmark):
    """Measuring again gives the figures that ship."""
    fresh = benchmark.accuracy(benchmark.read_rows(shared))
    assert fresh | {"measured": FIGURES["measured"]} == FIGURES


def test_figures_meet_the_bar():
    """Complaints are found with a precision of at least 0.6 and at least a third of them are found."""
    negative = FIGURES["outcomes"]["negative"]
    assert negative["precision"]["rate"] >= 0.6
    assert negative["recall"]["rate"] >= 0.35
