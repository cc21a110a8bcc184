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
    for name in names[::4]:  # each is a process of its own; all of them by their functions in tests/analysis
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
        (["--metric", "correction_rate", "--by", "colour"], "--by takes session_id, skill_id, outcome"),
        (["--by", "week"], "--by goes with --metric"),
        (["--metric", "outcome_mix", "--interval", "score"], "--interval is of correction_rate"),
        (["--corrected", "--interval", "score"], "--interval does not go with --corrected"),
        (["report-builder", "--metric", "correction_rate", "--by", "week"], "--by skill_id,week"),
    ],
)
def test_metric_says_what_is_wrong(sample, arguments, complaint):
    """Exit code 2 and one line."""
    assert complaint in sample.run("metrics", *arguments, *AS_OF, code=2).stderr


def test_metric_without_rows_says_what_there_is_none_of(sample):
    """Of each metric its own words: no use is denied that is there."""
    early = ("--as-of", "2026-09-21")
    assert "there is one per change" in " ".join(
        sample.run("metrics", "--metric", "before_after", *early).stdout.split()
    )
    assert "there is one per shift" in " ".join(
        sample.run("metrics", "--metric", "change_points", *early).stdout.split()
    )


def test_metric_weeks_are_iso_weeks_and_names_count_once(sample):
    """A week is printed by its name; a name that is given twice is one."""
    out = sample.run("metrics", "--metric", "correction_trend", "--by", "skill_id,skill_id", *AS_OF, "--json").stdout
    once = sample.run("metrics", "--metric", "correction_trend", "--by", "skill_id", *AS_OF, "--json").stdout
    assert json.loads(out) == json.loads(once)
    printed = sample.run("metrics", "--metric", "correction_rate", "--by", "skill_id,week", *AS_OF).stdout
    assert "2026-W48" in printed
    assert " 00:00 " not in printed.rpartition("\n\n")[0]


def test_interval_over_sessions_names_what_rests_on_few(sample):
    """Whole sessions give other bounds; where they are few, their number stands below."""
    call = ("metrics", "report-builder", *AS_OF)
    [score] = json.loads(sample.run(*call, "--json").stdout)
    [whole] = json.loads(sample.run(*call, "--interval", "session_bootstrap", "--json").stdout)
    assert (score["interval_method"], whole["interval_method"]) == ("score", "session_bootstrap")
    assert whole["few_sessions"] is True
    assert (score["low"], score["high"]) != (whole["low"], whole["high"])
    said = f"Few sessions only, so that the interval itself is unsure: report-builder {whole['sessions']}."
    few = sample.run("metrics", "--metric", "correction_rate", *AS_OF, "--interval", "session_bootstrap").stdout
    assert "Few sessions only" in few
    assert said in " ".join(sample.run(*call, "--interval", "session_bootstrap").stdout.split())
    assert "Few sessions" not in sample.run(*call).stdout


def test_skills_named_unmeasurable_are_no_dead_ones(sample):
    """A skill that is pasted as plain text has a tier of its own, and the reason is the config's."""
    config = sample.cwd / ".skilltune" / "config.toml"
    config.write_text('[mining]\nunmeasurable = ["pasted-prompt"]\n', encoding="utf-8")
    rows = json.loads(sample.run("metrics", "--metric", "usage_tiers", *AS_OF, "--json").stdout)
    [row] = [row for row in rows if row["skill_id"] == "pasted-prompt"]
    assert (row["tier"], "config" in row["reason"]) == ("unmeasurable", True)


def test_cost_of_a_log_says_what_is_not_known(sample):
    """A log keeps the cost of uses; that of the rest of their sessions is not among the rows, and that is said."""
    printed = " ".join(sample.run("metrics", "--metric", "skill_cost", *AS_OF).stdout.split())
    assert "What sessions cost beside these uses is not known from this log." in printed
