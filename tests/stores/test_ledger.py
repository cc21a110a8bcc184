"""The ledger of recorded feedback: checks, queries, retraction, damage, many writers."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import InputError, LogError
from skilltune.stores.ledger import FeedbackLedger, find_ledger
from skilltune.stores.ledger_rows import word_diff
from skilltune.stores.workspace import find_workspace
from tests.conftest import ROOT
from tests.stores.makers import run_killed
from tests.stores.test_secrets import PLANTED

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def ledger(tmp_path):
    """A ledger that nothing was recorded in yet."""
    return FeedbackLedger(tmp_path / "ledger.jsonl")


def _row(**changes) -> str:
    row = {"type": "rating", "skillName": "tea", "sessionId": "s1", "score": 4, "id": "x1", "timestamp": "2026-11-01"}
    return json.dumps(row | changes)


def _correct(ledger, original="use tabs", corrected="use spaces", **more):
    values = {"session_id": "s1", "at": AT} | more
    return ledger.record_correction("tea", original=original, corrected=corrected, **values)


def test_ledger_correction_has_the_documented_form(ledger):
    """A line is compact JSON with the keys of other tools, non-ASCII as it is, a word diff, id and UTC time."""
    event = _correct(ledger, "помой чашку", "вымой чашку 🍵")
    line = ledger.path.read_bytes().decode()
    assert line.endswith("\n")
    assert line.count("\n") == 1
    assert "вымой чашку 🍵" in line
    assert '": ' not in line
    row = json.loads(line)
    assert list(row) == [
        *("type", "skillName", "sessionId", "original", "corrected", "diff", "id", "timestamp"),
    ]
    assert row["timestamp"] == "2026-11-30T12:00:00.000Z"
    assert row["id"] == event.id
    assert [set(part) for part in row["diff"]] == [{"value", "added", "removed", "count"}] * len(row["diff"])


def test_ledger_other_kinds_have_the_documented_form(ledger):
    """Overrides, ratings and retractions have their own keys, id and time last."""
    ledger.record_override("tea", rejected="boil twice", reason="too hot", session_id="s1")
    rating = ledger.record_rating("tea", score=4, session_id="s1")
    ledger.retract(rating.id, by="ada", reason="a slip")
    rows = [json.loads(line) for line in ledger.path.read_text().splitlines()]
    assert [list(row)[3:-2] for row in rows] == [["rejected", "reason"], ["score"], ["target", "reason", "by"]]
    assert [row["sessionId"] for row in rows] == ["s1", "s1", "manual"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_word_diff_holds_both_texts(original, corrected):
    """What is kept and removed is the text before, up to white space; what is kept and added the text after."""
    parts = word_diff(original, corrected)
    after = "".join(part["value"] for part in parts if not part["removed"])
    before = "".join(part["value"] for part in parts if not part["added"])
    assert after == corrected
    assert before.split() == original.split()


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda led: led.record_correction("", original="a", corrected="b", session_id="s"), "skillName"),
        (lambda led: led.record_correction("tea", original="a", corrected="b", session_id=" "), "sessionId"),
        (lambda led: led.record_correction("tea", original="a", corrected="a", session_id="s"), "identical"),
        (lambda led: led.record_correction("tea", original="", corrected="", session_id="s"), "both empty"),
        (lambda led: led.record_correction("tea", original=None, corrected="", session_id="s"), "both empty"),
        (lambda led: led.record_correction("tea", original=3, corrected="a", session_id="s"), "original"),
        (lambda led: led.record_rating("tea", score=0, session_id="s"), "score"),
        (lambda led: led.record_rating("tea", score=5.1, session_id="s"), "score"),
        (lambda led: led.record_rating("tea", score=True, session_id="s"), "score"),
        (lambda led: led.record_rating("tea", score=float("nan"), session_id="s"), "score"),
        (lambda led: led.record_override("tea", session_id="s"), "rejected"),
        (lambda led: led.retract("nothing", by="ada"), "target"),
        (lambda led: led._record("praise", skill_id="tea", session_id="s", at=None), "type"),
    ],
)
def test_ledger_refuses_and_names_the_field(ledger, call, named):
    """What is out of its range is refused by the name of its field, and nothing is written."""
    with pytest.raises(InputError, match=named):
        call(ledger)
    assert not ledger.exists()


def test_ledger_keeps_one_empty_side_and_formatting(ledger):
    """A deletion is kept; so is a change of white space only, flagged; a missing text stays missing."""
    _correct(ledger, "drop me", "")
    assert _correct(ledger, "a  b", "a b").formatting_only
    _correct(ledger, None, "new")
    rows = [json.loads(line) for line in ledger.path.read_text().splitlines()]
    assert [row.get("formattingOnly", False) for row in rows] == [False, True, False]
    assert [event.as_correction().usable for event in ledger.corrections()] == [False, False, False]
    assert [event.original for event in ledger.corrections()] == ["drop me", "a  b", None]


def test_ledger_queries(ledger):
    """By skill, session, type and time, in the order of the file; a date is midnight UTC, no zone is UTC."""
    _correct(ledger, session_id="s1", at=datetime(2026, 11, 1, 10))  # noqa: DTZ001  # no zone on purpose
    _correct(ledger, session_id="s2", at=datetime(2026, 11, 3, tzinfo=UTC))
    _correct(ledger, "a", "b", session_id="s2", at=datetime(2026, 11, 2, tzinfo=UTC))
    ledger.record_rating("coffee", score=5, session_id="s2", at=AT)
    assert ledger.count() == 4
    assert ledger.count(skill_id="tea") == 3
    assert [event.type for event in ledger.events(session_id="s2")] == ["correction", "correction", "rating"]
    assert ledger.count(since="2026-11-03") == 2
    assert ledger.count(since="2026-11-03T00:00:01", skill_id="tea") == 0
    assert ledger.count(since="2026-11-01T12:00:00+02:00", kind="correction") == 3
    assert ledger.sessions("tea") == {"s2": 2, "s1": 1}
    with pytest.raises(InputError, match="since"):
        ledger.events(since="yesterday")


def test_ledger_retraction_and_its_undoing(ledger):
    """What is taken back is left out unless asked for; a retraction can be taken back, and nothing twice."""
    event = _correct(ledger)
    gone = ledger.retract(event.id, by="ada")
    assert ledger.count() == 0
    assert ledger.count(retracted=True) == 2
    with pytest.raises(InputError, match="already"):
        ledger.retract(event.id, by="ada")
    ledger.retract(gone.id, by="ada")
    assert [item.id for item in ledger.events()] == [event.id]
    again = ledger.retract(event.id, by="ada")
    assert ledger.read().retracted >= {event.id, gone.id}
    assert again.skill_id == "tea"


def test_ledger_verify_and_repair(ledger):
    """Bad lines are named by number and reason, passed over, and set aside byte for byte; the rest stays."""
    good = [_row(), _row(id="x2", score=1)]
    bad = [
        *('{"type":"rating"', "[1]", _row(score=9), _row(type="praise"), _row(skillName=""), _row(sessionId=None)),
        *(_row(timestamp="soon"), json.dumps({"type": "retract", "skillName": "t", "sessionId": "s"})),
    ]
    ledger.path.write_text("\n".join([good[0], *bad, "", good[1]]) + "\n")
    before = ledger.path.read_bytes()
    problems = ledger.verify()
    assert [problem.line for problem in problems] == list(range(2, 10))
    reasons = [problem.reason for problem in problems]
    assert reasons == [
        *("not_json", "not_an_object", "odd_score", "unknown_type", "no_skill", "no_session", "no_time", "no_target"),
    ]
    assert ledger.path.read_bytes() == before
    assert ledger.count() == 2
    repaired = ledger.repair()
    assert repaired.path.read_text().splitlines() == bad
    assert ledger.path.read_text().splitlines() == good
    assert ledger.verify() == []
    assert ledger.repair().lines == ()


def test_ledger_repair_killed_at_each_step_loses_no_line(tmp_path):
    """Killed at any step, every line is in the ledger or in the file beside it."""
    lines = [_row(), "{broken", _row(id="x2")]
    for at in range(1, 40):
        ledger = FeedbackLedger(tmp_path / str(at) / "ledger.jsonl")
        ledger.path.parent.mkdir()
        ledger.path.write_text("\n".join(lines) + "\n")
        killed = run_killed(ledger.repair, at=at)
        aside = ledger.path.with_name("ledger.jsonl.bad")
        found = ledger.path.read_text().splitlines() + (aside.read_text().splitlines() if aside.exists() else [])
        assert set(lines) <= set(found)
        if not killed:
            break
    assert not killed
    assert at > 3


def test_ledger_torn_tail(ledger):
    """A last line without newline is completed where it is whole, else set aside; the next event survives."""
    ledger.path.write_text(_row())
    _correct(ledger)
    assert ledger.count() == 2
    with ledger.path.open("a") as file:
        file.write('{"type":"rat')
    _correct(ledger, "c", "d")
    assert ledger.count() == 3
    assert ledger.verify() == []


def test_ledger_reads_lines_of_other_tools(ledger):
    """Rows with more keys, with milliseconds, or without an id can be used, each by an id that stays."""
    nameless = json.loads(_row())
    del nameless["id"]
    ledger.path.write_text("\n".join([_row(extra=[1]), json.dumps(nameless), json.dumps(nameless)]) + "\n")
    ids = [event.id for event in ledger.events()]
    assert len(set(ids)) == 3
    assert [event.id for event in ledger.events()] == ids
    ledger.retract(ids[2], by="ada")
    assert [event.id for event in ledger.events()] == ids[:2]


def test_ledger_that_cannot_be_written(ledger):
    """A failed append raises for its own event; what was recorded before is there."""
    _correct(ledger)
    blocked = FeedbackLedger(ledger.path / "below")
    with pytest.raises(LogError):
        _correct(blocked)
    assert ledger.count() == 1


def test_ledger_two_processes_of_500_events(tmp_path):
    """Two processes of 500 events each leave exactly 1,000 readable lines."""
    path = tmp_path / "ledger.jsonl"
    code = (
        "import sys\n"
        "from skilltune.stores.ledger import FeedbackLedger\n"
        "ledger = FeedbackLedger(sys.argv[1])\n"
        "for n in range(500):\n"
        "    ledger.record_correction('tea', original=f'{sys.argv[2]} {n}', corrected='次 ' * 40, session_id='s')\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(path), name], cwd=ROOT, env=os.environ) for name in "ab"
    ]
    assert [process.wait(timeout=200) for process in running] == [0, 0]
    ledger = FeedbackLedger(path)
    assert path.read_bytes().count(b"\n") == 1000
    assert ledger.verify() == []
    assert len({event.id for event in ledger.corrections()}) == 1000
    assert {event.original for event in ledger.corrections()} == {f"{name} {n}" for name in "ab" for n in range(500)}


def test_ledger_place(tmp_path, monkeypatch):
    """The project's shared folder where it exists, else the workspace, which git then passes over."""
    monkeypatch.chdir(tmp_path)
    workspace = tmp_path / ".skilltune"
    plain = find_ledger(workspace)
    assert plain.path == workspace.resolve() / "ledger.jsonl"
    plain.record_rating("tea", score=3, session_id="s")
    assert (workspace / ".gitignore").exists()
    (tmp_path / ".planning" / "patterns").mkdir(parents=True)
    shared = tmp_path.resolve() / ".planning" / "patterns" / "feedback.jsonl"
    assert find_ledger(workspace).path == shared
    assert find_ledger().path == shared
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    assert find_ledger().path == shared
    assert find_ledger(find_workspace()).path == find_ledger(workspace).path == shared


