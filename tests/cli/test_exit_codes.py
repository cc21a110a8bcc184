"""What commands answer to programs: the exit code, one JSON document on success, errors on standard error only."""

import json

import pytest

from tests.cli.conftest import Machine
from tests.cli.people import BODY, FIX, HEAD, SKILL, TABS, Desk

pytest.importorskip("pty", reason="approvals need a terminal")

QUIET, REFINED, HELD = "quiet", SKILL, "deploy-check"
FEW, READY, BIG = "few", "ready", "big"


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Desk:
    """A machine with a skill in each state that has an exit code of its own."""
    found = Desk(Machine(tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("work")))
    for name in (QUIET, REFINED, HELD, FEW, READY, BIG):
        found.write(HEAD.replace(SKILL, name) + BODY, name=name)
    found.lines(*[FIX] * 3)
    found.approve()
    found.lines(*[TABS] * 3, first=20)
    found.lines(*[FIX] * 3, *[FIX[::-1]] * 2, skill=HELD)
    found.lines(FIX, skill=FEW)
    found.lines(*[FIX] * 3, skill=READY)
    found.lines(*[(TABS[0], "Use spaces " + "and say why at length " * 8)] * 3, skill=BIG)
    return found


DONE, NOTHING, USAGE, REFUSED, DAMAGED = 0, 1, 2, 3, 4
TABLE = [
    (("refine", "--check"), DONE),
    (("refine", "--check", READY), DONE),
    (("refine", "--check", FEW), NOTHING),
    (("refine", "--check", HELD), NOTHING),
    (("refine", "--check", REFINED), NOTHING),
    (("refine", "--check", "no-such-skill"), USAGE),
    (("refine", READY), DONE),
    (("refine", FEW), NOTHING),
    (("refine", QUIET), NOTHING),
    (("refine", HELD), NOTHING),
    (("refine", REFINED), REFUSED),
    (("refine", BIG), REFUSED),
    (("refine", "no-such-skill"), USAGE),
    (("refine", READY, "--approve", "0" * 12), REFUSED),
    (("refine", READY, "--reopen", "0" * 12), REFUSED),
    (("refine", READY, "--as-new", "newer"), REFUSED),
    (("refine", READY, "--changes", "9"), USAGE),
    (("drift", QUIET), DONE),
    (("drift", QUIET, "--diff"), DONE),
    (("drift", QUIET, "--set-limit", "50", "--note", "x"), REFUSED),
    (("drift", "no-such-skill"), USAGE),
    (("contradictions", HELD), DONE),
    (("contradictions", QUIET), DONE),
    (("contradictions", HELD, "--finding", "0" * 12, "--keep", "1"), REFUSED),
    (("contradictions", "no-such-skill"), USAGE),
    (("history", REFINED), DONE),
    (("history", "no-such-skill"), USAGE),
    (("rollback", REFINED), REFUSED),
    (("audit", "verify"), DONE),
    (("audit", "restart", REFINED, "--note", "x"), REFUSED),
    (("feedback", "list"), DONE),
    (("feedback", "list", READY), DONE),
    (("feedback", "list", "no-such-skill"), USAGE),
    (("feedback", "replay"), DONE),
    (("feedback", "replay", "s1"), DONE),
    (("feedback", "replay", "no-such-session"), USAGE),
    (("feedback", "verify"), DONE),
    (("feedback", "repair"), DONE),
    (("feedback", "retract", "no-such-id"), USAGE),
    (("feedback", "accept", "no-such-id"), USAGE),
    (("feedback", "dismiss", "no-such-id"), USAGE),
    (("feedback", "reopen", "no-such-id"), USAGE),
    (("metrics",), DAMAGED),
    (("trend",), DAMAGED),
    (("events",), DAMAGED),
]


@pytest.mark.parametrize(("call", "code"), TABLE, ids=lambda value: " ".join(value) if isinstance(value, tuple) else "")
def test_command_ends_with_its_code_and_one_document(desk, call, code):
    """What was found is one JSON document; an error is a line on standard error."""
    done = desk.run(*call, "--json", code=code)
    if done.stdout:
        assert isinstance(json.loads(done.stdout), dict | list)
    if code in (USAGE, DAMAGED) or (code == REFUSED and not done.stdout):
        assert done.stderr.startswith("skilltune: ")
        assert len(done.stderr.splitlines()) == 1
    if code == DONE:
        assert done.stdout
        assert done.stderr == ""


SHAPES = {
    ("refine", "--check", READY): {
        "skill_id", "eligible", "reason", "status", "correction_count", "corrections_needed", "min_corrections",
        "unusable_corrections", "last_refined", "days_since", "days_remaining", "next_eligible", "cooldown_days",
        "conflicts", "outlook", "open_suggestions", "patterns", "held", "warnings",
    },
    ("drift", QUIET): {
        "skill_id", "version", "status", "drift_percent", "projected_percent", "path_percent", "edit_ratio", "retained",
        "limit_percent", "remaining_percent", "average_percent", "refinements_remaining", "note", "baseline",
        "outside_edit", "notes",
    },
    ("contradictions", HELD): {"skill_id", "analyzed", "has_conflicts", "summary", "findings"},
    ("feedback", "verify"): {"ledger", "events", "problems", "chained"},
    ("history", REFINED): {"skill_id", "path", "version", "versions", "acts", "outside_edit", "notes"},
}  # fmt: skip


@pytest.mark.parametrize("call", SHAPES, ids=" ".join)
def test_documents_have_a_stable_shape(desk, call):
    """The keys that programs rely on."""
    assert set(json.loads(desk.run(*call, "--json").stdout)) == SHAPES[call]


def test_feedback_history_for_programs_is_a_list_of_events(desk):
    """One object an event, with the same keys for each of a type."""
    rows = json.loads(desk.run("feedback", "list", READY, "--json").stdout)
    assert len(rows) == 3
    common = {"id", "type", "skill_id", "session_id", "timestamp", "retracted"}
    assert all(common | {"original", "corrected", "formatting_only"} <= set(row) for row in rows)


def test_damaged_logs_end_with_their_code(tmp_path):
    """Lines of the ledger that nobody can read, an audit log that was edited: 4, and what is wrong."""
    home, cwd = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    cwd.mkdir()
    desk = Desk(Machine(home, cwd))
    desk.write()
    desk.lines(*[FIX] * 3)
    desk.run("drift", SKILL)
    desk.ledger.write_text(desk.ledger.read_text() + "{broken\n")
    desk.log.write_text(desk.log.read_text().replace("first_seen", "first_sean"))
    assert json.loads(desk.run("feedback", "verify", "--json", code=DAMAGED).stdout)["problems"]
    assert not json.loads(desk.run("audit", "verify", "--json", code=DAMAGED).stdout)[0]["whole"]
    for call in (("refine", SKILL), ("drift", SKILL), ("history", SKILL)):
        done = desk.run(*call, "--json", code=DAMAGED)
        assert done.stdout == ""
        assert str(desk.log) in done.stderr
    (row,) = json.loads(desk.run("refine", "--check", "--json", code=DAMAGED).stdout)
    assert row["status"] == "damaged"
