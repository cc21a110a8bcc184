"""Replacing a file as a whole."""

import pytest

from skilltune.errors import LogError
from skilltune.stores.files import replace_file, sync_folder


def test_replace_file_keeps_mode_and_leaves_nothing(tmp_path):
    """A replaced file has its old mode; a leftover of a killed run is overwritten and goes away."""
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o640)
    (tmp_path / "file.tmp").write_text("left by a killed run, longer than the new content")
    replace_file(path, b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o640)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_replace_file_new_one_is_private(tmp_path):
    """A file that was not there can be read by its owner only."""
    replace_file(tmp_path / "file", b"new")
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600


def test_replace_file_that_is_a_folder(tmp_path):
    """What cannot be replaced stays, the error says so, and nothing is left beside it."""
    (tmp_path / "x" / "y").mkdir(parents=True)
    with pytest.raises(LogError, match=r"x cannot be replaced .*it is unchanged: free some space"):
        replace_file(tmp_path / "x", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_sync_folder_that_is_not_there(tmp_path):
    """Where a folder cannot be synced, nothing happens."""
    sync_folder(tmp_path / "none")