@pytest.mark.parametrize(("sentence", "secret"), PLANTED)
def test_ledger_never_holds_a_secret(tmp_path, sentence, secret):
    """Both texts of a correction, their word diff, an override and the reason of a retraction are masked, and told."""
    ledger, said = FeedbackLedger(tmp_path / "ledger.jsonl"), sentence.format(secret)
    event = ledger.record_correction("brew", original=said, corrected=f"Slowly: {said}", session_id="s")
    assert event.masked == ("original", "corrected")
    other = ledger.record_override("brew", rejected=said, reason=said, session_id="s")
    assert other.masked == ("rejected", "reason")
    assert ledger.retract(other.id, by="ada", reason=said).masked == ("reason",)
    written = ledger.path.read_text("utf-8")
    assert secret not in written
    assert written.count("[secret]") >= 5
    assert ledger.read().events[0].original == event.original


def test_ledger_refuses_a_correction_of_a_secret_only(tmp_path):
    """What differs in nothing but a secret would be recorded as no change."""
    ledger = FeedbackLedger(tmp_path / "ledger.jsonl")
    with pytest.raises(InputError, match="differ in what looks like a secret only"):
        ledger.record_correction("brew", original="password: hunter2!", corrected="password: hunter3!", session_id="s")
    assert not ledger.exists()
    plain = ledger.record_correction("brew", original="Use tabs", corrected="Use spaces", session_id="s")
    assert plain.masked == ()


