"""``skilltune feedback`` over the ledger: record, list, replay, retract, verify, repair."""

import json

import pytest

from tests.cli.people import FIX, SKILL, Desk


@pytest.fixture
def desk(machine) -> Desk:
    """A machine with one skill and nothing recorded."""
    found = Desk(machine)
    found.write()
    return found


def _row(kind, number, at, **values):
    common = {"type": kind, "skillName": SKILL, "sessionId": "s1", "id": f"id-{number}", "timestamp": f"{at}T10:00:00Z"}
    return json.dumps(common | values) + "\n"


def _write(desk, *rows):
    desk.ledger.parent.mkdir(exist_ok=True)
    desk.ledger.write_text("".join(rows), encoding="utf-8")


def test_feedback_of_a_skill_has_the_published_form(desk):
    """Title, rule of one sign more, counts, corrections, overrides, ratings with their average."""
    rows = [
        _row(
            "correction", n, "2025-07-05", original="npx eslint --fix .", corrected="npx eslint --fix --ext .ts,.tsx ."
        )
        for n in range(5)
    ]
    rows += [_row("override", 5, "2025-07-10", rejected="", reason="reason")]
    rows += [_row("rating", 6, "2025-07-06", score=4), _row("rating", 7, "2025-07-08", score=5)]
    _write(desk, *rows)
    expected = [
        "Feedback History: lint-on-save",
        "===============================",
        "Total events: 8 (5 corrections, 1 override, 2 ratings)",
        "",
        "Corrections:",
        *['  [2025-07-05] "npx eslint --fix ." -> "npx eslint --fix --ext .ts,.tsx ."'] * 5,
        "Overrides:",
        '  [2025-07-10] Rejected — "reason"',
        "Ratings:",
        "  [2025-07-06] Score: 4/5",
        "  [2025-07-08] Score: 5/5",
        "  Average rating: 4.5/5",
    ]
    for call in (("feedback", SKILL), ("feedback", "list", SKILL), ("feedback", "--skill", SKILL)):
        assert desk.run(*call).stdout.splitlines() == expected


def test_feedback_records_and_takes_back(desk):
    """All three kinds, from the command line in the session ``manual``; a retraction can be retracted."""
    record = ("feedback", "record")
    told = json.loads(desk.run(*record, "correction", SKILL, "--original", "a", "--corrected", "b", "--json").stdout)
    assert (told["session_id"], told["original"], told["corrected"]) == ("manual", "a", "b")
    desk.run(*record, "override", SKILL, "--reason", "too much", "--session", "s7")
    desk.run(*record, "rating", "--skill", SKILL, "--score", "4")
    assert "Total events: 3 (1 correction, 1 override, 1 rating)" in desk.run("feedback", SKILL).stdout
    undone = desk.run("feedback", "retract", told["id"], "--reason", "wrong skill").stdout
    assert "0 corrections" in desk.run("feedback", SKILL).stdout
    assert '"a" -> "b" (taken back)' in desk.run("feedback", SKILL, "--retracted").stdout
    desk.run("feedback", "retract", undone.split()[-1])
    assert "1 correction," in desk.run("feedback", SKILL).stdout
    assert told["id"] in desk.run("feedback", SKILL, "--ids").stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("correction", SKILL, "--original", "a", "--corrected", "a"), "identical"),
        (("correction", SKILL, "--original", "", "--corrected", ""), "both empty"),
        (("correction", SKILL, "--original", "a"), "Missing option"),
        (("override", SKILL), "both empty"),
        (("rating", SKILL, "--score", "6"), "score is 6"),
        (("rating", SKILL, "--score", "nan"), "score is nan"),
        (("correction", SKILL, "--original", "a", "--corrected", "b", "--session", " "), "sessionId is empty"),
        (("correction", "--original", "a", "--corrected", "b"), "name the skill"),
    ],
)
def test_feedback_that_cannot_be_recorded_names_the_field(desk, options, words):
    """Exit 2, the field in the message, nothing written."""
    assert words in desk.run("feedback", "record", *options, code=2).stderr
    assert not desk.ledger.exists()


def test_feedback_on_a_skill_that_is_not_installed_is_kept_with_a_word(desk):
    """The skill may be elsewhere: recorded, and the most alike named."""
    done = desk.run("feedback", "record", "rating", "lint-on-safe", "--score", "2")
    assert "lint-on-save" in done.stderr
    assert "Score: 2/5" in desk.run("feedback", "lint-on-safe").stdout


def test_feedback_of_a_name_nobody_knows_is_a_slip(desk):
    """Neither recorded nor installed: exit 2; installed without feedback: an empty history."""
    assert "nothing is recorded about 'verfy'" in desk.run("feedback", "verfy", code=2).stderr
    assert "Total events: 0" in desk.run("feedback", SKILL).stdout


