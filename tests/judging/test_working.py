"""A workspace's judge: which turns it is asked about, its labels, its score, and when its answers are used."""

import json
from dataclasses import replace

import pytest

from skilltune.analysis.corrected import corrected_rate
from skilltune.errors import CollectionDisabled, InputError
from skilltune.judging.using import usable_answers
from skilltune.judging.working import open_judging
from skilltune.labelling import labelled_uses, open_labelling, predicted_uses, read_labels
from tests.judging.standin import stand_in

COUNT = 48
SAID = ["No, that is wrong.", "thanks!", "And what of the tests?", "Which of them is the wrong one?"]


def _records(name, text):
    def record(number, kind, content):
        return {
            "type": kind,
            "uuid": f"{name}-{number}",
            "sessionId": name,
            "timestamp": f"2026-11-20T10:{number:02}:00.000Z",
            "cwd": "/home/me/shop",
            "version": "2.1.200",
            "message": {"role": kind, "content": content},
        }

    call = {"type": "tool_use", "id": f"{name}-call", "name": "Skill", "input": {"skill": "tidy-imports"}}
    result = {"type": "tool_result", "tool_use_id": f"{name}-call", "content": "Launching skill: tidy-imports"}
    return [
        record(0, "user", f"Sort the imports of part {name}, please."),
        record(1, "assistant", [call]),
        record(2, "user", [result]),
        record(3, "assistant", [{"type": "text", "text": "The imports are sorted."}]),
        record(4, "user", text),
        record(5, "assistant", [{"type": "text", "text": "I looked at it."}]),
    ]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A workspace and sessions, with a stand-in for claude; keyword arguments for open_judging."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    for number in range(COUNT):
        records = _records(f"s{number:02}", SAID[number % 4])
        (sessions / f"s{number:02}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in records))
    program = stand_in(tmp_path)
    monkeypatch.setenv("PATH", str(program.path.parent), prepend=":")
    return {"workspace": tmp_path / ".skilltune", "sessions": sessions, "agent": "claude"}, program


def _label(place, *, size):
    """Let the person label a sample, with the labels the turns truly have."""
    kept = {name: value for name, value in place.items() if name != "agent"}
    labelling = open_labelling(**kept, sample_size=size)
    for question in labelling.questions:
        wrong = "wrong" in question.text or "错" in question.text
        outcome = "correction" if wrong else "acceptance" if "thanks" in question.text else "none"
        labelling.answer(question, outcome=outcome)


def test_working_asks_what_the_person_labelled_first(place):
    """The turns it can be scored on come before its own sample, each once."""
    where, program = place
    _label(where, size=5)
    opened = open_judging(**where, sample_size=10)
    person = set(read_labels(where["workspace"])["event_id"])
    assert {question.event_id for question in opened.questions[:5]} == person
    assert len(opened.questions) == len({question.event_id for question in opened.questions}) >= 10
    assert program.calls == []


def test_working_sample_is_drawn_apart_from_the_persons(place):
    """With the same seed the judge's random sample is another one than the person's: estimates rest on that."""
    where, _ = place
    kept = {name: value for name, value in where.items() if name != "agent"}
    person = {question.event_id for question in open_labelling(**kept, sample_size=16).questions}
    opened = open_judging(**where, sample_size=16)
    judge = {question.event_id for question in opened.labelling.questions}
    assert len(person) == len(judge) == 16
    assert 1 <= len(person & judge) <= 11
    again = open_judging(**where, sample_size=16)
    assert {question.event_id for question in again.labelling.questions} == judge


def test_working_sends_nothing_without_consent(place):
    """Neither consent nor config: refused, and no program is started."""
    where, program = place
    opened = open_judging(**where)
    with pytest.raises(InputError, match="nobody agreed"):
        opened.send()
    assert program.calls == []
    assert replace(opened, settings=replace(opened.settings, enabled=True, max_turns=2)).send().sent == 2


def test_working_sends_no_more_than_was_planned(place):
    """Answers that were known when the person agreed and are gone now are not asked for again."""
    where, program = place
    open_judging(**where, max_turns=2).send(consent=True)
    (where["workspace"] / "labels.jsonl").unlink()
    opened = open_judging(**where)
    planned = len(opened.plan.questions)
    assert opened.plan.cached == 2
    (where["workspace"] / "cache" / "judge.jsonl").unlink()
    calls = len(program.calls)
    done = opened.send(consent=True)
    assert done.sent == planned
    assert len(program.calls) > calls
    assert done.cached == 2


@pytest.mark.parametrize("what", ["snippets", "collection"])
def test_working_private_mode_between_plan_and_sending(place, what):
    """Privacy is looked at again right before anything is sent."""
    where, program = place
    opened = open_judging(**where)
    if what == "snippets":
        where["workspace"].mkdir(exist_ok=True)
        (where["workspace"] / "config.toml").write_text("[privacy]\nsnippets = false\n")
    else:
        switch = program.path.parents[1] / "home" / ".claude" / "feedback-config.json"
        switch.parent.mkdir()
        switch.write_text('{"enabled": false}')
    with pytest.raises(CollectionDisabled):
        opened.send(consent=True)
    assert program.calls == []


def test_working_answers_are_labels_that_override_nobodys(place):
    """The person's labels and the rules' predictions stay what they were."""
    where, _ = place
    _label(where, size=5)
    kept = {name: value for name, value in where.items() if name != "agent"}
    before = labelled_uses(where["workspace"]), predicted_uses(**kept)
    open_judging(**where, sample_size=None).send(consent=True)
    after = labelled_uses(where["workspace"]), predicted_uses(**kept)
    for old, new in zip(before, after, strict=True):
        assert old.equals(new)
    assert set(read_labels(where["workspace"])["reader"]) == {"person", "judge:claude"}
    assert (where["workspace"] / ".gitignore").read_text().splitlines()[1] == "*"


def test_working_unscored_answers_are_kept_but_not_used(place):
    """With too few labels of the person's the answers are there, and not to be had for a rate."""
    where, _ = place
    _label(where, size=10)
    open_judging(**where).send(consent=True)
    usable = usable_answers(where["workspace"], judge="claude", use=True)
    assert usable.uses is None
    assert "10 of the turns it answered are labelled by a person, 30 are needed" in usable.reason
    assert "kept but not used" in usable.reason
    assert len(read_labels(where["workspace"], reader="judge:claude")) == COUNT


@pytest.mark.parametrize("size", [40, None])
def test_working_scored_answers_are_used_when_the_person_says_so(place, size):
    """Scored, they are still unused until asked for; answers to everything narrow the corrected rate."""
    where, _ = place
    _label(where, size=32)
    open_judging(**where, sample_size=size).send(consent=True)
    assert usable_answers(where["workspace"], judge="claude").uses is None
    usable = usable_answers(where["workspace"], judge="claude", use=True)
    assert usable.uses["probability"].notna().sum() == (size or COUNT)
    assert set(labelled_uses(where["workspace"])["event_id"]) <= set(usable.uses["event_id"])
    kept = {name: value for name, value in where.items() if name != "agent"}
    predicted, labelled = predicted_uses(**kept), labelled_uses(where["workspace"])
    alone = corrected_rate(predicted, labelled).iloc[0]
    helped = corrected_rate(predicted, labelled, judged=usable.uses).iloc[0]
    assert helped["low"] <= 2 / 3 <= helped["high"]
    if size is None:
        assert helped["high"] - helped["low"] < alone["high"] - alone["low"]


def test_working_use_of_the_config(place):
    """``[judge] use`` says it for good; an unknown word is refused."""
    where, _ = place
    _label(where, size=32)
    open_judging(**where).send(consent=True)
    (where["workspace"] / "config.toml").write_text("[judge]\nuse = true\n")
    assert usable_answers(where["workspace"], judge="claude").uses is not None
    assert usable_answers(where["workspace"], judge="claude", use=False).uses is None


def test_working_interrupted_run_keeps_what_was_answered(place, monkeypatch):
    """Answers are labels as soon as their batch is in; the next run sends only the rest."""
    where, _ = place
    opened = open_judging(**where, batch_size=10)
    done = []

    def stop(self, questions):
        if done:
            raise KeyboardInterrupt
        done.append(questions)
        return ask(self, questions)

    ask = type(opened.judge).ask
    with monkeypatch.context() as patched:
        patched.setattr(type(opened.judge), "ask", stop)
        with pytest.raises(KeyboardInterrupt):
            opened.send(consent=True)
    assert len(read_labels(where["workspace"])) == 10
    again = open_judging(**where, batch_size=10)
    assert len(again.questions) == COUNT - 10


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"agent": "gpt"}, "agent is 'gpt'; it must be one of claude, codex, opencode"),
        ({"colour": "red"}, "there is no setting 'colour'"),
        ({"sample_size": 0}, "sample_size is 0"),
        ({"max_turns": 0}, "max_turns is 0"),
    ],
)
def test_working_refuses_odd_settings(place, settings, message):
    """What is out of range is named before anything is read or sent."""
    where, program = place
    with pytest.raises(InputError, match=message):
        open_judging(**where | settings)
    assert program.calls == []
