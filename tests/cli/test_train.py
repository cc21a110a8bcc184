"""``skilltune train`` as a person runs it: from files of labelled turns, and from their own labels."""

import json

import pytest

from skilltune.mining.model import decode_model, read_model
from skilltune.workflow import read_events
from tests.training.persons import ODD, PLAIN, label, labelled_lines, outcome_by, tell


@pytest.fixture
def labelled(machine):
    """A file of labelled turns of three projects."""
    path = machine.cwd / "turns.jsonl"
    path.write_text(labelled_lines(sessions=12, sources=3), encoding="utf-8")
    return path


@pytest.fixture
def person(machine, monkeypatch):
    """A machine whose person says what nobody else could read, and has labelled it all."""
    monkeypatch.setenv("HOME", str(machine.home))
    tell(machine.projects, sessions=40, words=ODD)
    label(machine.projects, machine.cwd / ".skilltune", outcome_of=outcome_by(ODD))
    return machine


def test_train_writes_model_and_card(machine, labelled):
    """The figures are shown, and with --output model and card are written, and nothing else anywhere."""
    out = machine.run("train", labelled, "--no-invented", "--output", "made").stdout
    assert "Trained on 36 labelled turns of 3 projects (12 sessions) and 0 invented ones." in out
    assert "On 24 turns of smaller projects that it had not seen at all:" in out
    assert "written: made/model.json" in out
    made = machine.cwd / "made"
    model = decode_model((made / "model.json").read_bytes(), source="x")
    card = json.loads((made / "model_card.json").read_text(encoding="utf-8"))
    assert card["model"] == model.version != read_model().version
    assert f"complaints, share of all turns: said {card['rate']['said']:.0%}" in out
    assert sorted(entry.name for entry in machine.cwd.iterdir()) == ["made", "turns.jsonl"]
    assert not any(machine.home.rglob("*.json"))


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        ([], 2, "name files of labelled turns, or --own for your own labels: skilltune train --own"),
        (["nowhere.jsonl"], 4, "nowhere.jsonl cannot be read"),
        (["\u001b[2J.jsonl"], 2, ", line 1: label "),
    ],
)
def test_train_says_what_is_wrong(machine, labelled, arguments, code, complaint):
    """Each mistake ends with its exit code and one line that says what to do; nothing is written."""
    (machine.cwd / "\u001b[2J.jsonl").write_text('{"text": "x", "label": "\\u001b[31m"}\n', encoding="utf-8")
    before = sorted(machine.cwd.iterdir())
    done = machine.run("train", *arguments, code=code)
    assert complaint in done.stderr
    assert done.stderr.startswith("skilltune: ")
    assert done.stdout == ""
    assert "\u001b" not in done.stderr
    assert sorted(machine.cwd.iterdir()) == before


def test_train_own_is_used_by_mine(person):
    """The person's model is better: both figures are shown, and mine uses it from then on."""
    person.run("mine")
    out = person.run("train", "--own").stdout
    assert "120 turns labelled by you, in 40 sessions" in out
    assert "the model that ships" in out
    assert "Yours is better and is used from now on" in out
    own = person.cwd / ".skilltune" / "model.json"
    version = decode_model(own.read_bytes(), source="x").version
    assert "of 1,000 draws of your sessions" in out
    assert "--overwrite" not in out
    person.run("mine")
    events = read_events(workspace=person.cwd / ".skilltune", use_labels=False)
    assert events["rule"].str.startswith("model.").any()
    assert set(events["ruleset"].str.partition("+")[2]) == {version}


def test_train_own_that_is_no_better_changes_nothing(machine, monkeypatch):
    """Where the model that ships reads the person right, it stays, and the exit code is 0."""
    monkeypatch.setenv("HOME", str(machine.home))
    tell(machine.projects, sessions=40, words=PLAIN)
    label(machine.projects, machine.cwd / ".skilltune", outcome_of=outcome_by(PLAIN))
    found = json.loads(machine.run("train", "--own", "--json").stdout)
    assert (found["turns"], found["sessions"], found["unread"]) == (120, 40, 0)
    assert (found["better"], found["path"], found["other_language"]) == (False, None, 0)
    assert found["gains"] < 0.95
    assert found["shipped"]["negative"]["f1"]["rate"] >= found["own"]["negative"]["f1"]["rate"]
    assert not (machine.cwd / ".skilltune" / "model.json").exists()


def test_train_own_names_a_damaged_model_when_mining(person):
    """A damaged own model ends mining with exit code 2, its path, and what to do; nothing is mined with another."""
    own = person.cwd / ".skilltune" / "model.json"
    own.write_text('{"version": "model-0"', encoding="utf-8")
    done = person.run("mine", code=2)
    assert "model.json is no model" in done.stderr
    assert "skilltune train" in done.stderr
    assert not (person.cwd / ".skilltune" / "feedback.jsonl").exists()


def test_train_help_has_an_example(machine):
    """The help shows how it is called and what has to be installed."""
    out = " ".join(machine.run("train", "--help").stdout.split())
    assert "Example: skilltune train --own" in out
    assert "skilltune[train]" in out
