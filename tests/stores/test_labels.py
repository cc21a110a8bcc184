"""The label log: what counts, what is passed over, and what never gets into it."""

import json
import multiprocessing
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import InputError, LogError
from skilltune.records import Draw, Stratum, TurnLabel, TurnPointer
from skilltune.stores.labels import LabelLog
from tests.conftest import ROOT

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DRAW = Draw(
    draw_id="d1",
    seed=7,
    size=1,
    ruleset="r1",
    strata=(Stratum(key="none|*", population=2, sampled=1, probability=0.5),),
    sampled=(("e1", 0.5),),
    frame={"none|*": ("e1", "e2")},
)
POINTER = TurnPointer(event_id="e1", turn_id="t1", skill_id="s1", session_id="S1", uuid="U1", line=4, number=1)


def label(event: str = "e1", turn: str = "t1", **changes: object) -> TurnLabel:
    """A person's label of an invented turn."""
    values = {
        "event_id": event,
        "turn_id": turn,
        "skill_id": "s1",
        "session_id": "S1",
        "uuid": "U1",
        "outcome": "acceptance",
        "correction_type": None,
        "about": "skill",
        "reader": "person",
        "draw_id": "",
        "labelled_at": None,
        "number": 1,
    }
    return TurnLabel(**(values | changes))


@pytest.fixture
def log(tmp_path: Path) -> LabelLog:
    """An empty label log."""
    return LabelLog(tmp_path / "ws" / "labels.jsonl")


def said(log: LabelLog) -> list[tuple[str, str]]:
    """Turn and outcome of the labels that count."""
    return [(found.turn_id, found.outcome) for found in log.read().labels]


def test_log_that_is_not_there_is_empty(log):
    """Reading makes nothing."""
    assert log.read().labels == []
    assert not log.exists()
    assert not log.path.parent.exists()


def test_log_gives_back_what_was_written(log):
    """A label, its draw and what was asked come back as they were, with id and time."""
    given_label = label(outcome="correction", correction_type="redo", about="other", draw_id="d1", goes_on=True, of=2)
    (label_id,) = log.append([given_label], draws=[DRAW], asked=[POINTER], at=NOW)
    contents = log.read()
    assert contents.labels == [replace(given_label, label_id=label_id, labelled_at=NOW)]
    assert contents.draws == [replace(DRAW, drawn_at=NOW)]
    assert contents.asked == {("e1", "t1"): POINTER}
    assert contents.problems == []


def test_log_has_the_documented_fields(log):
    """The lines have the agreed keys, and a draw is written once."""
    log.append([label()], draws=[DRAW], at=NOW)
    log.append([label(turn="t2")], draws=[DRAW], at=NOW)
    draw, first, _ = (json.loads(line) for line in log.path.read_bytes().splitlines())
    assert {"type", "id", "at", "seed", "size", "ruleset", "strata", "sampled", "frame"} <= draw.keys()
    assert draw["strata"] == [{"key": "none|*", "population": 2, "sampled": 1, "probability": 0.5}]
    expected = (
        "type id at event_id skill_id session_id turn_id uuid line outcome correction_type about reader draw_id "
        "ruleset supersedes"
    )
    assert list(first)[:16] == expected.split()


def test_log_last_label_counts_and_same_one_adds_nothing(log):
    """A second thought replaces the first, and names it; saying the same again writes nothing."""
    (first,) = log.append([label()], at=NOW)
    size = log.path.stat().st_size
    assert log.append([label()], at=NOW + timedelta(days=1)) == [first]
    assert log.path.stat().st_size == size
    (second,) = log.append([label(outcome="none")])
    assert said(log) == [("t1", "none")]
    assert json.loads(log.path.read_bytes().splitlines()[-1])["supersedes"] == first
    assert second != first


def test_log_readers_and_uses_are_apart(log):
    """A judge's label replaces no person's, and a turn in the windows of two uses has two labels."""
    log.append([label(), label(reader="judge:x", outcome="none"), label(event="e2", outcome="none")])
    contents = log.read()
    assert len(contents.labels) == 3
    assert [found.outcome for found in contents.of_reader("judge:x")] == ["none"]
    assert contents.draws_for("judge:x") == []


