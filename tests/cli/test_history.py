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


def test_history_tells_an_approval_that_nothing_came_of(machine):
    """A file that could not be written: the approval stands in the log, and history says that it was not applied."""
    desk = Desk(machine)
    desk.write()
    desk.lines(*[FIX] * 3)
    in_the_way = desk.file().with_name(".SKILL.md.skilltune-new") / "x"
    in_the_way.mkdir(parents=True)
    assert "cannot be replaced" in desk.approve("--no-commit", code=4)[1]
    digest = desk.shown()["digest"][:12]
    assert f"approved {digest} (not applied) by" in desk.run("history", SKILL).stdout
    in_the_way.rmdir()
    in_the_way.parent.rmdir()
    desk.approve("--no-commit")
    told = desk.run("history", SKILL).stdout
    assert (told.count("(not applied)"), told.count(f"approved {digest}")) == (1, 2)
    acts = json.loads(desk.run("history", SKILL, "--json").stdout)["acts"]
    assert [act.get("applied", True) for act in acts if act["type"] == "approve"] == [False, True]


def test_history_and_undo_of_a_renamed_skill_and_of_a_log_begun_anew(desk):
    """Renamed, then the log lost and begun anew: what was refined is told, and the command that is named undoes it."""
    desk.file().parent.rename(desk.file("lint-too").parent)
    told = desk.run("history", "lint-too").stdout
    assert "refined" in told
    assert "Next: skilltune rollback lint-too --to 1" in told
    desk.run("drift", "lint-too")
    desk.log.unlink()
    desk.at_terminal("audit", "restart", "lint-too", "--note", "lost")
    told = desk.run("history", "lint-too").stdout
    assert "audit log begun anew" in told
    assert "Next: skilltune rollback lint-too --to 1" in told
    desk.at_terminal("rollback", "lint-too", "--to", "1")
    assert desk.file("lint-too").read_bytes() == desk.original


def test_audit_log_that_cannot_be_written_ends_with_4(desk):
    """What lies in the way of the snapshots: exit 4, the skill is unchanged, and no option is named that moves them."""
    refined = desk.file().read_bytes()
    folder = desk.log.parent / ".skill-snapshots"
    folder.rename(folder.with_name("away"))
    folder.write_text("in the way")
    _, errors = desk.at_terminal("drift", SKILL, "--reset-baseline", "--note", "grown", code=4)
    assert "nothing was written, and no skill is changed" in errors
    assert "--workspace" not in errors
    desk.log.unlink()
    desk.log.mkdir()
    folder.unlink()
    folder.with_name("away").rename(folder)
    _, errors = desk.at_terminal("drift", SKILL, "--set-limit", "70", "--note", "longer", code=4)
    assert "it is no regular file" in errors
    assert desk.file().read_bytes() == refined


@pytest.mark.parametrize("numbers", ["١", "1,２", "0x1"])
def test_numbers_of_changes_are_plain_digits(desk, numbers):
    """Digits of other scripts are no numbers here, as an identifier typed by mistake would else be taken for one."""
    assert "--changes is" in desk.run("refine", SKILL, "--changes", numbers, code=2).stderr
