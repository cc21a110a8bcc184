"""``skilltune metrics --list`` and ``--metric NAME`` as a person runs them."""

import json

import pytest

from skilltune.analysis.catalogue import find_metrics
from skilltune.sample import sample_root


@pytest.fixture(scope="module")
def names():
    """The metrics there are."""
    return [metric.name for metric in find_metrics()]


@pytest.fixture
def sample(machine):
    """A machine whose log holds the bundled sample."""
    machine.run("mine", "--session-dir", sample_root() / "projects", "--workspace", machine.cwd / ".skilltune")
    return machine


AS_OF = ("--as-of", "2026-11-30")


def test_list_names_every_metric(machine, names):
    """The list needs no log; programs get the columns, too."""
    out = machine.run("metrics", "--list").stdout
    rows = json.loads(machine.run("metrics", "--list", "--json").stdout)
    assert [row["name"] for row in rows] == names
    assert all(name in out for name in names)
    assert "correction_rate" in next(row for row in rows if row["name"] == "correction_rate")["columns"]
    assert max(map(len, out.splitlines())) <= 80


def test_every_metric_prints_and_is_one_json_document(sample, names):
    """Each metric of the list can be asked for, as text that fits and as JSON."""
    for name in names:
        out = sample.run("metrics", "--metric", name, *AS_OF).stdout
        rows = json.loads(sample.run("metrics", "--metric", name, *AS_OF, "--json").stdout)
        assert max(map(len, out.splitlines())) <= 80
        assert rows
        assert all(row.get("skill_id") is None or str(row["skill_id"]) in out for row in rows[:1])


def test_metric_by_a_crossing_of_one_skill(sample):
    """Groups are named with commas; one skill is its rows."""
    options = ("--metric", "correction_rate", "--by", "skill_id, week", *AS_OF)
    rows = json.loads(sample.run("metrics", *options, "--json").stdout)
    one = json.loads(sample.run("metrics", "report-builder", *options, "--json").stdout)
    assert one == [row for row in rows if row["skill_id"] == "report-builder"]
    assert len({row["week"] for row in one}) > 5
    assert sum(row["n_invocations"] for row in one) > sum(row["sample_size"] for row in one)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--metric", "cost"], "there is no metric 'cost'; there are "),
        (["--metric", "usage_tiers", "--by", "model"], "usage_tiers cannot be grouped"),
        (["--metric", "correction_rate", "--by", "colour"], "cannot group by 'colour'"),
        (["--by", "week"], "--by goes with --metric"),
        (["report-builder", "--metric", "correction_rate", "--by", "week"], "--by skill_id,week"),
    ],
)
def test_metric_says_what_is_wrong(sample, arguments, complaint):
    """Exit code 2 and one line."""
    assert complaint in sample.run("metrics", *arguments, *AS_OF, code=2).stderr
