"""A machine with an invented skill and a person at its terminal, for the tests of refinement."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Machine
from tests.cli.forking import run_command

SKILL = "lint-on-save"
HEAD = "---\nname: lint-on-save\ndescription: Use when files are saved.\n---\n"
BODY = (
    "# Lint on save\n\nRun npx eslint --fix . after every save and read what it says before going on.\n\n"
    "## Rules\n\nUse tabs in the source files. Keep the lines short, name things in full, and leave the generated\n"
    "files alone. Report what could not be mended at the end, in a list, with the file and the line of each.\n"
    "Ask before a rule is switched off. Never commit on behalf of the person, whatever the linter says about it.\n"
)
FIX = ("npx eslint --fix .", "npx eslint --fix --ext .ts,.tsx .")
TABS = ("Use tabs", "Use spaces")


class Desk:
    """A person's machine: skills, and skilltune with or without a terminal."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.run = machine.run

    def file(self, name: str = SKILL) -> Path:
        """A skill's file."""
        return self.machine.home / ".claude" / "skills" / name / "SKILL.md"

    @property
    def log(self) -> Path:
        """The audit log of the user's skills."""
        return self.machine.home / ".claude" / ".audit-log.jsonl"

    @property
    def ledger(self) -> Path:
        """The ledger of the user's workspace."""
        return self.machine.home / ".skilltune" / "ledger.jsonl"

    def write(self, content: str = HEAD + BODY, *, name: str = SKILL) -> None:
        """Put a skill there."""
        self.file(name).parent.mkdir(parents=True, exist_ok=True)
        self.file(name).write_bytes(content.encode())

    def settings(self, text: str) -> None:
        """Write the user's config.toml."""
        folder = self.machine.home / ".skilltune"
        folder.mkdir(exist_ok=True)
        (folder / "config.toml").write_text(text, encoding="utf-8")

    def lines(
        self,
        *corrections: tuple[str, str],
        skill: str = SKILL,
        first: int = 0,
        day: str = "2026-11-20",
        folder: Path | str = "",
    ) -> None:
        """Put corrections into the ledger as another tool writes them, each in a session of its own."""
        self.ledger.parent.mkdir(exist_ok=True)
        with self.ledger.open("a", encoding="utf-8") as file:
            for number, (original, corrected) in enumerate(corrections, first + 1):
                row = {
                    "type": "correction",
                    "skillName": skill,
                    "sessionId": f"s{number}",
                    "original": original,
                    "corrected": corrected,
                    "id": f"{skill[:4]}-{number}",
                    "timestamp": f"{day}T10:{number % 60:02}:00.000Z",
                }
                if folder:
                    row["skillFolder"] = str(folder)
                file.write(json.dumps(row) + "\n")

    def at_terminal(self, *arguments: str, code: int = 0, **environment: str) -> tuple[str, str]:
        """Run skilltune with a terminal as standard input; what it printed, and what it said on standard error."""
        pty = pytest.importorskip("pty", reason="a terminal that a test can type on")
        ours, theirs = pty.openpty()
        try:
            done = run_command(
                *arguments,
                cwd=self.machine.cwd,
                environment=self.machine.environment(**environment),
                stdin=os.ttyname(theirs),
            )
        finally:
            os.close(theirs)
            os.close(ours)
        assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout, done.stderr

    def on_screen(self, *arguments: str, **environment: str) -> str:
        """Run skilltune with a terminal for everything; what stood on it."""
        pty = pytest.importorskip("pty", reason="a terminal that a test can read")
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "skilltune", *arguments],
            cwd=self.machine.cwd,
            env=self.machine.environment(TERM="xterm", COLUMNS="80", **environment),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        shown = b""
        try:
            while piece := _read(ours):
                shown += piece
        finally:
            os.close(ours)
            process.wait(timeout=120)
        return shown.decode()

    def shown(self, *options: str, code: int = 0) -> dict:
        """The suggestion for the skill, as programs get it."""
        return json.loads(self.run("refine", SKILL, *options, "--json", code=code).stdout)

    def approve(self, *options: str, code: int = 0) -> tuple[str, str]:
        """Approve the suggestion as it is now."""
        digest = self.shown(*options)["digest"]
        return self.at_terminal("refine", SKILL, *options, "--approve", digest, code=code)

    def entries(self) -> list[dict]:
        """The entries of the audit log."""
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]


def _read(file: int) -> bytes:
    """What stands on a terminal; b"" once nobody writes any more."""
    try:
        return os.read(file, 65536)
    except OSError:
        return b""
