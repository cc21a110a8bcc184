"""The labelling panel without a kernel: presses as the browser sends them, and the log they write."""

import json
import re
from pathlib import Path

import pytest

from skilltune.errors import InputError, LogError
from skilltune.labelling import Labelling, open_labelling, read_labels
from skilltune.page.html import plain_text
from skilltune.widgets.frontend import CLICK
from skilltune.widgets.labelling import KEYS, LabelPanel
from tests.widgets.conftest import Clock
from tests.widgets.labelled_home import KEY, THEN, write_secrets

OURS = re.compile(r"</?(?:div|h2|p|span|pre|details|summary|b|code)\b[^<>]*>")
"""The tags that a panel puts around texts."""


def panel_of(labelling: Labelling, clock: Clock, origin: str = CLICK) -> LabelPanel:
    """A panel whose first turn has been on the screen for a second."""
    panel = LabelPanel(labelling, origin=lambda: origin, clock=clock)
    clock.now += 1
    return panel


def press(button, clock: Clock | None = None) -> None:
    """What the browser sends when a person clicks; then a second passes."""
    button._handle_custom_msg({"event": "click"}, [])
    if clock:
        clock.now += 1


def key(panel: LabelPanel, name: str):
    """The button of an outcome."""
    return next(button for button in panel.keys if button.description == name)


def said(panel: LabelPanel) -> str:
    """The status line as a person reads it."""
    return plain_text(panel.status.value)


def log(home: Path) -> list[dict]:
    """The rows of the label log."""
    path = home / ".skilltune" / "labels.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def test_panel_has_six_equal_keys_in_order_and_none_chosen(labelling: Labelling, clock: Clock, home: Path):
    """Always the same order; nothing is written by opening it."""
    panel = panel_of(labelling, clock)
    assert [button.description for button in panel.keys] == [
        "revert", "redo", "rejection", "partial", "acceptance", "none",
    ]  # fmt: skip
    assert {button.button_style for button in panel.keys} == {""}
    assert panel.other.value is False
    assert log(home) == []


@pytest.mark.parametrize("answer", KEYS, ids=lambda answer: answer.name)
def test_key_labels_the_turn_and_goes_on(labelling: Labelling, clock: Clock, home: Path, answer):
    """The label is in the log, the status line says so, the next turn is asked about."""
    panel = panel_of(labelling, clock)
    first, second = labelling.questions[:2]
    press(key(panel, answer.name))
    labels = [row for row in log(home) if row["type"] == "label"]
    assert [(row["turn_id"], row["outcome"], row["correction_type"], row["about"]) for row in labels] == [
        (first.turn_id, answer.outcome, answer.correction_type, "skill")
    ]
    assert said(panel) == f"Saved: turn 1 is {answer.name}."
    assert "turn 2 of 8" in panel.head.value
    assert plain_text(second.text) in plain_text(panel.turn.value)


def test_other_goes_with_any_key_and_is_off_again(labelling: Labelling, clock: Clock, home: Path):
    """The seventh key only says what the outcome is about."""
    panel = panel_of(labelling, clock)
    panel.other.set_state({"value": True})  # as the browser sends it
    press(key(panel, "rejection"))
    (label,) = [row for row in log(home) if row["type"] == "label"]
    assert (label["outcome"], label["about"]) == ("correction", "other")
    assert said(panel) == "Saved: turn 1 is rejection, about something else."
    assert panel.other.value is False


def test_press_before_the_text_could_be_read_is_refused(labelling: Labelling, clock: Clock, home: Path):
    """A second press within 0.3 seconds is for a turn that nobody has read."""
    panel = panel_of(labelling, clock)
    press(key(panel, "none"))
    clock.now += 0.29
    press(key(panel, "none"))
    assert labelling.done == 1
    assert "before this text could be read" in said(panel)
    clock.now += 0.02
    press(key(panel, "none"))
    assert labelling.done == 2


@pytest.mark.parametrize("origin", ["execute_request", "", "comm_open"])
def test_code_cannot_answer(labelling: Labelling, clock: Clock, home: Path, origin: str):
    """What a cell clicks decides nothing: neither an answer nor a skip nor an undo."""
    panel = panel_of(labelling, clock, origin)
    for button in (*panel.keys, panel.skip, panel.undo):
        button.click()
        assert said(panel) == "Nothing was saved: only a person’s press in the browser decides, no code"
    assert log(home) == []
    assert panel.labelling.current == labelling.questions[0]


