"""Commands that are run in a fork do what they do in a process of their own."""

import os
import subprocess
import sys

import pytest

from tests.cli.forking import can_fork, run_command
from tests.cli.people import FIX, SKILL, Desk

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here: every command has its own process")


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Desk:
    """A machine with a skill and three corrections of it."""
    from tests.cli.conftest import Machine

    found = Desk(Machine(tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("work")))
    found.write()
    found.lines(*[FIX] * 3)
    found.run("refine", "--check", SKILL)
    return found


@pytest.mark.parametrize(
    "call",
    [
        ("drift", SKILL),
        ("history", SKILL),
        ("contradictions", SKILL),
        ("feedback", SKILL, "--ids"),
        ("audit", "verify"),
        ("export", "--output", "out.csv"),
        ("turns", "nowhere"),
        ("train",),
        ("refine", "no-such-skill", "--json"),
    ],
    ids=" ".join,
)
def test_fork_and_process_say_the_same(desk, call):
    """Exit code, standard output and standard error are those of a process that starts with nothing imported."""
    here = {"cwd": desk.machine.cwd, "env": desk.machine.environment()}
    own = subprocess.run(
        [sys.executable, "-m", "skilltune", *call], capture_output=True, encoding="utf-8", check=False, **here
    )
    fork = run_command(*call, cwd=here["cwd"], environment=here["env"])
    assert (fork.returncode, fork.stdout, fork.stderr) == (own.returncode, own.stdout, own.stderr)
    assert own.stdout or own.stderr


def test_fork_leaves_nothing_to_the_next_one(desk, tmp_path):
    """Variables and the folder are those of one command; one that is killed is told by its signal."""
    run = {"cwd": desk.machine.cwd, "environment": desk.machine.environment()}
    assert run_command("mine", killed_after=0.001, **run).returncode < 0
    empty = run["environment"] | {"HOME": str(tmp_path)}
    assert SKILL not in run_command("refine", "--check", cwd=tmp_path, environment=empty).stdout
    assert SKILL in run_command("refine", "--check", **run).stdout


@pytest.mark.parametrize("name", ["PYTHONUTF8", "LC_ALL", "PYTHONPATH"])
def test_what_python_reads_at_its_start_needs_a_process(desk, name):
    """A fork would not see it."""
    environment = desk.machine.environment()
    assert can_fork(environment)
    assert not can_fork(environment | {name: "1"})
