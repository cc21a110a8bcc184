"""``skilltune drift`` as a person runs it: the figure, the diff, a limit and a baseline taken anew."""

import json

import pytest

from tests.cli.people import BODY, HEAD, SKILL, Desk
from tests.refining.homes import tree


@pytest.fixture
def desk(machine) -> Desk:
    """A machine with a skill that was edited since skilltune first saw it."""
    found = Desk(machine)
    found.write()
    found.run("drift", SKILL)
    found.write(HEAD + BODY.replace("Keep the lines short, name things in full", "Write as you like"))
    return found


def test_drift_of_an_edited_skill_and_its_diff(desk):
    """The figure with one decimal, that it was edited outside, and the lines that differ from the baseline."""
    printed = desk.run("drift", SKILL).stdout
    row = json.loads(desk.run("drift", SKILL, "--json").stdout)
    assert f"Cumulative drift: {row['drift_percent']:.1f}%" in printed
    assert "edited outside of skilltune" in " ".join(printed.split())
    assert (row["outside_edit"], row["baseline"]["source"], row["version"]) == (True, "file", 2)
    diff = desk.run("drift", SKILL, "--diff").stdout
    assert "+Use tabs in the source files. Write as you like" in diff
    assert json.loads(desk.run("drift", SKILL, "--diff", "--json").stdout)["diff"].startswith("--- a/SKILL.md")


def test_drift_without_a_change_has_no_diff(desk):
    """The baseline itself: 0.0 %, and words in place of an empty diff."""
    desk.write()
    assert "Cumulative drift: 0.0%" in desk.run("drift", SKILL).stdout
    assert "is its baseline" in desk.run("drift", SKILL, "--diff").stdout


@pytest.mark.parametrize("option", [("--reset-baseline",), ("--set-limit", "80")])
def test_drift_acts_need_a_terminal_and_a_note(desk, option):
    """No terminal: exit 3; no note: exit 2; neither writes a byte."""
    before = tree(desk.machine.home)
    assert "no terminal" in desk.run("drift", SKILL, *option, "--note", "why", code=3).stderr
    _, errors = desk.at_terminal("drift", SKILL, *option, code=2)
    assert "the note is empty" in errors
    assert tree(desk.machine.home) == before


def test_drift_limit_and_baseline_are_acts_on_record(desk):
    """A limit that is reached halts, another one lifts it, a baseline taken anew begins at 0; all in the log."""
    desk.at_terminal("drift", SKILL, "--set-limit", "5", "--note", "careful")
    printed = desk.run("drift", SKILL).stdout
    assert "Threshold: 5%" in printed
    assert "Status: THRESHOLD EXCEEDED" in printed
    out, _ = desk.at_terminal("drift", SKILL, "--reset-baseline", "--note", "a new start")
    assert "from now on" in out
    assert "Cumulative drift: 0.0%" in desk.run("drift", SKILL).stdout
    entries = desk.entries()
    assert [entry["type"] for entry in entries] == ["first_seen", "outside_edit", "set_limit", "reset_baseline"]
    assert [entry["note"] for entry in entries[2:]] == ["careful", "a new start"]


def test_drift_that_is_reached_refuses_a_refinement(desk):
    """Over the limit: refine exits with 3 and says what to do; the overview says so, too."""
    desk.at_terminal("drift", SKILL, "--set-limit", "5", "--note", "careful")
    desk.lines(*[("Use tabs", "Use spaces")] * 3)
    shown = desk.run("refine", SKILL, code=3).stdout
    assert "drift now" in shown
    assert "raise the limit for this skill" in " ".join(shown.split())
    digest = desk.shown(code=3)["digest"]
    _, errors = desk.at_terminal("refine", SKILL, "--approve", digest, code=3)
    assert "limit 5 %" in errors
    assert "drift reached" in desk.run("refine", "--check").stdout


def test_drift_options_that_do_not_fit_are_told(desk):
    """Two acts at once, a limit out of its range, no name, two names."""
    desk.run("drift", SKILL, "--diff", "--reset-baseline", code=2)
    desk.at_terminal("drift", SKILL, "--set-limit", "0", "--note", "x", code=2)
    assert "name the skill" in desk.run("drift", code=2).stderr
    assert "two skills are named" in desk.run("drift", SKILL, "--skill", "other", code=2).stderr
