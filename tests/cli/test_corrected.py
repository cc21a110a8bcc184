"""``skilltune metrics --corrected`` as a process."""

import json

from skilltune.sample import sample_root


def labelled(machine, monkeypatch, *, size: int) -> None:
    """Mine the sample on this machine and label some uses of it as the rules have them."""
    from skilltune.labelling import open_labelling

    machine.run("mine", "--session-dir", sample_root() / "projects")
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.chdir(machine.cwd)
    labelling = open_labelling(sessions=sample_root() / "projects", sample_size=size)
    for question in labelling.questions:
        labelling.answer(question, outcome=question.rule_outcome or "none")


def test_corrected_rates_in_words_and_json(machine, monkeypatch):
    """A sentence, what it rests on, a row for all skills and each; the same as JSON; one skill alone."""
    labelled(machine, monkeypatch, size=40)
    lines = machine.run("metrics", "--corrected").stdout.splitlines()
    assert lines[0].startswith("By your labels, ")
    assert lines[-1] == f"Read from {machine.home / '.skilltune' / 'feedback.jsonl'}"
    assert max(map(len, lines[:-1])) <= 80
    assert any(line.startswith("all skills") and "40 of 3" in line for line in lines)
    told = json.loads(machine.run("metrics", "--corrected", "--json").stdout)
    assert told["overall"]["method"] == "sample"
    assert told["overall"]["n_labels"] == told["labels"] == 40
    one = json.loads(machine.run("metrics", "schema-migrator", "--corrected", "--json").stdout)
    assert [row["skill_id"] for row in one["skills"]] == ["schema-migrator"]


def test_without_labels_the_next_step_is_named(machine):
    """No labels: a rate only if other projects' labels give one, and in any case what to do."""
    machine.run("mine", "--session-dir", sample_root() / "projects")
    text = " ".join(machine.run("metrics", "--corrected").stdout.split())
    assert text.startswith(("The rates are not corrected", "If the rules err on your sessions as they did elsewhere"))
    assert "skilltune label sample puts 50 uses drawn at random" in text


def test_judge_and_implicit_are_told(machine, monkeypatch):
    """``--judge`` asks for its answers and says what became of them, ``--no-implicit`` what is left out."""
    labelled(machine, monkeypatch, size=40)
    text = " ".join(machine.run("metrics", "--corrected", "--judge", "claude", "--no-implicit").stdout.split())
    assert "The answers of the judge claude are not used: not scored: 0 of the turns" in text
    assert "Acceptances by going on to other work are left out." in text
    told = json.loads(machine.run("metrics", "--corrected", "--judge", "claude", "--no-implicit", "--json").stdout)
    assert (told["judge"]["judge"], told["judge"]["agreement"], told["implicit"]) == ("claude", None, False)
    assert "--judge goes with --corrected" in machine.run("metrics", "--judge", "claude", code=2).stderr
