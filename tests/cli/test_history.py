"""``skilltune history`` and ``rollback`` as a person runs them."""

import json

import pytest

from tests.cli.people import BODY, FIX, HEAD, SKILL, Desk


@pytest.fixture
def desk(machine) -> Desk:
    """A machine with a skill that was refined once; Windows line ends, no final one."""
    found = Desk(machine)
    found.write((HEAD + BODY).replace("\n", "\r\n").rstrip("\r\n"))
    found.original = found.file().read_bytes()
    found.lines(*[FIX] * 3)
    found.approve("--no-commit")
    return found


def test_rollback_restores_the_exact_bytes(desk):
    """Without a name of a version: the text before the last refinement; then forwards again, byte for byte."""
    refined = desk.file().read_bytes()
    out, _ = desk.at_terminal("rollback", SKILL, "--note", "not yet")
    assert "has the text of version 1 again; it is version 3 now" in out
    assert "Undo: skilltune rollback lint-on-save --to 2" in out
    assert desk.file().read_bytes() == desk.original
    row = json.loads(desk.at_terminal("rollback", SKILL, "--to", "2", "--json")[0])
    assert (row["version"], row["entry"]["toVersion"]) == (4, 2)
    assert desk.file().read_bytes() == refined


def test_rollback_needs_a_person(desk):
    """Without a terminal nothing is written, whatever is asked for: exit 3."""
    refined = desk.file().read_bytes()
    for options in ((), ("--to", "1"), ("--json",)):
        assert "no terminal" in desk.run("rollback", SKILL, *options, code=3).stderr
    assert desk.file().read_bytes() == refined


def test_rollback_leaves_the_cooldown_where_it_was(desk):
    """A rolled-back file does not make a skill eligible sooner."""
    desk.at_terminal("rollback", SKILL)
    assert "IN COOLDOWN (7 days remaining)" in desk.run("refine", "--check", SKILL, code=1).stdout


def test_rollback_over_outside_edits_needs_a_person(desk):
    """An edit made since is shown and not overwritten: exit 3; at a terminal it is replaced, and kept as a version."""
    desk.file().write_bytes(b"my own words\n")
    assert "was edited since" in desk.at_terminal("rollback", SKILL, "--to", "1", code=3)[1]
    assert "no terminal" in desk.run("rollback", SKILL, "--to", "1", "--over-outside-edits", code=3).stderr
    assert desk.file().read_bytes() == b"my own words\n"
    assert "Edited outside of skilltune" in desk.run("history", SKILL).stdout
    desk.at_terminal("rollback", SKILL, "--to", "1", "--over-outside-edits")
    assert desk.file().read_bytes() == desk.original
    desk.at_terminal("rollback", SKILL, "--to", "3")
    assert desk.file().read_bytes() == b"my own words\n"


@pytest.mark.parametrize(
    ("target", "code", "words"),
    [("9", 2, "no version or commit"), ("2", 3, "is that text already"), ("--help;", 2, "no version or commit")],
)
def test_rollback_to_nothing_is_told(desk, target, code, words):
    """An unknown version or commit, or the text that is there."""
    assert words in desk.at_terminal("rollback", SKILL, f"--to={target}", code=code)[1]


def test_rollback_of_a_skill_never_refined_is_refused(desk):
    """There is nothing to roll back: exit 3."""
    desk.write(name="quiet")
    assert "was never refined" in desk.at_terminal("rollback", "quiet", code=3)[1]


def test_history_lists_versions_and_decisions(desk):
    """A line a version with change and drift, decisions below; the same for programs."""
    desk.at_terminal("rollback", SKILL, "--note", "too\x1b[2J early")
    printed = desk.run("history", SKILL).stdout
    assert printed.startswith("History: lint-on-save\n======================\nCurrent version: 3\n")
    lines = printed.splitlines()
    assert [line.split()[0] for line in lines[5:8]] == ["1", "2", "3"]
    assert "refined (4%, drift 3.6%)" in lines[6]
    assert "Decisions:" in lines
    assert "\x1b" not in printed
    row = json.loads(desk.run("history", SKILL, "--json").stdout)
    assert [version["type"] for version in row["versions"]] == ["first_seen", "refine", "rollback"]
    assert [act["type"] for act in row["acts"]] == ["first_seen", "approve", "refine", "rollback"]


def test_history_of_a_skill_nobody_touched_says_so(desk):
    """No entry: no version, and no failure."""
    desk.write(name="quiet")
    assert "Nothing was ever done to it." in desk.run("history", "quiet").stdout
