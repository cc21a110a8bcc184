"""Odd machines and hostile names: a clear message, never a traceback, never obeyed."""

import os
import signal
import subprocess
import sys
import time

import pytest

ROOT_ONLY = pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="needs another user to be")


def _as_nobody(machine, *arguments):
    """Run skilltune as a user who owns nothing here."""
    return subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-m", "skilltune", *arguments],
        cwd="/",
        env=machine.environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_hostile_names_do_not_reach_the_terminal(machine, talk):
    """Escape sequences in a skill's name, a folder's name or an option are shown, not sent."""
    name = "\u001b]0;owned\u0007\u202eevil"
    path = machine.session("s1", talk("s1", "No, that is wrong.", skill=name), folder="-home-\u001b[2J-me")
    machine.run("mine")
    for arguments in (["mine", "--explain"], ["metrics"], ["metrics", "--plain"], ["trend"], ["events"], ["sources"]):
        done = machine.run(*arguments)
        assert "\u001b" not in done.stdout + done.stderr, arguments
    done = machine.run("turns", path.parent)
    assert "\u001b" not in done.stdout
    assert "\u001b" not in machine.run("metrics", "\u001b[31mx", code=2).stderr


@pytest.mark.parametrize("arguments", [["sources"], ["mine"], ["report"]])
@ROOT_ONLY
def test_folder_of_somebody_else_is_named_and_no_sample_is_shown(machine, talk, arguments):
    """Sessions that may not be looked into end with exit code 4 (2 for the workspace) and the reason, no traceback."""
    machine.session("s1", talk("s1", "No, that is wrong."))
    probe = _as_nobody(machine, "--version")
    if probe.returncode != 0:
        pytest.skip("another user cannot run this Python")
    os.chmod(machine.home / ".claude", 0o700)  # noqa: PTH101
    done = _as_nobody(machine, *arguments)
    assert "Traceback" not in done.stderr
    assert "sample" not in done.stdout
    if arguments != ["sources"]:
        assert done.returncode in (2, 3, 4), done.stderr
        assert "skilltune:" in done.stderr


FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110


def _into(machine, target, *arguments):
    """Run skilltune with its output going to a file; exit code and what it said on standard error."""
    with open(target, "w") as out:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-m", "skilltune", *arguments],
            cwd=machine.cwd,
            env=machine.environment(),
            stdout=out,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["--help"],
        [],
        ["metrics"],
        ["metrics", "--json"],
        ["events"],
        ["label", "status"],
        ["label", "status", "--json"],
        ["sources"],
        ["mine"],
    ],
    ids=" ".join,
)
@FULL
def test_output_that_cannot_be_written_is_one_line(machine, talk, arguments):
    """A full device ends each command with its own exit code and a message that says what to do, not a fault."""
    machine.session("s1", talk("s1", "No, that is wrong."))
    machine.run("mine")
    code, told = _into(machine, "/dev/full", *arguments)
    assert code == 6, told
    assert told.strip().splitlines()[-1].startswith("skilltune: the output cannot be written: No space left on device")
    assert "fault" not in told
    assert "Traceback" not in told
    assert "Exception ignored" not in told


@FULL
def test_message_that_cannot_be_written_keeps_the_exit_code(machine):
    """Where nothing at all can be said, the code still tells what went wrong."""
    with open("/dev/full", "w") as full:  # noqa: PTH123
        for arguments, code in ((["metrics", "--nonsense"], 2), (["metrics"], 4), (["--version"], 6)):
            done = subprocess.run(
                [sys.executable, "-m", "skilltune", *arguments],
                cwd=machine.cwd,
                env=machine.environment(),
                stdout=full,
                stderr=full,
                check=False,
            )
            assert done.returncode == code, arguments


def test_report_that_is_ended_leaves_nothing_behind(machine, tmp_path):
    """A report ended in the middle removes its temporary files, as Ctrl-C does."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "skilltune", "report", "--sample"],
        cwd=machine.cwd,
        env=machine.environment(TMPDIR=str(scratch)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    time.sleep(3)
    process.send_signal(signal.SIGTERM)
    _, told = process.communicate(timeout=60)
    assert process.returncode in (0, 130)
    assert "Traceback" not in told
    assert [path.name for path in scratch.iterdir()] == []
