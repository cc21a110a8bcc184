"""``skilltune contradictions`` as a person runs it: the report, and keeping a side."""

import json

import pytest

from tests.cli.people import FIX, SKILL, Desk
from tests.refining.homes import tree


@pytest.fixture
def desk(machine) -> Desk:
    """A machine with a skill of which two people said the opposite."""
    found = Desk(machine)
    found.write()
    found.lines(FIX, FIX, FIX, FIX[::-1], FIX[::-1])
    return found


def _finding(desk):
    return json.loads(desk.run("contradictions", SKILL, "--json").stdout)["findings"][0]


def test_contradictions_of_a_skill(desk):
    """Report and rows say the same; nothing is written by looking."""
    printed = desk.run("contradictions", SKILL).stdout
    assert printed.startswith("Contradiction Report: lint-on-save\n===================================\n")
    assert "Contradictions found: 1" in printed
    found = _finding(desk)
    assert (found["kind"], found["severity"], [side["count"] for side in found["sides"]]) == (
        "reversal",
        "conflict",
        [3, 2],
    )


def test_contradictions_of_a_skill_without_any(desk):
    """A skill without feedback has none, and that is no failure."""
    desk.write(name="quiet")
    assert "No contradictions detected" in desk.run("contradictions", "quiet").stdout
    assert "quiet" in desk.run("contradictions", "quite", code=2).stderr


def test_keeping_a_side_needs_a_terminal(desk):
    """Without one: exit 3 and nothing written."""
    finding, before = _finding(desk)["id"], tree(desk.machine.home)
    for side in ("both", "1"):
        desk.run("contradictions", SKILL, "--finding", finding, "--keep", side, code=3)
    assert tree(desk.machine.home) == before


def test_keeping_both_sides_releases_and_can_be_taken_back(desk):
    """Both: it holds nothing any more, on record; none: it holds again."""
    finding = _finding(desk)["id"]
    call = ("contradictions", SKILL, "--finding", finding[:8], "--keep")
    desk.at_terminal(*call, "both", "--note", "two kinds of project")
    assert _finding(desk)["released"]
    assert (desk.entries()[-1]["type"], desk.entries()[-1]["note"]) == ("release", "two kinds of project")
    desk.at_terminal(*call, "none")
    assert not _finding(desk)["released"]


def test_keeping_one_side_takes_the_others_back(desk):
    """The corrections of the other side are retracted in the ledger, and the change is free."""
    assert "HELD" in desk.run("refine", "--check", SKILL, code=1).stdout
    out, _ = desk.at_terminal("contradictions", SKILL, "--finding", _finding(desk)["id"], "--keep", "1")
    assert "Side 1 is kept; 2 corrections taken back" in out
    assert "No contradictions detected" in desk.run("contradictions", SKILL).stdout
    assert "ELIGIBLE" in desk.run("refine", "--check", SKILL).stdout
    assert "2 events taken back" in desk.run("feedback", SKILL, "--retracted").stdout


def test_contradictions_options_that_do_not_fit_are_told(desk):
    """A side without a finding, an unknown finding, a side that is none."""
    finding = _finding(desk)["id"]
    assert "go together" in desk.run("contradictions", SKILL, "--keep", "1", code=2).stderr
    for options in (("--finding", "ffffffff", "--keep", "1"), ("--finding", finding, "--keep", "7")):
        desk.at_terminal("contradictions", SKILL, *options, code=2)
