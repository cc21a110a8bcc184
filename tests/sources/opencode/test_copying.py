"""Copies of databases."""

import errno
import shutil
import sqlite3
import tempfile
from contextlib import closing
from typing import NamedTuple

import pytest

from skilltune.errors import ReadError
from skilltune.sources.opencode import SOURCE, copying
from tests.sources.opencode.building import Talk, fill_database, turns, write_database


class Room(NamedTuple):
    """The bytes of a disk."""

    total: int
    used: int
    free: int


@pytest.fixture
def room(monkeypatch, tmp_path):
    """Sets the free bytes of the first folder for copies and of the others; gives the first one."""
    (first := tmp_path / "first").mkdir()

    def given(here, elsewhere):
        monkeypatch.setattr(tempfile, "tempdir", str(first))
        free = lambda folder: Room(1, 1, here if str(folder) == str(first) else elsewhere)  # noqa: E731
        monkeypatch.setattr(shutil, "disk_usage", free)
        return first

    return given


def test_copy_lies_where_there_is_room(tmp_path, room):
    """A copy that has no room in the folder for temporary files lies elsewhere, and goes afterwards."""
    path = write_database(tmp_path / "opencode.db", Talk().user("go"))
    first = room(0, 10**12)
    with copying.opened_copy(path) as connection:
        (_, _, name) = connection.execute("PRAGMA database_list").fetchone()
        copy = tmp_path.__class__(name.decode())
        assert copy.exists()
        assert not copy.is_relative_to(first)
    assert not copy.parent.exists()


def test_copy_without_room_is_refused(tmp_path, room):
    """With no room anywhere the error names the file, its size, the folders and what helps."""
    path = write_database(tmp_path / "opencode.db", Talk().user("go"))
    first = room(0, 0)
    with pytest.raises(ReadError, match=r"opencode\.db: its copy of [\d,]+ bytes has no room in .*first or .*TMPDIR"):
        SOURCE.read_facts(path)
    assert list(first.iterdir()) == []


def test_copy_that_fills_the_disk_is_refused(tmp_path, monkeypatch):
    """A disk that fills up while copying is named with what helps, and the copy goes."""
    path = write_database(tmp_path / "opencode.db", Talk().user("go"))
    (folder := tmp_path / "small").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))

    def fill(_source, target):
        target.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", fill)
    with pytest.raises(ReadError, match=r"opencode\.db: its copy has no room in .*small.*TMPDIR"):
        SOURCE.read_facts(path)
    assert list(folder.iterdir()) == []


def test_copy_of_a_database_that_is_written_meanwhile(tmp_path, monkeypatch):
    """What was copied while somebody wrote is copied again; if they never stop, the error says so."""
    path = write_database(tmp_path / "opencode.db", Talk().user("one"))
    whole, written = shutil.copyfile, [Talk("ses_2").user("two")]

    def copy_and_write(source, target):
        whole(source, target)
        if written:
            write_database(path, written.pop())

    monkeypatch.setattr(shutil, "copyfile", copy_and_write)
    assert [turn.text for turn in turns(SOURCE.read_facts(path))] == ["one", "two"]
    written += [Talk(f"ses_{number}").user("more") for number in range(3, 20)]
    with pytest.raises(ReadError, match="written all the time"):
        SOURCE.read_facts(path)


@pytest.fixture
def logged(tmp_path):
    """A database that another program has open, with one session in its log."""
    with closing(sqlite3.connect(tmp_path / "opencode.db")) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        fill_database(writer, Talk().user("one"))
        writer.commit()
        yield writer


@pytest.fixture
def meanwhile(monkeypatch):
    """Calls something after each file that is copied; gives the list of the files."""

    def given(act):
        whole, copied = shutil.copyfile, []

        def copy_and_act(source, target):
            whole(source, target)
            copied.append(source.name)
            act(len(copied))

        monkeypatch.setattr(shutil, "copyfile", copy_and_act)
        return copied

    return given


def said_in(folder):
    """The words of all turns in the database of a folder."""
    return [turn.text for turn in turns(SOURCE.read_facts(folder / "opencode.db"))]


def add(writer, number):
    """Commit a session."""
    fill_database(writer, Talk(f"ses_{number + 1}", start=1767607200000 + number).user(f"more {number}"))
    writer.commit()


@pytest.mark.parametrize("moves", [False, True])
def test_copy_of_a_database_whose_log_grows(tmp_path, logged, meanwhile, moves):
    """A log that only grows is copied once, whether or not pages of it go into the database meanwhile."""
    with closing(sqlite3.connect(tmp_path / "opencode.db", isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM session").fetchall()

        def write(number):
            add(logged, number)
            if moves:
                assert logged.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[2] > 0

        copied = meanwhile(write)
        assert said_in(tmp_path) == ["one", "more 1"]
        assert copied == ["opencode.db", "opencode.db-wal"]


def test_copy_of_a_database_whose_log_begins_anew(tmp_path, logged, meanwhile):
    """A log that was begun anew after the database was copied does not go with it: both are copied again."""

    def write(number):
        if number <= limit:
            logged.execute("PRAGMA wal_checkpoint(RESTART)")
            add(logged, number)

    limit, copied = 1, meanwhile(write)
    assert said_in(tmp_path) == ["one", "more 1"]
    assert len(copied) == 4
    limit = 100
    with pytest.raises(ReadError, match="written all the time"):
        said_in(tmp_path)


def test_copy_of_a_database_whose_log_goes(tmp_path, logged, meanwhile):
    """A log that its program takes away between the two is in the database then: it is copied again."""
    copied = meanwhile(lambda _number: logged.close())
    assert said_in(tmp_path) == ["one"]
    assert copied == ["opencode.db"] * 2


@pytest.mark.usefixtures("logged")
def test_copy_of_a_database_behind_a_link(tmp_path):
    """The log of a database that a link leads to lies beside the database; both count in the size."""
    (tmp_path / "home").mkdir()
    (link := tmp_path / "home" / "opencode.db").symlink_to(tmp_path / "opencode.db")
    facts = SOURCE.read_facts(link)
    assert ([turn.text for turn in turns(facts)], facts.path) == (["one"], str(link))
    assert facts.size == sum((tmp_path / name).stat().st_size for name in ("opencode.db", "opencode.db-wal"))
    assert SOURCE.sniff(link)


def test_copy_of_a_database_that_vanished(tmp_path):
    """A database that is not there cannot be read."""
    with pytest.raises(ReadError, match=r"gone\.db: No such file"), copying.opened_copy(tmp_path / "gone.db"):
        pass
