"""Finding files."""

import os
from pathlib import Path

import pytest

from skilltune.sources.base import readable, walk_files


def test_walk_files_is_sorted_and_deep(tmp_path):
    """Files of the suffix in all folders, in sorted order."""
    for name in ("b/2.jsonl", "a/1.jsonl", "a/c/3.jsonl", "a/notes.txt", "0.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    found = [str(path.relative_to(tmp_path)) for path in walk_files(tmp_path, suffix=".jsonl")]
    assert found == ["0.jsonl", "a/1.jsonl", "a/c/3.jsonl", "b/2.jsonl"]


def test_walk_files_takes_a_single_file_of_any_name(tmp_path):
    """A file that is named is taken as it is."""
    path = tmp_path / "session.log"
    path.write_text("")
    assert list(walk_files(path, suffix=".jsonl")) == [path]


def test_walk_files_enters_each_folder_once(tmp_path):
    """Links that lead in circles, or twice to one folder, end."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.jsonl").write_text("")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "z").symlink_to(tmp_path / "a")
    assert list(walk_files(tmp_path, suffix=".jsonl")) == [tmp_path / "a" / "1.jsonl"]


def test_walk_files_follows_a_link_to_a_folder(tmp_path):
    """Sessions behind a link are found."""
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "1.jsonl").write_text("")
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "link").symlink_to(tmp_path / "far")
    assert list(walk_files(tmp_path / "near", suffix=".jsonl")) == [tmp_path / "near" / "link" / "1.jsonl"]


def test_walk_files_reports_what_cannot_be_read(tmp_path):
    """A dangling link, a pipe and a missing folder are reported, the rest is found."""
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "ok.jsonl").write_text("")
    reported = {}
    found = [
        path
        for root in (tmp_path, tmp_path / "missing")
        for path in walk_files(
            root, suffix=".jsonl", on_error=lambda path, message: reported.update({path.name: message})
        )
    ]
    assert found == [tmp_path / "ok.jsonl"]
    assert set(reported) == {"gone.jsonl", "pipe.jsonl", "missing"}


def test_walk_files_folder_named_like_a_file_is_a_folder(tmp_path):
    """A folder with the suffix is looked into."""
    (tmp_path / "x.jsonl").mkdir()
    (tmp_path / "x.jsonl" / "1.jsonl").write_text("")
    assert list(walk_files(tmp_path, suffix=".jsonl")) == [tmp_path / "x.jsonl" / "1.jsonl"]


def test_walk_files_goes_as_deep_as_there_are_folders(tmp_path):
    """Depth is bounded by the disk only."""
    folder = tmp_path
    for _ in range(1200):
        folder /= "d"
        folder.mkdir()
    path = folder / "1.jsonl"
    path.write_text("")
    found = list(walk_files(tmp_path, suffix=".jsonl"))
    path.unlink()
    for _ in range(1200):
        folder.rmdir()
        folder = folder.parent
    assert found == [path]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("mode", [0o000, 0o400])
def test_walk_files_reports_a_closed_folder(tmp_path, mode):
    """A folder that may not be listed or entered is reported, its neighbours are found."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.jsonl").write_text("")
    (tmp_path / "b.jsonl").write_text("")
    (tmp_path / "a").chmod(mode)
    reported = []
    found = list(walk_files(tmp_path, suffix=".jsonl", on_error=lambda path, _: reported.append(path)))
    (tmp_path / "a").chmod(0o700)
    assert found == [tmp_path / "b.jsonl"]
    assert len(reported) == 1


def test_readable_shows_any_name():
    """Bytes of a name that are no UTF-8 can be shown and stored."""
    assert readable(Path(os.fsdecode(b"/w/\xff \xc3\xa9.jsonl"))) == "/w/\ufffd é.jsonl"