def test_verdict_is_hidden_until_asked_for_and_after(labelling: Labelling, clock: Clock):
    """Shown by R, hidden by R, hidden again for the next turn."""
    panel = panel_of(labelling, clock)
    first = labelling.questions[0]
    assert panel.verdict.value == ""
    assert first.rule not in panel.turn.value + panel.head.value + panel.estimate.value
    press(panel.reveal, clock)
    assert plain_text(panel.verdict.value).startswith(f"The rules say {first.rule_outcome}")
    assert first.rule in plain_text(panel.verdict.value)
    press(panel.reveal, clock)
    assert panel.verdict.value == ""
    press(panel.reveal, clock)
    press(key(panel, "none"), clock)
    assert panel.verdict.value == ""
    assert panel.reveal.description == "show the rule’s verdict"


def test_undo_takes_back_and_asks_again(labelling: Labelling, clock: Clock, home: Path):
    """The last answer is retracted in the log; its turn is on the screen again."""
    panel = panel_of(labelling, clock)
    press(key(panel, "none"), clock)
    press(key(panel, "revert"), clock)
    press(panel.undo, clock)
    assert said(panel) == "Taken back: turn 2 has no label again."
    assert "turn 2 of 8" in panel.head.value
    assert [row["type"] for row in log(home)] == ["draw", "label", "label", "retract"]
    assert len(read_labels(home / ".skilltune")) == 1
    press(panel.undo, clock)
    press(panel.undo, clock)
    assert said(panel) == "There is no answer of this panel to take back."


def test_skip_leaves_the_turn_without_a_label(labelling: Labelling, clock: Clock, home: Path):
    """The next turn is asked about, nothing is written."""
    panel = panel_of(labelling, clock)
    press(panel.skip, clock)
    assert said(panel) == "Skipped: turn 1 has no label."
    assert panel.labelling.current == labelling.questions[1]
    assert log(home) == []


def test_end_says_so_and_takes_no_more_answers(labelling: Labelling, clock: Clock):
    """All keys rest, undo works, what was skipped is told."""
    panel = panel_of(labelling, clock)
    press(panel.skip, clock)
    for _ in labelling.questions[1:]:
        press(key(panel, "acceptance"), clock)
    assert "7 of 8 turns labelled, 3 of 4 uses whole. 1 turn skipped" in plain_text(panel.turn.value)
    assert all(button.disabled for button in (*panel.keys, panel.reveal, panel.skip))
    press(key(panel, "none"), clock)
    assert "no turn to answer any more" in said(panel)
    press(panel.undo, clock)
    assert not any(button.disabled for button in panel.keys)


