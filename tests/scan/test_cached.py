"""What was read of a file is remembered until the file changes."""

import os
import sqlite3
import subprocess
import sys
import time

import pytest

from skilltune.scan import scan
from skilltune.stores import scan_cache
from tests.sources.claude_code.building import Transcript, write

FOREVER = 2**62
"""Nanoseconds: later than any file of a test."""


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The cache's file; what changed just now is kept, too."""
    monkeypatch.setattr(scan_cache, "_YOUNG_NS", -FOREVER)
    return tmp_path / "cache" / "scans.sqlite"


@pytest.fixture
def reads(monkeypatch):
    """Names of the files that a reader opened."""
    from skilltune.sources.claude_code import ClaudeCode

    opened, read = [], ClaudeCode.read_facts

    def noted(self, path, *, strict=False):
        opened.append(path.name)
        return read(self, path, strict=strict)

    monkeypatch.setattr(ClaudeCode, "read_facts", noted)
    return opened


def shop(folder):
    """Two sessions and a fork of the first."""
    first = Transcript().user("make it").agent("done").user("that is wrong")
    write(folder / "s1.jsonl", first)
    write(folder / "s2.jsonl", Transcript("s2", prefix="v").user("go on").raw("torn {"))
    write(folder / "s3.jsonl", first.agent("mended"))
    return folder


def same(one, other):
    """Whether two scans tell the same."""
    return (one.summary, list(one.files())) == (other.summary, list(other.files()))


def tick():
    """Wait until the file system's clock has gone on: a real person does not change a file twice within it."""
    time.sleep(0.012)


def test_second_scan_reads_nothing_and_tells_the_same(tmp_path, kept, reads):
    """Unchanged files are not opened; facts, copies, counts and damages are those of the first time."""
    folder = shop(tmp_path / "p")
    fresh, first = scan([folder]), scan([folder], cache=kept)
    reads.clear()
    second = scan([folder], cache=kept)
    assert reads == []
    assert same(fresh, first)
    assert same(fresh, second)
    assert second.summary.copied > 0


def test_changed_file_alone_is_read_again(tmp_path, kept, reads):
    """One that grew, and one that was replaced by as many bytes with the old stamp, are read; the others are not."""
    folder = shop(tmp_path / "p")
    scan([folder], cache=kept)
    tick()
    with (folder / "s2.jsonl").open("a") as file:
        file.write(Transcript("s2", prefix="w").user("perfect").text())
    old = (folder / "s1.jsonl").stat()
    (folder / "new").write_bytes((folder / "s1.jsonl").read_bytes().replace(b"wrong", b"right"))
    os.utime(folder / "new", ns=(old.st_atime_ns, old.st_mtime_ns))
    (folder / "new").replace(folder / "s1.jsonl")
    reads.clear()
    assert same(scan([folder], cache=kept), scan([folder]))
    assert sorted(reads[:2]) == ["s1.jsonl", "s2.jsonl"]


def test_file_that_changed_just_now_is_not_kept(tmp_path, reads):
    """It may change again within one tick of its clock, with nothing to tell by."""
    folder, cache = shop(tmp_path / "p"), tmp_path / "cache" / "scans.sqlite"
    scan([folder], cache=cache)
    reads.clear()
    scan([folder], cache=cache)
    assert len(reads) == 3


def test_file_that_is_gone_leaves_nothing_behind(tmp_path, kept):
    """Its texts are in the cache no more, whatever is read next."""
    folder, other = shop(tmp_path / "p"), shop(tmp_path / "q")
    scan([folder], cache=kept)
    assert b"that is wrong" in kept.read_bytes()
    for path in folder.iterdir():
        path.unlink()
    write(other / "s1.jsonl", Transcript().user("hello"))
    (other / "s3.jsonl").unlink()
    scan([other], cache=kept)
    assert b"that is wrong" not in kept.read_bytes()


@pytest.mark.parametrize("content", [b"no database, " * 400, b""], ids=["damaged", "empty"])
def test_damaged_cache_is_done_without_and_made_anew(tmp_path, kept, reads, content):
    """A run goes on as without one; the run after the next has one again."""
    folder = shop(tmp_path / "p")
    kept.parent.mkdir()
    kept.write_bytes(content)
    kept.chmod(0o600)
    for _ in range(2):
        assert same(scan([folder], cache=kept), scan([folder]))
    reads.clear()
    scan([folder], cache=kept)
    assert reads == []


def test_cache_in_an_impossible_place_is_done_without(tmp_path):
    """A file where the folder should be, and a cache that others may read, end nothing."""
    folder = shop(tmp_path / "p")
    (tmp_path / "taken").write_text("")
    open_to_all = tmp_path / "open.sqlite"
    open_to_all.touch()
    open_to_all.chmod(0o666)
    for cache in (tmp_path / "taken" / "scans.sqlite", open_to_all):
        assert same(scan([folder], cache=cache), scan([folder]))
    assert open_to_all.read_bytes() == b""


def test_locked_cache_is_done_without(tmp_path, kept, monkeypatch):
    """Another process that writes for long is not waited for."""
    monkeypatch.setattr(scan_cache, "_LOCK_SECONDS", 0.05)
    folder = shop(tmp_path / "p")
    scan([folder], cache=kept)
    with sqlite3.connect(kept) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        assert same(scan([folder], cache=kept), scan([folder]))
    holder.close()


def test_another_reader_reads_anew(tmp_path, kept, reads, monkeypatch):
    """Facts of another version of the readers are not used."""
    folder = shop(tmp_path / "p")
    scan([folder], cache=kept)
    monkeypatch.setattr(scan_cache, "_reader_version", lambda: "another")
    reads.clear()
    scan([folder], cache=kept)
    assert len(reads) == 3


def test_two_processes_share_a_cache(tmp_path, kept):
    """Both end well, whoever comes first, and what they leave is whole."""
    folder = shop(tmp_path / "p")
    code = (
        "import sys; from pathlib import Path; from skilltune.scan import scan\n"
        "from skilltune.stores import scan_cache; scan_cache._YOUNG_NS = -2**62\n"
        "for _ in range(20): print(scan([sys.argv[1]], cache=Path(sys.argv[2])).summary.records)"
    )
    command = [sys.executable, "-c", code, folder, kept]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    printed = {line for process in running for line in process.communicate()[0].splitlines()}
    assert [process.returncode for process in running] == [0, 0]
    assert printed == {str(scan([folder]).summary.records)}
    with sqlite3.connect(kept) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM facts").fetchone() == (3,)
    database.close()


def test_cache_is_not_used_where_nothing_is_to_be_stored(tmp_path, monkeypatch):
    """Neither where collection is switched off, nor where the person turned the cache off."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("SKILLTUNE_CACHE")
    assert scan_cache.usable_cache() == tmp_path / "cache" / "skilltune" / "scans.sqlite"
    (tmp_path / "feedback-config.json").write_text('{"enabled": false}')
    assert scan_cache.usable_cache() is None
    (tmp_path / "feedback-config.json").unlink()
    monkeypatch.setenv("SKILLTUNE_CACHE", "OFF")
    assert scan_cache.usable_cache() is None


def test_without_a_home_nothing_is_kept(tmp_path):
    """No folder named ~ is made where the person is."""
    if os.getuid():
        pytest.skip("only root becomes a user without a home")
    code = "import os; from skilltune.stores.scan_cache import cache_file; os.setuid(54321); print(cache_file())"
    without = ("HOME", "SKILLTUNE_CACHE", "XDG_CACHE_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in without}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert (done.stdout.strip(), done.returncode) == ("None", 0), done.stderr
