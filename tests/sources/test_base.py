"""Finding files."""

import os

from skilltune.sources.base import walk_files


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
