"""Disks that are full or read only: a clear message, nothing lost, and all is made good by running it again."""

import shutil

import pytest

from tests.faults.conftest import events

pytestmark = [pytest.mark.usefixtures("may_mount"), pytest.mark.long]


def disk(folder, size, keep=None):
    """Shell words for a small disk at a folder; what is on it at the end is copied to `keep`, which goes on later."""
    folder.mkdir(exist_ok=True)
    words = f"mount -t tmpfs -o size={size}k none '{folder}'"
    return words if keep is None else f'{words}\ntrap \'cp -a "{folder}/." "{keep}"\' EXIT\n"$@"\nexit $?'


@pytest.mark.parametrize("size", [4, 40, 160])
def test_mine_on_a_full_disk_is_completed_by_a_rerun(tmp_path, run, sessions, mined, size):
    """Wherever it fills: exit 6 with the file, the reason and what helps; whole lines; later all is there once."""
    small, later = tmp_path / "small", tmp_path / "later"
    later.mkdir()
    words = ("mine", "--session-dir", sessions, "--workspace")
    done = run(*words, small / "w", before=disk(small, size, keep=later))
    assert done.returncode == 6
    assert "No space left on device" in done.stderr
    assert str(small / "w") in done.stderr
    assert "free some space" in done.stderr
    assert "Traceback" not in done.stderr
    assert run(*words, later / "w").returncode == 0
    assert events(later / "w") == events(mined)
    assert len(events(later / "w")) == 200
    assert run("feedback", "verify", "--workspace", later / "w").returncode == 0


def test_full_folder_for_temporary_files_is_named(tmp_path, run, sessions):
    """Reading and reports say which folder is full, and the setting for another one."""
    small = tmp_path / "tmp"
    for words in (
        ("mine", "--session-dir", sessions, "--workspace", tmp_path / "w"),
        ("report", "--session-dir", sessions, "--workspace", tmp_path / "w", "--output", tmp_path / "r"),
    ):
        done = run(*words, before=disk(small, 24), environment={"TMPDIR": str(small)})
        assert done.returncode in (5, 6), done.stderr
        assert "TMPDIR" in done.stderr
        assert str(small) in done.stderr
        assert not list((tmp_path / "r").rglob("*.html"))


def test_read_only_workspace_is_read_and_never_written(tmp_path, run, sessions, mined):
    """What reads goes on; what would write ends with exit 6 or 2, the file and the reason."""
    workspace = shutil.copytree(mined, tmp_path / "w")
    before = {path: path.read_bytes() for path in workspace.rglob("*.jsonl")}
    locked = f"mount --bind '{workspace}' '{workspace}'\nmount -o remount,ro,bind '{workspace}'"
    place = ("--workspace", workspace)
    for words in (
        ("metrics", *place),
        ("export", "events", "--output", tmp_path / "e.csv", *place),
    ):
        assert run(*words, before=locked).returncode == 0, words
    for words in (
        ("mine", "--session-dir", sessions, *place),
        ("feedback", "scrub", "--yes", *place),
        ("feedback", "record", "rating", "tea", "--score", "4", *place),
        ("export", "events", "--output", workspace / "x.csv", *place),
    ):
        done = run(*words, before=locked)
        assert done.returncode in (2, 6), (words, done.stderr)
        assert "Read-only file system" in done.stderr, (words, done.stderr)
        assert str(workspace) in done.stderr
    assert {path: path.read_bytes() for path in workspace.rglob("*.jsonl")} == before


def test_sessions_on_a_read_only_disk_are_read(tmp_path, run, sessions):
    """Reading writes nothing beside them."""
    done = run(
        *("mine", "--session-dir", sessions, "--workspace", tmp_path / "w"),
        before=f"mount --bind '{sessions}' '{sessions}'\nmount -o remount,ro,bind '{sessions}'",
    )
    assert done.returncode == 0, done.stderr
    assert len(events(tmp_path / "w")) == 200
