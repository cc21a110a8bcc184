"""Sessions read by the workers of a real Dask cluster: a scheduler and two workers, each a process of its own."""

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from distributed import Client

from skilltune.errors import InputError
from skilltune.scan import batches, executors, scan
from skilltune.scan.cluster import Reader, check_reader, connected_cluster
from tests.scan.test_executors import DyingReader
from tests.sources.claude_code.building import Transcript, write

pytestmark = pytest.mark.filterwarnings("ignore:.*:DeprecationWarning")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Sixty sessions, one of them a fork and one damaged."""
    folder = tmp_path_factory.mktemp("sessions")
    for number in range(60):
        session = (
            Transcript(f"s{number}", prefix=f"u{number % 59}-")
            .user("make it")
            .call("Skill", f"t{number % 59}", skill="tea")
            .result("ok", f"t{number % 59}")
            .agent("done")
            .user("that is wrong")
        )
        write(folder / f"s{number:02}.jsonl", session.raw("torn {") if number == 7 else session)
    return folder


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Batches of some files each, though the files are small."""
    monkeypatch.setattr(batches, "_LEAST_BYTES", 100_000)


def dask(kind, *arguments, folder, **settings):
    """A process of ``dask scheduler`` or ``dask worker``."""
    command = [sys.executable, "-m", "dask", kind, "--host", "127.0.0.1", "--no-dashboard", *arguments]
    with (folder / f"{kind}.log").open("ab") as log:
        return subprocess.Popen(command, env=os.environ | settings, stdout=log, stderr=log, cwd=folder)


def start_worker(address, folder, **settings):
    """A worker of one thread without a process that watches over it: killed, it stays away."""
    return dask("worker", address, "--nthreads", "1", "--no-nanny", folder=folder, **settings)


