"""The command line in places of its own: disks that are full or read only, homes that are missing."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sources.claude_code.building import Transcript, write

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def sessions(tmp_path_factory):
    """A folder of 200 sessions with a judged use in each."""
    folder = tmp_path_factory.mktemp("sessions")
    for number in range(200):
        session = Transcript(f"s{number}", prefix=f"u{number}-").user("make it")
        session.call("Skill", f"t{number}", skill="tea").result("ok", f"t{number}").agent("done")
        write(folder / "-srv-shop" / f"s{number:03}.jsonl", session.user(f"that is wrong, number {number}"))
    return folder


@pytest.fixture
def run(tmp_path) -> Run:
    """``skilltune`` as a process, with a home of its own; the shell words `before` run first and see mounts alone."""

    def run(*words, before="", user=None, environment=None, **more):
        command = [sys.executable, "-m", "skilltune", *map(str, words)]
        if before:
            alone = ["unshare", "--mount"] if "mount " in before else []
            command = [*alone, "sh", "-ec", f'{before}\nexec "$@"', "sh", *command]
        own = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "SKILLTUNE_CACHE": "off"}
        return subprocess.run(
            command,
            env={key: value for key, value in (own | (environment or {})).items() if value is not None},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            user=user,
            timeout=200,
            **more,
        )

    return run


@pytest.fixture(scope="session")
def mined(sessions, tmp_path_factory):
    """A workspace into which they were read without a fault."""
    folder = tmp_path_factory.mktemp("mined")
    command = [
        sys.executable,
        "-m",
        "skilltune",
        "mine",
        "--session-dir",
        str(sessions),
        "--workspace",
        str(folder / "w"),
    ]
    subprocess.run(command, env=os.environ | {"HOME": str(folder)}, check=True, capture_output=True)
    return folder / "w"


@pytest.fixture(scope="session")
def may_mount(tmp_path_factory) -> None:
    """Skip where this process may not mount a small disk in a namespace of its own."""
    folder = tmp_path_factory.mktemp("mount")
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not here, which makes disks that only a test sees")
    command = ["unshare", "--mount", "mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount a small disk")


def events(workspace: Path) -> set[bytes]:
    """The lines of a feedback log, its archive included."""
    return {
        line
        for path in [workspace / "feedback.jsonl", *workspace.glob("archive/*.jsonl")]
        if path.exists()
        for line in path.read_bytes().splitlines()
    }
