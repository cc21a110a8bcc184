"""Skills that the config says leave no trace."""

import pytest

from skilltune.errors import ConfigError
from skilltune.stores.unmeasurable import unmeasurable_of


def test_unmeasurable_of_a_workspace_or_its_log(tmp_path) -> None:
    """Each name with a reason in words; a log of another name has no config beside it."""
    (tmp_path / "config.toml").write_text('[mining]\nunmeasurable = ["b", "a"]\n', encoding="utf-8")
    for named in (tmp_path, str(tmp_path), tmp_path / "feedback.jsonl"):
        found = unmeasurable_of(named)
        assert list(found) == ["b", "a"]
        assert all("config" in reason for reason in found.values())
    assert unmeasurable_of(tmp_path / "other.jsonl") == {}


def test_a_mistake_in_the_config_is_named(tmp_path) -> None:
    """As everywhere: file, key, value."""
    (tmp_path / "config.toml").write_text("[mining]\nunmeasurable = [1]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="unmeasurable is"):
        unmeasurable_of(tmp_path)


def test_skills_of_an_agent_that_is_not_read_cannot_be_measured(tmp_path, monkeypatch):
    """A skill installed only for such an agent is named with the reason; one that a read agent has is not (K35)."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for folder in (".gemini/skills/far", ".gemini/skills/both", ".codex/skills/both"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "SKILL.md").write_text("---\nname: x\n---\nDo it.\n")
    assert unmeasurable_of() == {"far": "installed for Gemini, whose sessions are not read"}