def test_failed_write_is_said_and_the_turn_stays(labelling: Labelling, clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """A full disk is no reason to lose an answer silently: the screen changes after the write only."""
    panel = panel_of(labelling, clock)
    before = panel.turn.value

    def full(*_, **__):
        raise LogError("labels.jsonl cannot be written: no space left on device")

    monkeypatch.setattr(labelling._population.log, "append", full)
    beat = panel.guard.beat
    press(key(panel, "none"))
    assert said(panel) == "Nothing was saved: labels.jsonl cannot be written: no space left on device"
    assert "stw-failed" in panel.status.value
    assert panel.turn.value == before
    assert labelling.done == 0
    assert panel.guard.beat == beat + 1


def test_answer_is_on_disk_before_the_screen_changes(labelling: Labelling, clock: Clock, home: Path):
    """At the moment the next turn is drawn, the log has the label."""
    panel = panel_of(labelling, clock)
    seen = []
    panel.turn.observe(lambda _: seen.append(len(log(home))), "value")
    press(key(panel, "none"))
    assert seen == [2]


def test_earlier_labels_are_kept(labelling: Labelling, clock: Clock, home: Path):
    """Opened again, it goes on where it was left."""
    panel = panel_of(labelling, clock)
    press(key(panel, "none"), clock)
    again = open_labelling(home / ".skilltune", sessions=home / ".claude" / "projects", as_of="2026-02-01")
    assert "turn 2 of 8" in panel_of(again, clock).head.value


def test_progress_and_place_are_told(labelling: Labelling, clock: Clock):
    """Turn, skill, date and agent; how far the bar is, for a screen reader too."""
    panel = panel_of(labelling, clock)
    question = labelling.questions[0]
    press(key(panel, "none"), clock)
    press(key(panel, "none"), clock)
    assert f"turn 3 of 8 · {labelling.questions[2].skill_id} · 5 Jan · Claude Code" in plain_text(panel.head.value)
    assert 'role="progressbar"' in panel.head.value
    assert 'aria-valuenow="2"' in panel.head.value
    assert 'style="width:25%"' in panel.head.value
    assert question.skill_id in ("sql-migrations", "api-docs")


def test_turn_stands_in_its_context(labelling: Labelling, clock: Clock):
    """What was asked, what the agent did and said, the turn, what the agent said then."""
    panel = panel_of(labelling, clock)
    seen = plain_text(panel.turn.value)
    question = labelling.questions[0]
    parts = [
        "Add a unique index",
        f"Used {question.skill_id}",
        "1 file edited",
        "I wrote 0042",
        plain_text(question.text),
        "You are right",
    ]
    places = [seen.replace("`", "").find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)
    press(key(panel, "none"), clock)
    assert THEN in plain_text(panel.turn.value)


def test_hostile_texts_stay_text(hostile: Labelling, clock: Clock):
    """Whatever a session says, no tag of it is in the markup, and nothing is left out."""
    panel = panel_of(hostile, clock)
    for _ in hostile.questions:
        for part in (panel.turn, panel.head, panel.verdict):
            assert "<" not in OURS.sub("", part.value)
            assert "\u202e" not in part.value
        press(key(panel, "none"), clock)
    assert hostile.current is None


def test_still_table_where_there_is_no_front_end(labelling: Labelling, clock: Clock):
    """Papermill gets a table and a sentence; no widget, nothing to press."""
    panel = panel_of(labelling, clock)
    for name in ("rejection", "acceptance"):
        press(key(panel, name), clock)
    bundle = panel._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == "2 of 8 turns labelled, 1 of 4 uses whole."
    assert "Open this notebook in JupyterLab to label" in bundle["text/html"]
    assert "<button" not in bundle["text/html"]


def test_estimate_follows_the_labels(labelling: Labelling, clock: Clock):
    """Not known at first; then what the rules' word was worth so far."""
    panel = panel_of(labelling, clock)
    assert "is not known yet" in plain_text(panel.estimate.value)
    for question in labelling.questions:
        press(key(panel, question.rule_type or question.rule_outcome), clock)
    seen = plain_text(panel.estimate.value)
    said_of = sum(question.rule_outcome == "correction" for question in labelling.questions)
    assert f"it was right {said_of} times of {said_of}, so far" in seen
    assert "corrected rate" in seen.lower()
    assert 'role="img"' in panel.estimate.value


def test_broken_estimate_does_not_hide_that_it_was_saved(
    labelling: Labelling, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    """The label stands, the status line says so; the figures' place says what is wrong."""
    panel = panel_of(labelling, clock)

    def broken(_):
        raise InputError("no <b>figures</b> today")

    monkeypatch.setattr("skilltune.widgets.labelling.estimate_view", broken)
    press(key(panel, "none"))
    assert said(panel) == "Saved: turn 1 is none."
    assert "There is no estimate: no &lt;b&gt;figures" in panel.estimate.value


def test_panel_without_anything_to_label(home: Path, clock: Clock):
    """No turns: it says so, nothing can be pressed."""
    (home / "empty").mkdir()
    panel = LabelPanel(workspace=home / ".skilltune", origin=lambda: CLICK, clock=clock)
    assert "nothing to label" in plain_text(panel.turn.value)
    assert all(button.disabled for button in panel.keys)


def test_panel_and_log_hold_no_secret(clock: Clock, home: Path):
    """Keys in what is said, and in names, are masked in every part of the panel, open or folded, and in the log."""
    projects = write_secrets(home)
    labelling = open_labelling(home / ".skilltune", sessions=projects, as_of="2026-02-01")
    assert KEY in labelling.questions[0].text
    panel = panel_of(labelling, clock)
    seen = []
    while labelling.current is not None:
        press(panel.reveal, clock)
        seen += [panel.head.value, panel.turn.value, panel.verdict.value, panel.estimate.value, panel.status.value]
        press(key(panel, "rejection"), clock)
    shown = "".join(map(str, [*seen, panel.still(), panel.still_text(), panel.estimate.value]))
    assert KEY not in shown
    assert shown.count("[secret]") > 5
    assert KEY not in json.dumps(log(home))
