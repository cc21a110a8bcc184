"""A workspace of one's own, and the bundled sample to label in it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from skilltune.labelling.answering import Labelling
from skilltune.labelling.opening import open_labelling
from skilltune.labelling.population import Population, read_population
from skilltune.sample import sample_end, sample_root

PROJECTS = sample_root() / "projects"


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A home folder without sessions, settings or switches."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    (tmp_path / "home").mkdir()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace that is not there yet."""
    return tmp_path / "ws"


@pytest.fixture
def opened(workspace: Path) -> Callable[..., Labelling]:
    """Opens the labelling of the sample."""

    def open_it(**options: object) -> Labelling:
        return open_labelling(workspace, **({"sessions": PROJECTS, "as_of": sample_end()} | options))

    return open_it


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., Path]:
    """Writes a session in which a skill is used and a person answers; its folder."""

    def tell(*answers: str, name: str = "one") -> Path:
        def record(number: int, kind: str, content: object) -> dict[str, object]:
            return {
                "type": kind,
                "uuid": f"{name}-{number}",
                "sessionId": name,
                "timestamp": f"2026-11-20T10:{number:02}:00.000Z",
                "cwd": "/home/me/shop",
                "message": {"role": kind, "content": content},
            }

        call = {"type": "tool_use", "id": f"{name}-call", "name": "Skill", "input": {"skill": "tidy"}}
        records = [record(0, "user", "Tidy the shop."), record(1, "assistant", [call])]
        records.append(record(2, "user", [{"type": "tool_result", "tool_use_id": f"{name}-call", "content": "ok"}]))
        for number, answer in enumerate(answers):
            records.append(record(3 + 2 * number, "assistant", [{"type": "text", "text": "It is done."}]))
            records.append(record(4 + 2 * number, "user", answer))
        folder = tmp_path / "told"
        folder.mkdir(exist_ok=True)
        lines = "".join(json.dumps(one) + "\n" for one in records)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
        return folder

    return tell


@pytest.fixture
def population(workspace: Path) -> Population:
    """All uses of the sample."""
    return read_population(workspace, sessions=PROJECTS, as_of=sample_end())
