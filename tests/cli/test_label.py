"""``skilltune label`` as a person runs it, and what the figures make of labels."""

import csv
import json
from pathlib import Path

import pytest

from skilltune.labelling.population import label_log
from skilltune.sample import sample_root
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.tables import read_tables
from skilltune.workflow import collect, read_events, read_invocations

PROJECTS = ("--session-dir", sample_root() / "projects")


@pytest.fixture
def sample(machine, monkeypatch):
    """A machine whose log holds the bundled sample."""
    monkeypatch.setenv("HOME", str(machine.home))
    collect(sample_root() / "projects", workspace=machine.cwd / ".skilltune")
    return machine


def fill(path: Path, **answers: str) -> int:
    """Fill in the same in every row; the number of rows."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(row | answers for row in rows)
    return len(rows)


def test_label_alone_says_how_to_begin(machine):
    """Without a label: that there is none, and both ways to go on."""
    out = machine.run("label").stdout
    assert out.startswith("Nothing is labelled yet.")
    assert "skilltune notebook 04_label" in out
    assert "jupyter lab 04_label.ipynb" in out
    assert "Acceptance is also: going on to other work with no complaint." in out
    assert "skilltune label sample" in out
    assert json.loads(machine.run("label", "--json").stdout)["uses"] == 0


@pytest.mark.parametrize("name", ["to-label.txt", "to-label", "a.csv.bak"])
def test_label_sample_is_a_csv_file(machine, name):
    """Another ending is refused before anything is drawn."""
    assert "ends in .csv" in machine.run("label", "sample", "--output", name, code=2).stderr
    assert list(machine.cwd.iterdir()) == []


def test_label_sample_import_status(sample):
    """A sheet is drawn, filled in, imported; status, a second import and the next sheet know of it."""
    drawn = json.loads(sample.run("label", "sample", *PROJECTS, "--size", "12", "--output", "a.csv", "--json").stdout)
    assert drawn["uses"] == 12
    sheet = sample.cwd / "a.csv"
    assert sheet.stat().st_mode & 0o777 == 0o600
    rows = fill(sheet, outcome="acceptance")
    assert rows == drawn["turns"]
    done = json.loads(sample.run("label", "import", "a.csv", "--json").stdout)
    assert (done["new"], done["blank"]) == (rows, 0)
    assert "0 new labels, 0 changed" in sample.run("label", "import", "a.csv").stdout
    status = json.loads(sample.run("label", "status", "--json").stdout)
    assert (status["uses"], status["turns"], status["drawn"], status["open"]) == (12, rows, 12, 0)
    told = sample.run("label", "status").stdout
    assert "12 uses and" in told
    assert "0 of 12 uses drawn at random are still open, those whose transcript is gone among them." in told
    again = json.loads(sample.run("label", "sample", *PROJECTS, "--size", "5", "--output", "b.csv", "--json").stdout)
    assert again["uses"] == 5
    assert json.loads(sample.run("label", "status", "--json").stdout)["drawn"] == 17


def test_label_sample_again_is_the_same_sheet(sample):
    """Drawn and not labelled yet: the same uses come again, nothing more is drawn, and a file is not overwritten."""
    sample.run("label", "sample", *PROJECTS, "--size", "6", "--output", "a.csv")
    sample.run("label", "sample", *PROJECTS, "--size", "6", "--output", "b.csv", "--seed", "9")
    assert (sample.cwd / "a.csv").read_bytes() == (sample.cwd / "b.csv").read_bytes()
    assert "--overwrite" in sample.run("label", "sample", *PROJECTS, "--output", "a.csv", code=2).stderr
    sample.run("label", "sample", *PROJECTS, "--size", "6", "--output", "a.csv", "--overwrite", "--with-rules")
    assert "rule_outcome" in (sample.cwd / "a.csv").read_text(encoding="utf-8-sig")


def test_label_sample_of_one_skill(sample):
    """Only that skill's uses; a misspelt one is an error that names the known; nothing is written then."""
    sample.run("label", "sample", *PROJECTS, "--skill", "report-builder", "--size", "4")
    with (sample.cwd / "to-label.csv").open(encoding="utf-8-sig", newline="") as file:
        assert {row["skill"] for row in csv.DictReader(file)} == {"report-builder"}
    missing = sample.run("label", "sample", *PROJECTS, "--skill", "report-bilder", "--output", "x.csv", code=2)
    assert "report-builder" in missing.stderr
    assert not (sample.cwd / "x.csv").exists()


