"""A home of its own for hooks, and a real shell that runs them as an agent does."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from skilltune.hooks.command import run_hook


@dataclass(frozen=True, slots=True)
class Home:
    """Folders of a person, and what hooks left in them."""

    root: Path
    project: Path

    @property
    def claude(self) -> Path:
        """Claude Code's folder."""
        return self.root / ".claude"

    @property
    def environment(self) -> dict[str, str]:
        """What an agent's shell has set."""
        kept = {name: value for name, value in os.environ.items() if name not in ("CLAUDE_CONFIG_DIR", "HOME")}
        return {**kept, "HOME": str(self.root), "PYTHONPATH": str(Path(__file__).parents[2])}

    def start(self, name: str, payload: Any, **environment: str | None) -> subprocess.Popen[bytes]:
        """A shell that runs a hook, `payload` (as JSON, or the bytes that it is) on its standard input from a file."""
        content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        file = self.root / f"payload-{len(list(self.root.iterdir()))}.json"
        file.write_bytes(content)
        command = f"{shlex.quote(sys.executable)} -P -m skilltune hook {shlex.quote(name)} < {shlex.quote(str(file))}"
        known = {key: value for key, value in {**self.environment, **environment}.items() if value is not None}
        return subprocess.Popen(
            ["sh", "-c", command], env=known, cwd=self.project, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def run(self, name: str, payload: Any, **environment: str | None) -> None:
        """Run a hook, which must end well and say nothing."""
        self.end(self.start(name, payload, **environment))

    def end(self, shell: subprocess.Popen[bytes]) -> None:
        """Wait for a hook, which must have ended well and said nothing."""
        said, complained = shell.communicate(timeout=60)
        assert (shell.returncode, said, complained) == (0, b"", b"")

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The lines of a log in Claude Code's folder; every one must be whole."""
        path = self.claude / name
        if not path.exists():
            return []
        content = path.read_bytes()
        assert content.endswith(b"\n")
        return [json.loads(line) for line in content.splitlines()]

    @property
    def notes(self) -> list[str]:
        """The reasons in ``hooks.log``."""
        path = self.root / ".skilltune" / "hooks.log"
        return [json.loads(line)["reason"] for line in path.read_bytes().splitlines()] if path.exists() else []


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A person's folders, with nothing in them."""
    project = tmp_path / "home" / "project"
    project.mkdir(parents=True)
    return Home(tmp_path / "home", project)


@pytest.fixture
def capture(home: Home, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Any], None]:
    """Runs a hook in this process, in the person's folders."""
    monkeypatch.setenv("HOME", str(home.root))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)

    def run(name: str, payload: Any) -> None:
        run_hook(name, stream=BytesIO(json.dumps(payload).encode()))

    return run
