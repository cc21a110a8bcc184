"""Installed skills: found in the user's, the project's and the plugins' folders."""

import json
import os

import pytest

from skilltune.mining.digests import skill_digest
from skilltune.stores.skills import find_installed_skills


@pytest.fixture
def home(tmp_path):
    """Claude Code's folder of a user, empty."""
    (tmp_path / "claude").mkdir()
    return tmp_path / "claude"


@pytest.fixture
def project(tmp_path):
    """A project's folder, empty."""
    folder = tmp_path / "code" / "shop"
    folder.mkdir(parents=True)
    return folder


def _write(path, body="do it"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nname: x\n---\n{body}\n")


def test_skills_none(home, project):
    """Where nothing is installed nothing is found."""
    assert find_installed_skills(project, home=home) == {}


def test_skills_of_user_and_project(home, project):
    """Skills and commands of both are found, from below the project, too; the user's hides the project's."""
    _write(home / "skills" / "tidy" / "SKILL.md", "mine")
    _write(home / "commands" / "ship.md")
    _write(project / ".claude" / "skills" / "tidy" / "SKILL.md", "theirs")
    _write(project / ".claude" / "skills" / "deckify" / "SKILL.md", "deck")
    _write(project / ".claude" / "commands" / "docs" / "fix.md")
    (project / "src").mkdir()
    found = find_installed_skills(project / "src", home=home)
    assert list(found) == ["deckify", "docs:fix", "ship", "tidy"]
    assert (found["tidy"], found["deckify"]) == (skill_digest("mine"), skill_digest("deck"))


def test_skills_hide_commands(home, project):
    """Of a skill and a command of one name the skill counts."""
    _write(home / "commands" / "tidy.md", "command")
    _write(home / "skills" / "tidy" / "SKILL.md", "skill")
    assert find_installed_skills(project, home=home) == {"tidy": skill_digest("skill")}


def test_skills_of_listed_plugins(home, project):
    """Of the plugins that are listed as installed, in either form of the list; not of others in the cache."""
    cache = home / "plugins" / "cache" / "market"
    for plugin in ("docs", "lint", "other"):
        _write(cache / plugin / "1.0" / "skills" / "tidy" / "SKILL.md", plugin)
    listed = {
        "docs@market": [{"installPath": str(cache / "docs" / "1.0")}],
        "lint@market": {"installPath": str(cache / "lint" / "1.0")},
        "odd@market": [None, {"installPath": 3}],
    }
    (home / "plugins" / "installed_plugins.json").write_text(json.dumps({"version": 2, "plugins": listed}))
    assert find_installed_skills(project, home=home) == {
        "docs:tidy": skill_digest("docs"),
        "lint:tidy": skill_digest("lint"),
    }


@pytest.mark.parametrize("content", [None, b"", b"[]", b"{", b'{"plugins": []}', b"\xff"])
def test_skills_of_cached_plugins(home, project, content):
    """Without a list that can be read, the plugins in the cache count, the last version of each."""
    for version in ("1.0", "1.1"):
        _write(home / "plugins" / "cache" / "market" / "docs" / version / "skills" / "tidy" / "SKILL.md", version)
    if content is not None:
        (home / "plugins" / "installed_plugins.json").write_bytes(content)
    assert find_installed_skills(project, home=home) == {"docs:tidy": skill_digest("1.1")}


def test_skills_broken_files(home, project):
    """A file that is no UTF-8 has a digest all the same; one that cannot be read has none."""
    _write(home / "skills" / "odd" / "SKILL.md")
    (home / "skills" / "odd" / "SKILL.md").write_bytes(b"---\nname: [\n---\n\xff\xfe body")
    (home / "skills" / "folder" / "SKILL.md").mkdir(parents=True)
    (home / "skills" / "loop").mkdir()
    (home / "skills" / "loop" / "SKILL.md").symlink_to(home / "skills" / "loop" / "SKILL.md")
    found = find_installed_skills(project, home=home)
    assert found.pop("odd")
    assert found == {"folder": ""}


def test_skills_in_moved_home(home, project, monkeypatch):
    """CLAUDE_CONFIG_DIR moves the user's folder."""
    _write(home / "skills" / "tidy" / "SKILL.md")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    monkeypatch.chdir(project)
    assert list(find_installed_skills()) == ["tidy"]


def test_skills_that_never_end(home, project):
    """A pipe, a device or a huge file in the place of a skill or of the plugins' list is not read."""
    for name in ("pipe", "zero", "huge"):
        (home / "skills" / name).mkdir(parents=True)
    os.mkfifo(home / "skills" / "pipe" / "SKILL.md")
    (home / "skills" / "zero" / "SKILL.md").symlink_to("/dev/zero")
    with (home / "skills" / "huge" / "SKILL.md").open("wb") as file:
        file.truncate(1 << 30)
    (home / "plugins").mkdir()
    os.mkfifo(home / "plugins" / "installed_plugins.json")
    assert find_installed_skills(project, home=home) == {"huge": "", "pipe": "", "zero": ""}


@pytest.mark.parametrize("path", ["/" + "x" * 400, "a\0b", "~nobody-of-that-name"])
def test_skills_of_a_plugin_at_no_path(home, project, path):
    """A plugin that cannot be where the list says has no skills; the others have."""
    _write(home / "good" / "skills" / "tidy" / "SKILL.md")
    (home / "plugins").mkdir()
    plugins = {"odd@market": [{"installPath": path}], "docs@market": [{"installPath": str(home / "good")}]}
    (home / "plugins" / "installed_plugins.json").write_text(json.dumps({"plugins": plugins}))
    assert list(find_installed_skills(project, home=home)) == ["docs:tidy"]


def test_skills_of_other_agents(tmp_path, monkeypatch, project):
    """Codex's, OpenCode's and those that agents share count as installed; Claude Code's of the same name hides them."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "me"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    _write(home / ".agents" / "skills" / "shared" / "SKILL.md")
    _write(home / ".codex" / "skills" / "tidy" / "SKILL.md", "codex")
    _write(home / ".config" / "opencode" / "skills" / "open" / "SKILL.md")
    _write(home / ".config" / "opencode" / "command" / "ship.md")
    _write(home / ".claude" / "skills" / "tidy" / "SKILL.md", "claude")
    _write(project / ".opencode" / "skill" / "near" / "SKILL.md")
    found = find_installed_skills(project)
    assert list(found) == ["near", "open", "shared", "ship", "tidy"]
    assert found["tidy"] == skill_digest("claude")
    monkeypatch.setenv("CODEX_HOME", str(home / "elsewhere"))
    _write(home / "elsewhere" / "skills" / "moved" / "SKILL.md")
    assert "moved" in find_installed_skills(project)
