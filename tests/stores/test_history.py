"""The texts a skill's file had, from a real git repository."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skilltune.mining.digests import skill_digest
from skilltune.stores.history import digest_at, read_history


def commit(folder: Path, text: str, *, day: str) -> None:
    """Write the skill's file and commit it on a day."""
    (folder / "SKILL.md").write_text(text, encoding="utf-8")
    stamp = f"{day}T12:00:00+00:00"
    who = {f"GIT_{role}_{part}": "x@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    when = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), **who, **when}
    for command in (["add", "SKILL.md"], ["commit", "--quiet", "--message", day]):
        subprocess.run(["git", "-C", str(folder), *command], check=True, env=environment)


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """A skill whose file had two texts."""
    folder = tmp_path / "skills" / "tidy"
    folder.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    commit(folder, "---\nname: tidy\n---\nSort the imports.\n", day="2026-10-01")
    commit(folder, "---\nname: tidy\n---\nSort the imports, ours last.\n", day="2026-11-01")
    return folder / "SKILL.md"


def test_history_tells_the_text_in_force(skill):
    """Before the first commit none, then each text until the next."""
    history = read_history(skill)
    days = [datetime(2026, 9, 30, tzinfo=UTC), datetime(2026, 10, 15, tzinfo=UTC), datetime(2026, 11, 20, tzinfo=UTC)]
    texts = ["", "Sort the imports.", "Sort the imports, ours last."]
    assert [digest_at(history, day) for day in days] == [text and skill_digest(text) for text in texts]


def test_history_without_repository_or_file_is_empty(tmp_path):
    """No repository, no file, no folder: no history, and no error."""
    (tmp_path / "SKILL.md").write_text("text", encoding="utf-8")
    assert read_history(tmp_path / "SKILL.md") == []
    assert read_history(tmp_path / "nowhere" / "SKILL.md") == []


def test_history_runs_nothing_that_the_repository_names(skill, tmp_path):
    """A repository's settings may name programs: none of them is run."""
    trap = tmp_path / "trap"
    marker = tmp_path / "ran"
    trap.write_text(f"#!/bin/sh\ntouch {marker}\n", encoding="utf-8")
    trap.chmod(0o755)
    settings = {"core.fsmonitor": trap, "core.pager": trap, "gpg.program": trap, "log.showSignature": "true"}
    for key, value in {**settings, "diff.external": trap, "diff.x.textconv": trap}.items():
        subprocess.run(["git", "-C", str(skill.parent), "config", key, str(value)], check=True)
    (skill.parent / ".gitattributes").write_text("SKILL.md diff=x\n", encoding="utf-8")
    assert len(read_history(skill)) == 2
    assert not marker.exists()
