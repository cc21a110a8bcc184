"""Append-only logs: whole lines whatever happens to the writers."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from skilltune.errors import LogError, RecordError
from skilltune.stores.compact import dump_compact
from skilltune.stores.files import WriteLock, replace_file
from skilltune.stores.jsonl import AppendOnlyLog, AppendResult, dump_row, parse_line
from tests.stores.makers import fork

WRITER = """
import sys
from skilltune.stores.jsonl import AppendOnlyLog, dump_row
log = AppendOnlyLog(sys.argv[1])
for i in range(4):
    log.append([dump_row({"who": sys.argv[2], "i": i, "part": part, "text": "文" * 3000}) for part in range(2)])
"""


@pytest.fixture
def log(tmp_path):
    """A log that is not there yet."""
    return AppendOnlyLog(tmp_path / "folder" / "log.jsonl")


def test_append_and_read(log):
    """Rows come back in order; the file holds one line each and can be read by its owner only."""
    assert log.append([dump_row({"a": 1}), dump_row({"b": "ü"})]) == AppendResult(2)
    log.append([b'{"c": null}'])
    assert log.read(strict=True).rows == [{"a": 1}, {"b": "ü"}, {"c": None}]
    assert log.path.read_bytes().count(b"\n") == 3
    assert log.path.stat().st_mode & 0o777 == 0o600


def test_append_nothing_makes_nothing(log):
    """Without lines neither file nor folder is made."""
    assert log.append([]) == AppendResult(0)
    assert not log.path.parent.exists()


def test_append_from_50_processes(tmp_path):
    """Fifty processes that write at once leave every line whole, and each one's batches together."""
    path = tmp_path / "log.jsonl"
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen([*command, str(n)]) for n in range(50)]
    assert [writer.wait() for writer in writers] == [0] * 50
    rows = AppendOnlyLog(path).read(strict=True).rows
    assert len(rows) == 50 * 4 * 2
    assert {(row["who"], row["i"], row["part"]) for row in rows} == {
        (str(n), i, part) for n in range(50) for i in range(4) for part in range(2)
    }
    assert [row["part"] for row in rows] == [0, 1] * 200


@pytest.mark.parametrize(
    ("tail", "repaired", "torn"),
    [
        (b'{"a": 1}', "completed", b""),
        (b'{"a": 1', "moved", b'{"a": 1\n'),
        (b'{"a": "\xe6\x96', "moved", b'{"a": "\xe6\x96\n'),
        (b"\0" * 70_000, "moved", b"\0" * 70_000 + b"\n"),
        (b"[1]", "moved", b"[1]\n"),
        (b"", "", b""),
    ],
    ids=["whole", "cut", "cut in a character", "zeros", "no object", "none"],
)
@pytest.mark.parametrize("before", [b"", b'{"z": 0}\n'], ids=["first", "second"])
def test_append_repairs_torn_tail(log, before, tail, repaired, torn):
    """A last line without newline is completed if whole, else kept in the .torn file; nothing is lost."""
    log.path.parent.mkdir()
    log.path.write_bytes(before + tail)
    assert log.append([b'{"b": 2}']) == AppendResult(1, repaired)
    kept = [{"z": 0}] * bool(before) + [{"a": 1}] * (repaired == "completed")
    assert log.read(strict=True).rows == [*kept, {"b": 2}]
    assert (log.torn_path.read_bytes() if torn else b"") == torn
    assert log.torn_path.exists() == bool(torn)


def test_append_keeps_damaged_lines(log):
    """Damaged lines in the middle stay, byte by byte."""
    log.path.parent.mkdir()
    log.path.write_bytes(b"junk\n\xff\n{}\n")
    log.append([b'{"b": 2}'])
    assert log.path.read_bytes() == b'junk\n\xff\n{}\n{"b": 2}\n'
    result = log.read()
    assert (result.rows, result.problem_counts) == ([{}, {"b": 2}], {"not_json": 2})
    with pytest.raises(RecordError, match=r"log\.jsonl:1: not_json"):
        log.read(strict=True)


def test_append_where_folder_is_a_file(tmp_path):
    """A path below a file: the error names the folder and what to do."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(LogError, match=r"file/store cannot be made .*--workspace or --output"):
        AppendOnlyLog(tmp_path / "file" / "store" / "log.jsonl").append([b"{}"])


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="needs POSIX users")
def test_append_in_read_only_folder(tmp_path):
    """In a folder that may only be read: the error names the path and what to do, and nothing changes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "log.jsonl").write_text("{}\n")
        folder.chmod(0o555)
        log, user = AppendOnlyLog(folder / "log.jsonl"), os.geteuid()
        AppendOnlyLog(tmp_path / "elsewhere.jsonl").append([b"{}"])  # what is imported late is imported now
        try:
            os.seteuid(65534 if user == 0 else user)
            with pytest.raises(LogError, match=r"log\.jsonl\.lock cannot be locked .*--workspace or --output"):
                log.append([b"{}"])
            with pytest.raises(LogError, match=r"log\.jsonl cannot be replaced .*it is unchanged"):
                replace_file(log.path, b"")
        finally:
            os.seteuid(user)
            folder.chmod(0o755)
        assert [path.name for path in folder.iterdir()] == ["log.jsonl"]
        assert log.read().rows == [{}]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_append_to_full_disk(tmp_path):
    """With no space left the error says so, and what to do."""
    with pytest.raises(LogError, match=r"full cannot be written \(No space left on device\).*free some space"):
        AppendOnlyLog(Path("/dev/full"), lock=WriteLock(tmp_path / "lock")).append([b"{}"])