def test_log_retract_returns_to_what_was_said_before(log):
    """Taking back the last label brings the one before it back, and then none."""
    (first,) = log.append([label()])
    (second,) = log.append([label(outcome="none")])
    assert log.retract([second]) == 1
    assert said(log) == [("t1", "acceptance")]
    log.retract([first])
    assert said(log) == []
    with pytest.raises(InputError, match="no label"):
        log.retract([first])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"outcome": "bad"}, "outcome is 'bad'"),
        ({"outcome": "acceptance", "correction_type": "redo"}, "correction_type is 'redo'"),
        ({"outcome": "correction", "correction_type": "partial"}, "rejection or revert or redo"),
        ({"about": "me"}, "about is 'me'"),
        ({"reader": "robot"}, "reader is 'robot'"),
        ({"reader": "judge:"}, "reader is 'judge:'"),
        ({"turn_id": ""}, "turn_id"),
    ],
)
def test_log_refuses_words_that_are_not_in_the_vocabulary(log, changes, message):
    """A label with another word is an error that names the words there are; nothing is written."""
    with pytest.raises(InputError, match=message):
        log.append([label(), label(**changes)])
    assert not log.exists()


def test_log_correction_without_a_type_is_a_rejection(log):
    """The general type is meant where none is named."""
    log.append([label(outcome="correction"), label(turn="t2", outcome="partial")])
    assert [found.correction_type for found in log.read().labels] == ["rejection", "partial"]


def test_log_bad_lines_are_counted_and_the_rest_counts(log):
    """Lines that hold no label, an unknown word or an unknown type are passed over, each with its reason."""
    log.append([label()], draws=[DRAW])
    good = json.loads(log.path.read_bytes().splitlines()[-1])
    bad = [
        b"{not json",
        b"[1]",
        json.dumps(good | {"outcome": "great"}).encode(),
        json.dumps(good | {"line": -1}).encode(),
        json.dumps(good | {"goes_on": 1}).encode(),
        json.dumps({"type": "draw", "id": "d2", "seed": 1}).encode(),
        json.dumps(
            {"type": "draw", "id": "d2", "seed": 1, "size": 1, "strata": [], "sampled": [["x", 2]], "frame": {}}
        ).encode(),
        json.dumps({"type": "praise"}).encode(),
        json.dumps({"type": "retract"}).encode(),
        b'{"type": "lab',
    ]
    with log.path.open("ab") as file:
        file.write(b"\n".join(bad))
    contents = log.read()
    assert len(contents.labels) == len(contents.draws) == 1
    assert [problem.reason for problem in contents.problems] == [
        "not_json", "not_an_object", "odd_label", "odd_label", "odd_label", "odd_draw", "odd_draw", "unknown_type",
        "odd_retract", "cut_off",
    ]  # fmt: skip


def test_log_torn_tail_is_moved_before_the_next_label(log):
    """What a killed writer left does not spoil the next line."""
    log.append([label()])
    with log.path.open("ab") as file:
        file.write(b'{"type": "label", "outc')
    log.append([label(turn="t2")])
    assert said(log) == [("t1", "acceptance"), ("t2", "acceptance")]
    assert log.read().problems == []


def test_log_file_is_private(log):
    """Only its owner can read the log."""
    log.append([label()])
    assert log.path.stat().st_mode & 0o077 == 0


def test_log_beside_a_feedback_log(tmp_path):
    """Labels lie beside the feedback log that they are about; logs in one folder share none."""
    assert LabelLog.beside(tmp_path / "feedback.jsonl").path.name == "labels.jsonl"
    assert LabelLog.beside(tmp_path / "other.jsonl").path.name == "other.labels.jsonl"


def test_log_that_cannot_be_written_is_an_error(tmp_path):
    """A folder that is a file is an error of the log, not a crash."""
    (tmp_path / "ws").write_text("", encoding="utf-8")
    with pytest.raises(LogError):
        LabelLog(tmp_path / "ws" / "labels.jsonl").append([label()])


def _label_many(path: str, name: str) -> None:
    log = LabelLog(path)
    for number in range(20):
        log.append([label(turn=f"{name}{number}")], draws=[DRAW])