@pytest.mark.parametrize(("field", "names"), [("skillName", ("brew", "s")), ("sessionId", ("s", "brew"))])
def test_ledger_refuses_a_secret_in_a_name(ledger, field, names):
    """The field is named, nothing is written; what another tool kept of one is masked when it is read."""
    said = "log in, password: hunter2!"
    skill_id, session_id = (said, names[1]) if field == "skillName" else (names[0], said)
    with pytest.raises(InputError, match=f"{field} holds what looks like a secret"):
        ledger.record_rating(skill_id, score=4, session_id=session_id)
    assert not ledger.exists()
    ledger.path.write_text(_row(**{field: said}) + "\n", encoding="utf-8")
    (event,) = ledger.read().events
    shown = event.skill_id if field == "skillName" else event.session_id
    assert shown == "log in, password: [secret]"
    assert ledger.retract(event.id, by="ada").target == event.id


def test_ledger_contents_are_chosen_from_without_a_second_look(ledger):
    """What was read answers the questions that the ledger does, the file being gone."""
    first = _correct(ledger)
    ledger.record_rating("cup", score=4, session_id="s2", at=AT)
    contents = ledger.read()
    ledger.path.unlink()
    assert contents.chosen(skill_id="tea") == [first]
    assert [event.skill_id for event in contents.chosen(kind="rating")] == ["cup"]
    assert contents.sessions() == {"s1": 1}
    with pytest.raises(InputError, match="since is 'soon'"):
        contents.chosen(since="soon")
