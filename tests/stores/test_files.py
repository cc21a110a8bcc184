"""Replacing a file as a whole."""

import os

import pytest

from skilltune.errors import LogError
from skilltune.stores.files import read_bytes, read_head, read_small, replace_file, sync_folder


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


def test_replace_file_never_shows_the_new_content_to_others(tmp_path):
    """What is being written is private from its first byte, and a pipe of that name is not waited for."""
    umask = os.umask(0)
    os.mkfifo(tmp_path / "file.tmp")
    try:
        replace_file(tmp_path / "file", b"new")
    finally:
        os.umask(umask)
    assert ((tmp_path / "file").read_bytes(), (tmp_path / "file").stat().st_mode & 0o777) == (b"new", 0o600)


def test_read_small(tmp_path):
    """A regular file up to the limit is read, through a link too."""
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("file")
    assert read_small(tmp_path / "link", limit=5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_small(tmp_path / "file", limit=4)


def test_read_refuses_what_may_never_end(tmp_path):
    """Pipes, devices and folders are refused at once, also in the place of a log; a NUL is an error like others."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for path in (tmp_path / "pipe", tmp_path / "zero", tmp_path, tmp_path / "a\0b"):
        with pytest.raises(OSError, match=r"no regular file|null byte|directory"):
            read_small(path)
        assert read_head(path, 10) == b""
    with pytest.raises(LogError, match="pipe cannot be read"):
        read_bytes(tmp_path / "pipe")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_only_a_regular_file_is_replaced(tmp_path):
    """A pipe stays what it is, and the error says so."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LogError, match=r"pipe is no regular file.*name a file instead"):
        replace_file(tmp_path / "pipe", b"new")
    assert (tmp_path / "pipe").is_fifo()