def test_feedback_of_all_skills_is_a_line_each(desk):
    """Without a name: the skill with the most corrections first; nothing recorded says how to begin."""
    assert "Nothing is recorded yet" in desk.run("feedback", "list").stdout
    desk.lines(FIX, skill="other")
    desk.lines(FIX, FIX)
    lines = desk.run("feedback", "list").stdout.splitlines()
    assert lines[0] == "3 events on 2 skills."
    assert [line.split()[:2] for line in lines[3:]] == [["lint-on-save", "2"], ["other", "1"]]


def test_feedback_replay_is_in_order_and_lists_sessions_with_many_first(desk):
    """One session's events as they were recorded; without a session the ones to look at."""
    _write(
        desk,
        _row("correction", 1, "2025-07-05", original="a", corrected="b"),
        _row("rating", 2, "2025-07-05", score=2),
        _row("correction", 3, "2025-07-06", original="b", corrected="a", sessionId="s2"),
        _row("correction", 4, "2025-07-06", original="c", corrected="d"),
    )
    printed = desk.run("feedback", "replay", "s1").stdout
    assert printed.startswith("Session s1: 3 events (2 corrections, 0 overrides, 1 rating)")
    assert printed.index('"a" -> "b"') < printed.index("Score: 2/5") < printed.index('"c" -> "d"')
    lines = desk.run("feedback", "replay").stdout.splitlines()
    assert [line.split() for line in lines[2:4]] == [["2", "s1"], ["1", "s2"]]
    assert "is no whole id of a session" in desk.run("feedback", "replay", "s9", code=2).stderr


def test_feedback_since_and_session_narrow_the_list(desk):
    """A date is midnight UTC; what is no date is a usage error."""
    desk.lines(FIX, day="2026-11-01")
    desk.lines(FIX, first=1, day="2026-11-20")
    assert "Total events: 1 " in desk.run("feedback", SKILL, "--since", "2026-11-10").stdout
    assert "Total events: 1 " in desk.run("feedback", SKILL, "--session", "s1").stdout
    assert "since is 'monday'" in desk.run("feedback", SKILL, "--since", "monday", code=2).stderr


def test_feedback_with_damaged_lines_is_told_verified_and_repaired(desk):
    """Damaged lines are counted on standard error, listed with exit 4, and set aside; nothing is lost."""
    good = _row("correction", 1, "2025-07-05", original="a", corrected="b")
    _write(desk, good, "{broken\n", _row("rating", 2, "2025-07-05", score=9), good.replace("id-1", "id-2"))
    done = desk.run("feedback", SKILL)
    assert "Total events: 2" in done.stdout
    assert "lines that were passed over" in done.stderr
    checked = desk.run("feedback", "verify", code=4).stdout
    assert f"{desk.ledger}:2: " in checked
    assert f"{desk.ledger}:3: odd score" in checked
    assert "2 lines set aside" in desk.run("feedback", "repair").stdout
    assert "Every line can be read." in desk.run("feedback", "verify").stdout
    assert desk.ledger.with_name("ledger.jsonl.bad").read_text().splitlines()[0] == "{broken"
    assert "nothing to set aside" in desk.run("feedback", "repair").stdout


def test_feedback_when_collection_is_off_records_nothing(desk):
    """The person's switch holds for what is typed, too: exit 3."""
    (desk.machine.home / ".claude" / "feedback-config.json").write_text('{"enabled": false}')
    desk.run("feedback", "record", "rating", SKILL, "--score", "3", code=3)
    assert not desk.ledger.exists()


def test_feedback_of_hostile_texts_cannot_steer_a_terminal(desk):
    """Skill names, sessions, texts and reasons of the ledger are shown, not sent."""
    evil = "\x1b]0;owned\x07\u202e"
    desk.lines((evil + "a", evil + "b"), skill=evil)
    for call in (("feedback", "list"), ("feedback", evil), ("feedback", "replay"), ("contradictions", "--skill", evil)):
        done = desk.run(*call)
        assert not {"\x1b", "\x07", "\u202e"} & set(done.stdout + done.stderr), call
    assert "\x1b" not in desk.run("refine", "--check").stdout


def test_feedback_ledger_of_a_project_is_the_shared_one(desk):
    """Where ``.planning/patterns`` is, other tools keep the ledger there, and so do we."""
    folder = desk.machine.cwd / ".planning" / "patterns"
    folder.mkdir(parents=True)
    desk.run("feedback", "record", "correction", SKILL, "--original", "ä", "--corrected", "ö")
    (line,) = (folder / "feedback.jsonl").read_text(encoding="utf-8").splitlines()
    assert '"original":"ä"' in line
    assert not desk.ledger.exists()