def test_log_two_processes_lose_nothing(log):
    """Two people at work at once: all labels are there, each line whole, the draw once."""
    workers = [
        multiprocessing.get_context("spawn").Process(target=_label_many, args=(str(log.path), name)) for name in "ab"
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    contents = log.read()
    assert len(contents.labels) == 40
    assert len(contents.draws) == 1
    assert contents.problems == []


def test_log_killed_writer_leaves_a_whole_log(log):
    """A process that is killed while it labels leaves a log to which the next one can add."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[2]); from tests.stores.test_labels import _label_many\n"
        "print('ready', flush=True)\n"
        "while True: _label_many(sys.argv[1], str(id(object())))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(log.path), str(ROOT)], stdout=subprocess.PIPE, env=os.environ
    )
    assert process.stdout is not None
    process.stdout.readline()
    while not log.exists():
        pass
    process.kill()
    process.wait()
    process.stdout.close()
    before = len(log.read().labels)
    log.append([label(turn="after")])
    assert len(log.read().labels) == before + 1


_WORDS = st.sampled_from(["acceptance", "none", "correction", "partial"])
_STEPS = st.lists(
    st.tuples(st.sampled_from(["label", "retract", "tear"]), st.integers(0, 3), _WORDS, st.sampled_from(["a", "b"])),
    max_size=12,
)


@given(steps=_STEPS)
def test_log_says_what_a_model_says(tmp_path_factory, steps):
    """Whatever is labelled, taken back or torn, the log agrees with a list of what stands."""
    log = LabelLog(tmp_path_factory.mktemp("labels") / "labels.jsonl")
    stacks: dict[tuple[int, str], list[tuple[str, str]]] = {}
    for kind, turn, outcome, judge in steps:
        stack = stacks.setdefault((turn, judge), [])
        if kind == "label":
            (label_id,) = log.append([label(turn=str(turn), outcome=outcome, reader=f"judge:{judge}")])
            if not stack or stack[-1][1] != outcome:
                stack.append((label_id, outcome))
        elif kind == "retract" and stack:
            log.retract([stack.pop()[0]])
        elif kind == "tear" and log.exists():
            with log.path.open("ab") as file:
                file.write(b'{"type": "label", "id": "x"')
    standing = {(found.turn_id, found.reader): found.outcome for found in log.read().labels}
    assert standing == {(str(turn), f"judge:{judge}"): stack[-1][1] for (turn, judge), stack in stacks.items() if stack}


@given(junk=st.binary(max_size=300), row=st.dictionaries(st.text(max_size=12), st.none() | st.integers() | st.text()))
def test_log_reads_whatever_a_file_holds(tmp_path_factory, junk, row):
    """No content makes reading fail, and a good line in the middle of it counts."""
    log = LabelLog(tmp_path_factory.mktemp("labels") / "labels.jsonl")
    log.append([label()])
    odd = json.dumps({"type": "label"} | row).encode()
    log.path.write_bytes(junk + b"\n" + odd + b"\n" + log.path.read_bytes())
    assert ("t1", "acceptance") in said(log)


def test_log_same_label_after_a_retraction_in_one_tick_stands(log):
    """Labelled, taken back and labelled again within one tick of the clock: the label counts."""
    ids = log.append([label()], at=NOW)
    log.retract(ids, at=NOW)
    log.append([label()], at=NOW)
    assert said(log) == [("t1", "acceptance")]
    log.retract(ids, at=NOW)
    assert said(log) == []


@pytest.mark.parametrize("chance", [0, 1e-12, -0.5, 1.5, True])
def test_log_draw_of_no_chance_is_odd(log, chance):
    """A draw that took something with no chance, hardly any, or more than certainty is passed over and counted."""
    log.append([label()], draws=[DRAW])
    rows = [json.loads(line) for line in log.path.read_text(encoding="utf-8").splitlines()]
    for change in (
        {"strata": [rows[0]["strata"][0] | {"probability": chance}]},
        {"sampled": [["e1", chance]]},
    ):
        odd = [json.dumps(row | (change if row["type"] == "draw" else {})) for row in rows]
        log.path.write_text("\n".join(odd) + "\n", encoding="utf-8")
        contents = log.read()
        assert contents.draws == []
        assert [problem.reason for problem in contents.problems] == ["odd_draw"]


def test_log_tells_what_stood_before_each_label(log):
    """What is new, changed or as before is known from the log as it was when the label was written."""
    first, again, changed = (log.write([label(outcome=word)])[0] for word in ("none", "none", "acceptance"))
    assert first.before is None
    assert again.before == again.label_id == first.label_id
    assert changed.before == first.label_id != changed.label_id
