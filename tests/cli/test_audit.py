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
    """A log that is shorter than it was is damaged, and the next step is named."""
    lines = desk.log.read_text().splitlines(keepends=True)
    desk.log.write_text("".join(lines[:-1]))
    assert str(desk.log) in desk.run("audit", "verify", code=4).stdout
    assert "skilltune audit restart" in desk.run("refine", SKILL, code=4).stderr


def test_audit_restart_keeps_the_bounds(desk):
    """At a terminal, with a note: the old log is kept, the cooldown goes on, the new log is whole."""
    restart = ("audit", "restart", SKILL)
    whole = desk.log.read_bytes()
    desk.log.write_bytes(whole.replace(b'"approve"', b'"reject"', 1))
    before = desk.log.read_bytes()
    assert "no terminal" in desk.run(*restart, "--note", "why", code=3).stderr
    assert "the note is empty" in desk.at_terminal(*restart, code=2)[1]
    assert desk.log.read_bytes() == before
    row = json.loads(desk.at_terminal(*restart, "--note", "a bad disk", "--json")[0])
    assert (row["path"], row["skills"]) == (str(desk.log), [SKILL])
    assert desk.log.parent.joinpath(row["aside"]).read_bytes() == before
    assert "the chain holds" in desk.run("audit", "verify").stdout
    desk.lines(*[("Use tabs", "Use spaces")] * 3, first=10)
    assert "IN COOLDOWN" in desk.run("refine", "--check", SKILL, code=1).stdout
    assert "nothing to begin anew" in desk.at_terminal(*restart, "--note", "again", code=2)[1]
    assert "FOLDER|SKILL" in desk.run("audit", "restart", "--help").stdout
    assert "name the folder of the log or a skill" in desk.run("audit", "restart", code=2).stderr


def test_audit_without_a_log_says_so(machine):
    """Nothing was ever done: no log, exit 0; programs get an empty list."""
    assert "no audit log yet" in machine.run("audit", "verify").stdout
    assert json.loads(machine.run("audit", "verify", "--json").stdout) == []


def test_audit_alone_shows_help(machine):
    """The group without a command explains itself."""
    assert "verify" in machine.run("audit").stdout
