"""Sessions that are left out by where and how they ran."""

# ruff: noqa: S108  # folders are named here, never opened

import pytest

from skilltune.mining.origins import why_skipped
from tests.mining.stories import mine, session, skill


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
    ],
)
def test_session_is_skipped_by_its_folder(project, reason):
    """Temporary folders, test runs and observers are skipped by the folder the session worked in."""
    assert why_skipped(session(skill(), project=project)) == reason


def test_scripted_session_is_skipped_unless_asked_for():
    """A session that a program started is left out and counted; an argument takes it in."""
    scripted = session(skill(), entrypoint="sdk-cli")
    assert mine(scripted).dropped == {"session_scripted": 1}
    assert len(mine(scripted, scripted=True).invocations) == 1


def test_desktop_session_is_taken_in():
    """Other ways to start an agent count."""
    assert len(mine(session(skill(), entrypoint="claude-desktop")).invocations) == 1