def _limit_file_size():
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="needs a limit on file sizes")
def test_append_that_runs_out_of_space_midway(log):
    """A write that stops in the middle is taken back: the log is as it was, and the next append works."""
    log.append([dump_row({"n": n, "text": "x" * 80}) for n in range(90)])
    before = log.path.read_bytes()
    code = (
        "import sys; from skilltune.stores.jsonl import AppendOnlyLog; from skilltune.errors import LogError\n"
        "try: AppendOnlyLog(sys.argv[1]).append([b'{\"big\": \"' + b'y' * 5000 + b'\"}'])\n"
        "except LogError as error: print(error)"
    )
    command = [sys.executable, "-c", code, str(log.path)]
    done = subprocess.run(command, preexec_fn=_limit_file_size, capture_output=True, text=True, check=True)
    assert "nothing was added to it: free some space" in done.stdout
    assert log.path.read_bytes() == before
    assert log.append([b"{}"]) == AppendResult(1)


def test_append_waits_for_lock_then_gives_up(tmp_path):
    """A log that another writer holds: after the wait an error that names the lock."""
    path = tmp_path / "log.jsonl"
    lock = WriteLock(tmp_path / "lock", timeout_seconds=0.1)
    other = WriteLock(tmp_path / "lock")
    with other.held(), pytest.raises(LogError, match=r"lock has been held by another process for 0\.1 s; wait"):
        AppendOnlyLog(path, lock=lock).append([b"{}"])
    AppendOnlyLog(path, lock=lock).append([b"{}"])


def test_append_by_the_one_who_is_in(log):
    """Who holds the lock may append, and lock again."""
    with log.locked(), log.locked():
        log.append([b"{}"])
    assert log.read().rows == [{}]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_append_in_a_forked_process(log):
    """A log that was opened before a fork can be written by both sides."""
    log.append([b'{"n": 1}'])
    child = fork()
    if child == 0:
        try:
            log.append([b'{"n": 2}'])
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    log.append([b'{"n": 3}'])
    assert log.read().rows == [{"n": 1}, {"n": 2}, {"n": 3}]


def test_log_through_link(tmp_path):
    """Through a link the file it points to is written, under the lock of that file."""
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "real.jsonl")
    AppendOnlyLog(tmp_path / "link.jsonl").append([b"{}"])
    assert (tmp_path / "real.jsonl").read_bytes() == b"{}\n"
    assert (tmp_path / "link.jsonl").is_symlink()


def test_read_unreadable_path(tmp_path):
    """A folder in the place of a log: the error names it."""
    with pytest.raises(LogError, match="cannot be read"):
        AppendOnlyLog(tmp_path).read()


@pytest.mark.parametrize(
    ("raw", "row", "problem"),
    [
        (b'{"a": 1}', {"a": 1}, ""),
        (b'{"a": 1}\r', {"a": 1}, ""),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}, ""),
        (b'{"a": Infinity}', {"a": float("inf")}, ""),
        (b'{"a": "\xff"}', {"a": "\ufffd"}, "replaced_characters"),
        (b'{"a": "\\udc00"}', {"a": "\ufffd"}, "replaced_characters"),
        (b'{"a": "\\ud83d\\ude00"}', {"a": "😀"}, ""),
        (b'{"a": 1}{"b": 2}', None, "not_json"),
        (b'"text"', None, "not_an_object"),
        (b"", None, "not_json"),
    ],
)
def test_parse_line(raw, row, problem):
    """A line gives its object and what was wrong with it."""
    assert parse_line(raw) == (row, problem)


def test_dump_row_is_one_utf8_line():
    """A row is one line of UTF-8, with surrogate pairs joined, whatever its texts hold."""
    row = {"a": "\n\u2028\u0085", "b": "\ud83d\ude00", "c": "\ud83d", "d": "文"}
    raw = dump_row(row)
    assert len(raw.decode("utf-8").splitlines()) == 1
    assert json.loads(raw) == {"a": "\n\u2028\u0085", "b": "😀", "c": "\ufffd", "d": "文"}


@pytest.mark.parametrize("dump", [dump_row, dump_compact])
def test_number_that_json_does_not_have_is_null(dump):
    """No line of a log holds NaN or an infinity, however deep: other readers would refuse the line."""
    row = {"p": float("nan"), "deep": [{"q": float("inf")}, (float("-inf"), 1.5)], "text": "NaN", "ok": True}
    raw = dump(row)
    strict = json.loads(raw, parse_constant=lambda word: pytest.fail(f"{word} is in the line"))
    assert strict == {"p": None, "deep": [{"q": None}, [None, 1.5]], "text": "NaN", "ok": True}
