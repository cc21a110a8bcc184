"""The version of a use's skill, told from the history of its file."""

import subprocess
from datetime import UTC, datetime

import pytest

from skilltune.mining.digests import skill_digest
from skilltune.records import Invocation
from skilltune.stores.versions import Versions


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The file of a skill whose text was committed before every use."""
    file = tmp_path_factory.mktemp("repo") / "skills" / "tidy" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: tidy\n---\nDo it.\n")
    for call in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *call], cwd=file.parents[2], check=True)
    return file


@pytest.mark.parametrize(
    ("agent", "folder", "known"),
    [
        ("claude-code", "", True),
        ("", "", True),
        ("codex", "", False),
        ("codex", "/elsewhere/skills/tidy", False),
        ("claude-code", "/elsewhere/skills/tidy", False),
        ("codex", "OWN", True),
    ],
)
def test_version_is_of_the_skill_that_was_used(installed, agent, folder, known):
    """Another agent's skill of the same name, or one in another folder, has not the texts of this file."""
    use = Invocation(
        event_id="e1", timestamp=datetime(2096, 11, 30, tzinfo=UTC), session_id="s", skill_id="tidy",
        invocation_uuid="u", via="tool", reason="", turns_seen=0, agent=agent,
        base_directory=str(installed.parent) if folder == "OWN" else folder,
    )  # fmt: skip
    told = Versions({"tidy": installed}).of_record(use)
    assert told.skill_digest == (skill_digest(installed.read_text()) if known else "")
