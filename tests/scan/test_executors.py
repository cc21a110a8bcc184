"""Sessions read by several processes, and by executors of others."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from skilltune.errors import InputError, RecordError
from skilltune.scan import executors, scan
from skilltune.scan.batches import make_batches, read_batch
from skilltune.scan.reading import Task
from tests.sources.claude_code.building import Transcript, write


@pytest.fixture
def folder(tmp_path):
    """Thirty sessions, one of them a fork, a damaged one and one that cannot be read."""
    for number in range(30):
        session = (
            Transcript(f"s{number}", prefix=f"u{number % 29}-").user("make it").agent("done").user("that is wrong")
        )
        write(tmp_path / f"s{number:02}.jsonl", session.raw("torn {") if number == 7 else session)
    os.mkfifo(tmp_path / "pipe.jsonl")
    return tmp_path


@pytest.fixture
def small(monkeypatch):
    """Batches of some files each, though the files are small."""
    monkeypatch.setattr("skilltune.scan.batches._LEAST_BYTES", 100_000)


def told(found):
    """Everything that a scan tells."""
    return found.summary, list(found.files())


def test_two_processes_tell_the_same_in_the_same_order(folder, small):
    """Facts, copies, damages and what cannot be read are those of one process."""
    alone = scan([folder])
    assert alone.summary.copied
    assert len(alone.summary.unreadable) == 1
    assert told(scan([folder], workers=2)) == told(alone)


def test_any_executor_reads(folder, small):
    """One with threads gives the same, too."""
    with ThreadPoolExecutor(2) as threads:
        assert told(scan([folder], executor=threads)) == told(scan([folder]))


def test_killed_process_is_made_good_and_the_file_that_kills_is_named(folder, small, monkeypatch):
    """A process that dies once loses nothing; a file at which every process dies is named, the others are read."""
    marks = folder.parent / f"{folder.name}-marks"
    marks.mkdir()
    monkeypatch.setattr(executors, "read_batch", DyingReader(str(marks)))
    found, alone = scan([folder], workers=2), scan([folder])
    assert [(Path(path).name, why) for path, why in found.summary.unreadable if "s20" in path] == [
        ("s20.jsonl", "the process that read it was ended, most likely for want of memory")
    ]
    assert (marks / "s03.jsonl").exists()
    expected = [facts for facts in alone.files() if not facts.path.endswith("s20.jsonl")]
    assert list(found.files()) == expected


def test_executor_that_breaks_is_made_good(folder, small, monkeypatch):
    """What a broken pool of somebody else leaves is read all the same; the file that kills is named."""
    marks = folder.parent / f"{folder.name}-marks"
    marks.mkdir()
    monkeypatch.setattr(executors, "read_batch", DyingReader(str(marks)))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = scan([folder], executor=pool)
    assert [Path(path).name for path, _ in found.summary.unreadable] == ["pipe.jsonl", "s20.jsonl"]
    assert list(found.files()) == [facts for facts in scan([folder]).files() if not facts.path.endswith("s20.jsonl")]


class DyingReader:
    """Reads a batch; dies at s20 always, at s03 the first time."""

    def __init__(self, marks):
        self.marks = marks

    def __call__(self, batch):
        """What a process is given to do."""
        for task in batch:
            mark = Path(self.marks) / Path(task.path).name
            if mark.name == "s20.jsonl" or (mark.name == "s03.jsonl" and not mark.exists()):
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return read_batch(batch)


def test_strict_names_the_damaged_line_whoever_reads(folder):
    """Path and line arrive also where several processes are asked for."""
    with pytest.raises(RecordError, match=r"s07\.jsonl.*4"):
        scan([folder / "s06.jsonl", folder / "s07.jsonl"], strict=True, workers=2)
    with ProcessPoolExecutor(1) as never_used, pytest.raises(RecordError, match=r"s07\.jsonl.*4"):
        scan([folder / "s06.jsonl", folder / "s07.jsonl"], strict=True, executor=never_used)


@pytest.mark.parametrize("workers", [0, -1, 65])
def test_number_of_processes_that_cannot_be_meant_is_refused(folder, workers):
    """The number and the bounds are named."""
    with pytest.raises(InputError, match=f"workers: {workers} .* 1 to 64"):
        scan([folder], workers=workers)


def test_few_bytes_are_read_by_one_process(folder):
    """Starting another takes longer."""
    assert executors.choose_workers([Task(str(path), ()) for path in folder.glob("s*.jsonl")]) == 1


def test_batches_hold_every_task_once_and_a_large_file_alone(tmp_path):
    """In their order; no batch has more than its share but by one file."""
    sizes = [1, 1, 30_000_000, 1, 1, 40_000_000, 1]
    tasks = []
    for number, size in enumerate(sizes):
        with (tmp_path / f"{number}.jsonl").open("wb") as file:
            file.truncate(size)
        tasks.append(Task(str(tmp_path / f"{number}.jsonl"), ()))
    batches = list(make_batches(tasks, workers=2))
    assert [task for batch in batches for task in batch] == tasks
    assert [len(batch) for batch in batches] == [2, 1, 2, 1, 1]


def test_processes_load_no_tables(folder):
    """What a process that reads needs is light: no pandas, no notebooks."""
    code = "import sys, skilltune.scan.batches; print([m for m in ('pandas', 'IPython', 'typer') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
