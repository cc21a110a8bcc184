"""``skilltune metrics --list`` and ``--metric NAME`` as a person runs them."""

import json
import shutil

import pytest

from skilltune.analysis.catalogue import find_metrics
from skilltune.cli.any_metric import few_sessions_words, print_metric
from skilltune.cli.figures import metrics
from skilltune.errors import InputError
from skilltune.sample import sample_end, sample_root
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.tables import read_tables
from skilltune.workflow import collect


@pytest.fixture(scope="module")
def names():
    """The metrics there are."""
    return [metric.name for metric in find_metrics()]


@pytest.fixture(scope="module")
def mined(tmp_path_factory):
    """A workspace whose log holds the bundled sample."""
    folder = tmp_path_factory.mktemp("mined") / ".skilltune"
    collect(sample_root() / "projects", workspace=folder, progress=False)
    return folder


@pytest.fixture
def sample(machine, mined):
    """A machine that has a copy of it."""
    shutil.copytree(mined, machine.cwd / ".skilltune")
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


def test_every_metric_prints_and_is_one_json_document(mined, names, capsys, monkeypatch):
    """Each metric of the list can be asked for, as text that fits and as JSON."""
    monkeypatch.setenv("COLUMNS", "80")
    tables = read_tables(FeedbackLog(mined / "feedback.jsonl"))
    asked = {"by": None, "as_of": sample_end(), "days": 30, "needed": 5, "implicit": True, "interval": None}
    for name in names:
        told = []
        for as_json in (False, True):
            print_metric(tables, name=name, skill=None, workspace=mined, as_json=as_json, **asked)
            told.append(capsys.readouterr().out)
        out, rows = told[0], json.loads(told[1])
        assert max(map(len, out.splitlines())) <= 80
        assert rows
        assert all(row.get("skill_id") is None or str(row["skill_id"]) in out for row in rows[:1])


def test_metric_by_a_crossing_of_one_skill(sample):
    """Groups are named with commas; one skill is its rows."""
    options = ("--metric", "correction_rate", "--by", "skill_id, week", *AS_OF)
    rows = json.loads(sample.run("metrics", *options, "--json").stdout)
    assert json.loads(sample.run("metrics", *options[2:], "--json").stdout) == rows
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
        (["--by", "colour"], "cannot group by 'colour'"),
        (["--by", "week", "--plain"], "--plain and --by print different tables"),
        (["--metric", "outcome_mix", "--interval", "score"], "--interval does nothing for outcome_mix (it is of corre"),
        (["--corrected", "--interval", "score"], "--interval does not go with --corrected"),
        (["report-builder", "--metric", "correction_rate", "--by", "week"], "--by skill_id,week"),
    ],
)
def test_metric_says_what_is_wrong(sample, arguments, complaint):
    """Exit code 2 and one line."""
    assert complaint in sample.run("metrics", *arguments, *AS_OF, code=2).stderr


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"metric": "change_points", "days": 7}, "--days does nothing for change_points"),
        ({"metric": "hotspot_dimensions", "min_invocations": 7}, "--min-invocations does nothing for hotspot"),
        ({"metric": "skill_cost", "implicit": False}, "--no-implicit does nothing for skill_cost"),
        ({"plain": True, "days": 7}, "--days does not go with --plain"),
        ({"corrected": True, "min_invocations": 7}, "--min-invocations does not go with --corrected"),
        ({"corrected": True, "labels": False}, "--no-labels does not go with --corrected"),
        ({"metric": "skill_cost", "plain": True}, "--plain and --metric print different tables"),
    ],
)
def test_metrics_refuse_options_that_do_nothing(mined, options, complaint):
    """None is passed over in silence."""
    with pytest.raises(InputError, match=complaint):
        metrics(workspace=mined, **options)


def test_days_are_a_window_of_any_metric_that_counts(mined, capsys, monkeypatch):
    """Metrics over all time look at the last days where days are asked for, and say so."""
    monkeypatch.setenv("COLUMNS", "80")
    tables = read_tables(FeedbackLog(mined / "feedback.jsonl"))
    asked = {"by": None, "as_of": sample_end(), "needed": 5, "implicit": True, "interval": None}

    def told(name: str, days: int | None, *, as_json: bool) -> str:
        print_metric(tables, name=name, days=days, skill=None, workspace=mined, as_json=as_json, **asked)
        return capsys.readouterr().out

    for name, count in {
        "correction_rate": "sample_size",
        "hotspot_dimensions": "complaints",
        "outcome_mix": "n",
        "turns_to_feedback": "n",
        "skill_cost": "uses",
    }.items():
        week, ever = (sum(row[count] for row in json.loads(told(name, days, as_json=True))) for days in (7, None))
        assert 0 < week < ever, name
    assert "over 7 days, before" in " ".join(told("outcome_mix", 7, as_json=False).split())
    assert "over all time, before" in " ".join(told("outcome_mix", None, as_json=False).split())


def test_few_sessions_are_named_by_their_group_and_shortly():
    """A long name takes half a line at most; what nobody told is said to be so, of whatever the rows are grouped by."""
    rows = [
        {"agent": "", "model": "m" * 120, "few_sessions": True, "sample_size": 9, "sessions": 4},
        {"agent": "codex", "model": "", "few_sessions": True, "sample_size": 9, "sessions": 1200},
    ]
    [told] = few_sessions_words(rows, keys=["agent", "model"])
    assert told.endswith(f"unsure: not told {'m' * 43}… 4, codex not told 1,200.")
    assert few_sessions_words(rows, keys=[])[0].endswith("unsure: all 4, all 1,200.")


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


def test_cost_of_a_log_knows_its_sessions(sample):
    """What no use is charged with is a row, and shares are known; an older log says that it did not keep that."""
    asked = ("metrics", "--metric", "skill_cost", *AS_OF)
    rows = json.loads(sample.run(*asked, "--json").stdout)
    assert [row["skill_id"] for row in rows if not row["attributed"]] == ["(unattributed)"]
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    (sample.cwd / ".skilltune" / "sessions.jsonl").unlink()
    printed = " ".join(sample.run(*asked).stdout.split())
    assert "What sessions cost was not kept yet, so no share is known; run skilltune mine." in printed
