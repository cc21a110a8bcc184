"""A person's machine in a folder: a home with sessions, and the command line run as a process."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.forking import run_command, usual

Run = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Machine:
    """A home folder, a current folder, and ``run`` to call skilltune there."""

    home: Path
    cwd: Path

    @property
    def projects(self) -> Path:
        """Where Claude Code keeps its sessions."""
        return self.home / ".claude" / "projects"

    def environment(self, **more: str) -> dict[str, str]:
        """The variables that a process of this machine sees."""
        return usual() | {"HOME": str(self.home), **more}

    def run(self, *arguments: str | Path, code: int = 0, **environment: str) -> Run:
        """Run skilltune; the test fails unless it ends with `code`."""
        done = run_command(*map(str, arguments), cwd=self.cwd, environment=self.environment(**environment))
        assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def session(self, name: str, records: list[dict[str, object]], *, folder: str = "-home-me-shop") -> Path:
        """Write one session of Claude Code."""
        path = self.projects / folder / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return path


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine with an empty home and an empty current folder."""
    home, cwd = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    cwd.mkdir()
    return Machine(home, cwd)


@pytest.fixture
def talk() -> Callable[..., list[dict[str, object]]]:
    """Makes the records of a session in which a skill is used and a person answers."""

    def make(
        session: str, *answers: str, skill: str = "tidy-imports", day: str = "2026-11-20"
    ) -> list[dict[str, object]]:
        def record(number: int, kind: str, content: object) -> dict[str, object]:
            return {
                "type": kind,
                "uuid": f"{session}-{number}",
                "parentUuid": f"{session}-{number - 1}" if number else None,
                "sessionId": session,
                "timestamp": f"{day}T10:{number:02}:00.000Z",
                "cwd": "/home/me/shop",
                "version": "2.1.200",
                "message": {"role": kind, "content": content},
            }

        call = {"type": "tool_use", "id": f"{session}-call", "name": "Skill", "input": {"skill": skill}}
        result = {"type": "tool_result", "tool_use_id": f"{session}-call", "content": f"Launching skill: {skill}"}
        records = [
            record(0, "user", "Sort the imports of the shop, please."),
            record(1, "assistant", [call]),
            record(2, "user", [result]),
            record(3, "assistant", [{"type": "text", "text": "The imports are sorted."}]),
        ]
        for number, answer in enumerate(answers):
            records.append(record(4 + 2 * number, "user", answer))
            records.append(record(5 + 2 * number, "assistant", [{"type": "text", "text": "I looked at it."}]))
        return records

    return make
