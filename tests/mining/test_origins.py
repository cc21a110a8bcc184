"""Sessions that are left out by where and how they ran."""

# ruff: noqa: S108  # folders are named here, never opened

import pytest

from skilltune.mining.origins import OWN_RUN_MARK, why_skipped
from tests.mining.stories import mine, says, session, skill


@pytest.mark.parametrize(
    ("project", "reason"),
    [
        ("/home/me/app", ""),
        ("", ""),
        ("/tmp", "temporary"),
        ("/tmp/x", "temporary"),
        ("/private/tmp/x", "temporary"),
        ("/var/folders/ab/cd/T/x", "temporary"),
        ("/private/var/folders/ab", "temporary"),
        (r"C:\Users\me\AppData\Local\Temp\x", "temporary"),
        (r"C:\Users\me\app", ""),
        ("/home/me/tmp", ""),
        ("/home/me/tmp-app", ""),
        ("/tmpfs/app", ""),
        ("/tmp/pytest-of-me/pytest-3/test_x0", "pytest"),
        ("/home/me/pytest-plugin", ""),
        ("/home/me/pytest-7/src", ""),
        ("/build/pytest-of-me/pytest-7/src", "pytest"),
        ("/home/me/.mem/observer-sessions", "observer"),
        ("/home/me/observer-sessions-app", ""),
        ("/home/me/.skilltune/judge", "own_run"),
        (r"C:\Users\me\AppData\Local\Temp\.skilltune\judge", "own_run"),
        ("/home/me/.skilltune", ""),
        ("/home/me/.skilltune/judges", ""),
        ("/home/me/skilltune/judge", ""),
    ],
)
def test_session_is_skipped_by_its_folder(project, reason):
    """Temporary folders, test runs and observers are skipped by the folder the session worked in."""
    assert why_skipped(session(skill(), project=project)) == reason


@pytest.mark.parametrize(
    ("agent", "entrypoint"),
    [
        ("claude-code", "sdk-cli"),
        ("codex", "codex_automation"),
        ("codex", "codex_exec"),
        ("codex", "codex_mcp"),
        ("opencode", "opencode_run"),
    ],
)
def test_scripted_session_is_skipped_unless_asked_for(agent, entrypoint):
    """A session that a program started is left out and counted, whatever the agent; an argument takes it in."""
    scripted = session(skill(), agent=agent, entrypoint=entrypoint)
    assert mine(scripted).dropped == {"session_scripted": 1}
    assert len(mine(scripted, scripted=True).invocations) == 1


def test_desktop_session_is_taken_in():
    """Other ways to start an agent count."""
    assert len(mine(session(skill(), entrypoint="claude-desktop")).invocations) == 1


@pytest.mark.parametrize("agent", ["claude-code", "codex", "opencode"])
def test_own_run_is_never_taken_in(agent):
    """A run of our own is left out by its folder or by how its first prompt begins, whatever was asked for."""
    by_folder = session(skill(), says("wrong"), project="/home/me/.skilltune/judge", agent=agent)
    by_mark = session(says(f"{OWN_RUN_MARK}\nYou label turns."), skill(), says("wrong"), agent=agent)
    for own in (by_folder, by_mark):
        assert mine(own, scripted=True).dropped == {"session_own_run": 1}


def test_mark_later_in_a_session_is_a_persons_words():
    """Only a session that begins with the mark is ours."""
    assert why_skipped(session(says("what is this?"), says(OWN_RUN_MARK))) == ""
    assert why_skipped(session(says(f"what is {OWN_RUN_MARK}"))) == ""


def test_a_source_may_call_a_session_scripted():
    """A program that has no word of its own for being started by another gets this one (N10)."""
    assert why_skipped(session(entrypoint="scripted")) == "scripted"
