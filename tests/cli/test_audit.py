"""``skilltune audit verify`` as a person runs it: the chain, its first bad line, entries that were taken off."""

import json

import pytest

from tests.cli.people import FIX, SKILL, Desk


@pytest.fixture
def desk(machine) -> Desk:
    """A machine with a skill that was refined and rolled back."""
    found = Desk(machine)
    found.write()
    found.lines(*[FIX] * 3)
    found.approve()
    found.at_terminal("rollback", SKILL)
    return found


def test_audit_of_a_whole_log(desk):
    """Path, entries, exit 0; one log for all skills of its folder; by a skill's name, too."""
    desk.write(name="quiet")
    (row,) = json.loads(desk.run("audit", "verify", "--json").stdout)
    assert (row["path"], row["entries"], row["whole"], row["bad_line"], row["edited"]) == (
        str(desk.log),
        4,
        True,
        None,
        [],
    )
    assert f"{desk.log}: 4 entries, the chain holds" in desk.run("audit", "verify", SKILL).stdout


def test_audit_names_the_first_bad_line(desk):
    """An entry that was changed, one that was taken out: exit 4 and the line."""
    lines = desk.log.read_text().splitlines(keepends=True)
    desk.log.write_text("".join([lines[0], lines[1].replace('"approve"', '"reject"', 1), *lines[2:]]))
    assert f"{desk.log}:2: hash is not that of the entry" in desk.run("audit", "verify", code=4).stdout
    desk.log.write_text("".join([lines[0], *lines[2:]]))
    (row,) = json.loads(desk.run("audit", "verify", "--json", code=4).stdout)
    assert (row["bad_line"], row["entries"], row["whole"]) == (2, 1, False)


def test_audit_sees_that_last_entries_were_taken_off(desk):
    """The chain holds, but the skill's file is not what the last entry left."""
    lines = desk.log.read_text().splitlines(keepends=True)
    desk.log.write_text("".join(lines[:-1]))
    printed = desk.run("audit", "verify").stdout
    assert "the chain holds" in printed
    assert "lint-on-save: the file is not what the last entry left" in printed


def test_audit_without_a_log_says_so(machine):
    """Nothing was ever done: no log, exit 0; programs get an empty list."""
    assert "no audit log yet" in machine.run("audit", "verify").stdout
    assert json.loads(machine.run("audit", "verify", "--json").stdout) == []


def test_audit_alone_shows_help(machine):
    """The group without a command explains itself."""
    assert "verify" in machine.run("audit").stdout