@contextmanager
def cluster(folder, *, workers=2, **settings):
    """(address of a scheduler, its worker processes)."""
    told = folder / "scheduler.json"
    processes = [dask("scheduler", "--port", "0", "--scheduler-file", str(told), folder=folder, **settings)]
    try:
        while not told.exists() or not told.read_text().strip().endswith("}"):
            assert processes[0].poll() is None, (folder / "scheduler.log").read_text()
            time.sleep(0.05)
        address = told.read_text().split('"address": "')[1].split('"')[0]
        processes += [start_worker(address, folder, **settings) for _ in range(workers)]
        yield address, processes[1:]
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A cluster with two workers."""
    with cluster(tmp_path_factory.mktemp("dask")) as (address, _workers):
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield address


def told(found):
    """Everything that a scan tells."""
    return found.summary, list(found.files())


def test_two_workers_tell_the_same_as_one_process(running, folder):
    """Facts, copies and damages, in the same order; the workers load no tables."""
    with connected_cluster(running) as executor:
        assert executor.parallel == 2
        assert told(scan([folder], executor=executor)) == told(scan([folder]))
        assert executor.submit(lambda: "pandas" in sys.modules).result() is False


def test_file_that_cannot_be_read_names_the_worker(running, folder):
    """Which machine it was stands beside the reason."""
    with connected_cluster(running) as executor:
        gone = (batches.Task(str(folder / "gone.jsonl"), ("claude-code",)),)
        [(facts, error, *_)] = executor.submit(batches.read_batch, gone).result()
        assert facts is None
        assert error.startswith("No such file")
        assert "on worker tcp://127.0.0.1:" in error


def test_killed_worker_loses_nothing(tmp_path, folder):
    """What it was at goes to the other worker."""
    with (
        cluster(tmp_path) as (address, workers),
        Client(address, set_as_default=False) as client,
        ThreadPoolExecutor(1) as thread,
    ):
        client.wait_for_workers(2, timeout=60)
        busy = next(name for name, number in client.run(os.getpid).items() if number == workers[0].pid)
        with connected_cluster(address) as executor:
            psutil.Process(workers[0].pid).suspend()
            found = thread.submit(lambda: told(scan([folder], executor=executor)))
            while not client.processing().get(busy):
                assert not found.done()
                time.sleep(0.02)
            os.kill(workers[0].pid, signal.SIGKILL)
            assert found.result(timeout=60) == told(scan([folder]))


def test_file_at_which_all_workers_die_is_named(tmp_path, folder, monkeypatch):
    """What the scheduler gives up, and all when no worker is left, is read here, but what a process of ours dies at."""
    (marks := tmp_path / "marks").mkdir()
    files = [folder / f"s{number:02}.jsonl" for number in (0, 3, 20, 21, 30, 31)]
    monkeypatch.setattr(batches, "_LEAST_BYTES", 40_000)
    monkeypatch.setattr(executors, "read_batch", DyingReader(str(marks)))
    settings = {
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
    }
    with cluster(tmp_path, **settings) as (address, workers), Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        with connected_cluster(address) as executor:
            monkeypatch.setattr("skilltune.scan.cluster._ANSWER_SECONDS", 1)
            found = scan(files, executor=executor)
        assert [worker.wait(timeout=60) for worker in workers] == [-signal.SIGKILL] * 2
    alone = scan(files)
    assert [(Path(path).name, why.split(",")[0]) for path, why in found.summary.unreadable] == [
        ("s20.jsonl", "the process that read it was ended")
    ]
    assert found.summary.files == alone.summary.files
    assert told_of(found) == told_of(alone) - {"s20.jsonl"}
    assert (marks / "s03.jsonl").exists()


def told_of(found):
    """Names of the files of which a scan has facts."""
    return {Path(facts.path).name for facts in found.files()}


def test_scheduler_that_is_lost_loses_nothing(tmp_path, folder, monkeypatch):
    """What nobody else reads, this machine does."""
    with cluster(tmp_path, workers=1) as (address, _):
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=60)
            scheduler = client.run_on_scheduler(os.getpid)
        monkeypatch.setattr("skilltune.scan.cluster._ANSWER_SECONDS", 2)
        with connected_cluster(address) as executor:
            os.kill(scheduler, signal.SIGKILL)
            assert told(scan([folder], executor=executor)) == told(scan([folder]))


@pytest.mark.parametrize("other", [Reader(version="0.0.1"), Reader(facts=0), Reader(python="3.9")])
def test_reader_that_differs_is_named(other):
    """skilltune, the facts it writes and Python are compared."""
    with pytest.raises(InputError, match=re.escape(f"worker w has {other}, this run {Reader()}; install the same")):
        check_reader(other, where="worker w")
    check_reader(Reader(), where="worker w")


def test_worker_of_another_version_is_named(running, folder, tmp_path):
    """Facts of two versions never mix."""
    (tmp_path / "skilltune-0.0.1.dist-info").mkdir()
    (tmp_path / "skilltune-0.0.1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: skilltune\nVersion: 0.0.1\n"
    )
    with Client(running, set_as_default=False) as client:
        other = start_worker(running, tmp_path, PYTHONPATH=str(tmp_path))
        try:
            client.wait_for_workers(3, timeout=60)
            with (
                pytest.raises(InputError, match=r"worker tcp://\S+ has skilltune 0\.0\.1"),
                connected_cluster(running) as _,
            ):
                pass
        finally:
            other.kill()
            other.wait()


def test_extra_that_is_missing_is_named(monkeypatch):
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'skilltune\[dask\]'"), connected_cluster("tcp://127.0.0.1:9"):
        pass


def test_nobody_at_the_address(monkeypatch):
    """The error names the address and how to start a cluster."""
    monkeypatch.setattr("skilltune.scan.cluster._ANSWER_SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "nowhere", "ftp://x"):
        with pytest.raises(InputError, match=rf"scheduler '{address}': .*dask scheduler"), connected_cluster(address):
            pass


def test_scheduler_without_workers(monkeypatch, tmp_path):
    """The error says how to start one."""
    monkeypatch.setattr("skilltune.scan.cluster._ANSWER_SECONDS", 1)
    with (
        cluster(tmp_path, workers=0) as (address, _),
        pytest.raises(InputError, match=f"no worker joined within 1 s; start one: dask worker {address}"),
        connected_cluster(address),
    ):
        pass


def test_mine_by_a_scheduler(running, folder, tmp_path):
    """The command line writes the same log as without."""
    logs = []
    for number, more in enumerate(([], ["--scheduler", running])):
        place = tmp_path / f"w{number}" / ".skilltune"
        command = [sys.executable, "-m", "skilltune", "mine", "--session-dir", str(folder), "--workspace", str(place)]
        environment = os.environ | {"HOME": str(tmp_path)}
        done = subprocess.run([*command, *more], env=environment, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        logs.append({path.relative_to(place): path.read_bytes() for path in place.rglob("*.jsonl")})
    assert logs[0] == logs[1]
    assert sum(text.count(b"reject.wrong") for text in logs[0].values()) == 59
