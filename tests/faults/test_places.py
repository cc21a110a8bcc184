"""Odd machines: no home, few files, little memory, plain locales, closed pipes, clocks that jump."""

import json
import shutil

import pytest

from tests.faults.conftest import events

pytestmark = pytest.mark.long


def test_home_that_cannot_be_made_is_named(tmp_path, run, sessions):
    """The message names the folder and how to choose another one; with one, all goes on."""
    done = run("mine", "--session-dir", sessions, environment={"HOME": "/proc/none"})
    assert done.returncode in (2, 6)
    assert "/proc/none" in done.stderr
    assert "--workspace" in done.stderr
    assert "Traceback" not in done.stderr
    words = ("mine", "--session-dir", sessions, "--workspace", tmp_path / "w")
    assert run(*words, environment={"HOME": "/proc/none", "SKILLTUNE_CACHE": "on"}).returncode == 0
    assert len(events(tmp_path / "w")) == 200


def test_empty_environment(tmp_path, run, sessions):
    """No variable at all: no HOME, no PATH, no locale."""
    nothing = {"HOME": None, "PATH": None, "SKILLTUNE_CACHE": None}
    done = run("mine", "--session-dir", sessions, "--workspace", tmp_path / "w", environment=nothing)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(events(tmp_path / "w")) == 200


def test_plain_locale_without_utf8(tmp_path, run, sessions):
    """Names that the locale does not know are read and written as bytes; a report says what to set."""
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    place = ("--workspace", tmp_path / "茶")
    assert run("mine", "--session-dir", sessions, *place, environment=plain).returncode == 0
    assert len(events(tmp_path / "茶")) == 200
    shown = run("events", *place, environment=plain)
    assert shown.returncode == 0
    assert shown.stdout.isascii()
    made = run("report", "--no-mine", *place, "--output", tmp_path / "r", environment=plain)
    assert made.returncode == 2
    assert "LC_ALL=C.UTF-8" in made.stderr


def test_few_open_files(tmp_path, run, sessions):
    """Thirty-two are enough for any number of sessions."""
    words = ("mine", "--session-dir", sessions, "--workspace", tmp_path / "w", "--workers", 1)
    done = run(*words, before="ulimit -n 32 || exit 0")
    assert done.returncode == 0, done.stderr
    assert len(events(tmp_path / "w")) == 200


def test_too_little_memory_is_said(tmp_path, run, sessions):
    """It is called that, and no fault of skilltune."""
    done = run("mine", "--session-dir", sessions, "--workspace", tmp_path / "w", before="ulimit -v 300000")
    assert done.returncode == 70
    assert "there is not memory enough" in done.stderr


def test_output_that_nobody_reads(tmp_path, run, mined):
    """A closed output ends quietly, a full one with exit 6 and the reason."""
    words = ("events", "--last", "1000", "--workspace", mined)
    closed = run(*words, before='"$@" | head -c 1 >/dev/null\nexit 0')
    assert closed.stderr == ""
    full = run(*words, before='exec "$@" > /dev/full')
    assert full.returncode == 6
    assert "No space left on device" in full.stderr


@pytest.mark.skipif(shutil.which("faketime") is None, reason="needs faketime, another clock for a process")
def test_clock_that_jumps_back_and_forth(tmp_path, run, sessions, mined):
    """What a wrong clock made of the log is put right by the next run: the same events."""
    workspace = shutil.copytree(mined, tmp_path / "w")
    words = ("mine", "--session-dir", sessions, "--workspace", workspace)
    shown = ("events", "--json", "--last", "1000", "--workspace", workspace)
    before = json.loads(run(*shown).stdout)
    assert len(before) == 200
    for clock in ("2020-01-01", "2031-01-01"):
        assert run(*words, before=f"exec faketime '{clock}' \"$@\"").returncode == 0
    assert run(*words).returncode == 0
    after = json.loads(run(*shown).stdout)
    assert [event | {"supersedes": ""} for event in after] == [event | {"supersedes": ""} for event in before]
