"""Paths that no system has, and places that may not be looked at."""

import os
import pwd

import pytest

from skilltune.errors import InputError
from skilltune.stores.homes import claude_home, find_claude_home, user_workspace
from skilltune.stores.jsonl import AppendOnlyLog
from skilltune.stores.paths import expand_path, find_paths, is_folder
from skilltune.stores.privacy import check_collection
from skilltune.stores.skills import find_installed_skills
from skilltune.stores.transcripts import find_expiring, transcript_days
from skilltune.stores.workspace import find_workspace
from tests.stores.makers import NOW

ODD = ["~nobody-of-that-name/x", "x" * 300, "a/" + "y" * 300 + "/z", "a\0b", "a\ud800", "z/" * 4000]


@pytest.fixture
def no_home(monkeypatch):
    """A machine that knows no home folder of this user."""
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", _nobody)


def _nobody(_):
    raise KeyError


def test_expand_path(tmp_path, monkeypatch):
    """``~`` is the home; a file need not be there, nor be allowed to be looked at."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert expand_path("~/a/b") == tmp_path / "a" / "b"
    (tmp_path / "file").touch()
    assert expand_path(tmp_path / "file" / "x") == tmp_path / "file" / "x"


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_odd_path_is_named(text, monkeypatch, tmp_path):
    """A path that cannot be is refused by name, wherever it comes from."""
    for use in (expand_path, AppendOnlyLog, lambda text: find_workspace(tmp_path, explicit=text)):
        with pytest.raises(InputError, match="is no path: ") as caught:
            use(text)
        assert repr(text)[1:6] in str(caught.value)
        assert len(str(caught.value)) < 400
    if "\0" not in text and "\ud800" not in text:
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", text)
        with pytest.raises(InputError, match=r"^CLAUDE_CONFIG_DIR: .*is no path"):
            check_collection()


def test_links_in_a_circle_are_no_path(tmp_path):
    """A link to itself leads nowhere."""
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError, match="is no path: Too many levels"):
        expand_path(tmp_path / "loop")
    assert not is_folder(tmp_path / "loop")


def test_no_home(no_home, tmp_path):
    """Without a home folder: who needs it says what to do, who only looks finds nothing."""
    for needs in (claude_home, user_workspace, lambda: find_workspace(tmp_path).feedback_path):
        with pytest.raises(InputError, match="no home folder: set HOME, or name --workspace and --session-dir"):
            needs()
    with pytest.raises(InputError, match="there is no home folder"):
        expand_path("~/x")
    check_collection()
    assert (find_claude_home(), find_installed_skills(tmp_path), transcript_days()) == (None, {}, 30)
    assert find_expiring([tmp_path], as_of=NOW) == []
    assert find_workspace(tmp_path, explicit="own").folder == tmp_path / "own"
    assert find_workspace(tmp_path).reports_path == tmp_path / "reports"


def test_deleted_current_folder(tmp_path, monkeypatch):
    """In a folder that is gone, only a workspace named by its whole path is found."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(InputError, match=r"the current folder has been deleted: .*--workspace"):
        find_workspace()
    with pytest.raises(InputError, match="the current folder has been deleted, so --workspace own"):
        find_workspace(explicit="own")
    workspace = find_workspace(explicit=tmp_path / "own")
    assert (workspace.folder, workspace.reports_path) == (tmp_path / "own", tmp_path / "own" / "reports")
    assert find_installed_skills(home=tmp_path) == {}


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="needs POSIX users")
def test_folder_that_may_not_be_entered(tmp_path, monkeypatch):
    """What a closed folder holds counts as absent for the workspace and skills."""
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        outer = expand_path(name).resolve()
        inner = outer / "closed"
        (inner / ".skilltune").mkdir(parents=True)
        outer.chmod(0o755)
        monkeypatch.setenv("HOME", str(outer))
        user = os.geteuid()
        inner.chmod(0o600)
        try:
            os.seteuid(65534 if user == 0 else user)
            found = find_workspace(inner)
            named = find_workspace(outer, explicit=inner / "own")
            skills = find_installed_skills(inner, home=inner)
            paths = list(find_paths(inner, "*/x"))
        finally:
            os.seteuid(user)
            inner.chmod(0o700)
    assert (found.folder, found.legacy, named.folder) == (outer / ".skilltune", False, inner / "own")
    assert (skills, paths) == ({}, [])
