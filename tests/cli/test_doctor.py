"""``skilltune doctor``: healthy where nothing fails, whatever there is to warn of; the exit code says which."""

import json
import os
from datetime import UTC, datetime, timedelta

import pytest

from skilltune.stores.audit import AUDIT_NAME

NOW = "2026-11-30T12:00:00"
MOMENT = datetime.fromisoformat(NOW).replace(tzinfo=UTC)


@pytest.fixture
def checks(machine):
    """Runs doctor and gives its checks by name."""

    def run(*, code=0, **environment):
        done = machine.run("doctor", "--json", "--as-of", NOW, code=code, **environment)
        found = json.loads(done.stdout)
        assert found["healthy"] == (code == 0)
        assert sum(found["counts"].values()) == len(found["checks"])
        return {check["name"]: check for check in found["checks"]}

    return run


def write(path, text, *, written=MOMENT):
    """A file with a text, written at a time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (written.timestamp(), written.timestamp()))
    return path


def test_empty_machine_is_healthy_with_warnings(machine, checks):
    """Nothing is there yet: each log that is missing is a warning, with the command that makes it; nothing is made."""
    found = checks()
    missing = {name for name, check in found.items() if check["verdict"] == "warning"}
    assert {"feedback log", "ledger", "labels", "observations", "telemetry log", "queries log", "hooks"} <= missing
    assert found["queries log"]["next_step"] == "skilltune hooks install"
    assert list(machine.home.iterdir()) == []
    assert "Healthy: 0 failures, " in machine.run("doctor").stdout


def test_broken_settings_fail(machine, checks):
    """Settings of skilltune or of Claude Code that nobody can read are failures, and the exit code is 1."""
    write(machine.home / ".skilltune" / "config.toml", "[mining]\nwindow = 3\n")
    write(machine.home / ".claude" / "settings.json", "{")
    found = checks(code=1)
    assert found["settings"]["verdict"] == found["hooks"]["verdict"] == "failure"
    assert "has no key 'window'" in found["settings"]["found"]
    assert "Not healthy: 2 failures" in machine.run("doctor", code=1).stdout


def test_damaged_lines_are_counted_by_reason(machine, checks):
    """Lines that nobody can read, or that lack what they must have, are a warning with their number."""
    good = '{"timestamp": "2026-11-29T10:00:00Z", "session_id": "s", "query": "q"}\n'
    write(machine.home / ".claude" / "all_queries_log.jsonl", good + '{"session_id": "s"}\nno json\n' + good + "{")
    write(machine.home / ".skilltune" / "observations.jsonl", '{"ts": 1, "tool": "Bash", "sig": "ls"}\n')
    found = checks()
    told = found["queries log"]
    assert (told["verdict"], ": 2 lines in order, " in told["found"]) == ("warning", True)
    assert told["found"].endswith("last event 29 Nov 2026; amiss: 1 missing timestamp, 1 not json, 1 cut off")
    assert found["observations"]["found"].endswith("amiss: 1 missing err")


def test_silent_log_is_told_only_while_sessions_go_on(machine, checks, talk):
    """A log without an event for a week is a warning where sessions were written since, else none."""
    line = '{"timestamp": "2026-11-10T10:00:00Z", "session_id": "s", "query": "q"}\n'
    write(machine.home / ".claude" / "all_queries_log.jsonl", line)
    assert checks()["queries log"]["verdict"] == "ok"
    session = machine.session("s", talk("s", "thanks"))
    os.utime(session, (MOMENT.timestamp(), MOMENT.timestamp()))
    found = checks()["queries log"]
    assert found["verdict"] == "warning"
    assert found["found"].endswith("nothing for 20 days, while sessions went on")


def test_transcripts_that_go_are_counted_with_the_day(machine, checks, talk):
    """What Claude Code will delete within a week, by its setting, and when the first of it goes."""
    for name, days in (("a", 1), ("b", 8), ("c", 9)):
        session = machine.session(name, talk(name))
        at = (MOMENT - timedelta(days=days)).timestamp()
        os.utime(session, (at, at))
    assert checks()["transcripts"]["verdict"] == "ok"
    write(machine.home / ".claude" / "settings.json", '{"cleanupPeriodDays": 14}')
    found = checks()["transcripts"]
    assert found["verdict"] == "warning"
    assert "for 14 days (cleanupPeriodDays): 2 of them go within a week, from 05 Dec 2026 on" in found["found"]


def test_skills_and_audit_logs_are_looked_into(machine, checks):
    """A skill that is no text and an audit log whose chain is broken are failures."""
    skills = machine.home / ".claude" / "skills"
    write(skills / "pdf" / "SKILL.md", "---\nname: pdf\n---\nRead it.\n")
    assert checks()["skills"]["verdict"] == "ok"
    (skills / "odd").mkdir()
    (skills / "odd" / "SKILL.md").write_bytes(b"\xff\xfe\x00")
    found = checks(code=1)
    assert found["skills"]["found"].endswith("odd/SKILL.md (no UTF-8)")
    write(machine.home / ".claude" / AUDIT_NAME, "no json\n")
    found = checks(code=1)
    assert f"{AUDIT_NAME}, line 1: not_json" in found["audit log"]["found"]
    assert found["audit log"]["next_step"].startswith("skilltune audit restart ")


def test_collection_switched_off_is_told(machine, checks):
    """The person's switch is a warning: nothing is collected while it is off."""
    write(machine.home / ".claude" / "feedback-config.json", '{"enabled": false}')
    assert checks()["collection"]["verdict"] == "warning"


def test_hook_failures_of_the_week_are_told(machine, checks):
    """What went wrong in hooks lately is a warning with the last reason; what is older is none."""
    old, new = (
        f'{{"timestamp": "2026-11-{day}T10:00:00Z", "hook": "prompt", "reason": "r{day}"}}\n' for day in (10, 29)
    )
    write(machine.home / ".skilltune" / "hooks.log", old)
    assert checks()["hook failures"]["verdict"] == "ok"
    write(machine.home / ".skilltune" / "hooks.log", old + new)
    assert checks()["hook failures"]["found"].endswith("once in 7 days a hook wrote nothing, the last time: r29")
