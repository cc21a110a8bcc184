"""Where a log's files are, and what is refused as a log."""

import json
import os

import pytest

from skilltune.errors import InputError
from skilltune.stores.feedback import FeedbackLog
from tests.stores.makers import NOW, event, rows, use

TRANSCRIPT = "".join(
    json.dumps({"type": "user", "uuid": f"u{n}", "message": {"content": "hi"}}) + "\n" for n in range(3)
)


def _tree(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _refuse(path, match):
    """Every way to write there is refused."""
    log = FeedbackLog(path)
    for write in (
        log.check_writable,
        lambda: log.update([event()], [use("U1")]),
        lambda: log.update([], []),
    ):
        with pytest.raises(InputError, match=match):
            write()


@pytest.mark.parametrize(
    "name",
    [
        "uses.jsonl",
        "USES.jsonl",
        "mine.uses.jsonl",
        "feedback.lock",
        "feedback.jsonl.torn",
        "feedback.jsonl.tmp",
        "feedback",
        "archive/feedback-20260101.jsonl",
    ],
)
def test_name_of_a_neighbour_is_refused(tmp_path, name):
    """A name that a log's neighbours have is no log's; nothing is made."""
    _refuse(tmp_path / name, rf"{name.rpartition('/')[2]} is a name for what stands beside .*name a file such as")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [TRANSCRIPT, "# Notes\n\nno log\n", "[1]\n", "{}", '{"event": 1}\n', "\n x \n"])
def test_file_of_another_kind_is_refused(tmp_path, content):
    """A file without any row of a log is not written into, nor is anything made beside it."""
    path = tmp_path / "session.jsonl"
    path.write_text(content)
    _refuse(path, r"session\.jsonl is no feedback log: .*Name another file, or move this one away")
    assert _tree(tmp_path) == {path: content.encode()}


def test_other_things_than_files_are_refused(tmp_path):
    """Neither a folder, a pipe nor a device is written to or waited for."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    _refuse(tmp_path / "pipe.jsonl", "pipe.jsonl is no regular file")
    _refuse(tmp_path / "folder.jsonl", "folder.jsonl is a folder")
    _refuse("/dev/null", "/dev/null is no regular file")


@pytest.mark.parametrize(
    "content", ["", "\n\n", '{"event_id": "21', '{"eve', 'damaged\n{"event_id": "x"}\n', '\ufeff{"event_id": 1}\n']
)
def test_empty_cut_or_foreign_log_is_taken(tmp_path, content):
    """A log that is empty, was cut off at its first line, or has odd lines is a log."""
    path = tmp_path / "feedback.jsonl"
    path.write_text(content, encoding="utf-8")
    FeedbackLog(path).update([event()], [])
    assert event() in FeedbackLog(path).read().events


def test_log_of_only_damaged_lines_is_known_by_its_archive(tmp_path):
    """Where all but a damaged line was archived, the log goes on."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    log.path.write_text("damaged\n" + json.dumps({"event_id": "x"}) + "\n")
    log.update([event(timestamp=NOW.replace(year=2025))], [])
    log.archive(NOW)
    log.path.write_text("damaged\n")
    assert log.update([event("A2")], []).new == 1


def test_two_logs_in_one_folder_share_nothing(tmp_path):
    """A log of another name has uses, lock and archive of its own; ``feedback-x`` is not taken for ``feedback``."""
    usual, other = FeedbackLog(tmp_path / "feedback.jsonl"), FeedbackLog(tmp_path / "feedback-x.jsonl")
    old = NOW.replace(year=2025)
    usual.update([event("A1", timestamp=old)], [use("U1")])
    other.update([event("B1", timestamp=old)], [use("V1")])
    assert (usual.archive(NOW), other.archive(NOW)) == (1, 1)
    assert sorted(path.name for path in tmp_path.rglob("*.jsonl")) == [
        "feedback-20251130.jsonl",
        "feedback-x-20251130.jsonl",
        "feedback-x.jsonl",
        "feedback-x.uses.jsonl",
        "feedback.jsonl",
        "uses.jsonl",
    ]
    assert [row["invocation_uuid"] for row in rows(tmp_path / "uses.jsonl")] == ["U1"]
    assert [i.invocation_uuid for i in usual.read().invocations] == ["A1", "U1"]
    assert [i.invocation_uuid for i in other.read().invocations] == ["B1", "V1"]


def test_reading_stays_tolerant(tmp_path):
    """A transcript, or the uses of a log, can be read as a log: nothing is in it that counts."""
    (tmp_path / "uses.jsonl").write_text(TRANSCRIPT)
    contents = FeedbackLog(tmp_path / "uses.jsonl").read()
    assert (contents.events, contents.problem_counts != {}) == ([], True)