def test_label_import_names_wrong_lines(sample):
    """A wrong sheet ends with exit code 2 and the line; nothing was taken."""
    sample.run("label", "sample", *PROJECTS, "--size", "3", "--output", "a.csv")
    fill(sample.cwd / "a.csv", outcome="wrong")
    assert "line 2: outcome is a word that is not known" in sample.run("label", "import", "a.csv", code=2).stderr
    assert json.loads(sample.run("label", "--json").stdout)["turns"] == 0
    sample.run("label", "import", "nowhere.csv", code=4)


def test_label_export_and_retract(sample):
    """Labels go out as pointers, and can be taken back by id or from the last."""
    sample.run("label", "sample", *PROJECTS, "--size", "3", "--output", "a.csv")
    rows = fill(sample.cwd / "a.csv", outcome="none")
    sample.run("label", "import", "a.csv")
    assert f"{rows} labels" in sample.run("label", "export", "out.jsonl").stdout
    labels = [json.loads(line) for line in (sample.cwd / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {"session_id", "uuid", "turn_id", "outcome"} <= labels[0].keys()
    assert json.loads(sample.run("label", "retract", labels[0]["label_id"], "--json").stdout) == {"retracted": 1}
    assert "1 label taken back" in sample.run("label", "retract", "--last", "1").stdout
    assert json.loads(sample.run("label", "--json").stdout)["turns"] == rows - 2
    assert "no label" in sample.run("label", "retract", "x", code=2).stderr
    assert "no label is named" in sample.run("label", "retract", code=2).stderr


def test_label_is_stopped_by_the_switch(sample):
    """Where collection is switched off nothing is drawn and nothing imported."""
    switch = sample.home / ".claude" / "feedback-config.json"
    switch.parent.mkdir(exist_ok=True)
    switch.write_text('{"enabled": false}', encoding="utf-8")
    sample.run("label", "sample", *PROJECTS, code=3)
    sample.run("label", "import", "a.csv", code=3)


def test_label_options_before_the_command_are_refused(machine):
    """A workspace named before the command would be overlooked: it is an error that says where it belongs."""
    assert "behind the command" in machine.run("label", "--workspace", "w", "status", code=2).stderr


def test_label_sample_without_a_session(machine):
    """Nothing to label is said, and no file is written."""
    assert "nothing left to label" in machine.run("label", "sample").stdout
    assert not (machine.cwd / "to-label.csv").exists()


@pytest.mark.parametrize("command", ["sample", "import", "status", "export", "retract"])
def test_label_help_has_an_example(machine, command):
    """Every command's help shows how it is called."""
    assert f"Example: skilltune label {command}" in machine.run("label", command, "--help").stdout


def test_label_beats_the_rules_in_every_figure(machine, talk):
    """What the person labels counts in events, metrics and trend; without labels the rules stand; one line says so."""
    machine.session("one", talk("one", "Perfect, thanks."))
    machine.session("two", talk("two", "Perfect, thanks."))
    machine.run("mine")
    machine.run("label", "sample", "--output", "a.csv")
    fill(machine.cwd / "a.csv", outcome="correction", correction_type="redo", about="skill")
    machine.run("label", "import", "a.csv")
    rows = json.loads(machine.run("events", "--json").stdout)
    assert [(row["outcome"], row["correction_type"], row["rule"]) for row in rows] == [
        ("correction", "redo", "label")
    ] * 2
    assert {row["outcome"] for row in json.loads(machine.run("events", "--json", "--no-labels").stdout)} == {
        "acceptance"
    }
    (row,) = json.loads(machine.run("metrics", "--as-of", "2026-11-30", "--json").stdout)
    assert row["corrections"] == 2
    (row,) = json.loads(machine.run("metrics", "--as-of", "2026-11-30", "--json", "--no-labels").stdout)
    assert row["acceptances"] == 2
    for command in ("events", "metrics", "trend"):
        assert "2 uses labelled by you" in machine.run(command).stdout
        assert "labelled by you" not in machine.run(command, "--no-labels").stdout
    assert "labelled by you" not in machine.run("metrics", "--plain").stdout


def test_label_none_leaves_the_use_for_coverage(machine, talk, monkeypatch):
    """A use labelled none is no event, and still a use; the tables agree however they are read."""
    machine.session("one", talk("one", "No, sort them by length."))
    machine.run("mine")
    machine.run("label", "sample", "--output", "a.csv")
    fill(machine.cwd / "a.csv", outcome="none")
    machine.run("label", "import", "a.csv")
    monkeypatch.setenv("HOME", str(machine.home))
    log = next(machine.home.rglob("feedback.jsonl"))
    assert read_events(log).empty
    assert len(read_events(log, use_labels=False)) == 1
    assert read_invocations(log)["reason"].tolist() == ["label"]
    assert read_invocations(log, use_labels=False)["reason"].tolist() == [""]
    assert read_tables(FeedbackLog(log)).labelled == {"tidy-imports": 1}
    assert label_log(log.parent).path == log.parent / "labels.jsonl"


def test_label_counts_in_the_weekly_page(machine, talk, monkeypatch):
    """The weekly page rests on labels, too, and says how many there are."""
    from skilltune.reports.weekly import read_weekly

    machine.session("one", talk("one", "Perfect, thanks."))
    machine.run("mine")
    machine.run("label", "sample", "--output", "a.csv")
    fill(machine.cwd / "a.csv", outcome="partial", about="skill")
    machine.run("label", "import", "a.csv")
    monkeypatch.setenv("HOME", str(machine.home))
    log = str(next(machine.home.rglob("feedback.jsonl")))
    page = read_weekly(workspace=log, week="2026-W47")
    assert page.health["labelled"] == 1
    assert "Labelled by you" in page.data_health().html
    assert "labelled" not in read_weekly(workspace=log, week="2026-W47", use_labels=False).health


def test_label_hostile_names_do_not_reach_the_terminal(machine, talk):
    """A skill named in escape sequences is shown as text in the status, and on the sheet; a formula is no formula."""
    name = "\u001b]0;owned\u0007\u202eevil"
    machine.session("s1", talk("s1", "=HYPERLINK(1) is \u202e wrong, my password: hunter2!", skill=name))
    machine.run("mine")
    done = machine.run("label", "sample", "--output", "a.csv")
    content = (machine.cwd / "a.csv").read_text(encoding="utf-8-sig")
    assert not set(content) & {"\u001b", "\u0007", "\u202e"}
    assert "'=HYPERLINK(1)" in content
    assert "hunter2" not in content
    fill(machine.cwd / "a.csv", outcome="none")
    done = [done, machine.run("label", "import", "a.csv"), machine.run("label", "status")]
    assert not [one for one in done if "\u001b" in one.stdout + one.stderr]
    assert "1 use and 1 turn labelled" in done[-1].stdout
    fill(machine.cwd / "a.csv", outcome="\u001b[31m", turn_id="\u001b[2J")
    assert "\u001b" not in machine.run("label", "import", "a.csv", code=2).stderr


def test_no_log_and_no_export_holds_a_key_that_stood_in_a_name(machine, talk):
    """A skill, a session, a record or a tool named like a key is kept without it, by each command the same."""
    key = "ghp_" + "a1B2c3D4e5" * 4
    records = json.loads(json.dumps(talk(f"s-{key}", "No, that is wrong.", "Thanks!", skill=f"de {key} ploy")))
    records[3]["message"]["content"].append({"type": "tool_use", "id": "t2", "name": f"mcp__{key}", "input": {}})
    machine.session("s1", records)
    machine.run("mine")
    machine.run("label", "sample", "--output", "a.csv")
    fill(machine.cwd / "a.csv", outcome="acceptance")
    machine.run("label", "import", "a.csv")
    machine.run("label", "export", "out.jsonl")
    machine.run("label", "export", "out.csv")
    told = "".join(
        machine.run(*arguments).stdout
        for arguments in (["metrics", "--json"], ["events", "--json"], ["mine", "--explain"], ["label", "status"])
    )
    workspace = (
        next(folder for folder in (machine.cwd, machine.home) if (folder / ".skilltune").exists()) / ".skilltune"
    )
    logs = [workspace / name for name in ("feedback.jsonl", "labels.jsonl")]
    for path in (*logs, *machine.cwd.glob("*.*sv"), machine.cwd / "out.jsonl"):
        text = path.read_text(encoding="utf-8-sig")
        assert key not in text, path
        assert "de [secret] ploy" in text, path
    assert key not in told
    machine.run("mine", "--overwrite")
    assert len((workspace / "feedback.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_a_sheet_without_answers_is_not_called_written(sample):
    """Nothing is written, and the way on is named; a second import of the same says so, too."""
    sample.run("label", "sample", *PROJECTS, "--size", "2", "--output", "a.csv")
    said = sample.run("label", "import", "a.csv").stdout
    assert "Nothing written: fill in the column outcome of a.csv" in said
    assert "Written to" not in said
    fill(sample.cwd / "a.csv", outcome="acceptance")
    assert "Written to" in sample.run("label", "import", "a.csv").stdout
    assert "Nothing new to write" in sample.run("label", "import", "a.csv").stdout
