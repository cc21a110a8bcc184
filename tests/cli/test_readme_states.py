"""README's "When it does not suggest": each state, made by real commands, is shown by the commands of its row."""

import re
from pathlib import Path

import pytest

from tests.cli.people import FIX, SKILL, TABS, Desk
from tests.cli.states import STAMPED, STATES, damaged, drifted, refined

pytest.importorskip("pty", reason="approvals need a terminal")

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture
def desk(machine) -> Desk:
    """A machine with one skill."""
    found = Desk(machine)
    found.write()
    return found


def _rows():
    """What you see → the commands of the row."""
    table = README.read_text(encoding="utf-8").partition("### When it does not suggest")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    return {cells[1].strip(): re.findall(r"`([^`]+)`", cells[3]) for cells in (line.split("|") for line in lines)}


def test_every_row_is_tried_here():
    """A row that is added to the table needs a test of its own below."""
    assert set(_rows()) == {
        "nothing recorded", "no suggestion", "agreement too low", "over bounds", "in cooldown", "drift reached",
        "drift 0 or missing", "held by a contradiction", "a contradiction is missed", "damaged lines",
        "rejected before", "used from another folder",
    }  # fmt: skip


def _shown(desk, *call, code=0):
    return " ".join(desk.run(*call, code=code).stdout.split())


def test_nothing_recorded(desk):
    """Three commands, all of which say that there is nothing."""
    assert "Nothing is recorded about any skill yet." in _shown(desk, "refine", "--check")
    assert "Total events: 0" in _shown(desk, "feedback", SKILL)
    assert "No candidates: nothing was found" in _shown(desk, "feedback", "candidates")


def test_no_suggestion(desk, talk):
    """How many more corrections would do."""
    STATES["no repeat"].make(desk, talk)
    told = _shown(desk, "refine", "--check", SKILL)
    assert "no correction repeats yet, one more matching correction would do" in told


def test_agreement_too_low(desk, talk):
    """Who agrees, and what is needed, in the words of the table."""
    STATES["agreement"].make(desk, talk)
    assert "3 of 5 agree (0.57, needs 0.70)" in _shown(desk, "refine", SKILL, code=1)


def test_over_bounds_and_fewer_at_a_time(desk):
    """The percentage, its limit, and the choice that fits, which is ready."""
    desk.lines(*[FIX] * 3)
    desk.lines(*[(TABS[0], "Use spaces " + "and say why at length " * 4)] * 3, first=10)
    told = _shown(desk, "refine", SKILL, code=3)
    assert "needed at most 20%: take only change 1" in told
    assert "can be applied" in _shown(desk, "refine", SKILL, "--changes", "1")


def test_in_cooldown(desk, talk):
    """The day on which it is over."""
    refined(desk, talk)
    assert re.search(r"Next eligible: \d{4}-\d\d-\d\d", _shown(desk, "refine", "--check", SKILL, code=1))


def test_drift_reached(desk, talk):
    """Three ways out, each with its command."""
    drifted(desk, talk)
    told = _shown(desk, "drift", SKILL)
    assert "Status: THRESHOLD EXCEEDED" in told
    for way in ("1. raise the limit", "2. take the current body as the baseline", "3. go on as a new skill"):
        assert way in told
    for option in ("--set-limit N", "--reset-baseline", "--as-new NAME"):
        assert option in told


def test_rejected_before(desk, talk):
    """The history tells what takes the rejection back, and then it is proposed again."""
    STATES["rejected"].make(desk, talk)
    told = _shown(desk, "history", SKILL)
    found = re.search(r"rejected (\w+)", told)
    desk.at_terminal("refine", SKILL, "--reopen", found[1])
    assert "can be applied" in _shown(desk, "refine", SKILL)


def test_used_from_another_folder(desk, tmp_path):
    """A skill that is not of this project is found where its folder is named."""
    folder = tmp_path / "elsewhere" / ".claude" / "skills" / "warm-cups"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: warm-cups\ndescription: Warms.\n---\nWarm each cup.\n")
    assert "no skill 'warm-cups' is installed" in desk.run("refine", "--check", "warm-cups", code=2).stderr
    told = _shown(desk, "refine", "--check", "warm-cups", "--skill-folder", str(folder), code=1)
    assert "Refinement Eligibility: warm-cups" in told
    assert "SKILL NOT FOUND" not in told


def test_drift_missing(desk):
    """No baseline: no diff, and the allowance that is named makes the suggestion ready."""
    desk.write(STAMPED)
    desk.lines(*[FIX] * 3)
    assert "has no baseline" in _shown(desk, "drift", SKILL, "--diff")
    allowed = f"skilltune refine {SKILL} --allow-missing-baseline"
    assert allowed in _shown(desk, "drift", SKILL)
    assert allowed in _shown(desk, "refine", SKILL, code=3)
    assert "can be applied" in _shown(desk, "refine", SKILL, "--allow-missing-baseline")


def test_drift_zero(desk):
    """The baseline is today's text."""
    assert "is its baseline" in _shown(desk, "drift", SKILL, "--diff")


def test_held_by_a_contradiction(desk, talk):
    """The contradiction, the command that keeps both sides, and one side kept."""
    STATES["contradiction"].make(desk, talk)
    told = _shown(desk, "contradictions", SKILL)
    assert "CONFLICT Reversal detected" in told
    found = re.search(r"--finding (\w+) --keep both", told)
    desk.at_terminal("contradictions", SKILL, "--finding", found[1][:6], "--keep", "1")
    assert "can be applied" in _shown(desk, "refine", SKILL)


def test_a_contradiction_is_missed(desk):
    """Not seen where it is said in other words; the corrections are read, and one is taken back."""
    desk.lines(*[FIX] * 3, (FIX[1], "lint nothing by itself"))
    assert "No contradictions detected" in _shown(desk, "contradictions", SKILL)
    assert "lint nothing by itself" in _shown(desk, "feedback", SKILL, "--ids")
    desk.run("feedback", "retract", "lint-4")
    assert "lint nothing by itself" not in _shown(desk, "feedback", SKILL)


def test_damaged_lines(desk, talk):
    """A line that cannot be read is named and set aside; an edited audit log is named."""
    damaged(desk, talk)
    desk.ledger.write_text(desk.ledger.read_text() + '{"type": "correction", "skillNa\n')
    assert f"{desk.ledger}:4:" in _shown(desk, "feedback", "verify", code=4)
    assert "1 line set aside" in _shown(desk, "feedback", "repair")
    assert "Every line can be read." in _shown(desk, "feedback", "verify")
    assert f"{desk.log}:" in _shown(desk, "audit", "verify", code=4)


def test_edited_line_of_the_ledger_is_not_seen_and_that_is_said(desk):
    """The ledger has no chain: the command says what it checks and what it does not."""
    desk.lines(*[FIX] * 3)
    desk.ledger.write_text(desk.ledger.read_text().replace(FIX[1], "something else"))
    told = _shown(desk, "feedback", "verify")
    assert "Not checked: whether a line was edited or taken out." in told
