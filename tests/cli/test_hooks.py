"""``skilltune hooks`` as a person runs it, and the hooks that it installs, run as the agent runs them."""

import json
import os
import subprocess

import pytest

from tests.hooks.payloads import payload


@pytest.fixture
def settings(machine):
    """The person's settings, with a hook of their own, odd keys, tabs and no newline at the end."""
    path = machine.home / ".claude" / "settings.json"
    path.parent.mkdir()
    own = {"z": 1, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}, "a": "é"}
    path.write_text(json.dumps(own, indent="\t", ensure_ascii=False), encoding="utf-8")
    return path


def test_install_keeps_everything_else_and_uninstall_gives_it_back(machine, settings):
    """The file keeps its form and order; done twice nothing changes; what was there is kept beside it."""
    before = settings.read_bytes()
    told = machine.run("hooks", "install").stdout
    assert "Hooks written to" in told
    after = settings.read_bytes()
    assert list(json.loads(after)) == ["z", "hooks", "a"]
    assert b'\t"a": "\xc3\xa9"\n}' in after
    assert settings.with_name("settings.json.before-skilltune").read_bytes() == before
    assert "Nothing to do" in machine.run("hooks", "install").stdout
    assert settings.read_bytes() == after
    machine.run("hooks", "uninstall")
    assert settings.read_bytes() == before
    assert "Nothing to do" in machine.run("hooks", "uninstall").stdout


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"hooks": {}\n "a": 1}', "settings.json is no JSON (line 2, column 2: "),
        ("[1]", "settings.json holds no JSON object"),
        ('{"a": 1, "a": 2}', "settings.json cannot be understood ('a' stands there twice)"),
        ('{"hooks": {"Stop": 3}}', 'settings.json: "hooks.Stop" is no list'),
    ],
)
def test_broken_settings_are_named_and_left_as_they_are(machine, settings, content, told):
    """What cannot be understood whole is not written to: the message names the file and the place."""
    settings.write_text(content, encoding="utf-8")
    for act in ("install", "uninstall"):
        assert told in machine.run("hooks", act, code=2).stderr
    assert settings.read_text(encoding="utf-8") == content
    assert not settings.with_name("settings.json.before-skilltune").exists()
    assert told in machine.run("hooks", "status", code=1).stdout


def test_print_writes_nothing_and_project_settings_are_not_the_committed_ones(machine):
    """``--print`` only prints; ``--project`` takes the settings that are the person's alone."""
    block = json.loads(machine.run("hooks", "install", "--print", "--observe").stdout)
    assert sorted(block["hooks"]) == ["PostToolUse", "PostToolUseFailure", "SessionEnd", "Stop", "UserPromptSubmit"]
    assert list(machine.home.iterdir()) == []
    machine.run("hooks", "install", "--project")
    local = machine.cwd / ".claude" / "settings.local.json"
    assert sorted(path.name for path in local.parent.iterdir() if path.suffix == ".json") == [local.name]


def test_installed_hooks_run_in_a_shell(machine):
    """Each command in the settings, given to a shell with a payload of its event, writes its line and says nothing."""
    machine.run("hooks", "install")
    assert "Missing" not in machine.run("hooks", "status").stdout
    hooks = json.loads((machine.home / ".claude" / "settings.json").read_bytes())["hooks"]
    transcript = machine.session("s", [])
    for event, groups in hooks.items():
        for group in groups:
            given = json.dumps(payload(event, transcript_path=str(transcript))).encode()
            done = subprocess.run(
                ["sh", "-c", group["hooks"][0]["command"]],
                input=given,
                capture_output=True,
                env=machine.environment() | {"PATH": os.environ["PATH"]},
                cwd=machine.cwd,
                check=True,
            )
            assert (done.stdout, done.stderr) == (b"", b"")
    logs = {path.name: path.read_bytes().count(b"\n") for path in (machine.home / ".claude").glob("*.jsonl")}
    assert logs == {"all_queries_log.jsonl": 1, "skill_usage_log.jsonl": 1, "session_telemetry_log.jsonl": 2}


def test_status_says_what_is_missing_or_cannot_run(machine):
    """No hooks, or hooks of a program that is gone: exit code 1, and what to do."""
    assert "Missing: UserPromptSubmit (prompt)" in machine.run("hooks", "status", code=1).stdout
    machine.run("hooks", "install")
    path = machine.home / ".claude" / "settings.json"
    moved = path.read_text(encoding="utf-8").replace("/bin/", "/gone/")
    path.write_text(moved, encoding="utf-8")
    found = json.loads(machine.run("hooks", "status", "--json", code=1).stdout)
    assert found["missing"] == []
    assert found["not_running"] != []
